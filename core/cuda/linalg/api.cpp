// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/linalg.h"
#include "cuda/device/entry.h"
#include "cuda/linalg/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const LinalgApi linalg_api = {
    .matmul = entry<matmul, MatmulCall>,
    .linalg = entry<linalg, LinalgCall>,
    .tridiagonal = entry<tridiagonal, TridiagonalCall>,
};

}  // namespace arr::cuda
