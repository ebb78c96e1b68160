// SPDX-License-Identifier: MIT
// Random numbers as steps of programs, and the distributions whose formulas are more than a line.
#include "ops/draws.h"

#include "base/error.h"

namespace arr {

namespace {
constexpr double pi = 3.14159265358979323846;
}  // namespace

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
  // One after the other, as the formula comes by them: the operands are in that order.
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

// Of a 16-bit float as many bits as it has: rounding more of them would give 1 too.
Value Draws::unit(size_t channel) {
  const Value u = step(op::random_unit,
                       result_ == DType::float16_ || result_ == DType::bfloat16_ ? result_ : t_, channel);
  return {b_, b_->cast(u.node, t_)};
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

Value Draws::triangular(size_t channel, Value left, Value mode, Value right) {
  const Value u = unit(channel), width = right - left;
  const Value up = left + sqrt(u * width * (mode - left)),
              down = right - sqrt((1.0 - u) * width * (right - mode));
  return where(u * width <= mode - left, up, down);
}

// Michael, Schucany and Haas: Generating random variates using transformations with multiple roots; 1976. The
// smaller root without the difference that would cancel.
Value Draws::wald(size_t normal_channel, size_t unit_channel, Value mean, Value scale) {
  const Value n = normal(normal_channel), y = mean * n * n;
  const Value root = y + sqrt(y * (4.0 * scale + y)), x = mean * (4.0 * scale * y) / (root * root);
  const Value less = where(y <= 0.0, mean, x);
  return where(unit(unit_channel) * (mean + less) <= mean, less, mean * mean / less);
}

Value Draws::vonmises(size_t channel, Value mu, Value kappa) {
  const Value angle = mu + seeded(op::random_vonmises, channel, {kappa});
  return apply(op::remainder, angle + pi, value_of(b_, 2 * pi)) - pi;
}

Value Draws::whole(Value x) {
  const Value most = {b_, b_->scalar(scalar_of(int64_t{0x7fffffffffffffff}), false)};
  const Value fits = x < 0x1p63;
  return where(fits, {b_, b_->cast(where(fits, x, 0.0 * x).node, DType::int64_)}, most);
}

Value Draws::geometric(size_t channel, Value p) {
  const Value k = ceil(-exponential(channel) / log1p(-p)), good = k < 1.0;
  const Value number = whole(where(good, value_of(b_, 1), k));
  const Value fine = apply(op::logical_and, value_of(b_, 0) < p, p <= 1.0);
  return where(fine, number, {b_, b_->scalar(scalar_of(int64_t{-1}), false)});
}

// Kemp: Efficient generation of logarithmically distributed pseudo-random variables; 1981.
Value Draws::logseries(size_t first, size_t second, Value p) {
  const Value v = open(first), q = -expm1(log1p(-p) * unit(second));
  const Value k =
      where(v <= q * q, floor(1.0 + log(v) / log(q)), where(v <= q, value_of(b_, 2), value_of(b_, 1)));
  const Value number = whole(where(v <= p, k, value_of(b_, 1)));
  const Value fine = apply(op::logical_and, value_of(b_, 0) <= p, p < 1.0);
  return where(fine, number, {b_, b_->scalar(scalar_of(int64_t{-1}), false)});
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
