// SPDX-License-Identifier: MIT
// thrust::complex over the formulas of core/math, which come before this. Embedded where a source includes
// thrust/complex.h or cupy/complex.cuh.
#ifndef ARR_COMPLEX_CLASS
#define ARR_COMPLEX_CLASS

namespace thrust {
template <class T>
struct __attribute__((aligned(2 * sizeof(T)))) complex {
  typedef T value_type;
  T arr_re, arr_im;
  complex() = default;
  ARR_MEMBER constexpr complex(const T& re) : arr_re(re), arr_im(T()) {}
  ARR_MEMBER constexpr complex(const T& re, const T& im) : arr_re(re), arr_im(im) {}
  template <class U>
  ARR_MEMBER constexpr complex(const complex<U>& z) : arr_re(T(z.arr_re)), arr_im(T(z.arr_im)) {}
  ARR_MEMBER complex(arr_formulas::arr_cplx<T> z) : arr_re(z.re), arr_im(z.im) {}
  ARR_MEMBER arr_formulas::arr_cplx<T> arr_formula() const { return {arr_re, arr_im}; }
  ARR_MEMBER constexpr T real() const { return arr_re; }
  ARR_MEMBER constexpr T imag() const { return arr_im; }
  ARR_MEMBER void real(T re) { arr_re = re; }
  ARR_MEMBER void imag(T im) { arr_im = im; }
  ARR_MEMBER complex& operator=(const T& re) {
    arr_re = re;
    arr_im = T();
    return *this;
  }
#define ARR_COMPLEX_CHANGE(op)                              \
  template <class U>                                        \
  ARR_MEMBER complex& operator op##=(const complex<U>& z) { \
    return *this = *this op complex(z);                     \
  }                                                         \
  ARR_MEMBER complex& operator op##=(const T& x) { return *this = *this op x; }
  ARR_COMPLEX_CHANGE(+)
  ARR_COMPLEX_CHANGE(-)
  ARR_COMPLEX_CHANGE(*)
  ARR_COMPLEX_CHANGE(/)
};

// The result of two types has the wider one; a number beside a complex one is of its type.
template <class T>
struct arr_itself {
  typedef T type;
};
template <class A, class B>
using arr_wider = decltype(A() + B());
#define ARR_COMPLEX_OPERATOR(op)                                                              \
  template <class A, class B>                                                                 \
  ARR_INLINE complex<arr_wider<A, B>> operator op(const complex<A>& a, const complex<B>& b) { \
    typedef complex<arr_wider<A, B>> C;                                                       \
    return C(a).arr_formula() op C(b).arr_formula();                                          \
  }
ARR_COMPLEX_OPERATOR(+)
ARR_COMPLEX_OPERATOR(-)
ARR_COMPLEX_OPERATOR(*)
ARR_COMPLEX_OPERATOR(/)
// clang-format off
#define ARR_COMPLEX_WITH(op, left, right)                                                             \
  template <class T>                                                                                  \
  ARR_INLINE complex<T> operator op(const complex<T>& a, const typename arr_itself<T>::type& b) { return left; } \
  template <class T>                                                                                  \
  ARR_INLINE complex<T> operator op(const typename arr_itself<T>::type& a, const complex<T>& b) { return right; }
ARR_COMPLEX_WITH(+, complex<T>(a.arr_re + b, a.arr_im), complex<T>(a + b.arr_re, b.arr_im))
ARR_COMPLEX_WITH(-, complex<T>(a.arr_re - b, a.arr_im), complex<T>(a - b.arr_re, -b.arr_im))
ARR_COMPLEX_WITH(*, complex<T>(a.arr_re * b, a.arr_im * b), complex<T>(a * b.arr_re, a * b.arr_im))
ARR_COMPLEX_WITH(/, complex<T>(a.arr_re / b, a.arr_im / b), complex<T>(a) / b)
#define ARR_COMPLEX_EQUAL(op, join)                                                                   \
  template <class A, class B>                                                                         \
  ARR_INLINE constexpr bool operator op(const complex<A>& a, const complex<B>& b) {                   \
    return a.arr_re op b.arr_re join a.arr_im op b.arr_im;                                            \
  }                                                                                                   \
  template <class T>                                                                                  \
  ARR_INLINE constexpr bool operator op(const complex<T>& a, const typename arr_itself<T>::type& b) { \
    return a.arr_re op b join a.arr_im op T();                                                        \
  }                                                                                                   \
  template <class T>                                                                                  \
  ARR_INLINE constexpr bool operator op(const typename arr_itself<T>::type& a, const complex<T>& b) { \
    return a op b.arr_re join T() op b.arr_im;                                                        \
  }
ARR_COMPLEX_EQUAL(==, &&) ARR_COMPLEX_EQUAL(!=, ||)
#define ARR_COMPLEX_FUNCTION(name)                                                                    \
  template <class T>                                                                                  \
  ARR_INLINE complex<T> name(const complex<T>& z) { return arr_formulas::arr_##name(z.arr_formula()); }
ARR_COMPLEX_FUNCTION(exp) ARR_COMPLEX_FUNCTION(log) ARR_COMPLEX_FUNCTION(log10) ARR_COMPLEX_FUNCTION(sqrt)
ARR_COMPLEX_FUNCTION(sin) ARR_COMPLEX_FUNCTION(cos) ARR_COMPLEX_FUNCTION(tan) ARR_COMPLEX_FUNCTION(sinh)
ARR_COMPLEX_FUNCTION(cosh) ARR_COMPLEX_FUNCTION(tanh) ARR_COMPLEX_FUNCTION(asin) ARR_COMPLEX_FUNCTION(acos)
ARR_COMPLEX_FUNCTION(atan) ARR_COMPLEX_FUNCTION(asinh) ARR_COMPLEX_FUNCTION(acosh) ARR_COMPLEX_FUNCTION(atanh)
    // clang-format on
    template <class T>
    ARR_INLINE complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
ARR_INLINE complex<T> operator-(const complex<T>& z) {
  return complex<T>(-z.arr_re, -z.arr_im);
}
template <class T>
ARR_INLINE constexpr T real(const complex<T>& z) {
  return z.arr_re;
}
template <class T>
ARR_INLINE constexpr T imag(const complex<T>& z) {
  return z.arr_im;
}
template <class T>
ARR_INLINE complex<T> conj(const complex<T>& z) {
  return complex<T>(z.arr_re, -z.arr_im);
}
ARR_INLINE float abs(const complex<float>& z) { return hypotf(z.arr_re, z.arr_im); }
ARR_INLINE double abs(const complex<double>& z) { return hypot(z.arr_re, z.arr_im); }
ARR_INLINE float arg(const complex<float>& z) { return atan2f(z.arr_im, z.arr_re); }
ARR_INLINE double arg(const complex<double>& z) { return atan2(z.arr_im, z.arr_re); }
template <class T>
ARR_INLINE T norm(const complex<T>& z) {
  return z.arr_re * z.arr_re + z.arr_im * z.arr_im;
}
ARR_INLINE complex<float> polar(float r, float angle = 0) {
  return complex<float>(r * cosf(angle), r * sinf(angle));
}
ARR_INLINE complex<double> polar(double r, double angle = 0) {
  return complex<double>(r * ::cos(angle), r * ::sin(angle));
}
template <class T>
ARR_INLINE complex<T> proj(const complex<T>& z) {
  const bool infinite = __builtin_isinf(z.arr_re) || __builtin_isinf(z.arr_im);
  return infinite ? complex<T>(T(__builtin_huge_val()), T(__builtin_copysign(0.0, double(z.arr_im)))) : z;
}
// By logarithms; any power of zero but the zeroth is zero.
template <class A, class B>
ARR_INLINE complex<arr_wider<A, B>> pow(const complex<A>& z, const complex<B>& w) {
  typedef complex<arr_wider<A, B>> C;
  if (z == A()) return w == B() ? C(1) : C(0);
  return exp(C(w) * log(C(z)));
}
template <class T>
ARR_INLINE complex<T> pow(const complex<T>& z, const typename arr_itself<T>::type& x) {
  return pow(z, complex<T>(x));
}
template <class T>
ARR_INLINE complex<T> pow(const typename arr_itself<T>::type& x, const complex<T>& w) {
  return pow(complex<T>(x), w);
}
}  // namespace thrust
#endif
