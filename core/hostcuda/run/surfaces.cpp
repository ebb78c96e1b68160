// SPDX-License-Identifier: MIT
// Reads, writes and reductions of surfaces, and questions about textures and surfaces.
#include <atomic>
#include <cstring>

#include "arr/texture.h"
#include "hostcuda/run/textures.h"

namespace arr::host_kernels {
namespace {

constexpr const char* not_a_surface = "a surface function was given a number that is not a surface object";

// Makes `i` one of 0 .. n - 1, or says that it is outside.
bool inside(int boundary, int64_t n, int64_t* i) {
  if (*i >= 0 && *i < n) return true;
  if (boundary != arr_host::boundary_clamp) return false;
  *i = *i < 0 ? 0 : n - 1;
  return true;
}

// One step of PTX's sured.
template <class T>
void change(void* texel, const void* value, int work) {
  T given;
  std::memcpy(&given, value, sizeof given);
  const std::atomic_ref<T> there(*static_cast<T*>(texel));
  using arr_host::surface_add, arr_host::surface_and, arr_host::surface_or;
  if (work == surface_add) return void(there.fetch_add(given));
  if (work == surface_and) return void(there.fetch_and(given));
  if (work == surface_or) return void(there.fetch_or(given));
  const bool is_min = work == arr_host::surface_min || work == arr_host::surface_min_unsigned;
  T old = there.load();
  while ((is_min ? given < old : old < given) && !there.compare_exchange_weak(old, given)) {
  }
}

// PTX's sured. Null, or what is wrong.
const char* reduce(const Texture& t, const arr_host::SurfaceAccess& a, char* texel) {
  const bool wide = a.bytes == 8;
  if (reinterpret_cast<uintptr_t>(texel) % static_cast<uintptr_t>(a.bytes) != 0)
    return "sured of a surface whose texels lie at no multiple of their size";
  bool no_sign = a.work == arr_host::surface_min_unsigned || a.work == arr_host::surface_max_unsigned;
  if (a.by_texel != 0) {
    if (t.texel_bytes != a.bytes || t.channels != 1 || !is_integer(t.dtype))
      return "sured.p of a surface whose texels are no whole numbers of the instruction's size";
    no_sign = kind(t.dtype) == DKind::UINT;
  }
  const auto change_it = wide      ? no_sign ? &change<uint64_t> : &change<int64_t>
                              : no_sign ? &change<uint32_t>
                                   : &change<int32_t>;
  change_it(texel, a.value, a.work);
  return nullptr;
}

// The numbers of OpenCL for the type of a channel, as it is read, and for the channels that there are.
unsigned channel_type(const Texture& t) {
  const DKind k = kind(t.dtype);
  const auto size = static_cast<unsigned>(item_size(t.dtype) / 2);  // of 1, 2 and 4 bytes: 0, 1, 2
  constexpr unsigned snorm = 0x10D0, unorm = 0x10D2, whole = 0x10D7, natural = 0x10DA, half = 0x10DD;
  if (k == DKind::FLOAT) return half + size - 1;
  const bool natural_numbers = k != DKind::INT;
  if (t.normalized_read) return (natural_numbers ? unorm : snorm) + size;
  return (natural_numbers ? natural : whole) + size;
}
unsigned channel_order(const Texture& t) {
  constexpr unsigned r = 0x10B0, rg = 0x10B2, rgba = 0x10B5;
  return t.channels == 1 ? r : t.channels == 2 ? rg : rgba;
}
// PTX's order of address modes: wrap, mirror, clamp of OpenGL, clamp to the edge, clamp to the border.
unsigned address_mode(int32_t address) {
  return address == ARR_ADDRESS_WRAP     ? 0
         : address == ARR_ADDRESS_MIRROR ? 1
         : address == ARR_ADDRESS_BORDER ? 4
                                         : 3;
}

int64_t answer_of(const Texture& t, int what) {
  const auto extent = [&](int axis) { return axis < t.dims ? t.extent[axis] : 0; };
  switch (what) {
    case arr_host::query_width:
    case arr_host::query_height:
    case arr_host::query_depth:
      return extent(what - arr_host::query_width);
    case arr_host::query_layers:
      return t.layered ? t.layers / (t.cube ? 6 : 1) : 0;
    case arr_host::query_type:
      return channel_type(t);
    case arr_host::query_order:
      return channel_order(t);
    case arr_host::query_filter:
      return int64_t{t.filter};
    case arr_host::query_normalized:
      return int64_t{t.normalized};
    default:
      return address_mode(t.address[what - arr_host::query_address_0]);
  }
}

}  // namespace

const char* surface(unsigned long long object, const arr_host::SurfaceAccess* access) {
  const arr_host::SurfaceAccess& a = *access;
  const Texture* t = object_of(object);
  if (t == nullptr || !t->surface) return not_a_surface;
  // The faces of cubes are layers too, by which PTX reads and writes them.
  const bool faces = t->cube && a.shape == (2 | arr_host::shape_layered);
  if (t->shape != a.shape && !faces) return "a surface function of other dimensions than the surface's";
  const int64_t bytes = a.bytes, units = t->extent[0] * t->texel_bytes / bytes;
  if (a.by_texel == 0 && a.x % bytes != 0)
    return "x of a surface function is no multiple of the size of what is read or written";
  int64_t x = a.by_texel != 0 ? a.x : a.x / bytes, y = a.y, z = a.z, layer = a.layer;
  bool good = inside(a.boundary, units, &x);
  if (t->dims > 1) good = inside(a.boundary, t->extent[1], &y) && good;
  if (t->dims > 2) good = inside(a.boundary, t->extent[2], &z) && good;
  if (t->layered || t->cube) good = inside(a.boundary, t->layers, &layer) && good;
  if (!good) {
    if (a.boundary == arr_host::boundary_trap) return "a surface function outside of the surface";
    if (a.work == arr_host::surface_read) std::memset(a.value, 0, static_cast<size_t>(bytes));
    return nullptr;
  }
  char* texel = t->data + layer * t->layer_bytes + x * bytes;
  if (t->dims > 1) texel += y * t->row_bytes;
  if (t->dims > 2) texel += z * t->slice_bytes;
  if (a.work > arr_host::surface_write) return reduce(*t, a, texel);
  const bool reads = a.work == arr_host::surface_read;
  std::memcpy(reads ? a.value : texel, reads ? texel : a.value, static_cast<size_t>(bytes));
  return nullptr;
}

const char* query(unsigned long long object, int is_surface, int what, unsigned* answer) {
  const Texture* t = object_of(object);
  if (t == nullptr || t->surface != (is_surface != 0))
    return is_surface != 0 ? not_a_surface : "txq was given a number that is not a texture object";
  *answer = static_cast<unsigned>(answer_of(*t, what));
  return nullptr;
}

}  // namespace arr::host_kernels
