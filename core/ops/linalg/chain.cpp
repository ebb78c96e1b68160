// SPDX-License-Identifier: MIT
// Products of several matrices: powers, and chains in the order of least cost.
#include <limits>

#include "ops/linalg/matmul.h"
#include "ops/linalg/products.h"
#include "ops/linalg/solvers.h"

namespace arr {

namespace {

// Identity matrices of that shape.
Ref<Array> identity_like(const Array& a, Stream* stream) {
  const int64_t n = a.layout.shape[a.layout.ndim - 1];
  const Ref<Array> one = eye(n, n, 0, a.dtype, Order::C, a.device(), stream);
  return copy(*one->view(broadcast_to(one->layout, a.layout.dims())), Order::C, stream);
}

// Finds the best split of the chain of matrices i .. j for every i < j, by dynamic programming over lengths
// (Godbole 1973; Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 15.2).
class Chain {
 public:
  explicit Chain(const std::vector<double>& extents)
      : n_(extents.size() - 1), cost_(n_ * n_), split_(n_ * n_) {
    for (size_t length = 1; length < n_; ++length) {
      for (size_t i = 0; i + length < n_; ++i) {
        const size_t j = i + length;
        double min_cost = std::numeric_limits<double>::infinity();
        for (size_t k = i; k < j; ++k) {
          const double cost =
              cost_[at(i, k)] + cost_[at(k + 1, j)] + extents[i] * extents[k + 1] * extents[j + 1];
          if (cost >= min_cost) continue;
          min_cost = cost;
          split_[at(i, j)] = k;
        }
        cost_[at(i, j)] = min_cost;
      }
    }
  }
  Ref<Array> multiply(std::span<const Ref<Array>> arrays, size_t i, size_t j, Stream* stream) const {
    if (i == j) return arrays[i];
    const size_t k = split_[at(i, j)];
    return matmul(*multiply(arrays, i, k, stream), *multiply(arrays, k + 1, j, stream), stream);
  }

 private:
  [[nodiscard]] size_t at(size_t i, size_t j) const { return i * n_ + j; }
  size_t n_;
  std::vector<double> cost_;
  std::vector<size_t> split_;
};

}  // namespace

Ref<Array> matrix_power(const Array& a, int64_t n, Stream* stream) {
  check_square(a, "a");
  if (n == 0) return identity_like(a, stream);
  Ref<Array> power = n < 0 ? inverse(a, OnFailure::error, stream) : a.share(), result;
  uint64_t left = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (left == 1) return n < 0 ? power : copy(a, Order::K, stream);
  for (;; left >>= 1) {
    if ((left & 1) != 0) result = result ? matmul(*result, *power, stream) : power;
    if (left == 1) return result;
    power = matmul(*power, *power, stream);
  }
}

Ref<Array> multi_dot(std::span<const Array* const> arrays, Stream* stream) {
  const size_t n = arrays.size();
  if (n < 2) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected two arrays or more");
  std::vector<Ref<Array>> matrices;
  for (size_t i = 0; i < n; ++i) {
    const Array& a = *arrays[i];
    const bool end = i == 0 || i + 1 == n;
    if (a.layout.ndim == 2) {
      matrices.push_back(a.share());
      continue;
    }
    if (a.layout.ndim != 1 || !end) {
      fail(ARR_E_SHAPE, "argument arrays: shape ", a.layout.text(), " of number ", i, ", expected ",
           end ? "a vector or a matrix" : "a matrix");
    }
    const int32_t axis = i == 0 ? 0 : 1;
    matrices.push_back(a.view(expand_dims(a.layout, {&axis, 1}, a.item())));
  }
  std::vector<double> extents;
  for (size_t i = 0; i < n; ++i) {
    const Layout& l = matrices[i]->layout;
    extents.push_back(static_cast<double>(l.shape[0]));
    if (i > 0 && l.shape[0] != matrices[i - 1]->layout.shape[1]) {
      fail(ARR_E_SHAPE, "argument arrays: shape ", arrays[i]->layout.text(), " of number ", i,
           " does not multiply with ", arrays[i - 1]->layout.text());
    }
  }
  extents.push_back(static_cast<double>(matrices.back()->layout.shape[1]));
  Ref<Array> out = Chain(extents).multiply(matrices, 0, n - 1, stream);
  std::vector<int32_t> gone;
  if (arrays[0]->layout.ndim == 1) gone.push_back(0);
  if (arrays[n - 1]->layout.ndim == 1) gone.push_back(1);
  return gone.empty() ? out : out->view(squeeze(out->layout, gone, false));
}

}  // namespace arr
