// SPDX-License-Identifier: MIT
// Keys of elements; and short rows sorted by Batcher's merge exchange (Knuth, The Art of Computer
// Programming, volume 3, algorithm 5.2.2M), a row in each lane of vectors.
#include "host/loops/sorting/sorting.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host::ARR_LEVEL {

void fill_sorting(SortingLoops& loops);

namespace {

// Keys of unsigned integers U with the bits of elements. Infinity: its bits in floats.
template <class U, bool Negatives, U Infinity>
struct Coding {
  static constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1)), all = static_cast<U>(~U{0});
  static constexpr bool floating = Infinity != 0;

  static U size(U bits) { return static_cast<U>(bits & static_cast<U>(~top)); }
  static bool is_nan(U bits) { return floating && size(bits) > Infinity; }
  static bool is_minus_zero(U bits) { return floating && bits == top; }

  static U key(U bits, U turn) {
    if constexpr (!floating) return static_cast<U>(bits ^ (Negatives ? top : U{0}) ^ turn);
    const U mask = (bits & top) != 0 ? all : top, number = static_cast<U>(bits ^ mask);
    const U k = static_cast<U>((size(bits) == 0 ? top : number) ^ turn);
    return size(bits) > Infinity ? all : k;
  }
  static U bits(U key, U turn) {
    const U k = static_cast<U>(key ^ turn);
    if constexpr (!floating) return static_cast<U>(k ^ (Negatives ? top : U{0}));
    const U number = static_cast<U>(k ^ ((k & top) != 0 ? top : all));
    return key == all ? static_cast<U>(Infinity | (Infinity >> 1)) : number;
  }
};

template <class U, class C>
struct Loops {
  static KeysSeen keys(int64_t n, const void* x, bool descending, void* out) {
    const U* in = static_cast<const U*>(x);
    U* to = static_cast<U*>(out);
    const U turn = descending ? C::all : U{0};
    U nan = 0, minus_zero = 0;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      const U b = in[i];
      if constexpr (C::floating) {
        nan = static_cast<U>(nan | (C::is_nan(b) ? U{1} : U{0}));
        minus_zero = static_cast<U>(minus_zero | (C::is_minus_zero(b) ? U{1} : U{0}));
      }
      to[i] = C::key(b, turn);
    }
    return {nan != 0, minus_zero != 0};
  }
  static void elements(int64_t n, const void* keys, bool descending, void* out) {
    const U* in = static_cast<const U*>(keys);
    U* to = static_cast<U*>(out);
    const U turn = descending ? C::all : U{0};
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = C::bits(in[i], turn);
  }
  static void places(int64_t n, const void* x, bool descending, int64_t first, uint64_t* keys) {
    const U* in = static_cast<const U*>(x);
    const U turn = descending ? C::all : U{0};
    for (int64_t i = 0; i < n; ++i) {
      keys[i] = static_cast<uint64_t>(C::key(in[i], turn)) << 32 | static_cast<uint64_t>(first + i);
    }
  }
};

// Any byte but 0 is true.
struct Truth : Coding<uint8_t, false, 0> {
  static uint8_t key(uint8_t bits, uint8_t turn) {
    return Coding::key(static_cast<uint8_t>(bits != 0 ? 1 : 0), turn);
  }
};

template <class U, class C>
void fill(SortingLoops& loops, DType d) {
  const auto at = static_cast<int>(d);
  loops.keys[at] = Loops<U, C>::keys;
  loops.elements[at] = Loops<U, C>::elements;
  if constexpr (sizeof(U) <= 4) loops.places[at] = Loops<U, C>::places;
}

// Rows as columns of signed integers, which every level compares in one step.
template <class U, class S>
struct Network {
  static constexpr int64_t lanes = network_bytes / static_cast<int64_t>(sizeof(U));
  static constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));

  static void exchange(S* low, S* high) {
#pragma GCC ivdep
    for (int64_t l = 0; l < lanes; ++l) {
      const S a = low[l], b = high[l];
      low[l] = a < b ? a : b;
      high[l] = a < b ? b : a;
    }
  }
  static void sort(S* x, int64_t n) {
    int64_t most = 1;
    while (2 * most < n) most *= 2;
    for (int64_t p = most; p > 0; p /= 2) {
      int64_t r = 0, d = p;
      for (int64_t q = most;; q /= 2) {
        for (int64_t first = r; first < n - d; first += 2 * p) {
          const int64_t last = first + p < n - d ? first + p : n - d;
          for (int64_t i = first; i < last; ++i) exchange(x + i * lanes, x + (i + d) * lanes);
        }
        if (q == p) break;
        d = q - p;
        r = p;
      }
    }
  }
  static void rows(int64_t n, int64_t ld, void* data) {
    U* x = static_cast<U*>(data);
    alignas(network_bytes) S at[static_cast<uint64_t>(network_most * lanes)];
    for (int64_t r = 0; r < lanes; ++r) {
      for (int64_t i = 0; i < n; ++i) at[i * lanes + r] = static_cast<S>(x[r * ld + i] ^ top);
    }
    sort(at, n);
    for (int64_t r = 0; r < lanes; ++r) {
      for (int64_t i = 0; i < n; ++i) x[r * ld + i] = static_cast<U>(static_cast<U>(at[i * lanes + r]) ^ top);
    }
  }
};

}  // namespace

void fill_sorting(SortingLoops& loops) {
  fill<uint8_t, Truth>(loops, DType::bool_);
  fill<uint8_t, Coding<uint8_t, true, 0>>(loops, DType::int8_);
  fill<uint16_t, Coding<uint16_t, true, 0>>(loops, DType::int16_);
  fill<uint32_t, Coding<uint32_t, true, 0>>(loops, DType::int32_);
  fill<uint64_t, Coding<uint64_t, true, 0>>(loops, DType::int64_);
  fill<uint8_t, Coding<uint8_t, false, 0>>(loops, DType::uint8_);
  fill<uint16_t, Coding<uint16_t, false, 0>>(loops, DType::uint16_);
  fill<uint32_t, Coding<uint32_t, false, 0>>(loops, DType::uint32_);
  fill<uint64_t, Coding<uint64_t, false, 0>>(loops, DType::uint64_);
  fill<uint16_t, Coding<uint16_t, true, 0x7c00>>(loops, DType::float16_);
  fill<uint16_t, Coding<uint16_t, true, 0x7f80>>(loops, DType::bfloat16_);
  fill<uint32_t, Coding<uint32_t, true, 0x7f800000U>>(loops, DType::float32_);
  fill<uint64_t, Coding<uint64_t, true, 0x7ff0000000000000ULL>>(loops, DType::float64_);
  loops.rows[0] = Network<uint8_t, int8_t>::rows;
  loops.rows[1] = Network<uint16_t, int16_t>::rows;
  loops.rows[2] = Network<uint32_t, int32_t>::rows;
  loops.rows[3] = Network<uint64_t, int64_t>::rows;
}

}  // namespace arr::host::ARR_LEVEL
