// SPDX-License-Identifier: MIT
// Golub and Kahan's vectors on the device; their sizes are read in each step.
#include "ops/iterative/bidiagonal.h"
#include "expr/op_numbers.h"

#include <cmath>

namespace arr {

Bidiagonal::Bidiagonal(const LinearOperator& a, const Array& right, const LsqrOptions& options, Stream* s)
    : Vectors(promote(solver_type(a.dtype), solver_type(right.dtype)), a.device, s, a.comm()),
      m(a.extents.rows),
      n(a.extents.columns),
      whole(a.whole()) {
  agree({{"the dtype of b", static_cast<int64_t>(dtype)},
         common("argument options: damp", options.damp),
         common("argument options: atol", options.atol),
         common("argument options: btol", options.btol),
         common("argument options: conlim", options.conlim),
         {"argument options: maxiter", options.maxiter},
         {"argument options: having x0", options.x0 != nullptr ? 1 : 0}},
        options.callback, [&] { check(a, right, options); });
  a_ = a.in_type(dtype, stream);
  x = options.x0 == nullptr ? zeros(n) : copy(*options.x0);
  Ref<Array> r = copy(right);
  b_norm = read(*norm(*r));
  if (options.x0 != nullptr) {
    r = map({r.get(), times(plain_mode, *x).get()},
            [](ProgramBuilder& b, const int32_t* in) { return b.op(op::subtract, in[0], in[1]); });
  }
  u = unit(std::move(r), &beta);
  if (beta > 0) v = unit(times(adjoint_mode, *u), &alfa);
}

void Bidiagonal::check(const LinearOperator& a, const Array& right, const LsqrOptions& options) const {
  check_vector(right, m, device, "b:");
  if (options.x0 != nullptr) check_vector(*options.x0, n, device, "options: x0 has");
  if (!a.has_adjoint())
    fail(ARR_E_UNSUPPORTED, "argument a: the operator has no function rmatvec, hence no adjoint");
}

Ref<Array> Bidiagonal::times(const Mode& mode, const Array& y) const {
  return as_type(*a_->times(mode, y, stream), dtype, stream);
}

Ref<Array> Bidiagonal::unit(Ref<Array> y, double* size) const {
  *size = read(*norm(*y));
  if (!(*size > 0)) return y;
  return map({y.get(), number(1 / *size).get()},
             [](ProgramBuilder& b, const int32_t* in) { return b.op(op::multiply, in[0], in[1]); });
}

void Bidiagonal::advance() {
  const auto next = [&](const Ref<Array>& product, const Array& last, double size) {
    return map({product.get(), &last, number(size).get()}, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, in[0], b.op(op::multiply, in[2], in[1]));
    });
  };
  u = unit(next(times(plain_mode, *v), *u, alfa), &beta);
  if (beta > 0) v = unit(next(times(adjoint_mode, *u), *v, beta), &alfa);
}

Turn turn(double a, double b) {
  const auto sign = [](double x) { return x == 0 ? 0.0 : std::copysign(1.0, x); };
  if (b == 0) return {sign(a), 0, std::abs(a)};
  if (a == 0) return {0, sign(b), std::abs(b)};
  if (std::abs(b) > std::abs(a)) {
    const double tau = a / b, s = sign(b) / std::sqrt(1 + tau * tau);
    return {s * tau, s, b / s};
  }
  const double tau = b / a, c = sign(a) / std::sqrt(1 + tau * tau);
  return {c, c * tau, a / c};
}

int64_t stop_by(const Tests& t, const LsqrOptions& options, bool last) {
  if (t.test1 <= t.rtol) return 1;
  if (t.test2 <= options.atol) return 2;
  if (options.conlim > 0 && t.test3 <= 1 / options.conlim) return 3;
  if (1 + t.t1 <= 1) return 4;
  if (1 + t.test2 <= 1) return 5;
  if (1 + t.test3 <= 1) return 6;
  return last || !std::isfinite(t.test1) ? 7 : 0;
}

}  // namespace arr
