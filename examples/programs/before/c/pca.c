/* SPDX-License-Identifier: MIT */
/* Principal components of a table: their shares of the variance, and the largest score of each. */
#include "functions.h"

arr_status pca(arr_array table, arr_array* out) {
  const int32_t axis = 0;
  const int64_t start = 0, stop = 2, shape[] = {2, 2};
  arr_array mean = NULL, centred = NULL, u = NULL, s = NULL, vh = NULL, axes = NULL, turned = NULL;
  arr_array scores = NULL, total = NULL, squares = NULL, shares = NULL, share = NULL, largest = NULL;
  arr_array first = NULL, second = NULL;
  arr_status status;
  DO(arr_mean(table, 1, &axis, 0, NULL, &mean));
  DO(arr_subtract(table, mean, NULL, &centred));
  DO(arr_svd(centred, 0, ARR_LINALG_ERROR, NULL, &u, &s, &vh));
  DO(arr_slice(vh, 1, &start, &stop, NULL, &axes));
  DO(arr_transpose(axes, 0, NULL, &turned));
  DO(arr_matmul(centred, turned, NULL, &scores));
  DO(arr_vdot(s, s, NULL, &total));
  DO(arr_multiply(s, s, NULL, &squares));
  DO(arr_divide(squares, total, NULL, &shares));
  DO(arr_slice(shares, 1, &start, &stop, NULL, &share));
  DO(arr_max_abs(scores, 1, &axis, 0, NULL, &largest));
  DO(arr_zeros(ARR_FLOAT64, 2, shape, ARR_ORDER_C, NULL, NULL, out));
  DO(arr_select(*out, 0, 0, &first));
  DO(arr_assign(first, share, NULL));
  DO(arr_select(*out, 0, 1, &second));
  DO(arr_assign(second, largest, NULL));
end:
  if (mean) arr_release(mean);
  if (centred) arr_release(centred);
  if (u) arr_release(u);
  if (s) arr_release(s);
  if (vh) arr_release(vh);
  if (axes) arr_release(axes);
  if (turned) arr_release(turned);
  if (scores) arr_release(scores);
  if (total) arr_release(total);
  if (squares) arr_release(squares);
  if (shares) arr_release(shares);
  if (share) arr_release(share);
  if (largest) arr_release(largest);
  if (first) arr_release(first);
  if (second) arr_release(second);
  return status;
}
