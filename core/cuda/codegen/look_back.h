// SPDX-License-Identifier: MIT
// Blocks that pass results on to later ones: look_back.cuh.
#pragma once

#include <cstdint>
#include <string>

namespace arr::cuda {

// Memory for tiles that look back: the next tile's number, which of the results are published, and the
// results, of `item` bytes each. The first `zeroed` bytes have to be 0.
struct LookBackMemory {
  int64_t bytes = 0, zeroed = 0;
};
LookBackMemory look_back_memory(int64_t item, int64_t sequences, int64_t tiles);
// The lines of a kernel whose parameters have the memory's address at that word.
std::string emit_look_back(int32_t word);

}  // namespace arr::cuda
