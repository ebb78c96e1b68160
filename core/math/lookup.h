// SPDX-License-Identifier: MIT
// Look-ups in a whole vector or in memory. It comes after math.h, in generated CUDA kernels only where a
// program has one.
#ifndef ARR_MATH_LOOKUP_H
#define ARR_MATH_LOOKUP_H

// A contiguous vector as an operand: the same for every element of a call. Of arr_load_at: where the element
// would be for the offset 0; of the indices: a word for faults, or null, and the extent, 1 or more.
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

template <class T>
ARR_FN T arr_load_at(arr_table x, long long offset) {
  return *(const T*)((const char*)x.data + offset);
}
template <>
ARR_FN bool arr_load_at<bool>(arr_table x, long long offset) {
  return *((const unsigned char*)x.data + offset) != 0;
}

// Records an index out of range: the word keeps the largest, as unsigned bits. No such index is 0.
ARR_FN void arr_note_fault(arr_table x, unsigned long long index) {
  if (x.data == nullptr) return;
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
  atomicMax((unsigned long long*)x.data, index);
#else
  auto* word = (unsigned long long*)x.data;
  unsigned long long seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (seen < index &&
         !__atomic_compare_exchange_n(word, &seen, index, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

// The position of an index; negative indices of signed types count from the end. It is in range exactly if 0
// <= position < extent. No extent is near 2^62, so nothing overflows.
template <class T>
ARR_FN long long arr_index_from_end(long long extent, T y) {
  const long long i = (long long)y;
  return (T)-1 < (T)0 ? i + (extent & (i >> 63)) : i;
}
// The index of such a position.
template <class T>
ARR_FN unsigned long long arr_index_of(long long extent, long long position) {
  return (unsigned long long)((T)-1 < (T)0 && position < 0 ? position - extent : position);
}
template <class T>
ARR_FN long long arr_index_check(arr_table x, T y) {
  const long long i = arr_index_from_end<T>(x.length, y);
  if (i >= 0 && i < x.length) return i;
  arr_note_fault(x, arr_index_of<T>(x.length, i));
  return i < 0 ? 0 : x.length - 1;
}
// The position of an index that counts from 1, and the element there.
template <class T>
ARR_FN long long arr_index_less_one(T y) {
  return (long long)((unsigned long long)y - 1);
}
template <class T>
ARR_FN long long arr_index_from_one(arr_table x, T y) {
  const long long i = arr_index_less_one<T>(y);
  if (i >= 0 && i < x.length) return i;
  arr_note_fault(x, (unsigned long long)i);
  return i < 0 ? 0 : x.length - 1;
}
template <class T>
ARR_FN long long arr_index_wrap(arr_table x, T y) {
  if ((unsigned long long)y < (unsigned long long)x.length) return (long long)y;  // a division takes long
  if ((T)-1 < (T)0) {
    const long long r = (long long)y % x.length;
    return r < 0 ? r + x.length : r;
  }
  return (long long)((unsigned long long)y % (unsigned long long)x.length);
}
template <class T>
ARR_FN long long arr_index_clip(arr_table x, T y) {
  const long long last = x.length - 1;
  if ((T)-1 < (T)0) {
    const long long i = (long long)y < last ? (long long)y : last;
    return i > 0 ? i : 0;
  }
  return (unsigned long long)y < (unsigned long long)last ? (long long)y : last;
}

// NumPy's order of sorting: nan after every number, complex numbers by their real parts first.
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

// One step of a binary search for the position of y in a sorted vector, before (or after) equal elements. Of
// the positions first .. first + n, with n = 2 half or 2 half - 1, it keeps those from first on or those from
// first + half on. There is no branch on the comparison, and every y takes the same number of steps, so
// several searches run concurrently.
template <class T, bool Right>
ARR_FN long long arr_search_step(arr_table x, T y, long long first, long long half) {
  const T middle = arr_table_at<T>(x, first + half - 1);
  const bool go = Right ? arr_sorts_upto(middle, y) : arr_sorts_before(middle, y);
  return first + (half & -(long long)go);
}
template <class T, bool Right>
ARR_FN long long arr_search(arr_table x, T y) {
  long long first = 0;
  for (long long n = x.length, half; n > 0; n -= half) {
    half = (n + 1) >> 1;
    first = arr_search_step<T, Right>(x, y, first, half);
  }
  return first;
}

#endif
