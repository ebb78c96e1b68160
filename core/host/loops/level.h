// SPDX-License-Identifier: MIT
// What each loops file starts with: the scalar types and functions, in the namespace of the instruction-set
// level it is compiled for (ARR_LEVEL), so that no inline function is shared between levels.
#pragma once

#include "expr/host_math.h"
#include "host/loops/table.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host {
ARR_LEVEL_FILLERS(ARR_LEVEL)
namespace ARR_LEVEL {
// Formulas are written for every type at once: comparisons and conversions that are idle for one of them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include "expr/scalar.h"
//
#include "expr/math.h"
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

// Whether a domain of the tables ("BIUFC") has the kind.
constexpr bool domain_has(const char* domain, Kind kind) {
  for (; *domain != 0; ++domain) {
    if (*domain == "BIUFC"[kind]) return true;
  }
  return false;
}

}  // namespace ARR_LEVEL
}  // namespace arr::host
