/* SPDX-License-Identifier: MIT */
/* Heat equation: explicit steps on the inner points of a field. */
#include "programs.h"

arr_status heat(arr_array field, arr_array* out) {
  ARR_SCOPE(up, down, left, right, inner);
  ARR_DO(arr_copy(field, ARR_ORDER_C, NULL, out));
  ARR_DO(ARR_GET(*out, &down, ARR_FROM(2), ARR_SLICE(1, -1)));
  ARR_DO(ARR_GET(*out, &up, ARR_BEFORE(-2), ARR_SLICE(1, -1)));
  ARR_DO(ARR_GET(*out, &right, ARR_SLICE(1, -1), ARR_FROM(2)));
  ARR_DO(ARR_GET(*out, &left, ARR_SLICE(1, -1), ARR_BEFORE(-2)));
  ARR_DO(ARR_GET(*out, &inner, ARR_SLICE(1, -1), ARR_SLICE(1, -1)));
  for (int step = 0; step < 100; ++step) {
    ARR_DO(ARR_RUN_INTO(inner, "u + 0.2 * (down + up + right + left - 4 * u)", inner, down, up, right, left));
  }
  ARR_RETURN(ARR_OK);
}
