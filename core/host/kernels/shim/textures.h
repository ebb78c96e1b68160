// SPDX-License-Identifier: MIT
// Texture and surface functions: values as CUDA's types of what the runtime reads and writes. Embedded where
// a source names one.

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
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
    ARR_INLINE T arr_sample(cudaTextureObject_t texture, int dims, float x, float y, float z, unsigned line) {
  unsigned four[4];
  const char* wrong = arr_runtime->texture(texture, dims, x, y, z, four);
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
ARR_INLINE T tex1D(cudaTextureObject_t texture, float x, ARR_LINE) {
  return arr_sample<T>(texture, 1, x, 0, 0, line);
}
template <class T>
ARR_INLINE T tex2D(cudaTextureObject_t texture, float x, float y, ARR_LINE) {
  return arr_sample<T>(texture, 2, x, y, 0, line);
}
template <class T>
ARR_INLINE T tex3D(cudaTextureObject_t texture, float x, float y, float z, ARR_LINE) {
  return arr_sample<T>(texture, 3, x, y, z, line);
}
// There are no mipmaps, so that every level of detail is the one there is.
template <class T>
ARR_INLINE T tex1DLod(cudaTextureObject_t texture, float x, float, ARR_LINE) {
  return arr_sample<T>(texture, 1, x, 0, 0, line);
}
template <class T>
ARR_INLINE T tex2DLod(cudaTextureObject_t texture, float x, float y, float, ARR_LINE) {
  return arr_sample<T>(texture, 2, x, y, 0, line);
}
template <class T>
ARR_INLINE T tex3DLod(cudaTextureObject_t texture, float x, float y, float z, float, ARR_LINE) {
  return arr_sample<T>(texture, 3, x, y, z, line);
}
template <class T>
ARR_INLINE T tex1DGrad(cudaTextureObject_t texture, float x, float, float, ARR_LINE) {
  return arr_sample<T>(texture, 1, x, 0, 0, line);
}
template <class T>
ARR_INLINE T tex2DGrad(cudaTextureObject_t texture, float x, float y, float2, float2, ARR_LINE) {
  return arr_sample<T>(texture, 2, x, y, 0, line);
}
template <class T>
ARR_INLINE T tex3DGrad(cudaTextureObject_t texture, float x, float y, float z, float4, float4, ARR_LINE) {
  return arr_sample<T>(texture, 3, x, y, z, line);
}
// The forms that write where a pointer says.
template <class T>
ARR_INLINE void tex1Dfetch(T* out, cudaTextureObject_t texture, int x, ARR_LINE) {
  *out = tex1Dfetch<T>(texture, x, line);
}
template <class T>
ARR_INLINE void tex1D(T* out, cudaTextureObject_t texture, float x, ARR_LINE) {
  *out = tex1D<T>(texture, x, line);
}
template <class T>
ARR_INLINE void tex2D(T* out, cudaTextureObject_t texture, float x, float y, ARR_LINE) {
  *out = tex2D<T>(texture, x, y, line);
}
template <class T>
ARR_INLINE void tex3D(T* out, cudaTextureObject_t texture, float x, float y, float z, ARR_LINE) {
  *out = tex3D<T>(texture, x, y, z, line);
}

template <class T>
ARR_INLINE void arr_surface(cudaSurfaceObject_t surface, int dims, int x, int y, int z, T* value, int write,
                            int boundary, unsigned line) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "surface functions read and write 1, 2, 4, 8 and 16 bytes");
  const arr_host::SurfaceAccess access = {dims, x, y, z, int(sizeof(T)), boundary, write, value};
  const char* wrong = arr_runtime->surface(surface, &access);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
}
// clang-format off
#define ARR_SURFACE(n, parameters, arguments)                                                                     \
  template <class T>                                                                                              \
  ARR_INLINE T surf##n##Dread(cudaSurfaceObject_t surface, ARR_EACH parameters,                                   \
                              cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {                \
    T value;                                                                                                      \
    arr_surface(surface, n, ARR_EACH arguments, &value, 0, boundary, line);                                       \
    return value;                                                                                                 \
  }                                                                                                               \
  template <class T>                                                                                              \
  ARR_INLINE void surf##n##Dread(T* out, cudaSurfaceObject_t surface, ARR_EACH parameters,                        \
                                 cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {             \
    *out = surf##n##Dread<T>(surface, ARR_EACH_NAME_##n, boundary, line);                                         \
  }                                                                                                               \
  template <class T>                                                                                              \
  ARR_INLINE void surf##n##Dwrite(T value, cudaSurfaceObject_t surface, ARR_EACH parameters,                      \
                                  cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap, ARR_LINE) {            \
    arr_surface(surface, n, ARR_EACH arguments, &value, 1, boundary, line);                                       \
  }
#define ARR_EACH(...) __VA_ARGS__
#define ARR_EACH_NAME_1 x
#define ARR_EACH_NAME_2 x, y
#define ARR_EACH_NAME_3 x, y, z
ARR_SURFACE(1, (int x), (x, 0, 0))
ARR_SURFACE(2, (int x, int y), (x, y, 0))
ARR_SURFACE(3, (int x, int y, int z), (x, y, z))
// clang-format on
