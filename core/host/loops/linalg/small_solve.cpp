// SPDX-License-Identifier: MIT
// Gaussian elimination of small systems, one in each lane: Golub and Van Loan, Matrix Computations,
// algorithm 3.4.1; one system per lane as in Dongarra et al., "The design and performance of batched BLAS on
// modern high-performance computing systems", Procedia Computer Science 108 (2017), 495-504.
#include "host/loops/linalg/small_matrices.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host {
ARR_SMALL_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

template <class T>
constexpr int64_t lanes = small_lanes<T>;
// One number of each system.
template <class T>
struct OfLanes {
  typedef T type __attribute__((vector_size(64)));
};
template <class T>
using Lanes = typename OfLanes<T>::type;

template <class T>
T* first_lane(Lanes<T>* x) {
  return reinterpret_cast<T*>(x);
}

// In each lane, exchanges row k with the row at or below it with the largest element in column k, the first
// of equal ones. Exchanges the elements from `from` on.
template <class T>
void swap_pivot_rows(int64_t n, int64_t k, int64_t width, int64_t from, Lanes<T>* a, int32_t* pivots) {
  const Lanes<T> zero{};
  Lanes<T> max_abs = a[k * width + k],
           where = zero + static_cast<T>(k);  // a T, to be chosen by the same mask
  max_abs = max_abs < zero ? -max_abs : max_abs;
  for (int64_t i = k + 1; i < n; ++i) {
    const Lanes<T> x = a[i * width + k], size = x < zero ? -x : x;
    where = size > max_abs ? zero + static_cast<T>(i) : where;
    max_abs = size > max_abs ? size : max_abs;
  }
  T *top = first_lane<T>(a + k * width + from), *end = first_lane<T>(a + (k + 1) * width);
  for (int64_t l = 0; l < lanes<T>; ++l) {
    const auto row = static_cast<int64_t>(where[l]);
    pivots[l] = static_cast<int32_t>(row + 1);
    if (row == k) continue;
    T* other = first_lane<T>(a + row * width + from) + l;
    for (T* x = top + l; x < end; x += lanes<T>, other += lanes<T>) {
      const T kept = *x;
      *x = *other;
      *other = kept;
    }
  }
}

// Multiplies by the reciprocal if that is finite in all lanes; the reciprocal of a subnormal number may be
// infinite.
template <class T>
class Divisor {
 public:
  // If the pivot is 0, the column below it is 0 as well and stays 0.
  explicit Divisor(const Lanes<T>& pivot) : number_(pivot == Lanes<T>{} ? Lanes<T>{} + T(1) : pivot) {
    inverse_ = T(1) / number_;
    for (int64_t l = 0; l < lanes<T>; ++l) whole_ = whole_ && inverse_[l] - inverse_[l] == 0;
  }
  void divide(Lanes<T>* x) const { *x = whole_ ? *x * inverse_ : *x / number_; }

 private:
  Lanes<T> number_, inverse_;
  bool whole_ = true;
};

// row -= factor * pivot for the elements first .. end - 1.
template <class T>
void subtract_multiple(const Lanes<T>& factor, const Lanes<T>* pivot, Lanes<T>* row, int64_t first,
                       int64_t end) {
  const Lanes<T> f = factor;
  for (int64_t j = first; j < end; ++j) row[j] -= f * pivot[j];
}

template <class T>
void substitute(int64_t n, int64_t width, Lanes<T>* a) {
  for (int64_t k = n - 1; k >= 0; --k) {
    Lanes<T>* row = a + k * width;
    for (int64_t j = n; j < width; ++j) row[j] /= row[k];
    for (int64_t i = 0; i < k; ++i) subtract_multiple<T>(a[i * width + k], row, a + i * width, n, width);
  }
}

template <class T>
void eliminate(int64_t n, int64_t columns, T* memory, int32_t* pivots, int32_t* info) {
  auto* a = reinterpret_cast<Lanes<T>*>(memory);
  const int64_t width = n + columns;
  for (int64_t l = 0; l < lanes<T>; ++l) info[l] = 0;
  for (int64_t k = 0; k < n; ++k) {
    swap_pivot_rows<T>(n, k, width, columns == 0 ? 0 : k, a, pivots + k * lanes<T>);
    const Lanes<T>* row = a + k * width;
    for (int64_t l = 0; l < lanes<T>; ++l) {
      if (row[k][l] == 0 && info[l] == 0) info[l] = static_cast<int32_t>(k + 1);
    }
    const Divisor<T> divisor(row[k]);
    for (int64_t i = k + 1; i < n; ++i) {
      Lanes<T>* below = a + i * width;
      divisor.divide(below + k);
      subtract_multiple<T>(below[k], row, below, k + 1, width);
    }
  }
  if (columns != 0) substitute<T>(n, width, a);
}

}  // namespace

void fill_small_solve(SmallTable& t) {
  t.float32.eliminate = eliminate<float>;
  t.float64.eliminate = eliminate<double>;
}

}  // namespace arr::host::ARR_LEVEL
