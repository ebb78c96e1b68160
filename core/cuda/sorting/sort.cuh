// SPDX-License-Identifier: MIT
// The kernels that sort rows, always stable. A short row is sorted by a block in shared memory: a bitonic
// network over keys, equal ones by their places. Long rows are sorted by 8 bits of their keys at a time from
// the lowest up: the tiles of a row count their digits, the counts become the places where each tile's
// elements with a digit begin, and each tile moves its elements there in order. emit_sort.cpp writes the type
// K, unsigned and as wide as an element or a part of a complex one, and the constants before this text.

constexpr K key_top = K(K(1) << (8 * sizeof(K) - 1)), key_all = K(~K(0));

// The bits of an element, or its key: numbers of which the first counts first.
struct arr_element {
  K w[words];
};

// A key sorts as an unsigned integer; -0.0 has that of 0.0, and nan the greatest in both directions.
ARR_FN K arr_part_key(K bits, K turn) {
  if (truth) return K(K(bits != 0 ? 1 : 0) ^ turn);
  if (infinity == 0) return K(bits ^ (negatives ? key_top : K(0)) ^ turn);
  const K size = K(bits & K(~key_top));
  if (size > infinity) return key_all;
  const K number = K((bits & key_top) != 0 ? ~bits : bits | key_top);
  return K((size == 0 ? key_top : number) ^ turn);
}

// Complex numbers with a nan come after those without, by class: R + nan i, nan + R i, nan + nan i. No key of
// a number is as great as these.
ARR_FN arr_element arr_key(const arr_element& x, K turn) {
  arr_element k;
  for (int i = 0; i < words; ++i) k.w[i] = arr_part_key(x.w[i], turn);
  if (words == 1) return k;
  const K a = k.w[0], b = k.w[words - 1];
  if (a != key_all && b != key_all) return k;
  constexpr K step = K(K(1) << (sizeof(K) >= 4 ? 8 * sizeof(K) - 14 : 0));
  k.w[0] = a != key_all ? K(key_all - K(3 * step)) : b != key_all ? K(key_all - K(2 * step)) : key_all;
  k.w[words - 1] = a != key_all ? a : b != key_all ? b : K(0);
  return k;
}

ARR_FN unsigned arr_digit(const arr_element& key, int pass) {
  const int each = (int)sizeof(K), word = words - 1 - pass / each;
  return (unsigned)(key.w[word] >> (8 * (pass % each))) & 255u;
}

ARR_FN bool arr_before(const arr_element& a, unsigned place_a, const arr_element& b, unsigned place_b) {
  for (int i = 0; i < words; ++i) {
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i];
  }
  return place_a < place_b;
}

constexpr int short_row = 1024, threads = 256, each_thread = short_row / threads;

// Rows of at most short_row elements, padded with greatest keys to a power of two.
ARR_FN void arr_short(const arr_params& p) {
  __shared__ arr_element key[short_row];
  __shared__ unsigned place[short_row];
  const long long rows = (long long)p.w[rows_word];
  const int n = (int)p.w[n_word], t = threadIdx.x;
  const K turn = p.w[descending_word] != 0 ? key_all : K(0);
  int padded = 1;
  while (padded < n) padded *= 2;
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const arr_element* x = (const arr_element*)p.w[keys_word] + row * n;
    for (int i = t; i < padded; i += threads) {
      arr_element k;
      for (int w = 0; w < words; ++w) k.w[w] = key_all;
      key[i] = i < n ? arr_key(x[i], turn) : k;
      place[i] = (unsigned)i;
    }
    __syncthreads();
    for (int size = 2; size <= padded; size *= 2) {
      for (int step = size / 2; step > 0; step /= 2) {
        for (int i = t; i < padded / 2; i += threads) {
          const int low = 2 * step * (i / step) + i % step, high = low + step;
          const bool up = (low & size) == 0;
          if (arr_before(key[high], place[high], key[low], place[low]) == up) {
            const arr_element k = key[low];
            key[low] = key[high];
            key[high] = k;
            const unsigned at = place[low];
            place[low] = place[high];
            place[high] = at;
          }
        }
        __syncthreads();
      }
    }
    // The result may take the place of the elements.
    arr_element mine[each_thread];
    for (int i = 0; i < each_thread; ++i) {
      if (t + i * threads < n) mine[i] = x[place[t + i * threads]];
    }
    __syncthreads();
    for (int i = 0; i < each_thread; ++i) {
      const int at = t + i * threads;
      if (at >= n) continue;
      if (p.w[sorted_word] != 0) ((arr_element*)p.w[sorted_word])[row * n + at] = mine[i];
      if (p.w[order_word] != 0) ((long long*)p.w[order_word])[row * n + at] = (long long)place[at];
    }
    __syncthreads();
  }
}

// A block's part of a row.
struct arr_tile {
  long long row, first, last;  // first, last: among the row's elements
  unsigned* counts;
};
ARR_FN arr_tile arr_my_tile(const arr_params& p) {
  const long long tiles = (long long)p.w[tiles_word], size = (long long)p.w[tile_word],
                  n = (long long)p.w[n_word];
  arr_tile tile;
  tile.row = (long long)blockIdx.x / tiles;
  tile.first = (long long)blockIdx.x % tiles * size;
  tile.last = tile.first + size < n ? tile.first + size : n;
  tile.counts = (unsigned*)p.w[counts_word] + (long long)blockIdx.x * 256;
  return tile;
}

// Element j of a row before this pass: its key, and its place at the start.
ARR_FN arr_element arr_key_before(const arr_params& p, long long at) {
  if (p.w[pass_word] != 0) return ((const arr_element*)p.w[from_keys_word])[at];
  return arr_key(((const arr_element*)p.w[keys_word])[at], p.w[descending_word] != 0 ? key_all : K(0));
}

ARR_FN void arr_count(const arr_params& p) {
  __shared__ unsigned count[256];
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const int t = threadIdx.x, pass = (int)p.w[pass_word];
  count[t] = 0;
  __syncthreads();
  for (long long j = tile.first + t; j < tile.last; j += threads) {
    atomicAdd(&count[arr_digit(arr_key_before(p, start + j), pass)], 1u);
  }
  __syncthreads();
  tile.counts[t] = count[t];
}

// A block for a row, a thread for a digit.
ARR_FN void arr_scan(const arr_params& p) {
  __shared__ unsigned before[256];
  const long long tiles = (long long)p.w[tiles_word];
  unsigned* counts = (unsigned*)p.w[counts_word] + (long long)blockIdx.x * tiles * 256;
  const int t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 4
  for (long long i = 0; i < tiles; ++i) sum += counts[i * 256 + t];
  before[t] = sum;
  __syncthreads();
  if (t == 0) {
    unsigned all = 0;
    for (int digit = 0; digit < 256; ++digit) {
      const unsigned here = before[digit];
      before[digit] = all;
      all += here;
    }
  }
  __syncthreads();
  sum = before[t];
#pragma unroll 4
  for (long long i = 0; i < tiles; ++i) {
    const unsigned here = counts[i * 256 + t];
    counts[i * 256 + t] = sum;
    sum += here;
  }
}

// 256 elements at a time, each after those with its digit before it.
ARR_FN void arr_scatter(const arr_params& p) {
  __shared__ unsigned next[256], in_warp[8 * 256];
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const int t = threadIdx.x, warp = t / 32, pass = (int)p.w[pass_word];
  arr_element* to_keys = (arr_element*)p.w[to_keys_word] + start;
  unsigned* to_places = (unsigned*)p.w[to_places_word] + start;
  next[t] = tile.counts[t];
  for (int w = 0; w < 8; ++w) in_warp[w * 256 + t] = 0;
  __syncthreads();
  for (long long first = tile.first; first < tile.last; first += threads) {
    const long long j = first + t;
    const bool has = j < tile.last;
    arr_element key;
    for (int i = 0; i < words; ++i) key.w[i] = 0;
    unsigned place = 0;
    if (has) {
      key = arr_key_before(p, start + j);
      place = pass == 0 ? (unsigned)j : ((const unsigned*)p.w[from_places_word])[start + j];
    }
    const unsigned digit = arr_digit(key, pass);
    // The threads of the warp with the same digit.
    unsigned same = __ballot_sync(0xffffffffu, has);
    for (int b = 0; b < 8; ++b) {
      const bool set = (digit >> b & 1u) != 0;
      const unsigned vote = __ballot_sync(0xffffffffu, set);
      same &= set ? vote : ~vote;
    }
    const unsigned before = (unsigned)__popc(same & ((1u << t % 32) - 1u));
    if (has && before == 0) in_warp[warp * 256 + (int)digit] = (unsigned)__popc(same);
    __syncthreads();
    if (has) {
      unsigned at = next[digit] + before;
      for (int w = 0; w < warp; ++w) at += in_warp[w * 256 + (int)digit];
      to_keys[at] = key;
      to_places[at] = place;
    }
    __syncthreads();
    for (int w = 0; w < 8; ++w) {
      next[t] += in_warp[w * 256 + t];
      in_warp[w * 256 + t] = 0;
    }
    __syncthreads();
  }
}

// The elements at the places.
ARR_FN void arr_gather(const arr_params& p) {
  const arr_tile tile = arr_my_tile(p);
  const long long start = tile.row * (long long)p.w[n_word];
  const unsigned* places = (const unsigned*)p.w[from_places_word] + start;
  const arr_element* x = (const arr_element*)p.w[keys_word] + start;
  for (long long j = tile.first + threadIdx.x; j < tile.last; j += threads) {
    const unsigned place = places[j];
    if (p.w[sorted_word] != 0) ((arr_element*)p.w[sorted_word])[start + j] = x[place];
    if (p.w[order_word] != 0) ((long long*)p.w[order_word])[start + j] = (long long)place;
  }
}

extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  if constexpr (stage == 0) arr_short(p);
  if constexpr (stage == 1) arr_count(p);
  if constexpr (stage == 2) arr_scan(p);
  if constexpr (stage == 3) arr_scatter(p);
  if constexpr (stage == 4) arr_gather(p);
}
