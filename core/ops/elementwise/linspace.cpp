// SPDX-License-Identifier: MIT
// Evenly spaced numbers between the elements of two arrays.
#include <array>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// The array over a shape, with a new axis.
Ref<Array> spread(const Array& a, const Layout& shape, int32_t axis) {
  const Layout whole = broadcast_to(a.layout, shape.dims());
  return a.view(expand_dims(whole, {&axis, 1}, a.item()));
}

}  // namespace

Ref<Array> linspace(const Array& start, const Array& stop, const Spacing& by, int32_t axis, DType dtype,
                    Stream* stream) {
  if (by.count < 0) fail(ARR_E_ARGUMENT, "argument count: ", by.count, " is negative");
  if (by.count > max_iota) fail(ARR_E_SHAPE, "argument count: ", by.count, " elements are too many");
  const Device device = common_device(std::array{Input{&start, {}, false}, Input{&stop, {}, false}});
  Layout shape;
  broadcast_shapes(start.layout, stop.layout, "stop", &shape);
  const int32_t ndim = shape.ndim + 1;
  if (ndim > max_ndim) fail(ARR_E_SHAPE, "argument start: too many dimensions");
  axis = normalize_axis(ndim, axis);
  const DType d = inexact_type(promote(start.dtype, stop.dtype)), real = real_type(d);
  if (dtype == DType::none) dtype = d;
  if (is_complex(d) && !is_complex(dtype)) {
    fail(ARR_E_DTYPE, "argument dtype: ", name(dtype), ", expected a complex type for ", name(d));
  }
  const auto gaps = static_cast<double>(by.endpoint ? by.count - 1 : by.count);
  const Ref<Array> first = spread(start, shape, axis), last = spread(stop, shape, axis);
  const Ref<Array> numbers = broadcastable_vector(*index_vector(by.count, device, stream), ndim, axis);
  return compute({first.get(), last.get(), numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t from = b.cast(in[0], d), to = b.cast(in[1], d), i = b.cast(in[2], real);
    const int32_t delta = b.op(op::subtract, to, from);
    int32_t along = b.op(op::multiply, i, delta);
    if (gaps > 0) {
      // As NumPy does where the step underflows.
      const int32_t step = b.op(op::divide, delta, number(b, gaps)),
                    share = b.op(op::divide, i, number(b, gaps));
      along = b.op(op::where, b.op(op::equal, step, number(b, 0)), b.op(op::multiply, share, delta),
                   b.op(op::multiply, i, step));
    }
    int32_t x = b.op(op::add, from, along);
    if (by.endpoint && by.count > 1)
      x = b.op(op::where, b.op(op::equal, in[2], integer(b, by.count - 1)), to, x);
    if (is_integer(dtype)) x = b.op(op::floor, x);  // rounded down
    return b.cast(x, dtype);
  });
}

}  // namespace arr
