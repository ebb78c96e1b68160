// SPDX-License-Identifier: MIT
// Finds the elements of a dense matrix that are not 0: blocks of it become mask bits, by which their elements
// and indices are compacted in memory that stays in the cache.
#include <bit>

#include "backend/indexing.h"
#include "backend/sparse.h"
#include "host/loops/indexing/mask_bits.h"
#include "host/loops/table.h"
#include "host/sparse/calls.h"
#include "host/sparse/packed.h"

namespace arr::host {

namespace {

// A block may end within a line.
constexpr int64_t dense_block_elements = 8192;

template <class I>
class FromDense {
 public:
  explicit FromDense(const SparseFromDenseCall& c)
      : c_(c),
        size_(c.lines * c.width),
        item_(item_size(c.dtype)),
        truth_(c.dtype == DType::bool_
                   ? nullptr
                   : loops().cast[static_cast<size_t>(c.dtype)][static_cast<size_t>(DType::bool_)]),
        compress_(mask_loops().compress[std::countr_zero(static_cast<uint64_t>(item_))]) {}

  void run() {
    const int64_t blocks = (size_ + dense_block_elements - 1) / dense_block_elements;
    if (c_.indices == nullptr) {
      Worker worker(*this);
      *c_.count = std::min(size_, guess(
                                      blocks, [&](int64_t block) { return worker.count(block); },
                                      [](int64_t first, int64_t last) { return last - first; }));
      return;
    }
    static_cast<I*>(c_.pointers)[0] = 0;
    *c_.count = Packing(blocks).run([&] { return Worker(*this); });
  }

 private:
  // The memory of a thread.
  class Worker {
   public:
    explicit Worker(const FromDense& all)
        : all_(all),
          c_(all.c_),
          writer_(past_caches(all.c_)),
          memory_(static_cast<size_t>(dense_block_elements * all.item_ + compact_slack)) {}

    int64_t count(int64_t block) {
      begin_ = block * dense_block_elements;
      n_ = std::min(dense_block_elements, all_.size_ - begin_);
      const void* const values = this->values();
      if (all_.truth_ == nullptr) return mask_loops().pack(n_, values, bits_);
      all_.truth_(n_, &values, flags_);
      return mask_loops().pack(n_, flags_, bits_);
    }
    int64_t compute(int64_t block) {
      count_ = count(block);
      all_.compress_(n_, bits_, values(), memory_.data());
      mask_loops().short_indices(n_, bits_, numbers_);
      return count_;
    }
    // Writes the elements, and where those lines end that end in the block.
    void move(int64_t, int64_t at) {
      if (at + count_ > c_.capacity) return;
      auto* pointers = static_cast<I*>(c_.pointers);
      int64_t line = begin_ / c_.width, k = 0;
      for (;; ++line) {
        const int64_t first = line * c_.width - begin_, end = first + c_.width;
        for (; k < count_ && numbers_[k] < end; ++k) indices_[k] = static_cast<I>(numbers_[k] - first);
        if (end > n_) break;
        pointers[line + 1] = static_cast<I>(at + k);
      }
      constexpr auto wide = static_cast<int64_t>(sizeof(I));
      writer_.copy(reinterpret_cast<const char*>(indices_), count_ * wide,
                   static_cast<char*>(c_.indices) + at * wide);
      writer_.copy(memory_.data(), count_ * all_.item_, static_cast<char*>(c_.data) + at * all_.item_);
    }

   private:
    [[nodiscard]] const void* values() const {
      return static_cast<const char*>(c_.values) + begin_ * all_.item_;
    }

    const FromDense& all_;
    const SparseFromDenseCall& c_;
    const Writer writer_;
    int64_t begin_ = 0, n_ = 0, count_ = 0;
    std::vector<char> memory_;  // for compacted elements
    unsigned char flags_[dense_block_elements];
    uint64_t bits_[dense_block_elements / 64];
    uint32_t numbers_[dense_block_elements + compact_slack / sizeof(uint32_t)];
    I indices_[dense_block_elements];
  };

  const SparseFromDenseCall& c_;
  const int64_t size_, item_;
  const LoopFn truth_;  // nullptr: the elements are bytes that are true or false
  int64_t (*const compress_)(int64_t, const uint64_t*, const void*, void*);
};

}  // namespace

void sparse_from_dense(const SparseFromDenseCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) { FromDense<I>(c).run(); });
}

}  // namespace arr::host
