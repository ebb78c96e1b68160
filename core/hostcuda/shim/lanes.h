// SPDX-License-Identifier: MIT
// Integers in parts of a word: CUDA's functions of two halfwords or four bytes (__vadd2 ...), dot products,
// shifts over two words and the n-th set bit. Embedded before every kernel source.

// Lanes of type T, as many as go into 32 bits; f has ints or unsigned, its result is cut to the lane.
template <class T, class F>
ARR_INLINE unsigned arr_lanes(unsigned a, unsigned b, F f) {
  constexpr int bits = 8 * sizeof(T);
  unsigned r = 0;
  for (int i = 0; i < 32; i += bits)
    r |= (unsigned(f(int(T(a >> i)), int(T(b >> i)))) & ((1u << bits) - 1)) << i;
  return r;
}
template <class T>
ARR_INLINE int arr_clamped(int x) {
  constexpr int bits = 8 * sizeof(T);
  constexpr int min = T(-1) < T(0) ? -(1 << (bits - 1)) : 0, max = min + (1 << bits) - 1;
  return x < min ? min : x > max ? max : x;
}

// clang-format off
#define ARR_LANES2(name, T, value) \
  ARR_INLINE unsigned name(unsigned a, unsigned b) { typedef T L; return arr_lanes<L>(a, b, [](int x, int y) { return value; }); }
#define ARR_LANES1(name, T, value) \
  ARR_INLINE unsigned name(unsigned a) { typedef T L; return arr_lanes<L>(a, a, [](int x, int) { return value; }); }
#define ARR_COMPARED(n, name, T, op)                    \
  ARR_LANES2(__vcmp##name##n, T, x op y ? -1 : 0)             \
  ARR_LANES2(__vset##name##n, T, x op y)
#define ARR_SUMMED(name, T)                                                  \
  ARR_INLINE unsigned name(unsigned a, unsigned b) {                         \
    typedef T L;                                                             \
    unsigned sum = 0;                                                        \
    for (unsigned i = 0; i < 32; i += 8 * sizeof(L)) {                       \
      const int d = int(L(a >> i)) - int(L(b >> i));                         \
      sum += unsigned(d < 0 ? -d : d);                                       \
    }                                                                        \
    return sum;                                                              \
  }
#define ARR_PARTS(n, S, U)                                                                       \
  ARR_LANES2(__vadd##n, U, x + y) ARR_LANES2(__vaddss##n, S, arr_clamped<L>(x + y))              \
  ARR_LANES2(__vaddus##n, U, arr_clamped<L>(x + y)) ARR_LANES2(__vsub##n, U, x - y)              \
  ARR_LANES2(__vsubss##n, S, arr_clamped<L>(x - y)) ARR_LANES2(__vsubus##n, U, arr_clamped<L>(x - y)) \
  ARR_LANES1(__vabs##n, S, x < 0 ? -x : x) ARR_LANES1(__vabsss##n, S, arr_clamped<L>(x < 0 ? -x : x)) \
  ARR_LANES1(__vneg##n, S, -x) ARR_LANES1(__vnegss##n, S, arr_clamped<L>(-x))                    \
  ARR_LANES2(__vabsdiffs##n, S, x > y ? x - y : y - x) ARR_LANES2(__vabsdiffu##n, U, x > y ? x - y : y - x) \
  ARR_LANES2(__vmaxs##n, S, x > y ? x : y) ARR_LANES2(__vmaxu##n, U, x > y ? x : y)              \
  ARR_LANES2(__vmins##n, S, x < y ? x : y) ARR_LANES2(__vminu##n, U, x < y ? x : y)              \
  ARR_LANES2(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1) /* halves away from 0 */                \
  ARR_LANES2(__vavgu##n, U, (x + y + 1) >> 1) ARR_LANES2(__vhaddu##n, U, (x + y) >> 1)           \
  ARR_COMPARED(n, eq, U, ==) ARR_COMPARED(n, ne, U, !=)                              \
  ARR_COMPARED(n, ges, S, >=) ARR_COMPARED(n, geu, U, >=)                            \
  ARR_COMPARED(n, gts, S, >) ARR_COMPARED(n, gtu, U, >)                              \
  ARR_COMPARED(n, les, S, <=) ARR_COMPARED(n, leu, U, <=)                            \
  ARR_COMPARED(n, lts, S, <) ARR_COMPARED(n, ltu, U, <)                              \
  ARR_SUMMED(__vsads##n, S) ARR_SUMMED(__vsadu##n, U)
ARR_PARTS(2, short, unsigned short)
ARR_PARTS(4, signed char, unsigned char)

// Sums of products of A's lanes with B's bytes, the first of them `from`; wrapping.
template <class A, class B>
ARR_INLINE unsigned arr_dot(unsigned a, unsigned b, unsigned c, int from) {
  for (int i = 0; i < int(4 / sizeof(A)); i++)
    c += unsigned(int(A(a >> (8 * sizeof(A) * i))) * int(B(b >> (8 * (from + i)))));
  return c;
}
#define ARR_DOT(name, word, A, B, A2, B4, from)                                               \
  ARR_INLINE word name(word a, word b, word c) {                                              \
    return word(arr_dot<A, B>(unsigned(a), unsigned(b), unsigned(c), from));                  \
  }                                                                                           \
  ARR_INLINE word name(A2 a, B4 b, word c) { return name(word(arr_to_bits(a)), word(arr_to_bits(b)), c); }
ARR_DOT(__dp4a, int, signed char, signed char, char4, char4, 0)
ARR_DOT(__dp4a, unsigned, unsigned char, unsigned char, uchar4, uchar4, 0)
ARR_DOT(__dp2a_lo, int, short, signed char, short2, char4, 0)
ARR_DOT(__dp2a_lo, unsigned, unsigned short, unsigned char, ushort2, uchar4, 0)
ARR_DOT(__dp2a_hi, int, short, signed char, short2, char4, 2)
ARR_DOT(__dp2a_hi, unsigned, unsigned short, unsigned char, ushort2, uchar4, 2)
// clang-format on

ARR_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
ARR_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}
// The n-th set bit from `from` on, upwards for n > 0, downwards for n < 0; ~0: there is none.
ARR_INLINE unsigned __fns(unsigned mask, unsigned from, int n) {
  if (n == 0) return from < 32 && (mask >> from & 1u) ? from : ~0u;
  const int step = n > 0 ? 1 : -1;
  for (int at = int(from), left = n > 0 ? n : -n; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1u) && --left == 0) return unsigned(at);
  return ~0u;
}
