// SPDX-License-Identifier: MIT
// The product of a sparse matrix with a dense one. The threads of a block are divided among rows, `lanes` for
// each, which add every lanes-th term and then each other's sums. With several columns of x, a thread has one
// element of y.
//
// sparse/emit_product.cpp generates the lines before it: the types T of elements, A of sums and I of indices,
// lanes, and arr_none() of no terms, arr_join(sum, x, y) and arr_sum(x, y).

constexpr int rows_per_block = block_threads / lanes;

ARR_FN A arr_terms(const T* data, const I* indices, const T* x, long long from, long long to, int step,
                   long long columns) {
  A sum = arr_none();
  for (long long p = from; p < to; p += step) {
    sum = arr_join(sum, arr_cast<A>(data[p]), arr_cast<A>(x[(long long)indices[p] * columns]));
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const T *data = (const T*)p.w[data_word], *x = (const T*)p.w[x_word];
  const I *indices = (const I*)p.w[indices_word], *pointers = (const I*)p.w[pointers_word];
  T* y = (T*)p.w[y_word];
  const long long rows = (long long)p.w[rows_word], columns = (long long)p.w[columns_word];
  if (lanes == 1) {
    const long long all = rows * columns, step = (long long)gridDim.x * blockDim.x;
    for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < all; k += step) {
      const long long i = columns == 1 ? k : k / columns, j = columns == 1 ? 0 : k % columns;
      y[k] = arr_cast<T>(arr_terms(data, indices, x + j, pointers[i], pointers[i + 1], 1, columns));
    }
    return;
  }
  __shared__ A sums[block_threads];
  const int lane = threadIdx.x % lanes;
  for (long long first = (long long)blockIdx.x * rows_per_block; first < rows;
       first += (long long)gridDim.x * rows_per_block) {
    const long long i = first + threadIdx.x / lanes;
    A sum = arr_none();
    if (i < rows) sum = arr_terms(data, indices, x, pointers[i] + lane, pointers[i + 1], lanes, 1);
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = lanes / 2; half > 0; half /= 2) {
      if (lane < half) sums[threadIdx.x] = arr_sum(sums[threadIdx.x], sums[threadIdx.x + half]);
      __syncthreads();
    }
    if (lane == 0 && i < rows) y[i] = arr_cast<T>(sums[threadIdx.x]);
    __syncthreads();
  }
}
