// SPDX-License-Identifier: MIT
// Distributions: the rows of core/table/distributions.def as programs, run on new or given arrays.
#include "ops/random/random.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/random/draws.h"

namespace arr {

namespace {

enum class Family : uint8_t { FLOAT, DOUBLE, INT };

struct Row {
  int32_t number;
  const char* name;
  Family family;
  std::string_view parameters;
  Value (*formula)(Draws& d, Value a, Value b, Value c);
};
constexpr size_t max_parameters = 3;

constexpr Row distributions[] = {
#define ARR_DISTRIBUTION(number, name, n, family, parameters, doc, cupy, ...)        \
  {number, #name, Family::family, parameters,                                        \
   []([[maybe_unused]] Draws& d, [[maybe_unused]] Value a, [[maybe_unused]] Value b, \
      [[maybe_unused]] Value c) -> Value { return __VA_ARGS__; }},
#include "table/distributions.def"
#undef ARR_DISTRIBUTION
};

const Row& row_of(int32_t number) {
  for (const Row& r : distributions) {
    if (r.number == number) return r;
  }
  fail(ARR_E_ARGUMENT, "argument distribution: ", number, " is not one of ARR_DISTRIBUTION_...");
}

// A parameter as written in its row: "scale=1:ge0".
struct Parameter {
  std::string_view name, value, rule;
};
struct ParameterList {
  std::array<Parameter, max_parameters> at;
  size_t count = 0;
};
ParameterList parameters_of(const Row& row) {
  ParameterList list;
  std::string_view rest = row.parameters;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    Parameter p;
    if (const size_t colon = word.find(':'); colon != std::string_view::npos) {
      p.rule = word.substr(colon + 1);
      word = word.substr(0, colon);
    }
    if (const size_t sign = word.find('='); sign != std::string_view::npos) {
      p.value = word.substr(sign + 1);
      word = word.substr(0, sign);
    }
    p.name = word;
    list.at.at(list.count++) = p;
  }
  return list;
}

struct Range {
  double low, high;
  bool with_low, with_high;
  const char* text;
};
Range range_of(std::string_view rule) {
  if (rule == "ge0") return {0, inf, true, false, "a finite number not below 0"};
  if (rule == "gt0") return {0, inf, false, false, "a finite number above 0"};
  if (rule == "gt1") return {1, inf, false, false, "a finite number above 1"};
  if (rule == "p") return {0, 1, true, true, "a number in 0 .. 1"};
  if (rule == "p0") return {0, 1, false, true, "a number above 0, up to 1"};
  if (rule == "p1") return {0, 1, true, false, "a number from 0 on, below 1"};
  return {-inf, inf, false, false, "a finite number"};
}
bool holds(const Range& r, double x) {
  return (r.with_low ? x >= r.low : x > r.low) && (r.with_high ? x <= r.high : x < r.high);
}
// x, or nan if it violates the rule.
Value ruled(const Range& r, Value x) {
  const Value low = value_of(x.b, r.low), high = value_of(x.b, r.high);
  const Value from = apply(r.with_low ? op::greater_equal : op::greater, x, low);
  const Value to = apply(r.with_high ? op::less_equal : op::less, x, high);
  const Value fine = r.low == -inf ? apply(op::isfinite, x) : both(from, to);
  return where(fine, x, value_of(x.b, std::numeric_limits<double>::quiet_NaN()));
}

double number_of(const Scalar& s) { return scalar_value<double>(convert(s, DType::float64_)); }
// The largest finite number of a type of results.
double max_of(DType t) {
  if (is_floating(t)) {
    const FloatFormat f = float_format(t);
    return std::ldexp(2 - std::ldexp(1.0, -f.fraction), (1 << (f.exponent - 1)) - 1);
  }
  if (t == DType::bool_) return inf;
  return std::ldexp(1.0, static_cast<int>(8 * item_size(t)) - (kind(t) == DKind::INT ? 1 : 0)) - 1;
}

// A row's program for parameters of these kinds, and the random numbers that it draws.
struct Built {
  BoundProgram program;
  size_t channels = 0;
  bool wide = false;  // of the numbers drawn
  // The number of blocks per channel for n elements.
  [[nodiscard]] int64_t blocks(int64_t n) const { return Draws::blocks(wide, n); }
};

class Builder {
 public:
  Builder(const Row& row, DType result, Parameters given, bool keyed)
      : row_(row), result_(result), keyed_(keyed) {
    const bool narrow = item_size(result) <= 4 && row.family == Family::FLOAT;
    t_ = narrow ? DType::float32_ : DType::float64_;
    read(given);
  }
  Built build();
  [[nodiscard]] std::span<const Input> arrays() const { return {arrays_.data(), arrays_.size()}; }

 private:
  void read(Parameters given);
  Value parameter(size_t k, Input in);
  void check_order() const;
  void check_mean() const;

  const Row& row_;
  DType result_, t_ = DType::none;
  bool keyed_;
  ParameterList list_;
  ProgramBuilder b_;
  std::vector<Input> arrays_;
  std::array<Value, max_parameters> values_;
  std::array<double, max_parameters> numbers_{};
};

void Builder::read(Parameters given) {
  list_ = parameters_of(row_);
  for (size_t k = list_.count; k < given.size(); ++k) {
    if (given[k].array == nullptr && given[k].scalar.dtype == DType::none) continue;
    fail(ARR_E_ARGUMENT, "argument nparameters: ", given.size(), ", ", row_.name, " has ", list_.count);
  }
  for (size_t k = 0; k < list_.count; ++k) {
    numbers_.at(k) = std::numeric_limits<double>::quiet_NaN();
    values_.at(k) = parameter(k, k < given.size() ? given[k] : Input{});
  }
  check_order();
  if (row_.family == Family::INT) check_mean();
}

Value Builder::parameter(size_t k, Input in) {
  const Parameter& p = list_.at.at(k);
  const Range range = range_of(p.rule);
  if (in.array != nullptr) {
    if (is_complex(in.array->dtype)) {
      fail(ARR_E_DTYPE, "argument ", p.name, ": ", name(in.array->dtype), ", expected real numbers");
    }
    arrays_.push_back({in.array, {}, false});
    return ruled(range, {&b_, b_.cast(b_.input(in.array->dtype), t_)});
  }
  if (in.scalar.dtype == DType::none) {
    if (p.value.empty()) fail(ARR_E_ARGUMENT, "argument ", p.name, ": NULL, and it has no default");
    double value = 0;
    std::from_chars(p.value.data(), p.value.data() + p.value.size(), value);
    in.scalar = scalar_of(value);
  }
  if (is_complex(in.scalar.dtype)) {
    fail(ARR_E_DTYPE, "argument ", p.name, ": ", name(in.scalar.dtype), ", expected a real number");
  }
  const double x = number_of(in.scalar);
  if (!holds(range, x)) fail(ARR_E_ARGUMENT, "argument ", p.name, ": ", x, ", expected ", range.text);
  if (std::isinf(rounded(x, t_))) fail(ARR_E_ARGUMENT, "argument ", p.name, ": ", x, " is beyond ", name(t_));
  numbers_.at(k) = x;
  return {&b_, b_.scalar(convert(in.scalar, t_), false), x};
}

// Rules for several parameters together; array parameters are nan here, because their values are not known.
void Builder::check_order() const {
  const auto& [a, b, c] = numbers_;
  if (row_.name == std::string_view("triangular")) {
    if (a > b) fail(ARR_E_ARGUMENT, "argument mode: ", b, " is below left, ", a);
    if (b > c) fail(ARR_E_ARGUMENT, "argument mode: ", b, " is above right, ", c);
    if (a == c) fail(ARR_E_ARGUMENT, "argument right: ", c, " is equal to left, so the interval is empty");
  }
  if (row_.name == std::string_view("hypergeometric")) {
    if (std::floor(a) + std::floor(b) < std::floor(c))
      fail(ARR_E_ARGUMENT, "argument nsample: ", c, ", there are only ", a, " + ", b);
    if (a + b >= 0x1p53) fail(ARR_E_ARGUMENT, "argument ngood: ", a, " + ", b, " is 2^53 or more");
  }
  if (row_.name == std::string_view("uniform")) {
    if (std::isinf(rounded(a, result_)))
      fail(ARR_E_ARGUMENT, "argument low: ", a, " is beyond ", name(result_));
    if (std::isinf(rounded(b, result_)))
      fail(ARR_E_ARGUMENT, "argument high: ", b, " is beyond ", name(result_));
    if (std::isinf(rounded(rounded(b, t_) - rounded(a, t_), t_)))
      fail(ARR_E_ARGUMENT, "argument high: ", b, " - low, ", a, ", is beyond ", name(t_));
  }
}

// Checks that numbers whose magnitude a parameter determines fit in the result's dtype.
void Builder::check_mean() const {
  const auto& [a, b, c] = numbers_;
  const std::string_view is = row_.name;
  double mean = 0, max_mean = max_of(result_);
  if (is == "poisson") {
    mean = a;
    max_mean = std::min(max_mean, max_poisson_mean);
  } else if (is == "binomial") {
    if (a > 0x1p63) fail(ARR_E_ARGUMENT, "argument n: ", a, " is beyond int64");
    mean = std::floor(a) * b;
  } else if (is == "negative_binomial") {
    mean = a * ((1 - b) / b);
    const double usual = (a + 10 * std::sqrt(a)) * ((1 - b) / b);
    if (usual > max_poisson_mean)
      fail(ARR_E_ARGUMENT, "argument n: ", a, " of p ", b, ": the numbers are beyond int64");
  } else if (is == "hypergeometric") {
    mean = c == 0 ? 0 : std::floor(c) * std::floor(a) / (std::floor(a) + std::floor(b));
  }
  if (mean > max_mean)
    fail(ARR_E_ARGUMENT, "argument ", list_.at[0].name, ": the numbers' mean, ", mean, ", is beyond ",
         name(max_mean < max_poisson_mean ? result_ : DType::int64_));
}

Built Builder::build() {
  Draws d(&b_, t_, result_, keyed_);
  const Value v = row_.formula(d, values_[0], values_[1], values_[2]);
  b_.output(d.result(v, row_.family == Family::INT).node);
  return {b_.finish(), d.channels(), d.wide()};
}

// The program of one call whose parameters are numbers, by all that it depends on. A program takes longer to
// build than a hundred numbers to draw, and most calls repeat another one.
struct Question {
  const Row* row = nullptr;
  DType result = DType::none;
  bool keyed = false;
  std::array<Scalar, max_parameters> numbers;
  friend bool operator==(const Question&, const Question&) = default;
};

// The program of a call and its array parameters.
class Prepared {
 public:
  Prepared(const Row& row, DType result, Parameters given, bool keyed) {
    Question q{&row, result, keyed, {}};
    bool numbers = given.size() <= max_parameters;
    for (size_t k = 0; numbers && k < given.size(); ++k) {
      numbers = given[k].array == nullptr;
      q.numbers.at(k) = given[k].scalar;
    }
    const auto build = [&] { return builder_.emplace(row, result, given, keyed).build(); };
    if (numbers) {
      built_ = &Recent<Question, Built>::get(q, build);
    } else {
      own_ = build();
      built_ = &own_;
    }
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  [[nodiscard]] const Built& built() const { return *built_; }
  [[nodiscard]] std::span<const Input> arrays() const {
    return builder_ ? builder_->arrays() : std::span<const Input>();
  }

 private:
  std::optional<Builder> builder_;
  Built own_;
  const Built* built_ = nullptr;
};

DType type_of(const Row& row, DType wanted) {
  const bool whole = row.family == Family::INT;
  if (wanted == DType::none) return whole ? DType::int64_ : DType::float64_;
  if (row.family == Family::FLOAT && !is_floating(wanted))
    fail(ARR_E_DTYPE, "argument dtype: ", name(wanted), ", expected a float type for ", row.name);
  if (is_complex(wanted)) fail(ARR_E_DTYPE, "argument dtype: ", name(wanted), ", expected real numbers");
  return wanted;
}

// The dtype in which numbers for a result dtype are drawn. Real numbers are truncated to integers in a
// separate pass, because the constants of both may exceed a program's limits.
DType drawn_type(const Row& row, DType dtype) {
  return row.family != Family::INT && is_integer(dtype) ? DType::float64_ : dtype;
}

// float64 numbers as integers.
BoundProgram truncation(DType dtype) {
  ProgramBuilder b;
  const Value x = {&b, b.input(DType::float64_)};
  b.output(Draws(&b, DType::float64_, dtype, true).result(x, false).node);
  return b.finish();
}

}  // namespace

Ref<Array> random_target(const RandomShape& shape, DType dtype, std::span<const Input> parameters,
                         Stream* stream) {
  Device device = shape.device.value_or(Device{});
  for (const Input& in : parameters) {
    if (!shape.device && in.array != nullptr) device = in.array->device();
  }
  if (shape.ndim >= 0) {
    return empty(dtype, {shape.shape, static_cast<size_t>(shape.ndim)}, Order::C, device, stream);
  }
  Layout common;
  common_shape(parameters, &common);
  return empty(dtype, common.dims(), Order::C, device, stream);
}

void draw_into(const Array& dst, Generator& g, const BoundProgram& p, std::span<const Input> arrays,
               size_t channels, int64_t blocks, Stream* stream, const Input* indices) {
  std::vector<Input> all;
  all.reserve(Program::max_inputs);
  all.insert(all.end(), arrays.begin(), arrays.end());
  const Layout index = ramp_of(dst.layout);
  all.push_back(indices != nullptr ? *indices : ramp_input(index, 0));
  Taken taken(g, checked::mul(blocks, static_cast<int64_t>(channels), "the numbers drawn"));
  for (size_t c = 0; c < channels; ++c) {
    all.push_back(taken.operand(static_cast<int64_t>(c) * blocks, blocks, dst.device(), stream));
  }
  add_constants(p, &all);
  run_into(dst, *p.program, all, stream);
  taken.keep();
}

void random_into(const Array& dst, Generator& g, int32_t distribution, Parameters parameters,
                 Stream* stream) {
  const Row& row = row_of(distribution);
  check_writable(dst);
  const DType dtype = type_of(row, dst.dtype), drawn = drawn_type(row, dtype);
  if (drawn != dtype) {
    const Ref<Array> real = empty(drawn, dst.layout.dims(), Order::C, dst.device(), stream);
    random_into(*real, g, distribution, parameters, stream);
    const Array* one[] = {real.get()};
    return run_into(dst, truncation(dtype), one, stream);
  }
  const Prepared p(row, dtype, parameters, g.keyed());
  draw_into(dst, g, p.built().program, p.arrays(), p.built().channels, p.built().blocks(dst.layout.size()),
            stream);
}

Ref<Array> random(Generator& g, int32_t distribution, Parameters parameters, const RandomShape& shape,
                  Stream* stream, const DrawnPart& part) {
  const Row& row = row_of(distribution);
  const DType dtype = type_of(row, shape.dtype), drawn = drawn_type(row, dtype);
  const Prepared p(row, drawn, parameters, g.keyed());
  Ref<Array> out = random_target(shape, drawn, p.arrays(), stream);
  const int64_t elements = part.index != nullptr ? part.total : out->layout.size();
  draw_into(*out, g, p.built().program, p.arrays(), p.built().channels, p.built().blocks(elements), stream,
            part.index);
  if (drawn == dtype) return out;
  const Array* one[] = {out.get()};
  return run(truncation(dtype), one, stream);
}

}  // namespace arr
