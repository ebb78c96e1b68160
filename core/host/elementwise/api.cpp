// SPDX-License-Identifier: MIT
// The host's table of element-wise runs.
#include "backend/elementwise.h"

#include "host/device/streams.h"
#include "host/elementwise/calls.h"
#include "host/tables.h"

namespace arr::host {

const ElementwiseApi elementwise_api = {
    .elementwise = entry<elementwise, ElementwiseCall>,
    .text = nullptr,
};

}  // namespace arr::host
