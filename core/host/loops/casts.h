// SPDX-License-Identifier: MIT
// Contiguous conversion loops from one type to every type.
#pragma once

#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"

namespace arr::host::ARR_LEVEL {

template <class From, class To>
void cast_loop(int64_t n, const void* const* in, void* out) {
  if constexpr (row_of<From>::number == row_of<To>::number) {
    if (in[0] != out) __builtin_memcpy(out, in[0], static_cast<size_t>(n) * sizeof(From));
  } else {
    const void* x = in[0];
    To* r = static_cast<To*>(out);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = arr_cast<To>(element<From>(x, i));
  }
}

template <class From>
void fill_casts(LoopTable& t) {
#define ARR_DTYPE(NAME, to, name, type, kind, bytes, npy, dlcode, doc) \
  t.cast[row_of<From>::number][to] = cast_loop<From, type>;
#include "table/dtypes.def"
#undef ARR_DTYPE
}

}  // namespace arr::host::ARR_LEVEL
