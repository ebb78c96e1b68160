// SPDX-License-Identifier: MIT
// Arrays from and to .npy files.
#pragma once

#include <string_view>

#include "array/array.h"
#include "runtime/streams.h"

namespace arr::io {

Ref<Array> load_npy(std::string_view path, Device device, Stream* stream);
void save_npy(const Array& a, std::string_view path, Stream* stream);

}  // namespace arr::io
