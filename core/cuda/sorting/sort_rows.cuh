// SPDX-License-Identifier: MIT
// The kernels that sort short rows, always stable, in place if the result overwrites the elements. Up
// to 32 elements are sorted by lanes of a warp: a bitonic network over keys, equal ones by their indices. Up
// to max_row_length are sorted by a block in shared memory, by 8 bits of their keys at a time from the lowest
// up. sort_key.cuh goes before it. Rows may be columns: see SortCall.

ARR_FN long long arr_row_start(const arr_params& p, long long row) {
  const long long inner = (long long)p.w[inner_word];
  return row / inner * (long long)p.w[n_word] * inner + row % inner;
}
ARR_FN void arr_put(const arr_params& p, long long at, const arr_element& x, unsigned index) {
  if (p.w[sorted_word] != 0) ((arr_element*)p.w[sorted_word])[at] = x;
  if (p.w[order_word] != 0) ((long long*)p.w[order_word])[at] = (long long)index;
}

// A warp sorts several rows; the number of lanes per row is a power of two.
ARR_FN void arr_warp_rows(const arr_params& p) {
  const long long rows = (long long)p.w[rows_word], inner = (long long)p.w[inner_word];
  const int n = (int)p.w[n_word], t = threadIdx.x, lane = t % 32;
  const K turn = arr_turn(p);
  int width = 1;
  while (width < n) width *= 2;
  const int each = 32 / width, mine = lane % width;
  const long long step = (long long)gridDim.x * warps * each;
  for (long long first = ((long long)blockIdx.x * warps + t / 32) * each; first < rows; first += step) {
    const long long row = first + lane / width, start = row < rows ? arr_row_start(p, row) : 0;
    const bool has = row < rows && mine < n;
    const arr_element* x = (const arr_element*)p.w[keys_word] + start;
    arr_element key;
    for (int w = 0; w < words; ++w) key.w[w] = key_all;
    if (has) key = arr_key(x[mine * inner], turn);
    unsigned index = (unsigned)mine;
    for (int size = 2; size <= width; size *= 2) {
      for (int d = size / 2; d > 0; d /= 2) {
        const arr_element other = arr_shuffle(key, lane ^ d);
        const unsigned other_index = arr_shuffle(index, lane ^ d);
        // The lower lane keeps the lesser one where the order rises, else the greater one.
        const bool lesser = ((mine & size) == 0) == ((mine & d) == 0);
        if (arr_before(other, other_index, key, index) == lesser) {
          key = other;
          index = other_index;
        }
      }
    }
    arr_element result;
    if (has) result = x[(int)index * inner];
    __syncwarp();
    if (has) arr_put(p, start + mine * inner, result, index);
    __syncwarp();
  }
}

constexpr int max_row_length = sizeof(K) * words <= 8 ? 4096 : 2048, each_thread = max_row_length / threads;

struct arr_shared_row {
  arr_element key[max_row_length];
  unsigned short index[max_row_length], count[warps * 256];
  unsigned sums[warps];
  int sorted;  // by the digit of a pass: all elements have the same
};

// Sorts the row of a block by one digit. Each warp has consecutive elements, each lane every 32nd of them.
ARR_FN void arr_block_pass(arr_shared_row& s, int n, int pass) {
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int rounds = (n + threads - 1) / threads, begin = warp * rounds * 32 + lane;
  if (t == 0) s.sorted = 0;
  unsigned short* mine = s.count + warp * 256;
  for (int d = lane; d < 256; d += 32) mine[d] = 0;
  __syncwarp();
  arr_element k[each_thread];
  unsigned short from[each_thread], rank[each_thread];
#pragma unroll
  for (int i = 0; i < each_thread; ++i) {
    if (i >= rounds) continue;
    const int j = begin + 32 * i;
    const bool has = j < n;
    k[i] = s.key[has ? j : 0];
    from[i] = s.index[has ? j : 0];
    const unsigned digit = arr_digit(k[i], pass);
    unsigned all;
    const unsigned before = arr_same_digit(digit, has, &all);
    const unsigned first = mine[digit];
    __syncwarp();
    if (has && before == 0) mine[digit] = (unsigned short)(first + all);
    __syncwarp();
    rank[i] = (unsigned short)(first + before);
  }
  __syncthreads();
  // A thread for a digit: from counts to where each warp's elements with it begin.
  unsigned total = 0;
  for (int w = 0; w < warps; ++w) {
    const unsigned here = s.count[w * 256 + t];
    s.count[w * 256 + t] = (unsigned short)total;
    total += here;
  }
  if (total == (unsigned)n) s.sorted = 1;
  const unsigned before = arr_sum_before(total, s.sums);
  for (int w = 0; w < warps; ++w) s.count[w * 256 + t] = (unsigned short)(s.count[w * 256 + t] + before);
  __syncthreads();
  if (s.sorted != 0) return;
#pragma unroll
  for (int i = 0; i < each_thread; ++i) {
    if (i >= rounds || begin + 32 * i >= n) continue;
    const int at = (int)mine[arr_digit(k[i], pass)] + (int)rank[i];
    s.key[at] = k[i];
    s.index[at] = from[i];
  }
}

ARR_FN void arr_block_rows(const arr_params& p) {
  __shared__ arr_shared_row s;
  const long long rows = (long long)p.w[rows_word], inner = (long long)p.w[inner_word];
  const int n = (int)p.w[n_word], t = threadIdx.x;
  const int passes = truth ? 1 : words * (int)sizeof(K);
  const K turn = arr_turn(p);
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const long long start = arr_row_start(p, row);
    const arr_element* x = (const arr_element*)p.w[keys_word] + start;
    for (int i = t; i < n; i += threads) {
      s.key[i] = arr_key(x[i * inner], turn);
      s.index[i] = (unsigned short)i;
    }
    for (int pass = 0; pass < passes; ++pass) {
      __syncthreads();
      arr_block_pass(s, n, pass);
    }
    __syncthreads();
    arr_element result[each_thread];
#pragma unroll
    for (int i = 0; i < each_thread; ++i) {
      if (t + i * threads < n) result[i] = x[(int)s.index[t + i * threads] * inner];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < each_thread; ++i) {
      const int at = t + i * threads;
      if (at < n) arr_put(p, start + at * inner, result[i], s.index[at]);
    }
    __syncthreads();
  }
}
