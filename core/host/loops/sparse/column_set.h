// SPDX-License-Identifier: MIT
// The columns of a row of a product that have a term.
#pragma once

#include "host/loops/level.h"
//
#include "host/loops/sparse/sparse.h"

namespace arr::host::ARR_LEVEL {

namespace {

class ColumnSet {
 public:
  ColumnSet(uint64_t* words, int64_t columns)
      : bits_(words),
        words_(bits_ + gemm_words(columns)),
        groups_(words_ + gemm_words(gemm_words(columns))),
        groups_count_(static_cast<uint64_t>(gemm_words(gemm_words(gemm_words(columns))))) {}
  ARR_FN void add(uint64_t column) {
    const uint64_t w = column / 64, word = bits_[w];
    bits_[w] = word | uint64_t{1} << column % 64;
    if (word == 0) add_word(w);
  }
  [[nodiscard]] ARR_FN bool has(uint64_t column) const {
    return (bits_[column / 64] >> column % 64 & 1) != 0;
  }
  // Calls use(column) for each in order, and forgets them.
  template <class Use>
  ARR_FN void take(const Use& use) {
    for (uint64_t k = 0; k < groups_count_; ++k) {
      for (uint64_t top = groups_[k]; top != 0; top &= top - 1) {
        const uint64_t g = k * 64 + static_cast<uint64_t>(__builtin_ctzll(top));
        for (uint64_t group = words_[g]; group != 0; group &= group - 1) {
          const uint64_t w = g * 64 + static_cast<uint64_t>(__builtin_ctzll(group));
          for (uint64_t word = bits_[w]; word != 0; word &= word - 1)
            use(w * 64 + static_cast<uint64_t>(__builtin_ctzll(word)));
          bits_[w] = 0;
        }
        words_[g] = 0;
      }
      groups_[k] = 0;
    }
  }

 private:
  ARR_FN void add_word(uint64_t w) {
    words_[w / 64] |= uint64_t{1} << w % 64;
    groups_[w / 4096] |= uint64_t{1} << w / 64 % 64;
  }
  uint64_t *bits_, *words_, *groups_;
  uint64_t groups_count_;
};

}  // namespace

}  // namespace arr::host::ARR_LEVEL
