// SPDX-License-Identifier: MIT
// Arguments that several transforms take.
#pragma once

#include "capi/src/entry.h"
#include "ops/fft/fft.h"

namespace arr::capi {

inline FftNorm norm_argument(int32_t norm) {
  if (norm < ARR_FFT_BACKWARD || norm > ARR_FFT_FORWARD) {
    fail(ARR_E_ARGUMENT, "argument norm: ", norm, ", expected one of ARR_FFT_...");
  }
  return static_cast<FftNorm>(norm);
}

}  // namespace arr::capi
