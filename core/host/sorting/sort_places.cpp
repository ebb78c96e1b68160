// SPDX-License-Identifier: MIT
// The places that put rows in order. 32 bits of a key and 32 of a place are one integer, so that a sort of
// integers keeps equal elements in order. Wider keys, and several ones, are words of 32 bits, of which the
// highest is sorted first; then each run of elements that share it by the next word.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include "backend/sorting.h"
#include "base/atomic_max.h"
#include "base/checked.h"
#include "host/device/pool.h"
#include "host/engine/parallel.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/radix_sort.h"
#include "host/sorting/sort.h"

namespace arr::host {

namespace {

constexpr uint64_t place_bits = 0xffffffff;

const char* row_of(const SortCall& c, int64_t r) {
  return static_cast<const char*>(c.keys) + r * c.n * item_size(c.dtype);
}

// Up to 32 bits: one word, which is written before the place at once.
struct OneWord {
  explicit OneWord(const SortCall& c)
      : places(sorting_loops().places[static_cast<int>(c.dtype)]),
        descending(c.descending),
        item(item_size(c.dtype)) {}
  void start(const SortCall& c, int64_t r, bool /*threads*/) { elements = row_of(c, r); }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    places(to - from, elements + from * item, descending, from, keys + from);
  }
  [[nodiscard]] static int words() { return 1; }
  static uint64_t word(uint64_t /*place*/, int /*w*/) { return 0; }
  static void fetch(uint64_t /*place*/, int /*w*/) {}

  void (*places)(int64_t, const void*, bool, int64_t, uint64_t*);
  bool descending;
  int64_t item;
  const char* elements = nullptr;
};

// Numbers of up to 64 bits one after the other, the leading ones first, as words of 32 bits: a key of 64
// bits, the parts of a complex number, several keys. Each without its least value in the row, and so with the
// bits of its range only.
struct SeveralWords {
  explicit SeveralWords(const SortCall& c) : descending(c.descending) {
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
    count = static_cast<int>(std::max<int64_t>(1, checked::ceil_div(bits, 32)));
  }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    constexpr int64_t step = 512;
    for (int64_t i = from; i < to; i += step) {
      const int64_t m = std::min(step, to - i);
      for (int64_t j = 0; j < m; ++j) keys[i + j] = 0;
      for (const Part& p : parts) {
        if (!p.reaches(0)) continue;
        uint64_t some[step];
        read(p, i, m, some);
        for (int64_t j = 0; j < m; ++j) keys[i + j] |= piece(p, some[j], 0);
      }
      for (int64_t j = 0; j < m; ++j) keys[i + j] = keys[i + j] << 32 | static_cast<uint64_t>(i + j);
    }
  }
  [[nodiscard]] int words() const { return count; }
  [[nodiscard]] uint64_t word(uint64_t place, int w) const {
    uint64_t bits = 0;
    for (const Part& p : parts) {
      if (!p.reaches(w)) continue;
      uint64_t key = 0;
      read(p, static_cast<int64_t>(place), 1, &key);
      bits |= piece(p, key, w);
    }
    return bits;
  }
  void fetch(uint64_t place, int w) const {
    for (const Part& p : parts) {
      if (p.reaches(w)) __builtin_prefetch(p.elements + static_cast<int64_t>(place) * p.item);
    }
  }

 private:
  struct Part {
    KeysSeen (*keys_of)(int64_t, const void*, bool, void*) = nullptr;
    int64_t item = 0;
    int half = -1;  // of a complex number: 0 or 1
    const char* elements = nullptr;
    uint64_t least = 0;
    int64_t bits = 0, begin = 0;
    [[nodiscard]] bool reaches(int w) const { return begin < 32 * (w + 1) && begin + bits > 32 * w; }
  };
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
  // The bits of a number in word w, which it reaches.
  static uint64_t piece(const Part& p, uint64_t key, int w) {
    const int64_t shift = p.begin + p.bits - 32 * (w + 1);
    const uint64_t k = key - p.least;
    return (shift >= 0 ? k >> shift : k << -shift) & place_bits;
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
    std::atomic<uint64_t> below{0}, most{0};  // below: the complement of the least
    spread(n, threads, [&](int64_t first, int64_t last) {
      constexpr int64_t step = 512;
      uint64_t keys[step], low = ~uint64_t{0}, high = 0;
      for (int64_t i = first; i < last; i += step) {
        const int64_t m = std::min(step, last - i);
        read(*p, i, m, keys);
        for (int64_t j = 0; j < m; ++j) {
          low = std::min(low, keys[j]);
          high = std::max(high, keys[j]);
        }
      }
      atomic_fetch_max(&below, ~low);
      atomic_fetch_max(&most, high);
    });
    p->least = ~below.load();
    p->bits = static_cast<int64_t>(std::bit_width(most.load() - p->least));
  }

  bool descending;
  std::vector<Part> parts;
  int count = 1;
};

template <class Key>
class Places {
 public:
  explicit Places(const SortCall& c) : c_(c) {}

  void run() const {
    const int64_t n = c_.n;
    if (n > static_cast<int64_t>(place_bits)) {
      fail(ARR_E_UNSUPPORTED, "argument a: ", n, " elements along the axis, expected fewer than 2^32");
    }
    const bool threads = n >= threaded_row;
    const int64_t bytes = checked::mul(std::max<int64_t>(n, 1), scratch_item(), "a row's buffer");
    if (threads) {
      const PoolBlock buffer(bytes);
      for (int64_t r = 0; r < c_.rows; ++r) row(r, buffer.data(), true);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, serial_elements / 8 / std::max<int64_t>(n, 1));
    const int64_t several = n <= network_most && n > 2 ? lanes : 1;
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
  static constexpr int64_t lanes = network_rows(8), fetch_ahead = 24;

  // Room to sort in, for the places where the caller wants none, and for a copy of the elements.
  [[nodiscard]] int64_t scratch_item() const { return 16 + item_size(c_.dtype); }
  [[nodiscard]] uint64_t* places_of(int64_t r, char* buffer) const {
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
      gather(r + k, x, buffer, false);
    }
  }

  void row(int64_t r, char* buffer, bool threads) const {
    Key key(c_);
    if (c_.n == 0) return;
    key.start(c_, r, threads);
    uint64_t *x = places_of(r, buffer), *other = reinterpret_cast<uint64_t*>(buffer);
    spread(c_.n, threads, [&](int64_t first, int64_t last) { key.first(first, last, x); });
    const auto done = [&](uint64_t* keys, int64_t n) { finish(key, keys, other + (keys - x), n); };
    radix_sort(x, other, c_.n, 32, threads, done);
    gather(r, x, buffer, threads);
  }

  // Turns keys before places, sorted by the first word, into sorted places.
  static void finish(const Key& key, uint64_t* x, uint64_t* buffer, int64_t n) {
    resolve(key, x, buffer, n, 1);
    for (int64_t i = 0; i < n; ++i) x[i] &= place_bits;
  }
  // Sorts each run of elements that are equal so far by word w and the following ones.
  static void resolve(const Key& key, uint64_t* x, uint64_t* buffer, int64_t n, int w) {
    if (w >= key.words()) return;
    for (int64_t i = 0, end = 0; i < n; i = end) {
      const uint64_t word = x[i] >> 32;
      end = i + 1;
      while (end < n && x[end] >> 32 == word) ++end;
      // The elements of a run lie anywhere: those of runs to come are fetched ahead.
      for (int64_t ahead = i + fetch_ahead; ahead < std::min(end + fetch_ahead, n - 1); ++ahead) {
        if (x[ahead] >> 32 == x[ahead + 1] >> 32) {
          key.fetch(x[ahead] & place_bits, w);
          key.fetch(x[ahead + 1] & place_bits, w);
        }
      }
      if (end - i == 1) continue;
      for (int64_t k = i; k < end; ++k) x[k] = key.word(x[k] & place_bits, w) << 32 | (x[k] & place_bits);
      if (end - i == 2) {
        // The most frequent run.
        if (x[i + 1] < x[i]) std::swap(x[i], x[i + 1]);
        if (x[i] >> 32 == x[i + 1] >> 32) resolve(key, x + i, buffer + i, 2, w + 1);
        continue;
      }
      const auto done = [&](uint64_t* keys, int64_t m) { resolve(key, keys, buffer + (keys - x), m, w + 1); };
      radix_sort(x + i, buffer + i, end - i, 32, false, done);
    }
  }

  // The elements at the places, which may take the place of the elements.
  void gather(int64_t r, const uint64_t* places, char* buffer, bool threads) const {
    if (c_.sorted == nullptr) return;
    const int64_t item = item_size(c_.dtype), n = c_.n;
    const char* from = row_of(c_, r);
    char* to = static_cast<char*>(c_.sorted) + r * n * item;
    if (to == from) {
      char* copy = buffer + 16 * n;
      std::copy(from, from + n * item, copy);
      from = copy;
    }
    switch (item) {
      case 1:
        return take<uint8_t>(from, places, n, to, threads);
      case 2:
        return take<uint16_t>(from, places, n, to, threads);
      case 4:
        return take<uint32_t>(from, places, n, to, threads);
      case 8:
        return take<uint64_t>(from, places, n, to, threads);
      default:
        return take<std::array<uint64_t, 2>>(from, places, n, to, threads);
    }
  }
  template <class T>
  static void take(const char* from, const uint64_t* places, int64_t n, char* to, bool threads) {
    const T* x = reinterpret_cast<const T*>(from);
    T* y = reinterpret_cast<T*>(to);
    spread(n, threads, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) y[i] = x[places[i]];
    });
  }

  const SortCall& c_;
};

}  // namespace

void sort_places(const SortCall& c) {
  if (c.nmore == 0 && item_size(c.dtype) <= 4) return Places<OneWord>(c).run();
  Places<SeveralWords>(c).run();
}

}  // namespace arr::host
