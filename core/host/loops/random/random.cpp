// SPDX-License-Identifier: MIT
// Loops of random numbers. Blocks of consecutive elements of a stream are computed in vectors; a few elements
// and indices in another order one by one, with the same results.
#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wtype-limits"

#include "host/loops/random/bit_generators.h"

namespace arr::host::ARR_LEVEL {

#include "math/random.h"
//
#include "math/bit_generators.h"
//
#include "math/rejection.h"

namespace {

// ------------------------------------------------------------------------------- blocks of words

ARR_FN Lanes iota() {
  Lanes v = {};
  for (int i = 0; i < lanes; ++i) v[i] = static_cast<unsigned long long>(i);
  return v;
}

// Interleave the lower, and the upper, halves of two vectors.
#if defined(__AVX512F__)
ARR_FN Lanes interleave_low(Lanes x, Lanes y) {
  return __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
}
ARR_FN Lanes interleave_high(Lanes x, Lanes y) {
  return __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
}
#elif defined(__AVX2__)
ARR_FN Lanes interleave_low(Lanes x, Lanes y) { return __builtin_shufflevector(x, y, 0, 4, 1, 5); }
ARR_FN Lanes interleave_high(Lanes x, Lanes y) { return __builtin_shufflevector(x, y, 2, 6, 3, 7); }
#else
ARR_FN Lanes interleave_low(Lanes x, Lanes y) { return __builtin_shufflevector(x, y, 0, 2); }
ARR_FN Lanes interleave_high(Lanes x, Lanes y) { return __builtin_shufflevector(x, y, 1, 3); }
#endif

// Blocks of four words per call, and independent vectors per step.
constexpr int block_count = 64, word_count = 4 * block_count, group = 4;

// The words of block_count blocks from `low` on, as arr_philox makes them.
void fill_words(arr_table stream, unsigned long long low, unsigned* words) {
  const Lanes half = Lanes{} + 0xffffffffull;
  for (int first = 0; first < block_count; first += group * lanes) {
    Lanes c[group][4];
    for (int g = 0; g < group; ++g) {
      c[g][0] = iota() + (low + static_cast<unsigned long long>(first + g * lanes));
      c[g][1] = c[g][0] >> 32;
      c[g][2] = c[g][3] = Lanes{};
    }
    unsigned k0 = static_cast<unsigned>(arr_stream_key(stream));
    unsigned k1 = static_cast<unsigned>(arr_stream_key(stream) >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 4
      for (Lanes(&one)[4] : c) philox_round(one, k0, k1);
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
#pragma GCC unroll 4
    for (int g = 0; g < group; ++g) {
      const Lanes low_words = (c[g][0] & half) | c[g][1] << 32, high_words = (c[g][2] & half) | c[g][3] << 32;
      const Lanes x = interleave_low(low_words, high_words), y = interleave_high(low_words, high_words);
      unsigned* to = words + 4 * (first + g * lanes);
      __builtin_memcpy(to, &x, vector_bytes);
      __builtin_memcpy(to + 2 * lanes, &y, vector_bytes);
    }
  }
}

// --------------------------------------------------------------------------- numbers of a block's words

// U: the unsigned type that a T is made from. elements<T>: elements made from word_count words.
template <class T>
struct Bits {
  typedef typename arr_bits_for<T>::type U;
};
template <>
struct Bits<unsigned long long> {
  typedef unsigned long long U;
};
template <class T>
constexpr int elements = static_cast<int>(word_count * sizeof(unsigned) / sizeof(typename Bits<T>::U));

template <class T>
struct bits_from_words {
  template <class Words>
  ARR_FN static T one(arr_table s, long long i) {
    return arr_random_bits<T, Words>(s, i);
  }
  ARR_FN static void all(const typename Bits<T>::U* w, T* r) {
    for (int i = 0; i < elements<T>; ++i) r[i] = static_cast<T>(w[i]);
  }
};
template <class T>
struct unit_from_words {
  template <class Words>
  ARR_FN static T one(arr_table s, long long i) {
    return arr_random_unit<T, Words>(s, i);
  }
  ARR_FN static void all(const typename Bits<T>::U* w, T* r) {
    for (int i = 0; i < elements<T>; ++i) r[i] = arr_uniform_of_type<T>(w[i]);
  }
};
template <class T>
struct open_from_words {
  template <class Words>
  ARR_FN static T one(arr_table s, long long i) {
    return arr_random_open<T, Words>(s, i);
  }
  ARR_FN static void all(const typename Bits<T>::U* w, T* r) {
    for (int i = 0; i < elements<T>; ++i) r[i] = arr_uniform_open(w[i]);
  }
};
template <class T>
struct exponential_from_words {
  template <class Words>
  ARR_FN static T one(arr_table s, long long i) {
    return arr_random_exponential<T, Words>(s, i);
  }
  ARR_FN static void all(const typename Bits<T>::U* w, T* r) {
    for (int i = 0; i < elements<T>; ++i) r[i] = -arr_log_unit(arr_uniform_upper(w[i]));
  }
};
template <class T>
struct normal_from_words {
  template <class Words>
  ARR_FN static T one(arr_table s, long long i) {
    return arr_random_normal<T, Words>(s, i);
  }
  static void all(const typename Bits<T>::U* w, T* r) {
    typedef typename Bits<T>::U U;
    constexpr int pairs = elements<T> / 2;
    U a[pairs], b[pairs];
    T x[pairs], y[pairs];
    for (int i = 0; i < pairs; ++i) a[i] = w[2 * i];
    for (int i = 0; i < pairs; ++i) b[i] = w[2 * i + 1];
#pragma GCC ivdep
    for (int i = 0; i < pairs; ++i) {
      const arr_cos_sin<T> n = arr_normals(a[i], b[i]);
      x[i] = n.cos;
      y[i] = n.sin;
    }
    for (int i = 0; i < pairs; ++i) r[2 * i] = x[i];
    for (int i = 0; i < pairs; ++i) r[2 * i + 1] = y[i];
  }
};

template <template <class> class Make, class T, class Words = arr_keyed>
void stream_loop(int64_t n, const void* const* in, void* out) {
  typedef typename Bits<T>::U U;
  constexpr int count = elements<T>, shift = sizeof(U) == 8 ? 1 : 2;
  const arr_table stream = *static_cast<const arr_table*>(in[0]);
  const auto* y = static_cast<const long long*>(in[1]);
  T* r = static_cast<T*>(out);
  // A block of words takes as long as this many numbers one by one. Words in memory end with the last number.
  constexpr int64_t least = Words::in_memory ? count : 8;
  int64_t i = 0;
  while (i < n) {
    const int64_t some = n - i < count ? n - i : count;
    if (some >= least && (y[i] & ((1 << shift) - 1)) == 0 && are_consecutive(y + i, some)) {
      alignas(64) T made[static_cast<size_t>(count)];  // r may be y
      if constexpr (Words::in_memory) {
        Make<T>::all(static_cast<const U*>(stream.data) + y[i], made);
      } else {
        alignas(64) U words[static_cast<size_t>(count)];
        const unsigned long long block = static_cast<unsigned long long>(y[i]) >> shift;
        fill_words(stream, static_cast<unsigned long long>(stream.length) + block,
                   reinterpret_cast<unsigned*>(words));
        Make<T>::all(words, made);
      }
      __builtin_memcpy(r + i, made, static_cast<size_t>(some) * sizeof(T));
      i += some;
    } else {
      r[i] = Make<T>::template one<Words>(stream, y[i]);
      ++i;
    }
  }
}

void threefry_loop(int64_t n, const void* const* in, void* out) {
  const arr_table stream = *static_cast<const arr_table*>(in[0]);
  const auto* y = static_cast<const long long*>(in[1]);
  constexpr int64_t block_size = 256;
  for (int64_t i = 0; i < n; i += block_size) {
    const int64_t m = n - i < block_size ? n - i : block_size;
    unsigned made[block_size];  // out may be y
    for (int64_t k = 0; k < m; ++k) made[k] = arr_threefry_word(stream, y[i + k]);
    __builtin_memcpy(static_cast<unsigned*>(out) + i, made, static_cast<size_t>(m) * sizeof(unsigned));
  }
}

// Computes a block as if no number had to be drawn again, and recomputes it if one had.
template <class T>
void below_loop(int64_t n, const void* const* in, void* out) {
  constexpr int64_t block_size = 256;
  const T *x = static_cast<const T*>(in[0]), *y = static_cast<const T*>(in[1]);
  T* r = static_cast<T*>(out);
  for (int64_t i = 0; i < n; i += block_size) {
    const int64_t m = n - i < block_size ? n - i : block_size;
    T w[block_size], high[block_size];
    __builtin_memcpy(w, x + i, static_cast<size_t>(m) * sizeof(T));
    unsigned again = 0;
    for (int64_t k = 0; k < m; ++k) {
      high[k] = arr_multiply_high(w[k], y[i + k]);
      again |= static_cast<unsigned>((T)(w[k] * y[i + k]) < y[i + k]) | static_cast<unsigned>(y[i + k] == 0);
    }
    if (again != 0) {
      for (int64_t k = 0; k < m; ++k) high[k] = arr_below<T>(w[k], y[i + k]);
    }
    __builtin_memcpy(r + i, high, static_cast<size_t>(m) * sizeof(T));
  }
}

#define ARR_RANDOM(number, name, ...) constexpr int op_##name = number;
#include "table/random.def"
#undef ARR_RANDOM

// Elements of a permutation by a Feistel network: applies it to a block, then again to the elements that are
// not below the permutation's length.
void permutation_loop(int64_t n, const void* const* in, void* out) {
  constexpr int64_t block_size = 256;
  const auto* seed = static_cast<const unsigned long long*>(in[0]);
  const auto *y = static_cast<const long long*>(in[1]), *z = static_cast<const long long*>(in[2]);
  auto* r = static_cast<long long*>(out);
  for (int64_t first = 0; first < n; first += block_size) {
    const int64_t m = n - first < block_size ? n - first : block_size;
    const unsigned long long key = seed[first];
    const long long all = z[first];
    bool alike = all > 64;
    for (int64_t k = 0; k < m; ++k) alike &= (seed[first + k] == key) & (z[first + k] == all);
    if (!alike) {
      for (int64_t k = first; k < first + m; ++k) r[k] = arr_permuted_index(seed[k], y[k], z[k]);
      continue;
    }
    const int bits = arr_bits_below(all);
    unsigned long long x[block_size];
    int where[block_size];
    long long made[block_size];
    int64_t left = m;
    for (int64_t k = 0; k < m; ++k) x[k] = static_cast<unsigned long long>(y[first + k]);
    for (int k = 0; k < m; ++k) where[k] = k;
    while (left > 0) {
      for (int64_t k = 0; k < left; ++k) x[k] = arr_feistel(key, x[k], bits);
      int64_t again = 0;
      for (int64_t k = 0; k < left; ++k) {
        const bool outside = x[k] >= static_cast<unsigned long long>(all);
        const unsigned long long now = x[k];
        const int index = where[k];
        made[index] = static_cast<long long>(now);
        x[again] = now;
        where[again] = index;
        again += outside ? 1 : 0;
      }
      left = again;
    }
    __builtin_memcpy(r + first, made, static_cast<size_t>(m) * sizeof(long long));
  }
}

template <class T>
constexpr int row = row_of<T>::number;

template <class T>
void fill_unsigned(LoopTable& t) {
  t.op[op_random_bits][row<T>] = stream_loop<bits_from_words, T>;
  t.op[op_stored_bits][row<T>] = stream_loop<bits_from_words, T, arr_stored>;
  t.op[op_random_below][row<T>] = below_loop<T>;
}
template <class T>
void fill_floats(LoopTable& t) {
  t.op[op_random_unit][row<T>] = stream_loop<unit_from_words, T>;
  t.op[op_stored_unit][row<T>] = stream_loop<unit_from_words, T, arr_stored>;
  t.op[op_random_open][row<T>] = stream_loop<open_from_words, T>;
  t.op[op_stored_open][row<T>] = stream_loop<open_from_words, T, arr_stored>;
  t.op[op_random_normal][row<T>] = stream_loop<normal_from_words, T>;
  t.op[op_stored_normal][row<T>] = stream_loop<normal_from_words, T, arr_stored>;
  t.op[op_random_exponential][row<T>] = stream_loop<exponential_from_words, T>;
  t.op[op_stored_exponential][row<T>] = stream_loop<exponential_from_words, T, arr_stored>;
}

}  // namespace

void fill_random(LoopTable& t) {
  t.op[op_pcg64_number][row<unsigned long long>] = generator_loop<arr_pcg_run, ScalarStreams<arr_pcg_run>>;
  t.op[op_mrg32k3a_number][row<unsigned>] = generator_loop<arr_mrg_run, MrgStreams>;
  t.op[op_xorwow_number][row<unsigned>] = generator_loop<arr_xorwow_run, XorwowStreams>;
  t.op[op_threefry_number][row<unsigned>] = threefry_loop;
  t.op[op_permuted_index][row<long long>] = permutation_loop;
  fill_unsigned<unsigned char>(t);
  fill_unsigned<unsigned short>(t);
  fill_unsigned<unsigned>(t);
  fill_unsigned<unsigned long long>(t);
  t.op[op_random_unit][row<arr_half>] = stream_loop<unit_from_words, arr_half>;
  t.op[op_stored_unit][row<arr_half>] = stream_loop<unit_from_words, arr_half, arr_stored>;
  t.op[op_random_unit][row<arr_bfloat>] = stream_loop<unit_from_words, arr_bfloat>;
  t.op[op_stored_unit][row<arr_bfloat>] = stream_loop<unit_from_words, arr_bfloat, arr_stored>;
  fill_floats<float>(t);
  fill_floats<double>(t);
}

}  // namespace arr::host::ARR_LEVEL
