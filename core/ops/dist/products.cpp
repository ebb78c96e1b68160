// SPDX-License-Identifier: MIT
// Matrix products: SUMMA (van de Geijn and Watts, 1997), or a sum over ranks where only the inner axis is
// divided.
#include <algorithm>

#include "ops/comm/together.h"
#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/gemm.h"

namespace arr {

namespace {

// The communicator of the ranks along an axis of the grid; nullptr for none or one rank.
Comm* along(const Decomposition& by, int32_t grid_axis) {
  if (grid_axis < 0) return nullptr;
  Comm& c = by.grid->over(1U << static_cast<uint32_t>(grid_axis));
  return c.place().size == 1 ? nullptr : &c;
}

// A range of the inner axis, whose columns of a and rows of b each one rank of the grid's row and column has.
struct Panel {
  int64_t from, to;
  int32_t column, row;  // coordinates in the grid; 0 where nothing is divided
};
std::vector<Panel> panels_of(const Division& a, const Division& b) {
  std::vector<Panel> out;
  for (size_t i = 0; i < a.parts->size(); ++i) {
    for (const IndexRange& x : (*a.parts)[i]) {
      for (size_t j = 0; j < b.parts->size(); ++j) {
        for (const IndexRange& y : (*b.parts)[j]) {
          const int64_t from = std::max(x.from, y.from), to = std::min(x.to, y.to);
          if (from < to) out.push_back({from, to, static_cast<int32_t>(i), static_cast<int32_t>(j)});
        }
      }
    }
  }
  std::ranges::sort(out, {}, &Panel::from);
  return out;
}

// The panels of one operand, each broadcast along an axis of the grid while the one before is multiplied.
class Panels {
 public:
  Panels(const Dist& a, int32_t inner, Stream* stream)
      : a_(a),
        inner_(inner),
        comm_(along(*a.decomposition, a.decomposition->axes[static_cast<size_t>(inner)].grid_axis)),
        stream_(stream) {}

  // Starts the broadcast of a range that the rank `owner` of the row or column has.
  void start(const Panel& p, int32_t owner) {
    if (comm_ == nullptr) {
      next_ = dist_slice(a_, inner_, p.from, p.to)->part;
      return;
    }
    if (comm_->place().rank == owner) {
      const Ref<Dist> own = dist_slice(a_, inner_, p.from, p.to);
      next_ = contiguous(*own->part, Order::C, stream_);
    } else {
      std::vector<int64_t> shape(a_.part->layout.shape, a_.part->layout.shape + 2);
      shape[static_cast<size_t>(inner_)] = p.to - p.from;
      next_ = empty(a_.dtype(), shape, Order::C, a_.decomposition->device(), stream_);
    }
    comm_->group_begin();
    comm_->run(broadcast_call(comm_->place(), *next_, owner, stream_));
    comm_->group_start();
  }
  Ref<Array> take() {
    if (comm_ != nullptr) comm_->group_end();
    return std::move(next_);
  }

 private:
  const Dist& a_;
  const int32_t inner_;
  Comm* const comm_;
  Stream* const stream_;
  Ref<Array> next_;
};

void add_product(const Array& sum, const Array& a, const Array& b, Stream* stream) {
  Epilogue e;
  e.c = &sum;
  gemm_into(sum, a, b, e, stream);
}

// Rows are divided as those of a, columns as those of b.
Ref<Dist> summa(const Dist& a, const Dist& b, Stream* stream) {
  const Decomposition &x = *a.decomposition, &y = *b.decomposition;
  Ref<Decomposition> by = with_axes(x, {x.shape[0], y.shape[1]}, {x.axes[0], y.axes[1]});
  Panels left(a, 1, stream), right(b, 0, stream);
  const std::vector<Panel> panels = panels_of(x.axes[1], y.axes[0]);
  const auto start = [&](const Panel& p) {
    left.start(p, p.column);
    right.start(p, p.row);
  };
  if (panels.empty()) return dist_zeros(*by, promote(a.dtype(), b.dtype()), {}, stream);
  start(panels[0]);
  Ref<Array> sum;
  for (size_t i = 0; i < panels.size(); ++i) {
    const Ref<Array> l = left.take(), r = right.take();
    if (i + 1 < panels.size()) start(panels[i + 1]);
    if (!sum) {
      sum = gemm(*l, *r, {}, stream);
    } else {
      add_product(*sum, *l, *r, stream);
    }
  }
  return make<Dist>(std::move(by), std::move(sum), std::vector<int64_t>());
}

// The sum over ranks of the products of their parts.
Ref<Dist> summed(const Dist& a, const Dist& b, Stream* stream) {
  const Decomposition &x = *a.decomposition, &y = *b.decomposition;
  Ref<Decomposition> by = with_axes(x, {x.shape[0], y.shape[1]}, {x.axes[0], y.axes[1]});
  Ref<Array> sum = contiguous(*gemm(*a.part, *b.part, {}, stream), Order::C, stream);
  if (Comm* among = along(x, x.axes[1].grid_axis); among != nullptr) {
    sum_over_ranks(*among, *sum, stream);
  }
  return make<Dist>(std::move(by), std::move(sum), std::vector<int64_t>());
}

// The operand of a product, as a matrix on the grid of `model`, with these divisions of its axes.
Ref<Dist> on_grid(const Dist& a, const Decomposition& model, const Division& rows, const Division& columns,
                  Stream* stream) {
  return redistributed(a, *with_axes(model, a.decomposition->shape, {rows, columns}), stream);
}

Division on_axis(int64_t n, int32_t grid_axis, const Decomposition& by) {
  if (grid_axis < 0) return Division::whole(n);
  return Division::blocks(n, grid_axis, by.grid->extents()[static_cast<size_t>(grid_axis)], 0);
}

Ref<Dist> product(const Dist& a, const Dist& b, Stream* stream) {
  const Decomposition &x = *a.decomposition, &y = *b.decomposition;
  const int64_t inner = x.shape[1];
  const bool one_grid = std::ranges::equal(x.grid->extents(), y.grid->extents());
  if (one_grid && x.axes[1].grid_axis >= 0 && x.axes[1].same(y.axes[0]) && x.axes[0].grid_axis < 0 &&
      y.axes[1].grid_axis < 0) {
    return summed(a, b, stream);
  }
  // Rows along one axis of the grid of a, columns along another one.
  const int32_t rows = x.axes[0].grid_axis;
  int32_t columns = one_grid ? y.axes[1].grid_axis : -1;
  if (columns == rows || columns < 0) columns = x.axes[1].grid_axis;
  const Division by_column =
      one_grid && columns == y.axes[1].grid_axis ? y.axes[1] : on_axis(y.shape[1], columns, x);
  const Ref<Dist> left = on_grid(a, x, x.axes[0], on_axis(inner, columns, x), stream);
  const Ref<Dist> right = on_grid(b, x, on_axis(inner, rows, x), by_column, stream);
  return summa(*left, *right, stream);
}

// The vector as a matrix with one row or column; or a matrix itself.
Ref<Dist> as_matrix(const Dist& a, int32_t new_axis) {
  if (a.ndim() == 2) return Ref<Dist>::share(const_cast<Dist*>(&a));
  const Decomposition& by = *a.decomposition;
  std::vector<int64_t> shape = by.shape;
  std::vector<Division> axes = by.axes;
  shape.insert(shape.begin() + new_axis, 1);
  axes.insert(axes.begin() + new_axis, Division::whole(1));
  return make<Dist>(with_axes(by, std::move(shape), std::move(axes)), expand_axis(*a.part, new_axis),
                    std::vector<int64_t>());
}

Ref<Dist> without_axis(const Dist& a, int32_t axis, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  std::vector<int64_t> shape = by.shape;
  std::vector<Division> axes = by.axes;
  axes[static_cast<size_t>(axis)] = Division::whole(1);
  const Ref<Dist> whole = redistributed(a, *with_axes(by, shape, axes), stream);
  shape.erase(shape.begin() + axis);
  axes.erase(axes.begin() + axis);
  return make<Dist>(with_axes(by, std::move(shape), std::move(axes)), index_axis(*whole->part, axis, 0),
                    std::vector<int64_t>());
}

}  // namespace

Ref<Dist> dist_matmul(const Dist& a, const Dist& b, Stream* stream) {
  check_same_comm(a, b, "b");
  a.decomposition->comm().check_no_group();
  for (const auto& [operand, argument] : {std::pair{&a, "a"}, std::pair{&b, "b"}}) {
    if (operand->ndim() == 1 || operand->ndim() == 2) continue;
    fail(ARR_E_SHAPE, "argument ", argument, ": ", operand->ndim(), " dimensions, expected 1 or 2");
  }
  const Ref<Dist> left = as_matrix(a, 0), right = as_matrix(b, 1);
  if (left->decomposition->shape[1] != right->decomposition->shape[0]) {
    fail(ARR_E_SHAPE, "argument b: ", right->decomposition->shape[0], " rows, expected ",
         left->decomposition->shape[1], ", the columns of a");
  }
  Ref<Dist> out = product(*left, *right, stream);
  if (b.ndim() == 1) out = without_axis(*out, 1, stream);
  if (a.ndim() == 1) out = without_axis(*out, 0, stream);
  return out;
}

}  // namespace arr
