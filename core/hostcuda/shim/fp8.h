// SPDX-License-Identifier: MIT
// CUDA's floating-point numbers of 8 bits, __nv_fp8_e4m3, __nv_fp8_e5m2 and the powers of two __nv_fp8_e8m0,
// their pairs and fours, and the conversions. Embedded after the 16-bit types where a source includes
// cuda_fp8.h.

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// E4M3 has no infinity, and one NaN per sign; E5M2 is the upper half of a half.
ARR_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  const bool four = kind == __NV_E4M3;
  const int digits = four ? 3 : 2, bias = four ? 7 : 15;
  const double max_value = four ? 448.0 : 57344.0;
  const unsigned sign = __builtin_signbit(x) ? 0x80u : 0u;
  const double size = fabs(x);
  if (size != size)  // of E5M2 the sign and the upper bits stay
    return (unsigned char)(four ? sign | 0x7fu
                                : sign | 0x7eu |
                                      unsigned((unsigned long long)__double_as_longlong(x) >> 50 & 3u));
  const unsigned largest = four ? 0x7eu : 0x7bu, above = saturate == __NV_SATFINITE ? largest : largest + 1;
  // The step between neighbours is a power of two, so that the quotient is exact and rounded once.
  const long long bits = __double_as_longlong(size);
  const int exponent = int(bits >> 52) - 1023, min_exponent = 1 - bias;
  const int e = exponent < min_exponent ? min_exponent : exponent;
  if (exponent > 15) return (unsigned char)(sign | above);
  const double step = __longlong_as_double((long long)(e - digits + 1023) << 52);
  const double rounded = __builtin_rint(size / step) * step;
  if (rounded > max_value) return (unsigned char)(sign | above);
  // The `count` of a normal number lies in 2^digits..2^(digits + 1); the latter goes into the next exponent.
  const unsigned count = unsigned(rounded / step);
  return (unsigned char)(sign | (unsigned(e - min_exponent) << digits) + count);
}
ARR_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
  return x != x ? (unsigned char)0x7f : __nv_cvt_double_to_fp8(double(x), saturate, kind);
}
ARR_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(arr_half_widen(x.x), saturate, kind);
}
ARR_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(arr_bfloat_widen(x.x), saturate, kind);
}
// Every number of 8 bits is a half.
ARR_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2) return {(unsigned short)((x & 0x7fu) > 0x7cu ? 0x7fffu : unsigned(x) << 8)};
  if ((x & 0x7fu) == 0x7fu) return {0x7fff};
  const float scaled = arr_half_widen((unsigned short)((x & 0x80u) << 8 | (x & 0x7fu) << 7)) * 0x1p8f;
  return {arr_half_narrow(scaled)};
}

#define ARR_FP8_PAIR(from, pair, one)                                                            \
  ARR_INLINE __nv_fp8x2_storage_t __nv_cvt_##from##_to_fp8x2(pair x, __nv_saturation_t saturate, \
                                                             __nv_fp8_interpretation_t kind) {   \
    const unsigned low = one(x.x, saturate, kind), high = one(x.y, saturate, kind);              \
    return (__nv_fp8x2_storage_t)(high << 8 | low);                                              \
  }
ARR_INLINE __nv_fp8_storage_t arr_half_bits_to_fp8(unsigned short x, __nv_saturation_t s,
                                                   __nv_fp8_interpretation_t k) {
  return __nv_cvt_halfraw_to_fp8(__half_raw{x}, s, k);
}
ARR_INLINE __nv_fp8_storage_t arr_bfloat_bits_to_fp8(unsigned short x, __nv_saturation_t s,
                                                     __nv_fp8_interpretation_t k) {
  return __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x}, s, k);
}
ARR_FP8_PAIR(float2, float2, __nv_cvt_float_to_fp8)
ARR_FP8_PAIR(double2, double2, __nv_cvt_double_to_fp8)
ARR_FP8_PAIR(halfraw2, __half2_raw, arr_half_bits_to_fp8)
ARR_FP8_PAIR(bfloat16raw2, __nv_bfloat162_raw, arr_bfloat_bits_to_fp8)
ARR_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw((unsigned char)x, kind).x,
          __nv_cvt_fp8_to_halfraw((unsigned char)(x >> 8), kind).x};
}

// clang-format off
#define ARR_FP8_FROM(name, T) \
  ARR_MEMBER explicit name(T v) : __x(__nv_cvt_double_to_fp8(double(v), __NV_SATFINITE, arr_kind)) {}
#define ARR_FP8_TO(T, value) ARR_MEMBER explicit operator T() const { return value; }
#define ARR_FP8(name, kind)                                                                                    \
  struct name {                                                                                                \
    static constexpr __nv_fp8_interpretation_t arr_kind = kind;                                                \
    __nv_fp8_storage_t __x;                                                                                    \
    name() = default;                                                                                          \
    ARR_MEMBER explicit name(__half v) : name(v.arr_float()) {}                                                \
    ARR_MEMBER explicit name(__nv_bfloat16 v) : name(v.arr_float()) {}                                         \
    ARR_MEMBER explicit name(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, arr_kind)) {}            \
    ARR_FP8_FROM(name, double) ARR_FP8_FROM(name, int) ARR_FP8_FROM(name, unsigned)  \
    ARR_FP8_FROM(name, short) ARR_FP8_FROM(name, unsigned short) ARR_FP8_FROM(name, long)                      \
    ARR_FP8_FROM(name, unsigned long) ARR_FP8_FROM(name, long long) ARR_FP8_FROM(name, unsigned long long)     \
    ARR_MEMBER float arr_float() const { return arr_half_widen(__nv_cvt_fp8_to_halfraw(__x, kind).x); }        \
    ARR_MEMBER __half arr_half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }                  \
    ARR_FP8_TO(__half, arr_half()) ARR_FP8_TO(float, arr_float()) ARR_FP8_TO(double, double(arr_float()))      \
    ARR_FP8_TO(__nv_bfloat16, __nv_bfloat16(arr_float())) ARR_FP8_TO(bool, (__x & 0x7fu) != 0)                 \
    ARR_FP8_TO(int, int(arr_half())) ARR_FP8_TO(unsigned, unsigned(arr_half())) ARR_FP8_TO(short, short(arr_half())) \
    ARR_FP8_TO(unsigned short, (unsigned short)(arr_half())) ARR_FP8_TO(long, long(arr_half()))                \
    ARR_FP8_TO(unsigned long, (unsigned long)(arr_half())) ARR_FP8_TO(long long, (long long)(arr_half()))      \
    ARR_FP8_TO(unsigned long long, (unsigned long long)(arr_half())) ARR_FP8_TO(char, char(arr_half()))        \
    ARR_FP8_TO(signed char, (signed char)(arr_half())) ARR_FP8_TO(unsigned char, (unsigned char)(arr_half()))  \
  };
ARR_FP8(__nv_fp8_e4m3, __NV_E4M3) ARR_FP8(__nv_fp8_e5m2, __NV_E5M2)

#define ARR_FP8S(kind, name)                                                                                   \
  struct __attribute__((aligned(2))) __nv_fp8x2_##name {                                                       \
    __nv_fp8x2_storage_t __x;                                                                                  \
    __nv_fp8x2_##name() = default;                                                                             \
    ARR_MEMBER explicit __nv_fp8x2_##name(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    ARR_MEMBER explicit __nv_fp8x2_##name(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    ARR_MEMBER explicit __nv_fp8x2_##name(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    ARR_MEMBER explicit __nv_fp8x2_##name(__nv_bfloat162 v)                                                    \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, kind)) {}                                      \
    ARR_FP8_TO(__half2, __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)))                                        \
    ARR_MEMBER explicit operator float2() const {                                                              \
      const __half2_raw h = __nv_cvt_fp8x2_to_halfraw2(__x, kind);                                             \
      return {arr_half_widen(h.x), arr_half_widen(h.y)};                                                       \
    }                                                                                                          \
  };
#define ARR_FP8X4_FROM(name, T)                                                                                \
  ARR_MEMBER explicit __nv_fp8x4_##name(T v)                                                                   \
      : __nv_fp8x4_##name(__nv_fp8x2_##name(double2{v.x, v.y}), __nv_fp8x2_##name(double2{v.z, v.w})) {}
#define ARR_FP8X4(name)                                                                                        \
  struct __attribute__((aligned(4))) __nv_fp8x4_##name {                                                       \
    __nv_fp8x4_storage_t __x;                                                                                  \
    __nv_fp8x4_##name() = default;                                                                             \
    ARR_MEMBER __nv_fp8x4_##name(__nv_fp8x2_##name a, __nv_fp8x2_##name b)                                     \
        : __x(unsigned(a.__x) | unsigned(b.__x) << 16) {}                                                      \
    ARR_MEMBER explicit __nv_fp8x4_##name(float4 v)                                                            \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(float2{v.x, v.y}), __nv_fp8x2_##name(float2{v.z, v.w})) {}       \
    ARR_FP8X4_FROM(name, double4) ARR_FP8X4_FROM(name, double4_16a) ARR_FP8X4_FROM(name, double4_32a)          \
    ARR_MEMBER explicit __nv_fp8x4_##name(__half2 a, __half2 b)                                                \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(a), __nv_fp8x2_##name(b)) {}                                     \
    ARR_MEMBER explicit __nv_fp8x4_##name(__nv_bfloat162 a, __nv_bfloat162 b)                                  \
        : __nv_fp8x4_##name(__nv_fp8x2_##name(a), __nv_fp8x2_##name(b)) {}                                     \
    ARR_MEMBER explicit operator float4() const {                                                              \
      __nv_fp8x2_##name low, high;                                                                             \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                                     \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                            \
      const float2 a = float2(low), b = float2(high);                                                          \
      return {a.x, a.y, b.x, b.y};                                                                             \
    }                                                                                                          \
  };
ARR_FP8S(__NV_E4M3, e4m3) ARR_FP8S(__NV_E5M2, e5m2)
ARR_FP8X4(e4m3) ARR_FP8X4(e5m2)

// The byte b of E8M0 is 2^(b - 127), and 255 is NaN: so it is the exponent of |x|, rounded to zero or up.
ARR_INLINE __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  const unsigned u = __float_as_uint(x) & 0x7fffffffu, infinity = 0x7f800000u, min_bits = 0x00400000u;  // 2^-127
  unsigned e = u >> 23;
  if (rounding == cudaRoundPosInf && (u & 0x7fffffu) != 0 && u > min_bits && u < infinity) e++;
  return (__nv_fp8_storage_t)(saturate == __NV_SATFINITE && u <= infinity && e == 255 ? 254 : e);
}
ARR_INLINE __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(x != x ? float(x) : arr_round_to_odd(x), saturate, rounding);
}
ARR_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                           cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(arr_bfloat_widen(x.x), saturate, rounding);
}
ARR_INLINE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return {(unsigned short)(x == 255 ? 0x7fffu : x == 0 ? 0x40u : unsigned(x) << 7)};
}
#define ARR_E8M0_PAIR(from, pair, one, low_, high_)                                                            \
  ARR_INLINE __nv_fp8x2_storage_t __nv_cvt_##from##_to_e8m0x2(pair x, __nv_saturation_t saturate,              \
                                                              cudaRoundMode rounding) {                        \
    const unsigned low = one(low_, saturate, rounding), high = one(high_, saturate, rounding);                 \
    return (__nv_fp8x2_storage_t)(high << 8 | low);                                                            \
  }
ARR_E8M0_PAIR(float2, float2, __nv_cvt_float_to_e8m0, x.x, x.y)
ARR_E8M0_PAIR(double2, double2, __nv_cvt_double_to_e8m0, x.x, x.y)
ARR_E8M0_PAIR(bfloat162raw, __nv_bfloat162_raw, __nv_cvt_float_to_e8m0, arr_bfloat_widen(x.x), arr_bfloat_widen(x.y))
ARR_INLINE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x, __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

#define ARR_E8M0_FROM(T, value) \
  ARR_MEMBER explicit __nv_fp8_e8m0(T v) : __x(__nv_cvt_double_to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf)) {}
#define ARR_E8M0_TO(T) ARR_FP8_TO(T, T(arr_bfloat()))
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  ARR_E8M0_FROM(__half, v.arr_float()) ARR_E8M0_FROM(__nv_bfloat16, v.arr_float()) ARR_E8M0_FROM(float, v)
  ARR_E8M0_FROM(double, v) ARR_E8M0_FROM(int, v) ARR_E8M0_FROM(unsigned, v) ARR_E8M0_FROM(short, v)
  ARR_E8M0_FROM(unsigned short, v) ARR_E8M0_FROM(long long, arr_whole_to_odd(v))
  ARR_E8M0_FROM(unsigned long long, arr_whole_to_odd(v)) ARR_E8M0_FROM(long, arr_whole_to_odd((long long)v))
  ARR_E8M0_FROM(unsigned long, arr_whole_to_odd((unsigned long long)v))
  ARR_MEMBER __nv_bfloat16 arr_bfloat() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  typedef unsigned short arr_u16;
  typedef unsigned long arr_ul;
  typedef signed char arr_s8;
  typedef unsigned char arr_u8;
  ARR_E8M0_TO(__nv_bfloat16) ARR_E8M0_TO(float) ARR_FP8_TO(double, double(arr_bfloat().arr_float()))
  ARR_FP8_TO(__half, __half(arr_bfloat().arr_float())) ARR_FP8_TO(bool, true) ARR_E8M0_TO(int) ARR_E8M0_TO(unsigned)
  ARR_E8M0_TO(short) ARR_E8M0_TO(arr_u16) ARR_E8M0_TO(long) ARR_E8M0_TO(arr_ul) ARR_E8M0_TO(arr_ll)
  ARR_E8M0_TO(arr_ull) ARR_E8M0_TO(char) ARR_E8M0_TO(arr_s8) ARR_E8M0_TO(arr_u8)
};
struct __attribute__((aligned(2))) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  ARR_MEMBER explicit __nv_fp8x2_e8m0(float2 v) : __x(__nv_cvt_float2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  ARR_MEMBER explicit __nv_fp8x2_e8m0(double2 v) : __x(__nv_cvt_double2_to_e8m0x2(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  ARR_MEMBER explicit __nv_fp8x2_e8m0(__half2 v) : __nv_fp8x2_e8m0(float2{v.x.arr_float(), v.y.arr_float()}) {}
  ARR_MEMBER explicit __nv_fp8x2_e8m0(__nv_bfloat162 v) : __nv_fp8x2_e8m0(float2{v.x.arr_float(), v.y.arr_float()}) {}
  ARR_FP8_TO(__nv_bfloat162, __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)))
  ARR_MEMBER explicit operator float2() const {
    const __nv_bfloat162_raw v = __nv_cvt_e8m0x2_to_bf162raw(__x);
    return {arr_bfloat_widen(v.x), arr_bfloat_widen(v.y)};
  }
  ARR_MEMBER explicit operator __half2() const {
    const float2 v = float2(*this);
    return {__half(v.x), __half(v.y)};
  }
};
ARR_FP8X4(e8m0)
// clang-format on
