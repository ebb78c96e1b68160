// SPDX-License-Identifier: MIT
// Gaussian elimination of tridiagonal systems with partial pivoting, as in LAPACK's gtsv: a thread per
// system. The diagonals of U are in scratch memory, in which the rows of all systems lie together.
//
// linalg/emit_tridiagonal.cpp generates the lines before it, and pivots.cuh follows them: the type T of
// elements, and the words.

// The vectors of a system: their first elements, and bytes from an element to the next.
struct arr_system {
  const char *lower, *diagonal, *upper, *b;
  char* x;
  int* info;
};

ARR_FN arr_system arr_place(const arr_params& p, long long index) {
  char* at[vectors];
  for (int v = 0; v < vectors; ++v) at[v] = (char*)p.w[address_word + v];
  for (int d = (int)p.w[batches_word] - 1; d >= 0; --d) {
    const unsigned long long* dim = p.w + batch_word + (vectors + 1) * d;
    const long long i = index % (long long)dim[0];
    index /= (long long)dim[0];
    for (int v = 0; v < vectors; ++v) at[v] += i * (long long)dim[1 + v];
  }
  return {at[0], at[1], at[2], at[3], at[4], (int*)at[5]};
}

extern "C" __global__ void __launch_bounds__(block_threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long count = (long long)p.w[count_word], n = (long long)p.w[n_word];
  const long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const arr_system s = arr_place(p, k);
  const long long* step = (const long long*)p.w + step_word;
  T *pivots = (T*)p.w[scratch_word] + k, *first = pivots + n * count, *second = first + n * count;
  const T none = T(0);
  T d = arr_element_at<T>(s.diagonal), u = n > 1 ? arr_element_at<T>(s.upper) : none,
    b = arr_element_at<T>(s.b);
  long long zero = 0;
  for (long long i = 0; i + 1 < n; ++i) {
    const T l = arr_element_at<T>(s.lower + i * step[0]),
            d1 = arr_element_at<T>(s.diagonal + (i + 1) * step[1]),
            u1 = i + 2 < n ? arr_element_at<T>(s.upper + (i + 1) * step[2]) : none,
            b1 = arr_element_at<T>(s.b + (i + 1) * step[3]);
    const bool swapped = arr_size(l) > arr_size(d);
    const T pivot = swapped ? l : d, above = swapped ? d1 : u, beyond = swapped ? u1 : none,
            top = swapped ? b1 : b;
    if (pivot == none && zero == 0) zero = i + 1;
    const T f = (swapped ? d : l) / pivot;
    pivots[i * count] = pivot;
    first[i * count] = above;
    second[i * count] = beyond;
    *(T*)(s.x + i * step[4]) = top;
    d = (swapped ? u : d1) - f * above;
    u = (swapped ? none : u1) - f * beyond;
    b = (swapped ? b : b1) - f * top;
  }
  if (d == none && zero == 0) zero = n;
  *s.info = (int)(zero < 2147483647 ? zero : 2147483647);
  if (zero != 0) return;
  T x1 = b / d, x2 = none;
  *(T*)(s.x + (n - 1) * step[4]) = x1;
  for (long long i = n - 2; i >= 0; --i) {
    T* x = (T*)(s.x + i * step[4]);
    const T now = (*x - first[i * count] * x1 - second[i * count] * x2) / pivots[i * count];
    *x = now;
    x2 = x1;
    x1 = now;
  }
}
