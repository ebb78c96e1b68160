// SPDX-License-Identifier: MIT
// The functions of the type that half_type.h made: all that CUDA's cuda_fp16.h or cuda_bf16.h declares, which
// tests/kernels/declared.py compares. Embedded after half_type.h, once per type. The part after a line "//@
// names", up to the next such line, is embedded only if the source has an identifier that begins with one of
// the names, because all parts would cost 30 ms. No part depends on another.

#define ARR_GLUE_(a, b, c, d) a##b##c##d
#define ARR_GLUE(a, b, c, d) ARR_GLUE_(a, b, c, d)
#if ARR_16 == 0
#define ARR_WORD half
#define CUDART_INF_FP16 __ushort_as_half(0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00u)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#else
#define ARR_WORD bfloat16
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80u)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

// clang-format off
// A function of one, two or three numbers, and of pairs by their parts; "name, 2, tail" is the pairs' name.
#define ARR_EACH1(name, tail, value)                                                             \
  ARR_INLINE ARR_T name##tail(ARR_T a) { return value; }                                         \
  ARR_INLINE ARR_T2 name##2##tail(ARR_T2 a) { return {name##tail(a.x), name##tail(a.y)}; }
#define ARR_EACH2(name, tail, value)                                                             \
  ARR_INLINE ARR_T name##tail(ARR_T a, ARR_T b) { const float x = a.arr_float(), y = b.arr_float(); return value; } \
  ARR_INLINE ARR_T2 name##2##tail(ARR_T2 a, ARR_T2 b) { return {name##tail(a.x, b.x), name##tail(a.y, b.y)}; }
#define ARR_EACH3(name, tail, value)                                                             \
  ARR_INLINE ARR_T name##tail(ARR_T a, ARR_T b, ARR_T c) { return value; }                       \
  ARR_INLINE ARR_T2 name##2##tail(ARR_T2 a, ARR_T2 b, ARR_T2 c) {                                \
    return {name##tail(a.x, b.x, c.x), name##tail(a.y, b.y, c.y)};                               \
  }
#define ARR_16_OF(value) ARR_T::arr_of(value)
#define ARR_BITS16(bits) ARR_T::arr_from((unsigned short)(bits))
ARR_INLINE ARR_T arr_greater(const ARR_T& a, const ARR_T& b) {  // -0 is less than 0; a NaN is not there
  const float x = a.arr_float(), y = b.arr_float();
  return ARR_BITS16(x == y ? a.arr_bits & b.arr_bits : x > y || y != y ? a.arr_bits : b.arr_bits);
}
ARR_INLINE ARR_T arr_lesser(const ARR_T& a, const ARR_T& b) {
  const float x = a.arr_float(), y = b.arr_float();
  return ARR_BITS16(x == y ? a.arr_bits | b.arr_bits : x < y || y != y ? a.arr_bits : b.arr_bits);
}
ARR_INLINE ARR_T arr_if_number(const ARR_T& a, const ARR_T& b, const ARR_T& value) {
  return ARR_BITS16(a.arr_is_nan() || b.arr_is_nan() ? 0x7fff : value.arr_bits);
}
ARR_INLINE ARR_T arr_fused(const ARR_T& a, const ARR_T& b, const ARR_T& c) { return ARR_T(ARR_FUSED16(a, b, c)); }
ARR_INLINE ARR_T arr_positive(const ARR_T& a) {
  return ARR_BITS16(a.arr_is_nan() ? 0x7fff : a.arr_float() > 0 ? a.arr_bits : 0);
}

//@ __hadd
ARR_EACH2(__hadd, , ARR_16_OF(x + y)) ARR_EACH2(__hadd, _rn, ARR_16_OF(x + y)) ARR_EACH2(__hadd, _sat, ARR_16_OF(__saturatef(x + y)))
//@ __hsub
ARR_EACH2(__hsub, , ARR_16_OF(x - y)) ARR_EACH2(__hsub, _rn, ARR_16_OF(x - y)) ARR_EACH2(__hsub, _sat, ARR_16_OF(__saturatef(x - y)))
//@ __hmul
ARR_EACH2(__hmul, , ARR_16_OF(x * y)) ARR_EACH2(__hmul, _rn, ARR_16_OF(x * y)) ARR_EACH2(__hmul, _sat, ARR_16_OF(__saturatef(x * y)))
//@ __hfma __hcmadd
ARR_EACH3(__hfma, , arr_fused(a, b, c)) ARR_EACH3(__hfma, _sat, ARR_16_OF(__saturatef(arr_fused(a, b, c).arr_float())))
ARR_EACH3(__hfma, _relu, arr_positive(arr_fused(a, b, c)))
ARR_INLINE ARR_T2 __hcmadd(ARR_T2 a, ARR_T2 b, ARR_T2 c) {  // of complex numbers: a b + c
  return {arr_fused(-a.y, b.y, arr_fused(a.x, b.x, c.x)), arr_fused(a.y, b.x, arr_fused(a.x, b.y, c.y))};
}
//@ __hmax
ARR_EACH2(__hmax, , arr_greater(a, b)) ARR_EACH2(__hmax, _nan, arr_if_number(a, b, arr_greater(a, b)))
//@ __hmin
ARR_EACH2(__hmin, , arr_lesser(a, b)) ARR_EACH2(__hmin, _nan, arr_if_number(a, b, arr_lesser(a, b)))
//@ __hneg __habs
ARR_EACH1(__hneg, , ARR_BITS16(a.arr_bits ^ 0x8000)) ARR_EACH1(__habs, , ARR_BITS16(a.arr_bits & 0x7fff))
//@ __hdiv __h2div
ARR_INLINE ARR_T __hdiv(ARR_T a, ARR_T b) { return ARR_16_OF(a.arr_float() / b.arr_float()); }
ARR_INLINE ARR_T2 __h2div(ARR_T2 a, ARR_T2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }

//@
// The mathematics are double's, so that what is rounded to 16 bits is as good as exact.
#define ARR_MATH16(name, value)                                                                  \
  ARR_INLINE ARR_T h##name(ARR_T a) { const double x = a.arr_float(); return ARR_T(value); }          \
  ARR_INLINE ARR_T2 h2##name(ARR_T2 a) { return {h##name(a.x), h##name(a.y)}; }
//@ hsqrt h2sqrt hrsqrt h2rsqrt hrcp h2rcp
ARR_MATH16(sqrt, sqrtf(float(x))) ARR_MATH16(rsqrt, 1 / sqrt(x)) ARR_MATH16(rcp, 1 / x)
//@ hexp h2exp
ARR_MATH16(exp, exp(x)) ARR_MATH16(exp2, exp2(x)) ARR_MATH16(exp10, exp10(x))
//@ hlog h2log
ARR_MATH16(log, log(x)) ARR_MATH16(log2, log2(x)) ARR_MATH16(log10, log10(x))
//@ hsin h2sin hcos h2cos htanh h2tanh
ARR_MATH16(sin, sin(x)) ARR_MATH16(cos, cos(x)) ARR_MATH16(tanh, tanh(x)) ARR_MATH16(tanh_approx, tanh(x))
//@ htrunc h2trunc hceil h2ceil hfloor h2floor hrint h2rint
ARR_MATH16(trunc, truncf(float(x))) ARR_MATH16(ceil, ceilf(float(x)))
ARR_MATH16(floor, floorf(float(x))) ARR_MATH16(rint, rintf(float(x)))

//@
// `u`: true where one is no number. Of pairs: 1 or 0 in each part, all bits or none of each, whether of both.
#define ARR_ORDER16(op, value)                                                                   \
  ARR_INLINE bool __h##op(ARR_T a, ARR_T b) { const float x = a.arr_float(), y = b.arr_float(); return value; }          \
  ARR_INLINE ARR_T2 __h##op##2(ARR_T2 a, ARR_T2 b) {                                             \
    return {ARR_16_OF(__h##op(a.x, b.x)), ARR_16_OF(__h##op(a.y, b.y))};                   \
  }                                                                                              \
  ARR_INLINE unsigned __h##op##2_mask(ARR_T2 a, ARR_T2 b) {                                      \
    return (__h##op(a.x, b.x) ? 0xffffu : 0u) | (__h##op(a.y, b.y) ? 0xffff0000u : 0u);          \
  }                                                                                              \
  ARR_INLINE bool __hb##op##2(ARR_T2 a, ARR_T2 b) { return __h##op(a.x, b.x) && __h##op(a.y, b.y); }
//@ __heq __hbeq __hne __hbne
ARR_ORDER16(eq, x == y) ARR_ORDER16(ne, x < y || x > y) ARR_ORDER16(equ, !(x < y || x > y)) ARR_ORDER16(neu, x != y)
//@ __hlt __hblt __hle __hble
ARR_ORDER16(lt, x < y) ARR_ORDER16(le, x <= y) ARR_ORDER16(ltu, !(x >= y)) ARR_ORDER16(leu, !(x > y))
//@ __hgt __hbgt __hge __hbge
ARR_ORDER16(gt, x > y) ARR_ORDER16(ge, x >= y) ARR_ORDER16(gtu, !(x <= y)) ARR_ORDER16(geu, !(x < y))
//@ __his
ARR_INLINE bool __hisnan(ARR_T a) { return a.arr_is_nan(); }
ARR_INLINE ARR_T2 __hisnan2(ARR_T2 a) { return {ARR_16_OF(a.x.arr_is_nan()), ARR_16_OF(a.y.arr_is_nan())}; }
ARR_INLINE int __hisinf(ARR_T a) {
  return (a.arr_bits & 0x7fffu) != (ARR_16 == 0 ? 0x7c00u : 0x7f80u) ? 0 : a.arr_bits >> 15 ? -1 : 1;
}

//@
// Conversions. From and to whole numbers: by the four roundings.
#define ARR_WHOLE16(name, type, odd)                                                      \
  ARR_INLINE ARR_T ARR_GLUE(__##name##2, ARR_WORD, _rn, )(type x) { return arr_rounded<ARR_T>(odd, arr_rn); } \
  ARR_INLINE ARR_T ARR_GLUE(__##name##2, ARR_WORD, _rd, )(type x) { return arr_rounded<ARR_T>(odd, arr_rd); } \
  ARR_INLINE ARR_T ARR_GLUE(__##name##2, ARR_WORD, _ru, )(type x) { return arr_rounded<ARR_T>(odd, arr_ru); } \
  ARR_INLINE ARR_T ARR_GLUE(__##name##2, ARR_WORD, _rz, )(type x) { return arr_rounded<ARR_T>(odd, arr_rz); }
#define ARR_TO_WHOLE16(name)                                                                     \
  ARR_TO_WHOLE16_BY(name, _rn, rintf(h.arr_float())) ARR_TO_WHOLE16_BY(name, _rd, floorf(h.arr_float()))   \
  ARR_TO_WHOLE16_BY(name, _ru, ceilf(h.arr_float())) ARR_TO_WHOLE16_BY(name, _rz, h.arr_float())
#define ARR_TO_WHOLE16_BY(name, mode, value)                                                     \
  ARR_INLINE arr_##name ARR_GLUE(__, ARR_WORD, 2##name, mode)(ARR_T h) {                         \
    return (arr_##name)ARR_16_OF(value);                                      \
  }
//@ __short2 __ushort2
ARR_WHOLE16(short, short, x) ARR_WHOLE16(ushort, unsigned short, x)
//@ __int2 __uint2
ARR_WHOLE16(int, int, arr_round_to_odd(x)) ARR_WHOLE16(uint, unsigned, arr_round_to_odd(x))
//@ __ll2 __ull2
ARR_WHOLE16(ll, long long, arr_round_to_odd(arr_whole_to_odd(x)))
ARR_WHOLE16(ull, unsigned long long, arr_round_to_odd(arr_whole_to_odd(x)))
//@ __float2half_r __float2bfloat16_r
ARR_WHOLE16(float, float, x)
//@ __half2short __half2ushort __half2char __half2uchar __bfloat162short __bfloat162ushort __bfloat162char __bfloat162uchar
ARR_TO_WHOLE16(short) ARR_TO_WHOLE16(ushort)
ARR_TO_WHOLE16_BY(char, _rz, h.arr_float()) ARR_TO_WHOLE16_BY(uchar, _rz, h.arr_float())
//@ __half2int __half2uint __bfloat162int __bfloat162uint
ARR_TO_WHOLE16(int) ARR_TO_WHOLE16(uint)
//@ __half2ll __half2ull __bfloat162ll __bfloat162ull
ARR_TO_WHOLE16(ll) ARR_TO_WHOLE16(ull)
//@
ARR_INLINE ARR_T ARR_GLUE(__float2, ARR_WORD, , )(float x) { return ARR_16_OF(x); }
ARR_INLINE ARR_T ARR_GLUE(__double2, ARR_WORD, , )(double x) { return ARR_T(x); }
ARR_INLINE float ARR_GLUE(__, ARR_WORD, 2float, )(ARR_T x) { return x.arr_float(); }
ARR_INLINE unsigned short ARR_GLUE(__, ARR_WORD, _as_ushort, )(ARR_T x) { return x.arr_bits; }
ARR_INLINE short ARR_GLUE(__, ARR_WORD, _as_short, )(ARR_T x) { return short(x.arr_bits); }
ARR_INLINE ARR_T ARR_GLUE(__ushort_as_, ARR_WORD, , )(unsigned short b) { return ARR_BITS16(b); }
ARR_INLINE ARR_T ARR_GLUE(__short_as_, ARR_WORD, , )(short b) { return ARR_BITS16(b); }

//@ __float2half2 __float2bfloat162 __floats2 __float22 __half22 __half2half2 __bfloat162bfloat162 __bfloat1622 __halves2 make_ __low __high
// Pairs.
ARR_INLINE ARR_T2 ARR_GLUE(__float2, ARR_WORD, 2_rn, )(float x) { return {ARR_16_OF(x), ARR_16_OF(x)}; }
ARR_INLINE ARR_T2 ARR_GLUE(__floats2, ARR_WORD, 2_rn, )(float x, float y) { return {ARR_16_OF(x), ARR_16_OF(y)}; }
ARR_INLINE ARR_T2 ARR_GLUE(__float22, ARR_WORD, 2_rn, )(float2 v) { return {ARR_16_OF(v.x), ARR_16_OF(v.y)}; }
ARR_INLINE float2 ARR_GLUE(__, ARR_WORD, 22float2, )(ARR_T2 v) { return {v.x.arr_float(), v.y.arr_float()}; }
ARR_INLINE ARR_T2 ARR_GLUE(__, ARR_WORD, 2, ARR_GLUE(ARR_WORD, 2, , ))(ARR_T v) { return {v, v}; }
ARR_INLINE ARR_T2 ARR_GLUE(__halves2, ARR_WORD, 2, )(ARR_T a, ARR_T b) { return {a, b}; }
ARR_INLINE ARR_T2 ARR_GLUE(make_, ARR_WORD, 2, )(ARR_T a, ARR_T b) { return {a, b}; }
ARR_INLINE float __low2float(ARR_T2 v) { return v.x.arr_float(); }
ARR_INLINE float __high2float(ARR_T2 v) { return v.y.arr_float(); }
ARR_INLINE ARR_T ARR_GLUE(__low2, ARR_WORD, , )(ARR_T2 v) { return v.x; }
ARR_INLINE ARR_T ARR_GLUE(__high2, ARR_WORD, , )(ARR_T2 v) { return v.y; }
ARR_INLINE ARR_T2 ARR_GLUE(__low2, ARR_WORD, 2, )(ARR_T2 v) { return {v.x, v.x}; }
ARR_INLINE ARR_T2 ARR_GLUE(__high2, ARR_WORD, 2, )(ARR_T2 v) { return {v.y, v.y}; }
ARR_INLINE ARR_T2 ARR_GLUE(__lows2, ARR_WORD, 2, )(ARR_T2 a, ARR_T2 b) { return {a.x, b.x}; }
ARR_INLINE ARR_T2 ARR_GLUE(__highs2, ARR_WORD, 2, )(ARR_T2 a, ARR_T2 b) { return {a.y, b.y}; }
ARR_INLINE ARR_T2 __lowhigh2highlow(ARR_T2 v) { return {v.y, v.x}; }

//@ atomicAdd
ARR_INLINE ARR_T atomicAdd(ARR_T* p, ARR_T v) {
  unsigned short old;
  __atomic_load(&p->arr_bits, &old, __ATOMIC_RELAXED);
  for (;;) {
    unsigned short next = ARR_NARROW16(ARR_WIDEN(old) + v.arr_float());
    if (__atomic_compare_exchange(&p->arr_bits, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return ARR_BITS16(old);
  }
}
// Each half by itself, as CUDA's.
ARR_INLINE ARR_T2 atomicAdd(ARR_T2* p, ARR_T2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
//@
// clang-format on

#undef ARR_T
#undef ARR_T2
#undef ARR_RAW
#undef ARR_RAW2
#undef ARR_WIDEN
#undef ARR_NARROW16
#undef ARR_FUSED16
#undef ARR_WORD
