// SPDX-License-Identifier: MIT
// cube.c: calls the op that new_row.sh adds to the table.
#include <stdio.h>
#include "arr/arr.h"

int main(void) {
  const double in[3] = {-2.0, 3.0, 0.5};
  double out[3] = {0.0, 0.0, 0.0};
  const int64_t shape[1] = {3};
  arr_array x = NULL, y = NULL;
  arr_status s = arr_from_host(in, sizeof in, ARR_FLOAT64, 1, shape, ARR_ORDER_C, NULL, NULL, &x);
  if (s == ARR_OK) s = arr_cube(x, NULL, &y);
  if (s == ARR_OK) s = arr_get(y, ARR_ORDER_C, out, sizeof out, NULL);
  if (s != ARR_OK) fprintf(stderr, "%s\n", arr_last_error());
  arr_release(x);
  arr_release(y);
  printf("C: %g %g %g, op %d\n", out[0], out[1], out[2], ARR_OP_CUBE);
  return !(s == ARR_OK && out[0] == -8.0 && out[1] == 27.0 && out[2] == 0.125 && ARR_OP_CUBE == 500);
}
