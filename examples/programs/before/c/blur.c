/* SPDX-License-Identifier: MIT */
/* Gaussian blur of an image of several channels, along its columns and rows. */
#include "functions.h"

/* The image with its edges repeated twice. */
static arr_status pad(arr_array image, arr_array* out) {
  arr_array to = NULL, from = NULL;
  int64_t n[3];
  arr_status status;
  DO(arr_shape(image, 3, n, NULL));
  const int64_t h = n[0], w = n[1], padded[] = {h + 4, w + 4, n[2]};
  /* First row and column of a part, those after its last, and the same of the part that is copied there. */
  const int64_t parts[5][2][4] = {{{2, 2, h + 2, w + 2}, {0, 0, h, w}},
                                  {{0, 0, 2, w + 4}, {2, 0, 3, w + 4}},
                                  {{h + 2, 0, h + 4, w + 4}, {h + 1, 0, h + 2, w + 4}},
                                  {{0, 0, h + 4, 2}, {0, 2, h + 4, 3}},
                                  {{0, w + 2, h + 4, w + 4}, {0, w + 1, h + 4, w + 2}}};
  DO(arr_zeros(ARR_FLOAT64, 3, padded, ARR_ORDER_C, NULL, NULL, out));
  for (int i = 0; i < 5; ++i) {
    DO(arr_slice(*out, 2, parts[i][0], parts[i][0] + 2, NULL, &to));
    DO(arr_slice(i == 0 ? image : *out, 2, parts[i][1], parts[i][1] + 2, NULL, &from));
    DO(arr_assign(to, from, NULL));
    arr_release(to);
    arr_release(from);
    to = from = NULL;
  }
end:
  if (to) arr_release(to);
  if (from) arr_release(from);
  return status;
}

arr_status blur(arr_array image, arr_array* out) {
  const int32_t axes[] = {0, 1}, last[] = {1, 2};
  arr_array at = NULL, column = NULL, row = NULL, bell = NULL, total = NULL, weights = NULL, padded = NULL;
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_linspace(-2, 2, 5, 1, ARR_FLOAT64, NULL, NULL, &at));
  DO(arr_expand_dims(at, 2, last, &column));
  DO(arr_expand_dims(at, 1, last, &row));
  DO(arr_expr_parse("exp(-0.5 * (row**2 + column**2) / 1.5**2)", -1, 0, NULL, &node, &e));
  DO(arr_expr_run(e, node, 2, (const arr_array[]){row, column}, NULL, &bell));
  DO(arr_sum(bell, 0, NULL, 0, NULL, &total));
  DO(arr_divide(bell, total, NULL, &weights));
  DO(pad(image, &padded));
  DO(arr_fftconvolve(padded, weights, ARR_CONVOLVE_VALID, 2, axes, NULL, out));
end:
  if (at) arr_release(at);
  if (column) arr_release(column);
  if (row) arr_release(row);
  if (bell) arr_release(bell);
  if (total) arr_release(total);
  if (weights) arr_release(weights);
  if (padded) arr_release(padded);
  if (e) arr_expr_release(e);
  return status;
}
