// SPDX-License-Identifier: MIT
// Packs a condition into mask bits: a block per tile computes its conditions, packs and counts their bits,
// and looks back for the number of true ones before it (codegen/look_back.cuh).
//
// indexing/emit_compact.cpp generates the lines before it: the map program and its operands, the look-back of
// counts A, and constants: each, the elements of a thread; vector, how many of them are read at once, 1 where
// the elements are not consecutive in memory; words.

constexpr int tile_elements = each * block_threads;

// The bits of a thread's `each` consecutive elements, which are stored together.
ARR_FN unsigned arr_pack_contiguous(const arr_params& p, const arr_addresses& a, long long begin,
                                    long long size) {
  const long long first = begin + threadIdx.x * each;
  unsigned own = 0;
  if (first + each <= size) {
    bool flags[each];
#pragma unroll
    for (int k = 0; k < each; k += vector) {
      arr_map_vector<0, vector>(p, a, (arr_index)(first + k), flags + k, arr_inputs());
    }
#pragma unroll
    for (int k = 0; k < each; ++k) own |= (unsigned)flags[k] << k;
  } else {
    for (int k = 0; k < each; ++k) {
      bool flag = false;
      if (first + k < size)
        arr_map<0>(p, a, arr_split<dims>(p, extent_word, (arr_unsigned)(first + k)), flag, arr_inputs());
      own |= (unsigned)flag << k;
    }
  }
  if (first < (size + 63) / 64 * 64) ((unsigned short*)p.w[bits_word])[first / each] = (unsigned short)own;
  return own;
}

// Neighbouring threads take neighbouring elements. Thread i of a warp stores its word i.
ARR_FN unsigned arr_pack_strided(const arr_params& p, const arr_addresses& a, long long begin,
                                 long long size) {
  const int lane = threadIdx.x % 32;
  const long long first = begin + threadIdx.x / 32 * (32 * each);
  unsigned own = 0;
#pragma unroll 4
  for (int i = 0; i < each; ++i) {
    const long long at = first + i * 32 + lane;
    bool flag = false;
    if (at < size) arr_map<0>(p, a, arr_split<dims>(p, extent_word, (arr_unsigned)at), flag, arr_inputs());
    const unsigned word = __ballot_sync(0xffffffffu, flag);
    if (lane == i) own = word;
  }
  const long long at = first / 32 + lane;
  if (lane < each && at < (size + 63) / 64 * 2) ((unsigned*)p.w[bits_word])[at] = own;
  return own;
}

// The sum of all threads' counts, for all of them.
ARR_FN A arr_block_sum(int count) {
  __shared__ int parts[block_threads / 32];
  for (int d = 16; d > 0; d >>= 1) count += arr_shuffle_down(count, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = count;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < block_threads / 32; ++i) sum += parts[i];
  return (A)sum;
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long size = (long long)p.w[size_word];
  const unsigned tiles = (unsigned)p.w[tiles_word], tile = arr_take_tile(p);
  const long long begin = (long long)tile * tile_elements;
  const arr_addresses a = arr_locate(p, arr_indices<0>(), arr_inputs());
  unsigned own;
  if constexpr (vector > 1) {
    own = arr_pack_contiguous(p, a, begin, size);
  } else {
    own = arr_pack_strided(p, a, begin, size);
  }
  const A total = arr_block_sum(__popc(own));
  const A prefix = arr_look_back<false>(p, 1, 0, tile, tiles, total), before = tile > 0 ? prefix : A(0);
  if (threadIdx.x == 0) {
    A* counts = (A*)p.w[before_word];
    counts[tile] = before;
    if (tile + 1 == tiles) counts[tiles] = before + total;
  }
}
