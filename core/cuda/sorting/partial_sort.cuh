// SPDX-License-Identifier: MIT
// The kernels of partial sorts. The elements that a sort puts at the indices kth are selected by 8 bits of
// their keys at a time, and then of their indices, from the highest down: tiles count the elements that share
// the bits found so far. Then the elements are moved, in their order: those before the first kth, its
// element, those between it and the next, and so on. sort_key.cuh and sort.cuh precede this text.

// The state of the search for a requested element.
struct arr_pivot {
  arr_element key;
  unsigned index, rank;  // rank: among the elements that share its bits
};
constexpr int pivot_bytes = 32, key_digits = words * (int)sizeof(K), max_pivots = 64;
static_assert(sizeof(arr_pivot) <= pivot_bytes, "memory of a pivot");

ARR_FN arr_pivot* arr_pivot_at(const arr_params& p, long long i) {
  return (arr_pivot*)((char*)p.w[pivots_word] + i * pivot_bytes);
}
// Digits from the highest of the key to the lowest of the index.
ARR_FN unsigned arr_high_digit(const arr_element& key, unsigned index, int d) {
  if (d < key_digits) return arr_digit(key, key_digits - 1 - d);
  return index >> (8 * (key_digits + 3 - d)) & 255u;
}
ARR_FN bool arr_shares(const arr_element& key, unsigned index, const arr_pivot& pivot, int digits) {
  for (int w = 0; w < words; ++w) {
    const int left = digits - w * (int)sizeof(K);
    if (left <= 0) return true;
    const K differ = K(key.w[w] ^ pivot.key.w[w]);
    if (left < (int)sizeof(K)) return K(differ >> (8 * ((int)sizeof(K) - left))) == 0;
    if (differ != 0) return false;
  }
  const int left = digits - key_digits;
  return left <= 0 || (index ^ pivot.index) >> (8 * (4 - left)) == 0;
}

// A block per tile, and in y per requested element.
ARR_FN void arr_select_count(const arr_params& p) {
  __shared__ unsigned count[256];
  const arr_tile tile = arr_my_tile(p);
  const int t = threadIdx.x, pass = (int)p.w[pass_word];
  const long long at = tile.row * (long long)p.w[nkth_word] + blockIdx.y;
  const arr_element* x = (const arr_element*)p.w[keys_word] + tile.row * (long long)p.w[n_word];
  const arr_pivot pivot = *arr_pivot_at(p, at);
  const K turn = arr_turn(p);
  count[t] = 0;
  __syncthreads();
  for (long long j = tile.first + t; j < tile.last; j += threads) {
    const arr_element key = arr_key(x[j], turn);
    if (!arr_shares(key, (unsigned)j, pivot, pass)) continue;
    atomicAdd(&count[arr_high_digit(key, (unsigned)j, pass)], 1u);
  }
  __syncthreads();
  if (count[t] != 0) atomicAdd((unsigned*)p.w[pivot_counts_word] + at * 256 + t, count[t]);
}

// A block per requested element, a thread per digit.
ARR_FN void arr_select_pivot(const arr_params& p) {
  __shared__ unsigned sums[warps];
  const int t = threadIdx.x, pass = (int)p.w[pass_word];
  const long long nkth = (long long)p.w[nkth_word];
  unsigned* counts = (unsigned*)p.w[pivot_counts_word] + (long long)blockIdx.x * 256;
  arr_pivot* pivot = arr_pivot_at(p, blockIdx.x);
  const unsigned rank =
      pass == 0 ? (unsigned)p.w[kth_word + (int)((long long)blockIdx.x % nkth)] : pivot->rank;
  const unsigned here = counts[t], before = arr_sum_before(here, sums);
  __syncthreads();
  counts[t] = 0;
  if (rank < before || rank >= before + here) return;
  pivot->rank = rank - before;
  if (pass >= key_digits) {
    pivot->index |= (unsigned)t << (8 * (key_digits + 3 - pass));
  } else {
    const int digit = key_digits - 1 - pass, each = (int)sizeof(K), word = words - 1 - digit / each;
    pivot->key.w[word] = K(pivot->key.w[word] | K(K(t) << (8 * (digit % each))));
  }
}

// 2 i + 1: requested element i; 2 i: those before it, and after the previous one.
ARR_FN unsigned arr_group_of(const arr_pivot* pivots, int count, const arr_element& key, unsigned index) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    const arr_pivot& pivot = pivots[middle];
    if (arr_before(pivot.key, pivot.index, key, index)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (unsigned)(2 * low + (low < count && pivots[low].index == index ? 1 : 0));
}
ARR_FN int arr_read_pivots(const arr_params& p, long long row, arr_pivot* pivots) {
  const int count = (int)p.w[nkth_word];
  if ((int)threadIdx.x < count) pivots[threadIdx.x] = *arr_pivot_at(p, row * count + threadIdx.x);
  __syncthreads();
  return count;
}

ARR_FN void arr_group_count(const arr_params& p) {
  __shared__ unsigned count[256];
  __shared__ arr_pivot pivots[max_pivots];
  const arr_tile tile = arr_my_tile(p);
  const arr_element* x = (const arr_element*)p.w[keys_word] + tile.row * (long long)p.w[n_word];
  const int t = threadIdx.x;
  const K turn = arr_turn(p);
  count[t] = 0;
  const int known = arr_read_pivots(p, tile.row, pivots);
  for (long long j = tile.first + t; j < tile.last; j += threads) {
    atomicAdd(&count[arr_group_of(pivots, known, arr_key(x[j], turn), (unsigned)j)], 1u);
  }
  __syncthreads();
  tile.counts[t] = count[t];
}
ARR_FN void arr_group_scatter(const arr_params& p) {
  __shared__ arr_pivot pivots[max_pivots];
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const arr_element* x = (const arr_element*)p.w[keys_word] + start;
  unsigned* to_indices = (unsigned*)p.w[to_indices_word] + start;
  const K turn = arr_turn(p);
  const int known = arr_read_pivots(p, tile.row, pivots);
  arr_move_tile(
      tile, [&](long long j) { return arr_key(x[j], turn); },
      [&](long long j, const arr_element& key) { return arr_group_of(pivots, known, key, (unsigned)j); },
      [&](unsigned at, const arr_element&, long long j) { to_indices[at] = (unsigned)j; });
}

// The first `count` elements of each row by their indices, not yet sorted; and their indices, sorted with
// them.
ARR_FN void arr_first_elements(const arr_params& p) {
  const long long count = (long long)p.w[count_word], all = (long long)p.w[rows_word] * count,
                  n = (long long)p.w[n_word];
  for (long long i = (long long)blockIdx.x * threads + threadIdx.x; i < all;
       i += (long long)gridDim.x * threads) {
    const long long start = i / count * n;
    const unsigned index = ((const unsigned*)p.w[from_indices_word])[start + i % count];
    ((arr_element*)p.w[to_keys_word])[i] = ((const arr_element*)p.w[keys_word])[start + index];
  }
}
ARR_FN void arr_first_indices(const arr_params& p) {
  const long long count = (long long)p.w[count_word], all = (long long)p.w[rows_word] * count,
                  n = (long long)p.w[n_word];
  for (long long i = (long long)blockIdx.x * threads + threadIdx.x; i < all;
       i += (long long)gridDim.x * threads) {
    const long long at = i / count * n + ((const long long*)p.w[from_order_word])[i];
    ((long long*)p.w[order_word])[i] = (long long)((const unsigned*)p.w[from_indices_word])[at];
  }
}
