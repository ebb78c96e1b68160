// SPDX-License-Identifier: MIT
// Contiguous conversion loops from one type to every type.
#pragma once

#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"

namespace arr::host::ARR_LEVEL {

template <class To, class From>
ARR_FN To converted(From x) {
  return arr_cast<To>(x);
}
#ifndef __AVX512DQ__
// The level has no vector instruction that converts 64-bit integers. The two 32-bit halves become the
// fractions of 2^84 and 2^52, whose last bits stand for 2^32 and 1, so that only the sum rounds.
ARR_FN double split_sum(unsigned long long high, unsigned long long x, double offset) {
  const unsigned long long low = (x & 0xffffffffULL) | 0x4330000000000000ULL;
  return (__builtin_bit_cast(double, high | 0x4530000000000000ULL) - offset) +
         __builtin_bit_cast(double, low);
}
template <>
ARR_FN double converted<double>(unsigned long long x) {
  return split_sum(x >> 32, x, 0x1.00000001p84);
}
// Adds 2^63 before the conversion and subtracts it after.
template <>
ARR_FN double converted<double>(long long x) {
  const unsigned long long bits = static_cast<unsigned long long>(x) ^ 0x8000000000000000ULL;
  return split_sum(bits >> 32, bits, 0x1.00000001p84 + 0x1p63);
}
#endif

template <class From, class To>
void cast_loop(int64_t n, const void* const* in, void* out) {
  if constexpr (row_of<From>::number == row_of<To>::number) {
    if (in[0] != out) __builtin_memcpy(out, in[0], static_cast<size_t>(n) * sizeof(From));
  } else if constexpr (row_of<From>::kind == BOOL) {
    // First bytes of 0 and 1: compilers make vectors of both steps, but not of both in one.
    constexpr int64_t part = 1024;
    bool bools[part];
    const void* bytes = bools;
    for (int64_t i = 0; i < n; i += part) {
      const int64_t some = n - i < part ? n - i : part;
      const void* from = static_cast<const unsigned char*>(in[0]) + i;
      cast_loop<unsigned char, bool>(some, &from, bools);
      cast_loop<unsigned char, To>(some, &bytes, static_cast<To*>(out) + i);
    }
  } else {
    const void* x = in[0];
    To* r = static_cast<To*>(out);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = converted<To>(element<From>(x, i));
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
