/* SPDX-License-Identifier: MIT */
/* Principal components of a table: their shares of the variance, and the largest score of each. */
#include "programs.h"

arr_status pca(arr_array table, arr_array* out) {
  arr_array mean = NULL, centred = NULL, s = NULL, vh = NULL, axes = NULL, turned = NULL, scores = NULL;
  arr_array squares = NULL, shares = NULL, share = NULL, largest = NULL;
  arr_status status;
  DO(arr_mean(table, ARR_AXES(0), 0, NULL, &mean));
  DO(arr_subtract(table, mean, NULL, &centred));
  DO(arr_svd(centred, false, ARR_LINALG_ERROR, NULL, NULL, &s, &vh));
  DO(ARR_GET(vh, &axes, ARR_BEFORE(2)));
  DO(arr_transpose(axes, 0, NULL, &turned));
  DO(arr_matmul(centred, turned, NULL, &scores));
  DO(arr_vdot(s, s, NULL, &squares));
  DO(ARR_RUN(&shares, "s**2 / squares", s, squares));
  DO(ARR_GET(shares, &share, ARR_BEFORE(2)));
  DO(arr_max_abs(scores, ARR_AXES(0), 0, NULL, &largest));
  DO(arr_stack(ARR_ARRAYS(share, largest), 0, 0, NULL, out));
end:
  ARR_RELEASE(mean, centred, s, vh, axes, turned, scores, squares, shares, share, largest);
  return status;
}
