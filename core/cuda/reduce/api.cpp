// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/reduce.h"
#include "backend/row_pipeline.h"
#include "backend/segments.h"
#include "cuda/codegen/text_entry.h"
#include "cuda/device/entry.h"
#include "cuda/reduce/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const ReduceApi reduce_api = {
    .reduce = entry<reduce, ReduceCall>,
    .scan = entry<scan, ScanCall>,
    .segments = entry<segments, SegmentsCall>,
    .any_row_pipeline = false,
    .row_pipeline = entry<blocks, BlocksCall>,
    .reduce_text = text_entry<reduction_text, ReduceCall>,
    .scan_text = text_entry<scan_text, ScanCall>,
    .same_order = nullptr,
};

}  // namespace arr::cuda
