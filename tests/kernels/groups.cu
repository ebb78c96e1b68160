// SPDX-License-Identifier: MIT
// Cooperative groups as types of one's own functions, split barriers, partitions chosen when it runs; atomics
// of pairs, of 16 bytes and of other scopes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

// A function that takes any group of the block.
__device__ int sum_of(const cg::thread_group& group, int* room, int value) {
  const int lane = (int)group.thread_rank();
  for (int d = (int)group.size() / 2; d > 0; d /= 2) {
    room[lane] = value;
    group.sync();
    if (lane < d) value += room[lane + d];
    group.sync();
  }
  room[lane] = value;
  group.sync();
  return room[0];
}
extern "C" __global__ void sums_by_group(const int* in, int* blocks, int* tiles) {
  __shared__ int room[128];
  cg::thread_block block = cg::this_thread_block();
  const int t = (int)block.thread_rank();
  blocks[blockIdx.x * blockDim.x + t] = sum_of(block, room, in[blockIdx.x * blockDim.x + t]);
  block.sync();
  cg::thread_group tile = cg::tiled_partition(block, 8);
  tiles[blockIdx.x * blockDim.x + t] = sum_of(tile, room + t / 8 * 8, in[blockIdx.x * blockDim.x + t]);
}
extern "C" __global__ void named_tile(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int v = in[block.thread_rank()];
  for (int d = (int)tile.size() / 2; d > 0; d /= 2) v = max(v, tile.shfl_xor(v, d));
  out[block.thread_rank()] = v * 100 + (int)tile.meta_group_rank();
}
extern "C" __global__ void split_barrier(const int* in, int* out) {
  __shared__ int room[128];
  cg::thread_block block = cg::this_thread_block();
  const unsigned t = block.thread_rank(), n = block.size();
  room[t] = in[t];
  auto token = block.barrier_arrive();
  const int own = in[t] * 2;
  block.barrier_wait(static_cast<cg::thread_block::arrival_token&&>(token));
  out[t] = room[n - 1 - t] + own;
}
extern "C" __global__ void one_of_a_group(int* count, int* told) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::invoke_one(tile, [&] { atomicAdd(count, 1); });
  told[blockIdx.x * blockDim.x + threadIdx.x] =
      cg::invoke_one_broadcast(tile, [&] { return (int)tile.meta_group_rank() + 7; });
}
extern "C" __global__ void grid_places(int* out) {
  cg::grid_group grid = cg::this_grid();
  const dim3 b = grid.block_index();
  out[grid.thread_rank()] = (int)(b.x + 10 * b.y + 100 * (unsigned)grid.block_rank());
}
extern "C" __global__ void atomics_of_pairs(__half2* h, __nv_bfloat162* b, __half* one, __nv_bfloat16* other,
                                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(h, __floats2half2_rn(1.0f, -2.0f));
  atomicAdd(b, __floats2bfloat162_rn(1.0f, 0.5f));
  atomicAdd(one, __float2half(0.25f));
  atomicAdd(other, __float2bfloat16(1.0f));
}
extern "C" __global__ void atomics_of_scopes(unsigned* u, unsigned long long* l, unsigned short* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicInc_system(&u[0], 6u);
  atomicDec_block(&u[1 + blockIdx.x], 4u);
  atomicMax_system(&l[0], (unsigned long long)i << 33);
  atomicOr_block(&l[1 + blockIdx.x], 1ull << (i % 64));
  unsigned short old = *s, seen;
  do {
    seen = old;
    old = atomicCAS(s, seen, (unsigned short)(seen + 3));
  } while (old != seen);
}
#if defined(__ARR_HOST__) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// 16 bytes at once: a number and how many times it was added to.
struct __align__(16) Counted {
  unsigned long long sum, times;
};
extern "C" __global__ void atomics_of_16_bytes(Counted* c, float2* f, float4* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Counted seen = {0, 0};
  for (;;) {
    const Counted next = {seen.sum + (unsigned long long)i, seen.times + 1};
    const Counted old = atomicCAS(c, seen, next);
    if (old.sum == seen.sum && old.times == seen.times) break;
    seen = old;
  }
  atomicAdd(f, make_float2(1.0f, -0.5f));
  atomicAdd(g, make_float4(1.0f, 2.0f, 3.0f, 0.25f));
}
#endif
// Tiles of several warps, which synchronise without the rest of the block.
template <unsigned N>
__device__ void wide(const int* in, int* sums, int* places, int* flags) {
  __shared__ cg::block_tile_memory<512> memory;
  __shared__ int room[512];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<N>(block);
  const int t = (int)block.thread_rank(), first = t - (int)tile.thread_rank();
  int v = in[t];
  for (int d = N / 2; d > 0; d /= 2) {
    room[t] = v;
    tile.sync();
    v += room[first + (((int)tile.thread_rank() + d) % (int)N)];
    tile.sync();
  }
  sums[t] = v + (cg::reduce(tile, in[t], cg::plus<int>()) == v ? 0 : 1000000);
  const auto warp = cg::tiled_partition<32>(tile);
  places[t] = (int)(tile.meta_group_rank() * 1000 + warp.meta_group_rank() * 100 + warp.meta_group_size());
  // Only the first tile goes through this.
  if (tile.meta_group_rank() == 0) places[t] += 10000 * tile.shfl(in[t], 37);
  flags[t] = tile.any(in[t] == in[first]) + 2 * tile.all(in[t] >= 0) + 4 * tile.all(in[t] == in[first]) +
             8 * tile.any(in[t] < 0);
}
extern "C" __global__ void wide_tiles_64(const int* in, int* sums, int* places, int* flags) {
  wide<64>(in, sums, places, flags);
}
extern "C" __global__ void wide_tiles_256(const int* in, int* sums, int* places, int* flags) {
  wide<256>(in, sums, places, flags);
}
