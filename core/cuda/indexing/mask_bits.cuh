// SPDX-License-Identifier: MIT
// The mask bits of a block's tile: words of 32 bits, and the number of set bits before each.
//
// indexing/emit_compact.cpp generates the lines before it: the constants tile_words, size_word, bits_word and
// before_word.

// Calls f(element, rank) in the thread of each selected element of tile number blockIdx.x: its number in
// row-major order, and the number of selected elements before it. rank_in: of those in the tile alone.
template <class F>
ARR_FN void arr_each_selected(const arr_params& p, F&& f) {
  __shared__ unsigned words[tile_words];
  __shared__ int starts[tile_words];
  __shared__ int sums[tile_words / 32];
  const int t = threadIdx.x, lane = t % 32;
  const long long first = (long long)blockIdx.x * tile_words, all = ((long long)p.w[size_word] + 63) / 64 * 2;
  int own = 0, upto = 0;
  if (t < tile_words) {
    const unsigned word = first + t < all ? ((const unsigned*)p.w[bits_word])[first + t] : 0;
    words[t] = word;
    own = __popc(word);
  }
  upto = own;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const int below = arr_shuffle_up(upto, d);
    if (lane >= d) upto += below;
  }
  if (t < tile_words && lane == 31) sums[t / 32] = upto;
  __syncthreads();
  if (t < tile_words) {
    int start = upto - own;
    for (int i = 0; i < t / 32; ++i) start += sums[i];
    starts[t] = start;
  }
  __syncthreads();
  for (int w = t / 32; w < tile_words; w += block_threads / 32) {
    const unsigned word = words[w];
    if (word >> lane & 1u) f(w * 32 + lane, starts[w] + __popc(word & ((1u << lane) - 1u)));
  }
}

// The number of selected elements before the block's tile.
ARR_FN long long arr_selected_before(const arr_params& p) {
  return ((const long long*)p.w[before_word])[blockIdx.x];
}
ARR_FN long long arr_tile_begin() { return (long long)blockIdx.x * (tile_words * 32); }
