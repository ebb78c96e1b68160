// SPDX-License-Identifier: MIT
// Element types: properties from core/table/dtypes.def, promotion (NumPy 2, NEP 50), casting rules.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace arr {

enum class DType : int32_t {
  none = 0,
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) name##_ = number,
#include "table/dtypes.def"
#undef ARR_DTYPE
  table_ = 16,  // a look-up vector as an operand of a program (core/table/lookups.def); no array has it
};
inline constexpr int32_t dtype_limit = 16;  // numbers of element types are below this

// Kinds in promotion order, and as bits for domains of operations.
enum class DKind : uint8_t { BOOL, INT, UINT, FLOAT, COMPLEX };
inline constexpr uint32_t domain_bit(DKind kind) { return 1U << static_cast<uint32_t>(kind); }

struct DTypeInfo {
  DType dtype;
  const char* name;  // "float32"
  DKind kind;
  int32_t bytes;
  const char* npy;  // "<f4"; "" if .npy has no such type
  uint8_t dlpack;   // DLPack type code
};

inline constexpr std::array<DTypeInfo, dtype_limit + 1> dtype_table = [] {
  std::array<DTypeInfo, dtype_limit + 1> t{};
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) \
  t[number] = {DType::name##_, #name, DKind::kind, bytes, npy, dlcode};
#include "table/dtypes.def"
#undef ARR_DTYPE
  t[dtype_limit] = {DType::table_, "table", DKind::UINT, 16, nullptr, 0};  // an address and a length
  return t;
}();

constexpr bool is_dtype(int32_t number) noexcept {
  return number > 0 && number < dtype_limit && dtype_table[static_cast<size_t>(number)].bytes != 0;
}
constexpr const DTypeInfo& info(DType d) noexcept { return dtype_table[static_cast<size_t>(d)]; }
constexpr int64_t item_size(DType d) noexcept { return info(d).bytes; }
constexpr const char* name(DType d) noexcept { return info(d).name; }
constexpr DKind kind(DType d) noexcept { return info(d).kind; }
constexpr bool is_complex(DType d) noexcept { return kind(d) == DKind::COMPLEX; }
constexpr bool is_floating(DType d) noexcept { return kind(d) == DKind::FLOAT; }
constexpr bool is_integer(DType d) noexcept { return kind(d) == DKind::INT || kind(d) == DKind::UINT; }
constexpr bool is_integer_or_bool(DType d) noexcept { return is_integer(d) || kind(d) == DKind::BOOL; }
// float16 and bfloat16 are stored; programs compute them in float32.
constexpr bool is_half(DType d) noexcept { return d == DType::float16_ || d == DType::bfloat16_; }
constexpr DType compute_type(DType d) noexcept { return is_half(d) ? DType::float32_ : d; }
constexpr DType real_type(DType d) noexcept {
  return d == DType::complex64_ ? DType::float32_ : d == DType::complex128_ ? DType::float64_ : d;
}

// Number of bits of a float's fraction, without the leading 1, and of its exponent.
struct FloatFormat {
  int32_t fraction, exponent;
};
constexpr FloatFormat float_format(DType d) noexcept {
  switch (d) {
    case DType::float16_:
      return {10, 5};
    case DType::bfloat16_:
      return {7, 8};
    case DType::float32_:
      return {23, 8};
    default:
      return {52, 11};
  }
}

// The dtype of a name, also of NumPy's other names and short codes; none for an unknown name.
DType dtype_find(std::string_view name) noexcept;

// The dtype with a number given by the caller; ARR_E_DTYPE with `argument` in the text if there is none.
DType dtype_from(int32_t number, const char* argument = "dtype");

// True if `to` holds every value of `from` exactly; int64 to float64 is included, as in NumPy's "safe".
bool can_cast_safely(DType from, DType to) noexcept;

// NumPy's promote_types. bfloat16 behaves like float16; float16 and bfloat16 promote to float32.
DType promote(DType a, DType b) noexcept;

// The dtype that a weak scalar of kind `weak` (BOOL, INT, FLOAT, COMPLEX) takes beside `other` (NEP 50).
DType promote_weak(DType other, DKind weak) noexcept;

// Casting rules of arr_astype and of results written into an array.
enum class Casting : int32_t { same_kind = 0, no = 1, equiv = 2, safe = 3, unsafe = 4 };
bool can_cast(DType from, DType to, Casting casting) noexcept;

}  // namespace arr
