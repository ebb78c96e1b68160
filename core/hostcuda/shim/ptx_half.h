// SPDX-License-Identifier: MIT
// PTX's instructions for half and bfloat16 numbers and pairs of them, as functions. Embedded behind
// ptx_float.h where a source uses them.

namespace arr_ptx {

typedef __half half;
typedef __nv_bfloat16 bfloat;
template <class T>
struct alignas(2 * sizeof(T)) pair {
  T x, y;
};
typedef pair<half> half2;
typedef pair<bfloat> bfloat2;
template <>
constexpr bool is_small<half> = true;
template <>
constexpr bool is_small<bfloat> = true;

template <class From>
ARR_INLINE float to_odd(From x) {
  if constexpr (is_float<From>)
    return sizeof(From) == 4 ? float(x) : arr_round_to_odd(double(x));
  else if constexpr (is_signed<From>)
    return arr_round_to_odd(arr_whole_to_odd((long long)x));
  else
    return arr_round_to_odd(arr_whole_to_odd((unsigned long long)x));
}
template <class To>
ARR_INLINE To narrowed(float x, int rounding) {
  return arr_rounded<To>(x, rounding == 'n'   ? arr_rn
                            : rounding == 'z' ? arr_rz
                            : rounding == 'm' ? arr_rd
                                              : arr_ru);
}

ARR_INLINE half ftz(half x) {
  return half::arr_from((unsigned short)((x.arr_bits & 0x7c00u) == 0 ? x.arr_bits & 0x8000u : x.arr_bits));
}
ARR_INLINE bfloat ftz(bfloat x) {
  return bfloat::arr_from((unsigned short)((x.arr_bits & 0x7f80u) == 0 ? x.arr_bits & 0x8000u : x.arr_bits));
}
ARR_INLINE half saturated(half x) { return half::arr_of(saturated(x.arr_float())); }
ARR_INLINE bfloat saturated(bfloat x) { return bfloat::arr_of(saturated(x.arr_float())); }
template <class T>
ARR_INLINE pair<T> ftz(pair<T> p) {
  return {ftz(p.x), ftz(p.y)};
}
template <class T>
ARR_INLINE pair<T> saturated(pair<T> p) {
  return {saturated(p.x), saturated(p.y)};
}
ARR_INLINE half fused(half a, half b, half c) {
  return half(double(a.arr_float()) * b.arr_float() + c.arr_float());
}
ARR_INLINE bfloat fused(bfloat a, bfloat b, bfloat c) {
  return bfloat(arr_sum_to_odd(double(a.arr_float()) * b.arr_float(), c.arr_float()));
}

template <class T, class F, class... A>
ARR_INLINE T in_lanes(F f, A... a) {
  if constexpr (is_small<T>)
    return f(a...);
  else
    return {f(a.x...), f(a.y...)};
}
// By the same instruction of float, whose result has 16 bits too or is rounded to them.
template <class T, class F>
ARR_INLINE T through_float(F f, T a, T b) {
  const float r = f(a.arr_float(), b.arr_float());
  return r != r ? T::arr_from(0x7fffu) : T::arr_of(r);
}
// clang-format off
#define ARR_PTX_HALF1(name, value) \
  template <class T> ARR_INLINE T half_##name(T p) { return in_lanes<T>([](auto a) { return value; }, p); }
#define ARR_PTX_HALF2(name, value) \
  template <class T> ARR_INLINE T half_##name(T p, T q) { return in_lanes<T>([](auto a, auto b) { return value; }, p, q); }
#define ARR_PTX_HALF3(name, value) \
  template <class T> ARR_INLINE T half_##name(T p, T q, T r) { return in_lanes<T>([](auto a, auto b, auto c) { return value; }, p, q, r); }
ARR_PTX_HALF2(add, a + b) ARR_PTX_HALF2(sub, a - b) ARR_PTX_HALF2(mul, a * b) ARR_PTX_HALF3(fma, fused(a, b, c))
ARR_PTX_HALF3(fma_relu, through_float([](float x, float y) { return x > y || x != x ? x : y; }, fused(a, b, c), decltype(a)::arr_of(0.0f)))
ARR_PTX_HALF1(neg, -a) ARR_PTX_HALF1(abs, decltype(a)::arr_from((unsigned short)(a.arr_bits & 0x7fffu)))
ARR_PTX_HALF2(min, through_float([](float x, float y) { return min(x, y); }, a, b))
ARR_PTX_HALF2(max, through_float([](float x, float y) { return max(x, y); }, a, b))
ARR_PTX_HALF2(min_NaN, through_float([](float x, float y) { return min_NaN(x, y); }, a, b))
ARR_PTX_HALF2(max_NaN, through_float([](float x, float y) { return max_NaN(x, y); }, a, b))
ARR_PTX_HALF1(tanh, through_float([](float x, float) { return ::tanhf(x); }, a, a))
ARR_PTX_HALF1(ex2, through_float([](float x, float) { return ::exp2f(x); }, a, a))
    // clang-format on
    template <class T>
    ARR_INLINE T add_halves(T* address, T value) {
  return arr_update(address, [=](T old) { return half_add<T>(old, value); });
}
// One, or all bits of a half, where the comparison holds.
template <bool Numbers, class F, class T>
ARR_INLINE unsigned compared_pairs(F f, pair<T> a, pair<T> b) {
  const unsigned yes = Numbers ? T::arr_of(1.0f).arr_bits : 0xffffu;
  return (f(a.x, b.x) ? yes : 0u) | (f(a.y, b.y) ? yes : 0u) << 16;
}
}  // namespace arr_ptx
