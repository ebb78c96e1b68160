// SPDX-License-Identifier: MIT
// The functions that the formulas of core/table name, for every scalar type they are defined for, in the
// subset of C++ that the host compiler and NVRTC both take. It includes nothing: a file that includes it
// includes scalar.h and libm.h first. It is part of every generated CUDA kernel.
#ifndef ARR_MATH_MATH_H
#define ARR_MATH_MATH_H

// ------------------------------------------------------------------------------------ properties

template <class T>
struct arr_is_float {
  static const bool value = false;
};
template <>
struct arr_is_float<float> {
  static const bool value = true;
};
template <>
struct arr_is_float<double> {
  static const bool value = true;
};
template <class T>
struct arr_is_complex {
  static const bool value = false;
};
template <class F>
struct arr_is_complex<arr_cplx<F>> {
  static const bool value = true;
};
template <class T>
struct arr_is_signed {
  static const bool value = T(-1) < T(0);
};
template <>
struct arr_is_signed<bool> {
  static const bool value = false;
};
// The unsigned integer that signed arithmetic wraps in; at least as wide as int, or C++ would promote
// 16-bit factors to int and let them overflow.
template <class T, int Size = sizeof(T)>
struct arr_wrapping {
  typedef unsigned int type;
};
template <class T>
struct arr_wrapping<T, 8> {
  typedef unsigned long long type;
};

template <class T>
struct arr_limits {
  ARR_FN static T highest() {
    if constexpr (arr_is_float<T>::value) {
      return (T)ARR_INF;
    } else if constexpr (arr_is_signed<T>::value) {
      return (T)(((1ull << (8 * sizeof(T) - 2)) - 1) * 2 + 1);
    } else {
      return (T)~0ull;
    }
  }
  ARR_FN static T lowest() {
    if constexpr (arr_is_float<T>::value) {
      return (T)-ARR_INF;
    } else if constexpr (arr_is_signed<T>::value) {
      return (T)(-(long long)((1ull << (8 * sizeof(T) - 2)) - 1) * 2 - 2);
    } else {
      return (T)0;
    }
  }
};
template <class F>
struct arr_limits<arr_cplx<F>> {
  ARR_FN static arr_cplx<F> highest() { return {(F)ARR_INF, (F)ARR_INF}; }
  ARR_FN static arr_cplx<F> lowest() { return {(F)-ARR_INF, (F)-ARR_INF}; }
};

// nan where the type has one, else x.
template <class T>
ARR_FN T arr_nan_or(T x) {
  if constexpr (arr_is_complex<T>::value) {
    auto nan = arr_nan_or(x.re);
    return {nan, nan};
  } else if constexpr (arr_is_float<T>::value) {
    return (T)ARR_INF - (T)ARR_INF;
  } else {
    return x;
  }
}

// -------------------------------------------------------------------- classification, parts

template <class T>
ARR_FN bool arr_isnan(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return (x.re != x.re) | (x.im != x.im);
  } else {
    return x != x;
  }
}
template <class T>
ARR_FN bool arr_isinf(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return arr_isinf(x.re) | arr_isinf(x.im);
  } else if constexpr (arr_is_float<T>::value) {
    return (x == (T)ARR_INF) | (x == -(T)ARR_INF);
  } else {
    return false;
  }
}
template <class T>
ARR_FN bool arr_isfinite(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return arr_isfinite(x.re) & arr_isfinite(x.im);
  } else if constexpr (arr_is_float<T>::value) {
    return x - x == 0;
  } else {
    return true;
  }
}
template <class T>
ARR_FN bool arr_truth(T x) {
  return arr_cast<bool>(x);
}
template <class T>
ARR_FN typename arr_real_of<T>::type arr_real(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return x.re;
  } else {
    return x;
  }
}
template <class T>
ARR_FN typename arr_real_of<T>::type arr_imag(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return x.im;
  } else {
    return T(0);
  }
}
template <class T>
ARR_FN T arr_conjugate(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return {x.re, -x.im};
  } else {
    return x;
  }
}

// ------------------------------------------------------------------------------ any real or complex

template <class T>
ARR_FN typename arr_real_of<T>::type arr_absolute(T x) {
  if constexpr (arr_is_complex<T>::value) {
    return arr_hypot(x.re, x.im);
  } else if constexpr (arr_is_float<T>::value) {
    return arr_copysign(x, T(1));
  } else if constexpr (arr_is_signed<T>::value) {
    typedef typename arr_wrapping<T>::type U;
    return x < 0 ? (T)(U(0) - (U)x) : x;
  } else {
    return x;
  }
}
template <class T>
ARR_FN T arr_sign(T x) {
  if constexpr (arr_is_complex<T>::value) {
    if (x.re == 0 && x.im == 0) return T(0);
    // The magnitude of the largest numbers overflows, that of subnormal ones has few digits.
    if (arr_isfinite(x)) {
      const auto scale = arr_midrange_scale(x);
      x = {x.re * scale, x.im * scale};
    }
    auto size = arr_hypot(x.re, x.im);
    if (arr_isinf(size)) {
      // NumPy: an infinite part dominates; two of them have no direction.
      if (arr_isinf(x.re) && arr_isinf(x.im)) return {size - size, size - size};
      if (arr_isinf(x.re)) return {arr_copysign(decltype(size)(1), x.re), 0};
      if (arr_isinf(x.im)) return {0, arr_copysign(decltype(size)(1), x.im)};
    }
    return {x.re / size, x.im / size};
  } else if constexpr (arr_is_float<T>::value) {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x != x ? x : T(0);
  } else {
    return (T)((x > 0) - (x < T(0)));
  }
}
// Signed integers multiply as unsigned ones, which wrap.
template <class T>
ARR_FN T arr_multiply(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    return x * y;
  } else if constexpr (arr_is_complex<T>::value) {
    return arr_infinite_product(x, y);
  } else {
    typedef typename arr_wrapping<T>::type U;
    return arr_cast<T>((U)x * (U)y);
  }
}
// Here and below, | and & of bools avoid branches, so that loops vectorise, also part by part for complex
// numbers.
template <class T>
ARR_FN T arr_choose(bool first, T x, T y) {
  if constexpr (arr_is_complex<T>::value) {
    return {first ? x.re : y.re, first ? x.im : y.im};
  } else {
    return first ? x : y;
  }
}
// The smaller and the larger, nan if either is nan; of two zeros the sign is either's. For reductions, which
// arr_minimum() would slow down by a third and more.
template <class T>
ARR_FN T arr_smaller(T x, T y) {
  // For complex numbers that compare equal the first, as in NumPy: their zeros may differ in sign.
  if constexpr (arr_is_complex<T>::value) return arr_choose((x <= y) | arr_isnan(x), x, y);
  return arr_choose((x < y) | arr_isnan(x), x, y);
}
template <class T>
ARR_FN T arr_larger(T x, T y) {
  if constexpr (arr_is_complex<T>::value) return arr_choose((x >= y) | arr_isnan(x), x, y);
  return arr_choose((x > y) | arr_isnan(x), x, y);
}
ARR_FN bool arr_smaller(bool x, bool y) { return x & y; }
ARR_FN bool arr_larger(bool x, bool y) { return x | y; }
// True if b comes before a in an argmin (argmax): strictly smaller (larger), or the first nan.
template <class T>
ARR_FN bool arr_before(T b, T a) {
  return (!arr_isnan(a)) & ((b < a) | arr_isnan(b));
}
template <class T>
ARR_FN bool arr_after(T b, T a) {
  return (!arr_isnan(a)) & ((b > a) | arr_isnan(b));
}

// -------------------------------------------------------------------------------- division, power

// The remainder of floor division, from r = fmod(x, y), and its quotient as in Python: (x - remainder) / y is
// nearly integral.
template <class T>
ARR_FN T arr_floored(T r, T y) {
  return r == 0 ? arr_copysign(r, y) : (r < 0) != (y < 0) ? r + y : r;
}
template <class T>
ARR_FN T arr_floored_quotient(T x, T y, T r) {
  T q = (x - r) / y;
  q = (r != 0) & ((r < 0) != (y < 0)) ? q - 1 : q;
  T f = arr_floor(q);
  return q == 0 ? arr_copysign(T(0), x / y) : q - f > T(0.5) ? f + 1 : f;
}
template <class T>
ARR_FN T arr_remainder(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    return arr_floored(arr_fmod(x, y), y);
  } else if constexpr (arr_is_signed<T>::value) {
    if (y == 0 || y == T(-1)) return 0;
    T r = (T)(x % y);
    return r != 0 && (r < 0) != (y < 0) ? (T)(r + y) : r;
  } else {
    return y == 0 ? (T)0 : (T)(x % y);
  }
}
template <class T>
ARR_FN T arr_floor_divide(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    return y == 0 ? x / y : arr_floored_quotient(x, y, arr_fmod(x, y));
  } else if constexpr (arr_is_signed<T>::value) {
    typedef typename arr_wrapping<T>::type U;
    if (y == 0) return 0;
    if (y == T(-1)) return (T)(U(0) - (U)x);
    T q = (T)(x / y);
    return x % y != 0 && (x < 0) != (y < 0) ? (T)(q - 1) : q;
  } else {
    return y == 0 ? (T)0 : (T)(x / y);
  }
}
template <class T>
ARR_FN T arr_invert(T x) {
  return (T)~x;
}
ARR_FN bool arr_invert(bool x) { return !x; }
template <class T>
ARR_FN T arr_left_shift(T x, T y) {
  typedef typename arr_wrapping<T>::type U;
  return (unsigned long long)y < 8 * sizeof(T) ? (T)((U)x << (U)y) : (T)0;
}
template <class T>
ARR_FN T arr_right_shift(T x, T y) {
  if ((unsigned long long)y < 8 * sizeof(T)) return (T)(x >> y);
  return x < T(0) ? (T)-1 : (T)0;
}

template <class T>
ARR_FN T arr_power(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    return arr_pow(x, y);
  } else if constexpr (arr_is_complex<T>::value) {
    if (y.re == 0 && y.im == 0) return T(1);
    if (x.re == 0 && x.im == 0) {
      auto nan = x.re / x.re;
      return y.re > 0 ? T(0) : T(nan, nan);
    }
    if (y.im == 0 && y.re == 1) return x;
    if (y.im == 0 && y.re == 2) return arr_infinite_product(x, x);
    // Small integral exponents by repeated multiplication, which is exact if the result is.
    if (y.im == 0 && y.re == arr_floor(y.re) && y.re > -100 && y.re < 100) {
      int n = (int)(y.re < 0 ? -y.re : y.re);
      T result = T(1);
      if (y.re == 3) result = x * (x * x), n = 0;
      for (T p = x; n != 0; n >>= 1, p = p * p) result = n & 1 ? result * p : result;
      // All intermediate products lie between 1 and the result.
      if (!arr_is_midrange(arr_largest_part(result)) && arr_isfinite(x))
        return arr_annex_g_power(x, (int)y.re);
      return y.re < 0 ? T(1) / result : result;
    }
    return arr_exp(arr_infinite_product(y, arr_log(x)));
  } else {
    if constexpr (arr_is_signed<T>::value) {
      if (y < 0) return x == T(1) ? T(1) : x == T(-1) ? ((y & 1) ? T(-1) : T(1)) : T(0);
    }
    typedef typename arr_wrapping<T>::type U;
    // The last three bits without a loop, because exponents are mostly small.
    U p = (U)x, p2 = p * p, p4 = p2 * p2;
    U result = (y & 1 ? p : U(1)) * (y & 2 ? p2 : U(1)) * (y & 4 ? p4 : U(1));
    p = p4 * p4;
    for (T n = (T)(y >> 3); n != 0; n = (T)(n >> 1), p = p * p) result = n & 1 ? result * p : result;
    return (T)result;
  }
}
// Zeros are handled here: vector forms of pow take them one by one, and half of all bools are zeros.
template <class T>
ARR_FN T arr_float_power(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    T half = y * T(0.5), power = arr_pow(x == 0 ? T(2) : x, y);
    T size = y > 0 ? arr_absolute(x) : y < 0 ? (T)ARR_INF : power;
    return x != 0 ? power : (arr_floor(y) == y) & (arr_floor(half) != half) ? arr_copysign(size, x) : size;
  } else {
    return arr_power(x, y);
  }
}

#endif
