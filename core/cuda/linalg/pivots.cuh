// SPDX-License-Identifier: MIT
// Parts of real and complex numbers, and the size by which LAPACK chooses pivots.

ARR_FN float arr_real(float x) { return x; }
ARR_FN double arr_real(double x) { return x; }
template <class F>
ARR_FN F arr_real(arr_cplx<F> x) {
  return x.re;
}
ARR_FN float arr_adjoint(float x) { return x; }
ARR_FN double arr_adjoint(double x) { return x; }
template <class F>
ARR_FN arr_cplx<F> arr_adjoint(arr_cplx<F> x) {
  return {x.re, -x.im};
}
ARR_FN float arr_size(float x) { return x < 0 ? -x : x; }
ARR_FN double arr_size(double x) { return x < 0 ? -x : x; }
template <class F>
ARR_FN F arr_size(arr_cplx<F> x) {
  return arr_size(x.re) + arr_size(x.im);
}
