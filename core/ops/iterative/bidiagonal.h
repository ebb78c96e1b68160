// SPDX-License-Identifier: MIT
// The bidiagonalization of an operator by Golub and Kahan, and rotations of numbers on the host.
#pragma once

#include "ops/iterative/least_squares.h"

namespace arr {

// Unit vectors u and v with a v = beta u + ..., a^H u = alfa v + ...; the sizes are those of the last step.
class Bidiagonal : public Vectors {
 public:
  Bidiagonal(const LinearOperator& a, const Array& right, const LsqrOptions& options, Stream* s);
  // The next vectors.
  void advance();

  const int64_t m, n;   // of this rank
  const Extents whole;  // of all
  Ref<Array> x, u, v;
  double b_norm = 0, alfa = 0, beta = 0;

 private:
  void check(const LinearOperator& a, const Array& right, const LsqrOptions& options) const;
  [[nodiscard]] Ref<Array> times(const Mode& mode, const Array& y) const;
  // y / its norm, which is stored.
  Ref<Array> unit(Ref<Array> y, double* size) const;
  Ref<LinearOperator> a_;
};

// The orthogonal transformation that maps (a, b) to (r, 0), without overflow.
struct Turn {
  double c, s, r;
};
Turn turn(double a, double b);

// The first of the rules that all least-squares solvers share; 0: none.
struct Tests {
  double test1, test2, test3, t1, rtol;
};
int64_t stop_by(const Tests& t, const LsqrOptions& options, bool last);

}  // namespace arr
