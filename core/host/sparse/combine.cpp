// SPDX-License-Identifier: MIT
// An op of the elements of two canonical matrices: blocks of lines are computed in memory that stays in the
// cache, by a loop of the op over lines, or merged there for the op's loop over vectors.
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "host/loops/sparse/sparse.h"
#include "host/loops/table.h"
#include "host/sparse/calls.h"
#include "host/sparse/packed.h"

namespace arr::host {

namespace {

constexpr int64_t block_elements = 8192;

template <class T>
T kept_if(bool keep, T x) {
  return static_cast<T>(x & static_cast<T>(-static_cast<T>(keep)));
}
Wide kept_if(bool keep, Wide x) { return {kept_if(keep, x.low), kept_if(keep, x.high)}; }

// True for 0 and -0; signs: the bits that are signs.
template <class T>
bool is_zero(T x, T signs) {
  return static_cast<T>(x & static_cast<T>(~signs)) == 0;
}
bool is_zero(Wide x, Wide signs) { return is_zero(x.low | x.high, signs.low); }

template <class T>
T signs_of(DType d) {
  if (kind(d) != DKind::FLOAT && !is_complex(d)) return 0;
  if (d == DType::complex64_) return static_cast<T>(0x8000000080000000U);
  return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
}
template <>
Wide signs_of<Wide>(DType) {
  return {uint64_t{1} << 63, uint64_t{1} << 63};
}

using FusedFn = int64_t (*)(const SparseCombineLines&);
FusedFn fused_loop(const SparseCombineCall& c) {
  const auto loop = [&](SparseOp op) {
    return sparse_loops()
        .combine[static_cast<int>(op)][static_cast<size_t>(c.dtype)][c.index_type == DType::int64_ ? 1 : 0];
  };
  switch (c.op) {
    case op::add:
      return loop(SparseOp::add);
    case op::subtract:
      return loop(SparseOp::subtract);
    case op::multiply:
      return loop(SparseOp::multiply);
    case op::maximum:
      return loop(SparseOp::maximum);
    case op::minimum:
      return loop(SparseOp::minimum);
    default:
      return nullptr;
  }
}

template <class I, class T>
class Combine {
 public:
  explicit Combine(const SparseCombineCall& c)
      : c_(c),
        fused_(fused_loop(c)),
        fetches_((int64_t{static_cast<const I*>(c.a.pointers)[c.lines]} +
                  int64_t{static_cast<const I*>(c.b.pointers)[c.lines]}) *
                     static_cast<int64_t>(sizeof(T) + sizeof(I)) >=
                 2 * stream_bytes),
        loop_(loops().op[c.op][static_cast<size_t>(c.dtype)]),
        a_(static_cast<const I*>(c.a.pointers)),
        b_(static_cast<const I*>(c.b.pointers)),
        begins_(blocks_of(c.lines, block_elements,
                          [&](int64_t line) { return int64_t{a_[line]} + int64_t{b_[line]} + line; })) {}

  void run() {
    const auto blocks = static_cast<int64_t>(begins_.size()) - 1;
    if (c_.indices == nullptr) {
      const int64_t most =
          c_.both ? std::min(elements(a_, 0, blocks), elements(b_, 0, blocks)) : bound(0, blocks);
      Worker worker(*this);
      *c_.count = blocks < few_blocks
                      ? most
                      : std::min(most, guess(
                                           blocks, [&](int64_t block) { return worker.compute(block); },
                                           [&](int64_t first, int64_t last) { return bound(first, last); }));
      return;
    }
    static_cast<I*>(c_.pointers)[0] = 0;
    *c_.count = Packing(blocks).run([&] { return Worker(*this); });
  }

 private:
  int64_t elements(const I* pointers, int64_t first, int64_t last) const {
    const auto at = [&](int64_t block) { return int64_t{pointers[begins_[static_cast<size_t>(block)]]}; };
    return at(last) - at(first);
  }
  int64_t bound(int64_t first, int64_t last) const {
    const int64_t a = elements(a_, first, last), b = elements(b_, first, last);
    return c_.both ? std::min(a, b) : a + b;
  }

  // The memory of a thread.
  class Worker {
   public:
    explicit Worker(const Combine& all)
        : all_(all), c_(all.c_), writer_(past_caches(all.c_)), signs_(signs_of<T>(c_.dtype)) {}

    int64_t compute(int64_t block) {
      // One more element is written than kept.
      const auto room = static_cast<size_t>(all_.bound(block, block + 1) + 1);
      if (indices_.size() < room) {
        indices_.resize(room);
        x_.resize(room);
        if (all_.fused_ == nullptr) y_.resize(room);
      }
      first_ = all_.begins_[static_cast<size_t>(block)];
      last_ = all_.begins_[static_cast<size_t>(block) + 1];
      const auto lines = static_cast<size_t>(last_ - first_);
      if (ends_.size() < lines) ends_.resize(lines);
      if (all_.fused_ != nullptr) {
        const auto operand = [](const SparseLines& m) {
          return SparseOperand{m.pointers, m.indices, m.data};
        };
        return all_.fused_({first_, last_, operand(c_.a), operand(c_.b), ends_.data(), indices_.data(),
                            x_.data(), all_.fetches_});
      }
      int64_t n = 0;
      for (int64_t line = first_; line < last_; ++line) {
        n = c_.both ? merge_both(line, n) : merge(line, n);
        ends_[static_cast<size_t>(line - first_)] = n;
      }
      const void* const in[] = {x_.data(), y_.data()};
      if (n != 0) all_.loop_(n, in, x_.data());
      return drop_zeros(n);
    }
    void move(int64_t, int64_t at) const {
      write_lines(c_, first_, last_, at, ends_.data(), indices_.data(), x_.data(), writer_);
    }

   private:
    // Without branches that depend on the indices: element n has the smaller index of the next two.
    int64_t merge(int64_t line, int64_t n) {
      const auto *i = static_cast<const I*>(c_.a.indices), *j = static_cast<const I*>(c_.b.indices);
      const auto *a = static_cast<const T*>(c_.a.data), *b = static_cast<const T*>(c_.b.data);
      I* to = indices_.data();
      T *x = x_.data(), *y = y_.data();
      int64_t p = all_.a_[line], q = all_.b_[line];
      const int64_t p_end = all_.a_[line + 1], q_end = all_.b_[line + 1];
      for (; p < p_end && q < q_end; ++n) {
        const bool of_a = i[p] <= j[q], of_b = j[q] <= i[p];
        to[n] = of_a ? i[p] : j[q];
        x[n] = kept_if(of_a, a[p]);
        y[n] = kept_if(of_b, b[q]);
        p += of_a ? 1 : 0;
        q += of_b ? 1 : 0;
      }
      for (; p < p_end; ++p, ++n) {
        to[n] = i[p];
        x[n] = a[p];
        y[n] = T{};
      }
      for (; q < q_end; ++q, ++n) {
        to[n] = j[q];
        x[n] = T{};
        y[n] = b[q];
      }
      return n;
    }
    int64_t merge_both(int64_t line, int64_t n) {
      const auto *i = static_cast<const I*>(c_.a.indices), *j = static_cast<const I*>(c_.b.indices);
      const auto *a = static_cast<const T*>(c_.a.data), *b = static_cast<const T*>(c_.b.data);
      int64_t p = all_.a_[line], q = all_.b_[line];
      const int64_t p_end = all_.a_[line + 1], q_end = all_.b_[line + 1];
      while (p < p_end && q < q_end) {
        const bool of_a = i[p] <= j[q], of_b = j[q] <= i[p];
        indices_[static_cast<size_t>(n)] = i[p];
        x_[static_cast<size_t>(n)] = a[p];
        y_[static_cast<size_t>(n)] = b[q];
        n += of_a && of_b ? 1 : 0;
        p += of_a ? 1 : 0;
        q += of_b ? 1 : 0;
      }
      return n;
    }
    int64_t drop_zeros(int64_t n) {
      T* x = x_.data();
      int64_t zeros = 0;
      for (int64_t k = 0; k < n; ++k) zeros += is_zero(x[k], signs_) ? 1 : 0;
      if (zeros == 0) return n;
      I* to = indices_.data();
      int64_t k = 0, kept = 0;
      for (int64_t line = first_; line < last_; ++line) {
        int64_t& end = ends_[static_cast<size_t>(line - first_)];
        for (; k < end; ++k) {
          to[kept] = to[k];
          x[kept] = x[k];
          kept += is_zero(x[k], signs_) ? 0 : 1;
        }
        end = kept;
      }
      return kept;
    }

    const Combine& all_;
    const SparseCombineCall& c_;
    const Writer writer_;
    const T signs_;
    int64_t first_ = 0, last_ = 0;
    std::vector<int64_t> ends_;  // of each line
    std::vector<I> indices_;
    std::vector<T> x_, y_;
  };

  const SparseCombineCall& c_;
  const FusedFn fused_;  // or nullptr
  const bool fetches_;
  const LoopFn loop_;
  const I *a_, *b_;
  const std::vector<int64_t> begins_;
};

}  // namespace

void sparse_combine(const SparseCombineCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    with_item(item_size(c.dtype), [&]<class T>(T) { Combine<I, T>(c).run(); });
  });
}

}  // namespace arr::host
