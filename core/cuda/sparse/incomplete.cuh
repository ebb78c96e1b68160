// SPDX-License-Identifier: MIT
// Incomplete factors without fill: of each row the multiples of earlier rows are subtracted where the row has
// an element (Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, 10.3). A thread has a block of
// rows, and factors them one after the other up to the first that needs a row which another thread has not
// factored in an earlier round, so that the order of operations depends only on the matrix. `now` has the
// first row of each block that is not factored, of earlier rounds; `next` gets it.
//
// sparse/emit_incomplete.cpp generates the lines before it: the types T of elements, R of their parts and I
// of indices, block_rows, cholesky, and the words.

struct arr_matrix {
  const I *pointers, *indices;
  T* data;
  I* diagonal;  // where each factored row has it
  const long long* now;
  ARR_FN bool factored(long long k, long long first) const { return k >= first || now[k / block_rows] > k; }
};

// True if the rows that row i needs are there.
ARR_FN bool arr_ready(const arr_matrix& m, long long i, long long first) {
  for (long long p = m.pointers[i]; p < m.pointers[i + 1] && m.indices[p] < i; ++p) {
    if (!m.factored(m.indices[p], first)) return false;
  }
  return true;
}

// Both return false if the row has no pivot.
ARR_FN bool arr_lu_row(const arr_matrix& m, long long i) {
  const long long last = m.pointers[i + 1];
  long long p = m.pointers[i];
  for (; p < last && m.indices[p] < i; ++p) {
    const long long k = m.indices[p], d = m.diagonal[k];
    const T factor = m.data[p] / m.data[d];
    m.data[p] = factor;
    long long to = p + 1;
    for (long long q = d + 1; q < m.pointers[k + 1]; ++q) {
      while (to < last && m.indices[to] < m.indices[q]) ++to;
      if (to < last && m.indices[to] == m.indices[q]) {
        m.data[to] = m.data[to] - arr_multiply(factor, m.data[q]);
      }
    }
  }
  m.diagonal[i] = (I)p;
  return p < last && m.indices[p] == i && m.data[p] != T(0);
}

ARR_FN bool arr_cholesky_row(const arr_matrix& m, long long i) {
  const long long first = m.pointers[i], last = m.pointers[i + 1];
  if (first == last || m.indices[last - 1] != i) return false;
  for (long long p = first; p < last; ++p) {
    const long long k = m.indices[p], end = (long long)m.pointers[k + 1] - (k == i ? 0 : 1);
    T rest = m.data[p];
    long long a = first;
    for (long long b = m.pointers[k]; b < end && m.indices[b] < k; ++b) {
      while (a < p && m.indices[a] < m.indices[b]) ++a;
      if (a < p && m.indices[a] == m.indices[b]) {
        rest = rest - arr_multiply(m.data[a], arr_conjugate(m.data[b]));
      }
    }
    if (k < i) {
      m.data[p] = rest / m.data[m.pointers[k + 1] - 1];
    } else {
      const R pivot = arr_real(rest);
      if (!(pivot > 0)) return false;
      m.data[p] = T(arr_sqrt(pivot));
    }
  }
  return true;
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params w) {
  arr_matrix m;
  m.pointers = (const I*)w.w[pointers_word];
  m.indices = (const I*)w.w[indices_word];
  m.data = (T*)w.w[data_word];
  m.diagonal = (I*)w.w[diagonal_word];
  m.now = (const long long*)w.w[now_word];
  long long* next = (long long*)w.w[next_word];
  unsigned long long* state = (unsigned long long*)w.w[state_word];
  const long long n = (long long)w.w[n_word], round = (long long)w.w[round_word];
  const long long blocks = (n + block_rows - 1) / block_rows, step = (long long)gridDim.x * blockDim.x;
  for (long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x; t < blocks; t += step) {
    const long long first = t * block_rows, end = first + block_rows < n ? first + block_rows : n;
    long long i = m.now[t] > first ? m.now[t] : first;
    for (; i < end && arr_ready(m, i, first); ++i) {
      const bool good = cholesky ? arr_cholesky_row(m, i) : arr_lu_row(m, i);
      if (!good) atomicMax(&state[1], (unsigned long long)(n - i));
    }
    next[t] = i;
    if (i < end) atomicMax(&state[0], (unsigned long long)round);
  }
}
