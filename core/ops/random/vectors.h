// SPDX-License-Identifier: MIT
// Random vectors with dependent components. Without a shape they have that of the parameters. The destination
// forms write (..., k), cast to its dtype.
#pragma once

#include <optional>

#include "arr/random_vectors.h"
#include "ops/random/random.h"

namespace arr {

Ref<Array> random_multinomial(Generator& g, const Input& n, const Array& pvals, std::optional<Shape> shape,
                              Stream* stream);
void random_multinomial_into(const Array& dst, Generator& g, const Input& n, const Array& pvals,
                             Stream* stream);
Ref<Array> random_dirichlet(Generator& g, const Array& alpha, std::optional<Shape> shape, Stream* stream);
void random_dirichlet_into(const Array& dst, Generator& g, const Array& alpha, Stream* stream);
Ref<Array> random_multivariate_hypergeometric(Generator& g, const Array& colors, const Input& nsample,
                                              std::optional<Shape> shape, Stream* stream);
void random_multivariate_hypergeometric_into(const Array& dst, Generator& g, const Array& colors,
                                             const Input& nsample, Stream* stream);

enum class NormalMethod : int32_t {
  cholesky = ARR_NORMAL_CHOLESKY,
  eigh = ARR_NORMAL_EIGH,
  svd = ARR_NORMAL_SVD
};
// A matrix whose product with its transpose is the covariance.
Ref<Array> covariance_root(const Array& covariance, NormalMethod method, Stream* stream);
Ref<Array> random_multivariate_normal(Generator& g, const Array& mean, const Array& covariance,
                                      NormalMethod method, std::optional<Shape> shape, Stream* stream);
void random_multivariate_normal_into(const Array& dst, Generator& g, const Array& mean,
                                     const Array& covariance, NormalMethod method, Stream* stream);

}  // namespace arr
