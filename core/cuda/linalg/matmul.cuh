// SPDX-License-Identifier: MIT
// The matrix product for operands that cuBLAS does not take: integers, bool, any strides. Each block computes
// a tile of 64 x 64 results from tiles in shared memory, 4 x 4 results per thread.
//
// linalg/emit_matmul.cpp generates the lines before it: the types T of elements and A of sums, and
// arr_join(sum, x, y). Its comment in emit_matmul.h lists the parameters' words.

constexpr int tile = 64, depth = 16;

// A matrix: its address, its extents and its strides in bytes.
struct arr_matrix {
  const char* data;
  long long rows, columns, row_stride, column_stride;
  // Element (i, j), or 0 outside.
  ARR_FN A at(long long i, long long j) const {
    return i < rows && j < columns ? arr_cast<A>(arr_element_at<T>(data + i * row_stride + j * column_stride))
                                   : A(0);
  }
};

// Moves the operands' and the result's addresses to a matrix of the batch.
ARR_FN void arr_move_to_batch(const arr_params& p, long long batch, const char*& a, const char*& b,
                              char*& c) {
  for (int d = (int)p.w[13] - 1; d >= 0; --d) {
    const unsigned long long* dim = p.w + 14 + 4 * d;
    const long long at = batch % (long long)dim[0];
    batch /= (long long)dim[0];
    a += at * (long long)dim[1];
    b += at * (long long)dim[2];
    c += at * (long long)dim[3];
  }
}

// Reads the parts of a and b from k0 on that the tile at (row, column) needs. Neighbouring threads read along
// the dimension that is nearer in memory.
ARR_FN void arr_fill(const arr_matrix& a, const arr_matrix& b, long long row, long long column, long long k0,
                     A (*left)[tile + 1], A (*right)[tile + 1]) {
  const bool a_by_columns = (unsigned long long)a.column_stride <= (unsigned long long)a.row_stride,
             b_by_columns = (unsigned long long)b.column_stride <= (unsigned long long)b.row_stride;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const int e = threadIdx.x + 256 * i;
    const int ar = a_by_columns ? e / depth : e % tile, ak = a_by_columns ? e % depth : e / tile;
    left[ak][ar] = a.at(row + ar, k0 + ak);
    const int bc = b_by_columns ? e % tile : e / depth, bk = b_by_columns ? e / tile : e % depth;
    right[bk][bc] = b.at(k0 + bk, column + bc);
  }
}

// Adds the products of the parts to this thread's results.
ARR_FN void arr_multiply_parts(const A (*left)[tile + 1], const A (*right)[tile + 1], int ty, int tx,
                               A (&sum)[4][4]) {
  for (int e = 0; e < depth; ++e) {
    A x[4], y[4];
    for (int i = 0; i < 4; ++i) x[i] = left[e][ty + 16 * i];
    for (int j = 0; j < 4; ++j) y[j] = right[e][tx + 16 * j];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[i][j] = arr_join(sum[i][j], x[i], y[j]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) arr_kernel(const __grid_constant__ arr_params p) {
  __shared__ A left[depth][tile + 1], right[depth][tile + 1];
  const long long m = (long long)p.w[0], n = (long long)p.w[1], k = (long long)p.w[2];
  const long long across = (n + tile - 1) / tile;
  const long long row = (long long)blockIdx.x / across * tile, column = (long long)blockIdx.x % across * tile;
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  for (long long batch = blockIdx.y; batch < (long long)p.w[3]; batch += gridDim.y) {
    arr_matrix a = {(const char*)p.w[4], m, k, (long long)p.w[7], (long long)p.w[8]};
    arr_matrix b = {(const char*)p.w[5], k, n, (long long)p.w[9], (long long)p.w[10]};
    char* c = (char*)p.w[6];
    arr_move_to_batch(p, batch, a.data, b.data, c);
    A sum[4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum[i][j] = A(0);
    for (long long k0 = 0; k0 < k; k0 += depth) {
      arr_fill(a, b, row, column, k0, left, right);
      __syncthreads();
      arr_multiply_parts(left, right, ty, tx, sum);
      __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const long long r = row + ty + 16 * i, q = column + tx + 16 * j;
        if (r >= m || q >= n) continue;
        *(T*)(c + r * (long long)p.w[11] + q * (long long)p.w[12]) = arr_cast<T>(sum[i][j]);
      }
    }
  }
}
