// SPDX-License-Identifier: MIT
// Tridiagonal equations along any axis: the operands as vectors in their last dimension, which is a view.
#include <algorithm>
#include <array>

#include "ops/linalg/banded.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

constexpr size_t operands = 4;
constexpr std::array<const char*, operands> names = {"lower", "diagonal", "upper", "b"};

class Systems {
 public:
  Systems(const TridiagonalSystem& given, int32_t axis, Stream* stream)
      : given_{&given.lower, &given.diagonal, &given.upper, &given.b}, stream_(stream) {
    common_device(std::array{Input{given_[0], {}, false}, Input{given_[1], {}, false},
                             Input{given_[2], {}, false}, Input{given_[3], {}, false}});
    for (size_t i = 0; i < operands; ++i) {
      const Array& a = *given_[i];
      if (a.layout.ndim == 0)
        fail(ARR_E_SHAPE, "argument ", names[i], ": shape (), expected 1 dimension or more");
      const DType d = lapack_type(a.dtype, names[i]);
      dtype = i == 0 ? d : promote(dtype, d);
      ndim_ = std::max(ndim_, a.layout.ndim);
    }
    axis_ = normalize_axis(ndim_, axis);
    for (size_t i = 0; i < operands; ++i) {
      vectors_[i] = last_axis(*as_type(*given_[i], dtype, stream));
    }
    check();
  }

  // The result in b's memory order, if it has b's shape.
  Ref<Array> result() const {
    Layout l = all_;
    l.ndim = ndim_;
    std::copy_backward(l.shape + axis_, l.shape + ndim_ - 1, l.shape + ndim_);
    l.shape[axis_] = n;
    const Array& b = *given_[3];
    const Order order = l.same_shape(b.layout) ? Order::K : Order::C;
    return create(dtype,
                  order == Order::K ? layout_like(b.layout, item_size(dtype), Order::K)
                                    : Layout::contiguous(l.dims(), item_size(dtype), Order::C),
                  b.device(), stream_);
  }

  // Enqueues the call, whose dimensions are sorted and merged.
  void run(const Array& x, const Array& info) const {
    constexpr size_t all = operands + 2;
    const Ref<Array> moved = move_axis(x, axis_, ndim_ - 1);
    Layout shape = all_;
    shape.shape[shape.ndim++] = n;
    Layout placed[all];
    const int64_t* strides[all];
    const Array* arrays[all] = {moved.get(),       vectors_[0].get(), vectors_[1].get(),
                                vectors_[2].get(), vectors_[3].get(), &info};
    for (size_t i = 0; i < all; ++i) {
      placed[i] = arrays[i]->layout;
      // The off-diagonals have one element less, which is not read.
      if (i == all - 1) placed[i].strides[placed[i].ndim++] = 0;
      placed[i].shape[placed[i].ndim - 1] = n;
      placed[i] = broadcast_to(placed[i], shape.dims());
      strides[i] = placed[i].strides;
    }
    Iteration it;
    int32_t batches = 0;
    collapse(shape.ndim, shape.shape, static_cast<int32_t>(all), strides, 1, &it, &batches);
    TridiagonalCall c;
    c.dtype = dtype;
    c.n = n;
    c.nbatch = batches;
    c.batch_shape = it.shape;
    TridiagonalCall::Vectors* vectors[all] = {&c.x, &c.lower, &c.diagonal, &c.upper, &c.b, &c.info};
    const Queue q = queue_for(x.device(), stream_);
    for (size_t i = 0; i < all; ++i) {
      *vectors[i] = {arrays[i]->data, n == 1 ? 0 : it.strides[i][batches], it.strides[i]};
      if (i > 0 && i < all - 1) use_to_read(*arrays[i]->buffer, q);
    }
    use(*x.buffer, q);
    use(*info.buffer, q);
    enqueue(q, api<LinalgApi>(q).tridiagonal, c);
  }

  DType dtype = DType::none;
  int64_t n = 0;
  [[nodiscard]] Shape batch() const { return {all_.shape, static_cast<size_t>(all_.ndim)}; }
  [[nodiscard]] Ref<Array> moved(const Array& x) const { return move_axis(x, axis_, ndim_ - 1); }

 private:
  // An operand with all dimensions, the axis last.
  [[nodiscard]] Ref<Array> last_axis(const Array& a) const {
    const int32_t own = a.layout.ndim;
    if (own == 1) return move_axis(*broadcastable_vector(a, ndim_, axis_), axis_, ndim_ - 1);
    int32_t added[max_ndim];
    for (int32_t i = 0; i < ndim_ - own; ++i) added[i] = i;
    const Layout whole =
        own == ndim_ ? a.layout : expand_dims(a.layout, {added, static_cast<size_t>(ndim_ - own)}, a.item());
    return move_axis(*a.view(whole), axis_, ndim_ - 1);
  }

  void check() {
    n = vectors_[1]->layout.shape[ndim_ - 1];
    for (size_t i = 0; i < operands; ++i) {
      const int64_t expected = i == 0 || i == 2 ? std::max<int64_t>(n - 1, 0) : n,
                    got = vectors_[i]->layout.shape[ndim_ - 1];
      if (got != expected) {
        fail(ARR_E_SHAPE, "argument ", names[i], ": ", got, " elements along axis ", axis_, ", expected ",
             expected, " for the ", n, " of argument diagonal");
      }
      Layout batch = vectors_[i]->layout;
      --batch.ndim;
      if (i == 0) {
        all_ = batch;
      } else {
        const Layout before = all_;
        broadcast_shapes(before, batch, names[i], &all_);
      }
    }
  }

  std::array<const Array*, operands> given_;
  Stream* stream_;
  int32_t ndim_ = 0, axis_ = 0;
  std::array<Ref<Array>, operands> vectors_;
  Layout all_;  // the shape of the stack of systems
};

}  // namespace

Ref<Array> solve_tridiagonal(const TridiagonalSystem& given, int32_t axis, OnFailure how, Stream* stream) {
  const Systems s(given, axis, stream);
  Ref<Array> x = s.result();
  if (x->layout.size() == 0) return x;
  const Ref<Array> info = empty(DType::int32_, s.batch(), Order::C, x->device(), stream);
  s.run(*x, *info);
  const Ref<Array> moved = s.moved(*x);
  handle_failures(*info, LinalgKind::solve, how, "diagonal", {moved.get()}, stream);
  return x;
}

}  // namespace arr
