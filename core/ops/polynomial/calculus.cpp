// SPDX-License-Identifier: MIT
// Derivatives, integrals, quotients and powers of polynomials, the highest power first.
#include <algorithm>

#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/polynomial/polynomial.h"

namespace arr {

namespace {

// Number of factors or divisors in one pass over the coefficients.
constexpr int64_t at_once = 8;

int64_t line(const Array& p, int64_t m) {
  if (p.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument p: shape ", p.layout.text(), ", expected one dimension");
  if (m < 0) fail(ARR_E_ARGUMENT, "argument m: ", m, " is negative");
  return p.layout.shape[0];
}

int32_t whole(ProgramBuilder& b, int64_t n) { return b.scalar(scalar_of(n), true); }

Ref<Array> zeros(DType d, int64_t n, Device device, Stream* stream) {
  return full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), d), device, stream);
}

// The constants of m integrations: m of them, one for all, or none.
void put_constants(const Array& to, const Array* k, DType d, Stream* stream) {
  const int64_t m = to.layout.shape[0];
  if (k == nullptr) return fill(to, convert(scalar_of(int64_t{0}), d), stream);
  if (k->layout.ndim == 0 || k->layout.shape[0] == 1) return assign(to, *k, stream);
  assign(to, *slice_axis(*k, 0, 0, m), stream);
}

void check_constants(const Array& p, const Array* k, int64_t m) {
  if (k == nullptr) return;
  const Input both[2] = {{&p, {}, false}, {k, {}, false}};
  common_device(both);
  const Layout& l = k->layout;
  if (l.ndim == 0 || (l.ndim == 1 && (l.shape[0] == 1 || l.shape[0] >= m))) return;
  fail(ARR_E_SHAPE, "argument k: shape ", l.text(), ", expected one constant, or ", m, " or more");
}

}  // namespace

Ref<Array> polyder(const Array& p, int64_t m, Stream* stream) {
  const int64_t n = line(p, m), kept = std::max<int64_t>(n - m, 0);
  if (m == 0) return copy(p, Order::C, stream);
  const DType d = promote(p.dtype, DType::int64_);
  if (kept == 0) return zeros(d, 0, p.device(), stream);
  // The power of each remaining coefficient.
  const Ref<Array> powers = reversed(*slice_axis(*iota(n, p.device(), stream), 0, m, n), 0);
  Ref<Array> value = slice_axis(p, 0, 0, kept);
  for (int64_t j = 0; j < m; j += at_once) {
    value = compute({value.get(), powers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      int32_t v = b.cast(in[0], d);
      for (int64_t k = j; k < std::min(m, j + at_once); ++k)
        v = b.op(op::multiply, v, b.cast(b.op(op::subtract, in[1], whole(b, k)), d));
      return b.cast(v, d);
    });
  }
  return value;
}

Ref<Array> polyint(const Array& p, int64_t m, const Array* k, Stream* stream) {
  const int64_t n = line(p, m);
  check_constants(p, k, m);
  if (m == 0) return copy(p, Order::C, stream);
  const bool complex = is_complex(p.dtype) || (k != nullptr && is_complex(k->dtype));
  const DType d = complex ? DType::complex128_ : DType::float64_;
  const int64_t size = checked::add(n, m, "the number of coefficients");
  Ref<Array> out = empty(d, {&size, 1}, Order::C, p.device(), stream);
  assign(*slice_axis(*out, 0, 0, n), p, stream);
  put_constants(*slice_axis(*out, 0, n, size), k, d, stream);
  // Integration j divides the coefficients so far by power + 1. For later ones the difference is 0 or less.
  const Ref<Array> powers = reversed(*index_vector(size, p.device(), stream), 0);
  const Array* arrays[2] = {out.get(), powers.get()};
  for (int64_t j = 0; j < m; j += at_once) {
    const BoundProgram all = program_of({out.get(), powers.get()}, [&](ProgramBuilder& b, const int32_t* in) {
      int32_t v = in[0];
      for (int64_t i = j; i < std::min(m, j + at_once); ++i) {
        const int32_t power = b.op(op::subtract, in[1], whole(b, m - 1 - i));
        v = b.op(op::divide, v, b.cast(b.op(op::maximum, power, whole(b, 1)), d));
      }
      return v;
    });
    run_into(*out, all, arrays, stream);
  }
  return out;
}

Ref<Array> without_leading_zeros(const Array& p, Stream* stream) {
  const int64_t n = line(p, 0), first = edge_above(p, 0, false, stream);
  return slice_axis(p, 0, first < 0 ? std::max<int64_t>(n - 1, 0) : first, n);
}

int64_t polynomial_degree(const Array& p, Stream* stream) {
  const int64_t n = line(p, 0), first = edge_above(p, 0, false, stream);
  return first < 0 ? 0 : n - 1 - first;
}

PolynomialQuotient polydiv(const Array& u, const Array& v, Stream* stream) {
  check_coefficients(u, "u");
  check_coefficients(v, "v");
  const Input both[2] = {{&u, {}, false}, {&v, {}, false}};
  common_device(both);
  const DType d = promote(inexact_type(u.dtype), inexact_type(v.dtype));
  const int64_t first = edge_above(v, 0, false, stream);
  if (first < 0) fail(ARR_E_ARGUMENT, "argument v: nothing but zeros, expected a coefficient that is not 0");
  const Ref<Array> divisor = as_type(*slice_axis(v, 0, first, v.layout.shape[0]), d, stream);
  const int64_t m = u.layout.shape[0] - 1, n = divisor->layout.shape[0] - 1;
  Ref<Array> left = astype(u, d, Casting::unsafe, Order::C, stream);
  PolynomialQuotient out;
  out.quotient = zeros(d, std::max<int64_t>(m - n, 0) + 1, u.device(), stream);
  const Ref<Array> scale = apply(op::reciprocal, {slice_axis(*divisor, 0, 0, 1).get()}, stream);
  const Array *one = scale.get(), *row = divisor.get();
  const BoundProgram divide = program_of({one, one}, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::multiply, in[0], in[1]), d);
  });
  const BoundProgram reduce = program_of({row, one, row}, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::subtract, in[0], b.op(op::multiply, in[1], in[2])), d);
  });
  for (int64_t k = 0; k <= m - n; ++k) {
    const Ref<Array> term = slice_axis(*out.quotient, 0, k, k + 1), head = slice_axis(*left, 0, k, k + 1),
                     window = slice_axis(*left, 0, k, k + n + 1);
    const Array* factors[2] = {one, head.get()};
    run_into(*term, divide, factors, stream);
    const Array* arrays[3] = {window.get(), term.get(), row};
    run_into(*window, reduce, arrays, stream);
  }
  if (n == 0) {
    out.remainder = zeros(d, 1, u.device(), stream);
    return out;
  }
  // NumPy's limit below which leading coefficients are 0.
  if (m >= n) left = slice_axis(*left, 0, m - n + 1, m + 1);
  const int64_t size = left->layout.shape[0], start = edge_above(*left, 1e-8, false, stream);
  out.remainder = copy(*slice_axis(*left, 0, start < 0 ? size - 1 : start, size), Order::C, stream);
  return out;
}

// The direct product takes quadratic time: about a second for this many coefficients.
constexpr int64_t max_coefficients = int64_t{1} << 17;

Ref<Array> polypow(const Array& p, int64_t n, Stream* stream) {
  check_coefficients(p, "p");
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
  const int64_t one = 1;
  Ref<Array> out =
      full(p.dtype, {&one, 1}, Order::C, convert(scalar_of(int64_t{1}), p.dtype), p.device(), stream);
  Ref<Array> square = without_leading_zeros(p, stream);
  const int64_t degree = checked::mul(n, square->layout.shape[0] - 1, "the degree of the power");
  if (degree >= max_coefficients) {
    fail(ARR_E_SHAPE, "argument n: the power ", n, " has ", degree, " + 1 coefficients, at most ",
         max_coefficients);
  }
  bool plain = true;
  for (int64_t rest = n; rest > 0; rest >>= 1) {
    if ((rest & 1) != 0) {
      out = plain ? copy(*square, Order::C, stream) : convolve(*out, *square, ConvolveMode::full, stream);
      plain = false;
    }
    if (rest > 1) square = convolve(*square, *square, ConvolveMode::full, stream);
  }
  return out;
}

}  // namespace arr
