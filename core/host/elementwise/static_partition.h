// SPDX-License-Identifier: MIT
// A static partition of a loop among threads, with stealing: in repeated loops a thread gets the same part.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace arr::host {

// The smallest part that a thread takes at once: a quarter of its share, or the grain.
inline int64_t piece_of(int64_t count, int64_t grain, int64_t threads) {
  return std::min(grain, (count - 1) / (4 * threads) + 1);
}

// Each thread has a share of a loop: the first thread the first part, and so on. Writing a cache line that
// another core has read takes up to ten times as long as writing one that only this core has. So in a program
// of many loops over the same arrays, each line should stay with one thread. A thread that has finished its
// share takes parts of shares whose threads have not started or run late. Neighbouring threads process their
// shares from the outer ends towards the common end, so that only lines near that end change threads.
class StaticPartition {
 public:
  // Splits 0 .. count for `threads` threads, in pieces of at least `piece`.
  StaticPartition(int64_t count, int64_t piece, int64_t threads)
      : count_(count),
        number_(std::min(threads, max_parts)),
        unit_(unit_of(count, piece)),
        min_(std::max<int64_t>(piece / unit_, 1)) {
    const int64_t units = (count - 1) / unit_ + 1;
    for (int64_t i = 0; i < number_; ++i) {
      at(i).rest.store(pack(units * i / number_, units * (i + 1) / number_), std::memory_order_relaxed);
    }
  }
  // Calls body(first, last) for parts until none is left or ended() is true. `thread`: the number of the
  // calling thread, from 0.
  template <class Body, class Ended>
  void run(int64_t thread, const Body& body, const Ended& ended) {
    const int64_t own = thread % number_;
    at(own).begun.store(true, std::memory_order_relaxed);
    const Clock::time_point start = Clock::now();
    run_share(own, true, body, ended);
    const Clock::time_point done = Clock::now(), patient = done + (done - start) / 4;
    for (int64_t k = 1; k < max_parts; ++k) {
      const int64_t share = own ^ k;  // continue with the neighbour
      if (share >= number_) continue;
      while (at(share).begun.load(std::memory_order_relaxed) && !at(share).empty() &&
             Clock::now() < patient) {
      }
      run_share(share, false, body, ended);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t max_parts = 64;
  struct alignas(64) Part {
    std::atomic<uint64_t> rest{0};  // the first unit that is left, and the one after the last
    std::atomic<bool> begun{false};
    [[nodiscard]] bool empty() const {
      const uint64_t now = rest.load(std::memory_order_relaxed);
      return now >> 32 >= (now & UINT32_MAX);
    }
  };
  // Uses whole cache lines if pieces have many elements, and units that can be counted in 32 bits.
  static int64_t unit_of(int64_t count, int64_t piece) {
    constexpr int64_t line = 64, max_units = int64_t{1} << 31;
    return std::max(piece > 8 * line ? line : 1, count / max_units + 1);
  }
  static uint64_t pack(int64_t first, int64_t last) {
    return static_cast<uint64_t>(first) << 32 | static_cast<uint64_t>(last);
  }
  Part& at(int64_t share) { return parts_[static_cast<size_t>(share)]; }

  template <class Body, class Ended>
  void run_share(int64_t share, bool own, const Body& body, const Ended& ended) {
    int64_t first = 0, last = 0;
    while (!ended() && take(share, own == (share % 2 == 0), &first, &last)) {
      body(first * unit_, std::min(count_, last * unit_));
    }
  }
  // Takes half of the remaining units, so that there are few calls and the last parts are small.
  bool take(int64_t share, bool front, int64_t* first, int64_t* last) {
    uint64_t now = at(share).rest.load(std::memory_order_relaxed);
    for (;;) {
      const auto begin = static_cast<int64_t>(now >> 32), end = static_cast<int64_t>(now & UINT32_MAX);
      if (begin >= end) return false;
      const int64_t taken = std::min(end - begin, std::max(min_, (end - begin + 1) / 2));
      *first = front ? begin : end - taken;
      *last = *first + taken;
      const uint64_t rest = front ? pack(*last, end) : pack(begin, *first);
      if (at(share).rest.compare_exchange_weak(now, rest, std::memory_order_acq_rel)) return true;
    }
  }

  int64_t count_, number_, unit_, min_;
  std::array<Part, max_parts> parts_;
};

}  // namespace arr::host
