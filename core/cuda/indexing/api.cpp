// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/indexing.h"
#include "cuda/device/entry.h"
#include "cuda/device/error_flags.h"
#include "cuda/indexing/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const IndexingApi indexing_api = {
    .scatter = entry<scatter, ScatterCall>,
    .pack_mask = entry<pack_mask, PackMaskCall>,
    .compact = entry<compact, CompactCall>,
    .masked_scatter = entry<masked_scatter, MaskedScatterCall>,
    .repeat = nullptr,
    .take_put = nullptr,
    .small_compact = nullptr,
    .fault_begin = fault_begin,
    .fault_end = fault_end,
};

}  // namespace arr::cuda
