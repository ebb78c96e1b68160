// SPDX-License-Identifier: MIT
// CUDA's half and bfloat16 types with their operators and functions: storage of 16 bits, arithmetic in float
// and rounded once, which gives the same bits as arithmetic in 16 bits. Embedded where a source includes
// cuda_fp16.h or cuda_bf16.h.

ARR_INLINE float arr_half_widen(unsigned short bits) {
#ifdef __F16C__
  typedef short arr_short8 __attribute__((vector_size(16)));
  return __builtin_ia32_vcvtph2ps(arr_short8{short(bits)})[0];
#else
  const unsigned sign = unsigned(bits & 0x8000u) << 16, rest = bits & 0x7fffu;
  const float scaled = __uint_as_float(rest << 13) * __uint_as_float(0x77800000u);  // 2^112
  return __uint_as_float(
      sign | __float_as_uint(rest >= 0x7c00u ? __uint_as_float(rest << 13 | 0x7f800000u) : scaled));
#endif
}
ARR_INLINE unsigned short arr_half_narrow(float x) {
#ifdef __F16C__
  typedef float arr_float4 __attribute__((vector_size(16)));
  return (unsigned short)(__builtin_ia32_vcvtps2ph(arr_float4{x}, 0)[0]);
#else
  const unsigned all = __float_as_uint(x), sign = all >> 16 & 0x8000u, u = all & 0x7fffffffu;
  if (u > 0x7f800000u) return (unsigned short)(sign | 0x7e00u | (u >> 13 & 0x3ffu));
  if (u >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
  if (u < 0x38800000u)  // subnormal: the addition rounds at the right bit
    return (unsigned short)(sign | (__float_as_uint(__uint_as_float(u) + 0.5f) - 0x3f000000u));
  return (unsigned short)(sign | ((u + 0xfffu + (u >> 13 & 1u) - 0x38000000u) >> 13));
#endif
}
ARR_INLINE float arr_bfloat_widen(unsigned short bits) { return __uint_as_float(unsigned(bits) << 16); }
ARR_INLINE unsigned short arr_bfloat_narrow(float x) {
  const unsigned u = __float_as_uint(x);
  if (x != x) return 0x7fffu;
  return (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
// To float so that a second rounding to 16 bits gives what one rounding would.
ARR_INLINE float arr_round_to_odd(double x) {
  const float f = float(x);
  if (double(f) == x || x != x || f - f != 0) return f;
  unsigned u = __float_as_uint(f);
  if ((double(f) > x) == (x > 0)) u--;
  return __uint_as_float(u | 1u);
}

// clang-format off
#define ARR_HALF_TYPE(T, T2, raw, widen, narrow)                                                          \
  struct raw { unsigned short x; };                                                                       \
  struct T {                                                                                              \
    unsigned short arr_bits;                                                                              \
    T() = default;                                                                                        \
    T(raw r) : arr_bits(r.x) {}                                                                           \
    T(float v) : arr_bits(narrow(v)) {}                                                                   \
    T(double v) : arr_bits(narrow(arr_round_to_odd(v))) {}                                                \
    T(int v) : T(double(v)) {}                                                                            \
    T(unsigned v) : T(double(v)) {}                                                                       \
    T(short v) : T(double(v)) {}                                                                          \
    T(unsigned short v) : T(double(v)) {}                                                                 \
    T(long long v) : T(double(v)) {}                                                                      \
    T(unsigned long long v) : T(double(v)) {}                                                             \
    operator float() const { return widen(arr_bits); }                                                    \
    explicit operator bool() const { return (arr_bits & 0x7fffu) != 0; }                                  \
    T& operator+=(T o) { return *this = T(float(*this) + float(o)); }                                     \
    T& operator-=(T o) { return *this = T(float(*this) - float(o)); }                                     \
    T& operator*=(T o) { return *this = T(float(*this) * float(o)); }                                     \
    T& operator/=(T o) { return *this = T(float(*this) / float(o)); }                                     \
    T& operator++() { return *this += T(1.0f); }                                                          \
    T& operator--() { return *this -= T(1.0f); }                                                          \
  };                                                                                                      \
  ARR_INLINE T operator+(T a, T b) { return T(float(a) + float(b)); }                                     \
  ARR_INLINE T operator-(T a, T b) { return T(float(a) - float(b)); }                                     \
  ARR_INLINE T operator*(T a, T b) { return T(float(a) * float(b)); }                                     \
  ARR_INLINE T operator/(T a, T b) { return T(float(a) / float(b)); }                                     \
  ARR_INLINE T operator-(T a) { T r = a; r.arr_bits ^= 0x8000u; return r; }                               \
  ARR_INLINE T operator+(T a) { return a; }                                                               \
  ARR_INLINE bool operator==(T a, T b) { return float(a) == float(b); }                                   \
  ARR_INLINE bool operator!=(T a, T b) { return float(a) != float(b); }                                   \
  ARR_INLINE bool operator<(T a, T b) { return float(a) < float(b); }                                     \
  ARR_INLINE bool operator>(T a, T b) { return float(a) > float(b); }                                     \
  ARR_INLINE bool operator<=(T a, T b) { return float(a) <= float(b); }                                   \
  ARR_INLINE bool operator>=(T a, T b) { return float(a) >= float(b); }                                   \
  struct __attribute__((aligned(4))) T2 {                                                                 \
    T x, y;                                                                                               \
    T2() = default;                                                                                       \
    T2(T a, T b) : x(a), y(b) {}                                                                          \
    T2& operator+=(T2 o) { x += o.x, y += o.y; return *this; }                                            \
    T2& operator-=(T2 o) { x -= o.x, y -= o.y; return *this; }                                            \
    T2& operator*=(T2 o) { x *= o.x, y *= o.y; return *this; }                                            \
    T2& operator/=(T2 o) { x /= o.x, y /= o.y; return *this; }                                            \
  };                                                                                                      \
  ARR_INLINE T2 operator+(T2 a, T2 b) { return {a.x + b.x, a.y + b.y}; }                                  \
  ARR_INLINE T2 operator-(T2 a, T2 b) { return {a.x - b.x, a.y - b.y}; }                                  \
  ARR_INLINE T2 operator*(T2 a, T2 b) { return {a.x * b.x, a.y * b.y}; }                                  \
  ARR_INLINE T2 operator/(T2 a, T2 b) { return {a.x / b.x, a.y / b.y}; }                                  \
  ARR_INLINE T2 operator-(T2 a) { return {-a.x, -a.y}; }                                                  \
  ARR_INLINE T __hadd(T a, T b) { return a + b; }                                                         \
  ARR_INLINE T __hsub(T a, T b) { return a - b; }                                                         \
  ARR_INLINE T __hmul(T a, T b) { return a * b; }                                                         \
  ARR_INLINE T __hdiv(T a, T b) { return a / b; }                                                         \
  ARR_INLINE T __hneg(T a) { return -a; }                                                                 \
  ARR_INLINE T __habs(T a) { T r = a; r.arr_bits &= 0x7fffu; return r; }                                  \
  ARR_INLINE T __hfma(T a, T b, T c) { return T(double(float(a)) * float(b) + float(c)); }                \
  ARR_INLINE T __hadd_sat(T a, T b) { return T(__saturatef(float(a) + float(b))); }                       \
  ARR_INLINE T __hmul_sat(T a, T b) { return T(__saturatef(float(a) * float(b))); }                       \
  ARR_INLINE T __hmax(T a, T b) { return T(fmaxf(a, b)); }                                                \
  ARR_INLINE T __hmin(T a, T b) { return T(fminf(a, b)); }                                                \
  ARR_INLINE bool __heq(T a, T b) { return a == b; }                                                      \
  ARR_INLINE bool __hne(T a, T b) { return float(a) < float(b) || float(a) > float(b); }                  \
  ARR_INLINE bool __hlt(T a, T b) { return a < b; }                                                       \
  ARR_INLINE bool __hle(T a, T b) { return a <= b; }                                                      \
  ARR_INLINE bool __hgt(T a, T b) { return a > b; }                                                       \
  ARR_INLINE bool __hge(T a, T b) { return a >= b; }                                                      \
  ARR_INLINE bool __hisnan(T a) { return float(a) != float(a); }                                          \
  ARR_INLINE int __hisinf(T a) { return __builtin_isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0; }        \
  ARR_INLINE T hsqrt(T a) { return T(sqrtf(a)); }                                                         \
  ARR_INLINE T hrsqrt(T a) { return T(1.0f / sqrtf(a)); }                                                 \
  ARR_INLINE T hrcp(T a) { return T(1.0f / float(a)); }                                                   \
  ARR_INLINE T hexp(T a) { return T(expf(a)); }                                                           \
  ARR_INLINE T hexp2(T a) { return T(exp2f(a)); }                                                         \
  ARR_INLINE T hlog(T a) { return T(logf(a)); }                                                           \
  ARR_INLINE T hlog2(T a) { return T(log2f(a)); }                                                         \
  ARR_INLINE T hsin(T a) { return T(sinf(a)); }                                                           \
  ARR_INLINE T hcos(T a) { return T(cosf(a)); }                                                           \
  ARR_INLINE T hfloor(T a) { return T(floorf(a)); }                                                       \
  ARR_INLINE T hceil(T a) { return T(ceilf(a)); }                                                         \
  ARR_INLINE T htrunc(T a) { return T(truncf(a)); }                                                       \
  ARR_INLINE T hrint(T a) { return T(rintf(a)); }                                                         \
  ARR_INLINE T2 __hadd2(T2 a, T2 b) { return a + b; }                                                     \
  ARR_INLINE T2 __hsub2(T2 a, T2 b) { return a - b; }                                                     \
  ARR_INLINE T2 __hmul2(T2 a, T2 b) { return a * b; }                                                     \
  ARR_INLINE T2 __h2div(T2 a, T2 b) { return a / b; }                                                     \
  ARR_INLINE T2 __hneg2(T2 a) { return -a; }                                                              \
  ARR_INLINE T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }                                      \
  ARR_INLINE T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                      \
  ARR_INLINE T2 __hmin2(T2 a, T2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                      \
  ARR_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }      \
  ARR_INLINE T atomicAdd(T* p, T v) {                                                                     \
    unsigned short old;                                                                                   \
    __atomic_load(&p->arr_bits, &old, __ATOMIC_RELAXED);                                                  \
    for (;;) {                                                                                            \
      unsigned short next = narrow(widen(old) + float(v));                                                \
      if (__atomic_compare_exchange(&p->arr_bits, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
        T r;                                                                                              \
        r.arr_bits = old;                                                                                 \
        return r;                                                                                         \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  /* Each half by itself, as CUDA's. */                                                                   \
  ARR_INLINE T2 atomicAdd(T2* p, T2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
ARR_HALF_TYPE(__half, __half2, __half_raw, arr_half_widen, arr_half_narrow)
ARR_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, arr_bfloat_widen, arr_bfloat_narrow)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions, by the word that CUDA has for the type in their names.
#define ARR_HALF_NAMES(T, T2, word)                                                                       \
  ARR_INLINE T __float2##word(float x) { return T(x); }                                                   \
  ARR_INLINE T __float2##word##_rn(float x) { return T(x); }                                              \
  ARR_INLINE T __double2##word(double x) { return T(x); }                                                 \
  ARR_INLINE float __##word##2float(T x) { return float(x); }                                             \
  ARR_INLINE T __int2##word##_rn(int x) { return T(x); }                                                  \
  ARR_INLINE T __uint2##word##_rn(unsigned x) { return T(x); }                                            \
  ARR_INLINE int __##word##2int_rn(T x) { return __float2int_rn(x); }                                     \
  ARR_INLINE int __##word##2int_rz(T x) { return __float2int_rz(x); }                                     \
  ARR_INLINE unsigned short __##word##_as_ushort(T x) { return x.arr_bits; }                              \
  ARR_INLINE short __##word##_as_short(T x) { return short(x.arr_bits); }                                 \
  ARR_INLINE T __ushort_as_##word(unsigned short b) { T r; r.arr_bits = b; return r; }                    \
  ARR_INLINE T __short_as_##word(short b) { T r; r.arr_bits = (unsigned short)b; return r; }              \
  ARR_INLINE T2 __float2##word##2_rn(float x) { return {T(x), T(x)}; }                                    \
  ARR_INLINE T2 __floats2##word##2_rn(float x, float y) { return {T(x), T(y)}; }                          \
  ARR_INLINE T2 __float22##word##2_rn(float2 v) { return {T(v.x), T(v.y)}; }                              \
  ARR_INLINE float2 __##word##22float2(T2 v) { return {float(v.x), float(v.y)}; }                         \
  ARR_INLINE T2 __##word##2##word##2(T v) { return {v, v}; }
ARR_HALF_NAMES(__half, __half2, half)
ARR_HALF_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16)
ARR_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
ARR_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
ARR_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
ARR_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
#define ARR_HALF_PARTS(T, T2)                                            \
  ARR_INLINE float __low2float(T2 v) { return float(v.x); }              \
  ARR_INLINE float __high2float(T2 v) { return float(v.y); }             \
  ARR_INLINE T2 __lowhigh2highlow(T2 v) { return {v.y, v.x}; }           \
  ARR_INLINE T2 __lows2##T2(T2 a, T2 b) { return {a.x, b.x}; }
ARR_HALF_PARTS(__half, __half2)
ARR_HALF_PARTS(__nv_bfloat16, __nv_bfloat162)
ARR_INLINE __half __low2half(__half2 v) { return v.x; }
ARR_INLINE __half __high2half(__half2 v) { return v.y; }
ARR_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
ARR_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
// clang-format on
