/* SPDX-License-Identifier: MIT */
/* Fourier transforms of a cube, whose planes are divided among the ranks: forwards and back. The largest
 * error. */
#include "distributed.h"

arr_status fft(arr_comm comm, int64_t n, int steps, double* out) {
  ARR_SCOPE(result);
  ARR_SCOPE_DIST(cube, spectrum, back, error, peak);
  arr_decomposition planes = NULL;
  ARR_DO(arr_decomposition_create(comm, ARR_LIST(n, n, n), 0, NULL, 0, NULL, &planes));
  const arr_status drawn = random_numbers(planes, ARR_DISTRIBUTION_NORMAL, &cube);
  arr_decomposition_release(planes);
  ARR_DO(drawn);
  for (int step = 0; step < steps; ++step) {
    arr_dist_release(spectrum);
    arr_dist_release(back);
    spectrum = back = NULL;
    ARR_DO(arr_dist_fftn(cube, 0, NULL, false, ARR_FFT_BACKWARD, false, NULL, &spectrum));
    ARR_DO(arr_dist_fftn(spectrum, 0, NULL, true, ARR_FFT_BACKWARD, false, NULL, &back));
  }
  ARR_DO(arr_dist_evaluate("abs(a - b)", -1, 2, (arr_dist[]){cube, back}, NULL, &error));
  ARR_DO(arr_dist_reduce(error, ARR_REDUCTION_MAX, 0, NULL, false, NULL, &peak));
  ARR_DO(arr_dist_gather(peak, -1, NULL, &result));
  ARR_RETURN(arr_item_f64(result, 0, NULL, out));
}
