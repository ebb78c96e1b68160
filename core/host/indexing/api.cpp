// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/indexing.h"

#include "host/device/streams.h"
#include "host/indexing/calls.h"
#include "host/tables.h"

namespace arr::host {

const IndexingApi indexing_api = {
    .scatter = entry<scatter, ScatterCall>,
    .mark = entry<mark, MarkCall>,
    .select = entry<select, SelectCall>,
    .expand = entry<expand, ExpandCall>,
    .repeat = entry<repeat, RepeatCall>,
    .places = entry<places, PlacesCall>,
    .pick = entry<pick, PickCall>,
    .fault_begin = fault_begin,
    .fault_end = fault_end,
};

}  // namespace arr::host
