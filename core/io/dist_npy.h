// SPDX-License-Identifier: MIT
// Distributed arrays in .npy files.
#pragma once

#include <string_view>

#include "ops/dist/dist.h"

namespace arr::io {

// Each rank reads its elements of a file that all ranks see. A failure of one rank is one of all.
Ref<Dist> load_npy_parts(Decomposition& by, std::string_view path, Stream* stream);
// Rank 0 writes the file, in slices along the first axis that it gets from the other ranks.
void save_npy_parts(const Dist& a, std::string_view path, Stream* stream);

}  // namespace arr::io
