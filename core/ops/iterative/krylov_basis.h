// SPDX-License-Identifier: MIT
// The orthonormal basis of a Krylov space, for a few eigenvalues of an operator. The vectors of a sweep are
// made on the device, orthogonal to all others; the host reads their products once.
#pragma once

#include <cmath>
#include <numeric>
#include <random>

#include "ops/iterative/basis.h"
#include "ops/iterative/eigenvalues.h"

namespace arr {

class KrylovBasis : public Vectors {
 protected:
  // spare: a basis that is not of the whole space has more than k + spare vectors.
  KrylovBasis(const LinearOperator& a, const EigshOptions& o, int64_t spare, Stream* s)
      : Vectors(solver_type(a.dtype), a.device, s, a.comm()),
        a_(checked(a, o, spare)),
        n_(a.extents.rows),
        whole_(a.whole().rows),
        m_(basis_size(o, whole_, spare)),
        basis_(empty_basis(*this, m_ + 1, n_)) {
    const Ref<Array> first = o.v0 == nullptr ? random() : copy(*o.v0);
    write_unit(*this, *row(0), *first, *norm(*first), *number(0));
  }

  Ref<LinearOperator> checked(const LinearOperator& a, const EigshOptions& o, int64_t spare) {
    agree({{"argument k", o.k},
           {"argument which", static_cast<int64_t>(o.which)},
           {"argument options: ncv", o.ncv},
           {"argument options: maxiter", o.maxiter},
           common("argument options: tol", o.tol),
           {"argument options: having v0", o.v0 != nullptr ? 1 : 0}},
          {}, [&] {
            check_square(a, "a");
            if (o.v0 != nullptr) check_vector(*o.v0, a.extents.rows, a.device, "options: v0 has");
            basis_size(o, a.whole().rows, spare);
          });
    return a.in_type(dtype, stream);
  }

  static int64_t basis_size(const EigshOptions& o, int64_t n, int64_t spare) {
    if (o.k < 1 || o.k > n) fail(ARR_E_ARGUMENT, "argument k: ", o.k, ", expected 1 to ", n);
    const int64_t m = o.ncv == 0 ? n / 2 < o.k ? n : std::min(n, std::max<int64_t>(2 * o.k + 1, 20)) : o.ncv;
    if (m > n || (m <= o.k + spare && m != n)) {
      fail(ARR_E_ARGUMENT, "argument options: ncv is ", m, ", expected more than k", spare == 0 ? "" : " + 1",
           ", ", o.k + spare, ", and at most ", n);
    }
    return m;
  }
  [[nodiscard]] Ref<Array> row(int64_t k) const { return index_axis(*basis_, 0, k); }
  [[nodiscard]] Ref<Array> rows(int64_t count) const { return slice_axis(*basis_, 0, 0, count); }

  // The same numbers in each call, and for each number of ranks.
  Ref<Array> random() {
    std::vector<Complex> all;
    all.reserve(static_cast<size_t>(n_));
    const auto next = [&] { return std::ldexp(static_cast<double>(random_() >> 11), -52) - 1; };
    const auto skip = [&](int64_t n) {
      random_.discard(static_cast<uint64_t>(is_complex(dtype) ? 2 * n : n));
    };
    const int64_t before = first_of(*a_);
    skip(before);
    for (int64_t i = 0; i < n_; ++i) all.emplace_back(next(), is_complex(dtype) ? next() : 0);
    skip(whole_ - before - n_);
    return write_all(*this, all);
  }
  // The number of elements of the ranks before this one.
  static int64_t first_of(const LinearOperator& a) {
    if (!a.ranks) return 0;
    const auto from = a.ranks->rows.begin();
    return std::accumulate(from, from + a.comm()->place().rank, int64_t{0});
  }
  // Any unit vector that is orthogonal to those before it.
  void write_random(int64_t j) {
    const Orthogonal o = orthogonalize(*this, *rows(j), *random());
    write_unit(*this, *row(j), *o.w, *norm(*o.w), *number(0));
  }

  // Adds vectors until the basis is full. orthogonal(w, j, first) makes the product with row j orthogonal to
  // the first j + 1; filled(j, h, beta) gets its projections on them, and the norm of the rest, also as
  // beta_.
  template <class Make, class Fill>
  void extend(int64_t from, Make&& orthogonal, Fill&& filled) {
    for (int64_t begin = from; begin < m_;) begin = sweep(begin, orthogonal, filled);
  }

  Ref<LinearOperator> a_;
  const int64_t n_, whole_, m_;  // elements of this rank, and of all; vectors of the basis
  Ref<Array> basis_;
  double beta_ = 0;

 private:
  template <class Make, class Fill>
  int64_t sweep(int64_t begin, Make&& orthogonal, Fill&& filled) {
    struct Made {
      Ref<Array> h, before, after;
    };
    std::vector<Made> made;
    for (int64_t j = begin; j < m_; ++j) {
      const Ref<Array> w = as_type(*a_->times(plain_mode, *row(j), stream), dtype, stream);
      const Orthogonal o = orthogonal(*w, j, j == begin);
      made.push_back({o.h, norm(*w), norm(*o.w)});
      write_unit(*this, *row(j + 1), *o.w, *made.back().after, *made.back().before);
    }
    for (int64_t j = begin; j < m_; ++j) {
      const Made& c = made[static_cast<size_t>(j - begin)];
      const std::vector<Complex> h = read_all(*c.h, stream);
      const double before = read(*c.before), after = read(*c.after);
      if (!std::isfinite(before) || !std::isfinite(after))
        fail(ARR_E_LINALG, "a product with the operator is not finite");
      beta_ = after > epsilon(real) * before ? after : 0;
      filled(static_cast<size_t>(j), h, beta_);
      if (beta_ > 0) continue;
      // The operator maps the vectors into their span: the next one is any that is orthogonal to them.
      if (j + 1 == m_) break;
      write_random(j + 1);
      return j + 1;
    }
    return m_;
  }

  std::mt19937_64 random_;
};

}  // namespace arr
