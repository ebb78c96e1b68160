// SPDX-License-Identifier: MIT
// Quicksort of integers by vectors. A vector is reordered by a comparison with the pivot, smaller integers
// first, and stored twice: up from the beginning of the array, and down from the end of another one. Networks
// sort short segments.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#if defined(__SSE4_1__)
#include <immintrin.h>
#endif

#include "host/loops/sorting/networks.h"

namespace arr::host::ARR_LEVEL {

namespace {

// For each mask of L bits the order of L elements with those whose bits are set first, as indices of units,
// of which an element has `each`.
template <int64_t L, int64_t Each>
struct Orders {
  alignas(64) uint8_t units[size_t{1} << L][static_cast<size_t>(L * Each)] = {};
  constexpr Orders() {
    for (int mask = 0; mask < 1 << L; ++mask) {
      int n = 0;
      for (const int set : {1, 0}) {
        for (int i = 0; i < L; ++i) {
          if ((mask >> i & 1) != set) continue;
          for (int k = 0; k < Each; ++k) units[mask][n++] = static_cast<uint8_t>(i * Each + k);
        }
      }
    }
  }
};

// Vectors of integers that are compared with a pivot, and reordered by the result.
template <class U>
struct Lanes {
  static constexpr int64_t L = std::min<int64_t>(8, vector_bytes / static_cast<int64_t>(sizeof(U)));
  using V = Vector<U, L>;
  static constexpr uint32_t all = (uint32_t{1} << L) - 1;

  static V load(const U* x) { return *reinterpret_cast<const V*>(x); }
  static void store(V v, U* x) { *reinterpret_cast<V*>(x) = v; }
  // A bit for each integer less than the pivot.
  static uint32_t below(V v, U pivot) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64) {
      return _mm512_cmplt_epu64_mask((__m512i)v, _mm512_set1_epi64(static_cast<int64_t>(pivot)));
    }
#endif
    using S = std::make_signed_t<U>;
    constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    const auto less = (Vector<S, L>)(v ^ top) < static_cast<S>(pivot ^ top);
    return bits((V)less);
  }
  // Integers whose bits are set come first.
  static V reorder(V v, uint32_t mask) {
    const uint8_t* order = orders.units[mask];
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64) {
      // Masked, because the results of the others are not initialised according to GCC.
      const __m512i from = _mm512_maskz_cvtepu8_epi64(0xff, half_bytes(order));
      return (V)_mm512_maskz_permutexvar_epi64(0xff, from, (__m512i)v);
    }
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32) {
      return (V)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(half_bytes(order)));
    }
#endif
#if defined(__SSE4_1__)
    if constexpr (sizeof(V) == 16) return (V)_mm_shuffle_epi8((__m128i)v, bytes(order));
    if constexpr (sizeof(V) == 8) {
      return (V)_mm_cvtsi128_si64(_mm_shuffle_epi8(_mm_cvtsi64_si128((int64_t)v), half_bytes(order)));
    }
#endif
    alignas(64) uint8_t from[sizeof(V)], to[sizeof(V)];
    *reinterpret_cast<V*>(from) = v;
    for (size_t i = 0; i < sizeof(V); ++i) to[i] = from[order[i]];
    return *reinterpret_cast<const V*>(to);
  }

 private:
  static constexpr int64_t unit = sizeof(V) <= 16 ? 1 : sizeof(V) / 8;
  static constexpr Orders<L, static_cast<int64_t>(sizeof(U)) / unit> orders = {};

#if defined(__SSE4_1__)
  static __m128i bytes(const uint8_t* x) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(x)); }
  static __m128i half_bytes(const uint8_t* x) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x)); }
#endif
  // The leading bit of each lane.
  static uint32_t bits(V v) {
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32) {
      return static_cast<uint32_t>(sizeof(U) == 4 ? _mm256_movemask_ps((__m256)v)
                                                  : _mm256_movemask_pd((__m256d)v));
    }
#endif
#if defined(__SSE4_1__)
    if constexpr (sizeof(V) == 8)
      return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cvtsi64_si128((int64_t)v)));
    if constexpr (sizeof(V) == 16) {
      if constexpr (sizeof(U) == 2) {
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128())));
      } else {
        return static_cast<uint32_t>(sizeof(U) == 4 ? _mm_movemask_ps((__m128)v)
                                                    : _mm_movemask_pd((__m128d)v));
      }
    }
#endif
    uint32_t all_bits = 0;
    for (int64_t i = 0; i < L; ++i) all_bits |= static_cast<uint32_t>(v[i] >> (8 * sizeof(U) - 1)) << i;
    return all_bits;
  }
};

template <class U, class S>
struct Quicksort {
  using P = Lanes<U>;
  using N = NetworkLoops<U, S>;
  static constexpr int64_t L = P::L;
  static constexpr int64_t cached = (int64_t{1} << 16) / static_cast<int64_t>(sizeof(U)),
                           ahead = 2048 / static_cast<int64_t>(sizeof(U));

  // Moves the m integers below the pivot to x[0], ... x[m - 1], the others to other[m], ... other[n - 1].
  // Returns m.
  static int64_t divide(int64_t n, U* x, U pivot, U* other) {
    U *low = x, *high = other + n;
    if (n < 2 * L) {
      for (int64_t i = 0; i < n; ++i) {
        U* const to = x[i] < pivot ? low++ : --high;
        *to = x[i];
      }
      return low - x;
    }
    const auto put = [&](typename P::V v, uint32_t below, int64_t count) {
      const auto to = P::reorder(v, below);
      const int64_t less = std::popcount(below) - (L - count);
      P::store(to, low);
      P::store(to, high - L);
      low += less;
      high -= count - less;
    };
    // The first vector has only the integers that do not fill one. Its others count as smaller, and are
    // overwritten.
    const int64_t some = (n - 1) % L + 1;
    const auto first = P::load(x), second = P::load(x + some);
    put(first, P::below(first, pivot) | (P::all << some & P::all), some);
    put(second, P::below(second, pivot), L);
    int64_t i = some + L;
    // Several loads at once are faster in a cache, and slower from memory.
    for (const int64_t grouped = n <= cached ? n : 0; i + 4 * L <= grouped; i += 4 * L) {
      typename P::V v[4];
#pragma GCC unroll 4
      for (int64_t k = 0; k < 4; ++k) v[k] = P::load(x + i + k * L);
#pragma GCC unroll 4
      for (int64_t k = 0; k < 4; ++k) put(v[k], P::below(v[k], pivot), L);
    }
    for (; i < n; i += L) {
      __builtin_prefetch(x + i + ahead);
      __builtin_prefetch(high - ahead, 1);
      const auto v = P::load(x + i);
      put(v, P::below(v, pivot), L);
    }
    return low - x;
  }

  // Sorts n integers x into x or `other`.
  static void sort(int64_t n, U* x, U* other, bool to_other) {
    uint64_t random = 0x9e3779b97f4a7c15ULL;
    sort(n, x, other, to_other, U{0}, 2 * static_cast<int>(std::bit_width(static_cast<uint64_t>(n))),
         &random);
  }

 private:
  static bool all_equal(int64_t n, const U* x, U value) {
    constexpr int64_t step = 256;
    U differences = 0;
    for (int64_t i = 0; i < n && differences == 0; i += step) {
      for (int64_t j = i; j < std::min(i + step, n); ++j) differences |= static_cast<U>(x[j] ^ value);
    }
    return differences == 0;
  }

  // All are at least `least`. After `levels` divisions the pivots are bad, and another algorithm is faster.
  static void sort(int64_t n, U* x, U* other, bool to_other, U least, int levels, uint64_t* random) {
    while (n > N::max_array) {
      const U pivot = pivot_of(n, x, random);
      const bool equal = pivot == least;
      const bool done = equal && all_equal(n, x, pivot);
      if (done || levels-- == 0) {
        if (!done) {
          std::make_heap(x, x + n);
          std::sort_heap(x, x + n);
        }
        if (to_other) std::copy(x, x + n, other);
        return;
      }
      least = static_cast<U>(pivot + (equal ? 1 : 0));
      const int64_t m = divide(n, x, least, other);
      if (!equal) {
        sort(m, x, other, to_other, U{0}, levels, random);
      } else if (to_other) {
        std::fill(other, other + m, pivot);
      }
      std::swap(x, other);
      x += m;
      other += m;
      n -= m;
      to_other = !to_other;
    }
    N::array(n, x, to_other ? other : x);
  }

  // The median of integers at random indices, from a fixed sequence, so that equal calls do equal work.
  [[gnu::noinline]] static U pivot_of(int64_t n, const U* x, uint64_t* random) {
    constexpr int64_t run = 4, max_size = 64;
    U sample[max_size];
    const int64_t size = n < 2048 ? max_size / 2 : max_size;
    const auto part = static_cast<uint64_t>(n / (size / run));
    for (int64_t i = 0; i < size; i += run) {
      *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
      const uint64_t at = static_cast<uint64_t>(i / run) * part + ((*random >> 32) * (part - run + 1) >> 32);
      std::copy(x + at, x + at + run, sample + i);
    }
    N::array(size, sample, sample);
    return sample[size / 2];
  }
};

}  // namespace

}  // namespace arr::host::ARR_LEVEL
