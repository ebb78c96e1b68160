// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/reduce.h"

#include "backend/row_pipeline.h"
#include "backend/segments.h"
#include "host/device/streams.h"
#include "host/reduce/calls.h"
#include "host/tables.h"

namespace arr::host {

namespace {

// Rows of any length are worth it.
int32_t row_pipeline(int32_t device, const BlocksCall* call, void* stream, BackendError* error) {
  return call->nsteps == 0 ? ARR_OK : entry<blocks, BlocksCall>(device, call, stream, error);
}

}  // namespace

const ReduceApi reduce_api = {
    .reduce = entry<reduce, ReduceCall>,
    .scan = entry<scan, ScanCall>,
    .segments = entry<segments, SegmentsCall>,
    .row_pipeline = row_pipeline,
    .reduce_text = nullptr,
    .scan_text = nullptr,
    .same_order = same_order,
};

}  // namespace arr::host
