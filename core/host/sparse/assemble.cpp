// SPDX-License-Identifier: MIT
// Makes compressed lines of elements in any order: they are divided by ranges of lines, in their order, and
// then a thread sorts the elements of a range in its cache and adds those of equal index.
#include <algorithm>
#include <bit>

#include "backend/sparse.h"
#include "host/device/pool_block.h"
#include "host/loops/sparse/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/packed.h"

namespace arr::host {

namespace {

constexpr int64_t range_elements = 16384, max_ranges = 2048;

__extension__ using Uint128 = unsigned __int128;
// T: bits of an element's value.
template <class I, class T>
class Assemble {
 public:
  explicit Assemble(const SparseAssembleCall& c)
      : c_(c),
        sum_(sparse_loops().sum[static_cast<size_t>(c.dtype)][sizeof(I) == 8 ? 1 : 0]),
        shift_(shift_of(c)),
        ranges_(((c.lines - 1) >> shift_) + 1),
        parts_(std::clamp<int64_t>(c.n / serial_elements, 1, concurrency())),
        begins_(static_cast<size_t>(parts_ * ranges_ + 1), 0),
        memory_(c.n * static_cast<int64_t>(sizeof(Element))) {}

  void run() {
    divide();
    static_cast<I*>(c_.pointers)[0] = 0;
    *c_.count = Packing(ranges_).run([&] { return Worker(*this); });
  }

 private:
  struct Element {
    T value;
    I line, index;
  };

  static int32_t shift_of(const SparseAssembleCall& c) {
    const int64_t ranges = std::clamp<int64_t>((c.n + c.lines) / range_elements, 1, max_ranges);
    return static_cast<int32_t>(std::bit_width(static_cast<uint64_t>((c.lines - 1) / ranges)));
  }
  template <class Body>
  void each_part(const Body& body) {
    parallel_ranges(parts_, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p)
        body(p, c_.n / parts_ * p, p + 1 == parts_ ? c_.n : c_.n / parts_ * (p + 1));
    });
  }
  int64_t& begin_of(int64_t range, int64_t part) {
    return begins_[static_cast<size_t>(range * parts_ + part)];
  }

  // Moves the elements to their ranges. begins_: where those of each part of the input begin in each range,
  // then where they end, which is where the next ones begin.
  void divide() {
    const auto *line = static_cast<const I*>(c_.line), *inner = static_cast<const I*>(c_.inner);
    const auto* values = static_cast<const T*>(c_.values);
    auto* to = reinterpret_cast<Element*>(memory_.data());
    each_part([&](int64_t part, int64_t first, int64_t last) {
      std::vector<int64_t> counts(static_cast<size_t>(ranges_), 0);
      for (int64_t k = first; k < last; ++k) ++counts[static_cast<size_t>(line[k] >> shift_)];
      for (int64_t r = 0; r < ranges_; ++r) begin_of(r, part) = counts[static_cast<size_t>(r)];
    });
    int64_t sum = 0;
    for (int64_t& begin : begins_) sum += std::exchange(begin, sum);
    each_part([&](int64_t part, int64_t first, int64_t last) {
      std::vector<int64_t> next(static_cast<size_t>(ranges_));
      for (int64_t r = 0; r < ranges_; ++r) next[static_cast<size_t>(r)] = begin_of(r, part);
      for (int64_t k = first; k < last; ++k)
        to[next[static_cast<size_t>(line[k] >> shift_)]++] = {values[k], line[k], inner[k]};
    });
  }

  // An index with its position in the lower half.
  static constexpr int bits = 8 * sizeof(I);
  using Half = std::make_unsigned_t<I>;
  using Key = std::conditional_t<sizeof(I) == 8, Uint128, uint64_t>;

  // The memory of a thread.
  class Worker {
   public:
    explicit Worker(Assemble& all) : all_(all), c_(all.c_), writer_(past_caches(all.c_)) {}

    int64_t compute(int64_t range) {
      first_ = range << all_.shift_;
      last_ = std::min(c_.lines, first_ + (int64_t{1} << all_.shift_));
      const auto* elements = reinterpret_cast<const Element*>(all_.memory_.data());
      const Element *begin = elements + all_.begin_of(range, 0),
                    *end = elements + all_.begin_of(range + 1, 0);
      move_to_lines(begin, end);
      for (int64_t i = 0, from = 0; i < last_ - first_; from = ends_[static_cast<size_t>(i++)])
        sort(from, ends_[static_cast<size_t>(i)]);
      return all_.sum_({last_ - first_, ends_.data(), indices_.data(), data_.data()});
    }
    void move(int64_t, int64_t at) const {
      write_lines(c_, first_, last_, at, ends_.data(), indices_.data(), data_.data(), writer_);
    }

   private:
    void move_to_lines(const Element* begin, const Element* end) {
      const auto n = static_cast<size_t>(end - begin);
      if (indices_.size() < n) {
        indices_.resize(n);
        data_.resize(n);
      }
      ends_.assign(static_cast<size_t>(last_ - first_), 0);
      for (const Element* e = begin; e != end; ++e) ++ends_[static_cast<size_t>(e->line - first_)];
      int64_t sum = 0;
      for (int64_t& next : ends_) sum += std::exchange(next, sum);
      for (const Element* e = begin; e != end; ++e) {
        const auto at = static_cast<size_t>(ends_[static_cast<size_t>(e->line - first_)]++);
        indices_[at] = e->index;
        data_[at] = e->value;
      }
    }
    // Equal indices stay in their order.
    void sort(int64_t first, int64_t last) {
      if (last - first > 48) return sort_many(first, last);
      I* index = indices_.data();
      T* value = data_.data();
      for (int64_t k = first + 1; k < last; ++k) {
        const I i = index[k];
        if (index[k - 1] <= i) continue;
        const T x = value[k];
        int64_t to = k;
        for (; to > first && index[to - 1] > i; --to) {
          index[to] = index[to - 1];
          value[to] = value[to - 1];
        }
        index[to] = i;
        value[to] = x;
      }
    }
    void sort_many(int64_t first, int64_t last) {
      const auto from = indices_.begin() + first;
      const auto n = static_cast<size_t>(last - first);
      if (std::is_sorted(from, indices_.begin() + last)) return;
      order_.resize(n);
      for (size_t k = 0; k < n; ++k)
        order_[k] = Key{static_cast<Half>(from[static_cast<int64_t>(k)])} << bits | k;
      std::sort(order_.begin(), order_.end());
      values_.assign(data_.begin() + first, data_.begin() + last);
      for (size_t k = 0; k < n; ++k) {
        indices_[static_cast<size_t>(first) + k] = static_cast<I>(order_[k] >> bits);
        data_[static_cast<size_t>(first) + k] = values_[static_cast<size_t>(static_cast<Half>(order_[k]))];
      }
    }

    Assemble& all_;
    const SparseAssembleCall& c_;
    const Writer writer_;
    int64_t first_ = 0, last_ = 0;
    std::vector<int64_t> ends_;
    std::vector<I> indices_;
    std::vector<T> data_, values_;
    std::vector<Key> order_;
  };

  const SparseAssembleCall& c_;
  int64_t (*const sum_)(const SparseSumLines&);
  const int32_t shift_;
  const int64_t ranges_, parts_;
  std::vector<int64_t> begins_;  // [range][part], and the end of all
  const PoolBlock memory_;
};

}  // namespace

void sparse_assemble(const SparseAssembleCall& c) {
  if (c.indices == nullptr) {
    *c.count = c.n;
    return;
  }
  with_index_type(c.index_type, [&]<class I>(I) {
    with_item(item_size(c.dtype), [&]<class T>(T) { Assemble<I, T>(c).run(); });
  });
}

}  // namespace arr::host
