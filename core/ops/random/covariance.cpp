// SPDX-License-Identifier: MIT
// Factors of a covariance matrix by Cholesky, eigenvectors or singular vectors; they transform independent
// normal numbers into vectors with that covariance.
#include <algorithm>
#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/decompositions.h"
#include "ops/linalg/matmul.h"
#include "ops/random/vectors.h"

namespace arr {

namespace {

// Singular vectors times the roots of the singular values. If the right singular vectors alone reproduce the
// covariance, it has no negative eigenvalue.
Ref<Array> root_by_svd(const Array& covariance, Stream* stream) {
  const Svd d = svd(covariance, true, true, OnFailure::error, stream);
  const int64_t k = covariance.layout.shape[0];
  const Ref<Array> v = d.vh->view(transpose(d.vh->layout, {}));
  const auto scaled = [&](bool root) {
    return compute({v.get(), d.s.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::multiply, in[0], root ? b.op(op::sqrt, in[1]) : in[1]);
    });
  };
  const Ref<Array> again = matmul(*scaled(false), *d.vh, stream);
  const auto on_host = [&](const Array& a) { return download<double>(a, DType::float64_, stream); };
  const std::vector<double> got = on_host(*again), want = on_host(covariance), s = on_host(*d.s);
  double off = 0;
  for (size_t i = 0; i < got.size(); ++i) off = std::max(off, std::abs(got[i] - want[i]));
  if (k > 0 && off > 1e-8 * s.front())
    fail(ARR_E_LINALG, "argument covariance: its singular vectors reconstruct it with an error of ", off,
         ": expected a symmetric matrix with no eigenvalue below 0");
  return scaled(true);
}

// The number of elements that are read: the lower triangle, or all.
void check_finite(const Array& covariance, bool lower, Stream* stream) {
  const auto k = static_cast<size_t>(covariance.layout.shape[0]);
  const std::vector<double> x = download<double>(covariance, DType::float64_, stream);
  for (size_t i = 0; i < k; ++i) {
    for (size_t j = 0; j < (lower ? i + 1 : k); ++j) {
      if (!std::isfinite(x[i * k + j]))
        fail(ARR_E_LINALG, "argument covariance: element (", i, ", ", j, ") is ", x[i * k + j],
             ", expected a finite number");
    }
  }
}

}  // namespace

Ref<Array> covariance_root(const Array& covariance, NormalMethod method, Stream* stream) {
  check_finite(covariance, method != NormalMethod::svd, stream);
  if (method == NormalMethod::cholesky) return cholesky(covariance, false, OnFailure::error, stream);
  if (method == NormalMethod::svd) return root_by_svd(covariance, stream);
  const Eigen e = eigh(covariance, true, true, OnFailure::error, stream);
  const int64_t k = covariance.layout.shape[0];
  const std::vector<double> values = download<double>(*e.values, DType::float64_, stream);
  if (k > 0 && values.front() < -1e-8 * std::abs(values.back())) {
    fail(ARR_E_LINALG, "argument covariance: has the eigenvalue ", values.front(), ", expected none below 0");
  }
  return compute({e.vectors.get(), e.values.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t zero = b.scalar(scalar_of(0.0), false);
    return b.op(op::multiply, in[0], b.op(op::sqrt, b.op(op::maximum, in[1], zero)));
  });
}

}  // namespace arr
