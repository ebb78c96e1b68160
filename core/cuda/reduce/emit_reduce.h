// SPDX-License-Identifier: MIT
// Reduction kernels.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a reduction kernel is specialised for, besides reduction, map program and types.
struct ReduceShape {
  enum Kind : uint8_t { rows = 0, columns = 1 } kind = rows;
  int32_t kept = 0, reduced = 0;  // dimensions
  int32_t lanes = 1;     // rows: threads per output, a power of 2 up to 256; columns: rows of threads
  bool split = false;    // several blocks per output
  bool wide = false;     // 64-bit indices and offsets
  AccessList access;     // access to the map's inputs: strided, immediate, or contiguous for wide accesses
  bool initial = false;  // combined with an initial value among the parameters
  int32_t vector = 1;    // rows of one dimension: consecutive elements that a thread takes
};
// Words of every reduction: outputs, reduced, output's address, partial results, tickets, a part's length,
// correction (float64), initial value (two words).
inline constexpr int32_t reduce_output_word = 2, reduce_partial_word = 3, reduce_ticket_word = 4,
                         reduce_part_word = 5, reduce_correction_word = 6, reduce_initial_word = 7;
Words reduce_words(const ReduceShape& s);
std::string emit_reduce(const ReductionInfo& r, const Program& map, DType acc, DType out,
                        const ReduceShape& s);

// The table's formulas of a reduction to a value: the types A, O and the state S, arr_identity, arr_join,
// arr_end.
std::string emit_reduction(const ReductionInfo& r, DType acc, DType out);

}  // namespace arr::cuda
