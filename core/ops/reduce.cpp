// SPDX-License-Identifier: MIT
// Reductions: which axes, what type, what order.
#include "ops/reduce.h"

namespace arr {

namespace {

Layout result_shape(const Layout& in, uint32_t axes, bool keepdims) {
  Layout out;
  for (int32_t i = 0; i < in.ndim; ++i) {
    bool reduced = (axes >> i & 1U) != 0;
    if (reduced && !keepdims) continue;
    out.shape[out.ndim] = reduced ? 1 : in.shape[i];
    out.strides[out.ndim++] = reduced ? 0 : in.strides[i];
  }
  return out;
}

// The call's dimensions: kept axes first, then the reduced ones, each with the strides of the input, of the
// output and of the position that an index reduction reports (row-major over the reduced axes).
struct Space {
  int32_t ndim = 0, nreduced = 0;
  int64_t shape[max_ndim];
  int64_t input[max_ndim], output[max_ndim], position[max_ndim];
};

Space space_of(const Layout& in, const Layout& out, uint32_t axes, bool keepdims) {
  Space s;
  int32_t at = 0;
  for (int32_t i = 0; i < in.ndim; ++i) {
    bool reduced = (axes >> i & 1U) != 0;
    if (!reduced) {
      s.shape[s.ndim] = in.shape[i];
      s.input[s.ndim] = in.strides[i];
      s.output[s.ndim] = out.strides[at];
      s.position[s.ndim++] = 0;
    }
    at += !reduced || keepdims ? 1 : 0;
  }
  int32_t kept = s.ndim;
  int64_t step = 1;
  for (int32_t i = in.ndim; i-- > 0;) {
    if ((axes >> i & 1U) == 0) continue;
    ++s.nreduced;
    int32_t slot = kept + __builtin_popcount(axes & ((1U << i) - 1));
    s.shape[slot] = in.shape[i];
    s.input[slot] = in.strides[i];
    s.output[slot] = 0;
    s.position[slot] = step;
    step *= in.shape[i];
  }
  s.ndim = kept + s.nreduced;
  return s;
}

void enqueue(const ReductionInfo& r, const ReduceTypes& types, const Array& a, const Array& dst,
             uint32_t axes, bool keepdims, const Queue& q) {
  Space s = space_of(a.layout, dst.layout, axes, keepdims);
  const int64_t* strides[3] = {s.input, s.output, s.position};
  Iteration it;
  ReduceCall c;
  // Merging must respect the positions only where they are reported.
  collapse(s.ndim, s.shape, r.kind == ReduceKind::INDEX ? 3 : 2, strides, s.nreduced, &it, &c.nkept);
  Operand in;
  in.data = a.data;
  in.strides = it.strides[0];
  c.reduction = &r;
  c.map = &single_cast(a.dtype, types.acc);
  c.acc = types.acc;
  c.out = dst.dtype;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = &in;
  c.output.data = dst.data;
  c.output.strides = it.strides[1];
  c.index_strides = r.kind == ReduceKind::INDEX ? it.strides[2] + c.nkept : nullptr;
  use(*a.buffer, q);
  use(*dst.buffer, q);
  call(q.backend->reduce, q.index(), &c, q.handle());
}

void check_not_empty(const ReductionInfo& r, const Array& a, uint32_t axes) {
  if (r.empty_ok) return;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    if ((axes >> i & 1U) != 0 && a.layout.shape[i] == 0) {
      fail(ARR_E_SHAPE, "argument a: ", r.name, " over axis ", i, " of shape ", a.layout.text(),
           ", which is empty");
    }
  }
}

}  // namespace

Ref<Array> reduce(const ReductionInfo& r, const Array& a, uint32_t axes, bool keepdims, Stream* stream) {
  ReduceTypes types = resolve(r, a.dtype);
  check_not_empty(r, a, axes);
  Layout shape = result_shape(a.layout, axes, keepdims);
  Ref<Array> out = create(types.out, layout_like(shape, item_size(types.out), Order::K), a.device(), stream);
  if (out->layout.size() != 0) enqueue(r, types, a, *out, axes, keepdims, queue_for(a.device(), stream));
  return out;
}

void reduce_into(const Array& dst, const ReductionInfo& r, const Array& a, uint32_t axes, bool keepdims,
                 Stream* stream) {
  ReduceTypes types = resolve(r, a.dtype);
  check_not_empty(r, a, axes);
  Layout shape = result_shape(a.layout, axes, keepdims);
  if (!dst.layout.same_shape(shape)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ", shape.text());
  }
  check_writable(dst);
  if (!(dst.device() == a.device()) || dst.dtype != types.out || may_share_memory(dst, a)) {
    return assign(dst, *reduce(r, a, axes, keepdims, stream), stream);
  }
  if (dst.layout.size() != 0) enqueue(r, types, a, dst, axes, keepdims, queue_for(a.device(), stream));
}

}  // namespace arr
