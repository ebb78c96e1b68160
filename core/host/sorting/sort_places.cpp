// SPDX-License-Identifier: MIT
// The places that put rows in order. 32 bits of a key and 32 of a place are one integer, so that a sort of
// integers keeps equal elements in order. Wider keys are words of 32 bits, of which the highest that differs
// is sorted first; then each run of elements that share it by the next word.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "backend/sorting.h"
#include "base/checked.h"
#include "host/device/pool.h"
#include "host/engine/parallel.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/radix_sort.h"
#include "host/sorting/sort.h"

namespace arr::host {

namespace {

constexpr uint64_t place_bits = 0xffffffff;

// Up to 32 bits: one word, which is written before the place at once.
struct OneWord {
  explicit OneWord(const SortCall& c)
      : places(sorting_loops().places[static_cast<int>(c.dtype)]),
        descending(c.descending),
        item(item_size(c.dtype)) {}
  void start(const char* x, int64_t /*n*/, bool /*threads*/) { elements = x; }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    places(to - from, elements + from * item, descending, from, keys + from);
  }
  static constexpr int words = 1;
  static uint64_t word(uint64_t /*place*/, int /*w*/) { return 0; }

  void (*places)(int64_t, const void*, bool, int64_t, uint64_t*);
  bool descending;
  int64_t item;
  const char* elements = nullptr;
};

// 64 bits: without the leading bits that all of a row share, two words.
struct TwoWords {
  explicit TwoWords(const SortCall& c)
      : keys_of(sorting_loops().keys[static_cast<int>(c.dtype)]), descending(c.descending) {}
  void start(const char* x, int64_t n, bool threads) {
    elements = reinterpret_cast<const uint64_t*>(x);
    const uint64_t one = key(0);
    std::atomic<uint64_t> all{0};
    spread(n, threads, [&](int64_t first, int64_t last) {
      uint64_t differ = 0;
      each_key(first, last, [&](int64_t /*i*/, uint64_t k) { differ |= k ^ one; });
      all.fetch_or(differ);
    });
    shared = all.load() == 0 ? 0 : std::countl_zero(all.load());
  }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    each_key(from, to, [&](int64_t i, uint64_t k) {
      keys[i] = (k << shared & ~place_bits) | static_cast<uint64_t>(i);
    });
  }
  static constexpr int words = 2;
  [[nodiscard]] uint64_t word(uint64_t place, int /*w*/) const {
    return key(static_cast<int64_t>(place)) << shared & place_bits;
  }
  [[nodiscard]] uint64_t key(int64_t i) const {
    uint64_t k = 0;
    keys_of(1, elements + i, descending, &k);
    return k;
  }
  template <class Body>
  void each_key(int64_t first, int64_t last, const Body& body) const {
    constexpr int64_t step = 512;
    uint64_t keys[step];
    for (int64_t i = first; i < last; i += step) {
      const int64_t m = std::min(step, last - i);
      keys_of(m, elements + i, descending, keys);
      for (int64_t j = 0; j < m; ++j) body(i + j, keys[j]);
    }
  }

  KeysSeen (*keys_of)(int64_t, const void*, bool, void*);
  bool descending;
  const uint64_t* elements = nullptr;
  int shared = 0;
};

// Complex numbers: the words of the real part, then of the imaginary part. NumPy's order of those with a nan:
// R + nan i, nan + R i, nan + nan i, each by the part that is a number. The keys of a nan are above all
// others and there is space between them: the first word tells the class.
template <class U, DType Part>
struct Complex {
  explicit Complex(const SortCall& c)
      : keys_of(sorting_loops().keys[static_cast<int>(Part)]), descending(c.descending) {}
  void start(const char* x, int64_t /*n*/, bool /*threads*/) { elements = reinterpret_cast<const U*>(x); }
  void first(int64_t from, int64_t to, uint64_t* keys) const {
    for (int64_t i = from; i < to; ++i)
      keys[i] = word(static_cast<uint64_t>(i), 0) << 32 | static_cast<uint64_t>(i);
  }
  static constexpr int per_part = sizeof(U) / 4, words = 2 * per_part;
  [[nodiscard]] uint64_t word(uint64_t place, int w) const {
    U key[2];
    keys_of(2, elements + 2 * place, descending, key);
    constexpr U nan = static_cast<U>(~U{0}), step = static_cast<U>(U{1} << (8 * sizeof(U) - 14));
    const U a = key[0], b = key[1];
    if (a == nan || b == nan) {
      // Above infinity's 0xff8... (float) or 0xfff0... (double).
      const U least = static_cast<U>(nan - 3 * step);
      key[0] = a != nan ? least : b != nan ? static_cast<U>(least + step) : nan;
      key[1] = a != nan ? a : b != nan ? b : U{0};
    }
    const U part = key[w / per_part];
    return per_part == 1 || w % 2 == 1 ? part & place_bits : static_cast<uint64_t>(part) >> 32;
  }

  KeysSeen (*keys_of)(int64_t, const void*, bool, void*);
  bool descending;
  const U* elements = nullptr;
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
  static constexpr int64_t lanes = network_bytes / 8;

  // Room to sort in, for the places where the caller wants none, and for a copy of the elements.
  [[nodiscard]] int64_t scratch_item() const { return 16 + item_size(c_.dtype); }
  [[nodiscard]] const char* in(int64_t r) const {
    return static_cast<const char*>(c_.keys) + r * c_.n * item_size(c_.dtype);
  }
  [[nodiscard]] uint64_t* places_of(int64_t r, char* buffer) const {
    return c_.order != nullptr ? reinterpret_cast<uint64_t*>(c_.order) + r * c_.n
                               : reinterpret_cast<uint64_t*>(buffer) + c_.n;
  }

  void rows(int64_t r, char* buffer) const {
    auto* keys = reinterpret_cast<uint64_t*>(c_.order) + r * c_.n;
    for (int64_t k = 0; k < lanes; ++k) {
      Key key(c_);
      key.start(in(r + k), c_.n, false);
      key.first(0, c_.n, keys + k * c_.n);
    }
    sorting_loops().rows[3](c_.n, c_.n, keys);
    for (int64_t k = 0; k < lanes; ++k) {
      Key key(c_);
      key.start(in(r + k), c_.n, false);
      auto* x = keys + k * c_.n;
      finish(key, x, reinterpret_cast<uint64_t*>(buffer), c_.n);
      gather(r + k, x, buffer, false);
    }
  }

  void row(int64_t r, char* buffer, bool threads) const {
    Key key(c_);
    if (c_.n == 0) return;
    key.start(in(r), c_.n, threads);
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
    if (w >= Key::words) return;
    for (int64_t i = 0, end = 0; i < n; i = end) {
      const uint64_t word = x[i] >> 32;
      end = i + 1;
      while (end < n && x[end] >> 32 == word) ++end;
      if (end - i == 1) continue;
      for (int64_t k = i; k < end; ++k) x[k] = key.word(x[k] & place_bits, w) << 32 | (x[k] & place_bits);
      const auto done = [&](uint64_t* keys, int64_t m) { resolve(key, keys, buffer + (keys - x), m, w + 1); };
      radix_sort(x + i, buffer + i, end - i, 32, false, done);
    }
  }

  // The elements at the places, which may take the place of the elements.
  void gather(int64_t r, const uint64_t* places, char* buffer, bool threads) const {
    if (c_.sorted == nullptr) return;
    const int64_t item = item_size(c_.dtype), n = c_.n;
    const char* from = in(r);
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
  if (c.dtype == DType::complex64_) return Places<Complex<uint32_t, DType::float32_>>(c).run();
  if (c.dtype == DType::complex128_) return Places<Complex<uint64_t, DType::float64_>>(c).run();
  if (item_size(c.dtype) == 8) return Places<TwoWords>(c).run();
  Places<OneWord>(c).run();
}

}  // namespace arr::host
