// SPDX-License-Identifier: MIT
// Equations with matrices of which only the diagonals near the main one are stored.
#include "ops/linalg/banded.h"

#include "ops/linalg/equations.h"

namespace arr {

namespace {

// Runs a call of either kind. A right-hand side without columns is solved for one column instead, which only
// reports whether the matrix is suitable.
template <class Again>
Ref<Array> solved(const Equations& q, LapackCall* job, OnFailure how, Stream* stream, Again&& again) {
  const Ref<Array> x = q.run(job);
  if (q.k != 0) {
    job->handle_failures(how, "ab", {x.get()});
  } else if (how == OnFailure::error) {
    again(*q.one_column(stream));
  }
  return q.visible(x);
}

}  // namespace

Ref<Array> solve_banded(const Array& ab, const Array& b, const Band& band, OnFailure how, Stream* stream) {
  check_matrices(ab, "ab");
  if (band.below < 0) fail(ARR_E_ARGUMENT, "argument l: ", band.below, ", expected 0 or more");
  if (band.above < 0) fail(ARR_E_ARGUMENT, "argument u: ", band.above, ", expected 0 or more");
  if (checked::add(checked::add(band.below, band.above, "argument u"), 1, "argument u") != rows_of(ab)) {
    fail(ARR_E_SHAPE, "argument ab: shape ", ab.layout.text(),
         ", expected l + u + 1 rows for l = ", band.below, " and u = ", band.above);
  }
  const Equations q(ab, b, columns_of(ab), stream, "ab");
  LapackCall job(LinalgKind::banded, q.dtype, q.batch(), ab.device(), stream);
  job.call.columns = band.below;
  return solved(q, &job, how, stream, [&](const Array& one) { solve_banded(ab, one, band, how, stream); });
}

Ref<Array> solveh_banded(const Array& ab, const Array& b, bool lower, OnFailure how, Stream* stream) {
  check_matrices(ab, "ab");
  if (rows_of(ab) == 0)
    fail(ARR_E_SHAPE, "argument ab: shape ", ab.layout.text(), ", expected 1 row or more");
  const Equations q(ab, b, columns_of(ab), stream, "ab");
  LapackCall job(LinalgKind::banded_cholesky, q.dtype, q.batch(), ab.device(), stream);
  job.call.lower = lower;
  return solved(q, &job, how, stream, [&](const Array& one) { solveh_banded(ab, one, lower, how, stream); });
}

}  // namespace arr
