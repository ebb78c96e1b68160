// SPDX-License-Identifier: MIT
// Textures in the seam: what memory of texels is, and what a texture is made of.
#pragma once

#include <cstdint>

#include "arr/texture.h"
#include "array/dtype.h"

namespace arr {

struct TexelsFormat {
  DType dtype = DType::none;      // of a channel: 8-, 16- and 32-bit integers, float16, float32
  int32_t channels = 1;           // 1, 2 or 4
  int32_t ndim = 1;               // 1 to 3
  int64_t extent[3] = {1, 1, 1};  // in texels, x first; 1 where there is no axis
  bool surface = false;           // kernels may write it

  [[nodiscard]] int64_t texel_bytes() const noexcept { return item_size(dtype) * channels; }
  [[nodiscard]] int64_t row_bytes() const noexcept { return texel_bytes() * extent[0]; }
};

// A texture or a surface. The options are right for the format: the core has checked what CUDA asks of every
// device.
struct TextureCall {
  TexelsFormat format;
  void* texels = nullptr;  // the backend's; or nullptr: memory of an array
  void* data = nullptr;    // its first texel; one dimension, or two
  int64_t row_bytes = 0;   // from a row of it to the next
  bool surface = false;    // else a texture
  arr_texture_options options = {};
};

}  // namespace arr
