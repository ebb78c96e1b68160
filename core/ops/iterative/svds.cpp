// SPDX-License-Identifier: MIT
// Singular values by the eigenvalues of the smaller product with the adjoint.
#include "ops/elementwise/array_ops.h"
#include "ops/iterative/basis.h"
#include "ops/iterative/eigenvalues.h"
#include "ops/linalg/decompositions.h"
#include "ops/linalg/matmul.h"

namespace arr {

SingularTriplets svds(const LinearOperator& a, const EigshOptions& options, Stream* stream) {
  const Extents all = a.whole();
  const bool tall = all.rows >= all.columns;
  const Ref<LinearOperator> adjoint = linop_turned(a, adjoint_mode);
  const Ref<LinearOperator> squared = tall ? linop_product(*adjoint, a) : linop_product(a, *adjoint);
  const Eigenpairs e = eigsh(*squared, options, stream);
  const auto turned = [&](const Array& x) { return conjugate(*move_axis(x, 1, 0), stream); };
  // The vectors of clustered values are made orthogonal first, and the values come from their products.
  const Vectors among(e.vectors->dtype, a.device, stream, a.comm());
  const Ref<Array> q = tall_qr(among, *e.vectors)[0];
  const Ref<Array> product =
      as_type(*a.times(tall ? plain_mode : adjoint_mode, *q, stream), q->dtype, stream);
  const auto [left, r] = a.ranks ? tall_qr(among, *product) : std::array{Ref<Array>(), product};
  const Svd s = svd(*r, true, false, OnFailure::error, stream);
  const Ref<Array> u = left ? matmul(*left, *s.u, stream) : s.u;
  SingularTriplets out{u, s.s, matmul(*s.vh, *turned(*q), stream)};
  if (!tall) {
    out.u = matmul(*q, *turned(*s.vh), stream);
    out.vh = turned(*u);
  }
  return {reversed(*out.u, 1), reversed(*out.s, 0), reversed(*out.vh, 0)};
}

}  // namespace arr
