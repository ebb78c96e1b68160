// SPDX-License-Identifier: MIT
// Iterative solvers of linear equations.
#pragma once

#include "ops/iterative/krylov.h"

namespace arr {

Solved solve_cg(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);
Solved solve_cgs(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);
Solved solve_bicgstab(const LinearOperator& a, const Array& right, const SolveOptions& options,
                      Stream* stream);
Solved solve_gmres(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);
Solved solve_lgmres(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);
Solved solve_tfqmr(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);
Solved solve_minres(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream);

}  // namespace arr
