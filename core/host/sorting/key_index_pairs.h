// SPDX-License-Identifier: MIT
// Keys and indices packed into 64-bit integers, for sorts that return indices.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "backend/sorting.h"
#include "base/atomic_max.h"
#include "base/checked.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/sort.h"

namespace arr::host {

inline const char* row_of(const SortCall& c, int64_t r) {
  return static_cast<const char*>(c.keys) + r * c.n * item_size(c.dtype);
}

// Keys of up to 32 bits: one word, packed with the index at once.
struct OneWord {
  static constexpr bool several = false;
  static constexpr int index_bits = 32;
  explicit OneWord(const SortCall& c)
      : indexed_keys(sorting_loops().indexed_keys[static_cast<int>(c.dtype)]),
        descending(c.descending),
        item(item_size(c.dtype)) {}
  void start(const SortCall& c, int64_t r, bool /*threads*/) { elements = row_of(c, r); }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    indexed_keys(to - from, elements + from * item, descending, from, keys + from);
  }

  void (*indexed_keys)(int64_t, const void*, bool, int64_t, uint64_t*);
  bool descending;
  int64_t item;
  const char* elements = nullptr;
};

// Keys made of several numbers of up to 64 bits, the most significant first: a 64-bit key, the parts of a
// complex number, several keys. From each its min in the row is subtracted, so only the bits of its range are
// stored. The index has as many bits as the row needs, a word the others. The first word distinguishes most
// elements; further words are read at random.
struct SeveralWords {
  explicit SeveralWords(const SortCall& c)
      : index_bits(index_bits_of(std::max<int64_t>(c.n, 2))),
        word_bits(64 - index_bits),
        descending(c.descending) {
    add(c.dtype);
    for (int64_t i = 0; i < c.nmore; ++i) add(c.more[i].dtype);
  }
  void start(const SortCall& c, int64_t r, bool threads) {
    size_t at = 0;
    point(row_of(c, r), &at);
    for (int64_t i = 0; i < c.nmore; ++i) {
      const char* rows = static_cast<const char*>(c.more[i].data);
      point(rows + r * c.n * item_size(c.more[i].dtype), &at);
    }
    int64_t bits = 0;
    for (Part& p : parts) {
      measure(&p, c.n, threads);
      p.begin = bits;
      bits += p.bits;
    }
    count = static_cast<int>(std::max<int64_t>(1, checked::ceil_div(bits, word_bits)));
  }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    for (int64_t i = from; i < to; i += key_block) {
      const int64_t m = std::min(key_block, to - i);
      for (int64_t j = 0; j < m; ++j) keys[i + j] = 0;
      for (const Part& p : parts) {
        if (!reaches(p, 0)) continue;
        uint64_t some[key_block];
        read(p, i, m, some);
        for (int64_t j = 0; j < m; ++j) keys[i + j] |= piece(p, some[j], 0);
      }
      for (int64_t j = 0; j < m; ++j) keys[i + j] = keys[i + j] << index_bits | static_cast<uint64_t>(i + j);
    }
  }
  static constexpr bool several = true;
  [[nodiscard]] int words() const { return count; }
  // Word w of the keys at m <= key_block indices.
  void words_at(const uint64_t* indices, int64_t m, int w, uint64_t* out) const {
    std::fill(out, out + m, uint64_t{0});
    for (const Part& p : parts) {
      if (!reaches(p, w)) continue;
      alignas(16) char some[16 * key_block];
      uint64_t keys[key_block];
      Part near = p;
      near.elements = some;
      elements_at(p, indices, m, some);
      read(near, 0, m, keys);
      for (int64_t j = 0; j < m; ++j) out[j] |= piece(p, keys[j], w);
    }
  }

  int index_bits, word_bits;

 private:
  struct Part {
    KeyFlags (*keys_of)(int64_t, const void*, bool, void*) = nullptr;
    int64_t item = 0;
    int half = -1;  // part of a complex number: 0 or 1
    const char* elements = nullptr;
    uint64_t min_key = 0;
    int64_t bits = 0, begin = 0;
  };
  [[nodiscard]] bool reaches(const Part& p, int w) const {
    return p.begin < word_bits * (w + 1) && p.begin + p.bits > word_bits * w;
  }
  void add(DType d) {
    Part p;
    p.keys_of = sorting_loops().keys[static_cast<int>(real_type(d))];
    p.item = item_size(d);
    if (!is_complex(d)) return parts.push_back(p);
    for (p.half = 0; p.half < 2; ++p.half) parts.push_back(p);
  }
  void point(const char* elements, size_t* at) {
    const bool complex = parts[*at].half == 0;
    parts[(*at)++].elements = elements;
    if (complex) parts[(*at)++].elements = elements;
  }
  // The bits of a number that belong to word w.
  [[nodiscard]] uint64_t piece(const Part& p, uint64_t key, int w) const {
    const int64_t shift = p.begin + p.bits - static_cast<int64_t>(word_bits) * (w + 1);
    const uint64_t k = key - p.min_key;
    return (shift >= 0 ? k >> shift : k << -shift) & (~uint64_t{0} >> index_bits);
  }
  static void elements_at(const Part& p, const uint64_t* indices, int64_t m, char* to) {
    by_item(p.item, [&](auto element) {
      using T = decltype(element);
      const T* x = reinterpret_cast<const T*>(p.elements);
      T* y = reinterpret_cast<T*>(to);
      for (int64_t j = 0; j < m; ++j) y[j] = x[indices[j]];
    });
  }
  template <class U>
  void read_as(const Part& p, int64_t i, int64_t m, uint64_t* out) const {
    constexpr int64_t step = 64;
    U keys[2 * step];
    for (int64_t k = 0; k < m; k += step) {
      const int64_t some = std::min(step, m - k);
      const char* x = p.elements + (i + k) * p.item;
      if (p.half < 0) {
        p.keys_of(some, x, descending, keys);
        for (int64_t j = 0; j < some; ++j) out[k + j] = keys[j];
      } else if constexpr (sizeof(U) >= 4) {
        p.keys_of(2 * some, x, descending, keys);
        for (int64_t j = 0; j < some; ++j) {
          out[k + j] = complex_key(keys[2 * j], keys[2 * j + 1])[static_cast<size_t>(p.half)];
        }
      }
    }
  }
  void read(const Part& p, int64_t i, int64_t m, uint64_t* out) const {
    switch (p.half < 0 ? p.item : p.item / 2) {
      case 1:
        return read_as<uint8_t>(p, i, m, out);
      case 2:
        return read_as<uint16_t>(p, i, m, out);
      case 4:
        return read_as<uint32_t>(p, i, m, out);
      default:
        return read_as<uint64_t>(p, i, m, out);
    }
  }
  // The range of a number in the row.
  void measure(Part* p, int64_t n, bool threads) const {
    std::atomic<uint64_t> min_complement{0}, max_key{0};  // below: the complement of the min
    spread(n, threads, [&](int64_t first, int64_t last) {
      uint64_t keys[key_block], low = ~uint64_t{0}, high = 0;
      for (int64_t i = first; i < last; i += key_block) {
        const int64_t m = std::min(key_block, last - i);
        read(*p, i, m, keys);
        for (int64_t j = 0; j < m; ++j) {
          low = std::min(low, keys[j]);
          high = std::max(high, keys[j]);
        }
      }
      atomic_fetch_max(&min_complement, ~low);
      atomic_fetch_max(&max_key, high);
    });
    p->min_key = ~min_complement.load();
    p->bits = static_cast<int64_t>(std::bit_width(max_key.load() - p->min_key));
  }

  bool descending;
  std::vector<Part> parts;
  int count = 1;
};

}  // namespace arr::host
