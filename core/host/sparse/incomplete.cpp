// SPDX-License-Identifier: MIT
// Incomplete factors without fill: of each row the multiples of earlier rows are subtracted where the row has
// an element (Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, 10.3).
#include <complex>
#include <vector>

#include "backend/sparse_factor.h"
#include "host/sparse/calls.h"
#include "host/sparse/element_types.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <class T>
T product(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// The row that cannot be factored, or n.
template <class T, class I>
int64_t lu(int64_t n, const I* pointers, const I* indices, T* data) {
  std::vector<int64_t> at(static_cast<size_t>(n), -1);        // where the row has each column
  std::vector<int64_t> diagonal(static_cast<size_t>(n), -1);  // of the rows before
  for (int64_t i = 0; i < n; ++i) {
    const int64_t first = pointers[i], last = pointers[i + 1];
    for (int64_t p = first; p < last; ++p) at[static_cast<size_t>(indices[p])] = p;
    for (int64_t p = first; p < last && indices[p] < i; ++p) {
      const int64_t k = indices[p], d = diagonal[static_cast<size_t>(k)];
      const T factor = data[p] / data[d];
      data[p] = factor;
      for (int64_t q = d + 1; q < pointers[k + 1]; ++q) {
        const int64_t to = at[static_cast<size_t>(indices[q])];
        if (to >= 0) data[to] -= product(factor, data[q]);
      }
    }
    const int64_t d = at[static_cast<size_t>(i)];
    for (int64_t p = first; p < last; ++p) at[static_cast<size_t>(indices[p])] = -1;
    if (d < 0 || data[d] == T(0)) return i;
    diagonal[static_cast<size_t>(i)] = d;
  }
  return n;
}

// The sum of a[p] * conj(a[q]) over the columns before `end` that two rows share.
template <class T, class I>
T common(const I* indices, const T* data, int64_t p, int64_t p_end, int64_t q, int64_t q_end, int64_t end) {
  T sum(0);
  while (p < p_end && q < q_end && indices[p] < end && indices[q] < end) {
    if (indices[p] == indices[q]) {
      if constexpr (std::is_floating_point_v<T>)
        sum += data[p] * data[q];
      else
        sum += product(data[p], std::conj(data[q]));
      ++p;
      ++q;
    } else {
      indices[p] < indices[q] ? ++p : ++q;
    }
  }
  return sum;
}

template <class T, class I>
int64_t cholesky(int64_t n, const I* pointers, const I* indices, T* data) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t first = pointers[i], last = pointers[i + 1];
    if (first == last || indices[last - 1] != i) return i;
    for (int64_t p = first; p < last; ++p) {
      const int64_t k = indices[p];
      const T rest = data[p] - common(indices, data, first, p, int64_t{pointers[k]},
                                      int64_t{pointers[k + 1]} - (k == i ? 0 : 1), k);
      if (k < i) {
        data[p] = rest / data[pointers[k + 1] - 1];
      } else if (std::real(rest) > 0) {
        data[p] = std::sqrt(std::real(rest));
      } else {
        return i;
      }
    }
  }
  return n;
}

template <class T>
void of_type(const SparseIncompleteCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    const auto factorize = c.cholesky ? cholesky<T, I> : lu<T, I>;
    *c.failed = factorize(c.n, static_cast<const I*>(c.pointers), static_cast<const I*>(c.indices),
                          static_cast<T*>(c.data));
  });
}

}  // namespace

void sparse_incomplete(const SparseIncompleteCall& c) {
  with_type(c.dtype, [&]<class T>(T) { of_type<T>(c); });
}

}  // namespace arr::host
