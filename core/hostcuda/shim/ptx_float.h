// SPDX-License-Identifier: MIT
// PTX's instructions for floating-point numbers, its comparisons and conversions, as functions. Embedded
// behind ptx.h.

namespace arr_ptx {

template <class T>
constexpr bool is_small = false;  // of 16 bits; see ptx_half.h

// Subnormal numbers as zero of the same sign.
ARR_INLINE float ftz(float x) {
  const unsigned u = as<unsigned>(x);
  return as<float>((u & 0x7f800000u) == 0 ? u & 0x80000000u : u);
}
template <class T>
ARR_INLINE T saturated(T x) {
  return x > T(0) ? x < T(1) ? x : T(1) : T(0);
}

// Each instruction is rounded by itself.
// clang-format off
#define ARR_PTX_ROUNDED2(name, mode, single, two)                          \
  template <class T>                                                       \
  ARR_INLINE T name##_##mode(T a, T b) {                                   \
    if constexpr (sizeof(T) == 4) return single(a, b); else return two(a, b); \
  }
#define ARR_PTX_ROUNDED1(name, mode, single, two)                          \
  template <class T>                                                       \
  ARR_INLINE T name##_##mode(T a) {                                        \
    if constexpr (sizeof(T) == 4) return single(a); else return two(a);    \
  }
#define ARR_PTX_ROUNDED3(name, mode, single, two)                          \
  template <class T>                                                       \
  ARR_INLINE T name##_##mode(T a, T b, T c) {                              \
    if constexpr (sizeof(T) == 4) return single(a, b, c); else return two(a, b, c); \
  }
#define ARR_PTX_ROUNDED(mode, cuda)                                                                        \
  ARR_PTX_ROUNDED2(add, mode, __fadd_##cuda, __dadd_##cuda) ARR_PTX_ROUNDED2(sub, mode, __fsub_##cuda, __dsub_##cuda) \
  ARR_PTX_ROUNDED2(mul, mode, __fmul_##cuda, __dmul_##cuda)
#define ARR_PTX_DIRECTED(mode, cuda)                                                                       \
  ARR_PTX_ROUNDED(mode, cuda)                                                                              \
  ARR_PTX_ROUNDED2(div, mode, __fdiv_##cuda, __ddiv_##cuda)                                                \
  ARR_PTX_ROUNDED1(rcp, mode, __frcp_##cuda, __drcp_##cuda) ARR_PTX_ROUNDED1(sqrt, mode, __fsqrt_##cuda, __dsqrt_##cuda) \
  ARR_PTX_ROUNDED3(fma, mode, __fmaf_##cuda, __fma_##cuda) ARR_PTX_ROUNDED3(mad, mode, __fmaf_##cuda, __fma_##cuda)
ARR_PTX_ROUNDED(rn, rn)
ARR_PTX_DIRECTED(rz, rz) ARR_PTX_DIRECTED(rm, rd) ARR_PTX_DIRECTED(rp, ru)
ARR_PTX_ROUNDED3(fma, rn, ::fmaf, ::fma) ARR_PTX_ROUNDED3(mad, rn, ::fmaf, ::fma)
ARR_PTX3(mad, mad_rn(a, b, c))
ARR_PTX2(div_rn, a / b)

#define ARR_PTX_MATH(name, single, two)                     \
  template <class T>                                        \
  ARR_INLINE T name(T a) {                                  \
    if constexpr (sizeof(T) == 4) return single(a);         \
    else return two(a);                                     \
  }
ARR_PTX1(rcp, T(1) / a) ARR_PTX1(rcp_rn, T(1) / a)
ARR_PTX_MATH(sqrt, ::sqrtf, ::sqrt) ARR_PTX_MATH(sqrt_rn, ::sqrtf, ::sqrt) ARR_PTX_MATH(rsqrt, ::rsqrtf, ::rsqrt)
ARR_PTX_MATH(ex2, ::exp2f, ::exp2) ARR_PTX_MATH(lg2, ::log2f, ::log2) ARR_PTX_MATH(sin, ::sinf, ::sin)
ARR_PTX_MATH(cos, ::cosf, ::cos) ARR_PTX_MATH(tanh, ::tanhf, ::tanh)
// The sign is the first operand's.
ARR_PTX2(copysign, sizeof(T) == 4 ? T(__builtin_copysignf(float(b), float(a)))
                                  : T(__builtin_copysign(double(b), double(a))))
    // clang-format on

    // Two floats, each by itself.
    struct alignas(8) floats2 {
  float x, y;
};
ARR_INLINE floats2 ftz(floats2 p) { return {ftz(p.x), ftz(p.y)}; }
// clang-format off
#define ARR_PTX_FLOATS2(name) \
  template <class T> ARR_INLINE T floats_##name(T a, T b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define ARR_PTX_FLOATS(mode)                                                                  \
  ARR_PTX_FLOATS2(add##mode) ARR_PTX_FLOATS2(sub##mode) ARR_PTX_FLOATS2(mul##mode)
ARR_PTX_FLOATS() ARR_PTX_FLOATS(_rn) ARR_PTX_FLOATS(_rz) ARR_PTX_FLOATS(_rm) ARR_PTX_FLOATS(_rp)
#define ARR_PTX_FLOATS3(name) \
  template <class T> ARR_INLINE T floats_##name(T a, T b, T c) { return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)}; }
ARR_PTX_FLOATS3(fma_rn) ARR_PTX_FLOATS3(fma_rz) ARR_PTX_FLOATS3(fma_rm) ARR_PTX_FLOATS3(fma_rp)
    // clang-format on

    // The result of a NaN and a number is the number; of two zeros -0 is the smaller one.
    template <class T>
    ARR_INLINE T min_or_max(T a, T b, bool larger) {
  if constexpr (is_float<T>) {
    const bits<T> x = as<bits<T>>(a), y = as<bits<T>>(b);
    const T equal = as<T>(larger ? bits<T>(x & y) : bits<T>(x | y));
    const T ordered = (larger ? a > b : a < b) || b != b ? a : b;
    return a == b             ? equal
           : a != a && b != b ? as<T>(sizeof(T) == 4 ? bits<T>(0x7fffffffu) : bits<T>(0x7fffffffffffffffull))
                              : ordered;
  } else {
    return larger ? (a > b ? a : b) : (a < b ? a : b);
  }
}
ARR_PTX2(min, min_or_max(a, b, false))
ARR_PTX2(max, min_or_max(a, b, true))
ARR_PTX2(min_relu, max(min(a, b), T(0)))
ARR_PTX2(max_relu, max(max(a, b), T(0)))
template <class T>
ARR_INLINE T either_nan(T a, T b, T otherwise) {
  return a != a || b != b ? as<T>(0x7fffffffu) : otherwise;
}
ARR_PTX2(min_NaN, either_nan(a, b, min(a, b)))
ARR_PTX2(max_NaN, either_nan(a, b, max(a, b)))
// The magnitudes', with the sign that a product would have.
template <class T>
ARR_INLINE T with_product_sign(T a, T b, T x) {
  return x != x
             ? x
             : as<T>((as<unsigned>(x) & 0x7fffffffu) | ((as<unsigned>(a) ^ as<unsigned>(b)) & 0x80000000u));
}
ARR_PTX2(min_xorsign_abs, with_product_sign(a, b, min(abs(a), abs(b))))
ARR_PTX2(max_xorsign_abs, with_product_sign(a, b, max(abs(a), abs(b))))

template <class T>
struct alignas(4) halfwords {
  T x, y;
};
// clang-format off
#define ARR_PTX_HALFWORDS(name, value)                                       \
  template <class P>                                                         \
  ARR_INLINE P halfwords_##name(P p, P q) {                                  \
    const auto f = [](auto a, auto b) { return decltype(a)(value); };        \
    return {f(p.x, q.x), f(p.y, q.y)};                                       \
  }
ARR_PTX_HALFWORDS(add, a + b) ARR_PTX_HALFWORDS(min, a < b ? a : b) ARR_PTX_HALFWORDS(max, a > b ? a : b)
ARR_PTX_HALFWORDS(min_relu, (a < b ? a : b) < 0 ? 0 : (a < b ? a : b))
ARR_PTX_HALFWORDS(max_relu, (a > b ? a : b) < 0 ? 0 : (a > b ? a : b))
    // clang-format on

    // The exponent's bits, and whether there are any behind.
    template <class T>
    ARR_INLINE bits<T> exponent(T a) {
  constexpr unsigned digits = sizeof(T) == 4 ? 23 : 52;
  return bits<T>(as<bits<T>>(a) << 1 >> (digits + 1));
}
template <class T>
constexpr bits<T> max_exponent = sizeof(T) == 4 ? bits<T>(255) : bits<T>(2047);
// clang-format off
#define ARR_PTX_TEST(name, value)                           \
  template <class T>                                        \
  ARR_INLINE bool testp_##name(T a) { return value; }
ARR_PTX_TEST(finite, exponent(a) != max_exponent<T>) ARR_PTX_TEST(infinite, a == a && exponent(a) == max_exponent<T>)
ARR_PTX_TEST(number, a == a) ARR_PTX_TEST(notanumber, a != a)
ARR_PTX_TEST(normal, exponent(a) != max_exponent<T> && exponent(a) != 0)
ARR_PTX_TEST(subnormal, exponent(a) == 0 && a != T(0))

// Comparisons; those that end in u are true of NaNs too.
#define ARR_PTX_COMPARE(name, value)                        \
  template <class T>                                        \
  ARR_INLINE bool setp_##name(T a, T b) { return value; }
ARR_PTX_COMPARE(eq, a == b) ARR_PTX_COMPARE(ne, a < b || a > b) ARR_PTX_COMPARE(lt, a < b) ARR_PTX_COMPARE(le, a <= b)
ARR_PTX_COMPARE(gt, a > b) ARR_PTX_COMPARE(ge, a >= b) ARR_PTX_COMPARE(lo, a < b) ARR_PTX_COMPARE(ls, a <= b)
ARR_PTX_COMPARE(hi, a > b) ARR_PTX_COMPARE(hs, a >= b) ARR_PTX_COMPARE(equ, !(a < b || a > b))
ARR_PTX_COMPARE(neu, a != b) ARR_PTX_COMPARE(ltu, !(a >= b)) ARR_PTX_COMPARE(leu, !(a > b))
ARR_PTX_COMPARE(gtu, !(a <= b)) ARR_PTX_COMPARE(geu, !(a < b)) ARR_PTX_COMPARE(num, a == a && b == b)
ARR_PTX_COMPARE(nan, a != a || b != b)
    // clang-format on

    // A number with no more bits than float that rounds as x does, and a number rounded to 16 bits.
    template <class From>
    ARR_INLINE float to_odd(From x);
template <class To>
ARR_INLINE To narrowed(float x, int rounding);

template <int Whole, class T>
ARR_INLINE T rounded_to_whole(T x) {
  const double d = double(x);
  return T(Whole == 'n'   ? __builtin_rint(d)
           : Whole == 'z' ? __builtin_trunc(d)
           : Whole == 'm' ? __builtin_floor(d)
           : Whole == 'p' ? __builtin_ceil(d)
                          : d);
}
// NaN becomes 0, or where one of the two has 64 bits the number with the highest bit alone.
template <class To, class From>
ARR_INLINE To whole_of(From x) {
  constexpr To min_value = is_signed<To> ? To(To(1) << (8 * sizeof(To) - 1)) : To(0),
               max_value = To(~min_value);
  constexpr bool wide = sizeof(To) == 8 || sizeof(From) == 8;
  if (x != x) return wide ? To(bits<To>(1) << (8 * sizeof(To) - 1)) : To(0);
  const double w = double(x);
  return w <= double(min_value) ? min_value : w >= double(max_value) ? max_value : To(w);
}
template <class To, int Rounding, class From>
ARR_INLINE To float_of(From x) {
  if constexpr (Rounding == 'n' || (is_float<From> && sizeof(From) <= sizeof(To)))
    return To(x);
  else if constexpr (is_float<From>)
    return Rounding == 'z'   ? __double2float_rz(x)
           : Rounding == 'm' ? __double2float_rd(x)
                             : __double2float_ru(x);
  else if constexpr (sizeof(To) == 8 && is_signed<From>)
    return Rounding == 'z' ? __ll2double_rz(x) : Rounding == 'm' ? __ll2double_rd(x) : __ll2double_ru(x);
  else if constexpr (sizeof(To) == 8)
    return Rounding == 'z' ? __ull2double_rz(x) : Rounding == 'm' ? __ull2double_rd(x) : __ull2double_ru(x);
  else if constexpr (is_signed<From>)
    return Rounding == 'z' ? __ll2float_rz(x) : Rounding == 'm' ? __ll2float_rd(x) : __ll2float_ru(x);
  else
    return Rounding == 'z' ? __ull2float_rz(x) : Rounding == 'm' ? __ull2float_rd(x) : __ull2float_ru(x);
}
// Whole: how a fraction is dropped ('n', 'z', 'm', 'p'), 0 where it is kept.
template <class To, int Whole, int Rounding, bool Saturated, bool Relu, class From>
ARR_INLINE To convert(From x) {
  if constexpr (is_small<From>) {
    return convert<To, Whole, Rounding, Saturated, Relu>(x.arr_float());
  } else if constexpr (is_small<To>) {
    float f = to_odd(x);
    if constexpr (Whole != 0) f = rounded_to_whole<Whole>(f);
    if constexpr (Saturated) f = saturated(f);
    if constexpr (Relu) f = f > 0 || f != f ? f : 0.0f;
    return narrowed<To>(f, Rounding);
  } else if constexpr (is_float<To>) {
    const To r = Whole != 0 ? To(rounded_to_whole<Whole>(x)) : float_of<To, Rounding>(x);
    return Saturated ? saturated(r) : r;
  } else if constexpr (is_float<From>) {
    return whole_of<To>(rounded_to_whole<Whole>(x));
  } else {
    return Saturated ? limited<To>(x) : To(x);
  }
}
// The nearest with 10 bits behind the point: halves go away from zero, or to the even one.
template <bool Even>
ARR_INLINE unsigned to_tf32(float x) {
  const unsigned u = as<unsigned>(x);
  if ((u & 0x7f800000u) == 0x7f800000u) return x != x ? 0x7fffe000u : u;
  return (u + (Even ? 0xfffu + (u >> 13 & 1u) : 0x1000u)) & 0xffffe000u;
}
}  // namespace arr_ptx
