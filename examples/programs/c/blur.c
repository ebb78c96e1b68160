/* SPDX-License-Identifier: MIT */
/* Gaussian blur of an image of several channels, along its columns and rows. */
#include "programs.h"

arr_status blur(arr_array image, arr_array* out) {
  arr_array at = NULL, bell = NULL, total = NULL, weights = NULL, padded = NULL, columns = NULL, half = NULL;
  arr_array rows = NULL;
  arr_status status;
  DO(arr_linspace(-2, 2, 5, true, ARR_FLOAT64, NULL, NULL, &at));
  DO(ARR_RUN(&bell, "exp(-0.5 * (at / 1.5)**2)", at));
  DO(arr_sum(bell, 0, NULL, false, NULL, &total));
  DO(arr_divide(bell, total, NULL, &weights));
  DO(arr_pad(image, ARR_LIST(2, 2, 2, 2, 0, 0), ARR_PAD_EDGE, NULL, NULL, &padded));
  DO(arr_sliding_window_view(padded, ARR_LIST(5), (int32_t[]){0}, &columns));
  DO(arr_matmul(columns, weights, NULL, &half));
  DO(arr_sliding_window_view(half, ARR_LIST(5), (int32_t[]){1}, &rows));
  DO(arr_matmul(rows, weights, NULL, out));
end:
  ARR_RELEASE(at, bell, total, weights, padded, columns, half, rows);
  return status;
}
