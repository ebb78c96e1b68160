// SPDX-License-Identifier: MIT
// Texture and surface functions: values as CUDA's types of what the runtime reads and writes. Embedded where
// a source names one.

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = arr_host::boundary_zero,
  cudaBoundaryModeClamp = arr_host::boundary_clamp,
  cudaBoundaryModeTrap = arr_host::boundary_trap
};

// T from the four channels' bits.
template <class T>
struct arr_texel {
  static_assert(sizeof(T) == 0,
                "texture functions give 8-, 16- and 32-bit integers, float, and vectors of 1, 2 and 4");
};
template <class C>
ARR_INLINE C arr_channel(unsigned bits) {
  return C(bits);
}
template <>
inline __attribute__((always_inline)) float arr_channel<float>(unsigned bits) {
  return __uint_as_float(bits);
}
// clang-format off
#define ARR_TEXEL(T, ...)                                     \
  template <>                                                 \
  struct arr_texel<T> {                                       \
    typedef T arr_self;                                       \
    static ARR_MEMBER T make(const unsigned* b) {             \
      return arr_self{__VA_ARGS__};                           \
    }                                                         \
  };
#define ARR_TEXELS(C, name)                                                                       \
  ARR_TEXEL(C, arr_channel<C>(b[0]))                                                              \
  ARR_TEXEL(name##1, arr_channel<C>(b[0]))                                                        \
  ARR_TEXEL(name##2, arr_channel<C>(b[0]), arr_channel<C>(b[1]))                                  \
  ARR_TEXEL(name##4, arr_channel<C>(b[0]), arr_channel<C>(b[1]), arr_channel<C>(b[2]), arr_channel<C>(b[3]))
ARR_TEXELS(signed char, char) ARR_TEXELS(unsigned char, uchar) ARR_TEXELS(short, short)
ARR_TEXELS(unsigned short, ushort) ARR_TEXELS(int, int) ARR_TEXELS(unsigned, uint) ARR_TEXELS(float, float)
ARR_TEXEL(char, arr_channel<char>(b[0]))
    // clang-format on

    template <class T>
    ARR_INLINE T
    arr_sample(cudaTextureObject_t texture, int shape, int layer, float x, float y, float z, unsigned line) {
  unsigned four[4];
  const char* wrong = arr_runtime->texture(texture, shape, layer, x, y, z, four);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
  return arr_texel<T>::make(four);
}
template <class T>
ARR_INLINE T tex1Dfetch(cudaTextureObject_t texture, int x, ARR_LINE) {
  unsigned four[4];
  const char* wrong = arr_runtime->texel(texture, x, four);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
  return arr_texel<T>::make(four);
}
template <class T>
ARR_INLINE void tex1Dfetch(T* out, cudaTextureObject_t texture, int x, ARR_LINE) {
  *out = tex1Dfetch<T>(texture, x, line);
}
// clang-format off
#define ARR_EACH(...) __VA_ARGS__
// A function, and its form that writes where a pointer says. `position`: layer, x, y, z.
#define ARR_TEXTURE(name, shape, parameters, position)                                               \
  template <class T>                                                                                 \
  ARR_INLINE T name(cudaTextureObject_t texture, ARR_EACH parameters, ARR_LINE) {                    \
    return arr_sample<T>(texture, shape, ARR_EACH position, line);                                   \
  }                                                                                                  \
  template <class T>                                                                                 \
  ARR_INLINE void name(T* out, cudaTextureObject_t texture, ARR_EACH parameters, ARR_LINE) {         \
    *out = arr_sample<T>(texture, shape, ARR_EACH position, line);                                   \
  }
// The same two with a last parameter that says that the texels are in memory, as they always are here.
#define ARR_RESIDENT(name, shape, parameters, position, ...)                                         \
  template <class T>                                                                                 \
  ARR_INLINE T name(cudaTextureObject_t texture, ARR_EACH parameters, bool* resident __VA_ARGS__, ARR_LINE) { \
    *resident = true;                                                                                \
    return arr_sample<T>(texture, shape, ARR_EACH position, line);                                   \
  }                                                                                                  \
  template <class T>                                                                                 \
  ARR_INLINE void name(T* out, cudaTextureObject_t texture, ARR_EACH parameters, bool* resident __VA_ARGS__, \
                       ARR_LINE) {                                                                   \
    *resident = true;                                                                                \
    *out = arr_sample<T>(texture, shape, ARR_EACH position, line);                                   \
  }
// There are no mipmaps, so that every level of detail is the one there is.
#define ARR_TEXTURES(name, shape, gradient, parameters, position)                                    \
  ARR_TEXTURE(name, shape, parameters, position)                                                     \
  ARR_TEXTURE(name##Lod, shape, (ARR_EACH parameters, float), position)                              \
  ARR_TEXTURE(name##Grad, shape, (ARR_EACH parameters, gradient, gradient), position)
#define ARR_RESIDENTS(name, shape, gradient, parameters, position)                                   \
  ARR_RESIDENT(name, shape, parameters, position)                                                    \
  ARR_RESIDENT(name##Lod, shape, (ARR_EACH parameters, float), position)                             \
  ARR_RESIDENT(name##Grad, shape, (ARR_EACH parameters, gradient, gradient), position)
ARR_TEXTURES(tex1D, 1, float, (float x), (0, x, 0, 0))
ARR_TEXTURES(tex2D, 2, float2, (float x, float y), (0, x, y, 0))
ARR_TEXTURES(tex3D, 3, float4, (float x, float y, float z), (0, x, y, z))
ARR_TEXTURES(tex1DLayered, 1 | arr_host::shape_layered, float, (float x, int layer), (layer, x, 0, 0))
ARR_TEXTURES(tex2DLayered, 2 | arr_host::shape_layered, float2, (float x, float y, int layer), (layer, x, y, 0))
ARR_TEXTURES(texCubemap, 2 | arr_host::shape_cube, float4, (float x, float y, float z), (0, x, y, z))
ARR_TEXTURES(texCubemapLayered, 2 | arr_host::shape_cube | arr_host::shape_layered, float4,
             (float x, float y, float z, int layer), (layer, x, y, z))
ARR_TEXTURE(tex2Dgather, 2 | arr_host::shape_gather, (float x, float y, int channel = 0), (channel, x, y, 0))
ARR_RESIDENTS(tex2D, 2, float2, (float x, float y), (0, x, y, 0))
ARR_RESIDENTS(tex3D, 3, float4, (float x, float y, float z), (0, x, y, z))
ARR_RESIDENTS(tex2DLayered, 2 | arr_host::shape_layered, float2, (float x, float y, int layer), (layer, x, y, 0))
ARR_RESIDENT(tex2Dgather, 2 | arr_host::shape_gather, (float x, float y), (channel, x, y, 0), , int channel = 0)
// clang-format on

template <class T>
ARR_INLINE void arr_surface(cudaSurfaceObject_t surface, int shape, int x, int y, int z, int layer, T* value,
                            int work, int boundary, unsigned line) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "surface functions read and write 1, 2, 4, 8 and 16 bytes");
  const arr_host::SurfaceAccess access = {shape, x, y, z, layer, int(sizeof(T)), boundary, work, value, 0};
  const char* wrong = arr_runtime->surface(surface, &access);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
}
// clang-format off
// `position`: x, y, z, layer.
#define ARR_SURFACE(name, shape, parameters, position)                                               \
  template <class T>                                                                                 \
  ARR_INLINE void name##read(T* out, cudaSurfaceObject_t surface, ARR_EACH parameters,               \
                             cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {    \
    arr_surface(surface, shape, ARR_EACH position, out, arr_host::surface_read, boundary, line);                          \
  }                                                                                                  \
  template <class T>                                                                                 \
  ARR_INLINE T name##read(cudaSurfaceObject_t surface, ARR_EACH parameters,                          \
                          cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {       \
    T value;                                                                                         \
    arr_surface(surface, shape, ARR_EACH position, &value, arr_host::surface_read, boundary, line);                       \
    return value;                                                                                    \
  }                                                                                                  \
  template <class T>                                                                                 \
  ARR_INLINE void name##write(T value, cudaSurfaceObject_t surface, ARR_EACH parameters,             \
                              cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {   \
    arr_surface(surface, shape, ARR_EACH position, &value, arr_host::surface_write, boundary, line);                       \
  }
ARR_SURFACE(surf1D, 1, (int x), (x, 0, 0, 0))
ARR_SURFACE(surf2D, 2, (int x, int y), (x, y, 0, 0))
ARR_SURFACE(surf3D, 3, (int x, int y, int z), (x, y, z, 0))
ARR_SURFACE(surf1DLayered, 1 | arr_host::shape_layered, (int x, int layer), (x, 0, 0, layer))
ARR_SURFACE(surf2DLayered, 2 | arr_host::shape_layered, (int x, int y, int layer), (x, y, 0, layer))
ARR_SURFACE(surfCubemap, 2 | arr_host::shape_cube, (int x, int y, int face), (x, y, 0, face))
ARR_SURFACE(surfCubemapLayered, 2 | arr_host::shape_cube | arr_host::shape_layered, (int x, int y, int face),
            (x, y, 0, face))
// clang-format on
