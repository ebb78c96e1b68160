// SPDX-License-Identifier: MIT
// Prefix sums, compaction, counting and sorting within a block.
extern "C" __global__ void scan_hillis_steele(const int* in, int* out) {
  __shared__ int s[2][128];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[from][t];
}
extern "C" __global__ void scan_blelloch(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x, offset = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[255] = 0;
  for (int d = 1; d < 256; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
__device__ int scan_warp(int v) {
  int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += before;
  }
  return v;
}
extern "C" __global__ void scan_shuffle(const int* in, int* out) {
  __shared__ int sums[32];
  int t = threadIdx.x, w = t >> 5, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  int v = scan_warp(in[i]);
  if (lane == 31) sums[w] = v;
  __syncthreads();
  if (w == 0) sums[lane] = scan_warp(lane < (int)blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads();
  out[i] = v + (w > 0 ? sums[w - 1] : 0);
}
extern "C" __global__ void compact_ballot(const int* in, int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base = 0;
  int v = i < n ? in[i] : -1;
  unsigned keep = __ballot_sync(~0u, v >= 0);
  if (lane == 0) base = atomicAdd(count, __popc(keep));
  base = __shfl_sync(~0u, base, 0);
  if (v >= 0) out[base + __popc(keep & ((1u << lane) - 1u))] = v;
}
extern "C" __global__ void histogram_global(const unsigned char* in, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}
extern "C" __global__ void histogram_shared(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&h[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
extern "C" __global__ void bitonic_sort(float* data) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
        float x = s[t];
        s[t] = s[other];
        s[other] = x;
      }
      __syncthreads();
    }
  data[blockIdx.x * 256 + t] = s[t];
}
extern "C" __global__ void odd_even_sort(int* data) {
  extern __shared__ int s[];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = data[t];
  for (int round = 0; round < n; round++) {
    __syncthreads();
    if (t % 2 == round % 2 && t + 1 < n && s[t] > s[t + 1]) {
      int x = s[t];
      s[t] = s[t + 1];
      s[t + 1] = x;
    }
  }
  __syncthreads();
  data[t] = s[t];
}
extern "C" __global__ void rank_sort(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rank = 0;
  for (int j = 0; j < n; j++) rank += in[j] < in[i] || (in[j] == in[i] && j < i);
  out[rank] = in[i];
}
extern "C" __global__ void radix_split(const unsigned* in, unsigned* out, int bit) {  // stable, one block
  __shared__ int ones[128];
  int t = threadIdx.x, n = blockDim.x;
  unsigned v = in[t];
  int one = v >> bit & 1;
  ones[t] = one;
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    int add = t >= d ? ones[t - d] : 0;
    __syncthreads();
    ones[t] += add;
    __syncthreads();
  }
  int zeros = n - ones[n - 1];
  out[one ? zeros + ones[t] - 1 : t - ones[t]] = v;
}
extern "C" __global__ void lower_bound(const int* sorted, int n, const int* keys, int* at, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < keys[i])
      low = middle + 1;
    else
      high = middle;
  }
  at[i] = low;
}
