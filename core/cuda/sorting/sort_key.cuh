// SPDX-License-Identifier: MIT
// Keys of elements that sort as unsigned integers, and the parts of rows that blocks work on. emit_sort.cpp
// writes the type K, unsigned and as wide as an element or a part of a complex one, and the constants before
// this text.

constexpr int threads = 256, warps = threads / 32;
constexpr K key_top = K(K(1) << (8 * sizeof(K) - 1)), key_all = K(~K(0));

// The bits of an element, or its key: several numbers, the most significant first.
struct arr_element {
  K w[words];
};

// Converts to a key that sorts as an unsigned integer; -0.0 has the key of 0.0, and nan the largest in both
// directions.
ARR_FN K arr_part_key(K bits, K turn) {
  if (truth) return K(K(bits != 0 ? 1 : 0) ^ turn);
  if (infinity == 0) return K(bits ^ (negatives ? key_top : K(0)) ^ turn);
  const K size = K(bits & K(~key_top));
  if (size > infinity) return key_all;
  const K number = K((bits & key_top) != 0 ? ~bits : bits | key_top);
  return K((size == 0 ? key_top : number) ^ turn);
}

// Complex numbers with a nan come after all others, by class: R + nan i, nan + R i, nan + nan i. No key of a
// number is as large as these.
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

ARR_FN bool arr_before(const arr_element& a, unsigned index_a, const arr_element& b, unsigned index_b) {
  for (int i = 0; i < words; ++i) {
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i];
  }
  return index_a < index_b;
}

ARR_FN K arr_turn(const arr_params& p) { return p.w[descending_word] != 0 ? key_all : K(0); }

// A block's part of a long row.
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

// Counts the threads of the warp before this one that have the same digit, and in *all all that have it.
// Threads without an element have no digit.
ARR_FN unsigned arr_same_digit(unsigned digit, bool has, unsigned* all) {
  unsigned same = __ballot_sync(0xffffffffu, has);
  for (int b = 0; b < 8; ++b) {
    const bool set = (digit >> b & 1u) != 0;
    const unsigned vote = __ballot_sync(0xffffffffu, set);
    same &= set ? vote : ~vote;
  }
  *all = (unsigned)__popc(same);
  return (unsigned)__popc(same & ((1u << threadIdx.x % 32) - 1u));
}

// The sum of the values of the threads of the block before this one. sums: shared memory for the warps.
ARR_FN unsigned arr_sum_before(unsigned value, unsigned* sums) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned upto = value;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned other = arr_shuffle_up(upto, d);
    if (lane >= d) upto += other;
  }
  if (lane == 31) sums[warp] = upto;
  __syncthreads();
  unsigned before = upto - value;
  for (int w = 0; w < warp; ++w) before += sums[w];
  return before;
}
