// SPDX-License-Identifier: MIT
// Products of vectors along an axis, and of stacks of matrices with vectors.
#include <algorithm>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/elementwise/program_cache.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/products.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// conj(x) * y as it is summed: 16-bit floats in float32, integers in 64 bits, bool as the or of ands.
BoundProgram conjugate_product(DType a, DType b, DType acc) {
  ProgramBuilder p;
  int32_t x = p.cast(p.input(a), acc);
  const int32_t y = p.cast(p.input(b), acc);
  if (is_complex(acc)) x = p.op(op::conjugate, x);
  p.output(p.op(op::multiply, x, y));
  return p.finish();
}

Ref<Array> squeezed(const Array& a, int32_t axis) { return a.view(squeeze(a.layout, {&axis, 1}, false)); }

}  // namespace

Ref<Array> sum_of_products(const Array& a, const Array& b, uint32_t axes, DType out, Stream* stream) {
  const ReductionInfo& by = *reduction_info(out == DType::bool_ ? reduction::any : reduction::sum);
  ReduceTypes types = resolve(by, out);
  types.out = out;
  static auto* programs = new ProgramCache;
  const uint64_t key = static_cast<uint64_t>(a.dtype) << 16 | static_cast<uint64_t>(b.dtype) << 8 |
                       static_cast<uint64_t>(types.acc);
  const BoundProgram& p = programs->get(key, [&] { return conjugate_product(a.dtype, b.dtype, types.acc); });
  const Input inputs[2] = {{&a, {}, false}, {&b, {}, false}};
  return map_reduce(by, types, *p.program, inputs, axes, false, stream);
}

Ref<Array> vecdot(const Array& a, const Array& b, int32_t axis, Stream* stream) {
  const int32_t last_a = a.layout.ndim - 1, last_b = b.layout.ndim - 1;
  const Ref<Array> x = move_axis(a, normalize_axis(a.layout.ndim, axis), last_a);
  const Ref<Array> y = move_axis(b, normalize_axis(b.layout.ndim, axis), last_b);
  if (x->layout.shape[last_a] != y->layout.shape[last_b]) {
    fail(ARR_E_SHAPE, "argument b: ", y->layout.shape[last_b], " elements along axis ", axis, ", a has ",
         x->layout.shape[last_a]);
  }
  const int32_t ndim = std::max(a.layout.ndim, b.layout.ndim);
  return renaming({{"x", "a"}, {"y", "b"}}, [&] {
    return sum_of_products(*x, *y, 1U << (ndim - 1), promote(a.dtype, b.dtype), stream);
  });
}

Ref<Array> matvec(const Array& a, const Array& b, Stream* stream) {
  if (a.layout.ndim < 2) fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected (..., m, n)");
  if (b.layout.ndim < 1) fail(ARR_E_SHAPE, "argument b: shape (), expected (..., n)");
  const Ref<Array> columns = renaming({{"axes", "b"}}, [&] { return expand_axis(b, -1); });
  return squeezed(*matmul(a, *columns, stream), -1);
}

Ref<Array> vecmat(const Array& a, const Array& b, Stream* stream) {
  if (a.layout.ndim < 1) fail(ARR_E_SHAPE, "argument a: shape (), expected (..., n)");
  if (b.layout.ndim < 2) fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected (..., n, m)");
  const Ref<Array> x = is_complex(a.dtype) ? apply(op::conjugate, {&a}, stream) : a.share();
  const Ref<Array> rows = renaming({{"axes", "a"}}, [&] { return expand_axis(*x, -2); });
  return squeezed(*matmul(*rows, b, stream), -2);
}

}  // namespace arr
