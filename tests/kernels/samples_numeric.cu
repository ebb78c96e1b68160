// SPDX-License-Identifier: MIT
// Programs in the manner of CUDA's samples, numerical ones: products, convolutions, transforms, particles,
// prices.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
typedef unsigned int uint;

// Operators of vectors, as a header of the samples has them.
inline __host__ __device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
inline __host__ __device__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
inline __host__ __device__ float3 operator*(float3 a, float s) {
  return make_float3(a.x * s, a.y * s, a.z * s);
}
inline __host__ __device__ void operator+=(float3& a, float3 b) { a.x += b.x, a.y += b.y, a.z += b.z; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float length(float3 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }

template <int BLOCK_SIZE>
__device__ void MatrixMulCUDA(float* C, float* A, float* B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE;
  int bBegin = BLOCK_SIZE * bx, bStep = BLOCK_SIZE * wB;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
  C[c + wB * ty + tx] = Csub;
}
extern "C" __global__ void matrix_mul_16(float* C, float* A, float* B, int wA, int wB) {
  MatrixMulCUDA<16>(C, A, B, wA, wB);
}
extern "C" __global__ void matrix_mul_8(float* C, float* A, float* B, int wA, int wB) {
  MatrixMulCUDA<8>(C, A, B, wA, wB);
}

// A separable filter: rows, then columns, several results per thread and halos on both sides.
#define KERNEL_RADIUS 3
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
__constant__ float c_Kernel[KERNEL_LENGTH] = {0.5f, 1.0f, 2.0f, -3.0f, 4.0f, 0.25f, 1.5f};
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define ROWS_RESULT_STEPS 2
#define ROWS_HALO_STEPS 1
extern "C" __global__ void convolution_rows(float* d_Dst, float* d_Src, int imageW, int imageH, int pitch) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float s_Data[ROWS_BLOCKDIM_Y][(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X];
  const int baseX = (blockIdx.x * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X + threadIdx.x;
  const int baseY = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
  d_Src += baseY * pitch + baseX;
  d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = d_Src[i * ROWS_BLOCKDIM_X];
#pragma unroll
  for (int i = 0; i < ROWS_HALO_STEPS; i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
        (baseX >= -i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
#pragma unroll
  for (int i = ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS + ROWS_HALO_STEPS;
       i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
        (imageW - baseX > i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
  cg::sync(cta);
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
      sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X + j];
    d_Dst[i * ROWS_BLOCKDIM_X] = sum;
  }
}

// Cosine transforms of blocks of 8 x 8, in place in shared memory.
__device__ void transform_vector(float* v, int step) {
  float in[8];
  for (int i = 0; i < 8; i++) in[i] = v[i * step];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) sum += in[i] * cospif((2 * i + 1) * k / 16.0f);
    v[k * step] = sum * (k == 0 ? 0.353553391f : 0.5f);
  }
}
extern "C" __global__ void dct8x8(float* dst, int imgStride) {
  __shared__ float block[32 * 33];
  const int offset_x = threadIdx.y * 8 + threadIdx.x, offset_y = threadIdx.z * 8;
  float* from = dst + (blockIdx.y * 16 + offset_y) * imgStride + blockIdx.x * 32 + offset_x;
  float* bl_ptr = block + offset_y * 33 + offset_x;
#pragma unroll
  for (unsigned int i = 0; i < 8; i++) bl_ptr[i * 33] = from[i * imgStride];
  __syncthreads();
  transform_vector(block + (offset_y + threadIdx.x) * 33 + offset_x - threadIdx.x, 1);
  __syncthreads();
  transform_vector(bl_ptr, 33);
  __syncthreads();
  for (unsigned int i = 0; i < 8; i++) from[i * imgStride] = bl_ptr[i * 33];
}

// Bodies that attract each other, in tiles; types by traits of the precision.
template <typename T>
struct vec3 {
  typedef float Type;
};
template <>
struct vec3<float> {
  typedef float3 Type;
};
template <>
struct vec3<double> {
  typedef double3 Type;
};
template <typename T>
struct vec4 {
  typedef float4 Type;
};
template <>
struct vec4<double> {
  typedef double4 Type;
};
__constant__ float softeningSquared = 0.01f;
__constant__ double softeningSquared_fp64 = 0.01;
template <typename T>
__device__ T getSofteningSquared() {
  return softeningSquared;
}
template <>
__device__ double getSofteningSquared<double>() {
  return softeningSquared_fp64;
}
template <typename T>
__device__ typename vec3<T>::Type bodyBodyInteraction(typename vec3<T>::Type ai, typename vec4<T>::Type bi,
                                                      typename vec4<T>::Type bj) {
  typename vec3<T>::Type r;
  r.x = bj.x - bi.x, r.y = bj.y - bi.y, r.z = bj.z - bi.z;
  T distSqr = r.x * r.x + r.y * r.y + r.z * r.z + getSofteningSquared<T>();
  T invDist = rsqrt(distSqr), invDistCube = invDist * invDist * invDist, s = bj.w * invDistCube;
  ai.x += r.x * s, ai.y += r.y * s, ai.z += r.z * s;
  return ai;
}
template <typename T>
__device__ void integrate(typename vec4<T>::Type* acc, const typename vec4<T>::Type* positions,
                          int numTiles) {
  extern __shared__ double4 shared_tile[];
  typename vec4<T>::Type* sharedPos = reinterpret_cast<typename vec4<T>::Type*>(shared_tile);
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  typename vec4<T>::Type mine = positions[index], out;
  typename vec3<T>::Type a = {0, 0, 0};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (unsigned int counter = 0; counter < blockDim.x; counter++)
      a = bodyBodyInteraction<T>(a, mine, sharedPos[counter]);
    __syncthreads();
  }
  out.x = a.x, out.y = a.y, out.z = a.z, out.w = 0;
  acc[index] = out;
}
extern "C" __global__ void bodies_float(float4* acc, const float4* p, int tiles) {
  integrate<float>(acc, p, tiles);
}
extern "C" __global__ void bodies_double(double4* acc, const double4* p, int tiles) {
  integrate<double>(acc, p, tiles);
}

// A stencil in three dimensions: planes go by, the column stays in registers.
#define RADIUS 2
__constant__ float stencil[RADIUS + 1] = {0.5f, 0.125f, -0.0625f};
template <int BX, int BY>
__device__ void finite_differences(float* output, const float* input, int dimx, int dimy, int dimz) {
  __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int ltidx = threadIdx.x, ltidy = threadIdx.y, tx = ltidx + RADIUS, ty = ltidy + RADIUS;
  const int stride_y = dimx + 2 * RADIUS, stride_z = stride_y * (dimy + 2 * RADIUS);
  int inputIndex = 0;
  inputIndex += (blockIdx.y * BY + ltidy + RADIUS) * stride_y + blockIdx.x * BX + ltidx + RADIUS;
  float infront[RADIUS], behind[RADIUS], current;
  for (int i = RADIUS - 2; i >= 0; i--) behind[i] = input[inputIndex], inputIndex += stride_z;
  current = input[inputIndex];
  int outputIndex = inputIndex;
  inputIndex += stride_z;
  for (int i = 0; i < RADIUS; i++) infront[i] = input[inputIndex], inputIndex += stride_z;
#pragma unroll 9
  for (int iz = 0; iz < dimz; iz++) {
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current, current = infront[0];
#pragma unroll 4
    for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
    infront[RADIUS - 1] = input[inputIndex];
    inputIndex += stride_z, outputIndex += stride_z;
    __syncthreads();
    if (ltidy < RADIUS) {
      tile[ltidy][tx] = input[outputIndex - RADIUS * stride_y];
      tile[ltidy + BY + RADIUS][tx] = input[outputIndex + BY * stride_y];
    }
    if (ltidx < RADIUS) {
      tile[ty][ltidx] = input[outputIndex - RADIUS];
      tile[ty][ltidx + BX + RADIUS] = input[outputIndex + BX];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = stencil[0] * current;
#pragma unroll
    for (int i = 1; i <= RADIUS; i++)
      value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] +
                             tile[ty][tx - i] + tile[ty][tx + i]);
    output[outputIndex] = value;
  }
}
extern "C" __global__ void __launch_bounds__(64) fdtd3d(float* out, const float* in, int x, int y, int z) {
  finite_differences<16, 4>(out, in, x, y, z);
}

// Options: a formula, and a tree that a block walks back.
__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
extern "C" __global__ void __launch_bounds__(128)
    black_scholes(float2* __restrict d_CallResult, float2* __restrict d_PutResult,
                  float2* __restrict d_StockPrice, float2* __restrict d_OptionStrike,
                  float2* __restrict d_OptionYears, float Riskfree, float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (optN / 2)) {
    float call[2], put[2];
    const float s[2] = {d_StockPrice[opt].x, d_StockPrice[opt].y},
                x[2] = {d_OptionStrike[opt].x, d_OptionStrike[opt].y};
    const float t[2] = {d_OptionYears[opt].x, d_OptionYears[opt].y};
    for (int i = 0; i < 2; i++) {
      float sqrtT = __fdividef(1.0F, rsqrtf(t[i]));
      float d1 = __fdividef(__logf(s[i] / x[i]) + (Riskfree + 0.5f * Volatility * Volatility) * t[i],
                            Volatility * sqrtT);
      float d2 = d1 - Volatility * sqrtT, CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2),
            expRT = __expf(-Riskfree * t[i]);
      call[i] = s[i] * CNDD1 - x[i] * expRT * CNDD2;
      put[i] = x[i] * expRT * (1.0f - CNDD2) - s[i] * (1.0f - CNDD1);
    }
    d_CallResult[opt] = make_float2(call[0], call[1]);
    d_PutResult[opt] = make_float2(put[0], put[1]);
  }
}
typedef struct {
  double S, X, vDt, puByDf, pdByDf;
} __TOptionData;
#define THREADBLOCK_SIZE 64
#define ELEMS_PER_THREAD 4
#define NUM_STEPS (THREADBLOCK_SIZE * ELEMS_PER_THREAD)
extern "C" __global__ void binomial_options(const __TOptionData* d_OptionData, double* d_CallValue) {
  __shared__ double call_exchange[THREADBLOCK_SIZE + 1];
  const int tid = threadIdx.x;
  const __TOptionData o = d_OptionData[blockIdx.x];
  double call[ELEMS_PER_THREAD + 1];
#pragma unroll
  for (int i = 0; i < ELEMS_PER_THREAD; ++i) {
    double d = o.S * exp(o.vDt * (2.0 * (tid * ELEMS_PER_THREAD + i) - NUM_STEPS)) - o.X;
    call[i] = (d > 0.0) ? d : 0.0;
  }
  if (tid == 0) {
    double d = o.S * exp(o.vDt * NUM_STEPS) - o.X;
    call_exchange[THREADBLOCK_SIZE] = d > 0 ? d : 0;
  }
  int final_it = max(0, tid * ELEMS_PER_THREAD - 1);
#pragma unroll 16
  for (int i = NUM_STEPS; i > 0; --i) {
    call_exchange[tid] = call[0];
    __syncthreads();
    call[ELEMS_PER_THREAD] = call_exchange[tid + 1];
    __syncthreads();
    if (i > final_it) {
#pragma unroll
      for (int j = 0; j < ELEMS_PER_THREAD; ++j) call[j] = o.puByDf * call[j + 1] + o.pdByDf * call[j];
    }
  }
  if (tid == 0) d_CallValue[blockIdx.x] = call[0];
}

// Particles: places in a grid, forces of those that touch, a functor on tuples of vectors.
struct SimParams {
  uint3 gridSize;
  float3 worldOrigin, cellSize;
  float radius, spring, damping;
};
__device__ int3 calcGridPos(float3 p, const SimParams& params) {
  int3 gridPos;
  gridPos.x = floorf((p.x - params.worldOrigin.x) / params.cellSize.x);
  gridPos.y = floorf((p.y - params.worldOrigin.y) / params.cellSize.y);
  gridPos.z = floorf((p.z - params.worldOrigin.z) / params.cellSize.z);
  return gridPos;
}
__device__ uint calcGridHash(int3 gridPos, const SimParams& params) {
  gridPos.x = gridPos.x & (params.gridSize.x - 1), gridPos.y = gridPos.y & (params.gridSize.y - 1);
  gridPos.z = gridPos.z & (params.gridSize.z - 1);
  return __umul24(__umul24(gridPos.z, params.gridSize.y), params.gridSize.x) +
         __umul24(gridPos.y, params.gridSize.x) + gridPos.x;
}
extern "C" __global__ void particles(uint* gridParticleHash, float4* force, const float4* pos,
                                     uint numParticles, SimParams params) {
  uint index = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (index >= numParticles) return;
  volatile float4 p = pos[index];
  float3 mine = make_float3(p.x, p.y, p.z), sum = make_float3(0.0f, 0.0f, 0.0f);
  gridParticleHash[index] = calcGridHash(calcGridPos(mine, params), params);
  for (uint j = 0; j < numParticles; j++) {
    if (j == index) continue;
    float3 relPos = make_float3(pos[j].x, pos[j].y, pos[j].z) - mine;
    float dist = length(relPos), collideDist = 2 * params.radius;
    if (dist < collideDist) sum += (relPos * (1.0f / dist)) * (-params.spring * (collideDist - dist));
  }
  force[index] = make_float4(sum.x, sum.y, sum.z, clamp(length(sum), 0.0f, 1.0f));
}
