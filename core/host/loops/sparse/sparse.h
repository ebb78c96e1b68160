// SPDX-License-Identifier: MIT
// Loops over sparse matrices, one table per instruction-set level.
#pragma once

#include <cstdint>

#include "backend/sparse_semiring.h"

namespace arr::host {

// Rows of SparseProductCall. end: the number of all elements.
struct SparseRows {
  int64_t first = 0, last = 0;
  int64_t columns = 0, end = 0;
  const void *data = nullptr, *indices = nullptr, *pointers = nullptr, *x = nullptr;
  void* y = nullptr;
};

// Lines of SparseAssembleCall, whose elements are sorted by index; those of equal index are added, and ends,
// where each line ends, changes.
struct SparseSumLines {
  int64_t lines = 0;
  int64_t* ends = nullptr;
  void *indices = nullptr, *data = nullptr;
};

// Pointers, indices and data of a matrix.
struct SparseOperand {
  const void *pointers = nullptr, *indices = nullptr, *data = nullptr;
};

// Rows of SparseGemmCall. ends: of each row, the number of results up to its end. The results are written
// from the beginning of indices and data, with room for one more than the most there may be. row: a sum per
// column, column_set: column_set_words(columns) words; all are 0 before and after.
struct SparseGemmRows {
  int64_t first = 0, last = 0;
  int64_t columns = 0;
  SparseOperand a, b;
  void* row = nullptr;
  uint64_t* column_set = nullptr;
  int64_t* ends = nullptr;
  void *indices = nullptr, *data = nullptr;
  // For a semiring: the elements that may have results, or may not, and a byte per column, which is 0 before
  // and after.
  const void *mask_pointers = nullptr, *mask_indices = nullptr;
  bool complement = false;
  unsigned char* met = nullptr;
};
// A bit for each column, then one for each word of these, then one for each word of those.
inline __attribute__((always_inline)) constexpr int64_t gemm_words(int64_t bits) { return (bits + 63) / 64; }
inline __attribute__((always_inline)) constexpr int64_t column_set_words(int64_t columns) {
  const int64_t words = gemm_words(columns), groups = gemm_words(words);
  return words + groups + gemm_words(groups);
}

// Lines of SparseCombineCall. ends: of each line, the number of results up to its end. The results are
// written from the beginning of indices and data, with room for one more than the most there may be.
struct SparseCombineLines {
  int64_t first = 0, last = 0;
  SparseOperand a, b;
  int64_t* ends = nullptr;
  void *indices = nullptr, *data = nullptr;
  bool fetches = false;  // the operands are not in a cache
};
enum class SparseOp { add, subtract, multiply, maximum, minimum, end };

// Elements of SparseFindCall: of each the line, begins[k] to ends[k] - 1 of all nnz indices, and the wanted
// index. found: where it is, or -1.
struct SparseFindLines {
  int64_t n = 0, nnz = 0;
  const void* indices = nullptr;
  const int64_t *begins = nullptr, *ends = nullptr, *wanted = nullptr;
  int64_t* found = nullptr;
};

struct SparseLoops {
  static constexpr int dtypes = 16;
  // [dtype][indices are int64]
  void (*product[dtypes][2])(const SparseRows&) = {};
  // Adds to sums of sum_bytes[dtype] each, which are 0 at first: y; of rows, or of elements first to last - 1
  // with x of ones; and sums `count` of several such arrays into y.
  void (*scatter[dtypes][2])(const SparseRows&) = {};
  void (*scatter_elements[dtypes][2])(const SparseRows&) = {};
  void (*gather[dtypes])(int64_t parts, int64_t step, int64_t first, int64_t last, const void* sums,
                         void* y) = {};
  int64_t sum_bytes[dtypes] = {};
  // Return the number of results.
  int64_t (*sum[dtypes][2])(const SparseSumLines&) = {};
  int64_t (*gemm[dtypes][2])(const SparseGemmRows&) = {};
  // The same over semirings; none for some dtypes.
  static constexpr int semirings = static_cast<int>(SparseSemiring::end);
  void (*semiring_product[semirings][dtypes][2])(const SparseRows&) = {};
  int64_t (*semiring_gemm[semirings][dtypes][2])(const SparseGemmRows&) = {};
  // Returns the number of results; none for some ops and dtypes.
  int64_t (*combine[static_cast<int>(SparseOp::end)][dtypes][2])(const SparseCombineLines&) = {};
  // [indices are int64]
  void (*find[2])(const SparseFindLines&) = {};
};

#define ARR_SPARSE_FILLERS(LEVEL)      \
  namespace LEVEL {                    \
  void fill_combine(SparseLoops& t);   \
  void fill_find(SparseLoops& t);      \
  void fill_products(SparseLoops& t);  \
  void fill_semirings(SparseLoops& t); \
  }

// The loops of the level in use.
const SparseLoops& sparse_loops();

}  // namespace arr::host
