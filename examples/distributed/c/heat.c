/* SPDX-License-Identifier: MIT */
/* Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around
 * it. */
#include "distributed.h"

/* Two fields with a halo of one layer; u has random numbers. */
static arr_status start(arr_decomposition rows, arr_dist* u, arr_dist* next) {
  ARR_SCOPE(unused);
  ARR_SCOPE_DIST(drawn);
  ARR_DO(arr_dist_create(rows, ARR_FLOAT64, ARR_LIST(1, 1), NULL, u));
  ARR_DO(arr_dist_create(rows, ARR_FLOAT64, ARR_LIST(1, 1), NULL, next));
  ARR_DO(random_numbers(rows, ARR_DISTRIBUTION_UNIFORM, &drawn));
  ARR_RETURN(arr_dist_assign(*u, drawn, NULL));
}

arr_status heat(arr_comm comm, int64_t n, int steps, double* out) {
  ARR_SCOPE(here, up, down, left, right, to, result);
  ARR_SCOPE_DIST(u, next, last, peak);
  arr_decomposition rows = NULL;
  ARR_DO(arr_decomposition_create(comm, ARR_LIST(n, n), 0, NULL, 0, NULL, &rows));
  const arr_status started = start(rows, &u, &next);
  arr_decomposition_release(rows);
  ARR_DO(started);
  for (int step = 0; step < steps; ++step) {
    ARR_DO(arr_dist_exchange(u, 0, NULL, NULL));
    ARR_DO(arr_dist_part(u, ARR_LIST(0, 0), ARR_NEW(here)));
    ARR_DO(arr_dist_part(u, ARR_LIST(-1, 0), ARR_NEW(up)));
    ARR_DO(arr_dist_part(u, ARR_LIST(1, 0), ARR_NEW(down)));
    ARR_DO(arr_dist_part(u, ARR_LIST(0, -1), ARR_NEW(left)));
    ARR_DO(arr_dist_part(u, ARR_LIST(0, 1), ARR_NEW(right)));
    ARR_DO(arr_dist_part(next, 0, NULL, ARR_NEW(to)));
    ARR_DO(ARR_RUN_INTO(to, "u + 0.2 * (up + down + left + right - 4 * u)", here, up, down, left, right));
    last = u, u = next, next = last, last = NULL;
  }
  ARR_DO(arr_dist_reduce(u, ARR_REDUCTION_MAX, 0, NULL, false, NULL, &peak));
  ARR_DO(arr_dist_gather(peak, -1, NULL, &result));
  ARR_RETURN(arr_item_f64(result, 0, NULL, out));
}
