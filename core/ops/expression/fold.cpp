// SPDX-License-Identifier: MIT
// Arithmetic of the weak scalars in a formula, like Python's.
#include <optional>

#include "expr/op_numbers.h"
#include "ops/expression/expression.h"

namespace arr {

namespace {

Scalar as_number(const Scalar& s, DType d) { return s.dtype == d ? s : convert(s, d); }
int64_t whole(const Scalar& s) { return static_cast<int64_t>(s.lo); }

// Integer arithmetic where Python's differs from that of arrays: it does not wrap. nullopt: not an integer
// operation.
std::optional<Scalar> fold_whole(int32_t number, const Scalar& x, const Scalar& y) {
  int64_t a = whole(x), b = whole(y), r = 0;
  bool over = false;
  switch (number) {
    case op::add:
      over = __builtin_add_overflow(a, b, &r);
      break;
    case op::subtract:
      over = __builtin_sub_overflow(a, b, &r);
      break;
    case op::multiply:
      over = __builtin_mul_overflow(a, b, &r);
      break;
    case op::power:
      if (b < 0) return std::nullopt;
      r = 1;
      // A base of magnitude 2 overflows after 63 steps.
      for (int64_t i = 0; i < b && !over && (i < 64 || (a > 1 || a < -1)); ++i) {
        over = __builtin_mul_overflow(r, a, &r);
      }
      if (a == -1) r = b % 2 == 0 ? 1 : -1;
      break;
    case op::floor_divide:
    case op::remainder:
      if (b == 0) fail(ARR_E_ARGUMENT, "integer division by zero");
      return std::nullopt;
    default:
      return std::nullopt;
  }
  if (over) fail(ARR_E_ARGUMENT, "the integer does not fit in 64 bits");
  return scalar_of(r);
}

}  // namespace

Scalar fold_plain(const OpInfo& info, std::span<const Scalar> args) {
  bool logical = info.out == OpOut::BOOL || info.number == op::bitwise_and || info.number == op::bitwise_or ||
                 info.number == op::bitwise_xor || info.in == OpIn::COND;
  std::vector<Scalar> given;
  bool integers = true;
  for (const Scalar& s : args) {
    bool boolean = s.dtype == DType::bool_;
    given.push_back(boolean && !logical ? as_number(s, DType::int64_) : s);
    integers = integers && given.back().dtype == DType::int64_;
  }
  if (integers && args.size() == 2) {
    if (auto r = fold_whole(info.number, given[0], given[1])) return *r;
    if (info.number == op::power) given[0] = as_number(given[0], DType::float64_);
  }
  ProgramBuilder b;
  int32_t nodes[3] = {};
  for (size_t i = 0; i < given.size(); ++i) nodes[i] = b.scalar(given[i], true);
  b.output(b.op(info.number, {nodes, given.size()}));
  return evaluate(b.finish());
}

}  // namespace arr
