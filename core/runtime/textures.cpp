// SPDX-License-Identifier: MIT
// Creates memory of texels, textures and surfaces. CUDA's requirements are checked here for every backend.
#include "runtime/textures.h"

#include <algorithm>

namespace arr {

namespace {

using Release = int32_t (*)(int32_t device, void* handle, void* stream, BackendError*);

// An object of a backend, released in order of the stream that used it last.
class MadeBuffer final : public Buffer {
 public:
  MadeBuffer(void* handle, int64_t bytes, Device device, Release end, Ref<Buffer> source) noexcept
      : Buffer(handle, bytes, device), release_(end), source_(std::move(source)) {}
  [[nodiscard]] bool foreign() const noexcept override { return true; }

 protected:
  ~MadeBuffer() override {
    auto* last = static_cast<Stream*>(last_use.get());
    BackendError ignored;  // a lost device cannot release it, and a destructor cannot report that
    release_(device().index, data(), last == nullptr ? nullptr : last->handle(), &ignored);
  }

 private:
  Release release_;
  Ref<Buffer> source_;  // destroyed after the texture
};

Ref<Buffer> keep(void* handle, int64_t bytes, Device device, Release release, Ref<Buffer> source) {
  try {
    return make<MadeBuffer>(handle, bytes, device, release, std::move(source));
  } catch (...) {
    BackendError ignored;
    release(device.index, handle, nullptr, &ignored);
    throw;
  }
}

bool is_float(DType d) { return d == DType::float16_ || d == DType::float32_; }
bool is_small(DType d) {
  return d == DType::int8_ || d == DType::uint8_ || d == DType::int16_ || d == DType::uint16_;
}

void check_format(DType dtype, int32_t channels, const char* argument) {
  if (!is_float(dtype) && !is_small(dtype) && dtype != DType::int32_ && dtype != DType::uint32_) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(dtype),
         ", textures have int8, int16, int32, uint8, uint16, uint32, float16 and float32");
  }
  if (channels != 1 && channels != 2 && channels != 4) {
    fail(ARR_E_ARGUMENT, "argument channels: ", channels, ", expected 1, 2 or 4");
  }
}

void check_extents(std::span<const int64_t> shape, const char* argument) {
  for (int64_t n : shape) {
    if (n >= 1 && n <= INT32_MAX) continue;
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ",
         shape_text(static_cast<int32_t>(shape.size()), shape.data()), ", expected extents from 1 to ",
         INT32_MAX);
  }
}

void check_number(const char* field, int32_t got, int32_t max) {
  if (got < 0 || got > max) {
    fail(ARR_E_ARGUMENT, "argument options: ", field, " is ", got, ", expected 0 to ", max);
  }
}

// Address modes of the axes that exist.
void check_addresses(const arr_texture_options& o, int32_t ndim) {
  const int32_t modes[] = {o.address_x, o.address_y, o.address_z};
  constexpr const char* fields[] = {"address_x", "address_y", "address_z"};
  for (int32_t i = 0; i < std::min(ndim, 3); ++i) {
    check_number(fields[i], modes[i], ARR_ADDRESS_BORDER);
    const bool periodic = modes[i] == ARR_ADDRESS_WRAP || modes[i] == ARR_ADDRESS_MIRROR;
    if (periodic && o.normalized == 0) {
      fail(ARR_E_ARGUMENT, "argument options: ", fields[i], " is ",
           modes[i] == ARR_ADDRESS_WRAP ? "ARR_ADDRESS_WRAP" : "ARR_ADDRESS_MIRROR",
           ", which needs normalized coordinates, got normalized 0");
    }
  }
}

void check_reading(const arr_texture_options& o, const TexelsFormat& f) {
  const bool normalized = o.read == ARR_READ_NORMALIZED, floats = normalized || is_float(f.dtype);
  if (normalized && !is_small(f.dtype)) {
    fail(ARR_E_ARGUMENT, "argument options: read is ARR_READ_NORMALIZED, got texels of ", name(f.dtype),
         ", expected 8- or 16-bit integers");
  }
  if (o.filter == ARR_FILTER_LINEAR && !floats) {
    fail(ARR_E_ARGUMENT, "argument options: filter is ARR_FILTER_LINEAR, got ", name(f.dtype),
         " read as they are, expected floats or ARR_READ_NORMALIZED");
  }
  if (o.srgb != 0 && (f.dtype != DType::uint8_ || f.channels != 4 || !normalized)) {
    fail(ARR_E_ARGUMENT, "argument options: srgb is 1, got ", f.channels, " channels of ", name(f.dtype),
         normalized ? "" : " read as they are", ", expected 4 of uint8 with ARR_READ_NORMALIZED");
  }
  const bool colour = o.border_r != 0 || o.border_g != 0 || o.border_b != 0 || o.border_a != 0;
  if (colour && !floats) {
    fail(ARR_E_ARGUMENT, "argument options: a border colour, got ", name(f.dtype),
         " read as they are, whose border is 0");
  }
}

// The extents of layers and cubes.
void check_layers(const TexelsFormat& f, std::span<const int64_t> shape) {
  if (f.layered && !f.cube && f.ndim == 1) {
    fail(ARR_E_SHAPE, "argument ndim: 1, ARR_TEXELS_LAYERED expects 2 or 3, the first for the layers");
  }
  if (f.gather && (f.ndim != 2 || f.layered)) {
    fail(ARR_E_SHAPE, "argument shape: ", shape_text(f.ndim, shape.data()), f.layered ? " with layers" : "",
         ", ARR_TEXELS_GATHER expects two dimensions");
  }
  if (!f.cube) return;
  const bool square = f.ndim == 3 && shape[1] == shape[2];
  if (!square || (f.layered ? shape[0] % 6 != 0 : shape[0] != 6)) {
    fail(ARR_E_SHAPE, "argument shape: ", shape_text(f.ndim, shape.data()), ", ARR_TEXELS_CUBE expects ",
         f.layered ? "a multiple of 6 faces" : "6 faces", " of equal height and width");
  }
}

// `memory`: the memory of an array.
void check_options(const arr_texture_options& o, const TexelsFormat& f, bool memory) {
  check_number("filter", o.filter, ARR_FILTER_LINEAR);
  check_number("read", o.read, ARR_READ_NORMALIZED);
  check_number("normalized", o.normalized, 1);
  check_number("srgb", o.srgb, 1);
  check_number("max_anisotropy", o.max_anisotropy, 16);
  check_addresses(o, f.dims());
  check_reading(o, f);
  if (memory && f.ndim == 1 && (o.filter != 0 || o.normalized != 0 || o.address_x != 0)) {
    fail(ARR_E_ARGUMENT, "argument options: ",
         o.filter != 0       ? "filter is ARR_FILTER_LINEAR"
         : o.normalized != 0 ? "normalized is 1"
                             : "address_x is set",
         ", expected 0 for an array of one dimension, which tex1Dfetch reads by index");
  }
}

Ref<Texture> finish(TextureCall call, Device device, Ref<Buffer> source) {
  const auto& textures = api<TextureApi>(device);
  void* handle = nullptr;
  uint64_t object = 0;
  arr::call(textures.create, device.index, &call, &handle, &object);
  Ref<Buffer> memory = keep(handle, 0, device, textures.release, source);
  return make<Texture>(std::move(memory), std::move(source), object, call.surface, call.options);
}

}  // namespace

Ref<Texels> make_texels(DType dtype, int32_t channels, std::span<const int64_t> shape, int32_t flags,
                        Device device) {
  check_format(dtype, channels, "dtype");
  if (shape.empty() || shape.size() > 3) {
    fail(ARR_E_SHAPE, "argument ndim: ", shape.size(), ", expected 1 to 3");
  }
  check_extents(shape, "shape");
  constexpr int32_t all = ARR_TEXELS_SURFACE | ARR_TEXELS_LAYERED | ARR_TEXELS_CUBE | ARR_TEXELS_GATHER;
  if ((flags & ~all) != 0) {
    fail(ARR_E_ARGUMENT, "argument flags: ", flags, ", expected a sum of ARR_TEXELS_... or 0");
  }
  TexelsFormat f;
  f.dtype = dtype;
  f.channels = channels;
  f.ndim = static_cast<int32_t>(shape.size());
  f.surface = (flags & ARR_TEXELS_SURFACE) != 0;
  f.layered = (flags & ARR_TEXELS_LAYERED) != 0;
  f.cube = (flags & ARR_TEXELS_CUBE) != 0;
  f.gather = (flags & ARR_TEXELS_GATHER) != 0;
  std::copy(shape.rbegin(), shape.rend(), f.extent);
  check_layers(f, shape);
  int64_t bytes = f.texel_bytes();
  for (int64_t n : shape) {
    if (!checked::mul(bytes, n, &bytes)) {
      fail(ARR_E_SHAPE, "argument shape: ", shape_text(f.ndim, shape.data()), " is too large");
    }
  }
  const auto& textures = api<TextureApi>(device);
  void* handle = nullptr;
  call(textures.texels_create, device.index, &f, &handle);
  return make<Texels>(keep(handle, bytes, device, textures.texels_release, nullptr), f);
}

Ref<Texture> make_texture(const Texels& t, const arr_texture_options& options) {
  TextureCall c;
  c.format = t.format;
  c.texels = t.memory->data();
  c.options = options;
  // The coordinates of a cube map are a direction, not texels.
  if (t.format.cube && c.options.normalized == 0) c.options.normalized = 1;
  check_options(c.options, t.format, false);
  return finish(c, t.device(), t.memory);
}

Ref<Texture> make_surface(const Texels& t) {
  if (!t.format.surface) {
    fail(ARR_E_ARGUMENT, "argument t: texels without ARR_TEXELS_SURFACE, expected texels with it");
  }
  TextureCall c;
  c.format = t.format;
  c.texels = t.memory->data();
  c.surface = true;
  return finish(c, t.device(), t.memory);
}

Ref<Texture> make_texture(const Array& a, int32_t channels, const arr_texture_options& options) {
  check_format(a.dtype, channels, "a");
  const Layout& l = a.layout;
  const int32_t ndim = channels == 1 ? l.ndim : l.ndim - 1;
  if (ndim < 1 || ndim > 2 || (channels > 1 && l.shape[ndim] != channels)) {
    fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected one or two dimensions",
         channels == 1 ? "" : text(" and a last axis of ", channels, " channels"));
  }
  check_extents({l.shape, static_cast<size_t>(ndim)}, "a");
  TextureCall c;
  c.format.dtype = a.dtype;
  c.format.channels = channels;
  c.format.ndim = ndim;
  std::reverse_copy(l.shape, l.shape + ndim, c.format.extent);
  const int64_t texel = c.format.texel_bytes(), row = ndim == 2 ? l.strides[0] : c.format.row_bytes();
  const bool dense = (channels == 1 || l.strides[ndim] == a.item()) &&
                     (c.format.extent[0] == 1 || l.strides[ndim - 1] == texel);
  const bool rows = ndim == 1 || l.shape[0] == 1 || row >= c.format.row_bytes();  // one row has any stride
  if (!dense || !rows) {
    fail(ARR_E_ARGUMENT, "argument a: strides ", shape_text(l.ndim, l.strides),
         " in bytes, expected contiguous texels in a row and contiguous rows; "
         "a copy in row-major order has them so");
  }
  check_options(options, c.format, true);
  c.data = a.data;
  c.row_bytes = ndim == 2 && l.shape[0] > 1 ? row : c.format.row_bytes();
  c.options = options;
  return finish(c, a.device(), a.buffer);
}

void use(const Texture& t, const Queue& q) {
  use_to_read(*t.memory, q);
  if (t.surface) return use(*t.source, q);
  use_to_read(*t.source, q);
}

}  // namespace arr
