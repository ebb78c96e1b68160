// SPDX-License-Identifier: MIT
// Runs of elements whose number is known only when they have been computed, one after the other in an array.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "base/spin_lock.h"
#include "host/elementwise/tile.h"
#include "host/elementwise/writer.h"
#include "host/sparse/lines.h"

namespace arr::host {

// Divides lines into blocks of at most `elements`, except blocks of one line. work(line): a number that grows
// from line to line by at least 1, the elements of a line and more; work(0) is 0.
template <class Work>
std::vector<int64_t> blocks_of(int64_t lines, int64_t elements, const Work& work) {
  std::vector<int64_t> begins{0};
  int64_t size =
      elements / 8;  // lines of the next block, if it has as many elements for each as the last one
  for (int64_t begin = 0, before = 0; begin < lines;) {
    int64_t end = std::min(lines, begin + size), after = work(end);
    for (; after - before > elements && end - begin > 1; after = work(end)) end = begin + (end - begin) / 2;
    size = std::clamp((end - begin) * elements / std::max<int64_t>(after - before, 1), int64_t{1}, elements);
    begins.push_back(end);
    begin = end;
    before = after;
  }
  return begins;
}

// Computes blocks in several threads, each in the thread's own memory, and moves a block to the result as
// soon as the number of elements of all blocks before it is known.
class Packing {
 public:
  explicit Packing(int64_t blocks) : begins_(static_cast<size_t>(blocks) + 1) {
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i].store(-1, std::memory_order_relaxed);
  }

  // Each thread makes a worker by make() and calls worker.compute(block), which returns the number of
  // elements, and worker.move(block, position of its first element). Returns the number of all elements.
  template <class Make>
  int64_t run(const Make& make) {
    const auto blocks = static_cast<int64_t>(begins_.size()) - 1;
    parallel_ranges(std::min(blocks, concurrency()), 1, [&](int64_t, int64_t) {
      const Failing failing(failed_);
      auto worker = make();
      for (int64_t block = next_++; block < blocks; block = next_++) {
        const int64_t count = worker.compute(block), at = wait(block);
        if (at < 0) return;
        begins_[static_cast<size_t>(block) + 1].store(at + count, std::memory_order_release);
        worker.move(block, at);
      }
    });
    return begins_.back();
  }

 private:
  // Blocks are taken in order, so a thread works on each block before one that waits.
  int64_t wait(int64_t block) const {
    for (int spins = 0;; ++spins) {
      const int64_t at = begins_[static_cast<size_t>(block)].load(std::memory_order_acquire);
      if (at >= 0) return at;
      if (failed_) return -1;
      if (spins > 2000) {
        std::this_thread::yield();
      } else {
        spin_pause();
      }
    }
  }
  // Ends the waits of others if this thread throws.
  class Failing {
   public:
    explicit Failing(std::atomic<bool>& failed) : failed_(failed), before_(std::uncaught_exceptions()) {}
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
    ~Failing() {
      if (std::uncaught_exceptions() > before_) failed_ = true;
    }

   private:
    std::atomic<bool>& failed_;
    const int before_;
  };

  std::vector<std::atomic<int64_t>> begins_;
  std::atomic<int64_t> next_{0};
  std::atomic<bool> failed_{false};
};

// Writes the lines first .. last - 1 of a matrix in csr, whose elements begin at position `at`. ends: of each
// line, in elements of the block.
template <class I, class C>
void write_lines(const C& c, int64_t first, int64_t last, int64_t at, const int64_t* ends, const I* indices,
                 const void* data, const Writer& writer) {
  const int64_t n = ends[last - first - 1], item = item_size(c.dtype);
  if (at + n > c.capacity) return;
  auto* pointers = static_cast<I*>(c.pointers);
  for (int64_t line = first; line < last; ++line)
    pointers[line + 1] = static_cast<I>(at + ends[line - first]);
  constexpr auto wide = static_cast<int64_t>(sizeof(I));
  writer.copy(reinterpret_cast<const char*>(indices), n * wide, static_cast<char*>(c.indices) + at * wide);
  writer.copy(static_cast<const char*>(data), n * item, static_cast<char*>(c.data) + at * item);
}
template <class C>
bool past_caches(const C& c) {
  return c.indices != nullptr && c.capacity * (item_size(c.dtype) + item_size(c.index_type)) >= stream_bytes;
}

// A guess of the number of elements of all blocks: from that of some of them, computed here, and an eighth
// more. compute(block): the block's; work(first, last): a number that is about proportional to that of
// blocks.
inline constexpr int64_t samples = 16, few_blocks = 4 * samples;  // fewer are not worth a guess
template <class Compute, class Work>
int64_t guess(int64_t blocks, const Compute& compute, const Work& work) {
  int64_t found = 0, some = 0;
  for (int64_t k = 0; k < samples; ++k) {
    const int64_t block = (blocks - 1) * k / (samples - 1);
    found += compute(block);
    some += work(block, block + 1);
  }
  const double all = static_cast<double>(work(0, blocks)) / static_cast<double>(std::max<int64_t>(some, 1));
  return static_cast<int64_t>(1.125 * static_cast<double>(found) * all) + 65536;
}

}  // namespace arr::host
