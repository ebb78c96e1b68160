/* SPDX-License-Identifier: MIT */
/* program.c: calls the function of the family that new_family.sh makes. */
#include <stdio.h>
#include "arr/arr.h"

int main(void) {
  const double in[3] = {-2.0, 3.0, 0.5};
  const int64_t three[1] = {3};
  double out[3] = {0.0, 0.0, 0.0};
  arr_array x = NULL, y = NULL, z = NULL;
  arr_status s = arr_from_host(in, sizeof in, ARR_FLOAT64, 1, three, ARR_ORDER_C, NULL, NULL, &x);
  if (s == ARR_OK) s = arr_twice(x, NULL, &y);
  if (s == ARR_OK) s = arr_get(y, ARR_ORDER_C, out, sizeof out, NULL);
  if (s != ARR_OK) fprintf(stderr, "%s\n", arr_last_error());
  const int refused = arr_twice(NULL, NULL, &z) == ARR_E_HANDLE;
  arr_release(x);
  arr_release(y);
  printf("C: %g %g %g\n", out[0], out[1], out[2]);
  return !(s == ARR_OK && refused && out[0] == -4.0 && out[1] == 6.0 && out[2] == 1.0);
}
