/* SPDX-License-Identifier: MIT */
/* Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms. */
#include "functions.h"

/* A formula of arrays. */
static arr_status formula(const char* text, int32_t n, const arr_array* in, arr_array* out) {
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_expr_parse(text, -1, 0, NULL, &node, &e));
  DO(arr_expr_run(e, node, n, in, NULL, out));
end:
  if (e) arr_expr_release(e);
  return status;
}

/* The field of a spectrum. */
static arr_status field(arr_array spectrum, arr_array* out) {
  arr_array complex_field = NULL;
  arr_status status;
  DO(arr_ifftn(spectrum, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &complex_field));
  DO(arr_real(complex_field, NULL, out));
end:
  if (complex_field) arr_release(complex_field);
  return status;
}

/* The field of a product of spectra. */
static arr_status field_of_product(arr_array factor, arr_array spectrum, arr_array* out) {
  arr_array product = NULL;
  arr_status status;
  DO(arr_multiply(factor, spectrum, NULL, &product));
  DO(field(product, out));
end:
  if (product) arr_release(product);
  return status;
}

/* One step: what becomes of the spectrum w. */
static arr_status step(arr_array ikx, arr_array iky, arr_array k2, arr_array keep, arr_array w,
                       arr_array* next) {
  arr_array psi = NULL, u = NULL, v = NULL, wx = NULL, wy = NULL, advection = NULL, change = NULL;
  arr_status status;
  DO(formula("w / where(k2 == 0, 1, k2)", 2, (const arr_array[]){w, k2}, &psi));
  DO(field_of_product(iky, psi, &u));
  DO(field_of_product(ikx, psi, &v));
  DO(field_of_product(ikx, w, &wx));
  DO(field_of_product(iky, w, &wy));
  DO(formula("u * wx - v * wy", 4, (const arr_array[]){u, wx, v, wy}, &advection));
  DO(arr_fftn(advection, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &change));
  DO(formula("(w - 0.01 * keep * change) / (1 + 0.01 * 1e-3 * k2)", 4,
             (const arr_array[]){w, keep, change, k2}, next));
end:
  if (psi) arr_release(psi);
  if (u) arr_release(u);
  if (v) arr_release(v);
  if (wx) arr_release(wx);
  if (wy) arr_release(wy);
  if (advection) arr_release(advection);
  if (change) arr_release(change);
  return status;
}

arr_status navier_stokes(arr_array vorticity, arr_array* out) {
  const int32_t second = 1;
  arr_array k = NULL, column = NULL, ikx = NULL, iky = NULL, k2 = NULL, keep = NULL, w = NULL, next;
  arr_value squares, limit;
  int64_t n[2];
  arr_status status;
  DO(arr_shape(vorticity, 2, n, NULL));
  DO(arr_fftfreq(n[0], 1.0 / (double)n[0], ARR_FLOAT64, NULL, NULL, &k));
  DO(arr_expand_dims(k, 1, &second, &column));
  DO(formula("1j * k", 1, &k, &ikx));
  DO(formula("1j * k", 1, &column, &iky));
  DO(formula("k**2 + l**2", 2, (const arr_array[]){k, column}, &k2));
  arr_value_array(&squares, k2);
  arr_value_f64(&limit, (double)(n[0] * n[0]) / 9);
  DO(arr_less_v(&squares, &limit, NULL, &keep));
  DO(arr_fftn(vorticity, 0, NULL, NULL, ARR_FFT_BACKWARD, NULL, &w));
  for (int i = 0; i < 20; ++i) {
    DO(step(ikx, iky, k2, keep, w, &next));
    arr_release(w);
    w = next;
  }
  DO(field(w, out));
end:
  if (k) arr_release(k);
  if (column) arr_release(column);
  if (ikx) arr_release(ikx);
  if (iky) arr_release(iky);
  if (k2) arr_release(k2);
  if (keep) arr_release(keep);
  if (w) arr_release(w);
  return status;
}
