// SPDX-License-Identifier: MIT
// The language of the formulas in core/table/distributions.def: values of a program that is being built, and
// the random numbers that it draws.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/program.h"

namespace arr {

inline constexpr double max_poisson_mean =
    9.223372006484771e18;  // arr_max_poisson_mean of core/math/rejection.h
inline constexpr double inf = std::numeric_limits<double>::infinity();
// x rounded to dtype t.
double rounded(double x, DType t);

// A value; operators and functions append steps to its program. `number`: the value if it is a parameter that
// is one number, otherwise nan.
struct Value {
  ProgramBuilder* b = nullptr;
  int32_t node = -1;
  double number = std::numeric_limits<double>::quiet_NaN();
};
inline Value value_of(ProgramBuilder* b, double x) { return {b, b->scalar(scalar_of(x), true)}; }
inline Value apply(int32_t op, Value x) { return {x.b, x.b->op(op, x.node)}; }
inline Value apply(int32_t op, Value x, Value y) { return {x.b, x.b->op(op, x.node, y.node)}; }
#define ARR_VALUE_OPERATOR(sign, op)                                                       \
  inline Value operator sign(Value x, Value y) { return apply(op, x, y); }                 \
  inline Value operator sign(double x, Value y) { return apply(op, value_of(y.b, x), y); } \
  inline Value operator sign(Value x, double y) { return apply(op, x, value_of(x.b, y)); }
ARR_VALUE_OPERATOR(+, op::add)
ARR_VALUE_OPERATOR(-, op::subtract)
ARR_VALUE_OPERATOR(*, op::multiply)
ARR_VALUE_OPERATOR(/, op::divide)
ARR_VALUE_OPERATOR(<, op::less)
ARR_VALUE_OPERATOR(<=, op::less_equal)
ARR_VALUE_OPERATOR(==, op::equal)
#undef ARR_VALUE_OPERATOR
inline Value half(Value x) {
  const Value h = 0.5 * x;
  return {h.b, h.node, 0.5 * x.number};
}
inline Value operator-(Value x) { return apply(op::negative, x); }
#define ARR_VALUE_FUNCTION(name) \
  inline Value name(Value x) { return apply(op::name, x); }
ARR_VALUE_FUNCTION(exp)
ARR_VALUE_FUNCTION(expm1)
ARR_VALUE_FUNCTION(log)
ARR_VALUE_FUNCTION(log1p)
ARR_VALUE_FUNCTION(sqrt)
ARR_VALUE_FUNCTION(tan)
ARR_VALUE_FUNCTION(floor)
ARR_VALUE_FUNCTION(ceil)
#undef ARR_VALUE_FUNCTION
inline Value pow(Value x, Value y) { return apply(op::power, x, y); }
inline Value where(Value condition, Value x, Value y) {
  return {x.b, x.b->op(op::where, condition.node, x.node, y.node)};
}
inline Value both(Value x, Value y) { return apply(op::logical_and, x, y); }
inline Value minimum(Value x, Value y) { return apply(op::minimum, x, y); }
inline Value maximum(Value x, Value y) { return apply(op::maximum, x, y); }

// The tolerance of a sum of weights of a dtype, which should be 1: the square root of its epsilon, as in
// NumPy.
double weight_tolerance(DType t);
// A sum with compensation of rounding errors (Neumaier, 1974), accurate to about one unit in the last place.
class ExactSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

// The form of a row of random.def for generators whose words are in memory.
int32_t drawing(int32_t keyed_row, bool keyed);

// The random numbers of a program. Its operands are those that the caller adds, then the index of the
// element, then one stream per channel.
class Draws {
 public:
  // t: float32 or float64, the dtype of the computation; half: the results' 16-bit float dtype, or t. keyed:
  // the generator computes words from a key.
  Draws(ProgramBuilder* b, DType t, DType result, bool keyed)
      : b_(b), t_(t), result_(result), keyed_(keyed) {}

  Value unit(size_t channel);
  Value uniform(size_t channel, Value low, Value high);
  Value open(size_t channel) { return step(op::random_open, t_, channel); }
  Value normal(size_t channel) { return step(op::random_normal, t_, channel); }
  Value exponential(size_t channel) { return step(op::random_exponential, t_, channel); }
  Value bits(size_t channel, DType t) { return step(op::random_bits, t, channel); }
  Value gamma(size_t channel, Value shape) { return seeded(op::random_gamma, channel, {shape}); }
  Value beta(size_t channel, Value a, Value b) { return seeded(op::random_beta, channel, {a, b}); }
  Value chisquare(size_t channel, Value df) { return 2.0 * gamma(channel, 0.5 * df); }
  // The quotient of two chi-square numbers divided by their degrees of freedom. With nonc, a Poisson number
  // from channel + 2 is added to half of dfnum.
  Value f(size_t channel, Value dfnum, Value dfden, Value nonc = {});
  Value laplace(size_t channel);
  Value logistic(size_t channel);
  Value power(Value base, Value inverse);  // base^(1 / inverse); 0 if inverse is 0
  Value triangular(size_t channel, Value left, Value mode, Value right);
  Value number_of_poisson(size_t channel, Value mean);  // as a float, for any mean
  Value wald(size_t normal_channel, size_t unit_channel, Value mean, Value scale);
  Value vonmises(size_t channel, Value mu, Value kappa);
  // Integers, as int64.
  Value poisson(size_t channel, Value mean) { return seeded(op::random_poisson, channel, {mean}); }
  Value negative_binomial(size_t gamma_channel, size_t channel, Value n, Value p);
  Value binomial(size_t channel, Value n, Value p) {
    return seeded(op::random_binomial, channel, {floor(n), p});
  }
  Value zipf(size_t channel, Value a) { return seeded(op::random_zipf, channel, {a}); }
  Value geometric(size_t channel, Value p);
  Value logseries(size_t first, size_t second, Value p);
  Value hypergeometric(size_t channel, Value good, Value bad, Value sample);
  // In the result's dtype; values beyond its range become its limit.
  Value result(Value x, bool whole);

  [[nodiscard]] size_t channels() const { return streams_.size(); }
  // True if numbers are of 64-bit words.
  [[nodiscard]] bool wide() const { return wide_; }
  // The number of blocks that a channel needs for n elements; a block has two 64-bit words or four shorter
  // ones.
  [[nodiscard]] static int64_t blocks(bool wide, int64_t n) {
    return wide ? n / 2 + n % 2 : n / 4 + (n % 4 != 0 ? 1 : 0);
  }
  [[nodiscard]] int64_t blocks(int64_t n) const { return blocks(wide_, n); }
  // The index of the element number among the program's inputs, followed by the streams; -1 if nothing was
  // drawn.
  [[nodiscard]] int32_t index() const { return index_; }

 private:
  Value step(int32_t number, DType t, size_t channel);
  Value seeded(int32_t number, size_t channel, std::initializer_list<Value> parameters,
               DType t = DType::float64_);
  int32_t stream(size_t channel);
  [[nodiscard]] Value whole(Value x);  // as int64; larger values become its max
  [[nodiscard]] Value integer(int64_t x) { return {b_, b_->scalar(scalar_of(x), false)}; }
  Value triangle(size_t channel, Value left, Value mode, Value right);
  [[nodiscard]] Value as_in_result(Value x);  // a half rounded to the result's dtype
  [[nodiscard]] Value below(Value high);      // the result's largest number below it

  ProgramBuilder* b_;
  DType t_, result_;
  bool keyed_, wide_ = false;
  int32_t index_ = -1;
  std::vector<int32_t> streams_;
};

}  // namespace arr
