// SPDX-License-Identifier: MIT
// A type of 16 bits and its pair: __half where ARR_16 is 0, __nv_bfloat16 where it is 1. Arithmetic is in
// float and rounded again, which has the bits of one rounding: float has more than twice the digits, so
// that a sum, quotient or root that is not in the middle of two neighbours is not rounded to it, and products
// are exact. Among numbers as small as float's smallest, which bfloat16 has too: only products under 2^-134,
// half of its smallest number, are inexact, and the next of a quotient to a middle is 2^-142 away. Embedded
// after half.h, once per type.

#if ARR_16 == 0
#define ARR_T __half
#define ARR_T2 __half2
#define ARR_RAW __half_raw
#define ARR_RAW2 __half2_raw
#define ARR_WIDEN arr_half_widen
#define ARR_NARROW16 arr_half_narrow
// The sum is inexact in double only where c is so much larger than the product that the result is near c,
// which is not a midpoint; a product of bfloat16s that is much larger than c may be one.
#define ARR_FUSED16(a, b, c) (double(a.arr_float()) * b.arr_float() + c.arr_float())
struct __nv_bfloat16;
#else
#define ARR_T __nv_bfloat16
#define ARR_T2 __nv_bfloat162
#define ARR_RAW __nv_bfloat16_raw
#define ARR_RAW2 __nv_bfloat162_raw
#define ARR_WIDEN arr_bfloat_widen
#define ARR_NARROW16 arr_bfloat_narrow
#define ARR_FUSED16(a, b, c) arr_sum_to_odd(double(a.arr_float()) * b.arr_float(), c.arr_float())
#endif

struct __attribute__((aligned(2))) ARR_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) ARR_RAW2 {
  unsigned short x, y;
};
// clang-format off
struct ARR_T {
  unsigned short arr_bits;
  ARR_T() = default;
  ARR_MEMBER constexpr ARR_T(const ARR_RAW& r) : arr_bits(r.x) {}
  ARR_MEMBER ARR_T(float v) : arr_bits(ARR_NARROW16(v)) {}
  ARR_MEMBER ARR_T(double v) : ARR_T(arr_round_to_odd(v)) {}
  ARR_MEMBER ARR_T(int v) : ARR_T(double(v)) {}
  ARR_MEMBER ARR_T(unsigned v) : ARR_T(double(v)) {}
  ARR_MEMBER ARR_T(short v) : ARR_T(float(v)) {}
  ARR_MEMBER ARR_T(unsigned short v) : ARR_T(float(v)) {}
  ARR_MEMBER ARR_T(long long v) : ARR_T(arr_whole_to_odd(v)) {}
  ARR_MEMBER ARR_T(unsigned long long v) : ARR_T(arr_whole_to_odd(v)) {}
  ARR_MEMBER ARR_T(long v) : ARR_T((long long)v) {}
  ARR_MEMBER ARR_T(unsigned long v) : ARR_T((unsigned long long)v) {}
#if ARR_16 == 0
  ARR_MEMBER explicit ARR_T(__nv_bfloat16 v);
#elif defined(ARR_HALF)
  ARR_MEMBER explicit ARR_T(__half v) : ARR_T(v.arr_float()) {}
#endif
  ARR_MEMBER ARR_T& operator=(const ARR_RAW& r) { arr_bits = r.x; return *this; }
  ARR_MEMBER volatile ARR_T& operator=(const ARR_RAW& r) volatile { arr_bits = r.x; return *this; }
  ARR_MEMBER volatile ARR_T& operator=(const volatile ARR_RAW& r) volatile { arr_bits = r.x; return *this; }
  ARR_MEMBER operator ARR_RAW() const { return {arr_bits}; }
  ARR_MEMBER operator ARR_RAW() const volatile { return {arr_bits}; }
  // By these three what follows does without a choice among constructors and conversions, which takes time.
  ARR_MEMBER float arr_float() const { return ARR_WIDEN(arr_bits); }
  static ARR_MEMBER ARR_T arr_of(float v) { ARR_T r; r.arr_bits = ARR_NARROW16(v); return r; }
  static ARR_MEMBER ARR_T arr_from(unsigned short bits) { ARR_T r; r.arr_bits = bits; return r; }
  ARR_MEMBER operator float() const { return arr_float(); }
  ARR_MEMBER operator int() const { return __float2int_rz(arr_float()); }
  ARR_MEMBER operator unsigned() const { return __float2uint_rz(arr_float()); }
  ARR_MEMBER operator long() const { return (long)operator long long(); }
  ARR_MEMBER operator unsigned long() const { return (unsigned long)operator unsigned long long(); }
  ARR_MEMBER operator long long() const { return arr_is_nan() ? -9223372036854775807LL - 1 : __float2ll_rz(arr_float()); }
  ARR_MEMBER operator unsigned long long() const { return arr_is_nan() ? 1ull << 63 : __float2ull_rz(arr_float()); }
  ARR_MEMBER operator short() const { return arr_between<short>(__float2int_rz(arr_float()), -32768, 32767); }
  ARR_MEMBER operator unsigned short() const { return arr_between<unsigned short>(__float2int_rz(arr_float()), 0, 65535); }
  ARR_MEMBER operator signed char() const { return arr_between<signed char>(__float2int_rz(arr_float()), -128, 127); }
  ARR_MEMBER operator unsigned char() const { return arr_between<unsigned char>(__float2int_rz(arr_float()), 0, 255); }
  ARR_MEMBER operator char() const { return char(-1) < 0 ? char(operator signed char()) : char(operator unsigned char()); }
  ARR_MEMBER constexpr operator bool() const { return (arr_bits & 0x7fffu) != 0; }
  ARR_MEMBER bool arr_is_nan() const { return (arr_bits & 0x7fffu) > (ARR_16 == 0 ? 0x7c00u : 0x7f80u); }
};
#if ARR_16 == 1 && defined(ARR_HALF)
ARR_MEMBER __half::__half(__nv_bfloat16 v) : __half(v.arr_float()) {}
#endif

ARR_INLINE ARR_T operator+(const ARR_T& a, const ARR_T& b) { return ARR_T::arr_of(a.arr_float() + b.arr_float()); }
ARR_INLINE ARR_T operator-(const ARR_T& a, const ARR_T& b) { return ARR_T::arr_of(a.arr_float() - b.arr_float()); }
ARR_INLINE ARR_T operator*(const ARR_T& a, const ARR_T& b) { return ARR_T::arr_of(a.arr_float() * b.arr_float()); }
ARR_INLINE ARR_T operator/(const ARR_T& a, const ARR_T& b) { return ARR_T::arr_of(a.arr_float() / b.arr_float()); }
ARR_INLINE ARR_T& operator+=(ARR_T& a, const ARR_T& b) { return a = a + b; }
ARR_INLINE ARR_T& operator-=(ARR_T& a, const ARR_T& b) { return a = a - b; }
ARR_INLINE ARR_T& operator*=(ARR_T& a, const ARR_T& b) { return a = a * b; }
ARR_INLINE ARR_T& operator/=(ARR_T& a, const ARR_T& b) { return a = a / b; }
ARR_INLINE ARR_T operator-(const ARR_T& a) { return ARR_T::arr_from((unsigned short)(a.arr_bits ^ 0x8000u)); }
ARR_INLINE ARR_T operator+(const ARR_T& a) { return a; }
ARR_INLINE ARR_T& operator++(ARR_T& a) { return a = a + ARR_T::arr_of(1.0f); }
ARR_INLINE ARR_T& operator--(ARR_T& a) { return a = a - ARR_T::arr_of(1.0f); }
ARR_INLINE ARR_T operator++(ARR_T& a, int) { const ARR_T before = a; ++a; return before; }
ARR_INLINE ARR_T operator--(ARR_T& a, int) { const ARR_T before = a; --a; return before; }
ARR_INLINE bool operator==(const ARR_T& a, const ARR_T& b) { return a.arr_float() == b.arr_float(); }
ARR_INLINE bool operator!=(const ARR_T& a, const ARR_T& b) { return a.arr_float() != b.arr_float(); }
ARR_INLINE bool operator<(const ARR_T& a, const ARR_T& b) { return a.arr_float() < b.arr_float(); }
ARR_INLINE bool operator>(const ARR_T& a, const ARR_T& b) { return a.arr_float() > b.arr_float(); }
ARR_INLINE bool operator<=(const ARR_T& a, const ARR_T& b) { return a.arr_float() <= b.arr_float(); }
ARR_INLINE bool operator>=(const ARR_T& a, const ARR_T& b) { return a.arr_float() >= b.arr_float(); }

struct __attribute__((aligned(4))) ARR_T2 {
  ARR_T x, y;
  ARR_T2() = default;
  ARR_MEMBER constexpr ARR_T2(const ARR_T& a, const ARR_T& b) : x(a), y(b) {}
  ARR_MEMBER ARR_T2(const ARR_RAW2& r) : x(ARR_RAW{r.x}), y(ARR_RAW{r.y}) {}
  ARR_MEMBER operator ARR_RAW2() const { return {x.arr_bits, y.arr_bits}; }
};
ARR_INLINE ARR_T2 operator+(const ARR_T2& a, const ARR_T2& b) { return {a.x + b.x, a.y + b.y}; }
ARR_INLINE ARR_T2 operator-(const ARR_T2& a, const ARR_T2& b) { return {a.x - b.x, a.y - b.y}; }
ARR_INLINE ARR_T2 operator*(const ARR_T2& a, const ARR_T2& b) { return {a.x * b.x, a.y * b.y}; }
ARR_INLINE ARR_T2 operator/(const ARR_T2& a, const ARR_T2& b) { return {a.x / b.x, a.y / b.y}; }
ARR_INLINE ARR_T2& operator+=(ARR_T2& a, const ARR_T2& b) { return a = a + b; }
ARR_INLINE ARR_T2& operator-=(ARR_T2& a, const ARR_T2& b) { return a = a - b; }
ARR_INLINE ARR_T2& operator*=(ARR_T2& a, const ARR_T2& b) { return a = a * b; }
ARR_INLINE ARR_T2& operator/=(ARR_T2& a, const ARR_T2& b) { return a = a / b; }
ARR_INLINE ARR_T2 operator-(const ARR_T2& a) { return {-a.x, -a.y}; }
ARR_INLINE ARR_T2 operator+(const ARR_T2& a) { return a; }
ARR_INLINE ARR_T2& operator++(ARR_T2& a) { ++a.x, ++a.y; return a; }
ARR_INLINE ARR_T2& operator--(ARR_T2& a) { --a.x, --a.y; return a; }
ARR_INLINE ARR_T2 operator++(ARR_T2& a, int) { const ARR_T2 before = a; ++a; return before; }
ARR_INLINE ARR_T2 operator--(ARR_T2& a, int) { const ARR_T2 before = a; --a; return before; }
// A comparison holds if it holds for both parts.
ARR_INLINE bool operator==(const ARR_T2& a, const ARR_T2& b) { return a.x == b.x && a.y == b.y; }
ARR_INLINE bool operator!=(const ARR_T2& a, const ARR_T2& b) { return a.x != b.x && a.y != b.y; }
ARR_INLINE bool operator<(const ARR_T2& a, const ARR_T2& b) { return a.x < b.x && a.y < b.y; }
ARR_INLINE bool operator>(const ARR_T2& a, const ARR_T2& b) { return a.x > b.x && a.y > b.y; }
ARR_INLINE bool operator<=(const ARR_T2& a, const ARR_T2& b) { return a.x <= b.x && a.y <= b.y; }
ARR_INLINE bool operator>=(const ARR_T2& a, const ARR_T2& b) { return a.x >= b.x && a.y >= b.y; }
// clang-format on
