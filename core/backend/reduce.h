// SPDX-License-Identifier: MIT
// Reductions and scans of mapped arrays; the table of both, of segments and of row pipelines.
#pragma once

#include "backend/elementwise.h"

namespace arr {

// out[i] = finish(combine over j of map(inputs[i, j])): the first `nkept` dimensions are kept, the others
// reduced. The map's one output has the dtype `acc`. Extents of 1 are dropped. Only reduced extents may be 0;
// out is then filled with the reduction of no elements.
struct ReduceCall {
  const ReductionInfo* reduction = nullptr;
  const Program* map = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0, nkept = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand output;                     // strides over the kept dimensions
  // INDEX: the increase of the position along each reduced dimension.
  const int64_t* index_strides = nullptr;
  double correction = 0;  // p of the row's formula finish
  Scalar initial;         // VALUE: combined with the elements; dtype `acc`, or DType::none if there is none
};

template <class Visitor>
void visit(Visitor& v, ReduceCall& c) {
  v.name([&] { return text(c.reduction->name, "(", describe(*c.map), ")"); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.output.strides, c.nkept);
  v.numbers(c.index_strides, c.ndim - c.nkept);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.memory(c.output, c.out, c.nkept, c.shape);
}

// out[.., i] = combine over j <= i of map(inputs[.., j]), along the last of `ndim` >= 1 dimensions; the
// others enumerate independent sequences. No extent is 0. The reduction is of kind VALUE and has no finish.
// The map's one output has the dtype `acc`. The output may be the memory of an input with the same strides
// and item size, and overlaps nothing else. Views express other forms: an initial value is written in front,
// a reversed scan has negative strides.
struct ScanCall {
  const ReductionInfo* reduction = nullptr;
  const Program* map = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand output;
};

template <class Visitor>
void visit(Visitor& v, ScanCall& c) {
  v.name([&] { return text("scan by ", c.reduction->name, "(", describe(*c.map), ")"); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.output.strides, c.ndim);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.memory(c.output, c.out, c.ndim, c.shape);
}

struct SegmentsCall;  // segments.h
struct BlocksCall;    // row_pipeline.h

struct ReduceApi {
  int32_t (*reduce)(int32_t device, const ReduceCall*, void* stream, BackendError*);
  int32_t (*scan)(int32_t device, const ScanCall*, void* stream, BackendError*);
  int32_t (*segments)(int32_t device, const SegmentsCall*, void* stream, BackendError*);
  // Without steps nothing is enqueued: the call returns ARR_E_UNSUPPORTED unless a pipeline over the call's
  // space and array 0 is faster than separate calls, which any_row_pipeline says of all.
  bool any_row_pipeline;
  int32_t (*row_pipeline)(int32_t device, const BlocksCall*, void* stream, BackendError*);
  // Like ElementwiseApi::text.
  int32_t (*reduce_text)(const ReduceCall*, std::string* text, BackendError*);
  int32_t (*scan_text)(const ScanCall*, std::string* text, BackendError*);
  // True if both calls, which differ in their operands and maps, combine equal elements in one order, so that
  // their results have the same bits. nullptr: never.
  bool (*same_order)(const ReduceCall&, const ReduceCall&) noexcept;
};

}  // namespace arr
