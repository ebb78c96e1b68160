// SPDX-License-Identifier: MIT
// Random numbers as steps of programs, and the distributions whose formulas do not fit in the table.
#include "ops/random/draws.h"

#include "base/error.h"
#include "expr/op_numbers.h"

namespace arr {

namespace {
constexpr double pi = 3.14159265358979323846;

bool known(Value x) { return x.number == x.number; }
// True if a parameter may be below a number.
bool may_be_below(Value x, double bound) { return !(x.number >= bound); }
}  // namespace

double rounded(double x, DType t) {
  return scalar_value<double>(convert(convert(scalar_of(x), t), DType::float64_));
}

double weight_tolerance(DType t) {
  return std::ldexp(1.0, -(is_floating(t) ? float_format(t).fraction : 52) / 2);
}

int32_t drawing(int32_t keyed_row, bool keyed) {
  if (keyed) return keyed_row;
  switch (keyed_row) {
    case op::random_bits:
      return op::stored_bits;
    case op::random_unit:
      return op::stored_unit;
    case op::random_open:
      return op::stored_open;
    case op::random_normal:
      return op::stored_normal;
    default:
      return op::stored_exponential;
  }
}

int32_t Draws::stream(size_t channel) {
  if (index_ < 0) index_ = b_->input(DType::int64_);
  // In the order in which the formula uses them, which is that of the operands.
  while (streams_.size() <= channel) streams_.push_back(b_->input(DType::table_));
  return streams_[channel];
}

Value Draws::step(int32_t number, DType t, size_t channel) {
  const int32_t from = stream(channel);
  wide_ = wide_ || item_size(t) == 8;
  return {b_, b_->step(drawing(number, keyed_), t, from, index_)};
}

Value Draws::seeded(int32_t number, size_t channel, std::initializer_list<Value> parameters, DType t) {
  std::vector<int32_t> args = {bits(channel, DType::uint64_).node};
  for (const Value& p : parameters) args.push_back(p.node);
  return {b_, b_->step(number, t, args)};
}

// 16-bit floats get as many random bits as they hold, because rounding more bits could give 1.
Value Draws::unit(size_t channel) {
  const Value u = step(op::random_unit,
                       result_ == DType::float16_ || result_ == DType::bfloat16_ ? result_ : t_, channel);
  return {b_, b_->cast(u.node, t_)};
}

Value Draws::below(Value high) {
  const int32_t down = b_->cast(b_->scalar(scalar_of(-inf), false), result_);
  return {b_, b_->cast(b_->op(op::nextafter, b_->cast(high.node, result_), down), t_)};
}

Value Draws::as_in_result(Value x) {
  return is_half(result_) ? Value{b_, b_->cast(b_->cast(x.node, result_), t_)} : x;
}

// The sum may be rounded up to high. That happens to as many numbers as are rounded down to low, half a step,
// so they are replaced by low. If high is one number, they are replaced by the largest number below it, which
// is faster.
Value Draws::uniform(size_t channel, Value low, Value high) {
  const Value width = high - low, x = as_in_result(low + width * unit(channel)), end = as_in_result(high);
  if (known(low) && known(high)) {
    const double rounded_high = rounded(high.number, result_);
    const bool product = low.number == 0 && rounded_high == high.number && rounded_high >= 0x1p-10;
    if (product || !(low.number < high.number)) return x;
    if (rounded(low.number, result_) == rounded_high)
      return rounded_high < high.number ? x : below(high);  // there is one number
    if (is_half(result_)) return where(x < end, x, low);
    const double last = t_ == DType::float32_ ? std::nextafter(static_cast<float>(rounded_high), -HUGE_VALF)
                                              : std::nextafter(rounded_high, -inf);
    return minimum(x, value_of(b_, last));
  }
  // nan for elements whose range overflows.
  return where((x < end) == (low < high), x, low + 0.0 * width);
}

Value Draws::laplace(size_t channel) {
  const Value u = open(channel);
  return where(u < 0.5, log(2.0 * u), -log(2.0 - 2.0 * u));
}

Value Draws::logistic(size_t channel) {
  const Value u = open(channel);
  return log(u) - log1p(-u);
}

Value Draws::power(Value base, Value inverse) {
  const Value zero = 0.0 * inverse;  // nan stays
  const Value r = where(inverse < 0.0, log(inverse), pow(base, 1.0 / inverse));
  return where(apply(op::equal, inverse, value_of(b_, 0)), zero, r);
}

// Parameters whose products would overflow or underflow are scaled by a power of 2.
Value Draws::triangular(size_t channel, Value left, Value mode, Value right) {
  constexpr double few = 0x1p-450, many = 0x1p500, up_by = 0x1p520, down_by = 0x1p-520;
  const double span = right.number - left.number;
  if (known(left) && known(mode) && known(right)) {
    if (span >= few && span <= many) return triangle(channel, left, mode, right);
    const double by = span < few ? up_by : down_by;
    return triangle(channel, left * by, mode * by, right * by) * (1 / by);
  }
  const Value width = right - left, one = value_of(b_, 1);
  const Value narrow = both(value_of(b_, 0) < width, width < value_of(b_, few));
  const Value by = where(width < many, where(narrow, value_of(b_, up_by), one), value_of(b_, down_by));
  const Value x = triangle(channel, left * by, mode * by, right * by) / by;
  return where(both(left <= mode, mode <= right), x, value_of(b_, std::numeric_limits<double>::quiet_NaN()));
}

Value Draws::triangle(size_t channel, Value left, Value mode, Value right) {
  const Value u = unit(channel), width = right - left;
  const Value up = left + sqrt(u * width * (mode - left)),
              down = right - sqrt((1.0 - u) * width * (right - mode));
  return where(u * width <= mode - left, up, down);
}

// Michael, Schucany and Haas: Generating random variates using transformations with multiple roots; 1976.
// Computes the smaller root without cancellation. Far from 1 it uses the root of the parameters' quotient,
// which neither overflows nor underflows.
Value Draws::wald(size_t normal_channel, size_t unit_channel, Value mean, Value scale) {
  constexpr double min_usual = 0x1p-250, max_usual = 0x1p250;
  const Value n = normal(normal_channel), u = unit(unit_channel);
  const auto usual = [&] {
    const Value y = mean * n * n;
    const Value root = y + sqrt(y * (4.0 * scale + y)), x = mean * (4.0 * scale * y) / (root * root);
    const Value less = where(y <= 0.0, mean, x);
    return where(u * (mean + less) <= mean, less, mean * mean / less);
  };
  const auto wide = [&] {
    const Value t = apply(op::absolute, n) * (sqrt(mean) / sqrt(scale));
    const Value r = 2.0 / (t + apply(op::hypot, value_of(b_, 2), t));
    return where(u * (1.0 + r * r) <= 1.0, mean * r * r, mean / r / r);
  };
  const auto near_one = [&](double x) { return x >= min_usual && x <= max_usual; };
  if (known(mean) && known(scale)) return near_one(mean.number) && near_one(scale.number) ? usual() : wide();
  const Value low = minimum(mean, scale), high = maximum(mean, scale);
  return where(both(value_of(b_, min_usual) <= low, high <= max_usual), usual(), wide());
}

// A gamma number that underflowed to 0: its logarithm is exponentially distributed with rate shape below the
// smallest double, so the quotient is computed from logarithms.
Value Draws::f(size_t channel, Value dfnum, Value dfden, Value nonc) {
  const bool central = nonc.node < 0;
  const Value shape = 0.5 * dfnum;
  const Value x = gamma(channel, central ? shape : shape + number_of_poisson(channel + 2, half(nonc)));
  const Value y = gamma(channel + 1, 0.5 * dfden);
  const Value quotient = 2.0 * (x / dfnum) / (2.0 * (y / dfden));
  if (!may_be_below(dfnum, 0.25) || !may_be_below(dfden, 0.25)) return quotient;
  constexpr double min_log = -745.1332191019412;  // log(2^-1075), which is rounded to 0
  const Value tiny = value_of(b_, 0x1p-600), one = value_of(b_, 1);
  const Value by = where(dfnum + dfden < tiny, 1.0 / tiny, one);  // then only their quotient matters
  const auto logarithm = [&](Value number, Value df, size_t of) {
    const Value below = min_log + 2.0 * log(1.0 - unit(of)) / (df * by);
    return where(number == 0.0, below, log(number)) - log(df);
  };
  const Value log_ratio = logarithm(x, dfnum, channel) - logarithm(y, dfden, channel + 1);
  const Value vanished = apply(op::logical_or, x == 0.0, y == 0.0);
  return where(vanished, exp(log_ratio), quotient);
}

// For means beyond int64 a Poisson number is approximately normal, like a gamma number of the same mean and
// variance, which is used instead.
Value Draws::number_of_poisson(size_t channel, Value mean) {
  const Value few = {b_, b_->cast(poisson(channel, mean).node, t_)};
  if (mean.number <= max_poisson_mean) return few;
  if (known(mean)) return gamma(channel, mean);
  const Value is_few = mean <= max_poisson_mean;
  return where(is_few, few, gamma(channel, where(is_few, value_of(b_, 0), mean)));
}

// A mean above the max of Poisson numbers is clamped to it; parameters that usually give such means are
// invalid.
Value Draws::negative_binomial(size_t gamma_channel, size_t channel, Value n, Value p) {
  const Value mean = gamma(gamma_channel, n) * (1.0 - p) / p;
  if (known(n) && known(p)) {
    const double all = n.number + 40 * std::sqrt(n.number) + 800;
    if (all * (1 - p.number) / p.number <= max_poisson_mean) return poisson(channel, mean);
    return poisson(channel, minimum(mean, value_of(b_, max_poisson_mean)));
  }
  const Value usual = (n + 10.0 * sqrt(n)) * (1.0 - p) / p;
  const Value none = value_of(b_, std::numeric_limits<double>::quiet_NaN());
  return poisson(channel,
                 where(usual <= max_poisson_mean, minimum(mean, value_of(b_, max_poisson_mean)), none));
}

Value Draws::result(Value x, bool whole) {
  if (!is_integer(result_)) return {b_, b_->cast(x.node, result_)};
  const int bits = static_cast<int>(8 * item_size(result_)) - (kind(result_) == DKind::INT ? 1 : 0);
  const Scalar max_value = convert({DType::uint64_, ~uint64_t{0} >> (64 - bits), 0}, result_);
  if (whole) {
    if (bits < 63) x = minimum(x, integer(scalar_value<int64_t>(convert(max_value, DType::int64_))));
    return {b_, b_->cast(x.node, result_)};
  }
  const double min_value = kind(result_) == DKind::INT ? -std::ldexp(1.0, bits) : 0;
  const Value fits = x < std::ldexp(1.0, bits), none = integer(-1);
  const Value inside = maximum(where(fits, x, value_of(b_, 0)), value_of(b_, min_value));
  const Value number = where(fits, {b_, b_->cast(inside.node, result_)}, {b_, b_->scalar(max_value, false)});
  return where(x == x, number, {b_, b_->cast(none.node, result_)});
}

Value Draws::vonmises(size_t channel, Value mu, Value kappa) {
  const Value angle = mu + seeded(op::random_vonmises, channel, {kappa});
  return apply(op::remainder, angle + pi, value_of(b_, 2 * pi)) - pi;
}

Value Draws::whole(Value x) {
  const Value max_value = integer(0x7fffffffffffffff);
  const Value fits = x < 0x1p63;
  return where(fits, {b_, b_->cast(where(fits, x, 0.0 * x).node, DType::int64_)}, max_value);
}

Value Draws::geometric(size_t channel, Value p) {
  const Value k = ceil(-exponential(channel) / log1p(-p)), good = k < 1.0;
  const Value number = whole(where(good, value_of(b_, 1), k));
  const Value fine = apply(op::logical_and, value_of(b_, 0) < p, p <= 1.0);
  return where(fine, number, integer(-1));
}

// Kemp: Efficient generation of logarithmically distributed pseudo-random variables; 1981.
Value Draws::logseries(size_t first, size_t second, Value p) {
  const Value v = open(first), q = -expm1(log1p(-p) * unit(second));
  const Value k =
      where(v <= q * q, floor(1.0 + log(v) / log(q)), where(v <= q, value_of(b_, 2), value_of(b_, 1)));
  const Value number = whole(where(v <= p, k, value_of(b_, 1)));
  const Value fine = apply(op::logical_and, value_of(b_, 0) <= p, p < 1.0);
  return where(fine, number, integer(-1));
}

Value Draws::hypergeometric(size_t channel, Value good, Value bad, Value sample) {
  Scalar i;
  i.dtype = DType::complex128_;
  i.hi = 0x3ff0000000000000U;  // 1.0
  const DType wide = DType::complex128_;
  const Value imaginary = {b_, b_->scalar(i, false)};
  const Value both =
      Value{b_, b_->cast(floor(good).node, wide)} + Value{b_, b_->cast(floor(bad).node, wide)} * imaginary;
  return seeded(op::random_hypergeometric, channel, {both, {b_, b_->cast(floor(sample).node, wide)}}, wide);
}

}  // namespace arr
