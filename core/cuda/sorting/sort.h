// SPDX-License-Identifier: MIT
// Parts common to full sorts (sort.cpp) and partial sorts (partial_sort.cpp).
#pragma once

#include <algorithm>

#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/sorting/calls.h"
#include "cuda/sorting/emit_sort.h"

namespace arr::cuda {

inline constexpr int64_t max_sort_blocks =
    65535;  // max number of blocks of a launch whose blocks take several rows each

// The parts of long rows that blocks work on.
struct SortTiles {
  explicit SortTiles(const SortCall& c)
      : each_row(std::clamp<int64_t>(checked::ceil_div(c.n, 2048), 1, 1024)),  // one block scans their counts
        all(c.rows * each_row),
        counts_bytes(checked::mul(all, 256 * 4, "the counts")) {}
  void set(const SortCall& c, const void* counts, Arguments* args) const {
    args->set(sort_counts_word, counts);
    args->set(sort_tiles_word, each_row);
    args->set(sort_tile_word, checked::ceil_div(c.n, each_row));
  }
  int64_t each_row, all, counts_bytes;
};

// Launches a kernel for elements of a type.
void launch_sort(Device& d, DType dtype, SortStage stage, int64_t blocks, int64_t y, Arguments* args,
                 Stream& s);

// Sorts with another extent than all; args has the words of the call.
void sort_selected(Device& d, const SortCall& c, Arguments* args, Stream& s);

}  // namespace arr::cuda
