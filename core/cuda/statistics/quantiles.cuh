// SPDX-License-Identifier: MIT
// Quantiles of rows by radix selection: 8 bits of the keys at a time, the highest first. The elements that
// share the bits found so far with a wanted element are counted by their next 8 bits. emit_quantiles.cpp puts
// before it the types T, U and K, the constants of QuantileShape and quantile_key.cuh; math/quantile.h has
// the formulas.

constexpr int passes = key_bits / 8, rows_per_block = 256 / lanes;

// The state of a row's wanted elements, which are in ascending order.
struct arr_query {
  unsigned long long nans;
  unsigned long long rank[slots];   // among the elements that share its bits
  unsigned long long equal[slots];  // number of these
  K bits[slots];                    // found so far
  K next[slots];                    // for each group ~ the least key above it; 0: none found yet
  K group[slots];                   // the distinct values of `bits`
  int group_of[slots];
  int groups;
};

// The state of a row that several blocks share.
struct arr_row {
  arr_query query;
  unsigned ticket;
  unsigned long long count[slots * 256];
};
static_assert(sizeof(arr_row) <= row_bytes, "memory of a row");

// The number of groups below a key.
ARR_FN int arr_groups_below(const arr_query& w, K k) {
  int low = 0, high = w.groups;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (w.group[middle] < k) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Counts this thread's share of the elements by their next 8 bits.
ARR_FN void arr_count(const T* x, long long from, long long to, int pass, arr_query& w, unsigned* count) {
  const int shift = key_bits - 8 * (pass + 1);
  unsigned long long nans = 0;
#pragma unroll 4
  for (long long j = from; j < to; j += lanes) {
    const K k = arr_key(x[j]), low = k >> shift;
    int group = 0;
    if (pass == 0) {
      if (floating && k == ~K(0)) ++nans;
    } else {
      group = arr_groups_below(w, low >> 8);
      if (group == w.groups || w.group[group] != low >> 8) continue;
    }
    atomicAdd(&count[group * 256 + (int)(low & 255)], 1u);
  }
  if (nans != 0) atomicAdd(&w.nans, nans);
}

// Finds the least key above each group, which is one key by now.
ARR_FN void arr_find_successor(const T* x, long long from, long long to, arr_query& w) {
#pragma unroll 4
  for (long long j = from; j < to; j += lanes) {
    const K k = arr_key(x[j]);
    const int group = arr_groups_below(w, k) - 1;
    if (group < 0 || (floating && k == ~K(0))) continue;
    // Most keys are not the least; reading first avoids their atomic operations.
    if (w.next[group] < (K)~k) atomicMax(&w.next[group], (K)~k);
  }
}

// Finds the next 8 bits of each wanted element, a warp for each; counts(bin) is a count of the row.
template <class Counts>
ARR_FN void arr_select_bin(arr_query& w, int wanted, int lane, Counts&& counts) {
  const int l = lane % 32;
  for (int i = lane / 32; i < wanted; i += lanes / 32) {
    const int first = w.group_of[i] * 256 + l * 8;
    const unsigned long long rank = w.rank[i];
    __syncwarp();
    unsigned long long sum = 0;
    for (int c = 0; c < 8; ++c) sum += counts(first + c);
    unsigned long long upto = sum;
    for (int d = 1; d < 32; d <<= 1) {
      const unsigned long long before = arr_shuffle_up(upto, d);
      if (l >= d) upto += before;
    }
    if (rank >= upto || rank < upto - sum) continue;
    unsigned long long before = upto - sum;
    for (int c = 0; c < 8; ++c) {
      const unsigned long long here = counts(first + c);
      if (rank < before + here) {
        w.bits[i] = (K)(w.bits[i] << 8 | (K)(l * 8 + c));
        w.rank[i] = rank - before;
        w.equal[i] = here;
        break;
      }
      before += here;
    }
  }
}

// Groups the wanted elements by their bits.
ARR_FN void arr_group(arr_query& w, int wanted) {
  int groups = 0;
  for (int i = 0; i < wanted; ++i) {
    if (i == 0 || w.bits[i] != w.bits[i - 1]) w.group[groups++] = w.bits[i];
    w.group_of[i] = groups - 1;
  }
  w.groups = groups;
}

// Quantile i of a row, from what was selected.
ARR_FN void arr_store(const arr_params& p, const arr_query& w, int i, long long row, long long n) {
  const bool skip_nan = (p.w[flags_word] & 1) != 0, elements = (p.w[flags_word] & 2) != 0;
  const long long count = n - (long long)w.nans;
  const bool nothing = count == 0 || (count != n && !skip_nan);
  const long long at = (long long)p.w[index_word + i] * (long long)p.w[rows_word] + row;
  const T low = arr_unkey(w.bits[i]);
  if (elements) {
    ((T*)p.w[out_word])[at] = nothing ? (T)arr_bits<double>(0x7ff8000000000000ULL) : low;
    return;
  }
  double result = arr_bits<double>(0x7ff8000000000000ULL);
  if (!nothing) {
    const int method = (int)p.w[method_word];
    const arr_quantile_position position = arr_quantile_at(method, arr_word<double>(p.w + q_word + i), count);
    const bool other = position.high != position.low && w.rank[i] + 1 >= w.equal[i];
    const T high = other ? arr_unkey((K)~w.next[w.group_of[i]]) : low;
    result = arr_quantile_between(method, (double)low, (double)high, position.between);
  }
  ((double*)p.w[out_word])[at] = result;
}

// Adds this block's counts to the row's, and returns whether it is the last block to do so; the last block
// then has the numbers of the whole row.
ARR_FN bool arr_merge_row(arr_row& r, arr_query& w, const unsigned* count, int pass) {
  __shared__ int last;
  const int t = threadIdx.x;
  if (pass < passes) {
    for (int i = t; i < w.groups * 256; i += 256) {
      if (count[i] != 0) atomicAdd(&r.count[i], (unsigned long long)count[i]);
    }
    if (pass == 0 && t == 0 && w.nans != 0) atomicAdd(&r.query.nans, w.nans);
  } else if (t < w.groups && w.next[t] != 0) {
    atomicMax(&r.query.next[t], w.next[t]);
  }
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&r.ticket, 1u) == gridDim.y - 1 ? 1 : 0;
  __syncthreads();
  if (last == 0) return false;
  __threadfence();
  if (pass == 0 && t == 0) w.nans = __ldcg(&r.query.nans);
  if (pass == passes && t < w.groups) w.next[t] = __ldcg(&r.query.next[t]);
  __syncthreads();
  return true;
}

// Copies a row's state, by words: to where the next launch finds it, or from there.
ARR_FN void arr_copy(arr_query* to, const arr_query* from) {
  for (int i = threadIdx.x; i < (int)(sizeof(arr_query) / 4); i += 256) {
    ((unsigned*)to)[i] = ((const unsigned*)from)[i];
  }
}

// From the counts of a step to the groups of the next. The first step counts the elements that are not nan,
// from which the wanted ranks follow.
ARR_FN void arr_advance(const arr_params& p, arr_query& w, const unsigned* count, arr_row* r, int pass,
                        int lane, long long n) {
  const int wanted = (int)p.w[wanted_word];
  if (pass == 0 && lane < wanted) {
    const long long left = n - (long long)w.nans;
    const double q = arr_word<double>(p.w + q_word + lane);
    w.rank[lane] = (unsigned long long)arr_quantile_at((int)p.w[method_word], q, left > 0 ? left : 1).low;
  }
  __syncthreads();
  if constexpr (split) {
    arr_select_bin(w, wanted, lane, [&](int bin) { return __ldcg(&r->count[bin]); });
    __syncthreads();
    // Zeros again for the next step.
    for (int i = threadIdx.x; i < w.groups * 256; i += 256) r->count[i] = 0;
  } else {
    arr_select_bin(w, wanted, lane, [&](int bin) { return (unsigned long long)count[bin]; });
  }
  __syncthreads();
  if (lane == 0) arr_group(w, wanted);
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ unsigned counts[rows_per_block][slots * 256];
  __shared__ arr_query known[rows_per_block];
  const long long rows = (long long)p.w[rows_word], n = (long long)p.w[n_word];
  const int lane = threadIdx.x % lanes, group = threadIdx.x / lanes, wanted = (int)p.w[wanted_word];
  const int steps = (int)p.w[steps_word];
  const long long row = (long long)blockIdx.x * rows_per_block + group;
  const bool mine = row < rows;
  const T* x = (const T*)p.w[data_word] + (mine ? row * n : 0);
  arr_query& w = known[group];
  unsigned* count = counts[group];
  arr_row* r = nullptr;
  long long from = 0, to = mine ? n : 0;
  int pass = 0;
  if constexpr (split) {
    r = (arr_row*)((char*)p.w[scratch_word] + row * row_bytes);
    pass = (int)p.w[pass_word];
    from = (long long)blockIdx.y * (long long)p.w[part_word];
    to = from + (long long)p.w[part_word] < n ? from + (long long)p.w[part_word] : n;
  }
  if (pass > 0) {
    arr_copy(&w, &r->query);
  } else {
    for (int i = lane; i < (int)(sizeof(arr_query) / 4); i += lanes) ((unsigned*)&w)[i] = 0;
    __syncthreads();
    if (lane == 0) w.groups = 1;
  }
  for (;; ++pass) {
    __syncthreads();
    for (int i = lane; i < w.groups * 256; i += lanes) count[i] = 0;
    __syncthreads();
    if (pass < passes) {
      arr_count(x, from + lane, to, pass, w, count);
    } else {
      arr_find_successor(x, from + lane, to, w);
    }
    __syncthreads();
    if constexpr (split) {
      if (!arr_merge_row(*r, w, count, pass)) return;
    }
    if (pass < passes) arr_advance(p, w, count, r, pass, lane, n);
    if (pass == steps - 1) break;
    if constexpr (split) {
      arr_copy(&r->query, &w);
      if (threadIdx.x == 0) r->ticket = 0;
      return;
    }
  }
  if (mine && lane < wanted) arr_store(p, w, lane, row, n);
}
