// SPDX-License-Identifier: MIT
// Selects lines, and elements by their indices, from sparse matrices.
#include <algorithm>

#include "backend/sparse.h"
#include "host/loops/sparse/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <class I>
class Select {
 public:
  explicit Select(const SparseSelectCall& c)
      : c_(c),
        pointers_(static_cast<const I*>(c.from.pointers)),
        indices_(static_cast<const I*>(c.from.indices)),
        first_(static_cast<I*>(c.first)),
        order_(static_cast<I*>(c.order)) {}

  void count() {
    if (c_.chosen != nullptr) invert();
    int64_t* counts = c_.pointers + 1;
    each_lines([&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        if (c_.list != nullptr) fetch_pointer(i + lines_ahead);
        counts[i] = number_in_line(line_of(i));
      }
    });
    c_.pointers[0] = 0;
    for (int64_t i = 0; i < c_.lines; ++i) counts[i] += c_.pointers[i];
  }

  template <class T>
  void fill(T /*element*/) {
    const T* data = static_cast<const T*>(c_.from.data);
    each_lines([&](int64_t from, int64_t to) {
      I* indices = static_cast<I*>(c_.indices) + c_.pointers[from];
      T* values = static_cast<T*>(c_.data) + c_.pointers[from];
      for (int64_t i = from; i < to; ++i) {
        if (c_.list != nullptr) {
          fetch_pointer(i + 2 * lines_ahead);
          fetch_elements(i + lines_ahead, data);
        }
        if (c_.pointers[i + 1] == c_.pointers[i]) continue;
        each_chosen(line_of(i), [&](int64_t p, I number) {
          *indices++ = number;
          *values++ = data[p];
        });
      }
    });
  }

 private:
  static constexpr int64_t lines_ahead = 16;
  // Lines of a list are anywhere: their memory is on its way before they are read.
  void fetch_pointer(int64_t i) const {
    if (i < c_.lines) __builtin_prefetch(pointers_ + c_.list[i]);
  }
  template <class T>
  void fetch_elements(int64_t i, const T* data) const {
    if (i >= c_.lines) return;
    const int64_t begin = pointers_[c_.list[i]],
                  last = begin + 7;  // a few, which may reach into the next line
    __builtin_prefetch(indices_ + begin);
    __builtin_prefetch(indices_ + last);
    __builtin_prefetch(data + begin);
    __builtin_prefetch(data + last);
  }
  // The positions of each index in the choice, in order of the indices.
  void invert() {
    std::fill_n(first_, c_.width + 1, I{0});
    for (int64_t k = 0; k < c_.count; ++k) ++first_[c_.chosen[k]];
    I sum = 0;
    for (int64_t j = 0; j <= c_.width; ++j) {
      sum = static_cast<I>(sum + first_[j]);
      first_[j] = sum;
    }
    for (int64_t k = c_.count - 1; k >= 0; --k) order_[--first_[c_.chosen[k]]] = static_cast<I>(k);
  }
  // The number of an index in the slice of a step other than 1, or -1.
  [[nodiscard]] int64_t number_of(I index) const {
    const int64_t moved = int64_t{index} - c_.start, k = moved / c_.step;
    return k * c_.step == moved && k >= 0 && k < c_.count ? k : -1;
  }
  // Calls use(element, number of its index) for the chosen elements of a line.
  template <class Use>
  void each_chosen(int64_t line, const Use& use) const {
    const int64_t begin = pointers_[line], end = pointers_[line + 1];
    if (c_.chosen != nullptr) {
      for (int64_t p = begin; p < end; ++p) {
        const I j = indices_[p];
        for (I k = first_[j]; k < first_[j + 1]; ++k) use(p, order_[k]);
      }
    } else if (c_.step == 0) {
      for (int64_t p = begin; p < end; ++p) use(p, indices_[p]);
    } else if (c_.step == 1) {
      const auto start = static_cast<I>(c_.start), last = static_cast<I>(c_.start + c_.count);
      for (int64_t p = begin; p < end; ++p) {
        const I j = indices_[p];
        if (j >= start && j < last) use(p, static_cast<I>(j - start));
      }
    } else {
      for (int64_t p = begin; p < end; ++p) {
        if (const int64_t k = number_of(indices_[p]); k >= 0) use(p, static_cast<I>(k));
      }
    }
  }
  [[nodiscard]] int64_t number_in_line(int64_t line) const {
    const int64_t begin = pointers_[line], end = pointers_[line + 1];
    int64_t n = 0;
    if (c_.chosen != nullptr) {
      for (int64_t p = begin; p < end; ++p) n += first_[indices_[p] + 1] - first_[indices_[p]];
      return n;
    }
    if (c_.step == 0) return end - begin;
    if (c_.step != 1) {
      for (int64_t p = begin; p < end; ++p) n += number_of(indices_[p]) >= 0 ? 1 : 0;
      return n;
    }
    const auto start = static_cast<I>(c_.start), last = static_cast<I>(c_.start + c_.count);
    for (int64_t p = begin; p < end; ++p) n += indices_[p] >= start && indices_[p] < last ? 1 : 0;
    return n;
  }
  [[nodiscard]] int64_t line_of(int64_t i) const { return c_.list == nullptr ? i : c_.list[i]; }
  template <class Body>
  void each_lines(const Body& body) const {
    if (c_.list == nullptr) return parallel_lines(pointers_, c_.lines, serial_elements / 4, 4, body);
    parallel_ranges(c_.lines, serial_elements / 16, body);
  }

  const SparseSelectCall& c_;
  const I *pointers_, *indices_;
  I *first_, *order_;
};

// Elements first to last - 1 of the call, in blocks: while one is searched, the memory of the next two is on
// its way. Data are read only where an index is found.
template <class I, class T>
class Find {
 public:
  explicit Find(const SparseFindCall& c)
      : c_(c),
        loop_(sparse_loops().find[sizeof(I) == 8 ? 1 : 0]),
        pointers_(static_cast<const I*>(c.from.pointers)),
        indices_(static_cast<const I*>(c.from.indices)) {}

  void run(int64_t first, int64_t last) const {
    Lines some[2];
    const auto size = [&](int64_t from) { return std::clamp<int64_t>(last - from, 0, block); };
    prefetch_pointers(first, size(first));
    open(first, size(first), &some[0]);
    prefetch_pointers(first + block, size(first + block));
    for (int64_t from = first, turn = 0; from < last; from += block, turn ^= 1) {
      const int64_t next = from + block;
      prefetch_pointers(next + block, size(next + block));
      open(next, size(next), &some[turn ^ 1]);
      search(from, size(from), some[turn]);
    }
  }

 private:
  static constexpr int64_t block = 32;
  struct Lines {
    int64_t begins[block], ends[block];
  };

  void prefetch_pointers(int64_t from, int64_t n) const {
    for (int64_t k = 0; k < n; ++k) __builtin_prefetch(pointers_ + c_.line[from + k]);
  }
  void open(int64_t from, int64_t n, Lines* lines) const {
    for (int64_t k = 0; k < n; ++k) {
      const I* at = pointers_ + c_.line[from + k];
      lines->begins[k] = at[0];
      lines->ends[k] = at[1];
      __builtin_prefetch(indices_ + at[0]);
      // A short line may reach into the next cache line.
      __builtin_prefetch(indices_ + std::max(at[0], static_cast<I>(at[1] - 1)));
    }
  }
  void search(int64_t from, int64_t n, const Lines& lines) const {
    const T* data = static_cast<const T*>(c_.from.data);
    T* values = static_cast<T*>(c_.values) + from;
    int64_t found[block];
    loop_({n, pointers_[c_.lines], indices_, lines.begins, lines.ends, c_.index + from, found});
    for (int64_t k = 0; k < n; ++k) {
      if (found[k] >= 0) __builtin_prefetch(data + found[k]);
    }
    for (int64_t k = 0; k < n; ++k) values[k] = found[k] >= 0 ? data[found[k]] : T{};
  }

  const SparseFindCall& c_;
  void (*const loop_)(const SparseFindLines&);
  const I *pointers_, *indices_;
};

}  // namespace

void sparse_select(const SparseSelectCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    Select<I> s(c);
    if (c.indices == nullptr) return s.count();
    with_item(c.item, [&]<class T>(T element) { s.fill(element); });
  });
}

void sparse_find(const SparseFindCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    with_item(c.item, [&]<class T>(T) {
      const Find<I, T> find(c);
      parallel_ranges(c.n, serial_elements / 16, [&](int64_t first, int64_t last) { find.run(first, last); });
    });
  });
}

}  // namespace arr::host
