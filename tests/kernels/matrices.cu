// SPDX-License-Identifier: MIT
// Matrix products of warps by inline PTX: mma.sync in its shapes and types, ldmatrix, stmatrix, movmatrix.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The registers of A (M x K in rows) and B (K x 8 in columns) as PTX places them: PER numbers in a register.
template <int M, int K, int PER, class T>
__device__ void fragments(const T* a, const T* b, unsigned* ra, unsigned* rb) {
  const int lane = threadIdx.x % 32, group = lane >> 2, at = (lane & 3) * PER;
  for (int r = 0; r < M * K / 32 / PER; r++) {
    const int row = M == 16 ? group + 8 * (r & 1) : group, column = (M == 16 ? r >> 1 : r) * 4 * PER + at;
    ra[r] = *(const unsigned*)(a + row * K + column);
  }
  for (int r = 0; r < K / 4 / PER; r++) rb[r] = *(const unsigned*)(b + group * K + r * 4 * PER + at);
}
template <int M, class T>
__device__ int element_index(int i) {
  const int lane = threadIdx.x % 32;
  return ((lane >> 2) + 8 * (i >> 1)) * 8 + 2 * (lane & 3) + (i & 1);
}

extern "C" __global__ void halves_k16(const half* a, const half* b, const float* c, float* d) {
  unsigned ra[4], rb[2];
  float s[4];
  fragments<16, 16, 2>(a, b, ra, rb);
  for (int i = 0; i < 4; i++) s[i] = c[element_index<16, float>(i)];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++) d[element_index<16, float>(i)] = s[i];
}
extern "C" __global__ void halves_k8_in_halves(const half* a, const half* b, const half* c, half* d) {
  unsigned ra[2], rb[1], rc[2], rd[2];
  fragments<16, 8, 2>(a, b, ra, rb);
  for (int i = 0; i < 2; i++) rc[i] = *(const unsigned*)(c + element_index<16, half>(2 * i));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
               : "=r"(rd[0]), "=r"(rd[1])
               : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]));
  for (int i = 0; i < 2; i++) *(unsigned*)(d + element_index<16, half>(2 * i)) = rd[i];
}
extern "C" __global__ void bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  unsigned ra[4], rb[2];
  float s[4];
  fragments<16, 16, 2>(a, b, ra, rb);
  for (int i = 0; i < 4; i++) s[i] = c[element_index<16, float>(i)];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
  for (int i = 0; i < 4; i++) d[element_index<16, float>(i)] = s[i];
}
extern "C" __global__ void tf32(const float* a, const float* b, const float* c, float* d) {
  unsigned ra[4], rb[2];
  float s[4];
  fragments<16, 8, 1>(a, b, ra, rb);
  for (int i = 0; i < 4; i++) s[i] = c[element_index<16, float>(i)];
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
  for (int i = 0; i < 4; i++) d[element_index<16, float>(i)] = s[i];
}
extern "C" __global__ void bytes(const signed char* a, const signed char* b, const int* c, int* d) {
  unsigned ra[4], rb[2];
  int s[4], whole[4];
  fragments<16, 32, 4>(a, b, ra, rb);
  for (int i = 0; i < 4; i++) s[i] = whole[i] = c[element_index<16, int>(i)];
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(whole[0]), "+r"(whole[1]), "+r"(whole[2]), "+r"(whole[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++)
    d[element_index<16, int>(i)] = s[i], d[128 + element_index<16, int>(i)] = whole[i];
}
extern "C" __global__ void fewer_bytes(const signed char* a, const signed char* b, int* d) {
  unsigned ra[2], rb[1], small_a, small_b;
  int s[4] = {}, two[2] = {};
  fragments<16, 16, 4>(a, b, ra, rb);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
  fragments<8, 16, 4>(a, b, &small_a, &small_b);
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(two[0]), "+r"(two[1])
               : "r"(small_a), "r"(small_b));
  for (int i = 0; i < 4; i++) d[element_index<16, int>(i)] = s[i];
  for (int i = 0; i < 2; i++) d[128 + element_index<8, int>(i)] = two[i];
}
extern "C" __global__ void doubles(const double* a, const double* b, double* c) {
  const int lane = threadIdx.x;
  double s0 = c[2 * lane], s1 = c[2 * lane + 1];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(s0), "+d"(s1)
               : "d"(a[lane]), "d"(b[lane]));
  c[2 * lane] = s0, c[2 * lane + 1] = s1;
}

// C = A B of halves, all in rows: a block of two warps per tile of 32 x 16, by way of shared memory.
extern "C" __global__ void product(const half* a, const half* b, float* c, int n, int k) {
  __shared__ __align__(16) half left[32][16], right[16][16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.y * 32, column = blockIdx.x * 16;
  float s[2][4] = {};
  for (int i = 0; i < k; i += 16) {
    for (int e = threadIdx.x; e < 512; e += 64) left[e / 16][e % 16] = a[(row + e / 16) * k + i + e % 16];
    for (int e = threadIdx.x; e < 256; e += 64) right[e / 16][e % 16] = b[(i + e / 16) * n + column + e % 16];
    __syncthreads();
    unsigned ra[4], rb[4];
    unsigned from = (unsigned)__cvta_generic_to_shared(&left[16 * warp + lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(from));
    for (int h = 0; h < 2; h++) {
      from = (unsigned)__cvta_generic_to_shared(&right[lane % 16][8 * h]);
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                   : "=r"(rb[2 * h]), "=r"(rb[2 * h + 1])
                   : "r"(from));
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
          "{%0,%1,%2,%3};"
          : "+f"(s[h][0]), "+f"(s[h][1]), "+f"(s[h][2]), "+f"(s[h][3])
          : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[2 * h]), "r"(rb[2 * h + 1]));
    }
    __syncthreads();
  }
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < 4; i++) {
      const int y = row + 16 * warp + lane / 4 + i / 2 * 8, x = column + 8 * h + lane % 4 * 2 + i % 2;
      c[y * n + x] = s[h][i];
    }
}
// A matrix of 8 x 8 halfwords turned in registers, and two turned on their way to memory.
extern "C" __global__ void turns(const unsigned short* in, unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[2][8][8];
  const int lane = threadIdx.x;
  unsigned r = *(const unsigned*)(in + 2 * lane), t;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(r));
  *(unsigned*)(out + 2 * lane) = t;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[lane / 8 % 2][lane % 8][0]);
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(t), "r"(r));
  __syncwarp();
  for (int i = lane; i < 128; i += 32) out[64 + i] = tile[i / 64][i / 8 % 8][i % 8];
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(to), "r"(r));
  __syncwarp();
  for (int i = lane; i < 64; i += 32) out[192 + i] = tile[0][i / 8][i % 8];
}
