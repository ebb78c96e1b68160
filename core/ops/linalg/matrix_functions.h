// SPDX-License-Identifier: MIT
// Functions of matrices. A matrix without the result has nan instead.
#pragma once

#include "ops/linalg/least_squares.h"

namespace arr {

// The principal square roots, logarithms and powers: complex, also of real matrices.
Ref<Array> sqrtm(const Array& a, Stream* stream);
Ref<Array> logm(const Array& a, Stream* stream);
Ref<Array> fractional_matrix_power(const Array& a, double p, Stream* stream);

}  // namespace arr
