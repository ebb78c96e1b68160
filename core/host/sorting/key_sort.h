// SPDX-License-Identifier: MIT
// Sorts unsigned integers. Several threads first split them into buckets by keys from a sample, each thread a
// part that its cache holds at a time; then each sorts some buckets.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/loops/sorting/sorting.h"

namespace arr::host {

// From this number of elements on, several threads sort or select elements of a row.
inline constexpr int64_t threaded_row = int64_t{1} << 16;

// done(x, n) is called for each sorted segment of the result. Keys that differ only in bits below `low` are
// in one segment.
template <class K, class Done>
class KeySort {
 public:
  KeySort(int low, const Done& done) : low_(low), done_(done) {}

  // Sorts x; the buffer has n keys.
  void run(K* x, K* buffer, int64_t n, bool threads) const {
    if (!in_order(x, n, threads)) {
      if (falling(x, n)) {
        std::reverse(x, x + n);
      } else if (threads) {
        return by_buckets(x, buffer, n);
      } else {
        sort_(n, x, buffer, false);
      }
    }
    done_(x, n);
  }

 private:
  // A bucket has about this many keys, and a core's cache holds two parts.
  static constexpr int64_t bucket_size = int64_t{1} << 17, max_buckets = 256, samples = 16,
                           part_size = (int64_t{1} << 18) / static_cast<int64_t>(sizeof(K));

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
  static bool falling(const K* x, int64_t n) {
    for (int64_t i = 1; i < n; ++i) {
      if (x[i - 1] < x[i]) return false;
    }
    return true;
  }

  void by_buckets(K* x, K* buffer, int64_t n) const {
    const std::vector<K> pivots = pivots_of(x, n);
    const size_t buckets = pivots.size() + 1;
    const int64_t parts = checked::ceil_div(n, part_size);
    // The number of a part's keys in each bucket, then the index of the first of them in the buffer.
    std::vector<int64_t> counts(static_cast<size_t>(parts) * buckets), begin(buckets + 1);
    const auto each_part = [&](auto&& body) {
      parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
        const PoolBlock room(part_size * static_cast<int64_t>(sizeof(K)));
        for (int64_t p = first; p < last; ++p) {
          body(x + p * part_size, std::min(part_size, n - p * part_size), reinterpret_cast<K*>(room.data()),
               counts.data() + static_cast<size_t>(p) * buckets);
        }
      });
    };
    each_part([&](K* part, int64_t m, K* room, int64_t* count) {
      split(part, room, m, false, pivots.data(), pivots.size(), count);
    });
    int64_t sum = 0;
    for (size_t b = 0; b < buckets; ++b) {
      begin[b] = sum;
      for (size_t at = b; at < counts.size(); at += buckets) sum += std::exchange(counts[at], sum);
    }
    begin[buckets] = n;
    each_part([&](const K* part, int64_t /*m*/, K* /*room*/, const int64_t* to) {
      for (size_t b = 0; b < buckets; ++b) {
        const bool last = to + buckets == counts.data() + counts.size();
        const int64_t m = (last ? begin[b + 1] : to[b + buckets]) - to[b];
        std::copy(part, part + m, buffer + to[b]);
        part += m;
      }
    });
    parallel_ranges(static_cast<int64_t>(buckets), 1, [&](int64_t first, int64_t last) {
      for (auto b = static_cast<size_t>(first); b < static_cast<size_t>(last); ++b) {
        const int64_t at = begin[b], m = begin[b + 1] - at;
        if (m == 0) continue;
        sort_(m, buffer + at, x + at, true);
        done_(x + at, m);
      }
    });
  }

  // The least keys of all buckets except the first, different in the bits from low_ on. They come from a
  // sorted sample of keys at indices from a fixed sequence, so that equal calls do equal work.
  std::vector<K> pivots_of(const K* x, int64_t n) const {
    const auto buckets = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(
        std::clamp(n / bucket_size, std::min(8 * concurrency(), max_buckets), max_buckets))));
    std::vector<K> sample(static_cast<size_t>(buckets * samples)), room(sample.size()), pivots;
    const auto part = static_cast<uint64_t>(n) / sample.size();
    uint64_t random = 0x9e3779b97f4a7c15ULL;
    for (size_t i = 0; i < sample.size(); ++i) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      sample[i] = static_cast<K>(x[i * part + (random >> 32) % part] >> low_ << low_);
    }
    sort_(static_cast<int64_t>(sample.size()), sample.data(), room.data(), false);
    for (size_t i = samples; i < sample.size(); i += samples) {
      if (pivots.empty() || pivots.back() != sample[i]) pivots.push_back(sample[i]);
    }
    return pivots;
  }

  // Splits n keys of a part into buckets, of which the first has keys below *pivots. The part begins in
  // `other` or in x; its buckets are adjacent.
  void split(K* x, K* other, int64_t n, bool to_other, const K* pivots, size_t count, int64_t* sizes) const {
    if (count == 0) {
      if (to_other) std::copy(x, x + n, other);
      *sizes = n;
      return;
    }
    const size_t half = count / 2;
    const int64_t m = divide_(n, x, pivots[half], other);
    split(x, other, m, to_other, pivots, half, sizes);
    split(other + m, x + m, n - m, !to_other, pivots + half + 1, count - half - 1, sizes + half + 1);
  }

  int low_;
  const Done& done_;
  static constexpr int index = width_index(sizeof(K));
  void (*const sort_)(int64_t, void*, void*, bool) = sorting_loops().sort[index];
  int64_t (*const divide_)(int64_t, void*, uint64_t, void*) = sorting_loops().divide[index];
};

template <class K, class Done>
void sort_keys(K* x, K* buffer, int64_t n, int low, bool threads, const Done& done) {
  KeySort<K, Done>(low, done).run(x, buffer, n, threads);
}

}  // namespace arr::host
