// SPDX-License-Identifier: MIT
// Textures: memory of texels, and textures and surfaces over it.
#pragma once

#include <cstdint>

#include "arr/texture.h"
#include "array/dtype.h"
#include "backend/error.h"

namespace arr {

struct TexelsFormat {
  DType dtype = DType::none;      // dtype of a channel: 8-, 16- and 32-bit integers, float16, float32
  int32_t channels = 1;           // 1, 2 or 4
  int32_t ndim = 1;               // 1 to 3
  int64_t extent[3] = {1, 1, 1};  // in texels, x first; 1 if there is no such axis
  bool surface = false;           // kernels may write it
  bool layered = false;           // the last extent counts layers
  bool gather = false;            // for tex2Dgather
  bool cube = false;              // the last extent counts faces, 6 for each cube

  [[nodiscard]] int64_t texel_bytes() const noexcept { return item_size(dtype) * channels; }
  // The number of coordinates within a layer, and of layers or faces.
  [[nodiscard]] int32_t dims() const noexcept { return layered || cube ? ndim - 1 : ndim; }
  [[nodiscard]] int64_t layers() const noexcept { return layered || cube ? extent[ndim - 1] : 1; }
  [[nodiscard]] int64_t row_bytes() const noexcept { return texel_bytes() * extent[0]; }
};

// A texture or a surface. The core has checked the options for the format by CUDA's requirements, for every
// device.
struct TextureCall {
  TexelsFormat format;
  void* texels = nullptr;  // the backend's texels; or nullptr: memory of an array
  void* data = nullptr;    // its first texel; one or two dimensions
  int64_t row_bytes = 0;   // its row pitch
  bool surface = false;    // true: a surface; false: a texture
  arr_texture_options options = {};
};

struct TextureApi {
  // copy: all texels from or to contiguous row-major device memory. release: after all work enqueued in
  // `stream` so far.
  int32_t (*texels_create)(int32_t device, const TexelsFormat* format, void** texels, BackendError*);
  int32_t (*texels_copy)(int32_t device, void* texels, void* dense, int32_t to_texels, void* stream,
                         BackendError*);
  int32_t (*texels_release)(int32_t device, void* texels, void* stream, BackendError*);
  // object: the argument of kernels.
  int32_t (*create)(int32_t device, const TextureCall* call, void** texture, uint64_t* object, BackendError*);
  int32_t (*release)(int32_t device, void* texture, void* stream, BackendError*);
};

}  // namespace arr
