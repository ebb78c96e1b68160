// SPDX-License-Identifier: MIT
// Functions of matrices. A matrix without the result has nan instead.
#pragma once

#include "ops/linalg/least_squares.h"

namespace arr {

// The principal square roots, logarithms and powers: complex, also of real matrices.
Ref<Array> sqrtm(const Array& a, Stream* stream);
Ref<Array> logm(const Array& a, Stream* stream);
Ref<Array> fractional_matrix_power(const Array& a, double p, Stream* stream);

struct Derivative {
  Ref<Array> value, derivative;
};
// The exponential, and its derivative in the direction e.
Derivative expm_frechet(const Array& a, const Array& e, Stream* stream);

// The signs, of eigenvalues +1 and -1.
Ref<Array> signm(const Array& a, Stream* stream);
enum class CircularFunction : int32_t { cos, sin, tan, cosh, sinh, tanh };
Ref<Array> circular(const Array& a, CircularFunction which, Stream* stream);

}  // namespace arr
