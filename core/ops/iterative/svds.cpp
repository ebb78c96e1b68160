// SPDX-License-Identifier: MIT
// Singular values by the eigenvalues of the smaller product with the adjoint.
#include <algorithm>

#include "ops/elementwise/array_ops.h"
#include "ops/iterative/eigenvalues.h"
#include "ops/linalg/decompositions.h"
#include "ops/linalg/matmul.h"

namespace arr {

SingularTriplets svds(const LinearOperator& a, const EigshOptions& options, Stream* stream) {
  const bool tall = a.extents.rows >= a.extents.columns;
  const int64_t small = std::min(a.extents.rows, a.extents.columns);
  if (options.k < 1 || options.k > small)
    fail(ARR_E_ARGUMENT, "argument k: ", options.k, ", expected 1 to ", small);
  const Ref<LinearOperator> adjoint = linop_turned(a, adjoint_mode);
  const Ref<LinearOperator> squared = tall ? linop_product(*adjoint, a) : linop_product(a, *adjoint);
  const Eigenpairs e = eigsh(*squared, options, stream);
  const auto turned = [&](const Array& x) { return conjugate(*move_axis(x, 1, 0), stream); };
  // The vectors of clustered values are made orthogonal first, and the values come from their products.
  const Ref<Array> q = qr(*e.vectors, QrMode::reduced, stream)[0];
  const Svd s = svd(*as_type(*a.times(tall ? plain_mode : adjoint_mode, *q, stream), q->dtype, stream), true,
                    false, OnFailure::error, stream);
  SingularTriplets out{s.u, s.s, matmul(*s.vh, *turned(*q), stream)};
  if (!tall) {
    out.u = matmul(*q, *turned(*s.vh), stream);
    out.vh = turned(*s.u);
  }
  return {reversed(*out.u, 1), reversed(*out.s, 0), reversed(*out.vh, 0)};
}

}  // namespace arr
