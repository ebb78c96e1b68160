// SPDX-License-Identifier: MIT
// Shuffles up and down by any step and width, and warps of a block that go their own ways between them.

template <class T>
__device__ void shift(const T* in, T* out, int delta, int width) {
  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, n = blockDim.x * blockDim.y;
  out[t] = __shfl_up_sync(~0u, in[t], delta, width);
  out[n + t] = __shfl_down_sync(~0u, in[t], delta, width);
  out[2 * n + t] = __shfl_xor_sync(~0u, in[t], delta, width);
}
extern "C" __global__ void shift_int(const int* in, int* out, int delta, int width) {
  shift(in, out, delta, width);
}
extern "C" __global__ void shift_double(const double* in, double* out, int delta, int width) {
  shift(in, out, delta, width);
}
extern "C" __global__ void shift_long(const long long* in, long long* out, int delta, int width) {
  shift(in, out, delta, width);
}

__device__ __forceinline__ int warp_sum(int v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
// The first warp sums what each has summed.
extern "C" __global__ void block_sum(const int* in, int* out, int n) {
  __shared__ int s[32];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = warp_sum(i < n ? in[i] : 0);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = warp_sum(lane < (blockDim.x >> 5) ? s[lane] : 0);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
// Even warps sum, odd ones look for the largest, and meet at a barrier.
extern "C" __global__ void by_turns(const int* in, int* out) {
  __shared__ int s[32];
  const int w = threadIdx.x >> 5;
  int v = in[threadIdx.x];
  if (w % 2 == 0) {
    v = warp_sum(v);
  } else {
    for (int o = 16; o > 0; o /= 2) v = max(v, __shfl_down_sync(~0u, v, o));
  }
  if ((threadIdx.x & 31) == 0) s[w] = v;
  __syncthreads();
  out[threadIdx.x] = s[w] - s[(w + 1) % (blockDim.x / 32)];
}
// Each warp goes on as long as its own number says.
extern "C" __global__ void own_rounds(const int* in, const int* rounds, int* out) {
  int v = in[threadIdx.x];
  for (int r = 0; r < rounds[threadIdx.x >> 5]; r++) {
    v += __shfl_up_sync(~0u, v, 1);
    if (r == 2) v -= __shfl_down_sync(~0u, v, 3, 8);
  }
  __syncthreads();
  out[threadIdx.x] = v;
}
// A warp ends, those behind it go on.
extern "C" __global__ void some_leave(const int* in, int* out, int leaving) {
  if ((threadIdx.x >> 5) == leaving) return;
  int v = warp_sum(in[threadIdx.x]);
  v = __shfl_sync(~0u, v, 0);
  __syncthreads();
  out[threadIdx.x] = v + __shfl_up_sync(~0u, in[threadIdx.x], 2);
}
// Truth values live on behind barriers and shuffles.
extern "C" __global__ void flags(const int* in, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x, n = blockDim.x;
  const bool large = in[t] > 50, odd = (in[t] & 1) != 0;
  s[t] = in[t];
  __syncthreads();
  const int beside = s[(t + 1) % n];
  const bool grows = beside > s[t];
  __syncthreads();
  s[t] = odd ? beside : -beside;
  const int before = __shfl_up_sync(~0u, s[t], 1);
  __syncthreads();
  out[t] = (large ? 1000 : 0) + (odd ? 100 : 0) + (grows ? 10 : 0) + (before > s[(t + 2) % n] ? 1 : 0);
}
// Masks that only the data tell; the others wait meanwhile.
extern "C" __global__ void known_late(const int* in, int* out) {
  const int t = threadIdx.x, lane = t & 31;
  int v = in[t];
  const unsigned group = __ballot_sync(~0u, v > 50);
  if (v > 50) {
    const int first = __ffs(group) - 1;
    v = __shfl_sync(group, v, first) + __popc(group & ((1u << lane) - 1u));
    v += __shfl_down_sync(group, v, 1) == v + 1 ? 1 : 0;
  }
  __syncwarp();
  out[t] = __shfl_up_sync(~0u, v, 7);
}
