// SPDX-License-Identifier: MIT
// Memory of texels, textures and surfaces. Each is a Buffer, so that work on it in several streams is ordered
// and captured work keeps it, as with the memory of arrays.
#pragma once

#include <span>

#include "backend/texture.h"
#include "runtime/streams.h"

namespace arr {

class Texels : public Object {
 public:
  Texels(Ref<Buffer> where, const TexelsFormat& what) : memory(std::move(where)), format(what) {}
  const Ref<Buffer> memory;  // data() is the backend's name for it
  const TexelsFormat format;
  [[nodiscard]] Device device() const noexcept { return memory->device(); }
};

class Texture : public Object {
 public:
  Texture(Ref<Buffer> made, Ref<Buffer> of, uint64_t bits, bool writes, const arr_texture_options& how)
      : memory(std::move(made)), source(std::move(of)), object(bits), surface(writes), options(how) {}
  const Ref<Buffer> memory;  // keeps the source alive
  const Ref<Buffer> source;  // texels, or an array's memory
  const uint64_t object;     // what kernels are given
  const bool surface;
  const arr_texture_options options;
  [[nodiscard]] Device device() const noexcept { return memory->device(); }
};

// shape: row-major, as the public function has it.
Ref<Texels> make_texels(DType dtype, int32_t channels, std::span<const int64_t> shape, int32_t flags,
                        Device device);
Ref<Texture> make_texture(const Texels& texels, const arr_texture_options& options);
Ref<Texture> make_texture(const Array& a, int32_t channels, const arr_texture_options& options);
Ref<Texture> make_surface(const Texels& texels);

// Before work in q whose kernels are given it.
void use(const Texture& texture, const Queue& q);

}  // namespace arr
