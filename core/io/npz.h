// SPDX-License-Identifier: MIT
// Reads and writes .npz files: ZIP archives of .npy files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "array/array.h"
#include "runtime/streams.h"

namespace arr::io {

// The names of the arrays, without ".npy", in the archive's order.
std::vector<std::string> npz_names(std::string_view path);
Ref<Array> load_npz(std::string_view path, std::string_view name, Device device, Stream* stream);
// An empty name becomes "arr_0", "arr_1" ... by its position, as in NumPy.
void save_npz(std::string_view path, std::span<const Array* const> arrays,
              std::span<const std::string_view> names, bool compressed, Stream* stream);

}  // namespace arr::io
