// SPDX-License-Identifier: MIT
// Factors L D L' in blocks of columns, and solves with them.
#pragma once

#include <complex>
#include <memory>

#include "backend/sparse_cholesky.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/sparse/supernodes.h"

namespace arr::host {

template <class T>
struct CholeskyFactors final : SparseCholesky {
  using Real = decltype(std::real(T()));
  explicit CholeskyFactors(std::shared_ptr<const Supernodes> where)
      : blocks(std::move(where)),
        data(new T[static_cast<size_t>(blocks->data_begin.back())]),
        diagonal(static_cast<size_t>(blocks->n)) {
    for (int64_t s = 0; s < blocks->count(); ++s) {
      const int64_t w = blocks->width(s);
      nnz += w * (w + 1) / 2 + w * blocks->below(s);
    }
  }
  std::shared_ptr<const Supernodes> blocks;
  std::unique_ptr<T[]> data;   // of each block's columns; above the diagonal it has any values
  std::vector<Real> diagonal;  // D
};

// Complex products without the rules for inf and nan, which cost a call each.
template <class T>
inline void subtract_product(T* y, T a, T x) {
  if constexpr (std::is_floating_point_v<T>) {
    *y -= a * x;
  } else {
    *y -= T(a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real());
  }
}

template <bool on, class T>
T conjugate_if(T x) {
  if constexpr (on && !std::is_floating_point_v<T>)
    return std::conj(x);
  else
    return x;
}

// y -= a x for the first columns of a, which are ld elements apart.
template <class T>
void subtract_columns(int64_t rows, int64_t columns, const T* a, int64_t ld, const T* x, T* y) {
  int64_t j = 0;
  for (; j + 4 <= columns; j += 4, a += 4 * ld) {
    const T x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
    for (int64_t i = 0; i < rows; ++i) {
      T sum = y[i];
      subtract_product(&sum, a[i], x0);
      subtract_product(&sum, a[i + ld], x1);
      subtract_product(&sum, a[i + 2 * ld], x2);
      subtract_product(&sum, a[i + 3 * ld], x3);
      y[i] = sum;
    }
  }
  for (; j < columns; ++j, a += ld) {
    for (int64_t i = 0; i < rows; ++i) subtract_product(y + i, a[i], x[j]);
  }
}

// The sum of -conj(a[i]) x[i], in several partial sums, because each addition waits for the one before.
template <class T>
T negative_dot(int64_t n, const T* a, const T* x) {
  constexpr int64_t lanes = 8;
  T sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (int64_t k = 0; k < lanes; ++k) subtract_product(sums + k, conjugate_if<true>(a[i + k]), x[i + k]);
  }
  T sum(0);
  for (; i < n; ++i) subtract_product(&sum, conjugate_if<true>(a[i]), x[i]);
  for (const T& part : sums) sum += part;
  return sum;
}

// Solves for K columns at a time, which lie beside each other in y, row by row.
template <int K, class T>
class BlockSolve {
 public:
  BlockSolve(const CholeskyFactors<T>& f, T* y) : f_(f), s_(*f.blocks), y_(y) {}
  void run() {
    for (int64_t s = 0; s < s_.count(); ++s) forward(s);
    for (int64_t i = 0; i < s_.n; ++i) {
      for (int c = 0; c < K; ++c) y_[i * K + c] /= f_.diagonal[static_cast<size_t>(i)];
    }
    for (int64_t s = s_.count(); s-- > 0;) backward(s);
  }

 private:
  using Sums = T[static_cast<size_t>(K)];
  struct Block {
    int64_t w, m;
    const T* l;
    T* own;  // the rows of the block's columns
    const int32_t* rows;
  };
  [[nodiscard]] Block block(int64_t s) const {
    const auto at = static_cast<size_t>(s);
    return {s_.width(s), s_.width(s) + s_.below(s), f_.data.get() + s_.data_begin[at],
            y_ + int64_t{s_.first[at]} * K, s_.rows.data() + s_.row_begin[at]};
  }
  static void subtract(T* y, T l, const T* x) {
    for (int c = 0; c < K; ++c) subtract_product(y + c, l, x[c]);
  }
  void forward(int64_t s) {
    const Block b = block(s);
    for (int64_t j = 0; j < b.w; ++j) {
      for (int64_t i = j + 1; i < b.w; ++i) subtract(b.own + i * K, b.l[i + j * b.m], b.own + j * K);
    }
    if constexpr (K == 1) {
      gather(b);
      subtract_columns(b.m - b.w, b.w, b.l + b.w, b.m, b.own, below_.data());
      for (int64_t i = 0; i < b.m - b.w; ++i) y_[b.rows[i]] = below_[static_cast<size_t>(i)];
      return;
    }
    constexpr int64_t some = 64;  // columns whose elements of a row are in the nearest cache
    for (int64_t first = 0; first < b.w; first += some) {
      const T* below = b.l + b.w + first * b.m;
      const int64_t columns = std::min(some, b.w - first);
      for (int64_t i = 0; i < b.m - b.w; ++i) {
        T* y = y_ + int64_t{b.rows[i]} * K;
        Sums sum;
        for (int c = 0; c < K; ++c) sum[c] = y[c];
        for (int64_t j = 0; j < columns; ++j) subtract(sum, below[i + j * b.m], b.own + (first + j) * K);
        for (int c = 0; c < K; ++c) y[c] = sum[c];
      }
    }
  }
  void backward(int64_t s) {
    const Block b = block(s);
    if constexpr (K == 1) gather(b);
    for (int64_t j = b.w; j-- > 0;) {
      const T* l = b.l + j * b.m;
      if constexpr (K == 1) {
        b.own[j] += negative_dot(b.m - b.w, l + b.w, below_.data()) +
                    negative_dot(b.w - j - 1, l + j + 1, b.own + j + 1);
        continue;
      }
      Sums sum;
      for (int c = 0; c < K; ++c) sum[c] = b.own[j * K + c];
      for (int64_t i = 0; i < b.m - b.w; ++i) {
        subtract(sum, conjugate_if<true>(l[b.w + i]), y_ + int64_t{b.rows[i]} * K);
      }
      for (int64_t i = j + 1; i < b.w; ++i) subtract(sum, conjugate_if<true>(l[i]), b.own + i * K);
      for (int c = 0; c < K; ++c) b.own[j * K + c] = sum[c];
    }
  }
  void gather(const Block& b) {
    below_.resize(static_cast<size_t>(b.m - b.w));
    for (int64_t i = 0; i < b.m - b.w; ++i) below_[static_cast<size_t>(i)] = y_[b.rows[i]];
  }

  const CholeskyFactors<T>& f_;
  const Supernodes& s_;
  T* y_;
  std::vector<T> below_;  // of one column, the rows below a block
};

template <int K, class T>
void solve_some(const CholeskyFactors<T>& f, int64_t columns, int64_t first, int64_t count, bool conjugate,
                T* x) {
  const Supernodes& s = *f.blocks;
  const PoolBlock memory(checked::mul(s.n, static_cast<int64_t>(K * sizeof(T)), "a workspace"));
  T* y = reinterpret_cast<T*>(memory.data());
  const auto each = [&](const auto& use) {
    for (int64_t i = 0; i < s.n; ++i) {
      T* row = x + int64_t{s.order[static_cast<size_t>(i)]} * columns + first;
      for (int64_t c = 0; c < count; ++c) use(row[c], y[i * K + c]);
    }
  };
  std::fill(y, y + s.n * K, T(0));
  const auto turn = [conjugate](T v) { return conjugate ? conjugate_if<true>(v) : v; };
  each([&](const T& of_x, T& of_y) { of_y = turn(of_x); });
  BlockSolve<K, T>(f, y).run();
  each([&](T& of_x, const T& of_y) { of_x = turn(of_y); });
}

template <class T>
void solve_columns(const CholeskyFactors<T>& f, int64_t columns, bool conjugate, T* x) {
  if (columns == 1) return solve_some<1>(f, 1, 0, 1, conjugate, x);
  if (columns <= 4) return solve_some<4>(f, columns, 0, columns, conjugate, x);
  constexpr int64_t each = 8;
  parallel_ranges((columns + each - 1) / each, 1, [&](int64_t first, int64_t last) {
    for (; first < last; ++first) {
      const int64_t begin = first * each;
      solve_some<each>(f, columns, begin, std::min(each, columns - begin), conjugate, x);
    }
  });
}

}  // namespace arr::host
