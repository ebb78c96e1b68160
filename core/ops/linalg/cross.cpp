// SPDX-License-Identifier: MIT
// Vector products of two or three components.
#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"

namespace arr {

namespace {

// x * y - z * w
BoundProgram determinant(DType a, DType b, DType out) {
  ProgramBuilder p;
  const int32_t x = p.input(a), y = p.input(b), z = p.input(a), w = p.input(b);
  const int32_t left = p.op(op::multiply, x, y), right = p.op(op::multiply, z, w);
  p.output(p.cast(p.op(op::subtract, left, right), out));
  return p.finish();
}

BoundProgram product(DType a, DType b, DType out) {
  ProgramBuilder p;
  const int32_t x = p.input(a), y = p.input(b);
  p.output(p.cast(p.op(op::multiply, x, y), out));
  return p.finish();
}

Ref<Array> vectors(const Array& a, int32_t axis, const char* argument, const char* axis_argument) {
  axis = normalize_axis(a.layout.ndim, axis, axis_argument);
  const int64_t n = a.layout.shape[axis];
  if (n != 2 && n != 3) {
    fail(ARR_E_SHAPE, "argument ", argument, ": ", n, " components along axis ", axis, ", expected 2 or 3");
  }
  return move_axis(a, axis, a.layout.ndim - 1);
}

}  // namespace

Ref<Array> cross(const Array& a, const Array& b, int32_t axisa, int32_t axisb, int32_t axisc,
                 Stream* stream) {
  const Input both[2] = {{&a, {}, false}, {&b, {}, false}};
  const Device device = common_device(both);
  const Ref<Array> x = vectors(a, axisa, "a", "axisa"), y = vectors(b, axisb, "b", "axisb");
  const bool x3 = x->layout.shape[x->layout.ndim - 1] == 3, y3 = y->layout.shape[y->layout.ndim - 1] == 3;
  Ref<Array> u[3], v[3];
  for (int64_t i = 0; i < 3; ++i) {
    if (i < 2 || x3) u[i] = index_axis(*x, -1, i);
    if (i < 2 || y3) v[i] = index_axis(*y, -1, i);
  }
  const DType type = promote(a.dtype, b.dtype);
  if (type == DType::bool_) fail(ARR_E_DTYPE, "argument a: cross is not defined for bool");
  Layout shape;
  broadcast_shapes(u[0]->layout, v[0]->layout, "b", &shape);
  const BoundProgram both_products = determinant(a.dtype, b.dtype, type);
  auto write = [&](const Array& to, int64_t i, int64_t j) {
    const Array* arrays[4] = {u[i].get(), v[j].get(), u[j].get(), v[i].get()};
    run_into(to, both_products, arrays, stream);
  };
  if (!x3 && !y3) {
    Ref<Array> out = empty(type, shape.dims(), Order::C, device, stream);
    write(*out, 0, 1);
    return out;
  }
  if (shape.ndim == max_ndim) fail(ARR_E_SHAPE, "argument a: too many dimensions");
  shape.shape[shape.ndim++] = 3;
  const int32_t to = normalize_axis(shape.ndim, axisc, "axisc");
  Ref<Array> out = empty(type, shape.dims(), Order::C, device, stream);
  Ref<Array> c[3] = {index_axis(*out, -1, 0), index_axis(*out, -1, 1), index_axis(*out, -1, 2)};
  if (x3 && y3) {
    write(*c[0], 1, 2);
    write(*c[1], 2, 0);
  } else {
    // One operand has third component 0: the remaining terms of the first two rows.
    const BoundProgram one = product(a.dtype, b.dtype, type);
    const Array* first[2] = {y3 ? u[1].get() : u[2].get(), y3 ? v[2].get() : v[1].get()};
    const Array* second[2] = {y3 ? u[0].get() : u[2].get(), y3 ? v[2].get() : v[0].get()};
    run_into(*c[0], one, first, stream);
    run_into(*c[1], one, second, stream);
    const Array& minus = y3 ? *c[1] : *c[0];
    const Input in = {&minus, {}, false};
    elementwise_into(minus, *op_info(op::negative), {&in, 1}, stream);
  }
  write(*c[2], 0, 1);
  return move_axis(*out, out->layout.ndim - 1, to);
}

}  // namespace arr
