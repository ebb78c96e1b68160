/* SPDX-License-Identifier: MIT */
/* Gaussian blur of an image of several channels, along its columns and rows. */
#include "programs.h"

arr_status blur(arr_array image, arr_array* out) {
  ARR_SCOPE(at, bell, total, weights, padded, columns, half, rows);
  ARR_DO(arr_linspace(-2, 2, 5, true, ARR_FLOAT64, NULL, NULL, &at));
  ARR_DO(ARR_RUN(&bell, "exp(-0.5 * (at / 1.5)**2)", at));
  ARR_DO(arr_sum(bell, 0, NULL, false, NULL, &total));
  ARR_DO(arr_divide(bell, total, NULL, &weights));
  ARR_DO(arr_pad(image, ARR_LIST(2, 2, 2, 2, 0, 0), ARR_PAD_EDGE, NULL, NULL, &padded));
  ARR_DO(arr_sliding_window_view(padded, ARR_LIST(5), (int32_t[]){0}, &columns));
  ARR_DO(arr_matmul(columns, weights, NULL, &half));
  ARR_DO(arr_sliding_window_view(half, ARR_LIST(5), (int32_t[]){1}, &rows));
  ARR_RETURN(arr_matmul(rows, weights, NULL, out));
}
