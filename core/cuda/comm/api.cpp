// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/comm.h"
#include "cuda/comm/calls.h"
#include "cuda/device/device.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

NcclRank* rank_of(void* comm) { return static_cast<NcclRank*>(comm); }

// body(device) with the device's context.
template <class Body>
int32_t with_device(int32_t device, BackendError* error, Body&& body) {
  return translate_exceptions(error, [&] {
    Device& d = Device::get(device);
    const Current current(d);
    body(d);
  });
}

int32_t id(char* out, BackendError* error) {
  return translate_exceptions(error, [&] { nccl_id(out); });
}
int32_t init(int32_t device, const CommInitCall* c, void** comm, BackendError* error) {
  return with_device(device, error, [&](Device& d) { *comm = nccl_init(d, *c); });
}
int32_t start(int32_t device, void* comm, const CommPiece* pieces, int64_t n, BackendError* error) {
  return with_device(device, error, [&](Device& d) { nccl_start(d, *rank_of(comm), pieces, n); });
}
int32_t state(int32_t device, void* comm, bool* done, BackendError* error) {
  return with_device(device, error, [&](Device& d) { *done = nccl_done(d, *rank_of(comm)); });
}
int32_t shrink(int32_t device, void* comm, const int32_t* excluded, int32_t n, bool aborts, void** out,
               BackendError* error) {
  return with_device(device, error,
                     [&](Device& d) { *out = nccl_shrink(d, *rank_of(comm), excluded, n, aborts); });
}
int32_t end(int32_t device, void* comm, BackendError* error) {
  return with_device(device, error, [&](Device& d) { nccl_abort(d, rank_of(comm)); });
}
int32_t destroy(int32_t device, void* comm, BackendError* error) {
  return with_device(device, error, [&](Device& d) { nccl_destroy(d, rank_of(comm)); });
}

}  // namespace

const CommApi comm_api = {
    .id = id,
    .init = init,
    .start = start,
    .state = state,
    .shrink = shrink,
    .abort = end,
    .destroy = destroy,
};

}  // namespace arr::cuda
