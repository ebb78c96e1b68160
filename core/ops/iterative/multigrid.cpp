// SPDX-License-Identifier: MIT
// Algebraic multigrid by smoothed aggregation (P. Vanek, J. Mandel, M. Brezina, Algebraic multigrid by
// smoothed aggregation for second and fourth order elliptic problems, Computing 56, 1996), as a
// preconditioner.
#include <algorithm>
#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/iterative/krylov.h"
#include "ops/linalg/least_squares.h"
#include "ops/linalg/matmul.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/products.h"
#include "ops/sparse/shape.h"

namespace arr {

namespace {

// The coarsest matrix has at most this many rows, and its inverse is dense.
constexpr int64_t max_coarse = 300;
constexpr size_t max_levels = 20;

// A matrix, what its smoother multiplies by, and the prolongation from the next level with its transpose.
struct Level {
  Ref<Sparse> a, p, restriction;
  Ref<Array> smoother;
};

// The stored elements of a matrix in csr, on the host.
struct HostMatrix {
  std::vector<int64_t> pointers, indices;
  std::vector<double> data;
};

HostMatrix on_host(const Sparse& a, Stream* stream) {
  return {download<int64_t>(*a.outer, DType::int64_, stream),
          download<int64_t>(*a.inner, DType::int64_, stream),
          download<double>(*a.data, DType::float64_, stream)};
}

// The aggregate of each row, -1 for a row without strong neighbours; their number. A neighbour is strong if
// its element is large beside the diagonal's.
class Aggregation {
 public:
  Aggregation(const HostMatrix& a, double strength) : a_(a), rows_(a.pointers.size() - 1), of(rows_, free) {
    find_strong(strength);
    for (size_t i = 0; i < rows_; ++i) begin_with(i);
    const std::vector<int64_t> begun = of;
    for (size_t i = 0; i < rows_; ++i) join(i, begun);
    for (size_t i = 0; i < rows_; ++i) gather(i);
    std::replace(of.begin(), of.end(), free, int64_t{-1});
  }

 private:
  static constexpr int64_t free = -2;
  const HostMatrix& a_;
  const size_t rows_;
  std::vector<bool> strong_;

 public:
  std::vector<int64_t> of;
  int64_t count = 0;

 private:
  template <class Use>
  void each_strong(size_t i, Use&& use) const {
    for (auto k = static_cast<size_t>(a_.pointers[i]); k < static_cast<size_t>(a_.pointers[i + 1]); ++k) {
      if (strong_[k]) use(static_cast<size_t>(a_.indices[k]));
    }
  }

  void find_strong(double strength) {
    std::vector<double> diagonal(rows_, 0);
    for (size_t i = 0; i < rows_; ++i) {
      for (auto k = static_cast<size_t>(a_.pointers[i]); k < static_cast<size_t>(a_.pointers[i + 1]); ++k) {
        if (static_cast<size_t>(a_.indices[k]) == i) diagonal[i] = std::abs(a_.data[k]);
      }
    }
    strong_.assign(a_.data.size(), false);
    for (size_t i = 0; i < rows_; ++i) {
      for (auto k = static_cast<size_t>(a_.pointers[i]); k < static_cast<size_t>(a_.pointers[i + 1]); ++k) {
        const auto j = static_cast<size_t>(a_.indices[k]);
        const double least = strength * std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]);
        strong_[k] = j != i && a_.data[k] != 0 && std::abs(a_.data[k]) >= least;
      }
    }
  }

  // A row none of whose strong neighbours has an aggregate begins one with all of them.
  void begin_with(size_t i) {
    bool alone = of[i] == free, any = false;
    each_strong(i, [&](size_t j) {
      any = true;
      alone = alone && of[j] == free;
    });
    if (!alone || !any) return;
    of[i] = count;
    each_strong(i, [&](size_t j) { of[j] = count; });
    ++count;
  }

  // A row beside an aggregate of the first pass joins it.
  void join(size_t i, const std::vector<int64_t>& begun) {
    if (of[i] != free) return;
    each_strong(i, [&](size_t j) {
      if (of[i] == free && begun[j] != free) of[i] = begun[j];
    });
  }

  // The rest forms aggregates of neighbours.
  void gather(size_t i) {
    bool any = false;
    each_strong(i, [&](size_t) { any = true; });
    if (of[i] != free || !any) return;
    of[i] = count;
    each_strong(i, [&](size_t j) {
      if (of[j] == free) of[j] = count;
    });
    ++count;
  }
};

// A column for each aggregate: equal numbers in its rows, of norm 1.
Ref<Sparse> tentative(const Aggregation& by, const Sparse& a, Stream* stream) {
  std::vector<double> sizes(static_cast<size_t>(by.count), 0), data;
  std::vector<int64_t> rows, columns;
  for (const int64_t to : by.of) {
    if (to >= 0) sizes[static_cast<size_t>(to)] += 1;
  }
  for (size_t i = 0; i < by.of.size(); ++i) {
    if (by.of[i] < 0) continue;
    rows.push_back(static_cast<int64_t>(i));
    columns.push_back(by.of[i]);
    data.push_back(1 / std::sqrt(sizes[static_cast<size_t>(by.of[i])]));
  }
  const Elements all{upload(rows, DType::int64_, a.device(), stream),
                     upload(columns, DType::int64_, a.device(), stream),
                     as_type(*upload(data, DType::float64_, a.device(), stream), a.dtype(), stream)};
  return from_elements(SparseFormat::csr, {a.extents.rows, by.count}, all, false, stream);
}

// 4/3 divided by a bound of the eigenvalues of D^-1 a, the largest sum of magnitudes of its rows, and by D,
// the diagonal; 0 where that is not positive.
Ref<Array> smoother_of(const Sparse& a, Stream* stream) {
  const Ref<Array> d = sparse_diagonal(a, 0, stream);
  const Ref<Array> sums = sparse_reduce(*reduction_info(reduction::sum_abs), a, 1, DType::none, stream);
  const auto usable = [](ProgramBuilder& b, int32_t x) {
    return b.op(op::greater, x, b.cast(number(b, 0), b.dtype(x)));
  };
  const Ref<Array> ratios = compute({sums.get(), d.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::where, usable(b, in[1]), b.op(op::divide, in[0], in[1]), number(b, 0));
  });
  const Ref<Array> bound = reduce(*reduction_info(reduction::max), *ratios, 1, false, {}, stream);
  return compute({d.get(), bound.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t scaled = b.op(op::divide, number(b, 4.0 / 3), b.op(op::multiply, in[0], in[1]));
    return b.cast(b.op(op::where, usable(b, in[0]), scaled, number(b, 0)), a.dtype());
  });
}

// Vectors, or the columns of matrices.
class Multigrid final : public LinearOperator {
 public:
  Multigrid(const Sparse& a, double strength, Stream* stream)
      : LinearOperator(a.extents, solver_type(a.dtype()), a.device()) {
    Ref<Sparse> now = sum_duplicates(
        *convert(*astype(a, dtype, Casting::unsafe, stream), SparseFormat::csr, stream), stream);
    while (now->extents.rows > max_coarse && levels_.size() < max_levels) {
      Level level{now, {}, {}, smoother_of(*now, stream)};
      const Aggregation by(on_host(*now, stream), strength / std::exp2(static_cast<double>(levels_.size())));
      if (by.count == 0 || by.count >= now->extents.rows) break;
      // p = t - s a t, s the smoother.
      const Ref<Sparse> t = tentative(by, *now, stream), at = matmul(*now, *t, stream);
      const Ref<Array> by_row = expand_axis(*level.smoother, 1);
      level.p =
          sparse_binary(*op_info(op::subtract), *t,
                        *sparse_with(*op_info(op::multiply), *at, {by_row.get(), {}, false}, stream), stream);
      level.restriction = convert(*level.p->transpose(), SparseFormat::csr, stream);
      now = matmul(*level.restriction, *matmul(*now, *level.p, stream), stream);
      levels_.push_back(std::move(level));
    }
    if (now->extents.rows > max_coarse) {  // rows that are not connected are smoothed
      levels_.push_back({now, {}, {}, smoother_of(*now, stream)});
    } else {
      inverse_ = pinv(*to_dense(*now, Order::C, stream), -1, stream);
    }
  }

  Ref<Array> times(const Mode&, const Array& x, Stream* stream) const override {
    return as_type(*cycle(0, *as_type(x, dtype, stream), stream), promote(dtype, x.dtype), stream);
  }

 private:
  std::vector<Level> levels_;
  Ref<Array> inverse_;

  // x + s (b - a x), or s b for an x of 0.
  static Ref<Array> smoothed(const Level& l, const Array& b, const Array* x, Stream* stream) {
    const Ref<Array> s = b.layout.ndim == 2 ? expand_axis(*l.smoother, 1) : l.smoother;
    if (x == nullptr) return apply(op::multiply, {s.get(), &b}, stream);
    const Ref<Array> ax = matmul(*l.a, *x, stream);
    return compute({x, s.get(), &b, ax.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
      return p.op(op::add, in[0], p.op(op::multiply, in[1], p.op(op::subtract, in[2], in[3])));
    });
  }

  Ref<Array> cycle(size_t at, const Array& b, Stream* stream) const {
    if (at == levels_.size()) return matmul(*inverse_, b, stream);
    const Level& l = levels_[at];
    Ref<Array> x = smoothed(l, b, nullptr, stream);
    if (l.p) {
      const Ref<Array> ax = matmul(*l.a, *x, stream), rest = apply(op::subtract, {&b, ax.get()}, stream);
      const Ref<Array> coarse = cycle(at + 1, *matmul(*l.restriction, *rest, stream), stream);
      const Ref<Array> correction = matmul(*l.p, *coarse, stream);
      x = apply(op::add, {x.get(), correction.get()}, stream);
    }
    return smoothed(l, b, x.get(), stream);
  }
};

}  // namespace

Ref<LinearOperator> linop_multigrid(const Sparse& a, double strength, Stream* stream) {
  check_square(*linop_of(a), "a");
  if (is_complex(a.dtype())) fail(ARR_E_DTYPE, "argument a: ", name(a.dtype()), ", expected real elements");
  if (!(strength >= 0 && strength <= 1)) {
    fail(ARR_E_ARGUMENT, "argument strength: ", strength, ", expected 0 to 1");
  }
  return make<Multigrid>(a, strength, stream);
}

}  // namespace arr
