// SPDX-License-Identifier: MIT
// Look-ups in a whole vector; behind math.h, and in generated CUDA kernels only where a program has one.
#ifndef ARR_EXPR_LOOKUP_H
#define ARR_EXPR_LOOKUP_H

// A contiguous vector as an operand: the same for every element of a call.
struct arr_table {
  const void* data;
  long long length;  // 1 or more for arr_take
};

// Booleans are bytes: any but 0 is true.
template <class T>
ARR_FN T arr_table_at(arr_table x, long long i) {
  return ((const T*)x.data)[i];
}
template <>
ARR_FN bool arr_table_at<bool>(arr_table x, long long i) {
  return ((const unsigned char*)x.data)[i] != 0;
}

template <class T>
ARR_FN T arr_take(arr_table x, long long i) {
  i = i < x.length ? i : x.length - 1;
  return arr_table_at<T>(x, i > 0 ? i : 0);
}

// NumPy's order of sorting: nan behind everything else, complex numbers by their real parts first.
template <class T>
ARR_FN bool arr_sorts_before(T a, T b) {
  return (a < b) | (arr_isnan(b) & !arr_isnan(a));
}
template <class F>
ARR_FN bool arr_sorts_before(arr_cplx<F> a, arr_cplx<F> b) {
  // With parts x that are numbers: x + xj, then x + nan j, then nan + xj, then nan + nan j.
  if (a.re < b.re) return !arr_isnan(a.im) | arr_isnan(b.im);
  if (a.re > b.re) return arr_isnan(b.im) & !arr_isnan(a.im);
  if (arr_isnan(a.re) == arr_isnan(b.re)) return arr_sorts_before(a.im, b.im);
  return arr_isnan(b.re);
}

// Not y before x.
template <class T>
ARR_FN bool arr_sorts_upto(T x, T y) {
  return (x <= y) | arr_isnan(y);
}
template <class F>
ARR_FN bool arr_sorts_upto(arr_cplx<F> x, arr_cplx<F> y) {
  return !arr_sorts_before(y, x);
}

// The place of y in a sorted vector, in front of (or behind) elements equal to it. Without a branch on the
// comparison, and in as many steps whatever it gives: several searches then overlap in a processor.
template <class T, bool Behind>
ARR_FN bool arr_goes_behind(arr_table x, long long i, T y) {
  const T middle = arr_table_at<T>(x, i);
  return Behind ? arr_sorts_upto(middle, y) : arr_sorts_before(middle, y);
}
template <class T, bool Behind>
ARR_FN long long arr_search(arr_table x, T y) {
  long long first = 0, n = x.length;
  while (n > 1) {
    const long long half = n >> 1;
    first += half & -(long long)arr_goes_behind<T, Behind>(x, first + half - 1, y);
    n -= half;
  }
  return n == 0 ? 0 : first + (long long)arr_goes_behind<T, Behind>(x, first, y);
}

#endif
