// SPDX-License-Identifier: MIT
// Combines the results of a block's threads by a tree; all threads get the result. It precedes
// user_reduction.cuh if lanes combine their results at once.
ARR_USER arr_R arr_block_reduce(arr_R arr_s) {
  __shared__ ulonglong2 arr_memory[(arr_lane_count * sizeof(arr_R) + 15) / 16];
  arr_R* arr_all = (arr_R*)arr_memory;
  const int arr_t = threadIdx.x;
  arr_all[arr_t] = arr_s;
  __syncthreads();
  for (int arr_d = arr_lane_count / 2; arr_d > 0; arr_d >>= 1) {
    if (arr_t < arr_d) arr_all[arr_t] = arr_user_join(arr_all[arr_t], arr_all[arr_t + arr_d]);
    __syncthreads();
  }
  return arr_all[0];
}
