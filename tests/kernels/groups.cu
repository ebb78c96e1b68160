// SPDX-License-Identifier: MIT
// Cooperative groups as types of one's own functions, split barriers, partitions chosen when it runs; atomics
// of pairs, of 16 bytes and of other scopes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
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
__device__ void wide(const int* in, int* sums, int* indices, int* flags) {
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
  indices[t] = (int)(tile.meta_group_rank() * 1000 + warp.meta_group_rank() * 100 + warp.meta_group_size());
  // Only the first tile goes through this.
  if (tile.meta_group_rank() == 0) indices[t] += 10000 * tile.shfl(in[t], 37);
  flags[t] = tile.any(in[t] == in[first]) + 2 * tile.all(in[t] >= 0) + 4 * tile.all(in[t] == in[first]) +
             8 * tile.any(in[t] < 0);
}
extern "C" __global__ void wide_tiles_64(const int* in, int* sums, int* indices, int* flags) {
  wide<64>(in, sums, indices, flags);
}
extern "C" __global__ void wide_tiles_256(const int* in, int* sums, int* indices, int* flags) {
  wide<256>(in, sums, indices, flags);
}
// Parts of groups know which of how many they are.
extern "C" __global__ void places_of_parts(const int* labels, int* by_label, int* by_bit, int* by_fours) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int i = (int)cg::thread_rank(block), label = labels[i];
  const auto same = cg::labeled_partition(tile, (long long)label << 33);
  by_label[i] = (int)(same.meta_group_rank() * 10000 + same.meta_group_size() * 100 + same.thread_rank());
  const auto half = cg::binary_partition(tile, (label & 1) != 0);
  by_bit[i] = (int)(half.meta_group_rank() * 10000 + half.meta_group_size() * 100 + cg::group_size(half));
  by_fours[i] = 0;
  if (label % 3 != 0) {
    const auto four = cg::tiled_partition(cg::coalesced_threads(), 4);
    by_fours[i] = (int)(four.meta_group_rank() * 10000 + four.meta_group_size() * 100 + four.size());
  }
}
// Values of more than 8 bytes, up to 32.
struct Wide {
  double value;
  int at[5];
};
struct Sum {
  __device__ float4 operator()(float4 a, float4 b) const {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
};
extern "C" __global__ void wide_values(const float* in, float* sums, int* from) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int t = (int)block.thread_rank();
  const float4 sum = cg::reduce(tile, make_float4(in[t], 1.0f, -in[t], 2.0f), Sum());
  sums[t] = sum.x + 1000.0f * sum.y + sum.z + 100000.0f * sum.w;
  Wide own = {t * 0.5, {t, t + 1, t + 2, t + 3, t + 4}};
  const Wide third = tile.shfl(own, 3), next = tile.shfl_down(own, 1), other = tile.shfl_xor(own, 5);
  const double before = cg::tiled_partition<64>(block).shfl(own.value, 40);
  from[t] = third.at[4] + 100 * next.at[0] + 10000 * other.at[2] + 1000000 * (int)(before * 2) +
            (int)(third.value * 2);
}
extern "C" __global__ void copies_and_places(const int* in, int n, int* out, int* sums, int* indices) {
  __shared__ int room[64];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const cg::grid_group grid = cg::this_grid();
  room[block.thread_rank()] = -1;
  block.sync();
  cg::memcpy_async(block, room, 64, in, n);
  cg::wait(block);
  const dim3 at = grid.thread_index(), all = grid.dim_threads();
  const int i = (int)(at.x + all.x * at.y);
  out[i] = room[block.thread_rank()];
  indices[i] = (int)(all.x * 1000 + all.y);
  cg::reduce_store_async(tile, &sums[blockIdx.y * gridDim.x * 2 + blockIdx.x * 2 + tile.meta_group_rank()],
                         room[block.thread_rank()], cg::plus<int>());
}
