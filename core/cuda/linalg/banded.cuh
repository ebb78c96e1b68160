// SPDX-License-Identifier: MIT
// Systems with banded matrices: LU factors with partial pivoting as in LAPACK's gbtf2, or Cholesky factors as
// in its pbtf2. A block per matrix works on one column after another; its threads share the rows and columns
// that change.
//
// linalg/emit_banded.cpp generates the lines before it: the type T of elements, R of their parts, `definite`,
// and the words. Its comment in emit_banded.h lists them.

// A system in this block: element (i, j) of its matrix is at w[j * width + offset + i - j], b becomes x.
struct arr_system {
  T *w, *x;
  long long n, k, width, offset;
  ARR_FN T& at(long long i, long long j) const { return w[j * width + offset + i - j]; }
};

// Copies the operands: the lower triangle of a definite matrix, and room for U's diagonals above those of
// others.
ARR_FN void arr_load(const arr_params& p, long long batch, const arr_system& s) {
  const char *a = (const char*)p.w[a_word], *b = (const char*)p.w[b_word];
  for (int d = (int)p.w[batches_word] - 1; d >= 0; --d) {
    const unsigned long long* dim = p.w + batch_word + 3 * d;
    const long long at = batch % (long long)dim[0];
    batch /= (long long)dim[0];
    a += at * (long long)dim[1];
    b += at * (long long)dim[2];
  }
  const long long below = (long long)p.w[below_word], above = (long long)p.w[above_word];
  const long long row = (long long)p.w[a_word + 1], column = (long long)p.w[a_word + 2];
  for (long long e = threadIdx.x; e < s.width * s.n; e += blockDim.x) {
    const long long j = e / s.width, r = e % s.width, i = j + r - s.offset;
    T value = T(0);
    if (i >= 0 && i < s.n) {
      if constexpr (definite) {
        value = p.w[lower_word] != 0 ? arr_element_at<T>(a + r * row + j * column)
                                     : arr_adjoint(arr_element_at<T>(a + (below - r) * row + i * column));
        if (r == 0) value = T(arr_real(value));
      } else if (j - i <= above) {
        value = arr_element_at<T>(a + (above + i - j) * row + j * column);
      }
    }
    s.w[e] = value;
  }
  for (long long e = threadIdx.x; e < s.n * s.k; e += blockDim.x) {
    s.x[e] =
        arr_element_at<T>(b + e % s.n * (long long)p.w[b_word + 1] + e / s.n * (long long)p.w[b_word + 2]);
  }
}

// Column j of L, and its products subtracted from what is to the right of it and from x. Returns false if the
// pivot is 0 in exact arithmetic.
ARR_FN bool arr_eliminate(const arr_system& s, long long j, long long below) {
  __shared__ long long chosen;
  const long long rows = below < s.n - 1 - j ? below : s.n - 1 - j, left = s.n - 1 - j;
  const long long columns = s.offset < left ? s.offset : left;
  if (threadIdx.x == 0) {
    long long best = 0;
    for (long long i = 1; i <= rows; ++i) {
      if (arr_size(s.at(j + i, j)) > arr_size(s.at(j + best, j))) best = i;
    }
    chosen = s.at(j + best, j) == T(0) ? -1 : best;
  }
  __syncthreads();
  const long long other = chosen;
  if (other < 0) return false;
  if (other > 0) {
    for (long long q = threadIdx.x; q < columns + 1 + s.k; q += blockDim.x) {
      T& x = q <= columns ? s.at(j, j + q) : s.x[(q - columns - 1) * s.n + j];
      T& y = q <= columns ? s.at(j + other, j + q) : s.x[(q - columns - 1) * s.n + j + other];
      const T kept = x;
      x = y;
      y = kept;
    }
  }
  __syncthreads();
  for (long long i = 1 + threadIdx.x; i <= rows; i += blockDim.x)
    s.at(j + i, j) = s.at(j + i, j) / s.at(j, j);
  __syncthreads();
  for (long long e = threadIdx.x; e < rows * (columns + s.k); e += blockDim.x) {
    const long long i = 1 + e % rows, q = e / rows;
    const T factor = s.at(j + i, j);
    if (q < columns) {
      s.at(j + i, j + 1 + q) = s.at(j + i, j + 1 + q) - factor * s.at(j, j + 1 + q);
    } else {
      T* x = s.x + (q - columns) * s.n + j;
      x[i] = x[i] - factor * x[0];
    }
  }
  __syncthreads();
  return true;
}

// The same for Cholesky factors; false if the pivot is not positive.
ARR_FN bool arr_eliminate_definite(const arr_system& s, long long j, long long below) {
  const long long rows = below < s.n - 1 - j ? below : s.n - 1 - j;
  const R square = arr_real(s.at(j, j));
  __syncthreads();
  if (!(square > 0)) return false;
  const R root = arr_sqrt(square);
  for (long long i = threadIdx.x; i <= rows + s.k; i += blockDim.x) {
    T& x = i <= rows ? s.at(j + i, j) : s.x[(i - rows - 1) * s.n + j];
    x = i == 0 ? T(root) : x / root;
  }
  __syncthreads();
  for (long long e = threadIdx.x; e < rows * (rows + s.k); e += blockDim.x) {
    const long long i = 1 + e % rows, q = 1 + e / rows;
    const T factor = s.at(j + i, j);
    if (q > rows) {
      T* x = s.x + (q - rows - 1) * s.n + j;
      x[i] = x[i] - factor * x[0];
    } else if (q <= i) {
      s.at(j + i, j + q) = s.at(j + i, j + q) - factor * arr_adjoint(s.at(j + q, j));
    }
  }
  __syncthreads();
  return true;
}

// x = U^-1 x, or with the adjoint of L for U.
ARR_FN void arr_substitute(const arr_system& s, long long below) {
  const long long reach = definite ? below : s.offset;
  for (long long j = s.n - 1; j >= 0; --j) {
    for (long long q = threadIdx.x; q < s.k; q += blockDim.x)
      s.x[q * s.n + j] = s.x[q * s.n + j] / s.at(j, j);
    __syncthreads();
    const long long rows = reach < j ? reach : j;
    for (long long e = threadIdx.x; e < rows * s.k; e += blockDim.x) {
      const long long i = j - 1 - e % rows;
      T* x = s.x + e / rows * s.n;
      x[i] = x[i] - (definite ? arr_adjoint(s.at(j, i)) : s.at(i, j)) * x[j];
    }
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(128) arr_kernel(const __grid_constant__ arr_params p) {
  const long long below = (long long)p.w[below_word], above = (long long)p.w[above_word];
  arr_system s;
  s.n = (long long)p.w[n_word];
  s.k = (long long)p.w[k_word];
  s.offset = definite ? 0 : below + above;
  s.width = s.offset + below + 1;
  s.w = (T*)p.w[scratch_word] + blockIdx.x * s.width * s.n;
  for (long long batch = blockIdx.x; batch < (long long)p.w[count_word]; batch += gridDim.x) {
    s.x = (T*)p.w[x_word] + batch * s.n * s.k;
    arr_load(p, batch, s);
    __syncthreads();
    long long j = 0;
    while (j < s.n && (definite ? arr_eliminate_definite(s, j, below) : arr_eliminate(s, j, below))) ++j;
    if (threadIdx.x == 0) ((int*)p.w[info_word])[batch] = j < s.n ? (int)(j + 1) : 0;
    if (j == s.n) arr_substitute(s, below);
    __syncthreads();
  }
}
