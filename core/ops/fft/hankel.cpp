// SPDX-License-Identifier: MIT
// Hankel transforms of samples at logarithmic distances: a convolution in the logarithm, that is, a product
// between two Fourier transforms. A. J. S. Hamilton: Uncorrelated modes of the nonlinear power spectrum;
// 2000.
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/fft/prepare.h"

namespace arr {

namespace {

using Complex = std::complex<double>;
using std::numbers::ln2;
using std::numbers::pi;

// log of the gamma function up to multiples of 2 pi i: Stirling's series at arguments that recurrence has
// made large enough, and reflection of those on the left.
Complex log_gamma(Complex z) {
  if (z.imag() < 0) return std::conj(log_gamma(std::conj(z)));
  if (z.real() < 0) {
    // sin(pi z) without its factor exp(-i pi z), which may overflow.
    const Complex turn = std::polar(std::exp(-2 * pi * z.imag()), 2 * pi * (z.real() - std::floor(z.real())));
    const Complex log_sine = Complex(pi * z.imag(), -pi * z.real()) + std::log((turn - 1.0) / Complex(0, 2));
    return std::log(pi) - log_sine - log_gamma(1.0 - z);
  }
  Complex below = 0;
  while (z.real() < 12) {
    below += std::log(z);
    z += 1;
  }
  constexpr double terms[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                              1.0 / 1188, -691.0 / 360360.0, 1.0 / 156,  -3617.0 / 122400.0};
  Complex series = 0, power = 1.0 / z;
  const Complex square = power * power;
  for (const double term : terms) {
    series += term * power;
    power *= square;
  }
  return (z - 0.5) * std::log(z) - z + 0.5 * std::log(2 * pi) + series - below;
}

bool pole(double x) { return x <= 0 && x == std::floor(x); }

// gamma(above) / gamma(below) if at least one of them is infinite.
double ratio_of_poles(double above, double below) {
  if (!pole(below)) return std::numeric_limits<double>::infinity();
  if (!pole(above)) return 0;
  // Near -n the function goes like (-1)^n / n! over the distance.
  const double size = std::exp((log_gamma(1 - below) - log_gamma(1 - above)).real());
  return std::fmod(above - below, 2) == 0 ? size : -size;
}

void check(const Hankel& h) {
  if (!std::isfinite(h.dln) || h.dln == 0)
    fail(ARR_E_ARGUMENT, "argument dln: ", h.dln, ", expected a finite number that is not 0");
  if (!std::isfinite(h.mu)) fail(ARR_E_ARGUMENT, "argument mu: ", h.mu, ", expected a finite number");
  if (!std::isfinite(h.offset))
    fail(ARR_E_ARGUMENT, "argument offset: ", h.offset, ", expected a finite number");
  if (!std::isfinite(h.bias)) fail(ARR_E_ARGUMENT, "argument bias: ", h.bias, ", expected a finite number");
}

// The factors of the first half of the spectrum.
std::vector<Complex> factors_of(const Hankel& h, int64_t n, bool inverse) {
  const double above = (h.mu + 1 + h.bias) / 2, below = (h.mu + 1 - h.bias) / 2;
  std::vector<Complex> u;
  const int64_t count = n / 2 + 1;
  if (static_cast<uint64_t>(count) > u.max_size())
    fail(ARR_E_MEMORY, "argument a: no memory holds ", n, " elements");
  u.reserve(static_cast<size_t>(count));  // throws before any work if there is not enough memory
  for (int64_t k = 0; k <= n / 2; ++k) {
    const double y = pi * static_cast<double>(k) / (static_cast<double>(n) * h.dln);
    if (k == 0 && (pole(above) || pole(below))) {
      u.emplace_back(std::exp2(h.bias) * ratio_of_poles(above, below));
      continue;
    }
    const Complex p = log_gamma({above, y}), m = log_gamma({below, y});
    u.push_back(std::exp(
        Complex(p.real() - m.real() + ln2 * h.bias, p.imag() + m.imag() + 2 * y * (ln2 - h.offset))));
  }
  // The middle of an even number of real samples is real.
  if (n % 2 == 0) u.back().imag(0);
  if (inverse ? u[0] == 0.0 : std::isinf(u[0].real())) {
    fail(ARR_E_ARGUMENT, "argument bias: with ", h.bias, " and mu ", h.mu,
         " the transform is singular, expected another bias");
  }
  for (Complex& x : u) {
    if (inverse) x = std::isinf(x.real()) ? 0.0 : 1.0 / std::conj(x);
  }
  return u;
}

// x times exp(rate (j - (n-1) / 2) + constant) along the last axis.
Ref<Array> tilted(const Array& x, double rate, double constant, Stream* stream) {
  const int64_t n = x.layout.shape[x.layout.ndim - 1];
  const Ref<Array> numbers = index_vector(n, x.device(), stream);
  const double middle = static_cast<double>(n - 1) / 2;
  return compute({&x, numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    auto number = [&](double v) { return b.scalar(scalar_of(v), true); };
    const int32_t from = b.op(op::subtract, b.cast(in[1], DType::float64_), number(middle));
    const int32_t power = b.op(op::add, b.op(op::multiply, from, number(rate)), number(constant));
    return b.cast(b.op(op::multiply, in[0], b.op(op::exp, power)), x.dtype);
  });
}

}  // namespace

Ref<Array> hankel(const Array& array, const Hankel& h, int32_t axis, bool inverse, Stream* stream) {
  check(h);
  if (is_complex(array.dtype))
    fail(ARR_E_DTYPE, "argument a: ", name(array.dtype), ", expected real numbers");
  FftAxes last = fft_axis(array, -1, axis);
  resolve_extents(array, &last, false);
  const int32_t given = last.axes[0], end = array.layout.ndim - 1;
  const Ref<Array> moved = move_axis(array, given, end);
  const Array& a = *moved;
  last.axes[0] = end;
  const int64_t n = last.extents[0];
  const DType real = fft_precision(a.dtype);
  const std::vector<Complex> factors = factors_of(h, n, inverse);
  Ref<Array> x = as_type(a, real, stream);
  if (h.bias != 0)
    x = tilted(*x, inverse ? h.bias * h.dln : -h.bias * h.dln, inverse ? h.bias * h.offset : 0, stream);
  const Ref<Array> spectrum = rfft(*x, last, FftNorm::backward, stream);
  const Ref<Array> u =
      as_type(*upload(factors, DType::complex128_, a.device(), stream), spectrum->dtype, stream);
  const Ref<Array> product = apply(op::multiply, {spectrum.get(), u.get()}, stream);
  const Ref<Array> turned = reversed(*irfft(*product, last, FftNorm::backward, stream), -1);
  const Ref<Array> out = h.bias == 0 ? copy(*turned, Order::K, stream)
                                     : tilted(*turned, inverse ? h.bias * h.dln : -h.bias * h.dln,
                                              inverse ? 0 : -h.bias * h.offset, stream);
  return move_axis(*out, end, given);
}

double hankel_offset(const Hankel& h) {
  check(h);
  const double y = pi / (2 * h.dln);
  const Complex above = log_gamma({(h.mu + 1 + h.bias) / 2, y}),
                below = log_gamma({(h.mu + 1 - h.bias) / 2, y});
  const double turns = (ln2 - h.offset) / h.dln + (above.imag() + below.imag()) / pi;
  return h.offset + (turns - std::nearbyint(turns)) * h.dln;
}

}  // namespace arr
