// SPDX-License-Identifier: MIT
// LOBPCG: eigenvectors improve in the span of themselves, their residuals and the last steps. Products of
// matrices are made on the device, the small eigenproblem is solved on the host.
#include <algorithm>
#include <cmath>

#include "expr/op_numbers.h"
#include "ops/indexing/join.h"
#include "ops/iterative/basis.h"
#include "ops/iterative/eigenvalues.h"
#include "ops/linalg/matmul.h"

namespace arr {

namespace {

// Vectors in columns, and their products with the operators.
struct Block {
  Ref<Array> x, a, b;
};

class Lobpcg : public Vectors {
 public:
  Lobpcg(const LinearOperator& a, const Array& x, const LobpcgOptions& o, Stream* s)
      : Vectors(promote(solver_type(a.dtype), solver_type(x.dtype)), a.device, s),
        options_(o),
        n_(a.extents.rows),
        k_(x.layout.shape[1]),
        a_(a.in_type(dtype, s)) {
    if (o.b != nullptr) b_ = o.b->in_type(dtype, s);
    if (o.m != nullptr) m_ = o.m->in_type(dtype, s);
    x_ = products(as_type(x, dtype, s));
    improve({x_});
  }

  BlockEigenpairs solve() {
    const double tol = options_.tol > 0 ? options_.tol : std::sqrt(1e-15) * static_cast<double>(n_);
    BlockEigenpairs out;
    for (;; ++out.iterations) {
      const Ref<Array> r = residuals();
      const Ref<Array> sizes = reduce(*reduction_find("norm2"), *r, 1, false, {}, stream);
      const std::vector<Complex> norms = read_all(*sizes, stream);
      const bool done = std::all_of(norms.begin(), norms.end(), [&](Complex z) { return z.real() <= tol; });
      if (done || out.iterations >= options_.maxiter) break;
      const Block next = products(m_ ? as_type(*m_->times(plain_mode, *r, stream), dtype, stream) : r);
      if (!improve(p_.x ? std::vector<Block>{x_, next, p_} : std::vector<Block>{x_, next})) break;
    }
    out.pairs = {as_type(*upload(values_, DType::float64_, device, stream), real, stream), x_.x};
    return out;
  }

 private:
  Block products(Ref<Array> x) const {
    Ref<Array> a = as_type(*a_->times(plain_mode, *x, stream), dtype, stream);
    Ref<Array> b = b_ ? as_type(*b_->times(plain_mode, *x, stream), dtype, stream) : x;
    return {std::move(x), std::move(a), std::move(b)};
  }
  // a x - b x w, in columns.
  Ref<Array> residuals() const {
    const Ref<Array> w = as_type(*upload(values_, DType::float64_, device, stream), real, stream);
    return map({x_.a.get(), x_.b.get(), w.get()}, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, in[0], b.op(op::multiply, in[1], in[2]));
    });
  }
  Matrix gram(const Array& x, const Array& y) const {
    const Ref<Array> g = matmul(*conjugate(*move_axis(x, 1, 0), stream), y, stream);
    Matrix out(static_cast<size_t>(x.layout.shape[1]), static_cast<size_t>(y.layout.shape[1]));
    out.elements = read_all(*g, stream);
    return out;
  }
  Ref<Array> joined(const std::vector<Block>& parts, Ref<Array> Block::*which) const {
    std::vector<const Array*> arrays;
    arrays.reserve(parts.size());
    for (const Block& p : parts) arrays.push_back((p.*which).get());
    return concatenate(arrays, 1, DType::none, stream);
  }

  // The columns that make the vectors orthonormal, without those that depend on others.
  Matrix orthonormal(const Matrix& g) const {
    const size_t n = g.rows;
    Matrix scaled(n, n);
    const auto scale = [&](size_t i) { return g(i, i).real() > 0 ? 1 / std::sqrt(g(i, i).real()) : 0.0; };
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) scaled(i, j) = scale(i) * g(i, j) * scale(j);
    }
    const SmallEigen e = eigen(scaled, !is_complex(dtype));
    const double least = epsilon(real) * static_cast<double>(n) * 8 * std::max(e.values.back(), 0.0);
    const auto first =
        static_cast<size_t>(std::upper_bound(e.values.begin(), e.values.end(), least) - e.values.begin());
    Matrix c(n, n - first);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = first; j < n; ++j)
        c(i, j - first) = scale(i) * e.vectors(i, j) / std::sqrt(e.values[j]);
    }
    return c;
  }

  // The best vectors in the span of the parts, of which the first is the last iterate. Returns false if the
  // span has become too small.
  bool improve(const std::vector<Block>& parts) {
    const auto k = static_cast<size_t>(k_);
    const Block all{joined(parts, &Block::x), joined(parts, &Block::a), joined(parts, &Block::b)};
    const Matrix c = orthonormal(gram(*all.x, *all.b));
    if (c.columns < k) {
      if (parts.size() > 1) return false;
      fail(ARR_E_LINALG, "argument x: ", c.columns, " of its ", k, " columns are linearly independent");
    }
    const SmallEigen e = eigen(product(adjoint(c), product(gram(*all.x, *all.a), c)), !is_complex(dtype));
    Matrix z(c.columns, k);
    values_.clear();
    for (size_t j = 0; j < k; ++j) {
      const size_t from = options_.smallest ? j : c.columns - 1 - j;
      values_.push_back(e.values[from]);
      for (size_t i = 0; i < c.columns; ++i) z(i, j) = e.vectors(i, from);
    }
    const Ref<Array> y = write_all(*this, product(c, z).elements, k_);
    const auto times = [&](const Array& s, const Array& by) { return matmul(s, by, stream); };
    x_ = {times(*all.x, *y), times(*all.a, *y), times(*all.b, *y)};
    if (parts.size() == 1) return true;
    const auto rest = [&](const Array& s) { return slice_axis(s, 1, k_, s.layout.shape[1]); };
    const Ref<Array> step = slice_axis(*y, 0, k_, y->layout.shape[0]);
    p_ = {times(*rest(*all.x), *step), times(*rest(*all.a), *step), times(*rest(*all.b), *step)};
    return true;
  }

  const LobpcgOptions& options_;
  const int64_t n_, k_;
  Ref<LinearOperator> a_, b_, m_;
  Block x_, p_;
  std::vector<double> values_;
};

}  // namespace

BlockEigenpairs lobpcg(const LinearOperator& a, const Array& x, const LobpcgOptions& options,
                       Stream* stream) {
  check_square(a, "a");
  for (const LinearOperator* each : {&a, options.b, options.m}) {
    if (each != nullptr) check_undivided(*each, each == &a ? "a" : "options");
  }
  const int64_t n = a.extents.rows;
  if (x.layout.ndim != 2 || x.layout.shape[0] != n || x.layout.shape[1] < 1 || 3 * x.layout.shape[1] > n) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected (", n,
         ",k) with 1 <= k and 3 k <= ", n);
  }
  if (x.device() != a.device)
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device), " and on ", device_text(x.device()));
  for (const LinearOperator* other : {options.b, options.m}) {
    if (other == nullptr || (other->extents.rows == n && other->extents.columns == n)) continue;
    fail(ARR_E_SHAPE, "argument options: ", other == options.b ? "b" : "m", " has ", other->extents.rows,
         " rows and ", other->extents.columns, " columns, expected ", n);
  }
  return Lobpcg(a, x, options, stream).solve();
}

}  // namespace arr
