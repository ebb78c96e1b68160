// SPDX-License-Identifier: MIT
// A X + X B = C for upper triangles A (m x m) and B (n x n), X in the memory of C. A block per equation. Of a
// column's right side the products with the columns before are subtracted, then A with an element of B's
// diagonal added is solved.
//
// linalg/emit_schur.cpp generates the lines before it: the type T of elements, and the words. Its comment in
// emit_schur.h lists them.

extern "C" __global__ void __launch_bounds__(threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long m = (long long)p.w[m_word], n = (long long)p.w[n_word];
  for (long long batch = blockIdx.x; batch < (long long)p.w[count_word]; batch += gridDim.x) {
    const T* a = (const T*)p.w[a_word] + batch * m * m;
    const T* b = (const T*)p.w[b_word] + batch * n * n;
    T* x = (T*)p.w[x_word] + batch * m * n;
    for (long long j = 0; j < n; ++j) {
      T* column = x + j * m;
      for (long long i = threadIdx.x; i < m; i += threads) {
        T rest = column[i];
        for (long long k = 0; k < j; ++k) rest = rest - b[j * n + k] * x[k * m + i];
        column[i] = rest;
      }
      __syncthreads();
      for (long long r = m; r-- > 0;) {
        if (threadIdx.x == 0) {
          const T divisor = a[r * m + r] + b[j * n + j], above = column[r];
          const bool none = divisor.re == 0 && divisor.im == 0 && above.re == 0 && above.im == 0;
          column[r] = none ? above : above / divisor;
        }
        __syncthreads();
        const T found = column[r];
        for (long long i = threadIdx.x; i < r; i += threads) column[i] = column[i] - found * a[r * m + i];
        __syncthreads();
      }
    }
  }
}
