// SPDX-License-Identifier: MIT
// The Schur form A = Q T Q' of complex matrices: Householder's reduction to Hessenberg form, then QR steps
// with single shifts, in the steps and with the tests of LAPACK's zlahqr (M. Ahues, F. Tisseur, "A new
// deflation criterion for the QR algorithm", LAPACK working note 122, 1997). A block per matrix.
//
// linalg/emit_schur.cpp generates the lines before it: the type T of elements, R of their parts, and the
// words. Its comment in emit_schur.h lists them.

// The matrices of this block.
struct arr_form {
  long long n;
  T *t, *q;
  ARR_FN T& at(long long i, long long j) const { return t[j * n + i]; }
};
// Epsilon, and a size below which elements do not matter beside others near 1.
constexpr R arr_unit_roundoff = sizeof(R) == 4 ? R(0x1p-23) : R(0x1p-52);
ARR_FN R arr_tiny(long long n) {
  return (sizeof(R) == 4 ? R(0x1p-126) : R(0x1p-1022)) * (R(n) / arr_unit_roundoff);
}
ARR_FN R arr_modulus(T x) { return arr_hypot(x.re, x.im); }
ARR_FN R arr_square(T x) { return x.re * x.re + x.im * x.im; }

// The sum, or the largest, of value(i) for i < count, the same for all threads, which all call it.
template <bool largest, class Value>
ARR_FN R arr_over(long long count, Value value) {
  __shared__ R parts[threads];
  R mine = 0;
  for (long long i = threadIdx.x; i < count; i += threads) {
    const R v = value(i);
    mine = largest ? (v > mine ? v : mine) : mine + v;
  }
  parts[threadIdx.x] = mine;
  __syncthreads();
  R all = 0;
  for (int t = 0; t < threads; ++t) all = largest ? (parts[t] > all ? parts[t] : all) : all + parts[t];
  __syncthreads();
  return all;
}

// Reflects rows and columns k + 1 .. so that column k has zeros below row k + 1.
ARR_FN void arr_reflect(const arr_form& f, long long k) {
  const long long n = f.n, first = k + 1;
  const R below =
      arr_over<false>(n - first - 1, [&](long long i) { return arr_square(f.at(first + 1 + i, k)); });
  if (!(below > 0)) return;
  const T head = f.at(first, k);
  const R size = arr_modulus(head), norm = arr_sqrt(size * size + below);
  const T phase = size > 0 ? head / T(size) : T(1);
  const R tau = 1 / (norm * (norm + size));
  __syncthreads();
  if (threadIdx.x == 0) f.at(first, k) = head + phase * T(norm);
  __syncthreads();
  const T* v = &f.at(0, k);
  for (long long j = first + threadIdx.x; j < n; j += threads) {
    T w = T(0);
    for (long long i = first; i < n; ++i) w = w + arr_adjoint(v[i]) * f.at(i, j);
    w = w * T(tau);
    for (long long i = first; i < n; ++i) f.at(i, j) = f.at(i, j) - v[i] * w;
  }
  __syncthreads();
  for (long long r = threadIdx.x; r < 2 * n; r += threads) {
    T* row = r < n ? f.t + r : f.q + (r - n);
    T w = T(0);
    for (long long j = first; j < n; ++j) w = w + row[j * n] * v[j];
    w = w * T(tau);
    for (long long j = first; j < n; ++j) row[j * n] = row[j * n] - w * arr_adjoint(v[j]);
  }
  __syncthreads();
  for (long long i = first + threadIdx.x; i < n; i += threads) {
    f.at(i, k) = i == first ? T(0) - phase * T(norm) : T(0);
  }
  __syncthreads();
}

// True if the element left of (k, k) may be set to 0.
ARR_FN bool arr_negligible(const arr_form& f, long long k) {
  const R left = arr_size(f.at(k, k - 1)), tiny = arr_tiny(f.n);
  if (left <= tiny) return true;
  R around = arr_size(f.at(k - 1, k - 1)) + arr_size(f.at(k, k));
  if (around == 0) {
    if (k >= 2) around = around + arr_size(f.at(k - 1, k - 2));
    if (k + 1 < f.n) around = around + arr_size(f.at(k + 1, k));
  }
  if (left > arr_unit_roundoff * around) return false;
  const R above = arr_size(f.at(k - 1, k)), here = arr_size(f.at(k, k));
  const R apart = arr_size(f.at(k - 1, k - 1) - f.at(k, k));
  const R ab = left > above ? left : above, ba = left > above ? above : left;
  const R aa = here > apart ? here : apart, bb = here > apart ? apart : here;
  const R sum = aa + ab, limit = arr_unit_roundoff * (bb * (aa / sum));
  return ba * (ab / sum) <= (limit > tiny ? limit : tiny);
}

// Wilkinson's shift, the eigenvalue of the last two rows that is nearer to the last element; in every tenth
// step another.
ARR_FN T arr_shift(const arr_form& f, long long last, long long step) {
  const T end = f.at(last, last);
  if (step % 10 == 9) return T(R(0.75) * arr_size(f.at(last, last - 1))) + end;
  const T half = (f.at(last - 1, last - 1) - end) * T(R(0.5));
  const T product = f.at(last - 1, last) * f.at(last, last - 1);
  if (product.re == 0 && product.im == 0) return end;
  T root = arr_sqrt(half * half + product);
  if (half.re * root.re + half.im * root.im < 0) root = T(0) - root;
  return end - product / (half + root);
}

struct arr_rotation {
  R c;
  T s;
};
// c x + s y is the only element left of (x, y).
ARR_FN arr_rotation arr_rotate(T x, T y) {
  const R below = arr_modulus(y), above = arr_modulus(x);
  if (below == 0) return {1, T(0)};
  if (above == 0) return {0, arr_adjoint(y) / T(below)};
  const R all = arr_hypot(above, below);
  return {above / all, (x / T(above)) * (arr_adjoint(y) / T(all))};
}

// A QR step on the rows first .. last.
ARR_FN void arr_step(const arr_form& f, long long first, long long last, long long step) {
  __shared__ arr_rotation shared;
  const long long n = f.n;
  for (long long k = first; k < last; ++k) {
    if (threadIdx.x == 0) {
      shared = k == first ? arr_rotate(f.at(k, k) - arr_shift(f, last, step), f.at(k + 1, k))
                          : arr_rotate(f.at(k, k - 1), f.at(k + 1, k - 1));
    }
    __syncthreads();
    const arr_rotation g = shared;
    const long long from = k == first ? k : k - 1;
    for (long long j = from + threadIdx.x; j < n; j += threads) {
      const T a = f.at(k, j), b = f.at(k + 1, j);
      f.at(k, j) = T(g.c) * a + g.s * b;
      f.at(k + 1, j) = j < k ? T(0) : T(g.c) * b - arr_adjoint(g.s) * a;
    }
    __syncthreads();
    const long long rows = (k + 2 < last ? k + 2 : last) + 1;
    for (long long r = threadIdx.x; r < rows + n; r += threads) {
      T* row = r < rows ? f.t + r : f.q + (r - rows);
      const T a = row[k * n], b = row[(k + 1) * n];
      row[k * n] = T(g.c) * a + arr_adjoint(g.s) * b;
      row[(k + 1) * n] = T(g.c) * b - g.s * a;
    }
    __syncthreads();
  }
}

// From a Hessenberg matrix to a triangle. Returns 0, or the number of rows left when it does not converge.
ARR_FN int arr_iterate(const arr_form& f) {
  __shared__ long long shared;
  long long left = 30 * (f.n > 10 ? f.n : 10), step = 0;
  for (long long last = f.n - 1; last > 0;) {
    if (threadIdx.x == 0) {
      long long first = last;
      while (first > 0 && !arr_negligible(f, first)) --first;
      if (first > 0) f.at(first, first - 1) = T(0);
      shared = first;
    }
    __syncthreads();
    const long long first = shared;
    __syncthreads();
    if (first == last) {
      --last;
      step = 0;
      continue;
    }
    if (left-- == 0) return (int)last + 1;
    arr_step(f, first, last, step++);
  }
  return 0;
}

extern "C" __global__ void __launch_bounds__(threads) arr_kernel(const __grid_constant__ arr_params p) {
  const long long n = (long long)p.w[n_word];
  for (long long batch = blockIdx.x; batch < (long long)p.w[count_word]; batch += gridDim.x) {
    const arr_form f = {n, (T*)p.w[t_word] + batch * n * n, (T*)p.w[q_word] + batch * n * n};
    // Scaled by a power of two, so that squares neither overflow nor vanish.
    const R largest = arr_over<true>(n * n, [&](long long i) { return arr_largest_part(f.t[i]); });
    const int exponent = largest > 0 ? arr_exponent(largest) : 0;
    for (long long i = threadIdx.x; i < n * n; i += threads) {
      f.t[i] = {arr_ldexp(f.t[i].re, -exponent), arr_ldexp(f.t[i].im, -exponent)};
      f.q[i] = T(i % n == i / n ? 1 : 0);
    }
    __syncthreads();
    for (long long k = 0; k + 2 < n; ++k) arr_reflect(f, k);
    const int info = arr_iterate(f);
    __syncthreads();
    for (long long i = threadIdx.x; i < n * n; i += threads) {
      f.t[i] = i % n > i / n ? T(0) : T{arr_ldexp(f.t[i].re, exponent), arr_ldexp(f.t[i].im, exponent)};
    }
    if (threadIdx.x == 0) ((int*)p.w[info_word])[batch] = info;
    __syncthreads();
  }
}
