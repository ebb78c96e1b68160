// SPDX-License-Identifier: MIT
// reduce, accumulate and reduceat from left to right.
#include "ops/reduce/ordered.h"

#include <algorithm>
#include <vector>

#include "backend/reduce.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The dtype of a step's operands and result, to which elements are cast first.
DType step_type(const OpInfo& op, DType in, DType asked, const char* argument) {
  const DType d = asked == DType::none ? in : asked;
  const OperandType both[2] = {{d, false}, {d, false}};
  const Signature s = resolve(op, both);
  if (s.operand != s.result || (asked != DType::none && s.result != asked)) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", op.name, " of ", name(d), " returns ", name(s.result),
         ", expected the type of its operands");
  }
  return s.result;
}

const Program& step_of(const OpInfo& op, DType d, bool masked) {
  const DType both[2] = {d, d};
  if (!masked) return single_op(op, both, d);
  ProgramBuilder b;
  const int32_t so_far = b.input(d), x = b.input(d), counts = b.input(DType::bool_);
  const int32_t args[2] = {so_far, x};
  b.output(b.cast(b.op(op::where, counts, b.op(op.number, args), so_far), d));
  return *b.finish().program;
}

SegmentsCall call_of(const OpInfo& op, DType d, bool masked) {
  SegmentsCall c;
  c.step = &step_of(op, d, masked);
  c.acc = c.out = d;
  return c;
}

// The axis of a reduction; a 0-dimensional array gets an axis of one element.
struct OneAxis {
  Layout layout;
  int32_t axis = 0;
};
OneAxis one_axis(const OpInfo& op, const Array& a, uint32_t axes) {
  OneAxis o{a.layout, 0};
  if (__builtin_popcount(axes) > 1) {
    fail(ARR_E_ARGUMENT, "argument axes: ", __builtin_popcount(axes), " axes, ", op.name,
         " depends on the order of the elements and reduces at most one");
  }
  if (axes != 0) {
    o.axis = __builtin_ctz(axes);
    return o;
  }
  if (o.layout.ndim == max_ndim)
    fail(ARR_E_UNSUPPORTED, "argument axes: no axis of an array with ", max_ndim, " dimensions");
  o.axis = o.layout.ndim++;
  o.layout.shape[o.axis] = 1;
  o.layout.strides[o.axis] = item_size(a.dtype);
  return o;
}

void check_options(const OpInfo& op, const Array& a, const ReduceOptions& o) {
  if (o.where == nullptr) return;
  if (kind(o.where->dtype) != DKind::BOOL) {
    fail(ARR_E_DTYPE, "argument options: where is ", name(o.where->dtype), ", expected bool");
  }
  if (!broadcasts_to(o.where->layout, a.layout)) {
    fail(ARR_E_SHAPE, "argument options: where of shape ", o.where->layout.text(),
         " does not broadcast to shape ", a.layout.text());
  }
  if (o.initial.dtype == DType::none) {
    fail(ARR_E_ARGUMENT, "argument options: ", op.name, " has no identity, so where needs an initial value");
  }
}

Layout without_axis(const Layout& l, int32_t axis) {
  Layout r = l;
  std::copy(l.shape + axis + 1, l.shape + l.ndim, r.shape + axis);
  std::copy(l.strides + axis + 1, l.strides + l.ndim, r.strides + axis);
  --r.ndim;
  return r;
}

Layout with_extent(const Layout& l, int32_t axis, int64_t extent) {
  Layout r = l;
  r.shape[axis] = extent;
  return r;
}

}  // namespace

void enqueue_segments(SegmentsCall c, const Array& in, int32_t axis, const Array* bounds, const Array* mask,
                      const Array& out, Stream* stream) {
  const Layout& l = in.layout;
  int64_t shape[max_ndim], rows[3][max_ndim], counts[max_ndim] = {};
  if (mask != nullptr) broadcast_strides(mask->layout, l, counts);
  // Merges the other axes, slowest first; the reduced axis comes last.
  int32_t n = 0;
  for (int32_t i = 0; i < l.ndim; ++i) {
    if (i == axis) continue;
    shape[n] = l.shape[i];
    rows[0][n] = l.strides[i];
    rows[1][n] = out.layout.strides[i];
    rows[2][n++] = counts[i];
  }
  const int64_t* strides[3] = {rows[0], rows[1], rows[2]};
  Iteration it;
  collapse(n, shape, 3, strides, 0, &it, nullptr);
  it.shape[it.ndim] = l.shape[axis];
  it.strides[0][it.ndim] = l.strides[axis];
  it.strides[1][it.ndim] = out.layout.strides[axis];
  it.strides[2][it.ndim++] = counts[axis];
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.input = {in.data, it.strides[0], {}};
  c.output = {out.data, it.strides[1], {}};
  const Queue q = queue_for(in.device(), stream);
  use_to_read(*in.buffer, q);
  if (bounds != nullptr) {
    c.bounds = reinterpret_cast<const int64_t*>(bounds->data);
    use_to_read(*bounds->buffer, q);
  }
  if (mask != nullptr) {
    c.mask = {mask->data, it.strides[2], {}};
    use_to_read(*mask->buffer, q);
  }
  use(*out.buffer, q);
  enqueue(q, api<ReduceApi>(q).segments, c);
}

Ref<Array> slice_bounds(std::span<const int64_t> indices, int64_t extent, Device device, SegmentsCall* c,
                        Stream* stream) {
  std::vector<int64_t> bounds;
  bounds.reserve(2 * indices.size());
  c->count = static_cast<int64_t>(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t end = i + 1 < indices.size() ? indices[i + 1] : extent;
    bounds.insert(bounds.end(), {indices[i], std::max(end, indices[i] + 1)});
    c->elements += bounds.back() - indices[i];
  }
  return upload(bounds, DType::int64_, device, stream);
}

bool is_order_dependent(const OpInfo& op) noexcept {
  const std::span<const OpInfo> known = all_ops();  // excludes ops that only programs use
  const bool own = &op >= known.data() && &op < known.data() + known.size();
  return own && op.nin == 2 && reducer_of(op) == nullptr;
}

Ref<Array> ordered_reduce(const OpInfo& op, const Array& a, uint32_t axes, bool keepdims,
                          const ReduceOptions& options, Stream* stream) {
  const DType d = step_type(op, a.dtype, options.dtype, options.dtype == DType::none ? "a" : "options");
  check_options(op, a, options);
  const OneAxis space = one_axis(op, a, axes);
  const int64_t extent = space.layout.shape[space.axis];
  const bool begins = options.initial.dtype != DType::none;
  if (extent == 0 && !begins) {
    fail(ARR_E_SHAPE, "argument a: ", op.name, " over axis ", space.axis, " of shape ", a.layout.text(),
         ", which is empty");
  }
  const Layout shape = with_extent(space.layout, space.axis, 1);
  const Layout kept = keepdims && axes != 0 ? shape : without_axis(shape, space.axis);
  Ref<Array> out = create(d, layout_like(kept, item_size(d), Order::K), a.device(), stream);
  if (out->layout.size() == 0) return out;
  if (extent == 0) {
    fill(*out, initial_as(options, d), stream);
    return out;
  }
  const Ref<Array> x = as_type(*a.view(space.layout), d, stream);
  Layout to = with_extent(space.layout, space.axis, 1);
  for (int32_t i = 0, at = 0; i < to.ndim; ++i) {
    const bool reduced = i == space.axis;
    to.strides[i] = reduced ? 0 : out->layout.strides[at];
    at += !reduced || (keepdims && axes != 0) ? 1 : 0;
  }
  SegmentsCall c = call_of(op, d, options.where != nullptr);
  c.count = 1;
  c.elements = extent;
  if (begins) c.initial = initial_as(options, d);
  Ref<Array> mask;
  if (options.where != nullptr) {
    Layout m = options.where->layout;
    if (axes == 0) {
      m.shape[m.ndim] = 1;
      m.strides[m.ndim++] = 1;
    }
    mask = options.where->view(m);
  }
  enqueue_segments(c, *x, space.axis, nullptr, mask.get(), *out->view(to), stream);
  return out;
}

Ref<Array> ordered_accumulate(const OpInfo& op, const Array& a, int32_t axis, DType dtype, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  const DType d = step_type(op, a.dtype, dtype, dtype == DType::none ? "a" : "dtype");
  const Ref<Array> x = as_type(a, d, stream);
  Ref<Array> out = create(d, layout_like(a.layout, item_size(d), Order::K), a.device(), stream);
  if (out->layout.size() == 0) return out;
  SegmentsCall c = call_of(op, d, false);
  c.count = 1;
  c.elements = a.layout.shape[axis];
  c.running = true;
  enqueue_segments(c, *x, axis, nullptr, nullptr, *out, stream);
  return out;
}

Ref<Array> ordered_reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                            DType dtype, Stream* stream) {
  const DType d = step_type(op, a.dtype, dtype, dtype == DType::none ? "a" : "dtype");
  const Layout shape = with_extent(a.layout, axis, static_cast<int64_t>(indices.size()));
  Ref<Array> out = create(d, layout_like(shape, item_size(d), Order::K), a.device(), stream);
  if (out->layout.size() == 0) return out;
  SegmentsCall c = call_of(op, d, false);
  const Ref<Array> x = as_type(a, d, stream);
  const Ref<Array> bounds = slice_bounds(indices, a.layout.shape[axis], a.device(), &c, stream);
  enqueue_segments(c, *x, axis, bounds.get(), nullptr, *out, stream);
  return out;
}

}  // namespace arr
