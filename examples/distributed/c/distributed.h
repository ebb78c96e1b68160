/* SPDX-License-Identifier: MIT */
/* distributed.h - the programs: each runs on all ranks of a communicator and gives each of them one number.
 */
#ifndef DISTRIBUTED_H
#define DISTRIBUTED_H
#include <arr/easy.h>

/* Draws the same numbers on any number of ranks. */
static inline arr_status random_numbers(arr_decomposition by, int32_t distribution, arr_dist* out) {
  arr_generator generator = NULL;
  ARR_TRY(arr_generator_create(ARR_LIST(1), &generator));
  const arr_status drawn = arr_dist_random_draw(by, generator, distribution, 0, NULL, ARR_FLOAT64, NULL, out);
  arr_generator_release(generator);
  return drawn;
}

arr_status heat(arr_comm comm, int64_t n, int steps, double* out);
arr_status cg(arr_comm comm, int64_t n, int steps, double* out);
arr_status fft(arr_comm comm, int64_t n, int steps, double* out);
#endif
