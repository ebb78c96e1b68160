// SPDX-License-Identifier: MIT
// Programs in the manner of CUDA's samples, of warps and atomics: radix sort, votes, dot products, persistent
// blocks, tables of functions, objects with virtual functions.
typedef unsigned int uint;

// A pass of a radix sort by four bits: offsets of digits by ballots, digit by digit.
template <int BITS>
struct RadixTraits {
  enum { DIGITS = 1 << BITS, MASK = DIGITS - 1 };
  static __device__ __forceinline__ uint digit(uint key, uint shift) { return (key >> shift) & MASK; }
};
extern "C" __global__ void __launch_bounds__(128) radix_sort_block(uint* keys, uint* values, uint n) {
  typedef RadixTraits<4> Traits;
  __shared__ uint s_keys[128], s_values[128], s_counts[4][Traits::DIGITS], s_start[Traits::DIGITS];
  const uint t = threadIdx.x, lane = t & 31u, warp = t >> 5;
  uint key = t < n ? keys[t] : 0xffffffffu, value = t < n ? values[t] : 0u;
  for (uint shift = 0; shift < 32; shift += 4) {
    const uint d = Traits::digit(key, shift);
    uint before = 0;
    for (uint i = 0; i < Traits::DIGITS; i++) {
      const uint same = __ballot_sync(0xffffffffu, d == i);
      if (d == i) before = __popc(same & ((1u << lane) - 1u));
      if (lane == 0) s_counts[warp][i] = __popc(same);
    }
    __syncthreads();
    if (t < Traits::DIGITS) {
      uint total = 0;
      for (uint w = 0; w < 4; w++) {
        const uint c = s_counts[w][t];
        s_counts[w][t] = total;
        total += c;
      }
      s_start[t] = total;
    }
    __syncthreads();
    if (t == 0) {
      uint sum = 0;
      for (uint i = 0; i < Traits::DIGITS; i++) {
        const uint c = s_start[i];
        s_start[i] = sum, sum += c;
      }
    }
    __syncthreads();
    const uint to = s_start[d] + s_counts[warp][d] + before;
    s_keys[to] = key, s_values[to] = value;
    __syncthreads();
    key = s_keys[t], value = s_values[t];
    __syncthreads();
  }
  if (t < n) keys[t] = key, values[t] = value;
}

extern "C" __global__ void vote_any(unsigned int* input, unsigned int* result) {
  int tx = threadIdx.x;
  result[tx] = __any_sync(0xffffffff, input[tx]);
}
extern "C" __global__ void vote_all(unsigned int* input, unsigned int* result) {
  int tx = threadIdx.x, mask = 0xffffffff;
  result[tx] = __all_sync(mask, input[tx]);
}
extern "C" __global__ void vote_struct(bool* info, int warp_size) {
  int tx = threadIdx.x;
  bool* offs = info + (tx * 3);
  *offs = __any_sync(0xffffffffu, (tx >= (warp_size * 3) / 2));
  *(offs + 1) = (tx >= (warp_size * 3) / 2 ? true : false);
  if (__all_sync(0xffffffffu, (tx >= (warp_size * 3) / 2) ? true : false)) *(offs + 2) = true;
}

extern "C" __global__ void atomic_intrinsics(int* g_odata) {
  const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&g_odata[0], 10);
  atomicSub(&g_odata[1], 10);
  atomicExch(&g_odata[2], tid);
  atomicMax(&g_odata[3], tid);
  atomicMin(&g_odata[4], tid);
  atomicInc((unsigned int*)&g_odata[5], 17);
  atomicDec((unsigned int*)&g_odata[6], 137);
  atomicCAS(&g_odata[7], tid - 1, tid);
  atomicAnd(&g_odata[8], 2 * tid + 7);
  atomicOr(&g_odata[9], 1 << tid);
  atomicXor(&g_odata[10], tid);
  atomicAdd_system(&g_odata[11], 1);
  atomicAdd_block(&g_odata[12], (int)blockIdx.x);
}

#define ACCUM_N 256
extern "C" __global__ void scalar_products(float* d_C, float* d_A, float* d_B, int vectorN, int elementN) {
  __shared__ float accumResult[ACCUM_N];
  for (int vec = blockIdx.x; vec < vectorN; vec += gridDim.x) {
    int vectorBase = __mul24(elementN, vec), vectorEnd = vectorBase + elementN;
    for (int iAccum = threadIdx.x; iAccum < ACCUM_N; iAccum += blockDim.x) {
      float sum = 0;
      for (int pos = vectorBase + iAccum; pos < vectorEnd; pos += ACCUM_N) sum += d_A[pos] * d_B[pos];
      accumResult[iAccum] = sum;
    }
    for (int stride = ACCUM_N / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int iAccum = threadIdx.x; iAccum < stride; iAccum += blockDim.x)
        accumResult[iAccum] += accumResult[stride + iAccum];
    }
    __syncthreads();
    if (threadIdx.x == 0) d_C[vec] = accumResult[0];
  }
}

// Blocks that fetch their next tile from a counter.
__device__ unsigned int next_tile = 0;
template <class T>
__device__ inline int crunch(const T xC, const T yC, const int limit) {
  T x = 0, y = 0, xx = 0, yy = 0;
  int i = limit;
  while (--i && (xx + yy < T(4))) {
    y = x * y + x * y + yC;
    x = xx - yy + xC;
    yy = y * y;
    xx = x * x;
  }
  return limit - i;
}
extern "C" __global__ void mandelbrot_persistent(uchar4* dst, int w, int h, int limit, double x0, double y0,
                                                 double scale, uchar4 colors) {
  __shared__ unsigned int blockIndex, blockX, blockY;
  const unsigned int gridWidth = (w + blockDim.x - 1) / blockDim.x;
  const unsigned int numBlocks = gridWidth * ((h + blockDim.y - 1) / blockDim.y);
  while (1) {
    if ((threadIdx.x == 0) && (threadIdx.y == 0)) {
      blockIndex = atomicAdd(&next_tile, 1);
      blockX = blockIndex % gridWidth, blockY = blockIndex / gridWidth;
    }
    __syncthreads();
    if (blockIndex >= numBlocks) break;
    const int ix = blockDim.x * blockX + threadIdx.x, iy = blockDim.y * blockY + threadIdx.y;
    if ((ix < w) && (iy < h)) {
      int m = crunch<double>(x0 + ix * scale, y0 + iy * scale, limit);
      m = m >= limit ? 0 : m;
      uchar4 color;
      color.x = m * colors.x, color.y = m * colors.y, color.z = m * colors.z, color.w = 255;
      dst[w * iy + ix] = color;
    }
    __syncthreads();
  }
}

// A table of functions in device memory.
typedef float (*point_function)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ point_function table[3] = {add, multiply, larger};
extern "C" __global__ void functions_by_table(const float* a, const float* b, float* out, const int* which,
                                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[which[i]](a[i], b[i]);
}

// Objects of a class with virtual functions, made and deleted in the kernel; placement new in shared memory.
template <class T>
class Container {
 public:
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T& e) = 0;
};
template <class T>
class Vector : public Container<T> {
 public:
  __device__ Vector(int max_size) : m_top(-1), m_max(max_size) { m_data = new T[m_max]; }
  __device__ ~Vector() { delete[] m_data; }
  __device__ virtual void push(T e) {
    if (m_top + 1 < m_max) m_data[++m_top] = e;
  }
  __device__ virtual bool pop(T& e) {
    if (m_top < 0) return false;
    e = m_data[m_top--];
    return true;
  }

 private:
  int m_top, m_max;
  T* m_data;
};
__device__ __noinline__ int drain(Container<int>* c) {
  int e, sum = 0, rank = 1;
  while (c->pop(e)) sum += rank++ * e;
  return sum;
}
extern "C" __global__ void objects(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Container<int>* c = new Vector<int>(i % 5 + 1);
  for (int k = 0; k < 8; k++) c->push(i + k);
  out[i] = drain(c);
  delete c;
}

// A tile turned by way of padded shared memory, several rows per thread.
#define TILE_DIM 32
#define BLOCK_ROWS 8
extern "C" __global__ void transpose_no_bank_conflicts(float* odata, const float* idata, int width,
                                                       int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int blockIdx_x, blockIdx_y;
  if (width == height) {  // diagonal order
    blockIdx_y = blockIdx.x;
    blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    int bid = blockIdx.x + gridDim.x * blockIdx.y;
    blockIdx_y = bid % gridDim.y;
    blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x;
  }
  int xIndex = blockIdx_x * TILE_DIM + threadIdx.x, yIndex = blockIdx_y * TILE_DIM + threadIdx.y;
  int index_in = xIndex + (yIndex)*width;
  xIndex = blockIdx_y * TILE_DIM + threadIdx.x, yIndex = blockIdx_x * TILE_DIM + threadIdx.y;
  int index_out = xIndex + (yIndex)*height;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  __syncthreads();
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

// A kernel that is instantiated by name, and what NVRTC declares without a header.
template <class T, int Times>
__global__ void repeat(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x != NULL && i < n)
    for (int k = 0; k < Times; k++) x[i] += x[i];
}
template __global__ void repeat<float, 2>(float*, int);
template <class T>
__device__ T thrice(T x) {
  return x + x + x;
}
template __device__ double thrice<double>(double);
extern "C" __global__ void timed(double* x, int n) {
  clock_t from = clock();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = thrice(x[i]);
  if ((int)(clock() - from) == 0x7fffffff) x[0] = -1;
}
