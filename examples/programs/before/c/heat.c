/* SPDX-License-Identifier: MIT */
/* Heat equation: explicit steps on the inner points of a field. */
#include "functions.h"

arr_status heat(arr_array field, arr_array* out) {
  arr_array up = NULL, down = NULL, left = NULL, right = NULL, inner = NULL;
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_copy(field, ARR_ORDER_C, NULL, out));
  const int64_t low[] = {2, 1}, high[] = {INT64_MAX, -1};
  DO(arr_slice(*out, 2, low, high, NULL, &down));
  const int64_t first[] = {0, 1}, last[] = {-2, -1};
  DO(arr_slice(*out, 2, first, last, NULL, &up));
  const int64_t from_right[] = {1, 2}, to_right[] = {-1, INT64_MAX};
  DO(arr_slice(*out, 2, from_right, to_right, NULL, &right));
  const int64_t from_left[] = {1, 0}, to_left[] = {-1, -2};
  DO(arr_slice(*out, 2, from_left, to_left, NULL, &left));
  const int64_t from_inner[] = {1, 1}, to_inner[] = {-1, -1};
  DO(arr_slice(*out, 2, from_inner, to_inner, NULL, &inner));
  DO(arr_expr_parse("u + 0.2 * (down + up + right + left - 4 * u)", -1, 0, NULL, &node, &e));
  const arr_array in[] = {inner, down, up, right, left};
  for (int step = 0; step < 100; ++step) DO(arr_expr_run_into(inner, e, node, 5, in, NULL));
end:
  if (up) arr_release(up);
  if (down) arr_release(down);
  if (left) arr_release(left);
  if (right) arr_release(right);
  if (inner) arr_release(inner);
  if (e) arr_expr_release(e);
  return status;
}
