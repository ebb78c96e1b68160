// SPDX-License-Identifier: MIT
// Selection of the key with a given rank in a row: a sample gives a range of keys that probably contains it,
// and one pass collects the keys in that range.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "backend/sorting.h"
#include "host/elementwise/parallel.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/key_sort.h"
#include "host/sorting/sort.h"

namespace arr::host {

__extension__ typedef unsigned __int128 Wide;  // a key of complex128

// Keys of a row's elements, at most key_block at a time.
template <class K>
struct RowKeys {
  explicit RowKeys(const SortCall& c)
      : dtype(c.dtype),
        item(item_size(c.dtype)),
        descending(c.descending),
        keys(sorting_loops().keys[static_cast<int>(real_type(c.dtype))]) {}

  void read(int64_t first, int64_t n, K* out) const {
    const char* x = elements + first * item;
    if (is_complex(dtype)) return read_complex(x, n, out);
    if (item == static_cast<int64_t>(sizeof(K))) {
      keys(n, x, descending, out);
    } else if (item == 2) {
      widen<uint16_t>(x, n, out);
    } else {
      widen<uint8_t>(x, n, out);
    }
  }

  DType dtype;
  int64_t item;
  bool descending;
  KeyFlags (*keys)(int64_t, const void*, bool, void*);
  const char* elements = nullptr;

 private:
  template <class U>
  void widen(const char* x, int64_t n, K* out) const {
    U narrow[key_block];
    keys(n, x, descending, narrow);
    std::copy(narrow, narrow + n, out);
  }
  void read_complex(const char* x, int64_t n, K* out) const {
    using U = std::conditional_t<sizeof(K) == 16, uint64_t, uint32_t>;
    U parts[2 * key_block];
    keys(2 * n, x, descending, parts);
    for (int64_t i = 0; i < n; ++i) {
      const auto key = complex_key(parts[2 * i], parts[2 * i + 1]);
      out[i] = static_cast<K>(static_cast<Wide>(key[0]) << (8 * sizeof(U)) | key[1]);
    }
  }
};

// Copies the keys in low .. low + span to `out`. Returns their number, and adds the number of smaller keys to
// `below`.
template <class K>
int64_t keys_within(int64_t n, const K* x, K low, K span, K* out, int64_t* below) {
  if constexpr (sizeof(K) == 4) return sorting_loops().within4(n, x, low, span, out, below);
  if constexpr (sizeof(K) == 8) return sorting_loops().within8(n, x, low, span, out, below);
  int64_t inside = 0;
  for (int64_t i = 0; i < n; ++i) {
    const K k = x[i];
    out[inside] = k;
    inside += k - low <= span ? 1 : 0;
    *below += k < low ? 1 : 0;
  }
  return inside;
}

// A few keys, sorted.
inline constexpr int64_t max_few = 2048;
template <class K>
void sort_few(K* x, int64_t n) {
  if constexpr (sizeof(K) <= 8) {
    K other[max_few];
    sorting_loops().sort[width_index(sizeof(K))](n, x, other, false);
  } else {
    std::sort(x, x + n);
  }
}

template <class K>
struct KeyRange {
  K low = 0, span = static_cast<K>(~K{0});  // low .. low + span
  [[nodiscard]] bool one() const { return span == 0; }
};

// A range of keys that probably has the key of rank k among n. read(i) is a key.
template <class K, class Read>
KeyRange<K> range_of(int64_t n, int64_t k, const Read& read) {
  const int64_t size = n < int64_t{1} << 17 ? max_few / 2 : max_few;
  K sample[max_few];
  // Samples one key of each part of the row, at an index from a fixed sequence, so that equal calls do equal
  // work.
  uint64_t state = 0x9e3779b97f4a7c15ULL;
  const double part = static_cast<double>(n) / static_cast<double>(size);
  for (int64_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double at = static_cast<double>(i) + static_cast<double>(state >> 11) * 0x1p-53;
    sample[i] = read(std::min(static_cast<int64_t>(at * part), n - 1));
  }
  sort_few(sample, size);
  const double at = static_cast<double>(k) / part;
  // 3.5 standard deviations of the number of sampled keys below, more if one side has few keys.
  const double share = static_cast<double>(k) / static_cast<double>(n);
  const double margin = 3.5 * std::sqrt(static_cast<double>(size) * share * (1 - share)) + 4;
  const auto from = static_cast<int64_t>(at - margin), to = static_cast<int64_t>(at + margin);
  KeyRange<K> range;
  if (from >= 0) range.low = sample[from];
  range.span = static_cast<K>((to < size ? sample[to] : static_cast<K>(~K{0})) - range.low);
  return range;
}

// The key of rank k among n keys, which are reordered. The buffer has n keys.
template <class K>
K select_key(K* x, K* buffer, int64_t n, int64_t k) {
  while (n > max_few) {
    const KeyRange<K> range = range_of<K>(n, k, [&](int64_t i) { return x[i]; });
    int64_t below = 0;
    const int64_t inside = keys_within(n, x, range.low, range.span, buffer, &below);
    if (k < below || k >= below + inside || (inside > n / 2 && !range.one())) {
      // The sample missed the key, or there are few different keys.
      if constexpr (sizeof(K) <= 8) {
        sorting_loops().sort[width_index(sizeof(K))](n, x, buffer, false);
      } else {
        std::nth_element(x, x + k, x + n);
      }
      return x[k];
    }
    if (range.one()) return range.low;
    std::swap(x, buffer);
    n = inside;
    k -= below;
  }
  sort_few(x, n);
  return x[k];
}

}  // namespace arr::host
