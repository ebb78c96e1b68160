// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/reduce.h"

#include "backend/row_pipeline.h"
#include "backend/segments.h"
#include "host/device/streams.h"
#include "host/reduce/calls.h"
#include "host/tables.h"

namespace arr::host {

const ReduceApi reduce_api = {
    .reduce = entry<reduce, ReduceCall>,
    .scan = entry<scan, ScanCall>,
    .segments = entry<segments, SegmentsCall>,
    .any_row_pipeline = true,
    .row_pipeline = entry<blocks, BlocksCall>,
    .reduce_text = nullptr,
    .scan_text = nullptr,
    .same_order = same_order,
};

}  // namespace arr::host
