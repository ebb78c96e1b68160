// SPDX-License-Identifier: MIT
// Differences of neighbours.
#include <algorithm>
#include <vector>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/elementwise/promotion.h"

namespace arr {

namespace {

// Differences up to this order take one pass; higher orders are differences of these.
constexpr int32_t max_fused = 4;

// The n-th difference of n + 1 neighbours, computed like NumPy's as differences of differences.
BoundProgram difference(DType dtype, int32_t n) {
  const int32_t by = dtype == DType::bool_ ? op::not_equal : op::subtract;
  ProgramBuilder b;
  std::vector<int32_t> values;
  for (int32_t i = 0; i <= n; ++i) values.push_back(b.input(dtype));
  for (; values.size() > 1; values.pop_back()) {
    for (size_t i = 0; i + 1 < values.size(); ++i) values[i] = b.op(by, values[i + 1], values[i]);
  }
  b.output(values[0]);
  return b.finish();
}

Ref<Array> step(const Array& a, int32_t n, int32_t axis, Stream* stream) {
  const int64_t count = a.layout.shape[axis] - n;
  std::vector<Ref<Array>> parts;
  std::vector<const Array*> arrays;
  for (int32_t i = 0; i <= n; ++i) {
    parts.push_back(slice_axis(a, axis, i, i + count));
    arrays.push_back(parts.back().get());
  }
  return run(difference(a.dtype, n), arrays, stream);
}

// The array to prepend or append: of the other's shape except along the axis, or one element for all.
Ref<Array> edge(const Array& e, const Array& a, int32_t axis, const char* argument) {
  Layout shape = a.layout;
  shape.shape[axis] = e.layout.ndim == 0 ? 1 : axis < e.layout.ndim ? e.layout.shape[axis] : 0;
  if (e.layout.ndim == 0) return e.view(broadcast_to(e.layout, shape.dims()));
  if (!e.layout.same_shape(shape)) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", e.layout.text(), " beside ", a.layout.text(),
         " along axis ", axis);
  }
  return e.share();
}

Ref<Array> joined(std::span<const Array* const> parts, int32_t axis, Stream* stream) {
  Layout shape = parts[0]->layout;
  const DType dtype = common_type(parts);
  std::vector<Input> inputs;
  shape.shape[axis] = 0;
  for (const Array* p : parts) {
    shape.shape[axis] = checked::add(shape.shape[axis], p->layout.shape[axis], "argument axis: the extent");
    inputs.push_back({p, {}, false});
  }
  Ref<Array> out =
      create(dtype, layout_like(shape, item_size(dtype), Order::K), common_device(inputs), stream);
  int64_t at = 0;
  for (const Array* p : parts) {
    const int64_t end = at + p->layout.shape[axis];
    if (p->layout.size() != 0) assign(*slice_axis(*out, axis, at, end), *p, stream);
    at = end;
  }
  return out;
}

}  // namespace

Ref<Array> diff(const Array& a, int32_t n, int32_t axis, const Array* prepend, const Array* append,
                Stream* stream) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 0 or more");
  axis = normalize_axis(a.layout.ndim, axis);
  if (n == 0) return a.share();
  Ref<Array> x = a.share(), front, back;
  if (prepend != nullptr || append != nullptr) {
    std::vector<const Array*> parts;
    if (prepend != nullptr) parts.push_back((front = edge(*prepend, a, axis, "prepend")).get());
    parts.push_back(&a);
    if (append != nullptr) parts.push_back((back = edge(*append, a, axis, "append")).get());
    x = joined(parts, axis, stream);
  }
  n = static_cast<int32_t>(std::min<int64_t>(n, x->layout.shape[axis]));
  if (n == 0) return x;
  if (n == x->layout.shape[axis]) {
    Layout shape = x->layout;
    shape.shape[axis] = 0;
    return create(x->dtype, layout_like(shape, x->item(), Order::K), x->device(), stream);
  }
  while (n > 0) {
    const int32_t now = std::min(n, max_fused);
    x = step(*x, now, axis, stream);
    n -= now;
  }
  return x;
}

Ref<Array> ediff1d(const Array& a, const Array* to_begin, const Array* to_end, Stream* stream) {
  Ref<Array> flat = ravel(a, stream);
  const int64_t inner = std::max<int64_t>(flat->layout.shape[0] - 1, 0);
  int64_t size = inner;
  for (const Array* e : {to_begin, to_end}) {
    if (e == nullptr) continue;
    if (!can_cast(e->dtype, a.dtype, Casting::same_kind)) {
      fail(ARR_E_DTYPE, "argument ", e == to_begin ? "to_begin" : "to_end", ": ", name(e->dtype),
           " does not cast to ", name(a.dtype), " with the same_kind rule");
    }
    size = checked::add(size, e->layout.size(), "the result's extent");
  }
  Ref<Array> out = empty(a.dtype, {&size, 1}, Order::C, a.device(), stream);
  int64_t at = 0;
  if (to_begin != nullptr) {
    at = to_begin->layout.size();
    assign(*slice_axis(*out, 0, 0, at), *ravel(*to_begin, stream), stream);
  }
  const Ref<Array> high = slice_axis(*flat, 0, 1, inner + 1), low = slice_axis(*flat, 0, 0, inner);
  const Input inputs[2] = {{high.get(), {}, false}, {low.get(), {}, false}};
  renaming({{"x", "a"}}, [&] {
    elementwise_into(*slice_axis(*out, 0, at, at + inner), *op_info(op::subtract), inputs, stream);
  });
  if (to_end != nullptr) assign(*slice_axis(*out, 0, at + inner, size), *ravel(*to_end, stream), stream);
  return out;
}

}  // namespace arr
