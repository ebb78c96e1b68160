// SPDX-License-Identifier: MIT
// Building blocks of CUDA's half and bfloat16 types: conversions of their bits to and from float, and
// conversions to 16 bits that round each result once. The types are in half_type.h, their functions in
// half_functions.h. Embedded where a source includes cuda_fp16.h or cuda_bf16.h.

ARR_INLINE float arr_half_widen(unsigned short bits) {
#if defined(__F16C__) && defined(__clang__)  // clang 22 has no builtin function for it
  return float(__builtin_bit_cast(_Float16, bits));
#elif defined(__F16C__)
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

// Rounding to odd: truncates, and sets the last bit if the value was inexact. A later rounding to fewer bits,
// in any direction, then equals a single rounding.
ARR_INLINE float arr_round_to_odd(double x) {
  const float f = float(x);
  const double back = f;
  unsigned u = __float_as_uint(f);
  u -= unsigned(fabs(back) > fabs(x));
  return __uint_as_float(u | unsigned(back != x));
}
ARR_INLINE double arr_whole_to_odd(unsigned long long x) {
  const unsigned long long lost = x & 2047u;
  return x >> 53 ? double((x - lost) | (unsigned long long)(lost != 0) << 11) : double(x);
}
ARR_INLINE double arr_whole_to_odd(long long x) {
  return x < 0 ? -arr_whole_to_odd(0ull - (unsigned long long)x) : arr_whole_to_odd((unsigned long long)x);
}
ARR_INLINE double arr_sum_to_odd(double a, double b) {
  const double s = a + b, t = s - a, lost = (a - (s - t)) + (b - t);
  unsigned long long u = (unsigned long long)__double_as_longlong(s);
  if ((lost < 0 || lost > 0) && (u & 1u) == 0) u += (lost > 0) == (s > 0) ? 1ull : ~0ull;
  return __longlong_as_double((long long)u);
}

enum arr_rounding { arr_rn, arr_rd, arr_ru, arr_rz };
// x may be one that was rounded to odd.
template <class T>
ARR_INLINE T arr_rounded(float x, arr_rounding mode) {
  T r(x);
  if (mode == arr_rn) return r;
  const float size = fabsf(x), got = fabsf(float(r));
  const bool toward_zero = mode == arr_rz || (mode == arr_rd) != (__float_as_uint(x) >> 31 != 0);
  if (toward_zero)
    r.arr_bits = (unsigned short)(r.arr_bits - (got > size));
  else
    r.arr_bits = (unsigned short)(r.arr_bits + (got < size));
  return r;
}
// The names of integer types in the names of CUDA's functions.
typedef short arr_short;
typedef unsigned short arr_ushort;
typedef int arr_int;
typedef unsigned arr_uint;
typedef long long arr_ll;
typedef unsigned long long arr_ull;
typedef signed char arr_char;
typedef unsigned char arr_uchar;
template <class To>
ARR_INLINE To arr_between(int x, int min, int max) {
  return To(x < min ? min : x > max ? max : x);
}
