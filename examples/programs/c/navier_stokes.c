/* SPDX-License-Identifier: MIT */
/* Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms. */
#include "programs.h"

/* The field of a product of spectra. */
static arr_status field(arr_array factor, arr_array spectrum, arr_array* out) {
  ARR_SCOPE(product, complex_field);
  ARR_DO(arr_multiply(factor, spectrum, NULL, &product));
  ARR_DO(arr_ifftn(product, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &complex_field));
  ARR_RETURN(arr_real(complex_field, NULL, out));
}

arr_status navier_stokes(arr_array vorticity, arr_array* out) {
  ARR_SCOPE(k, column, ikx, iky, k2, keep, one, w, psi, u, v, wx, wy, advection, change);
  int64_t n[2];
  ARR_DO(arr_shape(vorticity, 2, n, NULL));
  ARR_DO(arr_fftfreq(n[0], 1.0 / (double)n[0], ARR_FLOAT64, NULL, NULL, &k));
  ARR_DO(arr_expand_dims(k, ARR_AXES(1), &column));
  ARR_DO(ARR_RUN(&ikx, "1j * k", k));
  ARR_DO(ARR_RUN(&iky, "1j * k", column));
  ARR_DO(ARR_RUN(&k2, "k**2 + l**2", k, column));
  ARR_DO(ARR_RUN(&keep, "k2 < n**2 / 9", k2, n[0]));
  ARR_DO(arr_ones(ARR_FLOAT64, 0, NULL, ARR_ORDER_C, NULL, NULL, &one));
  ARR_DO(arr_fftn(vorticity, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &w));
  for (int step = 0; step < 20; ++step) {
    ARR_DO(ARR_RUN(ARR_NEW(psi), "w / where(k2 == 0, 1, k2)", w, k2));
    ARR_DO(field(iky, psi, ARR_NEW(u)));
    ARR_DO(field(ikx, psi, ARR_NEW(v)));
    ARR_DO(field(ikx, w, ARR_NEW(wx)));
    ARR_DO(field(iky, w, ARR_NEW(wy)));
    ARR_DO(ARR_RUN(ARR_NEW(advection), "u * wx - v * wy", u, wx, v, wy));
    ARR_DO(arr_fftn(advection, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, ARR_NEW(change)));
    ARR_DO(ARR_RUN_INTO(w, "(w - 0.01 * keep * change) / (1 + 0.01 * 1e-3 * k2)", w, keep, change, k2));
  }
  ARR_RETURN(field(one, w, out));
}
