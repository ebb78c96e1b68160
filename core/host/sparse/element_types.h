// SPDX-License-Identifier: MIT
// The types of factored matrices.
#pragma once

#include <complex>
#include <cstdint>

#include "array/dtype.h"

namespace arr::host {

// use(x) for an x of that floating-point or complex type.
template <class Use>
void with_type(DType d, const Use& use) {
  switch (d) {
    case DType::float32_:
      return use(float{});
    case DType::float64_:
      return use(double{});
    case DType::complex64_:
      return use(std::complex<float>{});
    default:
      return use(std::complex<double>{});
  }
}

// As an index of a vector.
inline size_t u(int64_t i) { return static_cast<size_t>(i); }

}  // namespace arr::host
