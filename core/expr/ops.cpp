// SPDX-License-Identifier: MIT
// The tables of ops and the rules for the dtypes of their results.
#include "expr/ops.h"

#include "expr/op_numbers.h"

#include <array>

namespace arr {

namespace {

constexpr OpInfo ops[] = {
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...) \
  {number,       #name, nin,   OpIn::in, OpOut::out, domain_bits(#domain),             \
   OpLift::lift, ulp32, ulp64, doc,      cupy,       #__VA_ARGS__},
#include "table/ops.def"
#undef ARR_OP
#define ARR_LOOKUP(number, name, in, out, domain, doc, ...) \
  {number, #name, 2, OpIn::in, OpOut::out, domain_bits(#domain), OpLift::NONE, 0, 0, doc, "", #__VA_ARGS__},
#include "table/lookups.def"
#undef ARR_LOOKUP
#define ARR_RANDOM(number, name, nin, in, out, domain, doc, ...) \
  {number, #name, nin, OpIn::in, OpOut::out, domain_bits(#domain), OpLift::NONE, 0, 0, doc, "", #__VA_ARGS__},
#include "table/random.def"
#undef ARR_RANDOM
};
constexpr size_t inner_count = 0
#define ARR_LOOKUP(...) +1
#include "table/lookups.def"
#undef ARR_LOOKUP
#define ARR_RANDOM(...) +1
#include "table/random.def"
#undef ARR_RANDOM
    ;
constexpr size_t op_count = std::size(ops) - inner_count;

constexpr PairInfo pairs[] = {
#define ARR_PAIR(number, name, nin, first, second, out1, out2, doc, cupy) \
  {number, #name, nin, op::first, op::second, doc, cupy},
#include "table/pairs.def"
#undef ARR_PAIR
};

constexpr auto by_number = [] {
  std::array<int16_t, op_limit> t{};
  for (auto& e : t) e = -1;
  for (size_t i = 0; i < std::size(ops); ++i) t[static_cast<size_t>(ops[i].number)] = static_cast<int16_t>(i);
  return t;
}();

constexpr bool numbers_are_unique() {
  for (size_t i = 0; i < std::size(ops); ++i) {
    if (by_number[static_cast<size_t>(ops[i].number)] != static_cast<int16_t>(i)) return false;
  }
  return true;
}
static_assert(numbers_are_unique(), "the tables of ops use a number twice");

constexpr bool pairs_are_sound() {
  for (const PairInfo& p : pairs) {
    const OpInfo& first = ops[by_number[static_cast<size_t>(p.first)]];
    const OpInfo& second = ops[by_number[static_cast<size_t>(p.second)]];
    if (p.number >= op_limit || by_number[static_cast<size_t>(p.number)] >= 0) return false;
    if (first.nin != p.nin || second.nin != p.nin || first.domain != second.domain) return false;
    if (first.lift != second.lift || first.in != OpIn::SAME || second.in != OpIn::SAME) return false;
  }
  return true;
}
static_assert(pairs_are_sound(), "core/table/pairs.def: a number of an op, or two ops that do not match");

// The smallest type of the domain that safely holds d.
DType lift_up(uint32_t domain, DType d) {
  static constexpr DType ladder[] = {DType::int8_,    DType::int16_,     DType::int32_,
                                     DType::int64_,   DType::float16_,   DType::float32_,
                                     DType::float64_, DType::complex64_, DType::complex128_};
  for (DType candidate : ladder) {
    if (in_domain(domain, candidate) && can_cast_safely(d, candidate)) return candidate;
  }
  return DType::none;
}

// Ranks of kinds: bool, integers, floats, complex. A higher kind can hold the values of a lower one.
int32_t rank(DType d) noexcept {
  switch (kind(d)) {
    case DKind::BOOL:
      return 0;
    case DKind::INT:
    case DKind::UINT:
      return 1;
    case DKind::FLOAT:
      return 2;
    case DKind::COMPLEX:
      return 3;
  }
  return 0;
}

// NumPy's rule for several dtypes: those of the highest rank are promoted first, and each of the others with
// them, not with the result of two others: int16 and uint16 beside float32 need no float64.
DType common_strong(std::span<const OperandType> operands) noexcept {
  DType lead = DType::none;
  bool alone = true;
  for (const OperandType& o : operands) {
    if (o.weak || o.dtype == lead) continue;
    alone = lead == DType::none;
    if (alone || rank(o.dtype) > rank(lead)) {
      lead = o.dtype;
    } else if (rank(o.dtype) == rank(lead)) {
      lead = promote(lead, o.dtype);
    }
  }
  if (alone) return lead;
  DType all = lead;
  for (const OperandType& o : operands) {
    if (!o.weak) all = promote(all, promote(lead, o.dtype));
  }
  return all;
}

// The common dtype of the operands that have no fixed one. For an op that has only floats, each integer is
// converted separately, as NumPy looks for the first loop that holds them all: int8 and uint8 both fit
// float16, although their common dtype would become float32. With F64_EACH integers become float64 even
// beside other dtypes.
DType common_type(const OpInfo& op, std::span<const OperandType> operands) {
  std::array<OperandType, 3> common;
  size_t n = 0;
  bool each = op.lift == OpLift::UP && !in_domain(op.domain, DType::int64_);
  for (size_t k = 0; k < operands.size(); ++k) {
    if (own_type(op, k) != DType::none) continue;
    each = each && !operands[k].weak && is_integer_or_bool(operands[k].dtype);
    common.at(n++) = operands[k];
  }
  const std::span<OperandType> among(common.data(), n);
  for (OperandType& o : among) {
    if (each) o.dtype = lift_up(op.domain, o.dtype);
    if (op.lift == OpLift::F64_EACH && !o.weak && is_integer_or_bool(o.dtype)) o.dtype = DType::float64_;
  }
  return common_type(std::span<const OperandType>(among));
}

// The dtype of the domain in which an operand of type t is computed, or none.
DType lift(const OpInfo& op, DType t) {
  if (op.lift == OpLift::WIDE) return is_complex(t) ? DType::complex128_ : DType::float64_;
  if (in_domain(op.domain, t)) return t;
  if (op.lift == OpLift::UP_INT && t == DType::bool_) t = DType::int64_;
  if (op.lift == OpLift::UP || op.lift == OpLift::UP_INT) return lift_up(op.domain, t);
  const bool wide = op.lift == OpLift::F64 || op.lift == OpLift::F64_EACH;
  return wide && is_integer_or_bool(t) ? DType::float64_ : DType::none;
}

DType result_type(const OpInfo& op, DType t) {
  switch (op.out) {
    case OpOut::SAME:
      return t;
    case OpOut::BOOL:
      return DType::bool_;
    case OpOut::REAL:
      return real_type(t);
    case OpOut::INT32:
      return DType::int32_;
    case OpOut::UINT8:
      return DType::uint8_;
    case OpOut::INT64:
      return DType::int64_;
  }
  return t;
}

}  // namespace

DType common_type(std::span<const OperandType> operands) noexcept {
  DType common = common_strong(operands);
  for (const OperandType& o : operands) {
    if (!o.weak) continue;
    // Only weak scalars: their default dtypes, bool, int64, float64, complex128.
    common = common == DType::none ? o.dtype : promote_weak(common, kind(o.dtype));
  }
  return common;
}

const OpInfo* op_info(int32_t number) noexcept {
  if (number < 0 || number >= op_limit || by_number[static_cast<size_t>(number)] < 0) return nullptr;
  return &ops[by_number[static_cast<size_t>(number)]];
}

const OpInfo* op_find(std::string_view name) noexcept {
  for (const OpInfo& o : all_ops()) {
    if (name == o.name) return &o;
  }
  return nullptr;
}

std::span<const OpInfo> all_ops() noexcept { return {ops, op_count}; }
std::span<const OpInfo> all_inner() noexcept { return {ops + op_count, inner_count}; }

const PairInfo* pair_info(int32_t number) noexcept {
  for (const PairInfo& p : pairs) {
    if (p.number == number) return &p;
  }
  return nullptr;
}

const PairInfo* pair_find(std::string_view name) noexcept {
  for (const PairInfo& p : pairs) {
    if (name == p.name) return &p;
  }
  return nullptr;
}

std::span<const PairInfo> all_pairs() noexcept { return pairs; }

bool is_mixed(const OpInfo& op, std::span<const OperandType> operands) {
  if (op.in != OpIn::EXACT || operands.size() != 2 || operands[0].weak || operands[1].weak) return false;
  DKind a = kind(operands[0].dtype), b = kind(operands[1].dtype);
  bool signs = (a == DKind::INT && b == DKind::UINT) || (a == DKind::UINT && b == DKind::INT);
  return signs && is_floating(promote(operands[0].dtype, operands[1].dtype));
}

std::vector<DType> loop_types(const OpInfo& op) {
  static constexpr DType order[] = {DType::bool_,    DType::int8_,      DType::uint8_,     DType::int16_,
                                    DType::uint16_,  DType::int32_,     DType::uint32_,    DType::int64_,
                                    DType::uint64_,  DType::float16_,   DType::bfloat16_,  DType::float32_,
                                    DType::float64_, DType::complex64_, DType::complex128_};
  std::vector<DType> types;
  for (DType d : order) {
    if (lift(op, d) == d) types.push_back(d);
  }
  return types;
}

Signature resolve(const OpInfo& op, std::span<const OperandType> operands) {
  DType given = common_type(op, operands);
  DType t = lift(op, given);
  if (t == DType::none) fail(ARR_E_DTYPE, "argument x: ", op.name, " is not defined for ", name(given));
  for (size_t k = 0; k < operands.size(); ++k) {
    const DType d = operands[k].dtype;
    const bool plain = operands[k].weak && kind(d) == DKind::UINT;  // and must fit
    if (own_type(op, k) != DType::int64_ || plain || can_cast_safely(d, DType::int64_)) continue;
    fail(ARR_E_DTYPE, "argument ", "xyz"[k], ": ", op.name, " takes integers there, got ", name(d));
  }
  Signature s;
  s.operand = t;
  s.compute = op.in == OpIn::OWN ? t : compute_type(t);
  s.result = result_type(op, t);
  return s;
}

namespace {

// The dtype in which an op is computed so that its result has type `asked`; none if there is none.
DType loop_of(const OpInfo& op, std::span<const OperandType> operands, DType asked) {
  if (op.out == OpOut::SAME) return lift(op, asked) == asked ? asked : DType::none;
  // Complex operands stay complex if the result can be the real dtype of their parts.
  const bool complex = is_complex(common_type(op, operands));
  if (complex && asked == DType::float32_) return DType::complex64_;
  if (complex && asked == DType::float64_) return DType::complex128_;
  return !is_complex(asked) && lift(op, asked) == asked ? asked : DType::none;
}

}  // namespace

Signature resolve(const OpInfo& op, std::span<const OperandType> operands, DType asked, Casting casting) {
  if (asked == DType::none) return resolve(op, operands);
  if (!asks_loop(op)) {
    const Signature s = resolve(op, operands);
    if (s.result == asked) return s;
  }
  const DType t = asks_loop(op) ? loop_of(op, operands, asked) : DType::none;
  if (t == DType::none) {
    fail(ARR_E_DTYPE, "argument options: dtype ", name(asked), ": ", op.name, " has no result of that type");
  }
  std::array<OperandType, 3> cast;
  for (size_t k = 0; k < operands.size(); ++k) {
    const OperandType& o = operands[k];
    cast.at(k) = o;
    if (own_type(op, k) != DType::none) continue;
    const bool fits = o.weak && promote_weak(t, kind(o.dtype)) == t;
    if (!fits && !can_cast(o.dtype, t, casting)) {
      fail(ARR_E_DTYPE, "argument options: dtype ", name(asked), ": operand ", k, " is ", name(o.dtype),
           ", which does not cast to ", name(t), " within the casting rule");
    }
    cast.at(k) = {t, false};
  }
  return resolve(op, std::span<const OperandType>(cast.data(), operands.size()));
}

DType result_type(const Signature& s, DType out, Casting casting, const char* argument) {
  if (out == DType::none || out == s.result) return s.result;
  if (!can_cast(s.result, out, casting)) {
    fail(ARR_E_DTYPE, "argument ", argument, ": the result is ", name(s.result), ", which does not cast to ",
         name(out), " within the casting rule");
  }
  return out;
}

const char* cpp_type(DType d) noexcept {
  switch (d) {
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) \
  case DType::name##_:                                                     \
    return #type;
#include "table/dtypes.def"
#undef ARR_DTYPE
    case DType::table_:
      return "arr_table";
    case DType::none:
      break;
  }
  return "void";
}

}  // namespace arr
