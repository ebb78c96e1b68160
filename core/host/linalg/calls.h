// SPDX-License-Identifier: MIT
// Work of the host: matrix products, decompositions and solvers. Functions are threaded and return when the
// work is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct LinalgCall;
struct MatmulCall;
struct TridiagonalCall;

namespace host {

void matmul(const MatmulCall& call);
void linalg(const LinalgCall& call);
void tridiagonal(const TridiagonalCall& call);

}  // namespace host

}  // namespace arr
