// SPDX-License-Identifier: MIT
// Memory of texels, textures and surfaces. Each is a Buffer, so that work on it in several streams is ordered
// and captured work keeps it alive, as for the memory of arrays.
#pragma once

#include <span>

#include "backend/texture.h"
#include "runtime/streams.h"

namespace arr {

class Texels : public Object {
 public:
  Texels(Ref<Buffer> where, const TexelsFormat& what) : memory(std::move(where)), format(what) {}
  const Ref<Buffer> memory;  // data() is the backend's handle of it
  const TexelsFormat format;
  [[nodiscard]] Device device() const noexcept { return memory->device(); }
};

class Texture : public Object {
 public:
  Texture(Ref<Buffer> made, Ref<Buffer> of, uint64_t bits, bool writes, const arr_texture_options& how)
      : memory(std::move(made)), source(std::move(of)), object(bits), surface(writes), options(how) {}
  const Ref<Buffer> memory;  // keeps the source alive
  const Ref<Buffer> source;  // texels, or the memory of an array
  const uint64_t object;     // the object that kernels receive
  const bool surface;
  const arr_texture_options options;
  [[nodiscard]] Device device() const noexcept { return memory->device(); }
};

// shape: row-major, as in the public function.
Ref<Texels> make_texels(DType dtype, int32_t channels, std::span<const int64_t> shape, int32_t flags,
                        Device device);
Ref<Texture> make_texture(const Texels& texels, const arr_texture_options& options);
Ref<Texture> make_texture(const Array& a, int32_t channels, const arr_texture_options& options);
Ref<Texture> make_surface(const Texels& texels);

// Called before work in q whose kernels receive it.
void use(const Texture& texture, const Queue& q);

}  // namespace arr
