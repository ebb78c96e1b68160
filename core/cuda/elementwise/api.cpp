// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/elementwise.h"
#include "cuda/codegen/text_entry.h"
#include "cuda/device/entry.h"
#include "cuda/elementwise/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const ElementwiseApi elementwise_api = {
    .elementwise = entry<elementwise, ElementwiseCall>,
    .text = text_entry<elementwise_text, ElementwiseCall>,
};

}  // namespace arr::cuda
