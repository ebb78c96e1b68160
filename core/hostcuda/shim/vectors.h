// SPDX-License-Identifier: MIT
// CUDA's short vector types float2 ... ulonglong4 and their make_ functions. Embedded.

// clang-format off
#define ARR_VECTORS(name, type, align2, align4)                                   \
  struct name##1 {                                                                \
    type x;                                                                       \
  };                                                                              \
  struct __attribute__((aligned(align2))) name##2 {                               \
    type x, y;                                                                    \
  };                                                                              \
  ARR_VECTOR3(name, type)                                                         \
  struct __attribute__((aligned(align4))) name##4 {                               \
    type x, y, z, w;                                                              \
  };                                                                              \
  ARR_INLINE name##1 make_##name##1(type x) { return {x}; }                       \
  ARR_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  ARR_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  ARR_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define ARR_VECTOR3(name, type) \
  struct name##3 {              \
    type x, y, z;               \
  };
ARR_VECTORS(char, signed char, 2, 4) ARR_VECTORS(uchar, unsigned char, 2, 4)
ARR_VECTORS(short, short, 4, 8) ARR_VECTORS(ushort, unsigned short, 4, 8) ARR_VECTORS(int, int, 8, 16)
ARR_VECTORS(long, long, 16, 16) ARR_VECTORS(ulong, unsigned long, 16, 16)
ARR_VECTORS(longlong, long long, 16, 16) ARR_VECTORS(ulonglong, unsigned long long, 16, 16)
ARR_VECTORS(float, float, 8, 16) ARR_VECTORS(double, double, 16, 16)
#undef ARR_VECTOR3
#define ARR_VECTOR3(name, type)  // uint3 is the type of threadIdx, above
ARR_VECTORS(uint, unsigned, 8, 16)
#define ARR_ALIGNED4(name, type, bytes)                                \
  struct __attribute__((aligned(bytes))) name##4_##bytes##a {          \
    type x, y, z, w;                                                   \
  };                                                                   \
  ARR_INLINE name##4_##bytes##a make_##name##4_##bytes##a(type x, type y, type z, type w) { return {x, y, z, w}; }
#define ARR_ALIGNED(name, type) ARR_ALIGNED4(name, type, 16) ARR_ALIGNED4(name, type, 32)
ARR_ALIGNED(long, long) ARR_ALIGNED(ulong, unsigned long) ARR_ALIGNED(longlong, long long)
ARR_ALIGNED(ulonglong, unsigned long long) ARR_ALIGNED(double, double)

// Each member by itself, as CUDA's.
ARR_INLINE float2 atomicAdd(float2* p, float2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
ARR_INLINE float4 atomicAdd(float4* p, float4 v) {
  return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)};
}
