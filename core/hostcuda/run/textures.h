// SPDX-License-Identifier: MIT
// Textures and surfaces on the host: what a cudaTextureObject_t or cudaSurfaceObject_t points at, and the
// reads and writes that the shim (shim/textures.h) asks the runtime for.
#pragma once

#include <cstdint>

#include "array/dtype.h"
#include "hostcuda/shim/abi.h"

namespace arr::host_kernels {

struct Texture;
// Four channels as bits at a point of the layer at `data`; a coordinate of an axis that the texture lacks is
// not looked at.
using Sample = void (*)(const Texture&, const char* data, const float* coordinates, uint32_t* four);
// One channel of the four texels around a point, as tex2Dgather orders them.
using Gather = void (*)(const Texture&, const float* coordinates, int channel, uint32_t* four);
// The same of the texel at an index of memory of one dimension.
using Fetch = void (*)(const Texture&, int64_t index, uint32_t* four);

// Made by prepare() from the fields above `sample`. Addresses are ARR_ADDRESS_...
struct Texture {
  char* data = nullptr;  // the first texel; x runs fastest, texels of a row lie side by side
  DType dtype = DType::none;
  int32_t channels = 1;
  int32_t dims = 1;               // within a layer
  int64_t extent[3] = {1, 1, 1};  // in texels
  int64_t row_bytes = 0, slice_bytes = 0;
  bool layered = false, cube = false, gather = false;
  int64_t layers = 1;            // or faces, 6 for each cube
  bool by_index = false;         // memory of one dimension: tex1Dfetch
  bool surface = false;          // else a texture
  bool filter = false;           // linear
  bool normalized = false;       // the coordinates
  bool normalized_read = false;  // the values
  bool srgb = false;
  int32_t address[3] = {};
  float border[4] = {};

  Sample sample = nullptr;
  Fetch fetch = nullptr;
  Gather gathered = nullptr;
  int64_t texel_bytes = 0, layer_bytes = 0;
  int shape = 1;                 // arr_host::Shape
  uint32_t border_bits[4] = {};  // as a texel's
  uint32_t mark = 0;             // other memory has another
};

// The texture or surface of a handle; null for one of neither.
const Texture* object_of(unsigned long long object);

// Completes a texture whose other fields are right.
void prepare(Texture& t);

// Entries of the runtime's table; see shim/abi.h.
const char* texture(unsigned long long object, int shape, int layer, float x, float y, float z,
                    unsigned* four);
const char* texel(unsigned long long object, int index, unsigned* four);
const char* surface(unsigned long long object, const arr_host::SurfaceAccess* access);
const char* query(unsigned long long object, int is_surface, int what, unsigned* answer);

}  // namespace arr::host_kernels
