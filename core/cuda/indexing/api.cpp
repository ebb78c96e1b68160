// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/indexing.h"
#include "cuda/device/entry.h"
#include "cuda/device/faults.h"
#include "cuda/indexing/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const IndexingApi indexing_api = {
    .scatter = entry<scatter, ScatterCall>,
    .mark = entry<mark, MarkCall>,
    .select = entry<select, SelectCall>,
    .expand = entry<expand, ExpandCall>,
    .repeat = nullptr,
    .places = nullptr,
    .pick = nullptr,
    .fault_begin = fault_begin,
    .fault_end = fault_end,
};

}  // namespace arr::cuda
