// SPDX-License-Identifier: MIT
// The memory of tiles that look back, and the lines that their kernels need.
#include "cuda/codegen/look_back.h"

#include "base/checked.h"
#include "base/error.h"
#include "look_back_text.h"

namespace arr::cuda {

namespace {

// Bytes before the tiles' results: the number of the next tile.
constexpr int64_t status_head = 16;
int64_t slots_of(int64_t tiles) { return tiles + (tiles >> 5) + (tiles >> 10); }

}  // namespace

LookBackMemory look_back_memory(int64_t item, int64_t sequences, int64_t tiles) {
  const int64_t slots = checked::mul(sequences, slots_of(tiles), "the tiles of a scan");
  if (item <= 4) return {status_head + slots * 8, status_head + slots * 8};
  const int64_t flags = status_head + (slots * 4 + 15) / 16 * 16;
  return {flags + slots * item, flags};
}

std::string emit_look_back(int32_t word) {
  return text("constexpr int carry_word = ", word, ", status_head = ", status_head, ";\n")
      .append(look_back_text, look_back_text_size);
}

}  // namespace arr::cuda
