// SPDX-License-Identifier: MIT
// Window functions by NumPy's formulas: one program over the numbers 0 .. n-1.
#include "ops/signal/windows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

Ref<Array> window(Window w, int64_t n, double beta, const NewArray& made) {
  if (std::isnan(beta)) fail(ARR_E_ARGUMENT, "argument beta: nan");
  const DType d = type_of(made, DType::float64_, domain_bits("F"), "a float");
  const int64_t count = std::max<int64_t>(n, 0);
  if (count < 2) return full(d, {&count, 1}, Order::C, convert(scalar_of(1.0), d), made.device, made.stream);
  Ref<Array> out = empty(d, {&count, 1}, Order::C, made.device, made.stream);
  const Ref<Array> at = index_vector(n, made.device, made.stream);
  // Coefficients of cos(k pi t), t from -1 to 1, of the windows of Blackman, Hamming and von Hann.
  static constexpr double cosines[][3] = {{}, {0.42, 0.5, 0.08}, {0.54, 0.46, 0}, {0.5, 0.5, 0}};
  const BoundProgram p = program_of({at.get()}, [&](ProgramBuilder& b, const int32_t* in) {
    auto number = [&](double x) { return b.scalar(scalar_of(x), true); };
    const int32_t twice = b.op(op::subtract, b.op(op::multiply, in[0], b.scalar(scalar_of(int64_t{2}), true)),
                               b.scalar(scalar_of(n - 1), true));
    const int32_t t = b.op(op::divide, b.cast(twice, DType::float64_), number(static_cast<double>(n - 1)));
    if (w == Window::bartlett) return b.cast(b.op(op::subtract, number(1), b.op(op::absolute, t)), d);
    if (w == Window::kaiser) {
      const int32_t inside = b.op(op::subtract, number(1), b.op(op::multiply, t, t));
      const int32_t x = b.op(op::multiply, number(beta), b.op(op::sqrt, inside));
      const int32_t peak = b.op(op::i0, b.scalar(scalar_of(beta), false));
      return b.cast(b.op(op::divide, b.op(op::i0, x), peak), d);
    }
    const double* c = cosines[static_cast<size_t>(w)];
    auto cosine = [&](double factor, double turns) {
      return b.op(op::multiply, number(factor),
                  b.op(op::cos, b.op(op::multiply, t, number(turns * std::numbers::pi))));
    };
    int32_t sum = b.op(op::add, number(c[0]), cosine(c[1], 1));
    if (c[2] != 0) sum = b.op(op::add, sum, cosine(c[2], 2));
    return b.cast(sum, d);
  });
  const Array* arrays[1] = {at.get()};
  run_into(*out, p, arrays, made.stream);
  return out;
}

}  // namespace arr
