// SPDX-License-Identifier: MIT
// PTX's instructions as functions, which source/ptx.cpp writes instead of asm statements. Embedded where
// a source has one that it translates.

extern "C" int clock_gettime(int, struct timespec*) noexcept(true);

namespace arr_ptx {

template <class T>
constexpr bool is_float = false;
template <>
constexpr bool is_float<float> = true;
template <>
constexpr bool is_float<double> = true;
template <class T>
constexpr bool is_whole = __is_enum(T);
#define ARR_PTX_WHOLE(type) \
  template <>               \
  constexpr bool is_whole<type> = true;
// clang-format off
ARR_PTX_WHOLE(bool) ARR_PTX_WHOLE(char) ARR_PTX_WHOLE(signed char) ARR_PTX_WHOLE(unsigned char) ARR_PTX_WHOLE(short)
ARR_PTX_WHOLE(unsigned short) ARR_PTX_WHOLE(int) ARR_PTX_WHOLE(unsigned) ARR_PTX_WHOLE(long)
ARR_PTX_WHOLE(unsigned long) ARR_PTX_WHOLE(long long) ARR_PTX_WHOLE(unsigned long long)
ARR_PTX_WHOLE(unsigned __int128)
    // clang-format on

    template <unsigned Bytes>
    struct bits_of;
template <>
struct bits_of<16> {
  typedef unsigned __int128 type;
};
template <>
struct bits_of<1> {
  typedef unsigned char type;
};
template <>
struct bits_of<2> {
  typedef unsigned short type;
};
template <>
struct bits_of<4> {
  typedef unsigned type;
};
template <>
struct bits_of<8> {
  typedef unsigned long long type;
};
template <class T>
using bits = typename bits_of<sizeof(T)>::type;

// A register's value as another type: whole numbers are cut or widened, all else keeps its bits.
template <class T, class V>
ARR_INLINE T as(V value) {
  if constexpr (is_whole<T> && is_whole<V>) {
    return T(value);
  } else if constexpr (sizeof(T) == sizeof(V)) {
    T result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
  } else if constexpr (is_float<T> && (is_float<V> || is_whole<V>)) {
    return T(value);  // an operand of the user's that the constraint converts
  } else {
    bits<V> low;
    __builtin_memcpy(&low, &value, sizeof low);
    return as<T>(bits<T>(low));
  }
}
template <class T, class V>
ARR_INLINE void set(T& to, V value) {
  to = as<T>(value);
}
template <class V>
ARR_INLINE void set(bool& to, V value) {
  to = bool(value);
}
// Back to the user's variable.
template <class T, class V>
ARR_INLINE void put(T& to, V value) {
  to = as<T>(value);
}

// clang-format off
#define ARR_PTX2(name, value)                 \
  template <class T>                          \
  ARR_INLINE T name(T a, T b) { return T(value); }
#define ARR_PTX1(name, value)                 \
  template <class T>                          \
  ARR_INLINE T name(T a) { return T(value); }
// clang-format on
// Whole numbers wrap around, so that signs do not matter.
template <class T, class F>
ARR_INLINE T wrapped(T a, T b, F f) {
  if constexpr (is_float<T>)
    return f(a, b);
  else
    return T(f((unsigned long long)a, (unsigned long long)b));
}
ARR_PTX2(add, wrapped(a, b, [](auto x, auto y) { return x + y; }))
ARR_PTX2(sub, wrapped(a, b, [](auto x, auto y) { return x - y; }))
ARR_PTX2(mul, wrapped(a, b, [](auto x, auto y) { return x * y; }))
ARR_PTX2(mul_lo, wrapped(a, b, [](auto x, auto y) { return x * y; }))
template <class T>
constexpr bool is_signed = T(-1) < T(0);
template <class T>
ARR_INLINE T mul_hi(T a, T b) {
  if constexpr (is_signed<T>)
    return T((__int128)a * b >> (8 * sizeof(T)));
  else
    return T((unsigned __int128)a * b >> (8 * sizeof(T)));
}
template <class T>
ARR_INLINE auto mul_wide(T a, T b) {
  if constexpr (sizeof(T) == 2)
    return a * b;
  else if constexpr (is_signed<T>)
    return (long long)a * b;
  else
    return (unsigned long long)a * b;
}
template <class T, class W>
ARR_INLINE W mad_wide(T a, T b, W c) {
  return add<W>(W(mul_wide(a, b)), c);
}
// The middle 32 of 48 bits.
template <class T>
ARR_INLINE T mul24_hi(T a, T b) {
  const long long x = is_signed<T> ? (long long)(int(unsigned(a) << 8) >> 8)
                                   : (long long)(unsigned(a) & 0xffffffu),
                  y = is_signed<T> ? (long long)(int(unsigned(b) << 8) >> 8)
                                   : (long long)(unsigned(b) & 0xffffffu);
  return T(unsigned((unsigned long long)(x * y) >> 16));
}
// Within the type's range.
template <class T>
ARR_INLINE T limited(__int128 x) {
  constexpr __int128 max =
      is_signed<T> ? ((__int128)1 << (8 * sizeof(T) - 1)) - 1 : ((__int128)1 << 8 * sizeof(T)) - 1;
  constexpr __int128 min = is_signed<T> ? -max - 1 : 0;
  return x < min ? T(min) : x > max ? T(max) : T(x);
}
ARR_PTX2(add_sat, limited<T>((__int128)a + b))
ARR_PTX2(sub_sat, limited<T>((__int128)a - b))
template <class T>
ARR_INLINE T mul24_lo(T a, T b) {
  return T(is_signed<T> ? (unsigned)__mul24(int(a), int(b)) : __umul24(unsigned(a), unsigned(b)));
}
// clang-format off
#define ARR_PTX3(name, value)                 \
  template <class T>                          \
  ARR_INLINE T name(T a, T b, T c) { return T(value); }
ARR_PTX3(mad_lo, add(mul_lo(a, b), c)) ARR_PTX3(mad_hi, add(mul_hi(a, b), c)) ARR_PTX3(mad24_lo, add(mul24_lo(a, b), c)) ARR_PTX3(mad24_hi, add(mul24_hi(a, b), c))
ARR_PTX3(sad, add(c, a > b ? sub(a, b) : sub(b, a)))
// Whole numbers by zero: all bits, and the dividend, as GPUs give.
template <class T>
ARR_INLINE T div(T a, T b) {
  if constexpr (is_float<T>) return a / b;
  else return b == 0 ? T(-1) : b == T(-1) && is_signed<T> ? sub(T(0), a) : T(a / b);
}
template <class T>
ARR_INLINE T rem(T a, T b) { return b == 0 ? a : b == T(-1) && is_signed<T> ? T(0) : T(a % b); }
ARR_PTX1(neg, is_float<T> ? -a : sub(T(0), a)) ARR_PTX1(not_, bits<T>(~bits<T>(a))) ARR_PTX1(cnot, a == 0)
ARR_PTX2(and_, bits<T>(as<bits<T>>(a) & as<bits<T>>(b))) ARR_PTX2(or_, bits<T>(as<bits<T>>(a) | as<bits<T>>(b)))
ARR_PTX2(xor_, bits<T>(as<bits<T>>(a) ^ as<bits<T>>(b)))
template <> inline bool not_(bool a) { return !a; }
// clang-format on
template <class T>
ARR_INLINE T abs(T a) {
  if constexpr (is_float<T>)
    return sizeof(T) == 4 ? T(__builtin_fabsf(float(a))) : T(__builtin_fabs(double(a)));
  else
    return a < 0 ? sub(T(0), a) : a;
}
template <class T>
ARR_INLINE T shl(T a, unsigned n) {
  return n >= 8 * sizeof(T) ? T(0) : T(bits<T>(a) << n);
}
template <class T>
ARR_INLINE T shr(T a, unsigned n) {
  const unsigned max_shift = 8 * sizeof(T) - 1;
  return n <= max_shift ? T(a >> n) : is_signed<T> ? T(a >> max_shift) : T(0);
}
// Fields begin at byte values: the low 8 bits of the operands count.
template <class T>
ARR_INLINE T bfe(T a, unsigned first, unsigned length) {
  const unsigned width = 8 * sizeof(T);
  first &= 255u;
  length &= 255u;
  if (length == 0) return T(0);
  const unsigned last = first + length - 1 < width - 1 ? first + length - 1 : width - 1;
  const bool sign = is_signed<T> && (bits<T>(a) >> last & 1u) != 0;
  const bits<T> kept = first >= width ? bits<T>(0) : bits<T>(bits<T>(a) >> first);
  const unsigned there = first >= width ? 0u : last - first + 1 < length ? last - first + 1 : length;
  if (there >= width) return T(kept);
  const bits<T> mask = bits<T>((bits<T>(1) << there) - 1);
  return T(sign ? bits<T>(kept | bits<T>(~mask)) : bits<T>(kept & mask));
}
template <class T>
ARR_INLINE T bfi(T a, T b, unsigned first, unsigned length) {
  const unsigned width = 8 * sizeof(T);
  first &= 255u;
  length &= 255u;
  if (length == 0 || first >= width) return b;
  const bits<T> ones = length >= width ? bits<T>(~bits<T>(0)) : bits<T>((bits<T>(1) << length) - 1);
  const bits<T> mask = bits<T>(ones << first);
  return T((bits<T>(b) & ~mask) | (bits<T>(bits<T>(a) << first) & mask));
}
// From the sign bit that the n-th bit is; a mask of `length` ones from `first` on. wrap: of n's low bits.
template <class T>
ARR_INLINE T szext_clamp(T a, unsigned n) {
  if (n >= 32) return a;
  if (n == 0) return T(0);
  const unsigned up = unsigned(a) << (32 - n);
  return is_signed<T> ? T(int(up) >> (32 - n)) : T(up >> (32 - n));
}
template <class T>
ARR_INLINE T szext_wrap(T a, unsigned n) {
  return szext_clamp<T>(a, n & 31u);
}
ARR_INLINE unsigned bmsk_clamp(unsigned first, unsigned length) {
  const unsigned ones = length >= 32 ? ~0u : (1u << length) - 1u;
  return first >= 32 ? 0u : ones << first;
}
ARR_INLINE unsigned bmsk_wrap(unsigned first, unsigned length) {
  return bmsk_clamp(first & 31u, length & 31u);
}
ARR_INLINE unsigned fns(unsigned mask, unsigned from, int n) { return __fns(mask, from, n); }
template <class T>
ARR_INLINE unsigned popc(T a) {
  return unsigned(__builtin_popcountll(bits<T>(a)));
}
template <class T>
ARR_INLINE unsigned clz(T a) {
  return bits<T>(a) == 0 ? 8 * unsigned(sizeof(T))
                         : unsigned(__builtin_clzll(bits<T>(a))) + 8 * unsigned(sizeof(T)) - 64;
}
template <class T>
ARR_INLINE T brev(T a) {
  return sizeof(T) == 8 ? T(__brevll((unsigned long long)a)) : T(__brev(unsigned(a)));
}
// The highest bit that differs from the sign; ~0 where there is none.
template <class T>
ARR_INLINE unsigned bfind(T a) {
  const bits<T> b = is_signed<T> && a < 0 ? bits<T>(~bits<T>(a)) : bits<T>(a);
  return b == 0 ? ~0u : 8 * unsigned(sizeof(T)) - 1 - clz(b);
}
template <class T>
ARR_INLINE unsigned bfind_shiftamt(T a) {
  const unsigned at = bfind(a);
  return at == ~0u ? at : 8 * unsigned(sizeof(T)) - 1 - at;
}
template <class T>
ARR_INLINE T selp(T a, T b, bool p) {
  return p ? a : b;
}
ARR_INLINE unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned r = 0;
  for (unsigned i = 0; i < 8; i++) {
    const unsigned row = (i & 4u ? a : ~a) & (i & 2u ? b : ~b) & (i & 1u ? c : ~c);
    r |= table >> i & 1u ? row : 0u;
  }
  return r;
}
ARR_INLINE unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  unsigned r = __byte_perm(a, b, selector);
  for (unsigned i = 0; i < 4; i++) {
    const unsigned byte = 255u << (8 * i), sign = 128u << (8 * i);
    if (selector >> (4 * i) & 8u) r = r & sign ? r | byte : r & ~byte;
  }
  return r;
}
// Modes whose selector is a number of 0 to 3.
ARR_INLINE unsigned prmt_f4e(unsigned a, unsigned b, unsigned n) {
  return __byte_perm(a, b, 0x3210u + 0x1111u * (n & 3u));
}
ARR_INLINE unsigned prmt_b4e(unsigned a, unsigned b, unsigned n) {
  const unsigned rows[] = {0x5670u, 0x6701u, 0x7012u, 0x0123u};
  return __byte_perm(a, b, rows[n & 3u]);
}
ARR_INLINE unsigned prmt_rc8(unsigned a, unsigned b, unsigned n) {
  return __byte_perm(a, b, 0x1111u * (n & 3u));
}
ARR_INLINE unsigned prmt_ecl(unsigned a, unsigned b, unsigned n) {
  const unsigned rows[] = {0x3210u, 0x3211u, 0x3222u, 0x3333u};
  return __byte_perm(a, b, rows[n & 3u]);
}
ARR_INLINE unsigned prmt_ecr(unsigned a, unsigned b, unsigned n) {
  const unsigned rows[] = {0x0000u, 0x1110u, 0x2210u, 0x3210u};
  return __byte_perm(a, b, rows[n & 3u]);
}
ARR_INLINE unsigned prmt_rc16(unsigned a, unsigned b, unsigned n) {
  return __byte_perm(a, b, n & 1u ? 0x3232u : 0x1010u);
}
ARR_INLINE unsigned shf_l_wrap(unsigned a, unsigned b, unsigned n) { return __funnelshift_l(a, b, n); }
ARR_INLINE unsigned shf_r_wrap(unsigned a, unsigned b, unsigned n) { return __funnelshift_r(a, b, n); }
ARR_INLINE unsigned shf_l_clamp(unsigned a, unsigned b, unsigned n) { return __funnelshift_lc(a, b, n); }
ARR_INLINE unsigned shf_r_clamp(unsigned a, unsigned b, unsigned n) { return __funnelshift_rc(a, b, n); }

template <class T>
ARR_INLINE T add_carry(T a, T b, unsigned in, unsigned& out) {
  const unsigned __int128 sum = (unsigned __int128)bits<T>(a) + bits<T>(b) + in;
  out = unsigned(sum >> (8 * sizeof(T))) & 1u;
  return T(sum);
}
template <class T>
ARR_INLINE T sub_carry(T a, T b, unsigned in, unsigned& out) {
  const unsigned __int128 rest = (unsigned __int128)bits<T>(a) - bits<T>(b) - in;
  out = unsigned(rest >> (8 * sizeof(T))) & 1u;
  return T(rest);
}

template <class T, class... Parts>
ARR_INLINE T pack(Parts... parts) {
  T whole = 0;
  unsigned at = 0;
  ((whole = T(whole | T(parts) << at), at += 8 * sizeof(parts)), ...);
  return whole;
}
template <class Part, class T>
ARR_INLINE Part unpack(T whole, unsigned k) {
  return Part(whole >> (8 * sizeof(Part) * k));
}

ARR_INLINE unsigned thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
ARR_INLINE unsigned warp() { return thread() / 32; }
ARR_INLINE unsigned warps() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
ARR_INLINE unsigned long long nanoseconds() {
  long long now[2];
  clock_gettime(0, (struct timespec*)now);
  return (unsigned long long)now[0] * 1000000000u + (unsigned long long)now[1];
}

// Bits 8 to 12 of `bounds` are lane bits that stay within a segment, its low bits the last lane of one.
#define ARR_PTX_SHUFFLE(name, source, condition)                                                             \
  ARR_INLINE unsigned shfl_##name(unsigned value, unsigned by, unsigned bounds, unsigned mask, bool& inside, \
                                  ARR_LINE) {                                                                \
    const int lane = int(arr_lane()), b = int(by & 31u), kept = int(bounds >> 8 & 31u);                      \
    const int min_lane = lane & kept, max_lane = min_lane | (int(bounds & 31u) & ~kept);                     \
    (void)min_lane, (void)max_lane;                                                                          \
    const int from = source;                                                                                 \
    inside = condition;                                                                                      \
    return arr_shuffle(mask, value, inside ? from : lane, line);                                             \
  }
ARR_PTX_SHUFFLE(up, lane - b, from >= max_lane)
ARR_PTX_SHUFFLE(down, lane + b, from <= max_lane)
ARR_PTX_SHUFFLE(bfly, lane ^ b, from <= max_lane)
ARR_PTX_SHUFFLE(idx, min_lane | (b & ~kept), from <= max_lane)
}  // namespace arr_ptx
