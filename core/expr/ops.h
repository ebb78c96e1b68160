// SPDX-License-Identifier: MIT
// The rows of core/table/ops.def, lookups.def, random.def and reductions.def as data, and the rules for the
// dtypes of results.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "array/dtype.h"

namespace arr {

enum class OpIn : uint8_t { SAME, COND, INT64, OWN, EXACT, TAKE, SEARCH, PLACE, INDEX, STREAM, SEED };
enum class OpOut : uint8_t { SAME, BOOL, REAL, INT32, UINT8, INT64 };
enum class OpLift : uint8_t { NONE, UP, UP_INT, F64, F64_EACH, WIDE };

struct OpInfo {
  int32_t number;
  const char* name;
  int32_t nin;
  OpIn in;
  OpOut out;
  uint32_t domain;  // bits of DKind
  OpLift lift;
  int32_t ulp32, ulp64;
  const char* doc;
  const char* cupy;
  const char* formula;
};

// The operation or internal step with that number; nullptr if there is none.
const OpInfo* op_info(int32_t number) noexcept;
// The operation with that name, and all operations; without look-ups and random numbers, which only programs
// have.
const OpInfo* op_find(std::string_view name) noexcept;
std::span<const OpInfo> all_ops() noexcept;
std::span<const OpInfo> all_inner() noexcept;
inline constexpr int32_t op_limit = 512;  // op numbers are below this

// Two ops of the same operands that are computed together: the rows of core/table/pairs.def.
struct PairInfo {
  int32_t number;  // one of the op numbers
  const char* name;
  int32_t nin;
  int32_t first, second;  // numbers of the ops
  const char *doc, *cupy;
};
const PairInfo* pair_info(int32_t number) noexcept;
const PairInfo* pair_find(std::string_view name) noexcept;
std::span<const PairInfo> all_pairs() noexcept;

// A domain as written in the tables ("BIUFC"), as bits.
constexpr uint32_t domain_bits(std::string_view letters) {
  uint32_t bits = 0;
  for (char c : letters) {
    bits |= c == 'B'   ? domain_bit(DKind::BOOL)
            : c == 'I' ? domain_bit(DKind::INT)
            : c == 'U' ? domain_bit(DKind::UINT)
            : c == 'F' ? domain_bit(DKind::FLOAT)
                       : domain_bit(DKind::COMPLEX);
  }
  return bits;
}
constexpr bool in_domain(uint32_t domain, DType d) { return (domain & domain_bit(kind(d))) != 0; }

// An operand for type resolution: its dtype, or for a weak scalar its kind.
struct OperandType {
  DType dtype = DType::none;
  bool weak = false;
};

// The common dtype of one or more operands, in any order: first of the dtypes, then with the kinds of weak
// scalars.
DType common_type(std::span<const OperandType> operands) noexcept;

struct Signature {
  DType operand = DType::none;  // the dtype of operands that have no fixed one
  DType compute = DType::none;  // T of the formula: `operand`, or usually float32 if that is a 16-bit float
  DType result = DType::none;   // the dtype of the result
};
// The dtype of operand k that does not depend on the others: bool of COND, int64 of INT64, the vector of a
// look-up, the seed of a random number; none: the common dtype.
constexpr DType own_type(const OpInfo& op, size_t k) {
  if (op.in == OpIn::TAKE || op.in == OpIn::PLACE) return k == 0 ? DType::table_ : DType::int64_;
  if (op.in == OpIn::STREAM) return k == 0 ? DType::table_ : DType::int64_;
  if ((op.in == OpIn::SEARCH || op.in == OpIn::INDEX) && k == 0) return DType::table_;
  if (op.in == OpIn::SEED && k == 0) return DType::uint64_;
  if (op.in == OpIn::COND && k == 0) return DType::bool_;
  if (op.in == OpIn::INT64 && k + 1 == static_cast<size_t>(op.nin)) return DType::int64_;
  return DType::none;
}
// True if the operands of an EXACT op are a signed and an unsigned integer that no integer dtype holds. The
// op is then replaced by other ops, see ProgramBuilder.
bool is_mixed(const OpInfo& op, std::span<const OperandType> operands);
// ARR_E_DTYPE if the op is not defined for these dtypes.
Signature resolve(const OpInfo& op, std::span<const OperandType> operands);
// The same for a requested result dtype (none: not requested): the op is computed in the dtype that has this
// result, to which operands are cast by `casting`. ARR_E_DTYPE if there is no such dtype, or an operand
// cannot be cast.
Signature resolve(const OpInfo& op, std::span<const OperandType> operands, DType asked, Casting casting);
// True if such a call casts the operands to the dtype of the computation before promotion.
constexpr bool asks_loop(const OpInfo& op) { return op.out == OpOut::SAME || op.out == OpOut::REAL; }

// The dtypes in which an op is computed, in the order of promotion; operands are cast to one of them.
std::vector<DType> loop_types(const OpInfo& op);

// The dtype of the result as `out` (none: unchanged); ARR_E_DTYPE, naming `argument`, if it cannot be cast.
DType result_type(const Signature& s, DType out, Casting casting, const char* argument);

enum class ReduceKind : uint8_t { VALUE, INDEX, STATE };
enum class ReduceAcc : uint8_t { SAME, SUM, MEAN, REAL, BOOL, COUNT };
enum class ReduceOut : uint8_t { SAME, ACC, REAL, BOOL, INT64, PAIR };
enum class ReduceMap : uint8_t { NONE, NAN_0, NAN_1, ABS, ABS2 };
enum class ReduceForm : uint8_t { PLAIN, CORRECTION, HIDDEN };

struct ReductionInfo {
  int32_t number;
  const char* name;
  ReduceKind kind;
  uint32_t domain;
  ReduceAcc acc;
  ReduceOut out;
  bool empty_ok;
  const char *identity, *combine, *finish;  // formulas
  const char *doc, *cupy;
  ReduceMap map;
  const char* state;  // S of the formulas
  ReduceForm form;
  const char* ufunc;  // the op whose `reduce` this is, or "none"
};
const ReductionInfo* reduction_info(int32_t number) noexcept;
const ReductionInfo* reduction_find(std::string_view name) noexcept;
// The reduction that combines by this op; nullptr if there is none.
const ReductionInfo* reducer_of(const OpInfo& op) noexcept;
std::span<const ReductionInfo> all_reductions() noexcept;
// The reduction whose scan accumulates the op; nullptr if there is none.
const ReductionInfo* accumulator_of(const OpInfo& op) noexcept;
// True if `combine` alone defines a scan: there is no finish, and it reports no indices.
bool makes_scans(const ReductionInfo& reduction) noexcept;
inline constexpr int32_t reduction_limit = 64;  // reduction numbers are below this

struct ReduceTypes {
  DType element =
      DType::none;  // the dtype to which elements are cast first, and in which the row's map is computed
  DType acc = DType::none;     // the dtype of the accumulator, never a 16-bit float
  DType result = DType::none;  // the result of the formula `finish`
  DType out = DType::none;
};
ReduceTypes resolve(const ReductionInfo& reduction, DType in);
// The result type of `finish` for an accumulator of type `acc`.
DType result_type(const ReductionInfo& reduction, DType acc) noexcept;

// The C++ type of a dtype in formulas ("arr_cplx<float>").
const char* cpp_type(DType d) noexcept;

}  // namespace arr
