// SPDX-License-Identifier: MIT
// CUDA's fused minima and maxima of integers and of two halfwords (DPX: __viaddmax_s32 ...). Sums wrap.
// Embedded where a source names one of them.

// clang-format off
// f of three halfwords each; its result is cut to 16 bits.
template <class L, class F>
ARR_INLINE unsigned arr_halfwords(unsigned a, unsigned b, unsigned c, F f) {
  const unsigned low = (unsigned short)f(L(a), L(b), L(c)), high = (unsigned short)f(L(a >> 16), L(b >> 16), L(c >> 16));
  return low | high << 16;
}
#define ARR_EXTREME3(name, type, L, tail, value)                                                                       \
  ARR_INLINE type name##32##tail(type a, type b, type c) { typedef type N; return value; }                             \
  ARR_INLINE unsigned name##16x2##tail(unsigned u, unsigned v, unsigned w) {                                           \
    return arr_halfwords<L>(u, v, w, [](L a, L b, L c) { typedef L N; return value; });                                \
  }
#define ARR_EXTREME2(name, type, L, tail, value)                                                                       \
  ARR_INLINE type name##32##tail(type a, type b) { typedef type N; return value; }                                     \
  ARR_INLINE unsigned name##16x2##tail(unsigned u, unsigned v) {                                                       \
    return arr_halfwords<L>(u, v, 0, [](L a, L b, L) { typedef L N; return value; });                                  \
  }
#define ARR_EXTREME_SIDE(name, type, L, op)                                                                            \
  ARR_INLINE type name##32(type a, type b, bool* first) { *first = a op b; return *first ? a : b; }                    \
  ARR_INLINE unsigned name##16x2(unsigned a, unsigned b, bool* high, bool* low) {                                      \
    typedef L N;                                                                                                       \
    *high = N(a >> 16) op N(b >> 16);                                                                                  \
    *low = N(a) op N(b);                                                                                               \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                               \
  }
#define ARR_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define ARR_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define ARR_SUM (N(unsigned(a) + unsigned(b)))
#define ARR_EXTREMES(s, type, L)                                                                                       \
  ARR_EXTREME3(__viaddmax_##s, type, L, , ARR_LARGER(ARR_SUM, c))                                                      \
  ARR_EXTREME3(__viaddmin_##s, type, L, , ARR_SMALLER(ARR_SUM, c))                                                     \
  ARR_EXTREME3(__vimax3_##s, type, L, , ARR_LARGER(N(ARR_LARGER(a, b)), c))                                            \
  ARR_EXTREME3(__vimin3_##s, type, L, , ARR_SMALLER(N(ARR_SMALLER(a, b)), c))                                          \
  ARR_EXTREME_SIDE(__vibmax_##s, type, L, >=) ARR_EXTREME_SIDE(__vibmin_##s, type, L, <=)
ARR_EXTREMES(s, int, short) ARR_EXTREMES(u, unsigned, unsigned short)
ARR_EXTREME3(__viaddmax_s, int, short, _relu, ARR_LARGER(N(ARR_LARGER(ARR_SUM, c)), 0))
ARR_EXTREME3(__viaddmin_s, int, short, _relu, ARR_LARGER(N(ARR_SMALLER(ARR_SUM, c)), 0))
ARR_EXTREME3(__vimax3_s, int, short, _relu, ARR_LARGER(N(ARR_LARGER(N(ARR_LARGER(a, b)), c)), 0))
ARR_EXTREME3(__vimin3_s, int, short, _relu, ARR_LARGER(N(ARR_SMALLER(N(ARR_SMALLER(a, b)), c)), 0))
ARR_EXTREME2(__vimax_s, int, short, _relu, ARR_LARGER(N(ARR_LARGER(a, b)), 0))
ARR_EXTREME2(__vimin_s, int, short, _relu, ARR_LARGER(N(ARR_SMALLER(a, b)), 0))
    // clang-format on
