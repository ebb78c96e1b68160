// SPDX-License-Identifier: MIT
// Work of the CUDA backend: matrix products, decompositions and solvers. A function enqueues in the stream of
// its call.
#pragma once

namespace arr {

struct LinalgCall;
struct MatmulCall;
struct TridiagonalCall;

namespace cuda {

class Device;
struct Stream;

void matmul(Device& d, const MatmulCall& c, Stream& s);
void linalg(Device& d, const LinalgCall& c, Stream& s);
// The kinds banded and banded_cholesky of linalg().
void banded(Device& d, const LinalgCall& c, Stream& s);
// The kind ldl.
void ldl(Device& d, const LinalgCall& c, Stream& s);
void tridiagonal(Device& d, const TridiagonalCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
