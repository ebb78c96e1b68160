// SPDX-License-Identifier: MIT
// Products of two sparse matrices: threads compute blocks of rows by the loops of loops/sparse.
#include <cstring>

#include "backend/sparse.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/loops/sparse/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/packed.h"

namespace arr::host {

namespace {

// About as many terms are added in a block, whose results then stay in the cache.
constexpr int64_t block_terms = 16384;

template <class I>
class Gemm {
 public:
  explicit Gemm(const SparseGemmCall& c)
      : c_(c),
        loop_(loops_of(c)[static_cast<size_t>(c.dtype)][sizeof(I) == 8 ? 1 : 0]),
        a_(static_cast<const I*>(c.a.pointers)),
        a_indices_(static_cast<const I*>(c.a.indices)),
        b_(static_cast<const I*>(c.b.pointers)),
        mask_(static_cast<const I*>(c.mask.pointers)),
        begins_(blocks_of(c.rows, block_size(), [&](int64_t row) { return int64_t{a_[row]} + row; })) {}

  void run() {
    const auto blocks = static_cast<int64_t>(begins_.size()) - 1;
    if (c_.indices == nullptr) {
      *c_.count = blocks < few_blocks ? room(0, c_.rows) : guessed(blocks);
      return;
    }
    static_cast<I*>(c_.pointers)[0] = 0;
    *c_.count = Packing(blocks).run([&] { return Worker(*this); });
  }

 private:
  // The memory of a thread.
  class Worker {
   public:
    explicit Worker(const Gemm& all)
        : all_(all),
          c_(all.c_),
          writer_(past_caches(all.c_)),
          row_(checked::mul(c_.columns, sparse_loops().sum_bytes[static_cast<size_t>(c_.dtype)], "a row")),
          column_set_(static_cast<size_t>(column_set_words(c_.columns)), 0),
          met_(all.mask_ != nullptr ? static_cast<size_t>(c_.columns) : 0, 0) {
      std::memset(row_.data(), 0, static_cast<size_t>(row_.bytes()));
    }

    int64_t compute(int64_t block) {
      first_ = all_.begins_[static_cast<size_t>(block)];
      last_ = all_.begins_[static_cast<size_t>(block) + 1];
      // One more element is written than kept.
      const auto most = static_cast<size_t>(all_.room(first_, last_) + 1);
      const auto item = static_cast<size_t>(item_size(c_.dtype));
      if (indices_.size() < most) {
        indices_.resize(most);
        data_.resize(most * item);
      }
      if (ends_.size() < static_cast<size_t>(last_ - first_))
        ends_.resize(static_cast<size_t>(last_ - first_));
      SparseGemmRows rows;
      rows.first = first_;
      rows.last = last_;
      rows.columns = c_.columns;
      rows.a = {c_.a.pointers, c_.a.indices, c_.a.data};
      rows.b = {c_.b.pointers, c_.b.indices, c_.b.data};
      rows.row = row_.data();
      rows.column_set = column_set_.data();
      rows.ends = ends_.data();
      rows.indices = indices_.data();
      rows.data = data_.data();
      rows.mask_pointers = c_.mask.pointers;
      rows.mask_indices = c_.mask.indices;
      rows.complement = c_.complement;
      rows.met = met_.data();
      return all_.loop_(rows);
    }
    void move(int64_t, int64_t at) const {
      write_lines(c_, first_, last_, at, ends_.data(), indices_.data(), data_.data(), writer_);
    }

   private:
    const Gemm& all_;
    const SparseGemmCall& c_;
    const Writer writer_;
    const PoolBlock row_;
    std::vector<uint64_t> column_set_;
    std::vector<unsigned char> met_;
    int64_t first_ = 0, last_ = 0;
    std::vector<int64_t> ends_;
    std::vector<I> indices_;
    std::vector<char> data_;
  };

  using Loop = int64_t (*)(const SparseGemmRows&);
  static const auto& loops_of(const SparseGemmCall& c) {
    const SparseLoops& all = sparse_loops();
    return c.semiring == SparseSemiring::ordinary ? all.gemm
                                                  : all.semiring_gemm[static_cast<size_t>(c.semiring)];
  }
  [[nodiscard]] int64_t block_size() const {
    const int64_t terms = int64_t{b_[c_.inner]} / std::max<int64_t>(c_.inner, 1) + 1;  // of an element of a
    return std::clamp<int64_t>(block_terms / terms, 64, 8192);
  }
  // The most elements that rows may have.
  [[nodiscard]] int64_t room(int64_t first, int64_t last) const {
    int64_t sum = 0;
    for (int64_t i = first; i < last; ++i) {
      int64_t terms = 0;
      for (int64_t p = a_[i]; p < a_[i + 1]; ++p) terms += b_[a_indices_[p] + 1] - b_[a_indices_[p]];
      const int64_t masked = mask_ != nullptr ? int64_t{mask_[i + 1]} - int64_t{mask_[i]} : 0;
      sum += std::min(terms, mask_ == nullptr || c_.complement ? c_.columns - masked : masked);
    }
    return sum;
  }
  [[nodiscard]] int64_t guessed(int64_t blocks) const {
    Worker worker(*this);
    const auto begin = [&](int64_t block) { return begins_[static_cast<size_t>(block)]; };
    return guess(
        blocks, [&](int64_t block) { return worker.compute(block); },
        [&](int64_t first, int64_t last) {
          return int64_t{a_[begin(last)]} - int64_t{a_[begin(first)]} + begin(last) - begin(first);
        });
  }

  const SparseGemmCall& c_;
  const Loop loop_;
  const I *a_, *a_indices_, *b_, *mask_;
  const std::vector<int64_t> begins_;
};

}  // namespace

void sparse_gemm(const SparseGemmCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) { Gemm<I>(c).run(); });
}

}  // namespace arr::host
