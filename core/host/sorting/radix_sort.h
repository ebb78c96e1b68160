// SPDX-License-Identifier: MIT
// Sorts unsigned integers by their bits from `low` on, in linear time. Data larger than a core's cache is
// split into pieces (splitter.h). Pieces are sorted digit by digit from the lowest (LSD), short ones by a
// network. Digits are taken from the distance to the least integer. For wide keys, only as many leading bits
// are sorted as nearly order n elements; insertion sort does the rest. Bits below `low` are already in order
// among equal integers, and stay so.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "base/atomic_max.h"
#include "host/elementwise/parallel.h"
#include "host/loops/sorting/sorting.h"
#include "host/sorting/splitter.h"

namespace arr::host {

// Shorter sequences are not tested for order first.
inline constexpr int64_t max_unseen_length = 48;
inline constexpr int64_t cached_bytes = int64_t{1} << 18;
// From this number of elements on, several threads select elements of a row.
inline constexpr int64_t threaded_row = int64_t{1} << 16;
// The same for sorts, which move each element between the threads' caches several times, so that two threads
// gain little.
constexpr int64_t threaded_sort(int64_t item, int64_t threads) {
  return threads > 3 ? threaded_row : int64_t{1} << (item < 8 ? 18 : 20);
}

// done(x, n) is called for each sorted piece of the result.
template <class K, class Done>
class RadixSort {
 public:
  RadixSort(int low, bool threads, const Done& done) : low_(low), threads_(threads), done_(done) {}

  // Sorts x; the buffer has n elements.
  void run(K* x, K* buffer, int64_t n) const {
    sort(x, buffer, n, false, threads_ && n >= threaded_row, true);
  }

 private:
  static constexpr int max_digit_bits = 11;

  // Sorts x into x or into the buffer. sampled: pieces may be chosen by a sample.
  void sort(K* x, K* buffer, int64_t n, bool to_buffer, bool threads, bool sampled) const {
    if (n <= max_unseen_length) return network(x, buffer, n, to_buffer);
    if (in_order(x, n, threads)) return finish(x, buffer, n, to_buffer);
    if (falling(x, n)) {
      std::reverse(x, x + n);
      return finish(x, buffer, n, to_buffer);
    }
    if (n <= max_array_length(sizeof(K))) return network(x, buffer, n, to_buffer);
    const KeySpan<K> span = span_of(x, n, threads);
    if (span.bits == 0) return finish(x, buffer, n, to_buffer);
    if (n * static_cast<int64_t>(sizeof(K)) <= cached_bytes) {
      const bool there = digits(x, buffer, n, span);
      return there == to_buffer ? done_(to_buffer ? buffer : x, n)
                                : finish(there ? buffer : x, there ? x : buffer, n, true);
    }
    const Splitter<K> splitter(x, n, span, low_, sampled);
    splitter.use([&](const auto& piece_of) {
      const Split s{x, buffer, n, to_buffer, splitter.by_sample()};
      threads ? split_threaded(s, piece_of) : split(s, piece_of);
    });
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
  // Tests for strictly descending order: equal keys must keep their order, so they exclude a reversal.
  static bool falling(const K* x, int64_t n) {
    for (int64_t i = 1; i < n; ++i) {
      if (x[i - 1] <= x[i]) return false;
    }
    return true;
  }
  KeySpan<K> span_of(const K* x, int64_t n, bool threads) const {
    std::atomic<K> min_complement{static_cast<K>(~x[0])}, max_key{x[0]};  // below: the complement of the min
    const auto piece = [&](int64_t first, int64_t last) {
      K low = x[first], high = low;
      for (int64_t i = first; i < last; ++i) {
        low = std::min(low, x[i]);
        high = std::max(high, x[i]);
      }
      atomic_fetch_max(&min_complement, static_cast<K>(~low));
      atomic_fetch_max(&max_key, high);
    };
    threads ? parallel_ranges(n, serial_elements, piece) : piece(0, n);
    KeySpan<K> span;
    span.min_key = static_cast<K>(static_cast<K>(static_cast<K>(~min_complement.load()) >> low_) << low_);
    span.bits = static_cast<int>(
        std::bit_width(static_cast<K>(static_cast<K>(max_key.load() - span.min_key) >> low_)));
    return span;
  }

  // Insertion sort. Returns false after more than `max_moves` moves; equal elements are still in order then.
  static bool insert(K* x, int64_t n, int64_t max_moves) {
    int64_t moves = 0;
    for (int64_t i = 1; i < n; ++i) {
      const K v = x[i];
      int64_t at = i;
      for (; at > 0 && v < x[at - 1]; --at) x[at] = x[at - 1];
      x[at] = v;
      moves += i - at;
      if (moves > max_moves) return false;
    }
    return true;
  }

  // Returns whether the result is in the buffer.
  bool digits(K* x, K* buffer, int64_t n, const KeySpan<K>& span) const {
    // The number of bits that nearly order n elements, and a few more.
    const int max_digit = n < 2048 ? 8 : max_digit_bits,
              needed = static_cast<int>(std::bit_width(static_cast<uint64_t>(n))) + 6;
    const int sorted = (needed + max_digit - 1) / max_digit * max_digit;
    if (span.bits <= sorted) return passes(x, buffer, n, span.min_key, low_, span.bits, max_digit);
    const bool there = passes(x, buffer, n, span.min_key, low_ + span.bits - sorted, sorted, max_digit);
    if (insert(there ? buffer : x, n, 4 * n)) return there;
    return passes(there ? buffer : x, there ? x : buffer, n, span.min_key, low_, span.bits, max_digit) !=
           there;
  }
  // Sorts by `bits` bits from bit `from` on.
  static bool passes(K* x, K* buffer, int64_t n, K min_key, int from, int bits, int max_digit) {
    const int count = (bits + max_digit - 1) / max_digit, digit = (bits + count - 1) / count;
    bool there = false;
    for (int p = 0; p < count; ++p) {
      const int shift = from + p * digit;
      there = pass(there ? buffer : x, there ? x : buffer, n, min_key, shift,
                   std::min(digit, from + bits - shift)) != there;
    }
    return there;
  }
  // Sorts by one digit. Returns false, with nothing done, if all elements have the same one.
  static bool pass(const K* x, K* to, int64_t n, K min_key, int shift, int digit) {
    std::array<uint32_t, 1 << max_digit_bits> next;
    const size_t values = size_t{1} << digit;
    const auto digit_of = [=](K k) {
      return static_cast<size_t>(static_cast<K>(static_cast<K>(k - min_key) >> shift)) & (values - 1);
    };
    std::fill(next.begin(), next.begin() + static_cast<int64_t>(values), 0U);
    for (int64_t i = 0; i < n; ++i) ++next[digit_of(x[i])];
    if (next[digit_of(x[0])] == static_cast<uint32_t>(n)) return false;
    uint32_t sum = 0;
    for (size_t v = 0; v < values; ++v) {
      const uint32_t here = next[v];
      next[v] = sum;
      sum += here;
    }
    for (int64_t i = 0; i < n; ++i) {
      const K k = x[i];
      to[next[digit_of(k)]++] = k;
    }
    return true;
  }

  using Offsets = std::array<int64_t, split_pieces + 1>;
  template <class PieceOf>
  static void count(const K* x, int64_t n, const PieceOf& piece_of, int64_t* counts) {
    for (int64_t i = 0; i < n; ++i) ++counts[piece_of(x[i])];
  }
  template <class PieceOf>
  static void scatter(const K* x, int64_t n, const PieceOf& piece_of, int64_t* next, K* to) {
    for (int64_t i = 0; i < n; ++i) to[next[piece_of(x[i])]++] = x[i];
  }

  // Splits n integers of x into the buffer, and sorts the pieces into x or into the buffer.
  struct Split {
    K *x, *buffer;
    int64_t n;
    bool to_buffer, by_sample;
  };
  template <class PieceOf>
  void split(const Split& s, const PieceOf& piece_of) const {
    Offsets begin{};
    count(s.x, s.n, piece_of, begin.data() + 1);
    for (size_t v = 0; v < split_pieces; ++v) begin[v + 1] += begin[v];
    Offsets next = begin;
    scatter(s.x, s.n, piece_of, next.data(), s.buffer);
    for (size_t v = 0; v < split_pieces; ++v) piece(s, begin, v, false);
  }
  void piece(const Split& s, const Offsets& begin, size_t v, bool threads) const {
    const int64_t from = begin[v], n = begin[v + 1] - from;
    if (n == 0) return;
    // A large piece, most of which the sample missed, is split again; that leaves fewer bits.
    const bool sampled = !s.by_sample || n <= s.n / 4;
    sort(s.buffer + from, s.x + from, n, !s.to_buffer, threads, sampled);
  }

  template <class PieceOf>
  void split_threaded(const Split& s, const PieceOf& piece_of) const {
    const int64_t n = s.n;
    // Each part of x has its own range in each piece.
    const int64_t parts = std::min<int64_t>(4 * concurrency(), std::max<int64_t>(1, n / serial_elements));
    const int64_t part = (n + parts - 1) / parts;
    std::vector<std::array<int64_t, split_pieces>> next(static_cast<size_t>(parts));
    const auto each = [&](auto&& body) {
      parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
        for (int64_t p = first; p < last; ++p) {
          body(s.x + std::min(n, p * part), std::min(part, std::max<int64_t>(0, n - p * part)),
               next[static_cast<size_t>(p)].data());
        }
      });
    };
    each([&](const K* from, int64_t m, int64_t* counts) {
      std::fill(counts, counts + split_pieces, int64_t{0});
      count(from, m, piece_of, counts);
    });
    Offsets begin;
    int64_t sum = 0;
    for (size_t v = 0; v < split_pieces; ++v) {
      begin[v] = sum;
      for (auto& counts : next) {
        const int64_t here = counts[v];
        counts[v] = sum;
        sum += here;
      }
    }
    begin[split_pieces] = sum;
    each([&](const K* from, int64_t m, int64_t* offsets) { scatter(from, m, piece_of, offsets, s.buffer); });
    // A large piece is sorted by all threads.
    const int64_t large = std::max(threaded_row, n / 8);
    for (size_t v = 0; v < split_pieces; ++v) {
      if (begin[v + 1] - begin[v] >= large) piece(s, begin, v, true);
    }
    parallel_ranges(split_pieces, 1, [&](int64_t first, int64_t last) {
      for (auto v = static_cast<size_t>(first); v < static_cast<size_t>(last); ++v) {
        if (begin[v + 1] - begin[v] < large) piece(s, begin, v, false);
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
