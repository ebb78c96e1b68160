/* SPDX-License-Identifier: MIT */
/* Principal components of a table: their shares of the variance, and the largest score of each. */
#include "programs.h"

arr_status pca(arr_array table, arr_array* out) {
  ARR_SCOPE(mean, centred, s, vh, axes, turned, scores, squares, shares, share, largest);
  ARR_DO(arr_mean(table, ARR_AXES(0), 0, NULL, &mean));
  ARR_DO(arr_subtract(table, mean, NULL, &centred));
  ARR_DO(arr_svd(centred, false, ARR_LINALG_ERROR, NULL, NULL, &s, &vh));
  ARR_DO(ARR_GET(vh, &axes, ARR_BEFORE(2)));
  ARR_DO(arr_transpose(axes, 0, NULL, &turned));
  ARR_DO(arr_matmul(centred, turned, NULL, &scores));
  ARR_DO(arr_vdot(s, s, NULL, &squares));
  ARR_DO(ARR_RUN(&shares, "s**2 / squares", s, squares));
  ARR_DO(ARR_GET(shares, &share, ARR_BEFORE(2)));
  ARR_DO(arr_max_abs(scores, ARR_AXES(0), 0, NULL, &largest));
  ARR_RETURN(arr_stack(ARR_ARRAYS(share, largest), 0, 0, NULL, out));
}
