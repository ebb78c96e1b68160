// SPDX-License-Identifier: MIT
// 16-bit floats and complex numbers as users' kernels see them, on top of core/math/scalar.h, libm.h, math.h,
// elementary.h and complex.h, which go in front. All of it is in a namespace of the project.

// Stored in 16 bits; every computation is one of float.
struct float16 {
  unsigned short bits;
  float16() = default;
  template <class T>
  ARR_FN float16(T x) : bits(arr_cast<arr_half>(x).bits) {}
  ARR_FN operator float() const {
    arr_half h = {bits};
    return arr_half_to_float(h);
  }
};
struct bfloat16 {
  unsigned short bits;
  bfloat16() = default;
  template <class T>
  ARR_FN bfloat16(T x) : bits(arr_cast<arr_bfloat>(x).bits) {}
  ARR_FN operator float() const {
    arr_bfloat b = {bits};
    return arr_bfloat_to_float(b);
  }
};

template <class F>
using complex = arr_cplx<F>;

template <class T>
struct arr_itself {
  typedef T type;
};
#define ARR_MIXED(op)                                                                  \
  template <class F>                                                                   \
  ARR_FN arr_cplx<F> operator op(arr_cplx<F> a, typename arr_itself<F>::type b) {      \
    return a op arr_cplx<F>(b);                                                        \
  }                                                                                    \
  template <class F>                                                                   \
  ARR_FN arr_cplx<F> operator op(typename arr_itself<F>::type a, arr_cplx<F> b) {      \
    return arr_cplx<F>(a) op b;                                                        \
  }                                                                                    \
  template <class F>                                                                   \
  ARR_FN arr_cplx<F>& operator op##=(arr_cplx<F>& a, arr_cplx<F> b) {                  \
    return a = a op b;                                                                 \
  }                                                                                    \
  template <class F>                                                                   \
  ARR_FN arr_cplx<F>& operator op##=(arr_cplx<F>& a, typename arr_itself<F>::type b) { \
    return a = a op arr_cplx<F>(b);                                                    \
  }
ARR_MIXED(+)
ARR_MIXED(-)
ARR_MIXED(*)
#undef ARR_MIXED
template <class F>
ARR_FN arr_cplx<F> operator/(typename arr_itself<F>::type a, arr_cplx<F> b) {
  return arr_cplx<F>(a) / b;
}
template <class F>
ARR_FN arr_cplx<F>& operator/=(arr_cplx<F>& a, arr_cplx<F> b) {
  return a = a / b;
}

// Found by their argument's type.
template <class F>
ARR_FN F real(arr_cplx<F> x) {
  return x.re;
}
template <class F>
ARR_FN F imag(arr_cplx<F> x) {
  return x.im;
}
template <class F>
ARR_FN F norm(arr_cplx<F> x) {
  return x.re * x.re + x.im * x.im;
}
template <class F>
ARR_FN F abs(arr_cplx<F> x) {
  return arr_absolute(x);
}
template <class F>
ARR_FN F arg(arr_cplx<F> x) {
  return arr_atan2(x.im, x.re);
}
template <class F>
ARR_FN arr_cplx<F> conj(arr_cplx<F> x) {
  return arr_conjugate(x);
}
template <class F>
ARR_FN arr_cplx<F> exp(arr_cplx<F> x) {
  return arr_exp(x);
}
template <class F>
ARR_FN arr_cplx<F> log(arr_cplx<F> x) {
  return arr_log(x);
}
template <class F>
ARR_FN arr_cplx<F> sqrt(arr_cplx<F> x) {
  return arr_sqrt(x);
}
template <class F>
ARR_FN arr_cplx<F> sin(arr_cplx<F> x) {
  return arr_sin(x);
}
template <class F>
ARR_FN arr_cplx<F> cos(arr_cplx<F> x) {
  return arr_cos(x);
}
template <class F>
ARR_FN arr_cplx<F> tanh(arr_cplx<F> x) {
  return arr_tanh(x);
}
template <class F>
ARR_FN arr_cplx<F> pow(arr_cplx<F> x, arr_cplx<F> y) {
  return arr_power(x, y);
}
