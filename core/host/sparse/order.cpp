// SPDX-License-Identifier: MIT
// Sorts the elements of sparse matrices: counts the elements of each line, moves them there, and sorts each
// line.
#include <algorithm>
#include <vector>

#include "backend/sparse.h"
#include "base/checked.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

// An element in its line: its index, and where it was. Equal indices are ordered by the latter.
template <class I>
struct Element {
  I index, from;
  friend bool operator<(const Element& a, const Element& b) {
    return a.index < b.index || (a.index == b.index && a.from < b.from);
  }
};

template <class I>
class Order {
 public:
  explicit Order(const SparseOrderCall& c)
      : c_(c), line_(static_cast<const I*>(c.line)), inner_(static_cast<const I*>(c.inner)) {}

  void run() {
    // A count of lines per thread costs as much as an element per line.
    const int64_t useful = c_.n / std::max<int64_t>(c_.lines, serial_elements);
    parts_ = std::clamp<int64_t>(useful, 1, concurrency());
    counts_.assign(static_cast<size_t>(checked::mul(parts_, c_.lines, "the lines")), 0);
    elements_.resize(static_cast<size_t>(c_.n));
    each_part([&](int64_t part, int64_t first, int64_t last) { count(part, first, last); });
    add_up();
    each_part([&](int64_t part, int64_t first, int64_t last) { move(part, first, last); });
    parallel_lines(c_.pointers, c_.lines, serial_elements / 4, 8,
                   [&](int64_t first, int64_t last) { sort_lines(first, last); });
  }

 private:
  template <class Body>
  void each_part(const Body& body) {
    parallel_ranges(parts_, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p)
        body(p, c_.n / parts_ * p, p + 1 == parts_ ? c_.n : c_.n / parts_ * (p + 1));
    });
  }
  void count(int64_t part, int64_t first, int64_t last) {
    int64_t* counts = counts_.data() + part * c_.lines;
    for (int64_t k = first; k < last; ++k) ++counts[line_[k]];
  }
  // Counts become the positions of the first element of each part in each line.
  void add_up() {
    int64_t sum = 0;
    for (int64_t i = 0; i < c_.lines; ++i) {
      c_.pointers[i] = sum;
      for (int64_t p = 0; p < parts_; ++p) {
        sum += std::exchange(counts_[static_cast<size_t>(p * c_.lines + i)], sum);
      }
    }
    c_.pointers[c_.lines] = sum;
  }
  void move(int64_t part, int64_t first, int64_t last) {
    int64_t* next = counts_.data() + part * c_.lines;
    for (int64_t k = first; k < last; ++k) {
      elements_[static_cast<size_t>(next[line_[k]]++)] = {inner_[k], static_cast<I>(k)};
    }
  }
  void sort_lines(int64_t first, int64_t last) {
    auto* sorted = static_cast<I*>(c_.sorted);
    auto* order = static_cast<I*>(c_.order);
    for (int64_t i = first; i < last; ++i) {
      auto* begin = elements_.data() + c_.pointers[i];
      auto* end = elements_.data() + c_.pointers[i + 1];
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
      for (auto* e = begin; e != end; ++e) {
        sorted[e - elements_.data()] = e->index;
        order[e - elements_.data()] = e->from;
      }
    }
  }

  const SparseOrderCall& c_;
  const I *line_, *inner_;
  int64_t parts_ = 1;
  std::vector<int64_t> counts_;  // [part][line]
  std::vector<Element<I>> elements_;
};

}  // namespace

void sparse_order(const SparseOrderCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) { Order<I>(c).run(); });
}

}  // namespace arr::host
