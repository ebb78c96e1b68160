// SPDX-License-Identifier: MIT
// Included first by each file of loops: the scalar types and functions, in the namespace of the
// instruction-set level (ARR_LEVEL), so that levels do not share inline functions.
#pragma once

#include "math/host_math.h"
//
#include "host/loops/table.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host {
ARR_LEVEL_FILLERS(ARR_LEVEL)
namespace ARR_LEVEL {
// Formulas are templates for every type, so some comparisons and conversions do nothing for some types.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "math/elementary.h"
//
#include "math/complex.h"
//
#include "math/bessel.h"
//
#include "math/special.h"
//
#include "math/lookup.h"
#pragma GCC diagnostic pop

enum Kind : unsigned { BOOL, INT, UINT, FLOAT, COMPLEX };

// The row of core/table/dtypes.def of a scalar type.
template <class T>
struct row_of;
#define ARR_DTYPE(NAME, number_, name, type, kind_, bytes, npy, dlcode, doc) \
  template <>                                                                \
  struct row_of<type> {                                                      \
    static constexpr int number = number_;                                   \
    static constexpr Kind kind = kind_;                                      \
  };
#include "table/dtypes.def"
#undef ARR_DTYPE

// The type that elements are read as. A bool is read as a byte: any byte but 0 is true, and bytes vectorise
// together with wider types.
template <class T>
struct stored {
  typedef T type;
  ARR_FN static T value(T x) { return x; }
};
template <>
struct stored<bool> {
  typedef unsigned char type;
  ARR_FN static bool value(unsigned char x) { return x != 0; }
};
template <class T>
ARR_FN T element(const void* data, int64_t i) {
  return stored<T>::value(static_cast<const typename stored<T>::type*>(data)[i]);
}

// 16-bit floats, which most ops compute in float32.
template <class T>
constexpr bool is_half = false;
template <>
inline constexpr bool is_half<arr_half> = true;
template <>
inline constexpr bool is_half<arr_bfloat> = true;

// True if a domain of the tables (letters of "BIUFC") contains the kind.
constexpr bool domain_has(const char* domain, Kind kind) {
  for (; *domain != 0; ++domain) {
    if (*domain == "BIUFC"[kind]) return true;
  }
  return false;
}

}  // namespace ARR_LEVEL
}  // namespace arr::host
