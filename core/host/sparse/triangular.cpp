// SPDX-License-Identifier: MIT
// Triangular solves with sparse matrices, row after row: by the elements of each row, or of each column.
#include <complex>

#include "backend/sparse_factor.h"
#include "host/sparse/calls.h"
#include "host/sparse/element_types.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <bool conjugate, class T>
T value(T x) {
  if constexpr (conjugate && !std::is_floating_point_v<T>)
    return std::conj(x);
  else
    return x;
}

// The elements of a line below or above the diagonal, with the sum of those on it.
template <class T, class I>
struct Triangle {
  const I *pointers, *indices;
  const T* data;
  bool lower, unit;
};

// Complex products without the rules for inf and nan, which cost a call each.
template <class T>
void subtract_product(T* y, T a, T x) {
  if constexpr (std::is_floating_point_v<T>) {
    *y -= a * x;
  } else {
    *y -= T(a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real());
  }
}

// Divides by the diagonal. Returns false if it is 0.
template <class T>
bool divide(T* x, int64_t k, T diagonal) {
  if (diagonal == T(0)) return false;
  for (int64_t j = 0; j < k; ++j) x[j] /= diagonal;
  return true;
}

template <bool conjugate, class T, class I>
bool by_row(const Triangle<T, I>& a, int64_t i, int64_t k, T* x) {
  T* y = x + i * k;
  T diagonal = a.unit ? T(1) : T(0);
  if (k == 1) {
    T sum = *y;
    for (I p = a.pointers[i]; p < a.pointers[i + 1]; ++p) {
      const int64_t j = a.indices[p];
      const T v = value<conjugate>(a.data[p]);
      if (a.lower ? j < i : j > i)
        subtract_product(&sum, v, x[j]);
      else if (j == i && !a.unit)
        diagonal += v;
    }
    *y = sum;
  } else {
    for (I p = a.pointers[i]; p < a.pointers[i + 1]; ++p) {
      const int64_t j = a.indices[p];
      const T v = value<conjugate>(a.data[p]);
      if (a.lower ? j < i : j > i) {
        for (int64_t c = 0; c < k; ++c) subtract_product(y + c, v, x[j * k + c]);
      } else if (j == i && !a.unit) {
        diagonal += v;
      }
    }
  }
  return a.unit || divide(y, k, diagonal);
}

template <bool conjugate, class T, class I>
bool by_column(const Triangle<T, I>& a, int64_t i, int64_t k, T* x) {
  T* y = x + i * k;
  if (!a.unit) {
    T diagonal(0);
    for (I p = a.pointers[i]; p < a.pointers[i + 1]; ++p) {
      if (a.indices[p] == i) diagonal += value<conjugate>(a.data[p]);
    }
    if (!divide(y, k, diagonal)) return false;
  }
  for (I p = a.pointers[i]; p < a.pointers[i + 1]; ++p) {
    const int64_t j = a.indices[p];
    if (a.lower ? j <= i : j >= i) continue;
    const T v = value<conjugate>(a.data[p]);
    for (int64_t c = 0; c < k; ++c) subtract_product(x + j * k + c, v, y[c]);
  }
  return true;
}

template <bool conjugate, class T, class I>
void solve(const SparseTriangularCall& c) {
  const Triangle<T, I> a{static_cast<const I*>(c.pointers), static_cast<const I*>(c.indices),
                         static_cast<const T*>(c.data), c.lower, c.unit};
  T* x = static_cast<T*>(c.x);
  const auto step = c.scatters ? by_column<conjugate, T, I> : by_row<conjugate, T, I>;
  *c.failed = c.n;
  for (int64_t done = 0; done < c.n; ++done) {
    const int64_t i = c.lower ? done : c.n - 1 - done;
    if (step(a, i, c.columns, x)) continue;
    *c.failed = i;
    return;
  }
}

template <class T>
void of_type(const SparseTriangularCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    if constexpr (std::is_floating_point_v<T>)
      return solve<false, T, I>(c);
    else
      return c.conjugate ? solve<true, T, I>(c) : solve<false, T, I>(c);
  });
}

}  // namespace

void sparse_triangular(const SparseTriangularCall& c) {
  with_type(c.dtype, [&]<class T>(T) { of_type<T>(c); });
}

}  // namespace arr::host
