// SPDX-License-Identifier: MIT
// Promotion and casts of element types.
#include "array/dtype.h"

namespace arr {

DType dtype_from(int32_t number, const char* argument) {
  if (!is_dtype(number)) fail(ARR_E_DTYPE, "argument ", argument, ": ", number, " is not an element type");
  return static_cast<DType>(number);
}

DType dtype_find(std::string_view name) noexcept {
  struct Alias {
    std::string_view name;
    DType dtype;
  };
  static constexpr Alias aliases[] = {
      {"bool_", DType::bool_},         {"byte", DType::int8_},          {"short", DType::int16_},
      {"intc", DType::int32_},         {"int", DType::int64_},          {"int_", DType::int64_},
      {"intp", DType::int64_},         {"long", DType::int64_},         {"longlong", DType::int64_},
      {"ubyte", DType::uint8_},        {"ushort", DType::uint16_},      {"uintc", DType::uint32_},
      {"uint", DType::uint64_},        {"uintp", DType::uint64_},       {"ulong", DType::uint64_},
      {"ulonglong", DType::uint64_},   {"half", DType::float16_},       {"single", DType::float32_},
      {"float", DType::float64_},      {"double", DType::float64_},     {"csingle", DType::complex64_},
      {"complex", DType::complex128_}, {"cdouble", DType::complex128_},
  };
  for (const DTypeInfo& i : dtype_table) {
    const std::string_view code(i.npy == nullptr ? "" : i.npy);
    if (i.bytes == 0 || i.dtype == DType::table_) continue;
    if (name == i.name || (!code.empty() && (name == code || name == code.substr(1)))) return i.dtype;
  }
  for (const Alias& a : aliases) {
    if (name == a.name) return a.dtype;
  }
  return DType::none;
}

bool can_cast_safely(DType from, DType to) noexcept {
  if (from == to) return true;
  const DTypeInfo &f = info(from), &t = info(to);
  // A complex number holds what its parts hold. A float of b bytes holds integers of less than b bytes, and
  // float64 holds all integers, by NumPy's definition.
  int32_t part = t.kind == DKind::COMPLEX ? t.bytes / 2 : t.bytes;
  switch (t.kind) {
    case DKind::BOOL:
      return false;
    case DKind::INT:
      return f.kind == DKind::BOOL || (f.kind == DKind::INT && f.bytes < t.bytes) ||
             (f.kind == DKind::UINT && f.bytes < t.bytes);
    case DKind::UINT:
      return f.kind == DKind::BOOL || (f.kind == DKind::UINT && f.bytes < t.bytes);
    case DKind::FLOAT:
    case DKind::COMPLEX:
      if (f.kind == DKind::BOOL) return true;
      if (is_integer(from)) return part == 8 || f.bytes < part;
      if (f.kind == DKind::FLOAT) return part > f.bytes || (part == f.bytes && !is_half(from));
      return t.kind == DKind::COMPLEX && f.bytes < t.bytes;
  }
  return false;
}

DType promote(DType a, DType b) noexcept {
  if (can_cast_safely(a, b)) return b;
  if (can_cast_safely(b, a)) return a;
  // If neither holds the other, the first of these that holds both.
  static constexpr DType candidates[] = {DType::int16_,     DType::int32_,   DType::int64_,
                                         DType::float32_,   DType::float64_, DType::complex64_,
                                         DType::complex128_};
  for (DType c : candidates) {
    if (can_cast_safely(a, c) && can_cast_safely(b, c)) return c;
  }
  return DType::complex128_;
}

DType promote_weak(DType other, DKind weak) noexcept {
  DKind k = kind(other);
  switch (weak) {
    case DKind::BOOL:
      return other;
    case DKind::INT:
    case DKind::UINT:
      return k == DKind::BOOL ? DType::int64_ : other;
    case DKind::FLOAT:
      return k == DKind::FLOAT || k == DKind::COMPLEX ? other : DType::float64_;
    case DKind::COMPLEX:
      if (k == DKind::COMPLEX) return other;
      return other == DType::float32_ || is_half(other) ? DType::complex64_ : DType::complex128_;
  }
  return other;
}

bool can_cast(DType from, DType to, Casting casting) noexcept {
  switch (casting) {
    case Casting::no:
    case Casting::equiv:
      return from == to;
    case Casting::safe:
      return can_cast_safely(from, to);
    case Casting::same_kind: {
      if (can_cast_safely(from, to)) return true;
      DKind f = kind(from), t = kind(to);
      return f == t || (f == DKind::UINT && t == DKind::INT) ||
             (is_integer(from) && (t == DKind::FLOAT || t == DKind::COMPLEX)) ||
             (f == DKind::FLOAT && t == DKind::COMPLEX);
    }
    case Casting::unsafe:
      return true;
  }
  return false;
}

}  // namespace arr
