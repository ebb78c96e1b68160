// SPDX-License-Identifier: MIT
// Textures by the driver: CUDA arrays, texture and surface objects.
#include "backend/texture.h"

#include <algorithm>

#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/driver/array_flags.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

struct Texels {
  TexelsFormat format;
  CUarray array = nullptr;
};

CUarray_format format_of(DType dtype) {
  switch (dtype) {
    case DType::uint8_:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case DType::uint16_:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case DType::uint32_:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case DType::int8_:
      return CU_AD_FORMAT_SIGNED_INT8;
    case DType::int16_:
      return CU_AD_FORMAT_SIGNED_INT16;
    case DType::int32_:
      return CU_AD_FORMAT_SIGNED_INT32;
    case DType::float16_:
      return CU_AD_FORMAT_HALF;
    default:
      return CU_AD_FORMAT_FLOAT;
  }
}

int64_t attribute(Device& d, CUdevice_attribute which) {
  CUdevice ordinal = 0;
  int value = 0;
  d.check(driver().cuDeviceGet(&ordinal, d.index), "cuDeviceGet");
  d.check(driver().cuDeviceGetAttribute(&value, which, ordinal), "cuDeviceGetAttribute");
  return value;
}

namespace attributes {
enum : CUdevice_attribute {
#define ARR_CUDA_ATTRIBUTE(name, number) name = (number),
#include "cuda/device/attributes.def"
#undef ARR_CUDA_ATTRIBUTE
};
}  // namespace attributes

// The attributes with the largest extents of each kind of texels, of textures and of surfaces.
struct Maxima {
  CUdevice_attribute textures[3], surfaces[3];
};
constexpr Maxima max_of_dims[] = {
    {{attributes::MAXIMUM_TEXTURE1D_WIDTH}, {attributes::MAXIMUM_SURFACE1D_WIDTH}},
    {{attributes::MAXIMUM_TEXTURE2D_WIDTH, attributes::MAXIMUM_TEXTURE2D_HEIGHT},
     {attributes::MAXIMUM_SURFACE2D_WIDTH, attributes::MAXIMUM_SURFACE2D_HEIGHT}},
    {{attributes::MAXIMUM_TEXTURE3D_WIDTH, attributes::MAXIMUM_TEXTURE3D_HEIGHT,
      attributes::MAXIMUM_TEXTURE3D_DEPTH},
     {attributes::MAXIMUM_SURFACE3D_WIDTH, attributes::MAXIMUM_SURFACE3D_HEIGHT,
      attributes::MAXIMUM_SURFACE3D_DEPTH}}};
constexpr Maxima max_of_layers[] = {
    {{attributes::MAXIMUM_TEXTURE1D_LAYERED_WIDTH, attributes::MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
     {attributes::MAXIMUM_SURFACE1D_LAYERED_WIDTH, attributes::MAXIMUM_SURFACE1D_LAYERED_LAYERS}},
    {{attributes::MAXIMUM_TEXTURE2D_LAYERED_WIDTH, attributes::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
      attributes::MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
     {attributes::MAXIMUM_SURFACE2D_LAYERED_WIDTH, attributes::MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
      attributes::MAXIMUM_SURFACE2D_LAYERED_LAYERS}}};
constexpr CUdevice_attribute any = 0;  // a cube has six faces
constexpr Maxima max_of_cube = {
    {attributes::MAXIMUM_TEXTURECUBEMAP_WIDTH, attributes::MAXIMUM_TEXTURECUBEMAP_WIDTH, any},
    {attributes::MAXIMUM_SURFACECUBEMAP_WIDTH, attributes::MAXIMUM_SURFACECUBEMAP_WIDTH, any}};
constexpr Maxima max_of_cubes = {
    {attributes::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, attributes::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
     attributes::MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {attributes::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, attributes::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
     attributes::MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}};

constexpr Maxima max_of_gathers = {
    {attributes::MAXIMUM_TEXTURE2D_GATHER_WIDTH, attributes::MAXIMUM_TEXTURE2D_GATHER_HEIGHT},
    {attributes::MAXIMUM_SURFACE2D_WIDTH, attributes::MAXIMUM_SURFACE2D_HEIGHT}};

const Maxima& limits_of(const TexelsFormat& f) {
  const int32_t i = f.dims() - 1;
  if (f.gather) return max_of_gathers;
  if (f.cube) return f.layered ? max_of_cubes : max_of_cube;
  return f.layered ? max_of_layers[i] : max_of_dims[i];
}

void check_extents(Device& d, const TexelsFormat& f) {
  const Maxima& limits = limits_of(f);
  const auto ndim = static_cast<size_t>(f.ndim);
  for (size_t i = 0; i < ndim; ++i) {
    if (limits.textures[i] == any) continue;
    int64_t max_extent = attribute(d, limits.textures[i]);
    if (f.surface) max_extent = std::min(max_extent, attribute(d, limits.surfaces[i]));
    if (f.extent[i] > max_extent) {
      fail(ARR_E_SHAPE, "argument shape: extent ", f.extent[i], " of axis ", ndim - 1 - i, ", ", d.name,
           " has at most ", max_extent);
    }
  }
}

CUarray allocate(Device& d, const TexelsFormat& f) {
  CUDA_ARRAY3D_DESCRIPTOR what{};
  what.Width = static_cast<size_t>(f.extent[0]);
  what.Height = f.dims() > 1 ? static_cast<size_t>(f.extent[1]) : 0;
  what.Depth = f.ndim > f.dims() ? static_cast<size_t>(f.layers())
               : f.ndim > 2      ? static_cast<size_t>(f.extent[2])
                                 : 0;
  what.Format = format_of(f.dtype);
  what.NumChannels = static_cast<unsigned>(f.channels);
  what.Flags = (f.surface ? array3d_surface_ldst : 0) | (f.layered ? array3d_layered : 0) |
               (f.cube ? array3d_cubemap : 0) | (f.gather ? array3d_gather : 0);
  CUarray array = nullptr;
  CUresult r = driver().cuArray3DCreate_v2(&array, &what);
  if (r == CUDA_ERROR_OUT_OF_MEMORY && d.captures.load() == 0) {
    d.collect_deferred_textures(true);
    d.pool.trim();
    r = driver().cuArray3DCreate_v2(&array, &what);
  }
  d.check(r, "cuArray3DCreate");
  return array;
}

// Checks CUDA's requirements of an array's memory.
void check_memory(Device& d, const TextureCall& c) {
  const int64_t base = attribute(d, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
                pitch = attribute(d, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
  const auto behind =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(c.data) % static_cast<uintptr_t>(base));
  if (behind != 0) {
    fail(ARR_E_ARGUMENT, "argument a: begins ", behind, " bytes after a multiple of ", base,
         ", expected a multiple, as for arrays of arr_create_pitched");
  }
  if (c.format.ndim == 2 && c.format.extent[1] > 1 && c.row_bytes % pitch != 0) {
    fail(ARR_E_ARGUMENT, "argument a: rows ", c.row_bytes, " bytes apart, expected a multiple of ", pitch,
         ", as for arrays of arr_create_pitched");
  }
}

CUDA_RESOURCE_DESC resource_of(Device& d, const TextureCall& c) {
  CUDA_RESOURCE_DESC r{};
  const TexelsFormat& f = c.format;
  if (c.texels != nullptr) {
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = static_cast<Texels*>(c.texels)->array;
    return r;
  }
  check_memory(d, c);
  const auto address = reinterpret_cast<CUdeviceptr>(c.data);
  const auto channels = static_cast<unsigned>(f.channels);
  if (f.ndim == 1) {
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear = {address, format_of(f.dtype), channels, static_cast<size_t>(f.row_bytes())};
    return r;
  }
  // The pitch of a single row is arbitrary, but must be valid.
  const int64_t pitch = f.extent[1] > 1 ? c.row_bytes : checked::round_up(c.row_bytes, 512);
  r.resType = CU_RESOURCE_TYPE_PITCH2D;
  r.res.pitch2D = {address,
                   format_of(f.dtype),
                   channels,
                   static_cast<size_t>(f.extent[0]),
                   static_cast<size_t>(f.extent[1]),
                   static_cast<size_t>(pitch)};
  return r;
}

CUaddress_mode mode_of(int32_t address) {
  constexpr CUaddress_mode modes[] = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_WRAP,
                                      CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER};
  return modes[address];
}

CUDA_TEXTURE_DESC description_of(const TextureCall& c) {
  const arr_texture_options& o = c.options;
  const int32_t addresses[] = {o.address_x, o.address_y, o.address_z};
  const double border[] = {o.border_r, o.border_g, o.border_b, o.border_a};
  CUDA_TEXTURE_DESC t{};
  for (int i = 0; i < 3; ++i) {
    t.addressMode[i] = i < c.format.dims() ? mode_of(addresses[i]) : CU_TR_ADDRESS_MODE_CLAMP;
  }
  for (int i = 0; i < 4; ++i) t.borderColor[i] = static_cast<float>(border[i]);
  t.filterMode = o.filter == ARR_FILTER_LINEAR ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  // The flag has no meaning for floating-point texels.
  t.flags = o.read == ARR_READ_NORMALIZED ? 0 : trsf_read_as_integer;
  if (o.normalized != 0) t.flags |= trsf_normalized_coordinates;
  if (o.srgb != 0) t.flags |= trsf_srgb;
  t.maxAnisotropy = static_cast<unsigned>(o.max_anisotropy);
  return t;
}

template <class T>
int32_t release(int32_t device, T* object, const TextureObjects& objects, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const std::unique_ptr<T> own(object);
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;  // gone with its context
    const Current current(*d, std::nothrow);
    d->defer_release(objects, d->stream(stream));
  });
}

}  // namespace

namespace {

int32_t texels_create(int32_t device, const TexelsFormat* format, void** texels, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    call.device.collect_deferred_textures();
    check_extents(call.device, *format);
    auto t = std::make_unique<Texels>();
    t->format = *format;
    t->array = allocate(call.device, *format);
    *texels = t.release();
  });
}

int32_t texels_copy(int32_t device, void* texels, void* dense, int32_t to_texels, void* stream,
                    BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    const Texels& t = *static_cast<Texels*>(texels);
    CUDA_MEMCPY3D c{};
    c.WidthInBytes = static_cast<size_t>(t.format.row_bytes());
    const bool lines = t.format.layered && t.format.dims() == 1;  // whose layers are CUDA's slices
    c.Height = lines ? 1 : static_cast<size_t>(t.format.extent[1]);
    c.Depth = static_cast<size_t>(lines ? t.format.extent[1] : t.format.extent[2]);
    const auto address = reinterpret_cast<CUdeviceptr>(dense);
    if (to_texels != 0) {
      c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
      c.srcDevice = address;
      c.srcPitch = c.WidthInBytes;
      c.srcHeight = c.Height;
      c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
      c.dstArray = t.array;
    } else {
      c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
      c.srcArray = t.array;
      c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      c.dstDevice = address;
      c.dstPitch = c.WidthInBytes;
      c.dstHeight = c.Height;
    }
    call.device.check(driver().cuMemcpy3DAsync_v2(&c, call.stream.handle), "cuMemcpy3DAsync", &call.stream);
  });
}

int32_t texels_release(int32_t device, void* texels, void* stream, BackendError* e) {
  auto* t = static_cast<Texels*>(texels);
  return release(device, t, {.array = t->array}, stream, e);
}

int32_t texture_create(int32_t device, const TextureCall* c, void** texture, uint64_t* object,
                       BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    call.device.collect_deferred_textures();
    const CUDA_RESOURCE_DESC of = resource_of(call.device, *c);
    auto made = std::make_unique<TextureObjects>();
    if (c->surface) {
      call.device.check(driver().cuSurfObjectCreate(&made->surface, &of), "cuSurfObjectCreate");
      *object = made->surface;
    } else {
      const CUDA_TEXTURE_DESC how = description_of(*c);
      const CUresult r = driver().cuTexObjectCreate(&made->texture, &of, &how, nullptr);
      if (r == CUDA_ERROR_INVALID_VALUE && c->texels == nullptr) {
        fail(ARR_E_UNSUPPORTED, "argument a: ", c->format.extent[1], " rows of ", c->format.extent[0],
             " texels, ", c->row_bytes, " bytes apart, exceed a texture of ", call.device.name,
             "; arr_texels may be larger");
      }
      call.device.check(r, "cuTexObjectCreate");
      *object = made->texture;
    }
    *texture = made.release();
  });
}

int32_t texture_release(int32_t device, void* texture, void* stream, BackendError* e) {
  auto* t = static_cast<TextureObjects*>(texture);
  return release(device, t, *t, stream, e);
}

}  // namespace

const TextureApi texture_api = {
    .texels_create = texels_create,
    .texels_copy = texels_copy,
    .texels_release = texels_release,
    .create = texture_create,
    .release = texture_release,
};

}  // namespace arr::cuda
