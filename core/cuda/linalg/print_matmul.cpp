// SPDX-License-Identifier: MIT
// The matrix product for what cuBLAS does not take: integers, bool, any strides. Tiles of 64 x 64 results in
// shared memory, 4 x 4 of them per thread.
#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

// Each thread block makes a tile of c. Words as print.h says.
constexpr const char* kernel_text =
    R"(extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ A left[16][65], right[16][65];
  const long long m = (long long)p.w[0], n = (long long)p.w[1], k = (long long)p.w[2];
  const long long across = (n + 63) / 64;
  const long long row = (long long)blockIdx.x / across * 64, column = (long long)blockIdx.x % across * 64;
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  for (long long batch = blockIdx.y; batch < (long long)p.w[3]; batch += gridDim.y) {
    const char* a = (const char*)p.w[4];
    const char* b = (const char*)p.w[5];
    char* c = (char*)p.w[6];
    long long rest = batch;
    for (int d = (int)p.w[13] - 1; d >= 0; --d) {
      const unsigned long long* dim = p.w + 14 + 4 * d;
      const long long at = rest % (long long)dim[0];
      rest /= (long long)dim[0];
      a += at * (long long)dim[1];
      b += at * (long long)dim[2];
      c += at * (long long)dim[3];
    }
    A sum[4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum[i][j] = A(0);
    for (long long k0 = 0; k0 < k; k0 += 16) {
      for (int i = 0; i < 4; ++i) {
        // Neighbouring threads read along the dimension that is nearer in memory.
        const int e = threadIdx.x + 256 * i;
        const bool by_row = p.w[8] <= p.w[7];
        const int lr = by_row ? e / 16 : e % 64, lk = by_row ? e % 16 : e / 64;
        left[lk][lr] = row + lr < m && k0 + lk < k
            ? arr_cast<A>(*(const T*)(a + (row + lr) * (long long)p.w[7] + (k0 + lk) * (long long)p.w[8])) : A(0);
        const bool by_column = p.w[10] <= p.w[9];
        const int rc = by_column ? e % 64 : e / 16, rk = by_column ? e / 64 : e % 16;
        right[rk][rc] = column + rc < n && k0 + rk < k
            ? arr_cast<A>(*(const T*)(b + (k0 + rk) * (long long)p.w[9] + (column + rc) * (long long)p.w[10])) : A(0);
      }
      __syncthreads();
      for (int e = 0; e < 16; ++e) {
        A x[4], y[4];
        for (int i = 0; i < 4; ++i) x[i] = left[e][ty + 16 * i];
        for (int j = 0; j < 4; ++j) y[j] = right[e][tx + 16 * j];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
          for (int j = 0; j < 4; ++j) sum[i][j] = arr_join(sum[i][j], x[i], y[j]);
        }
      }
      __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const long long r = row + ty + 16 * i, q = column + tx + 16 * j;
        if (r < m && q < n) *(T*)(c + r * (long long)p.w[11] + q * (long long)p.w[12]) = arr_cast<T>(sum[i][j]);
      }
    }
  }
}
)";

}  // namespace

std::string print_matmul(DType dtype) {
  DType acc = compute_type(dtype);
  const char* join = dtype == DType::bool_ ? "sum || (x && y)" : "arr_cast<A>(sum + arr_multiply(x, y))";
  return text("typedef ", cpp_type(dtype), " T;\ntypedef ", cpp_type(acc),
              " A;\nstruct arr_params { unsigned long long w[", matmul_words, "]; };\n", R"(
ARR_FN A arr_join(A sum, A x, A y) { return )",
              join, R"(; }
)",
              kernel_text);
}

}  // namespace arr::cuda
