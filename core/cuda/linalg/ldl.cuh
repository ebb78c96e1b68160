// SPDX-License-Identifier: MIT
// A = L D L', with blocks of one or two rows in D, for symmetric or Hermitian matrices: J. R. Bunch, L.
// Kaufman, "Some stable methods for calculating inertia and solving symmetric linear systems", Math. Comp. 31
// (1977), 163-179, in the steps of LAPACK's hetf2. A block per matrix. An upper triangle is a lower one with
// the order of rows and columns reversed, and so are its factors.
//
// linalg/emit_ldl.cpp generates the lines before it: the type T of elements, R of their parts, and the words.
// Its comment in emit_ldl.h lists them.

ARR_FN float arr_imaginary(float) { return 0; }
ARR_FN double arr_imaginary(double) { return 0; }
template <class F>
ARR_FN F arr_imaginary(arr_cplx<F> x) {
  return x.im;
}

struct arr_found {
  R size;
  long long at;
};
// The largest of `count` sizes and its position, the first of equal ones; -1 of none. All threads call it.
template <class Size>
ARR_FN arr_found arr_largest(long long count, Size size) {
  __shared__ arr_found found[threads];
  arr_found best = {-1, -1};
  for (long long i = threadIdx.x; i < count; i += threads) {
    const R s = size(i);
    if (s > best.size) best = {s, i};
  }
  found[threadIdx.x] = best;
  __syncthreads();
  for (int t = 0; t < threads; ++t) {
    const arr_found other = found[t];
    if (other.size > best.size || (other.size == best.size && other.at < best.at)) best = other;
  }
  __syncthreads();
  return best;
}

// A matrix in this block, of which the lower triangle is used; the columns of L of a step. For the first row
// of each block in D: the row that its last one was exchanged with, and its number of rows (0 for the second
// row of a block).
struct arr_matrix {
  long long n;
  T *w, *first, *second;
  long long *with, *rows, *order;
  bool lower;
  ARR_FN T& at(long long i, long long j) const { return w[j * n + i]; }
  // The row of the given matrix.
  ARR_FN long long row(long long i) const { return lower ? i : n - 1 - i; }
};

struct arr_step {
  long long with;  // the row and column that is exchanged with the last one of the block
  int rows;        // 1 or 2; 0: a column of zeros
};
ARR_FN arr_step arr_choose(const arr_matrix& m, long long k) {
  const R alpha = R(0.6403882032022076);  // (1 + sqrt(17)) / 8
  const R here = arr_size(arr_real(m.at(k, k)));
  const arr_found column =
      arr_largest(m.n - 1 - k, [&](long long i) { return arr_size(m.at(k + 1 + i, k)); });
  const R below = column.size > 0 ? column.size : 0;
  if (!(here > 0 || below > 0)) return {k, 0};
  if (here >= alpha * below) return {k, 1};
  const long long other = k + 1 + column.at;
  const arr_found left = arr_largest(other - k, [&](long long j) { return arr_size(m.at(other, k + j)); });
  const arr_found down =
      arr_largest(m.n - 1 - other, [&](long long i) { return arr_size(m.at(other + 1 + i, other)); });
  const R row = left.size > down.size ? left.size : down.size;
  if (here >= alpha * below * (below / row)) return {k, 1};
  const R there = arr_size(arr_real(m.at(other, other)));
  __syncthreads();  // the next step changes it
  return {other, there >= alpha * row ? 1 : 2};
}

ARR_FN void arr_swap(T& x, T& y) {
  const T kept = x;
  x = y;
  y = kept;
}
// Exchanges rows and columns of what is left from row k on.
ARR_FN void arr_exchange(const arr_matrix& m, long long k, const arr_step& s) {
  const long long from = s.rows == 2 ? k + 1 : k, with = s.with;
  if (from == with) return;
  for (long long i = from + 1 + threadIdx.x; i < m.n; i += threads) {
    if (i > with) {
      arr_swap(m.at(i, from), m.at(i, with));
    } else if (i == with) {
      m.at(with, from) = arr_adjoint(m.at(with, from));
    } else {
      const T kept = arr_adjoint(m.at(i, from));
      m.at(i, from) = arr_adjoint(m.at(with, i));
      m.at(with, i) = kept;
    }
  }
  if (threadIdx.x == 0) {
    arr_swap(m.at(from, from), m.at(with, with));
    if (s.rows == 2) arr_swap(m.at(k + 1, k), m.at(with, k));
  }
  __syncthreads();
}

// Subtracts the products with the block's columns from what is right of them, and divides the columns by the
// block.
ARR_FN void arr_update(const arr_matrix& m, long long k, int rows) {
  const long long next = k + rows, left = m.n - next;
  const R d0 = arr_real(m.at(k, k));
  R scale = 0, d1 = 0, d2 = 0;
  T off = T(0);
  if (rows == 2) {
    const T beside = m.at(k + 1, k);
    const R size = arr_hypot(arr_real(beside), arr_imaginary(beside));
    d1 = arr_real(m.at(k + 1, k + 1)) / size;
    d2 = d0 / size;
    off = beside / size;
    scale = 1 / (d1 * d2 - 1) / size;
  }
  for (long long i = threadIdx.x; i < left; i += threads) {
    const T x = m.at(next + i, k);
    if (rows == 1) {
      m.first[i] = x / d0;
    } else {
      const T y = m.at(next + i, k + 1);
      m.first[i] = T(scale) * (T(d1) * x - off * y);
      m.second[i] = T(scale) * (T(d2) * y - arr_adjoint(off) * x);
    }
  }
  __syncthreads();
  for (long long e = threadIdx.x; e < left * left; e += threads) {
    const long long i = e % left, j = e / left;
    if (i < j) continue;
    T x = m.at(next + i, next + j) - m.at(next + i, k) * arr_adjoint(m.first[j]);
    if (rows == 2) x = x - m.at(next + i, k + 1) * arr_adjoint(m.second[j]);
    m.at(next + i, next + j) = i == j ? T(arr_real(x)) : x;
  }
  __syncthreads();
  for (long long i = threadIdx.x; i < left; i += threads) {
    m.at(next + i, k) = m.first[i];
    if (rows == 2) m.at(next + i, k + 1) = m.second[i];
  }
  __syncthreads();
}

// Writes L as if no rows were exchanged, and D.
ARR_FN void arr_write(const arr_matrix& m, T* lu, T* d) {
  for (long long e = threadIdx.x; e < m.n * m.n; e += threads) {
    const long long i = e % m.n, j = e / m.n, to = m.row(j) * m.n + m.row(i);
    const bool below = m.rows[j] == 2 && i == j + 1, above = m.rows[i] == 2 && j == i + 1;
    lu[to] = i == j ? T(1) : i > j && !below ? m.at(i, j) : T(0);
    d[to] = i == j || below ? m.at(i, j) : above ? arr_adjoint(m.at(j, i)) : T(0);
  }
  for (long long i = threadIdx.x; i < m.n; i += threads) m.order[i] = i;
  __syncthreads();
}

// Exchanges rows of L from the last step to the first, so that L D L' is the given matrix.
ARR_FN void arr_permute(const arr_matrix& m, T* lu, int* permutation) {
  for (long long k = m.n; k > 0;) {
    k -= m.rows[k - 1] == 0 ? 2 : 1;
    const long long from = m.rows[k] == 2 ? k + 1 : k, with = m.with[k];
    if (from == with) continue;
    for (long long j = k + threadIdx.x; j < m.n; j += threads) {
      T* column = lu + m.row(j) * m.n;
      arr_swap(column[m.row(from)], column[m.row(with)]);
    }
    if (threadIdx.x == 0) {
      const long long kept = m.order[from];
      m.order[from] = m.order[with];
      m.order[with] = kept;
    }
    __syncthreads();
  }
  for (long long i = threadIdx.x; i < m.n; i += threads) permutation[m.row(m.order[i])] = (int)m.row(i);
}

ARR_FN void arr_load(const arr_params& p, long long batch, const arr_matrix& m) {
  const char* a = (const char*)p.w[a_word];
  for (int d = (int)p.w[batches_word] - 1; d >= 0; --d) {
    const unsigned long long* dim = p.w + batch_word + 2 * d;
    a += batch % (long long)dim[0] * (long long)dim[1];
    batch /= (long long)dim[0];
  }
  for (long long e = threadIdx.x; e < m.n * m.n; e += threads) {
    const long long i = e % m.n, j = e / m.n;
    if (i < j) continue;
    const T x =
        arr_element_at<T>(a + m.row(i) * (long long)p.w[a_word + 1] + m.row(j) * (long long)p.w[a_word + 2]);
    m.at(i, j) = i == j ? T(arr_real(x)) : x;
  }
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long n = (long long)p.w[n_word], blocks = gridDim.x;
  arr_matrix m;
  m.n = n;
  m.lower = p.w[lower_word] != 0;
  m.w = (T*)p.w[scratch_word] + blockIdx.x * n * (n + 2);
  m.first = m.w + n * n;
  m.second = m.first + n;
  const unsigned long long integers = (unsigned long long)((T*)p.w[scratch_word] + blocks * n * (n + 2));
  m.with = (long long*)((integers + 7) / 8 * 8) + blockIdx.x * 3 * n;
  m.rows = m.with + n;
  m.order = m.rows + n;
  for (long long batch = blockIdx.x; batch < (long long)p.w[count_word]; batch += blocks) {
    arr_load(p, batch, m);
    for (long long k = 0; k < n;) {
      const arr_step s = arr_choose(m, k);
      arr_exchange(m, k, s);
      if (s.rows != 0) arr_update(m, k, s.rows);
      if (threadIdx.x == 0) {
        m.with[k] = s.with;
        m.rows[k] = s.rows == 2 ? 2 : 1;
        if (s.rows == 2) m.rows[k + 1] = 0;
      }
      k += s.rows == 2 ? 2 : 1;
    }
    __syncthreads();
    T* lu = (T*)p.w[lu_word] + batch * n * n;
    arr_write(m, lu, (T*)p.w[d_word] + batch * n * n);
    arr_permute(m, lu, (int*)p.w[permutation_word] + batch * n);
    if (threadIdx.x == 0) ((int*)p.w[info_word])[batch] = 0;
    __syncthreads();
  }
}
