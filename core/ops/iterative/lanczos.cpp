// SPDX-License-Identifier: MIT
// The Lanczos method with thick restarts. The host solves the small problem.
#include <algorithm>
#include <cmath>

#include "ops/iterative/krylov_basis.h"
#include "ops/linalg/decompositions.h"

namespace arr {

namespace {

// The order in which eigenvalues, ascending, are wanted.
std::vector<size_t> by_wish(const std::vector<double>& values, Wanted which) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto sort = [&](auto&& key) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t i, size_t j) { return key(values[i]) < key(values[j]); });
  };
  switch (which) {
    case Wanted::largest_magnitude:
      sort([](double x) { return -std::abs(x); });
      break;
    case Wanted::smallest_magnitude:
      sort([](double x) { return std::abs(x); });
      break;
    case Wanted::largest:
      sort([](double x) { return -x; });
      break;
    default:
      break;
    case Wanted::both_ends:
      for (size_t i = 0; i < order.size(); ++i) order[i] = i % 2 == 0 ? values.size() - 1 - i / 2 : i / 2;
      break;
  }
  return order;
}

class Lanczos : public KrylovBasis {
 public:
  Lanczos(const LinearOperator& a, const EigshOptions& o, Stream* s)
      : KrylovBasis(a, o, 0, s), options_(o), t_(static_cast<size_t>(m_), static_cast<size_t>(m_)) {}

  Eigenpairs solve() {
    const int64_t maxiter = options_.maxiter == 0 ? 10 * whole_ : options_.maxiter;
    const auto k = static_cast<size_t>(options_.k);
    int64_t from = 0;
    for (int64_t restart = 0;; ++restart) {
      const auto orthogonal = [&](const Array& w, int64_t j, bool first) {
        const bool reads = device.type == ARR_HOST && !first;
        return reads ? by_recurrence(w, j) : orthogonalize(*this, *rows(j + 1), w);
      };
      extend(from, orthogonal, [&](size_t j, const std::vector<Complex>& h, double) { fill(j, h); });
      const SmallEigen e = eigen(t_, !is_complex(dtype));
      std::vector<size_t> order = by_wish(e.values, options_.which);
      const auto size = static_cast<size_t>(m_);
      const double tol = options_.tol > 0 ? options_.tol : epsilon(real),
                   least = std::pow(epsilon(real), 2.0 / 3);
      // Errors are not seen below those of the operator's norm, to which the small problem is solved.
      const double floor =
          8 * epsilon(real) * std::max(std::abs(e.values.front()), std::abs(e.values.back()));
      size_t converged = 0;
      for (size_t i = 0; i < k; ++i) {
        const double theta = e.values[order[i]], error = beta_ * std::abs(e.vectors(size - 1, order[i]));
        if (error <= std::max(floor, tol * std::max(least, std::abs(theta)))) ++converged;
      }
      if (converged == k) return pairs(e, {order.begin(), order.begin() + options_.k});
      if (restart >= maxiter) {
        fail(ARR_E_LINALG, "after ", restart, " restarts ", converged, " of ", k,
             " eigenvalues have converged; more vectors (options: ncv) or restarts may help");
      }
      const size_t most = size - 1, half = (size - k) / 2;
      // One vector alone would converge slowly.
      const size_t kept = k + std::min(converged, half), at_first = size >= 6 ? size / 2 : 2;
      order.resize(std::min(most, kept == 1 ? at_first : kept));
      from = static_cast<int64_t>(order.size());
      keep(e, order);
    }
  }

 private:
  // orthogonalize() for the product with row j. In exact arithmetic it needs the last two rows only. One pass
  // over all rows corrects the rest, unless little is left; the host reads how much.
  [[nodiscard]] Orthogonal by_recurrence(const Array& w, int64_t j) const {
    const Ref<Array> last = slice_axis(*basis_, 0, j - 1, j + 1), all = rows(j + 1);
    const Ref<Array> local = projections(*this, *last, w), once = without(*this, w, *local, *last);
    const Ref<Array> h = projections(*this, *all, *once), end = slice_axis(*h, 0, j - 1, j + 1);
    Ref<Array> rest = without(*this, *once, *h, *all);
    add(*end, *local);
    if (read(*norm(*rest)) < 0.5 * read(*norm(*once))) {
      const Ref<Array> more = projections(*this, *all, *rest);
      rest = without(*this, *rest, *more, *all);
      add(*h, *more);
    }
    return {std::move(rest), h};
  }
  void add(const Array& to, const Array& x) const {
    update({&to}, {&to, &x},
           [](ProgramBuilder& b, const int32_t* in) { return std::array{plus(b, in[0], in[1])}; });
  }
  // The row and the column of the projected operator.
  void fill(size_t at, const std::vector<Complex>& h) {
    for (size_t i = 0; i < at; ++i) {
      t_(i, at) = h[i];
      t_(at, i) = std::conj(h[i]);
    }
    t_(at, at) = h[at].real();
  }

  // The vectors of columns of e, as rows.
  [[nodiscard]] Ref<Array> ritz(const SmallEigen& e, const std::vector<size_t>& columns) const {
    std::vector<Complex> y;
    for (const size_t c : columns) {
      for (size_t i = 0; i < e.vectors.rows; ++i) y.push_back(e.vectors(i, c));
    }
    return combination(*this, *write_all(*this, y, m_), *rows(m_));
  }
  // Begins anew with these vectors, and with the one that would have come next.
  void keep(const SmallEigen& e, const std::vector<size_t>& columns) {
    const Ref<Array> vectors = ritz(e, columns);
    const auto count = static_cast<int64_t>(columns.size());
    assign(*rows(count), *vectors, stream);
    assign(*row(count), *row(m_), stream);
    t_ = Matrix(t_.rows, t_.columns);
    for (size_t i = 0; i < columns.size(); ++i) t_(i, i) = e.values[columns[i]];
  }
  [[nodiscard]] Eigenpairs pairs(const SmallEigen& e, std::vector<size_t> columns) const {
    std::sort(columns.begin(), columns.end());
    std::vector<double> values;
    values.reserve(columns.size());
    for (const size_t c : columns) values.push_back(e.values[c]);
    const Ref<Array> w = as_type(*upload(values, DType::float64_, device, stream), real, stream);
    // Rounding errors of many restarts add up.
    return {w, tall_qr(*this, *move_axis(*ritz(e, columns), 1, 0))[0]};
  }

  const EigshOptions& options_;
  Matrix t_;
};

}  // namespace

Eigenpairs eigsh(const LinearOperator& a, const EigshOptions& options, Stream* stream) {
  return Lanczos(a, options, stream).solve();
}

}  // namespace arr
