// SPDX-License-Identifier: MIT
// Sorts rows: converts elements to keys, sorts these, and converts back. Equal elements with different bits
// (-0.0 and 0.0, different nans) are restored in the order of the input afterwards.
#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <vector>

#include "backend/sorting.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/calls.h"
#include "host/sorting/key_sort.h"
#include "host/sorting/sort.h"

namespace arr::host {

namespace {

// From this number of elements on, 8-bit and 16-bit keys are sorted by counting.
constexpr int64_t counting_sort_length[] = {int64_t{1} << 12, int64_t{1} << 18};

// Elements of a row that their keys do not distinguish (nans and zeros), in the order of the input.
template <class K>
struct NansAndZeros {
  std::vector<K> nans, zeros;

  void collect(const K* x, int64_t n, K infinity) {
    constexpr K top = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
    nans.clear();
    zeros.clear();
    for (int64_t i = 0; i < n; ++i) {
      const K size = static_cast<K>(x[i] & static_cast<K>(~top));
      if (size > infinity) nans.push_back(x[i]);
      if (size == 0) zeros.push_back(x[i]);
    }
  }
  // x: the sorted elements.
  void put_back(K* x, int64_t n) const {
    const int64_t numbers = n - static_cast<int64_t>(nans.size());
    std::copy(nans.begin(), nans.end(), x + numbers);
    if (zeros.empty()) return;
    const K* zero = std::find_if(x, x + numbers, [](K k) { return static_cast<K>(k << 1) == 0; });
    std::copy(zeros.begin(), zeros.end(), x + (zero - x));
  }
};

template <class K>
class SortedRows {
 public:
  explicit SortedRows(const SortCall& c)
      : c_(c),
        infinity_(static_cast<K>(infinity_bits(c.dtype))),
        keys_(sorting_loops().keys[static_cast<int>(c.dtype)]),
        elements_(sorting_loops().elements[static_cast<int>(c.dtype)]) {}

  void run() const {
    if (c_.n >= threaded_row && concurrency() > 1) {
      const PoolBlock buffer(checked::mul(c_.n, item, "a row's buffer"));
      for (int64_t r = 0; r < c_.rows; ++r) row(r, buffer_of(buffer), true);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, serial_elements / 8 / std::max<int64_t>(c_.n, 1));
    const int64_t several = c_.n <= max_network_length && c_.n > 2 ? network_rows(item) : 1;
    parallel_ranges(checked::ceil_div(c_.rows, several), checked::ceil_div(grain, several),
                    [&](int64_t first, int64_t last) { rows(first * several, last * several, several); });
  }

  // Sorts columns by networks, as many at once as have their keys in a cache.
  void run_columns() const {
    const int64_t across = checked::ceil_div(c_.inner, tile), tiles = c_.rows / c_.inner * across;
    const int64_t grain = checked::ceil_div(serial_elements / 8, tile * c_.n);
    parallel_ranges(tiles, grain, [&](int64_t first, int64_t last) {
      const PoolBlock buffer(c_.n * tile * item);
      for (int64_t t = first; t < last; ++t) {
        const int64_t at = t % across * tile;
        columns(t / across * c_.n * c_.inner + at, std::min(tile, c_.inner - at), buffer_of(buffer));
      }
    });
  }

 private:
  static constexpr int64_t item = sizeof(K), tile = 4 * network_bytes / item;
  static constexpr int index = width_index(item);

  [[nodiscard]] const K* in(int64_t r) const { return static_cast<const K*>(c_.keys) + r * c_.n; }
  [[nodiscard]] K* out(int64_t r) const { return static_cast<K*>(c_.sorted) + r * c_.n; }
  static K* buffer_of(const PoolBlock& b) { return reinterpret_cast<K*>(b.data()); }

  void rows(int64_t first, int64_t last, int64_t several) const {
    const PoolBlock buffer(std::max<int64_t>(c_.n, 1) * item);
    for (int64_t r = first; r < std::min(last, c_.rows); r += several) {
      if (several > 1 && c_.rows - r >= several) {
        network(r, several);
        continue;
      }
      for (int64_t k = r; k < std::min(r + several, c_.rows); ++k) row(k, buffer_of(buffer), false);
    }
  }
  // Sorts as many rows as a network takes.
  void network(int64_t r, int64_t several) const {
    const int64_t all = several * c_.n;
    alignas(64) K buffer[static_cast<size_t>(network_rows(item) * max_network_length)];
    const KeyFlags seen = keys_(all, in(r), c_.descending, buffer);
    std::vector<NansAndZeros<K>> nans_and_zeros;
    if (seen.nan || seen.minus_zero) {
      nans_and_zeros.resize(static_cast<size_t>(several));
      for (int64_t k = 0; k < several; ++k)
        nans_and_zeros[static_cast<size_t>(k)].collect(in(r + k), c_.n, infinity_);
    }
    sorting_loops().rows[index](c_.n, c_.n, buffer);
    elements_(all, buffer, c_.descending, out(r));
    for (size_t k = 0; k < nans_and_zeros.size(); ++k)
      nans_and_zeros[k].put_back(out(r + static_cast<int64_t>(k)), c_.n);
  }
  // Sorts `count` adjacent columns, the first of which begins at element `at`.
  void columns(int64_t at, int64_t count, K* buffer) const {
    const K* x = static_cast<const K*>(c_.keys) + at;
    K* y = static_cast<K*>(c_.sorted) + at;
    KeyFlags seen;
    for (int64_t i = 0; i < c_.n; ++i) {
      const KeyFlags here = keys_(count, x + i * c_.inner, c_.descending, buffer + i * tile);
      seen = {seen.nan || here.nan, seen.minus_zero || here.minus_zero};
      std::fill(buffer + i * tile + count, buffer + (i + 1) * tile, K{0});
    }
    if (seen.nan || seen.minus_zero) return columns_with_nans(x, y, count, buffer);
    for (int64_t c = 0; c < count; c += network_bytes / item) {
      sorting_loops().columns[index](c_.n, tile, buffer + c);
    }
    for (int64_t i = 0; i < c_.n; ++i) {
      elements_(count, buffer + i * tile, c_.descending, y + i * c_.inner);
    }
  }
  // The same if keys do not distinguish all elements.
  void columns_with_nans(const K* x, K* y, int64_t count, K* buffer) const {
    for (int64_t c = 0; c < count; ++c) {
      for (int64_t i = 0; i < c_.n; ++i) buffer[c * c_.n + i] = x[i * c_.inner + c];
    }
    SortCall each = c_;
    each.keys = each.sorted = buffer;
    each.rows = count;
    const PoolBlock room(c_.n * item);
    const SortedRows<K> rows(each);
    for (int64_t c = 0; c < count; ++c) {
      rows.row(c, buffer_of(room), false);
      for (int64_t i = 0; i < c_.n; ++i) y[i * c_.inner + c] = buffer[c * c_.n + i];
    }
  }

  void row(int64_t r, K* buffer, bool threads) const {
    const K* x = in(r);
    K* to = out(r);
    const int64_t n = c_.n;
    NansAndZeros<K> nans_and_zeros;
    if constexpr (sizeof(K) <= 2) {
      if (n >= counting_sort_length[index]) return counting_sort(x, to);
    }
    const KeyFlags seen = to_keys(x, to, buffer, threads, &nans_and_zeros);
    const auto done = [&](K* keys, int64_t count) { elements_(count, keys, c_.descending, keys); };
    sort_keys(to, buffer, n, 0, threads, done);
    if (seen.nan || seen.minus_zero) nans_and_zeros.put_back(to, n);
  }
  // Writes keys to the result as elements. The keys may be in the result's memory.
  KeyFlags to_keys(const K* x, K* to, K* buffer, bool threads, NansAndZeros<K>* nans_and_zeros) const {
    KeyFlags seen;
    if (!is_floating(c_.dtype)) {
      spread(c_.n, threads,
             [&](int64_t first, int64_t last) { keys_(last - first, x + first, c_.descending, to + first); });
      return seen;
    }
    std::atomic<bool> nan{false}, minus_zero{false};
    K* keys = x == to ? buffer : to;
    spread(c_.n, threads, [&](int64_t first, int64_t last) {
      const KeyFlags here = keys_(last - first, x + first, c_.descending, keys + first);
      if (here.nan) nan.store(true, std::memory_order_relaxed);
      if (here.minus_zero) minus_zero.store(true, std::memory_order_relaxed);
    });
    seen = {nan.load(), minus_zero.load()};
    if (seen.nan || seen.minus_zero) nans_and_zeros->collect(x, c_.n, infinity_);
    if (keys != to) std::copy(keys, keys + c_.n, to);
    return seen;
  }

  // Counts each key of 8 or 16 bits.
  void counting_sort(const K* x, K* to) const {
    const int64_t n = c_.n;
    constexpr int64_t values = int64_t{1} << (8 * sizeof(K));
    const int64_t parts = std::max(checked::ceil_div(n, int64_t{1} << 31),
                                   std::min<int64_t>(2 * concurrency(), checked::ceil_div(n, 2 * values)));
    const int64_t part = checked::ceil_div(n, parts);
    std::vector<uint32_t> counts(static_cast<size_t>(parts * values));
    std::atomic<bool> has_any{false};
    parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) {
        const KeyFlags seen = count(x + p * part, std::min(part, n - p * part), counts.data() + p * values);
        if (seen.nan || seen.minus_zero) has_any.store(true, std::memory_order_relaxed);
      }
    });
    NansAndZeros<K> nans_and_zeros;
    if (has_any.load()) nans_and_zeros.collect(x, n, infinity_);
    std::vector<int64_t> begin(static_cast<size_t>(values) + 1);
    for (int64_t v = 0, sum = 0; v < values; ++v) {
      for (int64_t p = 0; p < parts; ++p) sum += counts[static_cast<size_t>(p * values + v)];
      begin[static_cast<size_t>(v) + 1] = sum;
    }
    std::vector<K> elements(static_cast<size_t>(values));
    std::iota(elements.begin(), elements.end(), K{0});
    elements_(values, elements.data(), c_.descending, elements.data());
    parallel_ranges(n, serial_elements,
                    [&](int64_t first, int64_t last) { fill(begin, elements, first, last, to); });
    if (has_any.load()) nans_and_zeros.put_back(to, n);
  }
  KeyFlags count(const K* x, int64_t n, uint32_t* counts) const {
    constexpr int64_t step = 1024;
    K keys[step];
    KeyFlags all;
    for (int64_t i = 0; i < n; i += step) {
      const int64_t m = std::min(step, n - i);
      const KeyFlags seen = keys_(m, x + i, c_.descending, keys);
      all = {all.nan || seen.nan, all.minus_zero || seen.minus_zero};
      for (int64_t j = 0; j < m; ++j) ++counts[keys[j]];
    }
    return all;
  }
  // Writes elements first .. last of the result; elements[v] fills begin[v] .. begin[v + 1].
  static void fill(const std::vector<int64_t>& begin, const std::vector<K>& elements, int64_t first,
                   int64_t last, K* to) {
    auto v = static_cast<size_t>(std::upper_bound(begin.begin(), begin.end(), first) - begin.begin() - 1);
    for (int64_t i = first; i < last; ++v) {
      const int64_t end = std::min(begin[v + 1], last);
      std::fill(to + i, to + end, elements[v]);
      i = end;
    }
  }

  const SortCall& c_;
  const K infinity_;
  KeyFlags (*const keys_)(int64_t, const void*, bool, void*);
  void (*const elements_)(int64_t, const void*, bool, void*);
};

// Transposes columns of a matrix with `ld` elements per row into rows of n elements, and back.
template <class T>
void columns_to_rows(int64_t n, int64_t count, const char* from, int64_t ld, char* to) {
  const T* x = reinterpret_cast<const T*>(from);
  T* y = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t c = 0; c < count; ++c) y[c * n + i] = x[i * ld + c];
  }
}
template <class T>
void rows_to_columns(int64_t n, int64_t count, const char* from, char* to, int64_t ld) {
  const T* x = reinterpret_cast<const T*>(from);
  T* y = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t c = 0; c < count; ++c) y[i * ld + c] = x[c * n + i];
  }
}
void to_rows(int64_t item, int64_t n, int64_t count, const char* from, int64_t ld, char* to) {
  by_item(item, [&](auto t) { columns_to_rows<decltype(t)>(n, count, from, ld, to); });
}
void to_columns(int64_t item, int64_t n, int64_t count, const char* from, char* to, int64_t ld) {
  by_item(item, [&](auto t) { rows_to_columns<decltype(t)>(n, count, from, to, ld); });
}

}  // namespace

uint64_t infinity_bits(DType d) {
  switch (d) {
    case DType::float16_:
      return 0x7c00;
    case DType::bfloat16_:
      return 0x7f80;
    case DType::float32_:
      return 0x7f800000;
    case DType::float64_:
      return 0x7ff0000000000000;
    default:
      return 0;
  }
}

namespace {

// Sorts columns as rows of a buffer, a tile at a time, for a call that requests indices.
void sort_tiles(const SortCall& c) {
  constexpr int64_t tile = 32;
  const int64_t item = item_size(c.dtype), across = checked::ceil_div(c.inner, tile);
  const int64_t grain = checked::ceil_div(serial_elements / 8, tile * c.n);
  parallel_ranges(c.rows / c.inner * across, grain, [&](int64_t first, int64_t last) {
    const PoolBlock elements(c.n * tile * item), indices(c.n * tile * 8);
    SortCall each = c;
    each.inner = 1;
    each.keys = elements.data();
    if (c.sorted != nullptr) each.sorted = elements.data();
    if (c.order != nullptr) each.order = reinterpret_cast<int64_t*>(indices.data());
    for (int64_t t = first; t < last; ++t) {
      const int64_t column = t % across * tile, at = t / across * c.n * c.inner + column;
      each.rows = std::min(tile, c.inner - column);
      to_rows(item, c.n, each.rows, static_cast<const char*>(c.keys) + at * item, c.inner, elements.data());
      argsort(each);
      if (c.sorted != nullptr) {
        to_columns(item, c.n, each.rows, elements.data(), static_cast<char*>(c.sorted) + at * item, c.inner);
      }
      if (c.order != nullptr) {
        to_columns(8, c.n, each.rows, indices.data(), reinterpret_cast<char*>(c.order + at), c.inner);
      }
    }
  });
}

template <class K>
void sort_elements(const SortCall& c) {
  c.inner > 1 ? SortedRows<K>(c).run_columns() : SortedRows<K>(c).run();
}

}  // namespace

void sort(const SortCall& c) {
  if (c.extent != SortExtent::all) return sort_selected(c);
  if (c.order != nullptr || is_complex(c.dtype)) return c.inner > 1 ? sort_tiles(c) : argsort(c);
  switch (item_size(c.dtype)) {
    case 1:
      return sort_elements<uint8_t>(c);
    case 2:
      return sort_elements<uint16_t>(c);
    case 4:
      return sort_elements<uint32_t>(c);
    default:
      return sort_elements<uint64_t>(c);
  }
}

}  // namespace arr::host
