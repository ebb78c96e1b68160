// SPDX-License-Identifier: MIT
// Sorts unsigned integers by their bits from `low` on, in linear time. What does not fit a core's cache is
// split by 8 of the leading bits that differ; the pieces, in the cache, are sorted by a digit at a time from
// the lowest up (LSD), short ones by a network. Of wide keys only as many leading bits are sorted so as n
// elements need to be nearly in order; insertion does the rest. Bits below `low` are in order already among
// equal ones, and stay so.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "host/engine/parallel.h"
#include "host/loops/sorting/sorting.h"

namespace arr::host {

// Shorter ones are not looked at before they are sorted.
inline constexpr int64_t unseen_most = 48;
inline constexpr int64_t cached_bytes = int64_t{1} << 17;
// From so many elements on a row is sorted by several threads.
inline constexpr int64_t threaded_row = int64_t{1} << 16;

// done(x, n) is called for each piece of the result, which is in order and in its place.
template <class K, class Done>
class RadixSort {
 public:
  RadixSort(int low, bool threads, const Done& done) : low_(low), threads_(threads), done_(done) {}

  // Sorts x; the buffer has n elements.
  void run(K* x, K* buffer, int64_t n) const { sort(x, buffer, n, false, threads_ && n >= threaded_row); }

 private:
  static constexpr int split_bits = 8, digit_most = 11;
  static constexpr int64_t pieces = int64_t{1} << split_bits;

  // Sorts x into x or into the buffer.
  void sort(K* x, K* buffer, int64_t n, bool to_buffer, bool threads) const {
    if (n <= unseen_most) return network(x, buffer, n, to_buffer);
    if (in_order(x, n, threads)) return finish(x, buffer, n, to_buffer);
    if (falling(x, n)) {
      std::reverse(x, x + n);
      return finish(x, buffer, n, to_buffer);
    }
    if (n <= array_most(sizeof(K))) return network(x, buffer, n, to_buffer);
    const K different = static_cast<K>(differing(x, n, threads) >> low_);
    if (different == 0) return finish(x, buffer, n, to_buffer);
    const auto bits = static_cast<int>(std::bit_width(different));
    if (n * static_cast<int64_t>(sizeof(K)) <= cached_bytes) {
      const bool there = digits(x, buffer, n, bits);
      return there == to_buffer ? done_(to_buffer ? buffer : x, n)
                                : finish(there ? buffer : x, there ? x : buffer, n, true);
    }
    const int shift = low_ + std::max(0, bits - split_bits);
    threads ? split_threaded(x, buffer, n, shift, to_buffer) : split(x, buffer, n, shift, to_buffer);
  }

  void network(K* x, K* buffer, int64_t n, bool to_buffer) const {
    K* to = to_buffer ? buffer : x;
    if (n > 16) {
      array_(n, x, to);
    } else {
      if (to_buffer) std::copy(x, x + n, to);
      insert(to, n, n * n);
    }
    done_(to, n);
  }
  void finish(K* x, K* buffer, int64_t n, bool to_buffer) const {
    if (to_buffer) std::copy(x, x + n, buffer);
    done_(to_buffer ? buffer : x, n);
  }

  static bool ordered(const K* x, int64_t first, int64_t last) {
    constexpr int64_t step = 256;
    for (int64_t i = first; i < last; i += step) {
      bool fine = true;
      for (int64_t j = i; j < std::min(i + step, last); ++j) fine &= x[j - 1] <= x[j];
      if (!fine) return false;
    }
    return true;
  }
  static bool in_order(const K* x, int64_t n, bool threads) {
    if (!ordered(x, 1, std::min<int64_t>(n, 1024))) return false;
    if (!threads) return ordered(x, 1, n);
    std::atomic<bool> fine{true};
    parallel_ranges(n - 1, serial_elements, [&](int64_t first, int64_t last) {
      if (fine.load(std::memory_order_relaxed) && !ordered(x, first + 1, last + 1)) {
        fine.store(false, std::memory_order_relaxed);
      }
    });
    return fine.load(std::memory_order_relaxed);
  }
  // Falling strictly: elements with equal keys, of which the first is the least, are not to change places.
  static bool falling(const K* x, int64_t n) {
    for (int64_t i = 1; i < n; ++i) {
      if (x[i - 1] <= x[i]) return false;
    }
    return true;
  }
  // The bits that are not the same in all elements.
  static K differing(const K* x, int64_t n, bool threads) {
    const auto piece = [x](int64_t first, int64_t last) {
      const K one = x[0];
      K bits = 0;
      for (int64_t i = first; i < last; ++i) bits = static_cast<K>(bits | (x[i] ^ one));
      return bits;
    };
    if (!threads) return piece(0, n);
    std::atomic<K> bits{0};
    parallel_ranges(n, serial_elements,
                    [&](int64_t first, int64_t last) { bits.fetch_or(piece(first, last)); });
    return bits.load();
  }

  // False after more than `most` moves: elements are at other places, equal ones still in order.
  static bool insert(K* x, int64_t n, int64_t most) {
    int64_t moves = 0;
    for (int64_t i = 1; i < n; ++i) {
      const K v = x[i];
      int64_t at = i;
      for (; at > 0 && v < x[at - 1]; --at) x[at] = x[at - 1];
      x[at] = v;
      moves += i - at;
      if (moves > most) return false;
    }
    return true;
  }

  // By the lowest `bits` bits from low_ on; returns whether the result is in the buffer.
  bool digits(K* x, K* buffer, int64_t n, int bits) const {
    const int needed = 2 * static_cast<int>(std::bit_width(static_cast<uint64_t>(n)));
    if (bits <= needed + 8) return passes(x, buffer, n, low_, bits);
    const bool there = passes(x, buffer, n, low_ + bits - needed, needed);
    if (insert(there ? buffer : x, n, 4 * n)) return there;
    return passes(there ? buffer : x, there ? x : buffer, n, low_, bits) != there;
  }
  // By the bits from `from` on, `bits` of them.
  static bool passes(K* x, K* buffer, int64_t n, int from, int bits) {
    const int most = n < 2048 ? 8 : digit_most;
    const int count = (bits + most - 1) / most, digit = (bits + count - 1) / count;
    bool there = false;
    for (int p = 0; p < count; ++p) {
      const int shift = from + p * digit;
      there = pass(there ? buffer : x, there ? x : buffer, n, shift, std::min(digit, from + bits - shift)) !=
              there;
    }
    return there;
  }
  // One digit; false where all elements have the same one, and nothing was done.
  static bool pass(const K* x, K* to, int64_t n, int shift, int digit) {
    std::array<uint32_t, 1 << digit_most> next;
    const size_t values = size_t{1} << digit;
    const K mask = static_cast<K>(values - 1);
    std::fill(next.begin(), next.begin() + static_cast<int64_t>(values), 0U);
    for (int64_t i = 0; i < n; ++i) ++next[static_cast<size_t>(static_cast<K>(x[i] >> shift) & mask)];
    if (next[static_cast<size_t>(static_cast<K>(x[0] >> shift) & mask)] == static_cast<uint32_t>(n))
      return false;
    uint32_t sum = 0;
    for (size_t v = 0; v < values; ++v) {
      const uint32_t here = next[v];
      next[v] = sum;
      sum += here;
    }
    for (int64_t i = 0; i < n; ++i) {
      const K k = x[i];
      to[next[static_cast<size_t>(static_cast<K>(k >> shift) & mask)]++] = k;
    }
    return true;
  }

  using Places = std::array<int64_t, pieces + 1>;
  static size_t piece_of(K k, int shift) {
    return static_cast<size_t>(static_cast<K>(k >> shift)) & (pieces - 1);
  }
  static void count(const K* x, int64_t n, int shift, int64_t* counts) {
    for (int64_t i = 0; i < n; ++i) ++counts[piece_of(x[i], shift)];
  }
  static void scatter(const K* x, int64_t n, int shift, int64_t* next, K* to) {
    for (int64_t i = 0; i < n; ++i) to[next[piece_of(x[i], shift)]++] = x[i];
  }

  void split(K* x, K* buffer, int64_t n, int shift, bool to_buffer) const {
    Places begin{};
    count(x, n, shift, begin.data() + 1);
    for (size_t v = 0; v < pieces; ++v) begin[v + 1] += begin[v];
    Places next = begin;
    scatter(x, n, shift, next.data(), buffer);
    for (size_t v = 0; v < pieces; ++v) piece(x, buffer, begin, v, to_buffer, false);
  }
  void piece(K* x, K* buffer, const Places& begin, size_t v, bool to_buffer, bool threads) const {
    const int64_t from = begin[v], n = begin[v + 1] - from;
    if (n > 0) sort(buffer + from, x + from, n, !to_buffer, threads);
  }

  void split_threaded(K* x, K* buffer, int64_t n, int shift, bool to_buffer) const {
    // Each part of x has its own places in each piece.
    const int64_t parts = std::min<int64_t>(4 * concurrency(), std::max<int64_t>(1, n / serial_elements));
    const int64_t part = (n + parts - 1) / parts;
    std::vector<std::array<int64_t, pieces>> next(static_cast<size_t>(parts));
    const auto each = [&](auto&& body) {
      parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
        for (int64_t p = first; p < last; ++p) {
          body(x + std::min(n, p * part), std::min(part, std::max<int64_t>(0, n - p * part)),
               next[static_cast<size_t>(p)].data());
        }
      });
    };
    each([&](const K* from, int64_t m, int64_t* counts) {
      std::fill(counts, counts + pieces, int64_t{0});
      count(from, m, shift, counts);
    });
    Places begin;
    int64_t sum = 0;
    for (size_t v = 0; v < pieces; ++v) {
      begin[v] = sum;
      for (auto& counts : next) {
        const int64_t here = counts[v];
        counts[v] = sum;
        sum += here;
      }
    }
    begin[pieces] = sum;
    each([&](const K* from, int64_t m, int64_t* places) { scatter(from, m, shift, places, buffer); });
    // A large piece is spread over the threads by itself.
    const int64_t large = std::max(threaded_row, n / 8);
    for (size_t v = 0; v < pieces; ++v) {
      if (begin[v + 1] - begin[v] >= large) piece(x, buffer, begin, v, to_buffer, true);
    }
    parallel_ranges(pieces, 1, [&](int64_t first, int64_t last) {
      for (auto v = static_cast<size_t>(first); v < static_cast<size_t>(last); ++v) {
        if (begin[v + 1] - begin[v] < large) piece(x, buffer, begin, v, to_buffer, false);
      }
    });
  }

  int low_;
  bool threads_;
  const Done& done_;
  void (*const array_)(int64_t, const void*, void*) = sorting_loops().array[width_index(sizeof(K))];
};

template <class K, class Done>
void radix_sort(K* x, K* buffer, int64_t n, int low, bool threads, const Done& done) {
  RadixSort<K, Done>(low, threads, done).run(x, buffer, n);
}

}  // namespace arr::host
