// SPDX-License-Identifier: MIT
// Packs bytes into mask bits, and compacts elements by them: a word of 64 bits at a time, depending on its
// number of set bits.
#include "host/loops/indexing/mask_bits_lanes.h"

namespace arr::host::ARR_LEVEL {

void fill_mask_loops(MaskLoops& loops);

namespace {

// In words with fewer set bits, the bits are found one by one.
constexpr int64_t few = 8;

// The bits of 64 bytes.
#if defined(__AVX512BW__)
uint64_t word_of(const unsigned char* x) {
  const __m512i all = _mm512_loadu_si512(x);
  return _mm512_test_epi8_mask(all, all);
}
#elif defined(__AVX2__)
uint32_t half_of(const unsigned char* x) {
  const __m256i none = _mm256_cmpeq_epi8(load32(x), _mm256_setzero_si256());
  return ~static_cast<uint32_t>(_mm256_movemask_epi8(none));
}
uint64_t word_of(const unsigned char* x) { return half_of(x) | static_cast<uint64_t>(half_of(x + 32)) << 32; }
#elif defined(__SSE4_1__)
uint64_t word_of(const unsigned char* x) {
  uint64_t word = 0;
  for (int64_t i = 0; i < 64; i += 16) {
    const __m128i none = _mm_cmpeq_epi8(load16(x + i), _mm_setzero_si128());
    word |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(none))) << i;
  }
  return ~word;
}
#else
uint64_t word_of(const unsigned char* x) {
  uint64_t word = 0;
  for (int64_t i = 0; i < 64; ++i) word |= static_cast<uint64_t>(x[i] != 0) << i;
  return word;
}
#endif

int64_t pack(int64_t n, const void* flags, uint64_t* bits) {
  const auto* x = static_cast<const unsigned char*>(flags);
  int64_t total = 0;
  for (; n >= 64; n -= 64, x += 64) {
    *bits = word_of(x);
    total += count(*bits++);
  }
  if (n == 0) return total;
  uint64_t word = 0;
  if (x != flags) {  // the last 64 bytes, some of which are read again
    word = word_of(x + n - 64) >> (64 - n);
  } else {
    for (int64_t i = 0; i < n; ++i) word |= static_cast<uint64_t>(x[i] != 0) << i;
  }
  *bits = word;
  return total + count(word);
}

// Calls one(position) for each set bit.
template <class One>
void each_bit(uint64_t word, One&& one) {
  for (; word != 0; word &= word - 1) one(__builtin_ctzll(word));
}

template <class T>
int64_t compress(int64_t n, const uint64_t* bits, const void* values, void* to) {
  const T* x = static_cast<const T*>(values);
  T* out = static_cast<T*>(to);
  for (; n > 0; n -= 64, x += 64) {
    const uint64_t word = *bits++;
    if (word == ~uint64_t{0}) {
      __builtin_memcpy(out, x, 64 * sizeof(T));
      out += 64;
    } else if (n < 64 || count(word) < few) {
      each_bit(word, [&](int at) { *out++ = x[at]; });
    } else {
      uint64_t rest = word;
      for (int64_t i = 0; i < 64; i += 8, rest >>= 8) {
        const auto m = static_cast<uint32_t>(rest & 255U);
        Lanes<T>::compact(m, x + i, out);
        out += count(m);
      }
    }
  }
  return out - static_cast<T*>(to);
}

template <class T>
void expand(int64_t n, const uint64_t* bits, const void* values, void* to) {
  const T* v = static_cast<const T*>(values);
  T* x = static_cast<T*>(to);
  for (; n > 0; n -= 64, x += 64) {
    const uint64_t word = *bits++;
    if (word == ~uint64_t{0}) {
      __builtin_memcpy(x, v, 64 * sizeof(T));
      v += 64;
    } else if (n < 64 || count(word) < few) {
      each_bit(word, [&](int at) { x[at] = *v++; });
    } else {
      uint64_t rest = word;
      for (int64_t i = 0; i < 64; i += 8, rest >>= 8) {
        const auto m = static_cast<uint32_t>(rest & 255U);
        Lanes<T>::spread(m, v, x + i);
        v += count(m);
      }
    }
  }
}

template <class T>
int64_t indices_from(int64_t n, const uint64_t* bits, T first, T* to) {
  T* out = to;
  for (int64_t left = n; left > 0; left -= 64, first += 64) {
    const uint64_t word = *bits++;
    if (count(word) < few) {
      each_bit(word, [&](int at) { *out++ = first + static_cast<T>(at); });
      continue;
    }
    uint64_t rest = word;
    for (T i = 0; i < 64; i += 8, rest >>= 8) {
      const auto m = static_cast<uint32_t>(rest & 255U);
      put_indices(m, first + i, out);
      out += count(m);
    }
  }
  return out - to;
}
int64_t indices(int64_t n, const uint64_t* bits, int64_t first, int64_t* to) {
  return indices_from(n, bits, first, to);
}
int64_t short_indices(int64_t n, const uint64_t* bits, uint32_t* to) {
  return indices_from(n, bits, uint32_t{0}, to);
}

// The quotient by a small extent from a rounded-up reciprocal: its error times x is below 2^32. For large
// extents x is below twice the extent, so a comparison suffices.
void coordinate(int64_t n, uint32_t* indices, int64_t base, int64_t extent, int64_t step, int64_t* to) {
  constexpr int64_t large = 1 << 15;
  if (extent >= large) {
    for (int64_t i = 0; i < n; ++i) {
      const int64_t x = base + static_cast<int64_t>(indices[i]);
      const bool over = x >= extent;
      to[i * step] = over ? x - extent : x;
      indices[i] = over ? 1 : 0;
    }
    return;
  }
  const auto e = static_cast<uint32_t>(extent), from = static_cast<uint32_t>(base);
  if (e == 1) {
    for (int64_t i = 0; i < n; ++i) to[i * step] = 0;
    return;
  }
  const auto reciprocal = static_cast<uint32_t>(((uint64_t{1} << 32) + e - 1) / e);
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t x = indices[i] + from;
    const auto quotient = static_cast<uint32_t>(static_cast<uint64_t>(x) * reciprocal >> 32);
    to[i * step] = static_cast<int64_t>(x - quotient * e);
    indices[i] = quotient;
  }
}

}  // namespace

void fill_mask_loops(MaskLoops& loops) {
  loops.pack = pack;
  loops.compress[0] = compress<uint8_t>;
  loops.compress[1] = compress<uint16_t>;
  loops.compress[2] = compress<uint32_t>;
  loops.compress[3] = compress<uint64_t>;
  loops.compress[4] = compress<Item16>;
  loops.expand[0] = expand<uint8_t>;
  loops.expand[1] = expand<uint16_t>;
  loops.expand[2] = expand<uint32_t>;
  loops.expand[3] = expand<uint64_t>;
  loops.expand[4] = expand<Item16>;
  loops.indices = indices;
  loops.short_indices = short_indices;
  loops.coordinate = coordinate;
}

}  // namespace arr::host::ARR_LEVEL
