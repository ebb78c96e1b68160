// SPDX-License-Identifier: MIT
// Least squares, pseudoinverses and ranks by singular values; functions of matrices that are composed of
// solvers.
#pragma once

#include "ops/linalg/solvers.h"

namespace arr {

struct LeastSquares {
  Ref<Array> x, residuals, rank, s;
};
// The x of least norm that minimises |a x - b|; singular values up to rcond times the largest are treated as
// 0. rcond negative: max(m, n) epsilons.
LeastSquares lstsq(const Array& a, const Array& b, double rcond, Stream* stream);
// Moore and Penrose's inverse; rcond as for lstsq.
Ref<Array> pinv(const Array& a, double rcond, Stream* stream);
// The same with a limit for each matrix: rcond broadcasts with the stack.
Ref<Array> pinv(const Array& a, const Array& rcond, Stream* stream);
// The number of singular values above tol, or if tol is negative, above rtol times the largest; rtol
// negative: as rcond of lstsq.
Ref<Array> matrix_rank(const Array& a, double tol, double rtol, Stream* stream);

// Solves for x: the sum over the last axes of a of a x is b. `axes` of a are moved to its end first.
Ref<Array> tensorsolve(const Array& a, const Array& b, std::span<const int32_t> axes, Stream* stream);
// The inverse, as of a matrix whose rows are the first `ind` axes.
Ref<Array> tensorinv(const Array& a, int32_t ind, Stream* stream);
// The exponential of matrices. Waits for the device.
Ref<Array> expm(const Array& a, Stream* stream);

}  // namespace arr
