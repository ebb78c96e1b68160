// SPDX-License-Identifier: MIT
// Kernels of sequences of steps over rows.
#pragma once

#include <string>

#include "backend/row_pipeline.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a kernel of a sequence of steps is specialised for, besides the steps: threads share a
// row, and each keeps its elements in registers from the first step to the last.
struct BlocksShape {
  int32_t kept = 0, reduced = 0;  // dimensions
  int32_t lanes = 1;              // threads per row, a power of 2 up to 32, or all of the block
  int32_t each = 1;               // elements of a thread, a multiple of vector
  int32_t vector = 1;             // rows of one dimension: consecutive elements of one access
  bool full = false;              // a row has exactly lanes * each elements
  bool wide = false;              // 64-bit offsets
};
// Words of every such kernel: rows, their length; then extents. Locals have no words.
Words blocks_words(const BlocksCall& c, const BlocksShape& s);
std::string emit_blocks(const BlocksCall& c, const BlocksShape& s);
// The kind of array k of a call. The result is array 1.
enum class BlocksArray : uint8_t { memory, immediate, elements, row };
BlocksArray kind_of(const BlocksCall& c, int32_t k);
DType dtype_of(const BlocksCall& c, int32_t k);

}  // namespace arr::cuda
