// SPDX-License-Identifier: MIT
// Reading textures as the CUDA C++ Programming Guide defines it (appendix "Texture Fetching"), and surfaces.
// Cases that the guide leaves open: a coordinate that is nan counts as 0. If a weight of the linear filter is
// 0, its texel is not read, so nan and inf in a neighbour do not affect a texel's centre.
// docs/decisions/0016.
#include "hostcuda/run/textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "arr/texture.h"
#include "math/scalar.h"

namespace arr::host_kernels {
namespace {

constexpr uint32_t our_mark = 0x54584554;
constexpr int64_t outside = -1;  // an index of the border

// ------------------------------------------------------------------------------------- channels as numbers

template <class T>
T load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// One channel, the number `c` of its texel. Value is float, or uint32_t for integers as they are.
template <class T>
struct Integer {
  static constexpr int bytes = sizeof(T);
  using Value = uint32_t;
  static Value get(const char* p, int) { return static_cast<uint32_t>(int64_t{load<T>(p)}); }
};
struct Float32 {
  static constexpr int bytes = 4;
  using Value = float;
  static Value get(const char* p, int) { return load<float>(p); }
};
struct Float16 {
  static constexpr int bytes = 2;
  using Value = float;
  static Value get(const char* p, int) { return arr_half_to_float(load<arr_half>(p)); }
};
template <class T>
struct Normalized {
  static constexpr int bytes = sizeof(T);
  using Value = float;
  static Value get(const char* p, int) {
    constexpr auto max_value = static_cast<float>(std::numeric_limits<T>::max());
    return std::max(static_cast<float>(load<T>(p)) / max_value, -1.0F);  // the least number is -1 too
  }
};
struct Srgb {
  static constexpr int bytes = 1;
  using Value = float;
  static Value get(const char* p, int c) {
    const float v = Normalized<uint8_t>::get(p, c);
    if (c == 3) return v;  // how opaque it is
    return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
  }
};

// ----------------------------------------------------------------------------------------------- coordinates

// In texels, exactly: a float times an extent fits a double. Integers fit where the result is cut to.
double position(const Texture& t, int axis, float coordinate) {
  const bool periodic = t.address[axis] == ARR_ADDRESS_WRAP || t.address[axis] == ARR_ADDRESS_MIRROR;
  if (std::isnan(coordinate)) return 0;
  if (periodic && std::fabs(coordinate) >= 16777216.0F)
    return 0;  // even, a whole number of periods; or infinite
  const double u = t.normalized ? static_cast<double>(coordinate) * static_cast<double>(t.extent[axis])
                                : static_cast<double>(coordinate);
  constexpr double max_coordinate = 4e18;
  return std::clamp(u, -max_coordinate, max_coordinate);
}

int64_t floor_of(double u) {
  const auto i = static_cast<int64_t>(u);
  return static_cast<double>(i) > u ? i - 1 : i;
}

int64_t modulo(int64_t i, int64_t n) {
  const int64_t m = i % n;
  return m < 0 ? m + n : m;
}

// The texel that stands for index i of an axis, or `outside`.
int64_t resolve(const Texture& t, int axis, int64_t i) {
  const int64_t n = t.extent[axis];
  if (i >= 0 && i < n) return i;
  switch (t.address[axis]) {
    case ARR_ADDRESS_WRAP:
      return modulo(i, n);
    case ARR_ADDRESS_MIRROR: {
      const int64_t m = modulo(i, 2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case ARR_ADDRESS_BORDER:
      return outside;
    default:
      return i < 0 ? 0 : n - 1;
  }
}

// ------------------------------------------------------------------------------------------------- reading

template <class R, int D>
void read(const Texture& t, const char* data, const int64_t* index, typename R::Value* values) {
  int64_t offset = index[0] * t.texel_bytes;
  bool border = index[0] == outside;
  for (int d = 1; d < D; ++d) {
    offset += index[d] * (d == 1 ? t.row_bytes : t.slice_bytes);
    border = border || index[d] == outside;
  }
  for (int c = 0; c < t.channels; ++c) {
    values[c] = border ? std::bit_cast<typename R::Value>(t.border_bits[c])
                       : R::get(data + offset + int64_t{c} * R::bytes, c);
  }
}

template <class R, int D>
void sample_point(const Texture& t, const char* data, const float* at, uint32_t* four) {
  int64_t index[3];
  for (int d = 0; d < D; ++d) index[d] = resolve(t, d, floor_of(position(t, d, at[d])));
  typename R::Value values[4] = {};
  read<R, D>(t, data, index, values);
  for (int c = 0; c < 4; ++c) four[c] = std::bit_cast<uint32_t>(values[c]);
}

// Weights have 8 bits of fraction, as the hardware's; products of three of them are exact floats.
struct Pair {
  int64_t index[2];
  float weight[2];
};
Pair neighbours(const Texture& t, int axis, float coordinate) {
  const double u = position(t, axis, coordinate) - 0.5;
  const int64_t i = floor_of(u);
  const auto w = static_cast<float>(floor_of((u - static_cast<double>(i)) * 256 + 0.5)) / 256;
  return {{resolve(t, axis, i), resolve(t, axis, i + 1)}, {1 - w, w}};
}

template <class R, int D>
void sample_linear(const Texture& t, const char* data, const float* at, uint32_t* four) {
  Pair axes[3];
  for (int d = 0; d < D; ++d) axes[d] = neighbours(t, d, at[d]);
  float sum[4] = {};
  for (int corner = 0; corner < 1 << D; ++corner) {
    int64_t index[3];
    float weight = 1;
    for (int d = 0; d < D; ++d) {
      const int side = corner >> d & 1;
      index[d] = axes[d].index[side];
      weight *= axes[d].weight[side];
    }
    if (weight == 0) continue;
    float values[4];
    read<R, D>(t, data, index, values);
    for (int c = 0; c < t.channels; ++c) sum[c] += weight * values[c];
  }
  for (int c = 0; c < 4; ++c) four[c] = std::bit_cast<uint32_t>(sum[c]);
}

template <class R>
void gather_channel(const Texture& t, const float* at, int channel, uint32_t* four) {
  const Pair x = neighbours(t, 0, at[0]), y = neighbours(t, 1, at[1]);
  constexpr int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  for (int i = 0; i < 4; ++i) {
    const int64_t index[] = {x.index[corners[i][0]], y.index[corners[i][1]]};
    typename R::Value values[4] = {};
    read<R, 2>(t, t.data, index, values);
    four[i] = std::bit_cast<uint32_t>(values[channel & 3]);
  }
}

template <class R>
void fetch_index(const Texture& t, int64_t index, uint32_t* four) {
  typename R::Value values[4] = {};
  read<R, 1>(t, t.data, &index, values);
  for (int c = 0; c < 4; ++c) four[c] = std::bit_cast<uint32_t>(values[c]);
}

template <class R>
void read_by(Texture& t) {
  constexpr Sample point[] = {sample_point<R, 1>, sample_point<R, 2>, sample_point<R, 3>};
  const int32_t i = t.dims - 1;
  t.fetch = fetch_index<R>;
  t.gathered = gather_channel<R>;
  t.sample = point[i];
  if constexpr (std::is_same_v<typename R::Value, float>) {
    constexpr Sample linear[] = {sample_linear<R, 1>, sample_linear<R, 2>, sample_linear<R, 3>};
    if (t.filter) t.sample = linear[i];
  }
}
template <class T>
void read_integers(Texture& t) {
  return t.normalized_read ? read_by<Normalized<T>>(t) : read_by<Integer<T>>(t);
}

void choose(Texture& t) {
  switch (t.dtype) {
    case DType::int8_:
      return read_integers<int8_t>(t);
    case DType::int16_:
      return read_integers<int16_t>(t);
    case DType::uint8_:
      return t.srgb ? read_by<Srgb>(t) : read_integers<uint8_t>(t);
    case DType::uint16_:
      return read_integers<uint16_t>(t);
    case DType::float16_:
      return read_by<Float16>(t);
    case DType::float32_:
      return read_by<Float32>(t);
    default:
      return read_by<Integer<uint32_t>>(t);
  }
}

// ---------------------------------------------------------------------------------------------------- cubes

// The face that a direction from the centre of a cube meets, and the coordinates on it, from 0 to 1. If
// components are equally large, z counts first, then y.
int face_of(const float* direction, float* coordinates) {
  const double x = direction[0], y = direction[1], z = direction[2];
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face = 0;
  double m = az, s = x, t = -y;
  if (ax > ay && ax > az) {
    face = x >= 0 ? 0 : 1;
    m = ax, s = x >= 0 ? -z : z;
  } else if (ay > az) {
    face = y >= 0 ? 2 : 3;
    m = ay, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    s = z >= 0 ? x : -x;
  }
  coordinates[0] = static_cast<float>((s / m + 1) / 2);
  coordinates[1] = static_cast<float>((t / m + 1) / 2);
  return face;
}

}  // namespace

const Texture* object_of(unsigned long long object) {
  const auto* t = reinterpret_cast<const Texture*>(static_cast<uintptr_t>(object));
  const bool possible = object >= 4096 && object % alignof(Texture) == 0;  // nothing lies in the first page
  return possible && t->mark == our_mark ? t : nullptr;
}

void prepare(Texture& t) {
  t.texel_bytes = item_size(t.dtype) * t.channels;
  t.layer_bytes = t.dims == 1 ? t.row_bytes : t.slice_bytes;
  t.shape = t.dims | (t.layered ? arr_host::shape_layered : 0) | (t.cube ? arr_host::shape_cube : 0);
  for (int c = 0; c < 4; ++c) t.border_bits[c] = std::bit_cast<uint32_t>(t.border[c]);
  if (!t.surface) choose(t);
  t.mark = our_mark;
}

const char* texture(unsigned long long object, int shape, int layer, float x, float y, float z,
                    unsigned* four) {
  const Texture* t = object_of(object);
  if (t == nullptr || t->surface) return "a texture function was given a number that is not a texture object";
  if (t->by_index) return "tex1D, tex2D or tex3D of an array of one dimension, which only tex1Dfetch reads";
  float at[] = {x, y, z};
  if (shape == (2 | arr_host::shape_gather) && t->shape == 2) {
    if (!t->gather) return "tex2Dgather of texels without ARR_TEXELS_GATHER";
    t->gathered(*t, at, layer, four);
    return nullptr;
  }
  if (t->shape != shape) return "a texture function of other dimensions than the texture's";
  int64_t index = 0;
  if (t->cube) {
    float coordinates[2];
    const int face = face_of(at, coordinates);
    index = std::clamp<int64_t>(layer, 0, t->layers / 6 - 1) * 6 + face;
    at[0] = coordinates[0], at[1] = coordinates[1];
  } else if (t->layered) {
    index = std::clamp<int64_t>(layer, 0, t->layers - 1);
  }
  t->sample(*t, t->data + index * t->layer_bytes, at, four);
  return nullptr;
}

const char* texel(unsigned long long object, int index, unsigned* four) {
  const Texture* t = object_of(object);
  if (t == nullptr || t->surface) return "tex1Dfetch was given a number that is not a texture object";
  if (!t->by_index) return "tex1Dfetch of texels, expected a texture of a one-dimensional array";
  if (index >= 0 && index < t->extent[0]) {
    t->fetch(*t, index, four);
  } else {
    std::fill_n(four, 4, 0U);
  }
  return nullptr;
}

}  // namespace arr::host_kernels
