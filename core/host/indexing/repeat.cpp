// SPDX-License-Identifier: MIT
// Repeats each block by its own count. Threads work on ranges of the result; a binary search in the prefix
// sums of the counts finds the first block of a range.
#include <algorithm>
#include <bit>

#include "backend/indexing.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/indexing/calls.h"

namespace arr::host {

namespace {

// Results of this many bytes justify another thread.
constexpr int64_t parallel_bytes = 256 * 1024;
// Single elements are assembled in pieces that fit the first-level cache.
constexpr int64_t piece_bytes = 8 * 1024;

class Repetition {
 public:
  explicit Repetition(const RepeatCall& call)
      : call_(call),
        results_(call.lines * call.total),
        stream_(results_ * call.block >= stream_bytes),
        item_(call.block <= 16 && std::has_single_bit(static_cast<uint64_t>(call.block))) {}
  void run() const;

 private:
  [[nodiscard]] int64_t element_of(int64_t result) const;
  void elements(const Repeats& line, int64_t first, int64_t last, char* to, char* room) const;
  void blocks(const Repeats& line, int64_t first, int64_t last, char* to) const;
  void copy(const char* from, int64_t bytes, char* to) const {
    if (stream_) return loops().copy_nontemporal(bytes, from, to);
    std::copy_n(from, bytes, to);
  }

  const RepeatCall& call_;
  const int64_t results_;
  const bool stream_, item_;
};

int64_t Repetition::element_of(int64_t result) const {
  if (result == 0 && call_.ends[0] > 0) return 0;
  const int64_t* end = call_.ends + call_.extent;
  return std::min(std::upper_bound(call_.ends, end, result) - call_.ends, call_.extent - 1);
}

void Repetition::elements(const Repeats& line, int64_t first, int64_t last, char* to, char* room) const {
  const int64_t item = call_.block, max_count = piece_bytes / item;
  const auto loop = loops().repeat[std::countr_zero(static_cast<uint64_t>(item))];
  int64_t element = element_of(first);
  for (; first < last; first += max_count, to += max_count * item) {
    const int64_t n = std::min(max_count, last - first);
    element = loop(line, element, first, first + n, room);
    copy(room, n * item, to);
  }
}

void Repetition::blocks(const Repeats& line, int64_t first, int64_t last, char* to) const {
  for (int64_t element = element_of(first); first < last; ++element) {
    const bool open = element + 1 < line.extent;
    const int64_t end = open ? std::min(line.ends[element], last) : last;
    for (; first < end; ++first, to += call_.block) copy(line.from + element * line.step, call_.block, to);
  }
}

void Repetition::run() const {
  const int64_t total = call_.total, block = call_.block;
  parallel_ranges(results_, std::max<int64_t>(parallel_bytes / block, 1), [&](int64_t first, int64_t last) {
    char* room = item_ ? scratch(piece_bytes + repeat_slack) : nullptr;
    while (first < last) {
      const int64_t line = first / total, at = first % total, n = std::min(total - at, last - first);
      const Repeats r = {call_.ends, call_.extent,
                         static_cast<const char*>(call_.from.data) + line * call_.from.strides[0],
                         call_.from.strides[1]};
      char* to = static_cast<char*>(call_.to) + first * block;
      item_ ? elements(r, at, at + n, to, room) : blocks(r, at, at + n, to);
      first += n;
    }
    if (stream_) loops().fence_nontemporal();
  });
}

}  // namespace

void repeat(const RepeatCall& call) { Repetition(call).run(); }

}  // namespace arr::host
