// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/indexing.h"

#include "host/device/streams.h"
#include "host/indexing/calls.h"
#include "host/tables.h"

namespace arr::host {

const IndexingApi indexing_api = {
    .scatter = entry<scatter, ScatterCall>,
    .pack_mask = entry<pack_mask, PackMaskCall>,
    .compact = entry<compact, CompactCall>,
    .masked_scatter = entry<masked_scatter, MaskedScatterCall>,
    .repeat = entry<repeat, RepeatCall>,
    .take_put = entry<take_put, TakePutCall>,
    .small_compact = entry<small_compact, SmallCompactCall>,
    .fault_begin = fault_begin,
    .fault_end = fault_end,
};

}  // namespace arr::host
