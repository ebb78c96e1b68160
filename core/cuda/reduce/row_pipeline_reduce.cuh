// SPDX-License-Identifier: MIT
// The reduction of a step, in the step's namespace, after its state S and arr_join.

// Combines the states of the threads of a row, and returns the result to all of them. Every thread of the
// block calls it.
template <int Lanes>
ARR_FN S arr_block_reduce(S s) {
#pragma unroll
  for (int d = (Lanes < 32 ? Lanes : 32) / 2; d > 0; d >>= 1) s = arr_join(s, arr_shuffle_down(s, d));
  if constexpr (Lanes > 32) {
    __shared__ S parts[block_threads / 32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
    __syncthreads();
    s = parts[0];
#pragma unroll
    for (int l = 1; l < block_threads / 32; ++l) s = arr_join(s, parts[l]);
    return s;
  } else {
    return arr_shuffle(s, (int)(threadIdx.x % 32 / Lanes * Lanes));
  }
}
