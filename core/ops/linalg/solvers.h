// SPDX-License-Identifier: MIT
// Linear equations, inverses and uses of factors. Arrays are stacks of matrices in their last two
// dimensions, which broadcast.
#pragma once

#include "ops/linalg/decompositions.h"

namespace arr {

// Solves a x = b; a one-dimensional b is one vector for all matrices.
Ref<Array> solve(const Array& a, const Array& b, OnFailure how, Stream* stream);
Ref<Array> inverse(const Array& a, OnFailure how, Stream* stream);
// Solves op(a) x = b by the factors of lu_factor().
Ref<Array> lu_solve(const Array& lu, const Array& pivots, const Array& b, LinalgOp how, Stream* stream);
// op(Q) b with all columns of Q, by h and tau of qr() in mode raw; how: none or adjoint.
Ref<Array> qr_multiply(const Array& h, const Array& tau, const Array& b, LinalgOp how, Stream* stream);
struct TriangularSolve {
  bool lower = false, unit = false;
  LinalgOp op = LinalgOp::none;
};
Ref<Array> solve_triangular(const Array& a, const Array& b, const TriangularSolve& t, OnFailure how,
                            Stream* stream);
// Solves a x = b by the factor that cholesky() returns: L if `lower`, else U.
Ref<Array> cho_solve(const Array& c, const Array& b, bool lower, Stream* stream);

Ref<Array> det(const Array& a, Stream* stream);
// {sign, log|det|}
std::vector<Ref<Array>> slogdet(const Array& a, Stream* stream);

}  // namespace arr
