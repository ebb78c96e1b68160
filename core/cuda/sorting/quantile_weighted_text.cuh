// SPDX-License-Identifier: MIT
// The kernel of quantiles of elements with weights. A block sorts the places of a row's elements, 8 bits of
// their keys at a time from the lowest, equal ones staying in order; then one thread adds the weights in that
// order, so that the sums have the bits that they have on the host. In front of it print_quantiles.cpp puts
// the types T, U and K, the constants that it is specialised for and quantile_key_text.cuh.

typedef unsigned long long arr_place;

// Of a block: the row's places before and after a pass, and the sums of weights.
struct arr_room {
  arr_place *from, *to;
  double* sums;
};

struct arr_shared {
  arr_place next[256];        // where the next element with these bits goes
  unsigned in_warp[8 * 256];  // of the elements at hand, by warp and bits
  unsigned bits[256];         // of each element at hand; 256: there is none
  double weights[256];
  arr_place nans;
  double sum;
};

ARR_FN unsigned arr_bits_of(const T* x, arr_place at, int pass) {
  return (unsigned)(arr_key(x[at]) >> (8 * pass)) & 255u;
}

// Where the elements with each value of the bits begin.
ARR_FN void arr_begin(arr_shared& s, const T* x, const arr_room& room, long long n, int pass) {
  const int t = threadIdx.x;
  s.next[t] = 0;
  for (int w = 0; w < 8; ++w) s.in_warp[w * 256 + t] = 0;
  __syncthreads();
  for (long long j = t; j < n; j += 256) {
    atomicAdd(&s.next[arr_bits_of(x, pass == 0 ? (arr_place)j : room.from[j], pass)], (arr_place)1);
  }
  __syncthreads();
  if (t == 0) {
    arr_place before = 0;
    for (int b = 0; b < 256; ++b) {
      const arr_place here = s.next[b];
      s.next[b] = before;
      before += here;
    }
  }
  __syncthreads();
}

// One pass: 256 elements at a time, each behind those with its bits in front of it.
ARR_FN void arr_sort(arr_shared& s, const T* x, const arr_room& room, long long n, int pass) {
  const int t = threadIdx.x, warp = t / 32;
  arr_begin(s, x, room, n, pass);
  for (long long first = 0; first < n; first += 256) {
    const long long j = first + t;
    const bool has = j < n;
    const arr_place place = !has ? 0 : pass == 0 ? (arr_place)j : room.from[j];
    const unsigned bits = has ? arr_bits_of(x, place, pass) : 256u;
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
      arr_place at = s.next[bits] + before;
      for (int w = 0; w < warp; ++w) at += s.in_warp[w * 256 + bits];
      room.to[at] = place;
    }
    __syncthreads();
    for (int w = 0; w < 8; ++w) {
      s.next[t] += s.in_warp[w * 256 + t];
      s.in_warp[w * 256 + t] = 0;
    }
  }
  __syncthreads();
}

// Sums of the weights of the first n places, one after the other.
ARR_FN void arr_add(arr_shared& s, const double* weights, const arr_room& room, long long n) {
  const int t = threadIdx.x;
  if (t == 0) s.sum = 0;
  for (long long first = 0; first < n; first += 256) {
    const long long j = first + t;
    if (j < n) s.weights[t] = weights[room.from[j]];
    __syncthreads();
    if (t == 0) {
      double sum = s.sum;
      for (int k = 0; k < 256 && first + k < n; ++k) s.weights[k] = sum += s.weights[k];
      s.sum = sum;
    }
    __syncthreads();
    if (j < n) room.sums[j] = s.weights[t];
  }
  __syncthreads();
}

// The first place whose sum is q of the whole. What has no weight is never a quantile, not even of q = 0.
ARR_FN arr_place arr_found(const arr_room& room, double sum, long long n, double q) {
  long long low = 0, high = n - 1;
  while (low < high) {
    const long long middle = (low + high) / 2;
    const double so_far = room.sums[middle];
    if (so_far == 0 || so_far / sum < q) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return room.from[low];
}

extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ arr_shared s;
  const long long rows = (long long)p.w[rows_word], n = (long long)p.w[n_word];
  const bool skip_nan = (p.w[flags_word] & 1) != 0;
  const int t = threadIdx.x;
  arr_room room;
  room.from = (arr_place*)p.w[scratch_word] + 3 * (arr_place)blockIdx.x * (arr_place)n;
  room.to = room.from + n;
  room.sums = (double*)(room.to + n);
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* x = (const T*)p.w[data_word] + row * n;
    if (t == 0) s.nans = 0;
    __syncthreads();
    for (long long j = t; floating && j < n; j += 256) {
      if (x[j] != x[j]) atomicAdd(&s.nans, (arr_place)1);
    }
    for (int pass = 0; pass < key_bits / 8; ++pass) {
      arr_sort(s, x, room, n, pass);
      arr_place* other = room.from;
      room.from = room.to;
      room.to = other;
    }
    const long long count = n - (long long)s.nans;
    const bool nothing = count == 0 || (count != n && !skip_nan);
    const double* weights = (const double*)p.w[weights_word] + row * (long long)p.w[weights_row_word];
    arr_add(s, weights, room, nothing ? 0 : count);
    if (t < (int)p.w[wanted_word]) {
      const double q = arr_word<double>(p.w + q_word + t);
      const T value =
          nothing ? (T)arr_bits<double>(0x7ff8000000000000ULL) : x[arr_found(room, s.sum, count, q)];
      ((T*)p.w[out_word])[((long long)p.w[first_word] + t) * rows + row] = value;
    }
    __syncthreads();
  }
}
