// SPDX-License-Identifier: MIT
// Compacts eight elements by the bits of a byte, with the shuffles of an instruction-set level.
#pragma once

#include <cstdint>

#if defined(__SSE4_1__)
#include <immintrin.h>
#endif

#include "host/loops/indexing/mask_bits.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host::ARR_LEVEL {

namespace {

struct Item16 {
  uint64_t lo, hi;
};

// Tables with an entry for each byte of bits, in the bytes of a number: the positions of the set bits in
// order; and for each bit the number of set bits below it.
struct ByteTables {
  uint64_t set[256], below[256];
  constexpr ByteTables() : set(), below() {
    for (uint32_t m = 0; m < 256; ++m) {
      uint32_t n = 0;
      for (uint32_t bit = 0; bit < 8; ++bit) {
        below[m] |= static_cast<uint64_t>(n) << (8 * bit);
        if ((m >> bit & 1U) != 0) set[m] |= static_cast<uint64_t>(bit) << (8 * n++);
      }
    }
  }
};
constexpr ByteTables byte_tables;

int64_t count(uint64_t word) { return __builtin_popcountll(word); }

#if defined(__SSE4_1__)
__m128i load_bytes(uint64_t bytes) { return _mm_cvtsi64_si128(static_cast<int64_t>(bytes)); }
__m128i load16(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
void store16(void* at, __m128i x) { _mm_storeu_si128(static_cast<__m128i*>(at), x); }
#endif

// compact: writes the elements of x whose bits are set to `to`, followed by arbitrary ones up to 8. spread:
// writes the next values to the elements of x whose bits are set; the others are unchanged.
template <class T>
struct Lanes {
  static void compact(uint32_t m, const T* x, T* to) {
    for (uint32_t i = 0; i < 8; ++i) {
      *to = x[i];
      to += m >> i & 1U;
    }
  }
  static void spread(uint32_t m, const T* values, T* x) {
    for (uint32_t i = 0; i < 8; ++i) {
      x[i] = (m >> i & 1U) != 0 ? *values : x[i];
      values += m >> i & 1U;
    }
  }
};

#if defined(__SSE4_1__)

// Sets all bits of byte i if bit i is set.
__m128i byte_mask(uint32_t m) {
  const __m128i bit = _mm_set1_epi64x(static_cast<int64_t>(0x8040201008040201ULL));
  return _mm_cmpeq_epi8(_mm_and_si128(_mm_set1_epi8(static_cast<char>(m)), bit), bit);
}
// Indices of the bytes of 2-byte elements, from those of the elements.
__m128i pairs(__m128i elements) {
  const __m128i low = _mm_add_epi8(elements, elements);
  return _mm_unpacklo_epi8(low, _mm_add_epi8(low, _mm_set1_epi8(1)));
}

template <>
struct Lanes<uint8_t> {
  static void compact(uint32_t m, const uint8_t* x, uint8_t* to) {
    const __m128i all = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(all, load_bytes(byte_tables.set[m])));
  }
  static void spread(uint32_t m, const uint8_t* values, uint8_t* x) {
    const __m128i all = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(values)),
                  old = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x)),
                  next = _mm_shuffle_epi8(all, load_bytes(byte_tables.below[m]));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(x), _mm_blendv_epi8(old, next, byte_mask(m)));
  }
};

template <>
struct Lanes<uint16_t> {
  static void compact(uint32_t m, const uint16_t* x, uint16_t* to) {
    store16(to, _mm_shuffle_epi8(load16(x), pairs(load_bytes(byte_tables.set[m]))));
  }
  static void spread(uint32_t m, const uint16_t* values, uint16_t* x) {
    const __m128i next = _mm_shuffle_epi8(load16(values), pairs(load_bytes(byte_tables.below[m]))),
                  mask = byte_mask(m);
    store16(x, _mm_blendv_epi8(load16(x), next, _mm_unpacklo_epi8(mask, mask)));
  }
};

#endif

#if defined(__AVX512F__)

template <>
struct Lanes<uint32_t> {
  static void compact(uint32_t m, const uint32_t* x, uint32_t* to) {
    const auto mask = static_cast<__mmask8>(m);
    _mm256_storeu_epi32(to, _mm256_maskz_compress_epi32(mask, _mm256_loadu_epi32(x)));
  }
  static void spread(uint32_t m, const uint32_t* values, uint32_t* x) {
    const auto mask = static_cast<__mmask8>(m);
    _mm256_storeu_epi32(x, _mm256_mask_expand_epi32(_mm256_loadu_epi32(x), mask, _mm256_loadu_epi32(values)));
  }
};

template <>
struct Lanes<uint64_t> {
  static void compact(uint32_t m, const uint64_t* x, uint64_t* to) {
    const auto mask = static_cast<__mmask8>(m);
    _mm512_storeu_epi64(to, _mm512_maskz_compress_epi64(mask, _mm512_loadu_epi64(x)));
  }
  static void spread(uint32_t m, const uint64_t* values, uint64_t* x) {
    const auto mask = static_cast<__mmask8>(m);
    _mm512_storeu_epi64(x, _mm512_mask_expand_epi64(_mm512_loadu_epi64(x), mask, _mm512_loadu_epi64(values)));
  }
};

#elif defined(__AVX2__)

__m256i load32(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
void store32(void* at, __m256i x) { _mm256_storeu_si256(static_cast<__m256i*>(at), x); }
__m256i lanes_of(uint64_t bytes) { return _mm256_cvtepu8_epi32(load_bytes(bytes)); }

template <>
struct Lanes<uint32_t> {
  static void compact(uint32_t m, const uint32_t* x, uint32_t* to) {
    store32(to, _mm256_permutevar8x32_epi32(load32(x), lanes_of(byte_tables.set[m])));
  }
  static void spread(uint32_t m, const uint32_t* values, uint32_t* x) {
    const __m256i next = _mm256_permutevar8x32_epi32(load32(values), lanes_of(byte_tables.below[m]));
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128),
                  mask =
                      _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(m)), bit), bit);
    store32(x, _mm256_blendv_epi8(load32(x), next, mask));
  }
};

// Halves of 4 elements, each with two lanes.
template <>
struct Lanes<uint64_t> {
  static __m256i halves(uint64_t bytes) {
    const __m128i low = pairs(load_bytes(bytes));  // bytes 2 i and 2 i + 1
    return _mm256_cvtepu8_epi32(low);
  }
  static void compact(uint32_t m, const uint64_t* x, uint64_t* to) {
    const uint32_t low = m & 15U, high = m >> 4U;
    store32(to, _mm256_permutevar8x32_epi32(load32(x), halves(byte_tables.set[low])));
    store32(to + count(low), _mm256_permutevar8x32_epi32(load32(x + 4), halves(byte_tables.set[high])));
  }
  static void spread_half(uint32_t m, const uint64_t* values, uint64_t* x) {
    const __m256i next = _mm256_permutevar8x32_epi32(load32(values), halves(byte_tables.below[m]));
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8),
                  mask = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(m), bit), bit);
    store32(x, _mm256_blendv_epi8(load32(x), next, mask));
  }
  static void spread(uint32_t m, const uint64_t* values, uint64_t* x) {
    spread_half(m & 15U, values, x);
    spread_half(m >> 4U, values + count(m & 15U), x + 4);
  }
};

#elif defined(__SSE4_1__)

// Quarters of 4 bytes each in a vector.
template <>
struct Lanes<uint32_t> {
  static __m128i quarters(uint64_t bytes) {
    const __m128i elements = _mm_cvtepu8_epi32(load_bytes(bytes));
    const __m128i scaled = _mm_mullo_epi32(elements, _mm_set1_epi32(0x04040404));
    return _mm_add_epi8(scaled, _mm_set1_epi32(0x03020100));
  }
  static void compact(uint32_t m, const uint32_t* x, uint32_t* to) {
    const uint32_t low = m & 15U, high = m >> 4U;
    store16(to, _mm_shuffle_epi8(load16(x), quarters(byte_tables.set[low])));
    store16(to + count(low), _mm_shuffle_epi8(load16(x + 4), quarters(byte_tables.set[high])));
  }
  static void spread_half(uint32_t m, const uint32_t* values, uint32_t* x) {
    const __m128i next = _mm_shuffle_epi8(load16(values), quarters(byte_tables.below[m]));
    const __m128i bit = _mm_setr_epi32(1, 2, 4, 8),
                  mask = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(m)), bit), bit);
    store16(x, _mm_blendv_epi8(load16(x), next, mask));
  }
  static void spread(uint32_t m, const uint32_t* values, uint32_t* x) {
    spread_half(m & 15U, values, x);
    spread_half(m >> 4U, values + count(m & 15U), x + 4);
  }
};

#endif

// The positions of a byte's set bits, counted from `first`: 8 numbers, of which the first ones are valid.
#if defined(__AVX512F__)
void put_indices(uint32_t m, int64_t first, int64_t* to) {
  const __m512i at =
      _mm512_maskz_cvtepu8_epi64(0xff, load_bytes(byte_tables.set[m]));  // initialised entirely
  _mm512_storeu_epi64(to, _mm512_add_epi64(at, _mm512_set1_epi64(first)));
}
#elif defined(__AVX2__)
void put_indices(uint32_t m, int64_t first, int64_t* to) {
  const __m128i at = load_bytes(byte_tables.set[m]);
  const __m256i base = _mm256_set1_epi64x(first);
  store32(to, _mm256_add_epi64(_mm256_cvtepu8_epi64(at), base));
  store32(to + 4, _mm256_add_epi64(_mm256_cvtepu8_epi64(_mm_srli_epi64(at, 32)), base));
}
#else
void put_indices(uint32_t m, int64_t first, int64_t* to) {
  uint64_t at = byte_tables.set[m];
  for (int64_t i = 0; i < 8; ++i, at >>= 8) to[i] = first + static_cast<int64_t>(at & 255U);
}
#endif
#if defined(__AVX2__)
void put_indices(uint32_t m, uint32_t first, uint32_t* to) {
  const __m256i at = _mm256_cvtepu8_epi32(load_bytes(byte_tables.set[m]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm256_add_epi32(at, _mm256_set1_epi32(static_cast<int>(first))));
}
#else
void put_indices(uint32_t m, uint32_t first, uint32_t* to) {
  uint64_t at = byte_tables.set[m];
  for (int64_t i = 0; i < 8; ++i, at >>= 8) to[i] = first + static_cast<uint32_t>(at & 255U);
}
#endif

}  // namespace

}  // namespace arr::host::ARR_LEVEL
