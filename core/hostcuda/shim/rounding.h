// SPDX-License-Identifier: MIT
// Arithmetic and conversions rounded down, up and to zero, by the processor: each function changes the mode
// for its one instruction, in one piece of assembly, so that the compiler's own arithmetic never sees it.
// Embedded before every kernel source.

// clang-format off
#ifdef __x86_64__
enum { arr_mode_rd = 1, arr_mode_ru = 2, arr_mode_rz = 3 };  // a field of MXCSR; times 0x400, fesetround's
typedef unsigned arr_control;
#define ARR_CONTROL(mode) (0x1f80u | arr_mode_##mode << 13)
#define ARR_KEPT "=m"
#define ARR_USED "m"
#define ARR_REG "x"
#define ARR_ENTER "stmxcsr %1\n\tldmxcsr %2\n\t"
#define ARR_LEAVE "\n\tldmxcsr %1"
#define ARR_BINARY(op, kind) op "s" kind " %3, %0"
#define ARR_ROOT(kind) "sqrts" kind " %3, %0"
#define ARR_FUSED(kind) "vfmadd213s" kind " %4, %3, %0"
#define ARR_FROM_WHOLE(kind) "cvtsi2s" kind "q %3, %0"
#define ARR_NARROW "cvtsd2ss %3, %0"
#else
enum { arr_mode_rd = 2, arr_mode_ru = 1, arr_mode_rz = 3 };  // a field of FPCR
typedef unsigned long arr_control;
#define ARR_CONTROL(mode) ((unsigned long)arr_mode_##mode << 22)
#define ARR_KEPT "=&r"
#define ARR_USED "r"
#define ARR_REG "w"
#define ARR_ENTER "mrs %1, fpcr\n\tmsr fpcr, %2\n\t"
#define ARR_LEAVE "\n\tmsr fpcr, %1"
#define ARR_BINARY(op, kind) "f" op " %" kind "0, %" kind "0, %" kind "3"
#define ARR_ROOT(kind) "fsqrt %" kind "0, %" kind "3"
#define ARR_FUSED(kind) "fmadd %" kind "0, %" kind "0, %" kind "3, %" kind "4"
#define ARR_FROM_WHOLE(kind) "scvtf %" kind "0, %3"
#define ARR_NARROW "fcvt %s0, %d3"
#endif
#define ARR_IN_MODE(mode, instruction, result, ...)                                    \
  arr_control kept, used = ARR_CONTROL(mode);                                          \
  asm(ARR_ENTER instruction ARR_LEAVE                                                  \
      : "+" ARR_REG(result), ARR_KEPT(kept) : ARR_USED(used), __VA_ARGS__);            \
  return result;

#define ARR_DIRECTED2(name, type, op, kind, mode) \
  ARR_INLINE type name##_##mode(type a, type b) { ARR_IN_MODE(mode, ARR_BINARY(op, kind), a, ARR_REG(b)) }
#if defined(__x86_64__) && !defined(__FMA__)
// The C library's, which goes by the mode; nothing else is in the function that the mode could change.
extern "C" int fesetround(int) noexcept(true);
#define ARR_DIRECTED3(name, type, kind, fused, mode)                                                       \
  __attribute__((noinline)) static type name##_##mode(volatile type a, volatile type b, volatile type c) { \
    fesetround(arr_mode_##mode * 0x400);                                                                   \
    volatile type r = fused(a, b, c);                                                                      \
    fesetround(0);                                                                                         \
    return r;                                                                                              \
  }
#else
#define ARR_DIRECTED3(name, type, kind, fused, mode)                      \
  ARR_INLINE type name##_##mode(type a, type b, type c) {                 \
    ARR_IN_MODE(mode, ARR_FUSED(kind), a, ARR_REG(b), ARR_REG(c))         \
  }
#endif
// The last of 64 unsigned bits is ORed into the one above it, so that it still marks an inexact value.
#define ARR_DIRECTED_FROM(type, kind, mode)                                                              \
  ARR_INLINE type __ll2##type##_##mode(long long x) {                                                    \
    type r = 0;                                                                                          \
    ARR_IN_MODE(mode, ARR_FROM_WHOLE(kind), r, "r"(x))                                                   \
  }                                                                                                      \
  ARR_INLINE type __ull2##type##_##mode(unsigned long long x) {                                          \
    return x >> 63 ? 2 * __ll2##type##_##mode((long long)(x >> 1 | (x & 1))) : __ll2##type##_##mode((long long)x); \
  }
#define ARR_DIRECTED(mode)                                                                               \
  ARR_DIRECTED2(__fadd, float, "add", "s", mode) ARR_DIRECTED2(__dadd, double, "add", "d", mode)         \
  ARR_DIRECTED2(__fsub, float, "sub", "s", mode) ARR_DIRECTED2(__dsub, double, "sub", "d", mode)         \
  ARR_DIRECTED2(__fmul, float, "mul", "s", mode) ARR_DIRECTED2(__dmul, double, "mul", "d", mode)         \
  ARR_DIRECTED2(__fdiv, float, "div", "s", mode) ARR_DIRECTED2(__ddiv, double, "div", "d", mode)         \
  ARR_DIRECTED3(__fmaf, float, "s", fmaf, mode) ARR_DIRECTED3(__fma, double, "d", fma, mode)             \
  ARR_INLINE float __frcp_##mode(float x) { return __fdiv_##mode(1, x); }                                \
  ARR_INLINE double __drcp_##mode(double x) { return __ddiv_##mode(1, x); }                              \
  ARR_INLINE float __fsqrt_##mode(float x) { float r = 0; ARR_IN_MODE(mode, ARR_ROOT("s"), r, ARR_REG(x)) }    \
  ARR_INLINE double __dsqrt_##mode(double x) { double r = 0; ARR_IN_MODE(mode, ARR_ROOT("d"), r, ARR_REG(x)) } \
  ARR_INLINE float __double2float_##mode(double x) { float r = 0; ARR_IN_MODE(mode, ARR_NARROW, r, ARR_REG(x)) } \
  ARR_DIRECTED_FROM(float, "s", mode) ARR_DIRECTED_FROM(double, "d", mode)                               \
  ARR_INLINE float __int2float_##mode(int x) { return __ll2float_##mode(x); }                            \
  ARR_INLINE float __uint2float_##mode(unsigned x) { return __ll2float_##mode(x); }
ARR_DIRECTED(rd) ARR_DIRECTED(ru) ARR_DIRECTED(rz)
    // clang-format on

    // The float nearest to 1 / sqrt(x): that of the double, and the sign of x m^2 - 1 says whether the middle
    // m between it and a neighbour lies on the other side.
    ARR_INLINE float __frsqrt_rn(float x) {
  const double d = double(x);
  float r = float(1 / sqrt(d));
  if (!(x > 0 && x < __builtin_huge_valf())) return r;
  const float below = __int_as_float(__float_as_int(r) - 1), above = __int_as_float(__float_as_int(r) + 1);
  const double low = 0.5 * (double(r) + double(below)), high = 0.5 * (double(r) + double(above));
  if (fma(d, low * low, -1.0) > 0) r = below;
  if (fma(d, high * high, -1.0) < 0) r = above;
  return r;
}
#define __fmaf_ieee_rn __fmaf_rn  // whatever the options say of subnormal numbers, which count here always
#define __fmaf_ieee_rd __fmaf_rd
#define __fmaf_ieee_ru __fmaf_ru
#define __fmaf_ieee_rz __fmaf_rz

// Functions of two floats each.
// clang-format off
#define ARR_FLOATS2(name, mode) \
  ARR_INLINE float2 name##2_##mode(float2 a, float2 b) { return {name##_##mode(a.x, b.x), name##_##mode(a.y, b.y)}; }
#define ARR_FLOATS(mode)                                                                      \
  ARR_FLOATS2(__fadd, mode) ARR_FLOATS2(__fmul, mode)                         \
  ARR_INLINE float2 __ffma2_##mode(float2 a, float2 b, float2 c) {                            \
    return {__fmaf_##mode(a.x, b.x, c.x), __fmaf_##mode(a.y, b.y, c.y)};                      \
  }
ARR_FLOATS(rn) ARR_FLOATS(rd) ARR_FLOATS(ru) ARR_FLOATS(rz)
    // clang-format on
