// SPDX-License-Identifier: MIT
// Programs in the manner of CUDA's samples, what blocks do together: reductions, scans, histograms, sorts,
// votes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
typedef unsigned int uint;
typedef unsigned char uchar;
#define UMUL(a, b) __umul24((a), (b))
#define UMAD(a, b, c) (UMUL((a), (b)) + (c))

// Dynamic shared memory of any type, which extern declarations in templates cannot have.
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
  __device__ inline operator const T*() const {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};
template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};

// Two elements a step, a tree of unrolled steps, the last warp by a tile.
template <class T, unsigned int blockSize, bool nIsPow2>
__device__ void reduce_block(const T* __restrict__ g_idata, T* __restrict__ g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  T* sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x;
  T mySum = 0;
  if (nIsPow2) {
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    gridSize = gridSize << 1;
    while (i < n) {
      mySum += g_idata[i];
      if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
      i += gridSize;
    }
  } else {
    unsigned int i = blockIdx.x * blockSize + threadIdx.x;
    while (i < n) mySum += g_idata[i], i += gridSize;
  }
  sdata[tid] = mySum;
  cg::sync(cta);
  if ((blockSize >= 512) && (tid < 256)) sdata[tid] = mySum = mySum + sdata[tid + 256];
  cg::sync(cta);
  if ((blockSize >= 256) && (tid < 128)) sdata[tid] = mySum = mySum + sdata[tid + 128];
  cg::sync(cta);
  if ((blockSize >= 128) && (tid < 64)) sdata[tid] = mySum = mySum + sdata[tid + 64];
  cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
  }
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}
extern "C" __global__ void reduce_int(const int* in, int* out, unsigned n, int threads) {
  switch (threads) {
    case 512:
      reduce_block<int, 512, true>(in, out, n);
      break;
    case 128:
      reduce_block<int, 128, false>(in, out, n);
      break;
  }
}
extern "C" __global__ void reduce_double(const double* in, double* out, unsigned n) {
  reduce_block<double, 256, false>(in, out, n);
}
extern "C" __global__ void reduce_groups(const float* vec, double* result, int n) {
  cg::thread_block cta = cg::this_thread_block();
  double* tmp = SharedMemory<double>();
  auto tile = cg::tiled_partition<32>(cta);
  double partial = 0;
  for (int i = blockIdx.x * blockDim.x + cta.thread_rank(); i < n; i += gridDim.x * blockDim.x)
    partial += vec[i];
  double total = cg::reduce(tile, partial, cg::plus<double>());
  if (tile.thread_rank() == 0) tmp[tile.meta_group_rank()] = total;
  cta.sync();
  if (cta.thread_rank() == 0) {
    double sum = 0;
    for (int i = 0; i < tile.meta_group_size(); i++) sum += tmp[i];
    atomicAdd(result, sum);
  }
}

// The last block that retires adds up the others' sums.
__device__ unsigned int retirementCount = 0;
__device__ __noinline__ float block_sum(const volatile float* g_idata, unsigned int n, float* shared) {
  float sum = 0;
  for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) sum += g_idata[i];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned int s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  return shared[0];
}
extern "C" __global__ void reduce_single_pass(const float* g_idata, volatile float* g_odata, unsigned int n) {
  extern __shared__ float sums[];
  __shared__ bool amLast;
  const unsigned int each = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * each;
  float sum = block_sum(g_idata + first, min(each, n - first), sums);
  if (threadIdx.x == 0) {
    g_odata[blockIdx.x] = sum;
    __threadfence();
    unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
    amLast = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    sum = block_sum(g_odata, gridDim.x, sums);
    if (threadIdx.x == 0) g_odata[0] = sum, retirementCount = 0;
  }
}

// Four elements per thread; the scan needs no condition, because zeros stand before its data.
inline __device__ uint scan1Inclusive(uint idata, volatile uint* s_Data, uint size, cg::thread_block cta) {
  uint pos = 2 * threadIdx.x - (threadIdx.x & (size - 1));
  s_Data[pos] = 0;
  pos += size;
  s_Data[pos] = idata;
  for (uint offset = 1; offset < size; offset <<= 1) {
    cg::sync(cta);
    uint t = s_Data[pos] + s_Data[pos - offset];
    cg::sync(cta);
    s_Data[pos] = t;
  }
  return s_Data[pos];
}
inline __device__ uint4 scan4Inclusive(uint4 idata4, volatile uint* s_Data, uint size, cg::thread_block cta) {
  idata4.y += idata4.x;
  idata4.z += idata4.y;
  idata4.w += idata4.z;
  uint oval = scan1Inclusive(idata4.w, s_Data, size / 4, cta) - idata4.w;
  idata4.x += oval, idata4.y += oval, idata4.z += oval, idata4.w += oval;
  return idata4;
}
extern "C" __global__ void scan_exclusive_shared(uint4* d_Dst, uint4* d_Src, uint size) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ uint s_Data[2 * 64];
  uint pos = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 in = d_Src[pos], out = scan4Inclusive(in, s_Data, size, cta);
  out.x -= in.x, out.y -= in.y, out.z -= in.z, out.w -= in.w;
  d_Dst[pos] = out;
}
// Warps by shuffles, then the sums of warps, then of blocks.
extern "C" __global__ void shfl_scan(int* data, int width, int* partial_sums) {
  extern __shared__ int warp_sums[];
  int id = ((blockIdx.x * blockDim.x) + threadIdx.x);
  int lane_id = id % warpSize, warp_id = threadIdx.x / warpSize;
  unsigned int mask = 0xffffffff;
  int value = data[id];
#pragma unroll
  for (int i = 1; i <= width; i *= 2) {
    int n = __shfl_up_sync(mask, value, i, width);
    if (lane_id >= i) value += n;
  }
  if (threadIdx.x % warpSize == warpSize - 1) warp_sums[warp_id] = value;
  __syncthreads();
  if (warp_id == 0 && lane_id < (blockDim.x / warpSize)) {
    int warp_sum = warp_sums[lane_id];
    int tile_mask = (1 << (blockDim.x / warpSize)) - 1;
    for (int i = 1; i <= (blockDim.x / warpSize); i *= 2) {
      int n = __shfl_up_sync(tile_mask, warp_sum, i, (blockDim.x / warpSize));
      if (lane_id >= i) warp_sum += n;
    }
    warp_sums[lane_id] = warp_sum;
  }
  __syncthreads();
  int blockSum = 0;
  if (warp_id > 0) blockSum = warp_sums[warp_id - 1];
  value += blockSum;
  data[id] = value;
  if (partial_sums != NULL && threadIdx.x == blockDim.x - 1) partial_sums[blockIdx.x] = value;
}

// A histogram per warp in shared memory, then one per block, then one.
#define WARP_COUNT 4
#define BINS 256
inline __device__ void addByte(uint* s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1); }
inline __device__ void addWord(uint* s_WarpHist, uint data) {
  addByte(s_WarpHist, (data >> 0) & 0xFFU);
  addByte(s_WarpHist, (data >> 8) & 0xFFU);
  addByte(s_WarpHist, (data >> 16) & 0xFFU);
  addByte(s_WarpHist, (data >> 24) & 0xFFU);
}
extern "C" __global__ void histogram256(uint* d_Histogram, const uint* d_Data, uint dataCount) {
  __shared__ uint s_Hist[WARP_COUNT * BINS];
  uint* s_WarpHist = s_Hist + (threadIdx.x >> 5) * BINS;
#pragma unroll
  for (uint i = 0; i < (WARP_COUNT * BINS) / (WARP_COUNT * 32); i++)
    s_Hist[threadIdx.x + i * WARP_COUNT * 32] = 0;
  __syncthreads();
  for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount;
       pos += UMUL(blockDim.x, gridDim.x))
    addWord(s_WarpHist, d_Data[pos]);
  __syncthreads();
  for (uint bin = threadIdx.x; bin < BINS; bin += WARP_COUNT * 32) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++) sum += s_Hist[bin + i * BINS] & 0x07FFFFFFU;
    atomicAdd(&d_Histogram[bin], sum);
  }
}
// 64 bins of bytes: a column per thread, four threads apart in the order of banks.
typedef struct __align__(16) {
  uint x, y, z, w;
}
data_t;
extern "C" __global__ void histogram64(uint* d_Histogram, data_t* d_Data, uint dataCount) {
  __shared__ uchar s_Hist[64 * 64];
  const uint threadPos = ((threadIdx.x & ~(16 * 4 - 1)) << 0) | ((threadIdx.x & (16 - 1)) << 2) |
                         ((threadIdx.x & (16 * 3)) >> 4);
  for (uint i = 0; i < (64 * 64 / 4) / blockDim.x; i++) ((uint*)s_Hist)[threadIdx.x + i * blockDim.x] = 0;
  __syncthreads();
  uchar* s_ThreadBase = s_Hist + threadPos;
#define ADD64(data) s_ThreadBase[UMUL((data), 64)]++
  for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount;
       pos += UMUL(blockDim.x, gridDim.x)) {
    data_t data = d_Data[pos];
    ADD64((data.x >> 2) & 0x3FU), ADD64((data.y >> 10) & 0x3FU), ADD64((data.z >> 18) & 0x3FU);
    ADD64((data.w >> 26) & 0x3FU);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    uchar* s_HistBase = s_Hist + UMUL(threadIdx.x, 64);
    uint sum = 0, pos = 4 * (threadIdx.x & 15);
#pragma unroll
    for (uint i = 0; i < 64; i++) sum += s_HistBase[pos], pos = (pos + 1) & 63;
    atomicAdd(d_Histogram + threadIdx.x, sum);
  }
}

// Sorting networks of keys with values.
__device__ inline void Comparator(uint& keyA, uint& valA, uint& keyB, uint& valB, uint arrowDir) {
  uint t;
  if ((keyA > keyB) == arrowDir) {
    t = keyA, keyA = keyB, keyB = t;
    t = valA, valA = valB, valB = t;
  }
}
#define SHARED_SIZE_LIMIT 128U
extern "C" __global__ void bitonic_sort_shared(uint* d_DstKey, uint* d_DstVal, uint* d_SrcKey, uint* d_SrcVal,
                                               uint arrayLength, uint dir) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x,
      d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x,
      d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0], s_val[threadIdx.x + 0] = d_SrcVal[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < arrayLength; size <<= 1) {
    uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      cg::sync(cta);
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
    }
  }
  for (uint stride = arrayLength / 2; stride > 0; stride >>= 1) {
    cg::sync(cta);
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
  }
  cg::sync(cta);
  d_DstKey[0] = s_key[threadIdx.x + 0], d_DstVal[0] = s_val[threadIdx.x + 0];
  d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}
extern "C" __global__ void odd_even_merge_sort(uint* d_Key, uint* d_Val, uint arrayLength, uint dir) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
  for (int h = 0; h < 2; h++) {
    s_key[threadIdx.x + h * 64] = d_Key[threadIdx.x + h * 64];
    s_val[threadIdx.x + h * 64] = d_Val[threadIdx.x + h * 64];
  }
  for (uint size = 2; size <= arrayLength; size <<= 1) {
    uint stride = size / 2, offset = threadIdx.x & (stride - 1);
    {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride)
        Comparator(s_key[pos - stride], s_val[pos - stride], s_key[pos + 0], s_val[pos + 0], dir);
    }
  }
  __syncthreads();
  for (int h = 0; h < 2; h++) {
    d_Key[threadIdx.x + h * 64] = s_key[threadIdx.x + h * 64];
    d_Val[threadIdx.x + h * 64] = s_val[threadIdx.x + h * 64];
  }
}
// Merging by ranks: an element goes to its own place plus its place in the other half.
template <uint sortDir, bool inclusive>
static inline __device__ uint binarySearch(uint val, uint* data, uint L, uint stride) {
  if (L == 0) return 0;
  uint pos = 0;
  for (; stride > 0; stride >>= 1) {
    uint newPos = umin(pos + stride, L);
    bool before = sortDir ? (inclusive ? data[newPos - 1] <= val : data[newPos - 1] < val)
                          : (inclusive ? data[newPos - 1] >= val : data[newPos - 1] > val);
    if (before) pos = newPos;
  }
  return pos;
}
template <uint sortDir>
__device__ void merge_sort(uint* d_Key, uint* d_Val, uint length) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
  for (uint h = 0; h < SHARED_SIZE_LIMIT; h += SHARED_SIZE_LIMIT / 2)
    s_key[threadIdx.x + h] = d_Key[threadIdx.x + h], s_val[threadIdx.x + h] = d_Val[threadIdx.x + h];
  for (uint stride = 1; stride < length; stride <<= 1) {
    uint lPos = threadIdx.x & (stride - 1);
    uint *baseKey = s_key + 2 * (threadIdx.x - lPos), *baseVal = s_val + 2 * (threadIdx.x - lPos);
    __syncthreads();
    uint keyA = baseKey[lPos + 0], valA = baseVal[lPos + 0], keyB = baseKey[lPos + stride],
         valB = baseVal[lPos + stride];
    uint posA = binarySearch<sortDir, false>(keyA, baseKey + stride, stride, stride) + lPos;
    uint posB = binarySearch<sortDir, true>(keyB, baseKey + 0, stride, stride) + lPos;
    __syncthreads();
    baseKey[posA] = keyA, baseVal[posA] = valA, baseKey[posB] = keyB, baseVal[posB] = valB;
  }
  __syncthreads();
  for (uint h = 0; h < SHARED_SIZE_LIMIT; h += SHARED_SIZE_LIMIT / 2)
    d_Key[threadIdx.x + h] = s_key[threadIdx.x + h], d_Val[threadIdx.x + h] = s_val[threadIdx.x + h];
}
extern "C" __global__ void merge_sort_up(uint* k, uint* v, uint n) { merge_sort<1U>(k, v, n); }
extern "C" __global__ void merge_sort_down(uint* k, uint* v, uint n) { merge_sort<0U>(k, v, n); }
