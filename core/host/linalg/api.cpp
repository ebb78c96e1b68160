// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/linalg.h"

#include "host/device/streams.h"
#include "host/linalg/calls.h"
#include "host/tables.h"

namespace arr::host {

namespace {

int32_t plain_matmul(int32_t device, const MatmulCall* call, void* stream, BackendError* error) {
  if (call->plain()) return entry<matmul, MatmulCall>(device, call, stream, error);
  note_failure(error, "matmul: the host's libraries do nothing more to a product");
  return ARR_E_UNSUPPORTED;
}

}  // namespace

const LinalgApi linalg_api = {
    .matmul = plain_matmul,
    .linalg = entry<linalg, LinalgCall>,
    .tridiagonal = entry<tridiagonal, TridiagonalCall>,
};

}  // namespace arr::host
