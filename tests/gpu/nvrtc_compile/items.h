// SPDX-License-Identifier: MIT
// Parts that nvrtc_compile's files share: a kernel's text with a name for messages, and the lists that fill a
// run.
#pragma once

#include <string>
#include <vector>

#include "cuda/codegen/emit_elementwise.h"

namespace arr::cuda {

struct Item {
  std::string name, source;
};

std::vector<DType> dtypes();

// reductions.cpp: every reduction and scan of an array, and a sample of those of programs.
void add_reductions(std::vector<Item>* items);
void add_fused_reductions(std::vector<Item>* items);
void add_scans(std::vector<Item>* items);
void add_fused_scans(std::vector<Item>* items);
// segments.cpp: of slices, and from left to right.
void add_segments(std::vector<Item>* items);
void add_ordered(std::vector<Item>* items);
// selections.cpp: of marks.
void add_selections(std::vector<Item>* items);
// sequences.cpp: of steps over rows.
void add_sequences(std::vector<Item>* items);

}  // namespace arr::cuda
