// SPDX-License-Identifier: MIT
// An estimate of the 1-norm by products with few vectors (N. J. Higham, F. Tisseur, A block algorithm for
// matrix 1-norm estimation, with an application to 1-norm pseudospectra, SIAM J. Matrix Anal. Appl. 21,
// 2000). Vectors are chosen on the host, which reads each product.
#include <algorithm>
#include <cmath>
#include <random>

#include "ops/iterative/basis.h"
#include "ops/iterative/operator_functions.h"

namespace arr {

namespace {

class Estimator : public Vectors {
 public:
  Estimator(const LinearOperator& a, int64_t t, Stream* s)
      : Vectors(solver_type(a.dtype), a.device, s),
        a_(a.in_type(dtype, s)),
        n_(static_cast<size_t>(a.extents.rows)),
        t_(std::min(static_cast<size_t>(t), n_)) {}

  NormEstimate run(int64_t itmax) {
    if (n_ == 0) return {0, zeros(0), zeros(0)};
    if (t_ == n_) return exact();
    std::vector<Complex> x(n_ * t_, Complex(1.0 / static_cast<double>(n_)));
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 1; j < t_; ++j) x[i * t_ + j] *= sign();
    }
    std::vector<size_t> chosen;  // the unit vectors in x
    std::vector<bool> tried(n_);
    std::vector<Complex> signs;
    for (int64_t k = 1;; ++k) {
      const std::vector<Complex> y = times(plain_mode, x);
      const size_t at = largest_column(y);
      const double norm = column_norm(y, at);
      // The first x has no unit vectors: w may be its product, and v one of its columns.
      if (k == 1 || norm > best_.norm)
        take(x, y, at, norm);
      else
        break;
      if (k > itmax) break;
      std::vector<Complex> s = signs_of(y);
      if (!is_complex(dtype) && !fresh(&s, signs)) break;
      signs = s;
      const std::vector<Complex> z = times(adjoint_mode, s);
      std::vector<double> h(n_);
      for (size_t i = 0; i < n_; ++i) {
        for (size_t j = 0; j < t_; ++j) h[i] = std::max(h[i], std::abs(z[i * t_ + j]));
      }
      if (!chosen.empty() && h[chosen[at]] >= *std::max_element(h.begin(), h.end())) break;
      if (!choose(h, tried, &chosen)) break;
      std::fill(x.begin(), x.end(), Complex(0));
      for (size_t j = 0; j < t_; ++j) {
        x[chosen[j] * t_ + j] = 1;
        tried[chosen[j]] = true;
      }
    }
    return {best_.norm, write_all(*this, v_), write_all(*this, w_)};
  }

 private:
  double sign() { return (random_() & 1) != 0 ? 1 : -1; }
  std::vector<Complex> times(const Mode& mode, const std::vector<Complex>& x) const {
    const Ref<Array> given = write_all(*this, x, static_cast<int64_t>(x.size() / n_));
    return read_all(*a_->times(mode, *given, stream), stream);
  }
  // The norm of the whole matrix, by its products with all unit vectors.
  NormEstimate exact() {
    std::vector<Complex> x(n_ * n_);
    for (size_t i = 0; i < n_; ++i) x[i * n_ + i] = 1;
    const std::vector<Complex> y = times(plain_mode, x);
    const size_t at = largest_column(y);
    take(x, y, at, column_norm(y, at));
    return {best_.norm, write_all(*this, v_), write_all(*this, w_)};
  }
  [[nodiscard]] double column_norm(const std::vector<Complex>& y, size_t j) const {
    double sum = 0;
    for (size_t i = 0; i < n_; ++i) sum += std::abs(y[i * t_ + j]);
    return sum;
  }
  [[nodiscard]] size_t largest_column(const std::vector<Complex>& y) const {
    size_t best = 0;
    for (size_t j = 1; j < t_; ++j) {
      if (column_norm(y, j) > column_norm(y, best)) best = j;
    }
    return best;
  }
  void take(const std::vector<Complex>& x, const std::vector<Complex>& y, size_t j, double norm) {
    best_.norm = norm;
    v_.resize(n_);
    w_.resize(n_);
    for (size_t i = 0; i < n_; ++i) {
      v_[i] = x[i * t_ + j];
      w_[i] = y[i * t_ + j];
    }
  }
  static std::vector<Complex> signs_of(const std::vector<Complex>& y) {
    std::vector<Complex> out(y.size(), Complex(1));
    for (size_t i = 0; i < y.size(); ++i) {
      if (const double size = std::abs(y[i]); size != 0) out[i] = y[i] / size;
    }
    return out;
  }
  // True if columns of signs are the same or opposite.
  [[nodiscard]] bool parallel(const std::vector<Complex>& a, size_t i, const std::vector<Complex>& b,
                              size_t j) const {
    double sum = 0;
    for (size_t k = 0; k < n_; ++k) sum += a[k * t_ + i].real() * b[k * t_ + j].real();
    return std::abs(sum) == static_cast<double>(n_);
  }
  // Replaces columns that would say nothing new by random ones. Returns false if that were all.
  bool fresh(std::vector<Complex>* s, const std::vector<Complex>& before) {
    size_t known = 0;
    for (size_t j = 0; j < t_; ++j) known += was(*s, j, before) ? size_t{1} : 0;
    if (known == t_) return false;
    constexpr int most = 16;  // few elements have few signs
    for (size_t j = 0; j < t_ && t_ > 1; ++j) {
      for (int tries = 0; tries < most && (was(*s, j, before) || earlier(*s, j)); ++tries) {
        for (size_t i = 0; i < n_; ++i) (*s)[i * t_ + j] = sign();
      }
    }
    return true;
  }
  [[nodiscard]] bool was(const std::vector<Complex>& s, size_t j, const std::vector<Complex>& before) const {
    for (size_t k = 0; k < t_ && !before.empty(); ++k) {
      if (parallel(s, j, before, k)) return true;
    }
    return false;
  }
  [[nodiscard]] bool earlier(const std::vector<Complex>& s, size_t j) const {
    for (size_t k = 0; k < j; ++k) {
      if (parallel(s, j, s, k)) return true;
    }
    return false;
  }
  // The t unit vectors of the largest h, new ones before others. Returns false if none of the largest is new.
  bool choose(const std::vector<double>& h, const std::vector<bool>& tried,
              std::vector<size_t>* chosen) const {
    std::vector<size_t> order(n_);
    for (size_t i = 0; i < n_; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return h[i] > h[j]; });
    if (std::all_of(order.begin(), order.begin() + static_cast<int64_t>(t_),
                    [&](size_t i) { return tried[i]; })) {
      return false;
    }
    std::stable_partition(order.begin(), order.end(), [&](size_t i) { return !tried[i]; });
    chosen->assign(order.begin(), order.begin() + static_cast<int64_t>(t_));
    return true;
  }

  Ref<LinearOperator> a_;
  size_t n_, t_;
  struct {
    double norm = 0;
  } best_;
  std::vector<Complex> v_, w_;
  std::mt19937_64 random_;
};

}  // namespace

NormEstimate onenormest(const LinearOperator& a, int64_t t, int64_t itmax, Stream* stream) {
  check_square(a, "a");
  check_undivided(a, "a");
  if (t < 1) fail(ARR_E_ARGUMENT, "argument t: ", t, ", expected 1 or more");
  if (itmax < 2) fail(ARR_E_ARGUMENT, "argument itmax: ", itmax, ", expected 2 or more");
  if (!a.has_adjoint())
    fail(ARR_E_UNSUPPORTED, "argument a: the operator has no function rmatvec, hence no adjoint");
  return Estimator(a, t, stream).run(itmax);
}

}  // namespace arr
