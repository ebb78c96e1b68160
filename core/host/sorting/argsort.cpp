// SPDX-License-Identifier: MIT
// The indices that sort rows. The key and the index of an element are packed into one integer, key first, so
// that sorting integers keeps equal elements in order. Wide keys, and several keys, are split into words: the
// rows are sorted by the highest word, then each segment with equal words by the next one.
#include <algorithm>
#include <array>

#include "backend/sorting.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/key_index_pairs.h"
#include "host/sorting/key_sort.h"
#include "host/sorting/sort.h"

namespace arr::host {

namespace {

// Writes the elements of a row in the order of the indices. The result may be the row itself, which is copied
// first.
void gather(const SortCall& c, int64_t r, const uint64_t* indices, char* copy, bool threads) {
  if (c.sorted == nullptr) return;
  const int64_t item = item_size(c.dtype), n = c.n;
  const char* from = row_of(c, r);
  char* to = static_cast<char*>(c.sorted) + r * n * item;
  if (to == from) {
    std::copy(from, from + n * item, copy);
    from = copy;
  }
  by_item(item, [&](auto element) {
    using T = decltype(element);
    const T* x = reinterpret_cast<const T*>(from);
    T* y = reinterpret_cast<T*>(to);
    spread(n, threads, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) y[i] = x[indices[i]];
    });
  });
}

template <class Key>
class IndexSort {
 public:
  explicit IndexSort(const SortCall& c) : c_(c) {}

  void run() const {
    const int64_t n = c_.n;
    if (n > int64_t{0xffffffff}) {
      fail(ARR_E_UNSUPPORTED, "argument a: ", n, " elements along the axis, expected fewer than 2^32");
    }
    const bool threads = n >= threaded_row && concurrency() > 1;
    const int64_t bytes = checked::mul(std::max<int64_t>(n, 1), scratch_item(), "a row's buffer");
    if (threads) {
      const PoolBlock buffer(bytes);
      for (int64_t r = 0; r < c_.rows; ++r) row(r, buffer.data(), true);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, serial_elements / 8 / std::max<int64_t>(n, 1));
    const int64_t several = n <= max_network_length && n > 2 ? lanes : 1;
    parallel_ranges(checked::ceil_div(c_.rows, several), checked::ceil_div(grain, several),
                    [&](int64_t first, int64_t last) {
                      const PoolBlock buffer(bytes);
                      for (int64_t r = first * several; r < std::min(last * several, c_.rows); r += several) {
                        const int64_t count = std::min(several, c_.rows - r);
                        if (count == lanes && several == lanes && c_.order != nullptr) {
                          rows(r, buffer.data());
                          continue;
                        }
                        for (int64_t k = r; k < r + count; ++k) row(k, buffer.data(), false);
                      }
                    });
  }

 private:
  static constexpr int64_t lanes = network_rows(8);

  // Scratch memory: for sorting, for indices that the caller does not request, and for a copy of the
  // elements.
  [[nodiscard]] int64_t scratch_item() const { return 16 + item_size(c_.dtype); }
  [[nodiscard]] uint64_t* indices_of(int64_t r, char* buffer) const {
    return c_.order != nullptr ? reinterpret_cast<uint64_t*>(c_.order) + r * c_.n
                               : reinterpret_cast<uint64_t*>(buffer) + c_.n;
  }

  void rows(int64_t r, char* buffer) const {
    auto* keys = reinterpret_cast<uint64_t*>(c_.order) + r * c_.n;
    Key key(c_);
    for (int64_t k = 0; k < lanes; ++k) {
      key.start(c_, r + k, false);
      key.first(0, c_.n, keys + k * c_.n);
    }
    sorting_loops().rows[3](c_.n, c_.n, keys);
    for (int64_t k = 0; k < lanes; ++k) {
      key.start(c_, r + k, false);
      auto* x = keys + k * c_.n;
      finish(key, x, reinterpret_cast<uint64_t*>(buffer), c_.n);
      gather(c_, r + k, x, buffer + 16 * c_.n, false);
    }
  }

  void row(int64_t r, char* buffer, bool threads) const {
    Key key(c_);
    if (c_.n == 0) return;
    key.start(c_, r, threads);
    uint64_t *x = indices_of(r, buffer), *other = reinterpret_cast<uint64_t*>(buffer);
    spread(c_.n, threads, [&](int64_t first, int64_t last) { key.first(first, last, x); });
    const auto done = [&](uint64_t* keys, int64_t n) { finish(key, keys, other + (keys - x), n); };
    sort_keys(x, other, c_.n, key.index_bits, threads, done);
    gather(c_, r, x, buffer + 16 * c_.n, threads);
  }

  static uint64_t index_in(const Key& key, uint64_t x) { return x & ~(~uint64_t{0} << key.index_bits); }
  // Converts packed integers, sorted by the first word, to sorted indices.
  static void finish(const Key& key, uint64_t* x, uint64_t* buffer, int64_t n) {
    resolve(key, x, buffer, n, 1);
    for (int64_t i = 0; i < n; ++i) x[i] = index_in(key, x[i]);
  }
  // Sorts each segment of equal elements by word w and the following ones. Several segments are processed
  // together, because their elements are scattered in memory and are better read at once.
  static void resolve(const Key& key, uint64_t* x, uint64_t* buffer, int64_t n, int w) {
    if constexpr (Key::several) {
      if (w >= key.words()) return;
      const int low = key.index_bits;
      Segments segments;
      for (int64_t i = 0, end = 0; i < n; i = end) {
        end = i + 1;
        while (end < n && x[end] >> low == x[i] >> low) ++end;
        if (end == i + 1) continue;
        segments.add(i, end);
        if (segments.elements >= key_block) resolve(key, x, buffer, &segments, w);
      }
      resolve(key, x, buffer, &segments, w);
    }
  }
  struct Segments {
    int64_t first[key_block / 2 + 1], end[key_block / 2 + 1], count = 0, elements = 0;
    void add(int64_t i, int64_t last) {
      first[count] = i;
      end[count++] = last;
      elements += last - i;
    }
  };
  static void resolve(const Key& key, uint64_t* x, uint64_t* buffer, Segments* segments, int w) {
    read_words(key, x, *segments, w);
    for (int64_t r = 0; r < segments->count; ++r) {
      uint64_t *from = x + segments->first[r], *room = buffer + segments->first[r];
      const int64_t n = segments->end[r] - segments->first[r];
      if (n == 2) {
        // Segments of two are the most frequent.
        if (from[1] < from[0]) std::swap(from[0], from[1]);
        if (w + 1 < key.words()) resolve(key, from, room, 2, w + 1);
        continue;
      }
      const auto done = [&](uint64_t* keys, int64_t m) {
        resolve(key, keys, room + (keys - from), m, w + 1);
      };
      sort_keys(from, room, n, key.index_bits, false, done);
    }
    segments->count = segments->elements = 0;
  }
  // Packs word w of the keys with the indices of the segments.
  static void read_words(const Key& key, uint64_t* x, const Segments& segments, int w) {
    uint64_t* from[key_block];
    uint64_t indices[key_block], words[key_block];
    int64_t m = 0;
    const auto flush = [&] {
      key.words_at(indices, m, w, words);
      for (int64_t j = 0; j < m; ++j) *from[j] = words[j] << key.index_bits | indices[j];
      m = 0;
    };
    for (int64_t r = 0; r < segments.count; ++r) {
      for (int64_t k = segments.first[r]; k < segments.end[r]; ++k) {
        from[m] = x + k;
        indices[m++] = index_in(key, x[k]);
        if (m == key_block) flush();
      }
    }
    flush();
  }

  const SortCall& c_;
};

// Sorts rows of at most max_network_length elements, several rows per network. Only the leading bits of a key
// fit beside the index; rows in which some of these are equal are corrected afterwards.
template <class Packed>
class ShortRows {
 public:
  explicit ShortRows(const SortCall& c)
      : c_(c),
        keys_(sorting_loops().keys[static_cast<int>(c.dtype)]),
        pack_(sorting_loops().packed_keys[static_cast<int>(c.dtype)]),
        stream_(c.rows * c.n >= stream_bytes / 8) {}

  void run() const {
    const int64_t grain = serial_elements / 8 / c_.n;
    parallel_ranges(checked::ceil_div(c_.rows, lanes), checked::ceil_div(grain, lanes),
                    [&](int64_t first, int64_t last) {
                      for (int64_t g = first; g < last; ++g) {
                        some(g * lanes, std::min(lanes, c_.rows - g * lanes));
                      }
                      if (stream_) loops().fence_nontemporal();
                    });
  }

 private:
  static constexpr int64_t lanes = network_rows(sizeof(Packed));

  void some(int64_t r, int64_t count) const {
    const int64_t n = c_.n;
    alignas(64) Packed keys[static_cast<size_t>(lanes * max_network_length)];
    alignas(64) uint64_t cached[static_cast<size_t>(max_network_length)];
    int lost[static_cast<size_t>(lanes)];
    for (int64_t k = 0; k < count; ++k) {
      lost[k] = pack_(n, row_of(c_, r + k), c_.descending, keys + k * n);
    }
    std::fill(keys + count * n, keys + lanes * n, Packed{0});
    sorting_loops().rows[width_index(sizeof(Packed))](n, n, keys);
    for (int64_t k = 0; k < count; ++k) {
      auto* to = reinterpret_cast<uint64_t*>(c_.order) + (r + k) * n;
      uint64_t* order = stream_ ? cached : to;
      if (unpack(keys + k * n, order) && lost[k] > 0) mend(r + k, keys + k * n, order);
      char copy[sizeof(Packed) * static_cast<size_t>(max_network_length)];
      gather(c_, r + k, order, copy, false);
      if (stream_) loops().copy_nontemporal(n * 8, order, to);
    }
  }
  [[nodiscard]] bool unpack(const Packed* keys, uint64_t* order) const {
    if constexpr (sizeof(Packed) == 4) return sorting_loops().short_order4(c_.n, keys, order);
    if constexpr (sizeof(Packed) == 8) return sorting_loops().short_order8(c_.n, keys, order);
  }
  // Sorts elements that are equal in these leading bits by the whole key, which has as many bits as a packed
  // integer.
  void mend(int64_t r, const Packed* keys, uint64_t* order) const {
    Packed whole[static_cast<size_t>(max_network_length)];
    const int low = index_bits_of(c_.n);
    keys_(c_.n, row_of(c_, r), c_.descending, whole);
    for (int64_t i = 0, end = 0; i < c_.n; i = end) {
      while (end < c_.n && keys[end] >> low == keys[i] >> low) ++end;
      std::sort(order + i, order + end,
                [&](uint64_t a, uint64_t b) { return whole[a] == whole[b] ? a < b : whole[a] < whole[b]; });
    }
  }

  const SortCall& c_;
  KeyFlags (*const keys_)(int64_t, const void*, bool, void*);
  int (*const pack_)(int64_t, const void*, bool, void*);
  const bool stream_;  // indices are written with non-temporal stores
};

}  // namespace

void argsort(const SortCall& c) {
  constexpr int64_t few = 4;  // each of these is sorted separately
  const bool one_key = c.nmore == 0 && !is_complex(c.dtype);
  if (one_key && c.order != nullptr && c.n > 2 && c.n <= max_network_length && c.rows >= few) {
    return item_size(c.dtype) <= 4 ? ShortRows<uint32_t>(c).run() : ShortRows<uint64_t>(c).run();
  }
  if (c.nmore == 0 && item_size(c.dtype) <= 4) return IndexSort<OneWord>(c).run();
  IndexSort<SeveralWords>(c).run();
}

}  // namespace arr::host
