/* SPDX-License-Identifier: MIT */
/* Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms. */
#include "programs.h"

/* The field of a product of spectra. */
static arr_status field(arr_array factor, arr_array spectrum, arr_array* out) {
  arr_array product = NULL, complex_field = NULL;
  arr_status status;
  DO(arr_multiply(factor, spectrum, NULL, &product));
  DO(arr_ifftn(product, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &complex_field));
  DO(arr_real(complex_field, NULL, out));
end:
  ARR_RELEASE(product, complex_field);
  return status;
}

arr_status navier_stokes(arr_array vorticity, arr_array* out) {
  arr_array k = NULL, column = NULL, ikx = NULL, iky = NULL, k2 = NULL, keep = NULL, one = NULL, w = NULL;
  arr_array psi = NULL, u = NULL, v = NULL, wx = NULL, wy = NULL, advection = NULL, change = NULL;
  int64_t n[2];
  arr_status status;
  DO(arr_shape(vorticity, 2, n, NULL));
  DO(arr_fftfreq(n[0], 1.0 / (double)n[0], ARR_FLOAT64, NULL, NULL, &k));
  DO(arr_expand_dims(k, ARR_AXES(1), &column));
  DO(ARR_RUN(&ikx, "1j * k", k));
  DO(ARR_RUN(&iky, "1j * k", column));
  DO(ARR_RUN(&k2, "k**2 + l**2", k, column));
  DO(arr_less_v(ARR_V(k2), ARR_V((double)(n[0] * n[0]) / 9), NULL, &keep));
  DO(arr_ones(ARR_FLOAT64, 0, NULL, ARR_ORDER_C, NULL, NULL, &one));
  DO(arr_fftn(vorticity, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &w));
  for (int step = 0; step < 20; ++step) {
    DO(ARR_RUN(&psi, "w / where(k2 == 0, 1, k2)", w, k2));
    DO(field(iky, psi, &u));
    DO(field(ikx, psi, &v));
    DO(field(ikx, w, &wx));
    DO(field(iky, w, &wy));
    DO(ARR_RUN(&advection, "u * wx - v * wy", u, wx, v, wy));
    DO(arr_fftn(advection, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &change));
    DO(ARR_RUN_INTO(w, "(w - 0.01 * keep * change) / (1 + 0.01 * 1e-3 * k2)", w, keep, change, k2));
    ARR_RELEASE(psi, u, v, wx, wy, advection, change);
  }
  DO(field(one, w, out));
end:
  ARR_RELEASE(k, column, ikx, iky, k2, keep, one, w, psi, u, v, wx, wy, advection, change);
  return status;
}
