/* SPDX-License-Identifier: MIT */
/* program.c: calls the op, the reduction and the distribution that new_row.sh adds to the tables. */
#include <stdio.h>
#include "arr/arr.h"

int main(void) {
  const double in[3] = {-2.0, 3.0, 0.5};
  double cube[3] = {0.0, 0.0, 0.0}, twice = 0.0, drawn[2] = {0.0, 0.0};
  const int64_t three[1] = {3}, two[1] = {2};
  arr_array x = NULL, y = NULL, z = NULL, w = NULL;
  arr_value start, width;
  arr_value_f64(&start, 2.5);
  arr_value_f64(&width, 0.0);
  arr_status s = arr_from_host(in, sizeof in, ARR_FLOAT64, 1, three, ARR_ORDER_C, NULL, NULL, &x);
  if (s == ARR_OK) s = arr_cube(x, NULL, &y);
  if (s == ARR_OK) s = arr_get(y, ARR_ORDER_C, cube, sizeof cube, NULL);
  if (s == ARR_OK) s = arr_twice_sum(x, 0, NULL, false, NULL, &z);
  if (s == ARR_OK) s = arr_get(z, ARR_ORDER_C, &twice, sizeof twice, NULL);
  if (s == ARR_OK) s = arr_random_span(NULL, &start, &width, ARR_FLOAT64, 1, two, NULL, NULL, &w);
  if (s == ARR_OK) s = arr_get(w, ARR_ORDER_C, drawn, sizeof drawn, NULL);
  if (s != ARR_OK) fprintf(stderr, "%s\n", arr_last_error());
  arr_release(x);
  arr_release(y);
  arr_release(z);
  arr_release(w);
  printf("C: %g %g %g, %g, %g %g\n", cube[0], cube[1], cube[2], twice, drawn[0], drawn[1]);
  const int numbers = ARR_OP_CUBE == 500 && ARR_REDUCTION_TWICE_SUM == 60 && ARR_DISTRIBUTION_SPAN == 500;
  const int values = cube[0] == -8.0 && cube[1] == 27.0 && cube[2] == 0.125 && twice == 3.0;
  return !(s == ARR_OK && numbers && values && drawn[0] == 2.5 && drawn[1] == 2.5);
}
