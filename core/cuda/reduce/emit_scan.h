// SPDX-License-Identifier: MIT
// Scan kernels.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a scan kernel is specialised for, besides reduction, map program and types. `kept`
// dimensions count through sequences; the one after them is scanned.
struct ScanShape {
  enum Kind : uint8_t { rows = 0, columns = 1 } kind = rows;
  int32_t kept = 0;
  int32_t lanes = 1;    // rows: threads per sequence, a power of 2 up to 256; columns: 1
  bool split = false;   // several blocks per sequence; those of rows look back
  bool wide = false;    // 64-bit indices and offsets
  int32_t vector = 1;   // rows: consecutive elements that a thread takes
  bool packed = false;  // the output by wide accesses
  int32_t each = 8;     // rows: elements of a thread at a time, a multiple of vector
  AccessList access;    // access to the map's inputs: strided, immediate, or contiguous for wide accesses
};
// Words of every scan: sequences, their length, output's address, the prefixes of the parts or the status of
// the tiles, a part's length or the tiles of a sequence.
inline constexpr int32_t scan_output_word = 2, scan_carry_word = 3, scan_part_word = 4;
inline constexpr int32_t max_scan_each = 16;
Words scan_words(const ScanShape& s);
std::string emit_scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s);

}  // namespace arr::cuda
