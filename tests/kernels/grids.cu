// SPDX-License-Identifier: MIT
// Cooperative launches: blocks that wait for each other by grid.sync(), with what they keep in shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Sum in one launch: each block its part, then one thread the parts.
extern "C" __global__ void grid_sum(const int* in, int n, int* parts, int* out) {
  __shared__ int room[128];
  cg::grid_group grid = cg::this_grid();
  int sum = 0;
  for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) sum += in[i];
  room[threadIdx.x] = sum;
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) room[threadIdx.x] += room[threadIdx.x + d];
  }
  if (threadIdx.x == 0) parts[grid.block_rank()] = room[0];
  grid.sync();
  if (grid.thread_rank() != 0) return;
  int total = grid.is_valid() ? 0 : 1000000;
  for (unsigned b = 0; b < grid.num_blocks(); b++) total += parts[b];
  *out = total;
}
// Prefix sums: a block's own stay in shared memory while it waits for the others' totals.
extern "C" __global__ void grid_scan(const int* in, int* totals, int* out) {
  __shared__ int sums[128];
  cg::grid_group grid = cg::this_grid();
  const unsigned t = threadIdx.x;
  sums[t] = in[grid.thread_rank()];
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    const int before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
  }
  if (t == blockDim.x - 1) totals[blockIdx.x] = sums[t];
  auto token = grid.barrier_arrive();
  grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
  int offset = 0;
  for (unsigned b = 0; b < blockIdx.x; b++) offset += totals[b];
  out[grid.thread_rank()] = sums[t] + offset;
}
// Heat along a rod, a step between two barriers.
extern "C" __global__ void grid_heat(float* a, float* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  float *from = a, *to = b;
  for (int s = 0; s < steps; s++) {
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.num_threads()) {
      const float left = i > 0 ? from[i - 1] : 0.0f, right = i + 1 < n ? from[i + 1] : 0.0f;
      to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
    }
    cg::sync(grid);
    float* other = from;
    from = to;
    to = other;
  }
}
// Odd-even transposition sort: neighbours change places until none has to.
extern "C" __global__ void grid_sort(int* data, int n, int* swapped) {
  const cg::grid_group grid = cg::this_grid();
  const int rank = (int)grid.thread_rank();
  for (int round = 0;; round++) {
    int mine = 0;
    for (int odd = 0; odd < 2; odd++) {
      const int i = 2 * rank + odd;
      if (i + 1 < n && data[i] > data[i + 1]) {
        const int larger = data[i];
        data[i] = data[i + 1];
        data[i + 1] = larger;
        mine = 1;
      }
      grid.sync();
    }
    if (mine) atomicExch(&swapped[round], 1);
    grid.sync();
    if (swapped[round] == 0) return;
  }
}
