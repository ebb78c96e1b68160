// SPDX-License-Identifier: MIT
// Quantiles of elements with weights. A block sorts the positions of a row's elements by a stable radix sort,
// 8 bits of their keys at a time from the lowest; then one thread adds the weights in that order, so that the
// sums have the bits that they have on the host. emit_quantiles.cpp puts before it the types T, U and K,
// constants and quantile_key.cuh.

typedef unsigned long long arr_position;

// A block's memory: the row's positions before and after a pass, and the sums of weights.
struct arr_workspace {
  arr_position *from, *to;
  double* sums;
};

struct arr_shared {
  arr_position next[256];     // where the next element with these bits goes
  unsigned in_warp[8 * 256];  // number of the current elements by warp and bits
  unsigned bits[256];         // bits of each current element; 256: there is none
  double weights[256];
  arr_position nans;
  double sum;
};

ARR_FN unsigned arr_bits_of(const T* x, arr_position at, int pass) {
  return (unsigned)(arr_key(x[at]) >> (8 * pass)) & 255u;
}

// Finds where the elements with each value of the bits begin.
ARR_FN void arr_bin_offsets(arr_shared& s, const T* x, const arr_workspace& work, long long n, int pass) {
  const int t = threadIdx.x;
  s.next[t] = 0;
  for (int w = 0; w < 8; ++w) s.in_warp[w * 256 + t] = 0;
  __syncthreads();
  for (long long j = t; j < n; j += 256) {
    atomicAdd(&s.next[arr_bits_of(x, pass == 0 ? (arr_position)j : work.from[j], pass)], (arr_position)1);
  }
  __syncthreads();
  if (t == 0) {
    arr_position before = 0;
    for (int b = 0; b < 256; ++b) {
      const arr_position here = s.next[b];
      s.next[b] = before;
      before += here;
    }
  }
  __syncthreads();
}

// One pass: 256 elements at a time, each after the earlier ones with the same bits.
ARR_FN void arr_sort(arr_shared& s, const T* x, const arr_workspace& work, long long n, int pass) {
  const int t = threadIdx.x, warp = t / 32;
  arr_bin_offsets(s, x, work, n, pass);
  for (long long first = 0; first < n; first += 256) {
    const long long j = first + t;
    const bool has = j < n;
    const arr_position position = !has ? 0 : pass == 0 ? (arr_position)j : work.from[j];
    const unsigned bits = has ? arr_bits_of(x, position, pass) : 256u;
    s.bits[t] = bits;
    __syncthreads();
    unsigned before = 0, behind = 0;
    for (int k = 32 * warp; k < 32 * warp + 32; ++k) {
      if (s.bits[k] != bits) continue;
      before += k < t ? 1u : 0u;
      behind += k > t ? 1u : 0u;
    }
    if (has && behind == 0) s.in_warp[warp * 256 + bits] = before + 1;
    __syncthreads();
    if (has) {
      arr_position at = s.next[bits] + before;
      for (int w = 0; w < warp; ++w) at += s.in_warp[w * 256 + bits];
      work.to[at] = position;
    }
    __syncthreads();
    for (int w = 0; w < 8; ++w) {
      s.next[t] += s.in_warp[w * 256 + t];
      s.in_warp[w * 256 + t] = 0;
    }
  }
  __syncthreads();
}

// Sums of the weights at the first n positions, one after the other.
ARR_FN void arr_sum_weights(arr_shared& s, const double* weights, const arr_workspace& work, long long n) {
  const int t = threadIdx.x;
  if (t == 0) s.sum = 0;
  for (long long first = 0; first < n; first += 256) {
    const long long j = first + t;
    if (j < n) s.weights[t] = weights[work.from[j]];
    __syncthreads();
    if (t == 0) {
      double sum = s.sum;
      for (int k = 0; k < 256 && first + k < n; ++k) s.weights[k] = sum += s.weights[k];
      s.sum = sum;
    }
    __syncthreads();
    if (j < n) work.sums[j] = s.weights[t];
  }
  __syncthreads();
}

// The first position whose sum is the fraction q of the whole. An element without weight is never a quantile,
// not even for q = 0.
ARR_FN arr_position arr_find(const arr_workspace& work, double sum, long long n, double q) {
  long long low = 0, high = n - 1;
  while (low < high) {
    const long long middle = (low + high) / 2;
    const double so_far = work.sums[middle];
    if (so_far == 0 || so_far / sum < q) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return work.from[low];
}

extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ arr_shared s;
  const long long rows = (long long)p.w[rows_word], n = (long long)p.w[n_word];
  const bool skip_nan = (p.w[flags_word] & 1) != 0;
  const int t = threadIdx.x;
  arr_workspace work;
  work.from = (arr_position*)p.w[scratch_word] + 3 * (arr_position)blockIdx.x * (arr_position)n;
  work.to = work.from + n;
  work.sums = (double*)(work.to + n);
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* x = (const T*)p.w[data_word] + row * n;
    if (t == 0) s.nans = 0;
    __syncthreads();
    for (long long j = t; floating && j < n; j += 256) {
      if (x[j] != x[j]) atomicAdd(&s.nans, (arr_position)1);
    }
    for (int pass = 0; pass < key_bits / 8; ++pass) {
      arr_sort(s, x, work, n, pass);
      arr_position* other = work.from;
      work.from = work.to;
      work.to = other;
    }
    const long long count = n - (long long)s.nans;
    const bool nothing = count == 0 || (count != n && !skip_nan);
    const double* weights = (const double*)p.w[weights_word] + row * (long long)p.w[weights_row_word];
    arr_sum_weights(s, weights, work, nothing ? 0 : count);
    if (t < (int)p.w[wanted_word]) {
      const double q = arr_word<double>(p.w + q_word + t);
      const T value =
          nothing ? (T)arr_bits<double>(0x7ff8000000000000ULL) : x[arr_find(work, s.sum, count, q)];
      ((T*)p.w[out_word])[((long long)p.w[first_word] + t) * rows + row] = value;
    }
    __syncthreads();
  }
}
