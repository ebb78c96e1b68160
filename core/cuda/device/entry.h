// SPDX-License-Identifier: MIT
// The entry of a call in its table: Work enqueues it in the call's stream.
#pragma once

#include "backend/error.h"
#include "cuda/device/device.h"

namespace arr::cuda {

template <auto Work, class CallStruct>
int32_t entry(int32_t device, const CallStruct* c, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    Work(call.device, *c, call.stream);
  });
}

}  // namespace arr::cuda
