// SPDX-License-Identifier: MIT
// The kernels that sort long rows, always stable, by 8 bits of their keys at a time from the lowest up: the
// tiles of a row count their digits, the counts become the offsets at which each tile's elements with a digit
// begin, and each tile moves its elements there in order. sort_key.cuh goes before it.

// Element j of a row before this pass: its index at the start, and its key. permuted: keys of other arrays
// were sorted before these.
ARR_FN unsigned arr_index_before(const arr_params& p, long long start, long long j) {
  if (p.w[pass_word] == 0 && p.w[permuted_word] == 0) return (unsigned)j;
  return ((const unsigned*)p.w[from_indices_word])[start + j];
}
ARR_FN arr_element arr_key_before(const arr_params& p, long long start, long long j) {
  if (p.w[pass_word] != 0) return ((const arr_element*)p.w[from_keys_word])[start + j];
  return arr_key(((const arr_element*)p.w[keys_word])[start + arr_index_before(p, start, j)], arr_turn(p));
}

ARR_FN void arr_count(const arr_params& p) {
  __shared__ unsigned count[256];
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const int t = threadIdx.x, pass = (int)p.w[pass_word];
  count[t] = 0;
  __syncthreads();
  for (long long j = tile.first + t; j < tile.last; j += threads) {
    atomicAdd(&count[arr_digit(arr_key_before(p, start, j), pass)], 1u);
  }
  __syncthreads();
  tile.counts[t] = count[t];
}

// A block per row, a thread per digit.
ARR_FN void arr_scan(const arr_params& p) {
  __shared__ unsigned sums[warps];
  const long long tiles = (long long)p.w[tiles_word];
  unsigned* counts = (unsigned*)p.w[counts_word] + (long long)blockIdx.x * tiles * 256;
  const int t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 4
  for (long long i = 0; i < tiles; ++i) sum += counts[i * 256 + t];
  sum = arr_sum_before(sum, sums);
#pragma unroll 4
  for (long long i = 0; i < tiles; ++i) {
    const unsigned here = counts[i * 256 + t];
    counts[i * 256 + t] = sum;
    sum += here;
  }
}

// Moves 256 elements at a time, each behind the earlier ones with its digit. digit_of(j, key) is the digit of
// element j; move(at, key, j) stores it.
template <class Read, class Digit, class Move>
ARR_FN void arr_move_tile(const arr_tile& tile, Read&& read, Digit&& digit_of, Move&& move) {
  __shared__ unsigned next[256], in_warp[warps * 256];
  const int t = threadIdx.x, warp = t / 32;
  next[t] = tile.counts[t];
  for (int w = 0; w < warps; ++w) in_warp[w * 256 + t] = 0;
  __syncthreads();
  for (long long first = tile.first; first < tile.last; first += threads) {
    const long long j = first + t;
    const bool has = j < tile.last;
    arr_element key;
    for (int i = 0; i < words; ++i) key.w[i] = 0;
    if (has) key = read(j);
    const unsigned digit = has ? digit_of(j, key) : 0u;
    unsigned all;
    const unsigned before = arr_same_digit(digit, has, &all);
    if (has && before == 0) in_warp[warp * 256 + (int)digit] = all;
    __syncthreads();
    if (has) {
      unsigned at = next[digit] + before;
      for (int w = 0; w < warp; ++w) at += in_warp[w * 256 + (int)digit];
      move(at, key, j);
    }
    __syncthreads();
    for (int w = 0; w < warps; ++w) {
      next[t] += in_warp[w * 256 + t];
      in_warp[w * 256 + t] = 0;
    }
    __syncthreads();
  }
}
ARR_FN void arr_scatter(const arr_params& p) {
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const int pass = (int)p.w[pass_word];
  arr_element* to_keys = (arr_element*)p.w[to_keys_word] + start;
  unsigned* to_indices = (unsigned*)p.w[to_indices_word] + start;
  arr_move_tile(
      tile, [&](long long j) { return arr_key_before(p, start, j); },
      [&](long long, const arr_element& key) { return arr_digit(key, pass); },
      [&](unsigned at, const arr_element& key, long long j) {
        to_keys[at] = key;
        to_indices[at] = arr_index_before(p, start, j);
      });
}

// The elements at the indices.
ARR_FN void arr_gather(const arr_params& p) {
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const unsigned* indices = (const unsigned*)p.w[from_indices_word] + start;
  const arr_element* x = (const arr_element*)p.w[keys_word] + start;
  for (long long j = tile.first + threadIdx.x; j < tile.last; j += threads) {
    const unsigned index = indices[j];
    if (p.w[sorted_word] != 0) ((arr_element*)p.w[sorted_word])[start + j] = x[index];
    if (p.w[order_word] != 0) ((long long*)p.w[order_word])[start + j] = (long long)index;
  }
}
