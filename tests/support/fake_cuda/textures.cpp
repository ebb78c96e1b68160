// SPDX-License-Identifier: MIT
// The fake driver: CUDA arrays, texture and surface objects. Kernels read them as the host's kernels do; what
// the driver refuses is refused.
#include <cstdlib>
#include <cstring>

#include "arr/texture.h"
#include "cuda/driver/array_flags.h"
#include "hostcuda/run/textures.h"
#include "state.h"

namespace arr::fake {
namespace {

struct FakeArray {
  CUDA_ARRAY3D_DESCRIPTOR what{};
  DType dtype = DType::none;
  Context* context = nullptr;
  std::vector<char> bytes;

  [[nodiscard]] size_t texel() const { return static_cast<size_t>(item_size(dtype)) * what.NumChannels; }
  [[nodiscard]] size_t row() const { return what.Width * texel(); }
  [[nodiscard]] size_t height() const { return what.Height == 0 ? 1 : what.Height; }
  [[nodiscard]] size_t depth() const { return what.Depth == 0 ? 1 : what.Depth; }
};
FakeArray& array_of(CUarray a) { return *reinterpret_cast<FakeArray*>(a); }

DType dtype_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return DType::uint8_;
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return DType::uint16_;
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return DType::uint32_;
    case CU_AD_FORMAT_SIGNED_INT8:
      return DType::int8_;
    case CU_AD_FORMAT_SIGNED_INT16:
      return DType::int16_;
    case CU_AD_FORMAT_SIGNED_INT32:
      return DType::int32_;
    case CU_AD_FORMAT_HALF:
      return DType::float16_;
    case CU_AD_FORMAT_FLOAT:
      return DType::float32_;
    default:
      return DType::none;
  }
}

int32_t address_of(CUaddress_mode mode) {
  constexpr int32_t modes[] = {ARR_ADDRESS_WRAP, ARR_ADDRESS_CLAMP, ARR_ADDRESS_MIRROR, ARR_ADDRESS_BORDER};
  return modes[mode];
}

using host_kernels::Texture;

// The place of the texels; false for what the driver refuses.
bool place(const CUDA_RESOURCE_DESC& of, Texture* t) {
  if (of.resType == CU_RESOURCE_TYPE_ARRAY) {
    FakeArray& a = array_of(of.res.array.hArray);
    t->data = a.bytes.data();
    t->dtype = a.dtype;
    t->channels = static_cast<int32_t>(a.what.NumChannels);
    t->layered = (a.what.Flags & array3d_layered) != 0;
    t->gather = (a.what.Flags & array3d_gather) != 0;
    t->cube = (a.what.Flags & array3d_cubemap) != 0;
    const bool layers = t->layered || t->cube;
    if (layers) t->layers = static_cast<int64_t>(a.what.Depth);
    t->dims = a.what.Depth != 0 && !layers ? 3 : a.what.Height != 0 ? 2 : 1;
    t->extent[0] = static_cast<int64_t>(a.what.Width);
    t->extent[1] = static_cast<int64_t>(a.height());
    t->extent[2] = layers ? 1 : static_cast<int64_t>(a.depth());
    t->row_bytes = static_cast<int64_t>(a.row());
    t->slice_bytes = t->row_bytes * t->extent[1];
    return true;
  }
  const bool linear = of.resType == CU_RESOURCE_TYPE_LINEAR;
  const auto& l = of.res.linear;
  const auto& p = of.res.pitch2D;
  const CUdeviceptr at = linear ? l.devPtr : p.devPtr;
  t->data = reinterpret_cast<char*>(at);
  t->dtype = dtype_of(linear ? l.format : p.format);
  t->channels = static_cast<int32_t>(linear ? l.numChannels : p.numChannels);
  if (t->dtype == DType::none || at % 512 != 0) return false;
  const int64_t texel = item_size(t->dtype) * t->channels;
  t->by_index = linear;
  t->dims = linear ? 1 : 2;
  t->extent[0] = linear ? static_cast<int64_t>(l.sizeInBytes) / texel : static_cast<int64_t>(p.width);
  if (linear) return on_device(static_cast<uintptr_t>(at), l.sizeInBytes);
  t->extent[1] = static_cast<int64_t>(p.height);
  t->row_bytes = static_cast<int64_t>(p.pitchInBytes);
  const size_t row = p.width * static_cast<size_t>(texel);
  return p.pitchInBytes % 32 == 0 && p.pitchInBytes >= row &&
         on_device(static_cast<uintptr_t>(at), (p.height - 1) * p.pitchInBytes + row);
}

bool is_float(DType d) { return d == DType::float16_ || d == DType::float32_; }

// Reads the description of a texture; false if the driver refuses it.
bool describe(const CUDA_TEXTURE_DESC& how, Texture* t) {
  t->normalized = (how.flags & trsf_normalized_coordinates) != 0;
  t->normalized_read =
      (how.flags & trsf_read_as_integer) == 0 && !is_float(t->dtype) && item_size(t->dtype) < 4;
  t->srgb = (how.flags & trsf_srgb) != 0;
  t->filter = how.filterMode == CU_TR_FILTER_MODE_LINEAR;
  for (int i = 0; i < 3; ++i) {
    t->address[i] = address_of(how.addressMode[i]);
    const bool periodic = t->address[i] == ARR_ADDRESS_WRAP || t->address[i] == ARR_ADDRESS_MIRROR;
    if (periodic && !t->normalized) return false;
  }
  for (int i = 0; i < 4; ++i) t->border[i] = how.borderColor[i];
  return !t->filter || is_float(t->dtype) || t->normalized_read;
}

// One side of a copy: the first byte, and bytes from row to row and from slice to slice.
struct Side {
  char* data = nullptr;
  size_t row = 0, slice = 0;
};
bool side_of(CUmemorytype type, CUarray array, CUdeviceptr at, size_t pitch, size_t height,
             const CUDA_MEMCPY3D& c, Side* out) {
  if (type == CU_MEMORYTYPE_ARRAY) {
    FakeArray& a = array_of(array);
    *out = {a.bytes.data(), a.row(), a.row() * a.height()};
    return c.WidthInBytes <= a.row() && c.Height <= a.height() && c.Depth <= a.depth();
  }
  *out = {reinterpret_cast<char*>(at), pitch, pitch * height};
  const size_t last = (c.Depth - 1) * out->slice + (c.Height - 1) * pitch + c.WidthInBytes;
  return type == CU_MEMORYTYPE_DEVICE && pitch >= c.WidthInBytes &&
         on_device(static_cast<uintptr_t>(at), last);
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what) {
  ARR_FAKE_ENTER(cuArray3DCreate_v2);
  ARR_FAKE_CONTEXT;
  auto a = std::make_unique<FakeArray>();
  a->what = *what;
  a->dtype = dtype_of(what->Format);
  a->context = current();
  const unsigned n = what->NumChannels;
  const bool layered = (what->Flags & array3d_layered) != 0, cube = (what->Flags & array3d_cubemap) != 0;
  const size_t depth = what->Depth;
  if (a->dtype == arr::DType::none || (n != 1 && n != 2 && n != 4) || what->Width == 0 ||
      (depth != 0 && what->Height == 0 && !layered) || ((layered || cube) && depth == 0) ||
      (cube && (what->Width != what->Height || (layered ? depth % 6 != 0 : depth != 6)))) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const size_t bytes = a->row() * a->height() * a->depth();
  const auto total = static_cast<size_t>(setting("memory"));
  if (bytes > total || a->context->used > total - bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  a->bytes.assign(bytes, '\xA5');  // fresh memory holds nothing useful
  a->context->used += bytes;
  ++live().arrays;
  *array = reinterpret_cast<CUarray>(a.release());
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray array) {
  ARR_FAKE_ENTER(cuArrayDestroy);
  const std::unique_ptr<FakeArray> a(&array_of(array));
  a->context->used -= a->bytes.size();
  --live().arrays;
  return CUDA_SUCCESS;
}
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  ARR_FAKE_ENTER(cuMemcpy3DAsync_v2);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const CUDA_MEMCPY3D c = *copy;
  Side from, to;
  if (!side_of(c.srcMemoryType, c.srcArray, c.srcDevice, c.srcPitch, c.srcHeight, c, &from) ||
      !side_of(c.dstMemoryType, c.dstArray, c.dstDevice, c.dstPitch, c.dstHeight, c, &to)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  enqueue(*s, [=] {
    for (size_t z = 0; z < c.Depth; ++z) {
      for (size_t y = 0; y < c.Height; ++y) {
        std::memcpy(to.data + z * to.slice + y * to.row, from.data + z * from.slice + y * from.row,
                    c.WidthInBytes);
      }
    }
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* of, const CUDA_TEXTURE_DESC* how,
                           const CUDA_RESOURCE_VIEW_DESC*) {
  ARR_FAKE_ENTER(cuTexObjectCreate);
  ARR_FAKE_CONTEXT;
  auto t = std::make_unique<Texture>();
  if (!place(*of, t.get()) || !describe(*how, t.get())) return CUDA_ERROR_INVALID_VALUE;
  arr::host_kernels::prepare(*t);
  ++live().textures;
  *object = reinterpret_cast<uintptr_t>(t.release());
  return CUDA_SUCCESS;
}
CUresult cuTexObjectDestroy(CUtexObject object) {
  ARR_FAKE_ENTER(cuTexObjectDestroy);
  delete reinterpret_cast<Texture*>(static_cast<uintptr_t>(object));
  --live().textures;
  return CUDA_SUCCESS;
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* of) {
  ARR_FAKE_ENTER(cuSurfObjectCreate);
  ARR_FAKE_CONTEXT;
  auto t = std::make_unique<Texture>();
  if (of->resType != CU_RESOURCE_TYPE_ARRAY ||
      (array_of(of->res.array.hArray).what.Flags & array3d_surface_ldst) == 0 || !place(*of, t.get())) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  t->surface = true;
  arr::host_kernels::prepare(*t);
  ++live().textures;
  *object = reinterpret_cast<uintptr_t>(t.release());
  return CUDA_SUCCESS;
}
CUresult cuSurfObjectDestroy(CUsurfObject object) {
  ARR_FAKE_ENTER(cuSurfObjectDestroy);
  delete reinterpret_cast<Texture*>(static_cast<uintptr_t>(object));
  --live().textures;
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
