// SPDX-License-Identifier: MIT
// CUDA's integer, conversion and bit functions. Conversions saturate and send NaN to 0, as CUDA's do.
// Embedded before every kernel source.

ARR_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
ARR_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
ARR_INLINE int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
ARR_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
ARR_INLINE int __ffs(int x) { return __builtin_ffs(x); }
ARR_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
ARR_INLINE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
ARR_INLINE unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
ARR_INLINE int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
ARR_INLINE unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
ARR_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
ARR_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
ARR_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
ARR_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
ARR_INLINE unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)) + c;
}
ARR_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
ARR_INLINE int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
ARR_INLINE int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
ARR_INLINE unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b) >> 1); }
ARR_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return unsigned(((unsigned long long)a + b + 1) >> 1);
}
ARR_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
  return unsigned(((unsigned long long)high << 32 | low) << (n & 31) >> 32);
}
ARR_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
  return unsigned(((unsigned long long)high << 32 | low) >> (n & 31));
}
// The lower three bits of each number in the selector count. The fourth repeats the sign in prmt alone.
ARR_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned long long bytes = (unsigned long long)b << 32 | a;
  unsigned r = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned byte = unsigned(bytes >> (8 * (selector >> (4 * i) & 7u))) & 255u;
    r |= byte << (8 * i);
  }
  return r;
}

// clang-format off
#define ARR_BITS(name, to, from)        \
  ARR_INLINE to name(from x) {          \
    to r;                               \
    __builtin_memcpy(&r, &x, sizeof r); \
    return r;                           \
  }
ARR_BITS(__float_as_int, int, float) ARR_BITS(__int_as_float, float, int)
ARR_BITS(__float_as_uint, unsigned, float) ARR_BITS(__uint_as_float, float, unsigned)
ARR_BITS(__double_as_longlong, long long, double) ARR_BITS(__longlong_as_double, double, long long)
ARR_INLINE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
ARR_INLINE int __double2loint(double x) { return int(__double_as_longlong(x)); }
ARR_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

template <class To, class From>
ARR_INLINE To arr_saturate(From x, From low, From high, To min, To max) {
  return x != x ? To(0) : x <= low ? min : x >= high ? max : To(x);
}
#define ARR_TO_INT(name, from, to, low, high, min, max)                                            \
  ARR_INLINE to name##_rn(from x) { return arr_saturate<to, from>(rint(x), low, high, min, max); } \
  ARR_INLINE to name##_rz(from x) { return arr_saturate<to, from>(x, low, high, min, max); }       \
  ARR_INLINE to name##_ru(from x) { return arr_saturate<to, from>(ceil(x), low, high, min, max); } \
  ARR_INLINE to name##_rd(from x) { return arr_saturate<to, from>(floor(x), low, high, min, max); }
ARR_TO_INT(__float2int, float, int, -2147483648.0f, 2147483648.0f, -2147483647 - 1, 2147483647)
ARR_TO_INT(__float2uint, float, unsigned, 0.0f, 4294967296.0f, 0u, 4294967295u)
ARR_TO_INT(__double2int, double, int, -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647)
ARR_TO_INT(__double2uint, double, unsigned, 0.0, 4294967295.0, 0u, 4294967295u)
ARR_TO_INT(__float2ll, float, long long, -9223372036854775808.0f, 9223372036854775808.0f, -9223372036854775807LL - 1, 9223372036854775807LL)
ARR_TO_INT(__double2ll, double, long long, -9223372036854775808.0, 9223372036854775808.0, -9223372036854775807LL - 1, 9223372036854775807LL)
ARR_TO_INT(__float2ull, float, unsigned long long, 0.0f, 18446744073709551616.0f, 0ull, ~0ull)
ARR_TO_INT(__double2ull, double, unsigned long long, 0.0, 18446744073709551616.0, 0ull, ~0ull)
#define ARR_FROM_INT(name, to, from) \
  ARR_INLINE to name(from x) { return to(x); }
ARR_FROM_INT(__int2float_rn, float, int) ARR_FROM_INT(__uint2float_rn, float, unsigned)
ARR_FROM_INT(__ll2float_rn, float, long long) ARR_FROM_INT(__ull2float_rn, float, unsigned long long)
ARR_FROM_INT(__int2double_rn, double, int) ARR_FROM_INT(__uint2double_rn, double, unsigned)
ARR_FROM_INT(__ll2double_rn, double, long long)
ARR_FROM_INT(__ull2double_rn, double, unsigned long long) ARR_FROM_INT(__double2float_rn, float, double)
