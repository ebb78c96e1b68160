// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/sorting.h"
#include "cuda/device/entry.h"
#include "cuda/sorting/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const SortingApi sorting_api = {
    .sort = entry<sort, SortCall>,
};

}  // namespace arr::cuda
