/* SPDX-License-Identifier: MIT */
/* Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around
 * it. */
#include "distributed.h"

arr_status heat(arr_comm comm, int64_t n, int steps, double* out) {
  ARR_SCOPE(result);
  ARR_SCOPE_DIST(start, peak);
  arr_array at[2][5] = {{NULL}}; /* of both fields: the points and their neighbours */
  arr_dist fields[2] = {NULL};
  arr_decomposition rows = NULL;
  arr_generator random = NULL;
  const int64_t shift[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

  arr_status s = arr_decomposition_create(comm, ARR_LIST(n, n), 0, NULL, 0, NULL, &rows);
  if (s == ARR_OK) s = arr_generator_create(ARR_LIST(1), &random);
  if (s == ARR_OK)
    s = arr_dist_random_draw(rows, random, ARR_DISTRIBUTION_UNIFORM, 0, NULL, ARR_FLOAT64, NULL, &start);
  for (int k = 0; k < 2 && s == ARR_OK; ++k) {
    s = arr_dist_create(rows, ARR_FLOAT64, ARR_LIST(1, 1), NULL, &fields[k]);
    for (int i = 0; i < 5 && s == ARR_OK; ++i) s = arr_dist_part(fields[k], 2, shift[i], &at[k][i]);
  }
  if (s == ARR_OK) s = arr_dist_assign(fields[0], start, NULL);
  for (int step = 0; step < steps && s == ARR_OK; ++step) {
    const arr_array* u = at[step % 2];
    s = arr_dist_exchange(fields[step % 2], 0, NULL, NULL);
    if (s == ARR_OK)
      s = ARR_RUN_INTO(at[1 - step % 2][0], "u + 0.2 * (up + down + left + right - 4 * u)", u[0], u[1], u[2],
                       u[3], u[4]);
  }
  if (s == ARR_OK) s = arr_dist_reduce(fields[steps % 2], ARR_REDUCTION_MAX, 0, NULL, false, NULL, &peak);
  if (s == ARR_OK) s = arr_dist_gather(peak, -1, NULL, &result);
  if (s == ARR_OK) s = arr_item_f64(result, 0, NULL, out);
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 5; ++i) arr_release(at[k][i]);
    arr_dist_release(fields[k]);
  }
  arr_generator_release(random);
  arr_decomposition_release(rows);
  ARR_RETURN(s);
}
