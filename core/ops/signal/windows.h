// SPDX-License-Identifier: MIT
// Window functions.
#pragma once

#include "ops/elementwise/create.h"
#include "ops/elementwise/new_array.h"

namespace arr {

enum class Window : int32_t { bartlett, blackman, hamming, hanning, kaiser };
// beta: the shape parameter of the Kaiser window.
Ref<Array> window(Window w, int64_t n, double beta, const NewArray& made);

}  // namespace arr
