// SPDX-License-Identifier: MIT
// Turns compressed rows into compressed columns, and the other way round: each thread counts the indices of
// its lines, and then moves the elements to their new lines.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "backend/sparse.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <class I, class T>
class Transpose {
 public:
  explicit Transpose(const SparseTransposeCall& c)
      : c_(c),
        pointers_(static_cast<const I*>(c.from.pointers)),
        indices_(static_cast<const I*>(c.from.indices)),
        parts_(
            std::clamp<int64_t>(2 * c.nnz / std::max<int64_t>(c.width, serial_elements), 1, concurrency())),
        memory_(checked::mul(checked::mul(parts_, c.width, "the lines"), int64_t{sizeof(I)}, "the lines")),
        next_(reinterpret_cast<I*>(memory_.data())) {}

  void run() {
    each_part([&](int64_t first, int64_t last, I* next) {
      std::fill_n(next, c_.width, I{0});
      for (int64_t p = pointers_[first]; p < pointers_[last]; ++p) ++next[indices_[p]];
    });
    add_up();
    each_part([&](int64_t first, int64_t last, I* next) { move(first, last, next); });
  }

 private:
  template <class Body>
  void each_part(const Body& body) {
    const int64_t work = c_.lines + c_.nnz;
    const auto begin = [&](int64_t part) {
      return part == parts_ ? c_.lines
             : part == 0    ? 0
                            : line_after(pointers_, c_.lines, work / parts_ * part);
    };
    parallel_ranges(parts_, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) body(begin(p), begin(p + 1), next_ + p * c_.width);
    });
  }
  // Counts become the positions of the first element of each part in each new line: ranges of new lines are
  // counted, and then each knows where it begins.
  void add_up() {
    auto* pointers = static_cast<I*>(c_.pointers);
    const int64_t ranges = c_.width > serial_elements ? concurrency() : 1;
    std::vector<I> sums(static_cast<size_t>(ranges) + 1, 0);
    const auto each_range = [&](const auto& body) {
      parallel_ranges(ranges, 1, [&](int64_t from, int64_t to) {
        for (int64_t r = from; r < to; ++r)
          body(sums[static_cast<size_t>(r)], c_.width * r / ranges, c_.width * (r + 1) / ranges);
      });
    };
    if (ranges > 1) {
      each_range([&](I& sum, int64_t first, int64_t last) {
        for (int64_t p = 0; p < parts_; ++p)
          sum = std::accumulate(next_ + p * c_.width + first, next_ + p * c_.width + last, sum);
      });
      std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), I{0});
    }
    each_range([&](I sum, int64_t first, int64_t last) {
      for (int64_t j = first; j < last; ++j) {
        pointers[j] = sum;
        for (int64_t p = 0; p < parts_; ++p)
          sum = static_cast<I>(sum + std::exchange(next_[p * c_.width + j], sum));
      }
    });
    pointers[c_.width] = static_cast<I>(c_.nnz);
  }
  void move(int64_t first, int64_t last, I* next) {
    auto* indices = static_cast<I*>(c_.indices);
    const T* from = static_cast<const T*>(c_.from.data);
    T* to = static_cast<T*>(c_.data);
    for (int64_t i = first; i < last; ++i) {
      for (int64_t p = pointers_[i]; p < pointers_[i + 1]; ++p) {
        const I at = next[indices_[p]]++;
        indices[at] = static_cast<I>(i);
        to[at] = from[p];
      }
    }
  }

  const SparseTransposeCall& c_;
  const I *pointers_, *indices_;
  const int64_t parts_;
  const PoolBlock memory_;
  I* const next_;  // [part][new line]
};

}  // namespace

void sparse_transpose(const SparseTransposeCall& c) {
  with_index_type(c.index_type,
                  [&]<class I>(I) { with_item(c.item, [&]<class T>(T) { Transpose<I, T>(c).run(); }); });
}

}  // namespace arr::host
