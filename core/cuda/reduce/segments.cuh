// SPDX-License-Identifier: MIT
// Reductions of segments: `lanes` threads share a segment, each takes every lanes-th of its elements, and
// they combine their results in a fixed order. Each begins with an element, so that no identity takes part.
//
// reduce/emit_segments.cpp generates the lines before it: the types A of what is accumulated and O of
// results, arr_join(a, b), the constants of SegmentShape, and words.

constexpr int rows_per_block = block_threads / lanes;

// Combines the values of the lanes, of which the first `have` have one; the result is in lane 0.
template <int Lanes>
ARR_FN A arr_block_reduce(A s, int row, int lane, int have) {
#pragma unroll
  for (int d = (Lanes < 32 ? Lanes : 32) / 2; d > 0; d >>= 1) {
    const A other = arr_shuffle_down(s, d);
    if (lane % 32 + d < 32 && lane + d < have) s = arr_join(s, other);
  }
  if constexpr (Lanes > 32) {
    __shared__ A parts[block_threads / 32];
    if (lane % 32 == 0) parts[threadIdx.x / 32] = s;
    __syncthreads();
    if (lane == 0) {
      for (int l = 1; l * 32 < have; ++l) s = arr_join(s, parts[row * (Lanes / 32) + l]);
    }
  }
  return s;
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const int lane = threadIdx.x % lanes, row = threadIdx.x / lanes;
  const long long results = (long long)p.w[0], o = (long long)blockIdx.x * rows_per_block + row;
  A s = A(0);
  int have = 0;
  char* to = (char*)p.w[output_word];
  if (o < results) {
    const arr_indices<dims> k = arr_split<dims>(p, extent_word, (arr_unsigned)o);
    to += arr_offset<arr_index>(p, output_stride_word, k);
    const char* q = (const char*)p.w[input_word] + arr_offset<arr_index>(p, input_stride_word, k);
    const long long* bounds = (const long long*)p.w[bounds_word] + 2 * (long long)k.at[segment_dim];
    const long long step = (long long)p.w[step_word], end = bounds[1];
    long long j = bounds[0];
    have = end - j < lanes ? (int)(end - j) : lanes;
    j += lane;
    if (j < end) s = arr_element_at<A>(q + j * step);
#pragma unroll 4
    for (j += lanes; j < end; j += lanes) s = arr_join(s, arr_element_at<A>(q + j * step));
  }
  s = arr_block_reduce<lanes>(s, row, lane, have);
  if (lane == 0 && o < results) *(O*)to = arr_cast<O>(s);
}
