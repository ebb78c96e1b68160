// SPDX-License-Identifier: MIT
// Sylvester's and Lyapunov's equations, by Schur forms (R. H. Bartels, G. W. Stewart, "Solution of the matrix
// equation AX + XB = C", Communications of the ACM 15 (1972), 820-826).
#pragma once

#include "ops/linalg/solvers.h"

namespace arr {

// Solves a x + x b = c for upper triangles a and b. All three are complex and have the same stack.
Ref<Array> triangular_sylvester(const Array& a, const Array& b, const Array& c, Stream* stream);

// a x + x b = q
Ref<Array> solve_sylvester(const Array& a, const Array& b, const Array& q, Stream* stream);
// a x + x a' = q
Ref<Array> solve_continuous_lyapunov(const Array& a, const Array& q, Stream* stream);
// a x a' - x + q = 0
Ref<Array> solve_discrete_lyapunov(const Array& a, const Array& q, Stream* stream);

}  // namespace arr
