// SPDX-License-Identifier: MIT
// Kernels that update an array at indices.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a scatter kernel is specialised for, besides its two programs.
struct ScatterShape {
  int32_t dims = 0;
  bool wide = false;  // 64-bit indices and offsets
  AccessList access;  // access to the map's inputs: strided or immediate
};
// Words of every scatter: elements, the target's address.
inline constexpr int32_t scatter_target_word = 1;
Words scatter_words(const ScatterShape& s);
std::string emit_scatter(const Program& map, const Program& combine, const ScatterShape& s);

}  // namespace arr::cuda
