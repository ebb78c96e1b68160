// SPDX-License-Identifier: MIT
// Warp functions, votes, barriers with predicates, atomics, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void votes(const int* in, int* out) {
  int t = threadIdx.x, v = in[t];
  out[t] = __any_sync(~0u, v > 90) + 2 * __all_sync(~0u, v >= 0) +
           4 * (int)(__ballot_sync(~0u, v & 1) >> (t & 31) & 1u);
}
extern "C" __global__ void match(const int* in, unsigned* out) {
  int all = 0;
  out[threadIdx.x] = __match_any_sync(~0u, in[threadIdx.x]);
  out[blockDim.x + threadIdx.x] = __match_all_sync(~0u, in[threadIdx.x / 32 * 32 & 32], &all) + (unsigned)all;
}
extern "C" __global__ void reduce_sync(const unsigned* in, unsigned* out) {
  unsigned v = in[threadIdx.x], n = blockDim.x, t = threadIdx.x;
  out[t] = __reduce_add_sync(~0u, v);
  out[n + t] = __reduce_max_sync(~0u, v);
  out[2 * n + t] = __reduce_and_sync(~0u, v);
  out[3 * n + t] = __reduce_xor_sync(~0u, v);
}
extern "C" __global__ void barrier_predicates(const int* in, int* out) {
  int t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
  int count = __syncthreads_count(v > 50), any = __syncthreads_or(v > 98), all = __syncthreads_and(v >= 0);
  out[blockIdx.x * blockDim.x + t] = count * 4 + (any != 0) * 2 + (all != 0);
}
extern "C" __global__ void rotate_double(double* data, int by) {
  int lane = threadIdx.x & 31;
  data[threadIdx.x] = __shfl_sync(~0u, data[threadIdx.x], (lane + by) & 31);
}
extern "C" __global__ void half_warps(const int* in, int* out) {  // the halves go different ways
  int lane = threadIdx.x & 31, v = in[threadIdx.x];
  if (lane < 16)
    for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffu, v, d);
  else
    for (int d = 1; d < 16; d *= 2) v = max(v, __shfl_xor_sync(0xffff0000u, v, d));
  __syncwarp();
  out[threadIdx.x] = v;
}
extern "C" __global__ void butterfly_through_shared(const int* in, int* out) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    int other = s[t ^ d];
    __syncwarp();
    s[t] += other;
    __syncwarp();
  }
  out[t] = s[t];
}
extern "C" __global__ void float_max_by_cas(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* address = (int*)out;
  int old = *address, seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= in[i]) break;
    old = atomicCAS(address, seen, __float_as_int(in[i]));
  } while (old != seen);
}
extern "C" __global__ void double_add_by_cas(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long *address = (unsigned long long*)out, old = *address, seen;
  do {
    seen = old;
    old = atomicCAS(address, seen,
                    (unsigned long long)__double_as_longlong(in[i] + __longlong_as_double((long long)seen)));
  } while (old != seen);
}
extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&u[0], ~(1u << (t & 31)));
  atomicOr(&u[1], 1u << (t & 31));
  atomicXor(&u[2], (unsigned)t);
  atomicInc(&u[3], 6u);
  atomicAdd_block(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)t << 40);
  atomicAdd_system(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
}
extern "C" __global__ void linked_list(int* head, int* next) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  next[t] = atomicExch(head, t);
}
extern "C" __global__ void tiles(const int* in, int* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int v = in[threadIdx.x];
  out[threadIdx.x] = cg::reduce(tile, v, cg::plus<int>()) * 10 + (int)tile.thread_rank();
}
extern "C" __global__ void aggregated_counter(const int* in, int* count, int* seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) {
    auto active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, (int)active.size());
    atomicAdd(&seen[active.shfl(base, 0) + active.thread_rank()], 1);
  }
}
extern "C" __global__ void group_reverse(int* data) {
  extern __shared__ int s[];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = data[block.thread_rank()];
  block.sync();
  data[block.thread_rank()] = s[block.size() - 1 - block.thread_rank()];
}
extern "C" __global__ void clocks(long long* out) {
  long long start = clock64();
  assert(threadIdx.x < blockDim.x);
  out[threadIdx.x] = clock64() >= start;
}
