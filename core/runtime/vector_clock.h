// SPDX-License-Identifier: MIT
// Vector clocks: the work of several streams that precedes a point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace arr {

// Each stream counts its own work from 1 on.
class VectorClock {
 public:
  // True if the stream's work up to that count precedes the point.
  [[nodiscard]] bool covers(size_t stream, int64_t count) const noexcept {
    return count == 0 || (stream < counts_.size() && counts_[stream] >= count);
  }
  // Adds the stream's work up to that count.
  void cover(size_t stream, int64_t count) {
    if (stream >= counts_.size()) counts_.resize(stream + 1);
    counts_[stream] = std::max(counts_[stream], count);
  }
  void merge(const VectorClock& other) {
    for (size_t s = 0; s < other.counts_.size(); ++s) cover(s, other.counts_[s]);
  }

 private:
  std::vector<int64_t> counts_;
};

}  // namespace arr
