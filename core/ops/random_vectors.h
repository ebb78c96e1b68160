// SPDX-License-Identifier: MIT
// Random vectors whose parts depend on each other. ndim -1 (no shape): of the parameters' own.
#pragma once

#include <optional>

#include "arr/random.h"
#include "ops/random.h"

namespace arr {

Ref<Array> random_multinomial(Generator& g, const Input& n, const Array& pvals, std::optional<Shape> shape,
                              Stream* stream);
Ref<Array> random_dirichlet(Generator& g, const Array& alpha, std::optional<Shape> shape, Stream* stream);
Ref<Array> random_multivariate_hypergeometric(Generator& g, const Array& colors, const Input& nsample,
                                              std::optional<Shape> shape, Stream* stream);

enum class NormalMethod : int32_t { cholesky = ARR_NORMAL_CHOLESKY, eigh = ARR_NORMAL_EIGH };
Ref<Array> random_multivariate_normal(Generator& g, const Array& mean, const Array& covariance,
                                      NormalMethod method, std::optional<Shape> shape, Stream* stream);

}  // namespace arr
