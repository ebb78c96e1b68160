// SPDX-License-Identifier: MIT
// Arnoldi's method with implicit restarts: the host solves the small problem, and filters unwanted values out
// of the basis by steps of the QR algorithm, in pairs of a real operator's conjugated ones, so that its basis
// is real.
#include <algorithm>
#include <numeric>

#include "expr/op_numbers.h"
#include "ops/iterative/krylov_basis.h"
#include "ops/linalg/decompositions.h"

namespace arr {

namespace {

using Permutation = std::vector<size_t>;

// The wanted values have the least keys. The imaginary parts of a real operator have both signs, so
// magnitudes count.
double key_of(Complex z, Wanted which, bool real) {
  const double imaginary = real ? std::abs(z.imag()) : z.imag();
  switch (which) {
    case Wanted::largest_magnitude:
      return -std::abs(z);
    case Wanted::smallest_magnitude:
      return std::abs(z);
    case Wanted::largest_real:
      return -z.real();
    case Wanted::smallest_real:
      return z.real();
    case Wanted::largest_imaginary:
      return -imaginary;
    default:
      return imaginary;
  }
}

template <class Key>
Permutation sorted(Permutation order, Key&& key) {
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return key(i) < key(j); });
  return order;
}

// Eigenvalues of a Hessenberg matrix, pairs of a real one side by side with the positive imaginary part
// first, and eigenvectors in columns.
struct Spectrum {
  std::vector<Complex> values;
  Matrix vectors;
};
Spectrum spectrum(const Matrix& h, bool real) {
  const Vectors host(real ? DType::float64_ : DType::complex128_, Device{}, nullptr);
  const Eigen e =
      eig(*write_all(host, h.elements, static_cast<int64_t>(h.columns)), true, OnFailure::error, nullptr);
  Spectrum out{read_all(*e.values, nullptr), Matrix(h.rows, h.columns)};
  out.vectors.elements = read_all(*e.vectors, nullptr);
  return out;
}

double norm_of(const Matrix& h) {
  double sum = 0;
  for (const Complex& z : h.elements) sum = std::hypot(sum, std::abs(z));
  return sum;
}

// h = q' h q, and the q of all steps.
struct Filtered {
  Matrix h, q;

  explicit Filtered(const Matrix& from) : h(from), q(from.rows, from.rows) {
    for (size_t i = 0; i < q.rows; ++i) q(i, i) = 1;
  }
  // A QR step with the shift z, or with z and its conjugate, in each block that subdiagonal zeros leave.
  void step(Complex z, bool pair) {
    for (size_t begin = 0, end = 0; begin < h.rows; begin = end + 1) {
      for (end = begin; end + 1 < h.rows && couples(end); ++end) {
      }
      if (begin < end) chase(begin, end, z, pair);
    }
  }

 private:
  // Returns false after the subdiagonal element has become 0, which it nearly was.
  bool couples(size_t i) {
    const double beside = std::abs(h(i, i)) + std::abs(h(i + 1, i + 1));
    if (std::abs(h(i + 1, i)) > epsilon(DType::float64_) * beside) return true;
    h(i + 1, i) = 0;
    return false;
  }
  void chase(size_t begin, size_t end, Complex z, bool pair) {
    const Complex a = h(begin, begin), below = h(begin + 1, begin);
    std::array<Complex, 3> u{a - z, below, 0};
    if (pair) {
      u = {(a * (a - 2 * z.real()) + std::norm(z)) / below + h(begin, begin + 1),
           a + h(begin + 1, begin + 1) - 2 * z.real(), begin + 2 <= end ? h(begin + 2, begin + 1) : 0};
    }
    const size_t width = pair ? 3 : 2;
    for (size_t i = begin; i < end; ++i) {
      const size_t count = std::min(width, end - i + 1);
      if (i > begin) {
        for (size_t r = 0; r < count; ++r) u.at(r) = h(i + r, i - 1);
      }
      reflect(i, count, u, std::min(i + width, end), i > begin ? i - 1 : i);
      for (size_t r = 1; i > begin && r < count; ++r) h(i + r, i - 1) = 0;
    }
  }
  // The reflection that maps u to a multiple of the first unit vector, on rows of h from a column on, on
  // columns of h up to a row, and of q.
  void reflect(size_t at, size_t count, std::array<Complex, 3> u, size_t last_row, size_t first_column) {
    double size = 0;
    for (size_t r = 0; r < count; ++r) size = std::hypot(size, std::abs(u.at(r)));
    if (size == 0) return;
    u[0] += std::abs(u[0]) == 0 ? size : u[0] / std::abs(u[0]) * size;
    double squares = 0;
    for (size_t r = 0; r < count; ++r) squares += std::norm(u.at(r) /= size);
    for (size_t j = first_column; j < h.columns; ++j) {
      Complex sum = 0;
      for (size_t r = 0; r < count; ++r) sum += std::conj(u.at(r)) * h(at + r, j);
      for (size_t r = 0; r < count; ++r) h(at + r, j) -= 2 / squares * sum * u.at(r);
    }
    for (const auto& [m, rows] : {std::pair{&h, last_row + 1}, {&q, q.rows}}) {
      for (size_t i = 0; i < rows; ++i) {
        Complex sum = 0;
        for (size_t r = 0; r < count; ++r) sum += (*m)(i, at + r) * u.at(r);
        for (size_t r = 0; r < count; ++r) (*m)(i, at + r) -= 2 / squares * sum * std::conj(u.at(r));
      }
    }
  }
};

class Arnoldi : public KrylovBasis {
 public:
  Arnoldi(const LinearOperator& a, const EigshOptions& o, Stream* s)
      : KrylovBasis(a, o, 1, s),
        options_(o),
        is_real_(!is_complex(dtype)),
        h_(static_cast<size_t>(m_), static_cast<size_t>(m_)) {}

  Eigenpairs solve() {
    const int64_t maxiter = options_.maxiter == 0 ? 10 * whole_ : options_.maxiter;
    const auto k = static_cast<size_t>(options_.k);
    const auto orthogonal = [&](const Array& w, int64_t j, bool) { return apart(w, *rows(j + 1)); };
    const auto fill = [&](size_t j, const std::vector<Complex>& h, double beta) {
      for (size_t i = 0; i < h.size(); ++i) h_(i, j) = h[i];
      if (j + 1 < h_.rows) h_(j + 1, j) = beta;
    };
    int64_t from = 0;
    for (int64_t restart = 0;; ++restart) {
      extend(from, orthogonal, fill);
      if (m_ == whole_) beta_ = 0;
      const Spectrum e = spectrum(h_, is_real_);
      Permutation all(h_.rows);
      std::iota(all.begin(), all.end(), size_t{0});
      const Permutation order =
          sorted(all, [&](size_t i) { return key_of(e.values[i], options_.which, is_real_); });
      const std::vector<double> errors = errors_of(e);
      const size_t converged = count_converged(e, errors, order, k);
      if (converged == k) return pairs(e, {order.begin(), order.begin() + options_.k});
      if (restart >= maxiter) {
        fail(ARR_E_LINALG, "after ", restart, " restarts ", converged, " of ", k,
             " eigenvalues have converged; more vectors (options: ncv) or restarts may help");
      }
      const size_t kept = count_kept(e, order, k, converged);
      // The farthest ones first: steps with values that have nearly converged lose digits.
      const Permutation unwanted =
          sorted(Permutation(order.begin() + static_cast<int64_t>(kept), order.end()),
                 [&](size_t i) { return -errors[i]; });
      from = static_cast<int64_t>(kept);
      restart_with(kept, e, unwanted);
    }
  }

 private:
  // orthogonalize(), on the host without the second pass where it changes nothing (J. W. Daniel et al.,
  // Mathematics of Computation 30, 1976).
  [[nodiscard]] Orthogonal apart(const Array& w, const Array& basis) const {
    if (device.type != ARR_HOST) return orthogonalize(*this, basis, w);
    const Ref<Array> h = projections(*this, basis, w), once = without(*this, w, *h, basis);
    if (read(*norm(*once)) >= 0.717 * read(*norm(w))) return {once, h};
    const Ref<Array> more = projections(*this, basis, *once);
    return {without(*this, *once, *more, basis),
            map({h.get(), more.get()},
                [](ProgramBuilder& b, const int32_t* in) { return b.op(op::add, in[0], in[1]); })};
  }

  // Norms of the residuals of the eigenvectors.
  [[nodiscard]] std::vector<double> errors_of(const Spectrum& e) const {
    std::vector<double> out;
    for (size_t i = 0; i < h_.columns; ++i) out.push_back(beta_ * std::abs(e.vectors(h_.rows - 1, i)));
    return out;
  }
  [[nodiscard]] size_t count_converged(const Spectrum& e, const std::vector<double>& errors,
                                       const Permutation& order, size_t k) const {
    const double tol = options_.tol > 0 ? options_.tol : epsilon(real),
                 least = std::pow(epsilon(real), 2.0 / 3);
    // Errors are not seen below those of the operator's norm, to which the small problem is solved.
    const double floor = 8 * epsilon(real) * norm_of(h_);
    return static_cast<size_t>(
        std::count_if(order.begin(), order.begin() + static_cast<int64_t>(k), [&](size_t i) {
          return errors[i] <= std::max(floor, tol * std::max(least, std::abs(e.values[i])));
        }));
  }
  // Vectors with which the next basis begins; pairs stay together.
  [[nodiscard]] size_t count_kept(const Spectrum& e, const Permutation& order, size_t k,
                                  size_t converged) const {
    const auto divides = [&](size_t count) { return is_real_ && e.values[order[count - 1]].imag() > 0; };
    const size_t size = order.size(), whole = divides(k) ? k + 1 : k;
    // One vector alone would converge slowly.
    size_t kept = whole + std::min(converged, (size - whole) / 2);
    if (kept == 1 && size >= 6) kept = size / 2;
    kept = std::min(kept, size - 1);
    if (divides(kept)) kept = kept + 1 < size || kept == 1 ? kept + 1 : kept - 1;
    return kept;
  }
  // Begins anew with as many vectors, without the parts of the unwanted eigenvectors (D. C. Sorensen, SIAM J.
  // Matrix Anal. Appl. 13, 1992).
  void restart_with(size_t kept, const Spectrum& e, const Permutation& unwanted) {
    Filtered f(h_);
    for (size_t i = 0; i < unwanted.size(); ++i) {
      const Complex z = e.values[unwanted[i]];
      const bool pair = is_real_ && z.imag() != 0;
      f.step(z, pair);
      if (pair) ++i;
    }
    const size_t last = h_.rows - 1, all = h_.rows;
    std::vector<Complex> columns;
    for (size_t j = 0; j <= kept; ++j) {
      for (size_t i = 0; i < all; ++i) columns.push_back(f.q(i, j));
    }
    const Ref<Array> made = combination(*this, *write_all(*this, columns, m_), *rows(m_));
    const auto count = static_cast<int64_t>(kept);
    // The rest of the last product.
    const std::vector<Complex> parts{f.h(kept, kept - 1), beta_ * f.q(last, kept - 1)};
    const Ref<Array> ends = empty_basis(*this, 2, n_);
    assign(*index_axis(*ends, 0, 0), *index_axis(*made, 0, count), stream);
    assign(*index_axis(*ends, 0, 1), *row(m_), stream);
    const Ref<Array> rest = combination(*this, *write_all(*this, parts), *ends);
    assign(*rows(count), *slice_axis(*made, 0, 0, count), stream);
    h_ = Matrix(all, all);
    for (size_t i = 0; i < kept; ++i) {
      for (size_t j = 0; j < kept; ++j) h_(i, j) = f.h(i, j);
    }
    const double size = read(*norm(*rest));
    if (size <= epsilon(real) * norm_of(f.h)) return write_random(count);
    h_(kept, kept - 1) = size;
    write_unit(*this, *row(count), *rest, *number(size), *number(0));
  }

  // Eigenvectors are complex combinations of the basis.
  [[nodiscard]] Eigenpairs pairs(const Spectrum& e, const Permutation& columns) const {
    const DType type = promote(dtype, DType::complex64_);
    std::vector<Complex> values, y, i_y;
    for (const size_t c : columns) {
      values.push_back(e.values[c]);
      for (size_t i = 0; i < h_.rows; ++i) {
        y.push_back(e.vectors(i, c));
        i_y.push_back(e.vectors(i, c).imag());
      }
    }
    Ref<Array> v = combination(*this, *write_all(*this, y, m_), *rows(m_));
    if (is_real_) {
      const Ref<Array> imaginary = combination(*this, *write_all(*this, i_y, m_), *rows(m_));
      v = map({v.get(), imaginary.get()}, [](ProgramBuilder& b, const int32_t* in) {
        const DType to = promote(b.dtype(in[0]), DType::complex64_);
        const int32_t i = b.scalar(convert(scalar_bits(DType::complex128_, Complex(0, 1)), to), false);
        return b.op(op::add, in[0], b.op(op::multiply, in[1], i));
      });
    }
    const Ref<Array> w = as_type(*upload(values, DType::complex128_, device, stream), type, stream);
    return {w, move_axis(*as_type(*v, type, stream), 1, 0)};
  }

  const EigshOptions& options_;
  const bool is_real_;
  Matrix h_;
};

}  // namespace

Eigenpairs eigs(const LinearOperator& a, const EigshOptions& options, Stream* stream) {
  return Arnoldi(a, options, stream).solve();
}

}  // namespace arr
