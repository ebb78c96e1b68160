// SPDX-License-Identifier: MIT
// texture.h: texels, textures, surfaces.
#include "arr/texture.h"

#include <algorithm>

#include "capi/src/kernels/handles.h"
#include "ops/kernels/texels.h"

using namespace arr::capi;
using arr::Texels;
using arr::Texture;

namespace {

arr_texture_options options_of(const arr_texture_options* given) {
  if (given == nullptr) return {};
  check_size(*given, "options");
  return *given;
}

}  // namespace

arr_status arr_texels_create(arr_dtype dtype, int32_t channels, int32_t ndim, const int64_t* shape,
                             int32_t flags, const arr_device* device, arr_texels* out) {
  return guard("arr_texels_create", [&] {
    check_pointer(out, "out");
    const arr::Device d = arr::device_from(device);
    publish<Texels>(arr::make_texels(arr::dtype_from(dtype), channels, shape_argument(ndim, shape), flags, d),
                    out);
  });
}

arr_status arr_texels_info(arr_texels t, arr_dtype* dtype, int32_t* channels, int32_t* ndim, int64_t* shape,
                           int32_t* flags) {
  return guard("arr_texels_info", [&] {
    auto texels = lookup<Texels>(t, "t");
    const arr::TexelsFormat& f = texels->format;
    if (dtype != nullptr) *dtype = static_cast<arr_dtype>(f.dtype);
    if (channels != nullptr) *channels = f.channels;
    if (ndim != nullptr) *ndim = f.ndim;
    if (flags != nullptr) {
      *flags = (f.surface ? ARR_TEXELS_SURFACE : 0) | (f.layered ? ARR_TEXELS_LAYERED : 0) |
               (f.cube ? ARR_TEXELS_CUBE : 0) | (f.gather ? ARR_TEXELS_GATHER : 0);
    }
    if (shape == nullptr) return;
    std::fill_n(shape, 3, 0);
    std::reverse_copy(f.extent, f.extent + f.ndim, shape);
  });
}

arr_status arr_texels_copy_from(arr_texels t, arr_array a, arr_stream stream_handle) {
  return guard("arr_texels_copy_from", [&] {
    auto texels = lookup<Texels>(t, "t");
    auto from = array(a, "a");
    auto s = stream(stream_handle);
    arr::copy_texels_from(*texels, *from, s.get());
  });
}

arr_status arr_texels_copy_to(arr_texels t, arr_array a, arr_stream stream_handle) {
  return guard("arr_texels_copy_to", [&] {
    auto texels = lookup<Texels>(t, "t");
    auto to = array(a, "a");
    auto s = stream(stream_handle);
    arr::copy_texels_to(*texels, *to, s.get());
  });
}

arr_status arr_texels_release(arr_texels t) { return release(t, arr::Kind::texels); }

arr_status arr_texture_create(arr_texels t, const arr_texture_options* options, arr_texture* out) {
  return guard("arr_texture_create", [&] {
    check_pointer(out, "out");
    auto texels = lookup<Texels>(t, "t");
    publish<Texture>(arr::make_texture(*texels, options_of(options)), out);
  });
}

arr_status arr_texture_of_array(arr_array a, int32_t channels, const arr_texture_options* options,
                                arr_texture* out) {
  return guard("arr_texture_of_array", [&] {
    check_pointer(out, "out");
    auto of = array(a, "a");
    publish<Texture>(arr::make_texture(*of, channels, options_of(options)), out);
  });
}

arr_status arr_surface_create(arr_texels t, arr_texture* out) {
  return guard("arr_surface_create", [&] {
    check_pointer(out, "out");
    auto texels = lookup<Texels>(t, "t");
    publish<Texture>(arr::make_surface(*texels), out);
  });
}

arr_status arr_texture_info(arr_texture t, arr_texture_options* options, bool* surface) {
  return guard("arr_texture_info", [&] {
    auto texture = lookup<Texture>(t, "t");
    check_pointer(options, "options");
    check_size(*options, "options");
    *options = texture->options;
    options->struct_size = sizeof *options;
    if (surface != nullptr) *surface = texture->surface;
  });
}

arr_status arr_texture_native(arr_texture t, void** native) {
  return guard("arr_texture_native", [&] {
    auto texture = lookup<Texture>(t, "t");
    check_pointer(native, "native");
    arr::expose_address(*texture->source);  // kernels may read it from now on, and write it for a surface
    *native = reinterpret_cast<void*>(static_cast<uintptr_t>(texture->object));
  });
}

void arr_value_texture(arr_value* v, arr_texture t) {
  if (v != nullptr) *v = {ARR_VALUE_TEXTURE, 0, static_cast<int64_t>(bits(t)), 0};
}

arr_status arr_texture_release(arr_texture t) { return release(t, arr::Kind::texture); }
