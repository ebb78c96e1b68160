// SPDX-License-Identifier: MIT
// Updates of elements at computed indices, and selections by conditions.
#pragma once

#include "backend/elementwise.h"
#include "backend/fault.h"

namespace arr {

// for i in shape, in row-major order: the element at target.data + offset + sum over d of i[d] *
// target.strides[d] becomes combine(that element, values...), where (offset, values...) = map(inputs[i]).
// offset is in bytes and int64; every element that is met lies in the target. combine's one output has the
// type of its first input, which is the target's. Several i may meet one element: they combine in order,
// except on a device that is parallel by nature, where each counts once, in no fixed order. Dimensions over
// which the offset does not change meet different elements. The target overlaps no input.
struct ScatterCall {
  const Program* map = nullptr;
  const Program* combine = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand target;                     // strides over the dimensions, 0 where the offset alone determines it
  int64_t dense = 0;      // elements of the target where it is a block that begins at its data, else 0
  bool distinct = false;  // no element of the target occurs twice
};

template <class Visitor>
void visit(Visitor& v, ScatterCall& c) {
  v.name([&] { return text(describe(*c.combine), " at (", describe(*c.map), ")"); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.target.strides, c.ndim);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.bytes([&] {  // of the target: each element is read and written
    int64_t elements = item_size(c.combine->inputs[0]);
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return 2 * elements;
  });
}

// The values of a condition are stored first, so that they are computed once: bit i % 64 of bits[i / 64] is
// that of element i in row-major order, and the bits after the last one are 0. before[t] is the number of
// true bits before bit t * compact_tile, for each tile t and for the end.
inline constexpr int64_t compact_tile = 4096;
struct MaskBits {
  uint64_t* bits = nullptr;
  int64_t* before = nullptr;
  static int64_t words(int64_t elements) { return (elements + 63) / 64; }
  static int64_t tiles(int64_t elements) { return (elements + compact_tile - 1) / compact_tile; }
};

// Sets the mask bits to map(inputs[i]) for i in shape, of which no extent is 0 (ndim 0 is one element). The
// map's one output is a bool.
struct PackMaskCall {
  const Program* map = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  MaskBits mask;
};

template <class Visitor>
void visit(Visitor& v, PackMaskCall& c) {
  v.name([&] { return text("mask bits of ", describe(*c.map)); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.bytes([&] {
    int64_t elements = 1;
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return elements / 8;
  });
}

// For the k-th selected element i of a shape, in row-major order, where k < capacity:
//   values[j][k] = map(inputs[i])[j]                     for each output of the map, which may have none
//   indices[d][k * index_step] = coordinate d of i        in an array of extents `space`, of as many elements
//   the k-th block of row_bytes at row_to = the row_bytes at rows.data + sum over d of i[d] * rows.strides[d]
// The results overlap nothing else. No extent is 0.
struct CompactCall {
  const Program* map = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  MaskBits mask;
  int64_t capacity = 0;
  void* values[Program::max_outputs] = {};
  int32_t nspace = 0;  // 0: no indices
  const int64_t* space = nullptr;
  int64_t* const* indices = nullptr;  // nspace addresses
  int64_t index_step = 1;
  int64_t row_bytes = 0;  // 0: no rows
  Operand rows;
  void* row_to = nullptr;
};

template <class Visitor>
void visit(Visitor& v, CompactCall& c) {
  v.name([&] {
    const bool values = !c.map->outputs.empty();
    return values ? text("select ", describe(*c.map)) : text(c.nspace > 0 ? "select indices" : "select rows");
  });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.space, c.nspace);
  v.numbers(c.indices, c.nspace);
  v.numbers(c.rows.strides, c.ndim);
  v.bytes([&] {  // results alone: what is read depends on the mask bits
    int64_t each = 8 * int64_t{c.nspace} + c.row_bytes;
    for (const int32_t o : c.map->outputs) each += item_size(c.map->nodes[static_cast<size_t>(o)].dtype);
    return c.capacity * each;
  });
}

// target[i] = values[k % nvalues] for the k-th selected element i of a shape, in row-major order, of elements
// of `item` bytes. The values are contiguous and do not overlap the target. No extent is 0.
struct MaskedScatterCall {
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  MaskBits mask;
  Operand target;
  int64_t item = 0;
  const void* values = nullptr;
  int64_t nvalues = 0;
};

template <class Visitor>
void visit(Visitor& v, MaskedScatterCall& c) {
  v.name([] { return "write at mask bits"; });
  v.shape(c.shape, c.ndim);
  v.numbers(c.target.strides, c.ndim);
  v.bytes([&] {  // the most: each element is read and written
    int64_t elements = 1;
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return 2 * elements * c.item;
  });
}

// Block p of a line of the result becomes block e of the same line of `from`: the first whose running count
// ends[e] is more than p, or the last one. Blocks of `block` bytes are contiguous, those of the result one
// after the other, `total` in a line; from.strides: from line to line and from block to block. No count is
// negative, no extent is 0, and the result overlaps nothing else.
struct RepeatCall {
  int64_t lines = 1, extent = 0, total = 0, block = 0;
  Operand from;
  const int64_t* ends = nullptr;
  void* to = nullptr;
};

template <class Visitor>
void visit(Visitor& v, RepeatCall& c) {
  v.name([] { return "repeat by counts"; });
  const int64_t shape[2] = {c.lines, c.total};
  v.extents(shape, 2);
  v.numbers(c.from.strides, 2);
  v.bytes([&] { return c.lines * (c.extent + c.total) * c.block + 8 * c.extent; });
}

// An index array: numbers `step` bytes apart, indices along an axis of `extent` elements whose steps in
// memory are `stride` bytes. rule: the look-up that makes a position of a number (op::index_check ...), 0
// where it is one. The word receives the largest number out of range; nullptr: none is.
struct IndexTerm {
  const void* data = nullptr;
  DType dtype = DType::int64_;
  int32_t rule = 0;
  int64_t step = 0, extent = 0, stride = 0;
  uint64_t* word = nullptr;
};

// Blocks at indices: for each line l, and each i < n in order, the block of `block` bytes at memory + l *
// line_stride + the sum over the terms of position(i) * stride. Read: to block l * n + i of `others`.
// Written: from there, or from its first block where others_step is 0; where a number is out of range nothing
// is. Blocks do not overlap those of other lines, nor the others, unless `overlaps`: then all of these are
// read before a block is written. At most four terms, no extent is 0.
struct TakePutCall {
  int32_t nterms = 0;
  const IndexTerm* terms = nullptr;
  int64_t n = 0, lines = 1, line_stride = 0, block = 0;
  char* memory = nullptr;
  char* others = nullptr;
  int64_t others_step = 0;  // `block`, or 0
  bool writes = false, overlaps = false;
};

template <class Visitor>
void visit(Visitor& v, TakePutCall& c) {
  v.name([&] { return text(c.writes ? "write at indices" : "read at indices"); });
  const int64_t shape[2] = {c.lines, c.n};
  v.extents(shape, 2);
  v.numbers(c.terms, c.nterms);
  v.bytes([&] {
    int64_t indices = 0;
    for (int32_t k = 0; k < c.nterms; ++k) indices += c.n * item_size(c.terms[k].dtype);
    return indices + 2 * c.lines * c.n * c.block;
  });
}

// Selects among at most compact_tile elements: the values whose flag is true one after the other, or with no
// values the numbers of these elements, int64. `to` has room for n of them and compact_slack bytes.
struct SmallCompactCall {
  int64_t n = 0;
  const void* flags = nullptr;
  const void* values = nullptr;
  int64_t item = 0;
  void* to = nullptr;
  int64_t* count = nullptr;  // receives how many they are
};
inline constexpr int64_t compact_slack = 64;

template <class Visitor>
void visit(Visitor& v, SmallCompactCall& c) {
  v.name([] { return "compact a few"; });
  v.extents(&c.n, 1);
  v.bytes([&] { return c.n * (1 + c.item); });
}

struct IndexingApi {
  int32_t (*scatter)(int32_t device, const ScatterCall*, void* stream, BackendError*);
  int32_t (*pack_mask)(int32_t device, const PackMaskCall*, void* stream, BackendError*);
  int32_t (*compact)(int32_t device, const CompactCall*, void* stream, BackendError*);
  int32_t (*masked_scatter)(int32_t device, const MaskedScatterCall*, void* stream, BackendError*);
  // nullptr: the device searches for the source of each result instead.
  int32_t (*repeat)(int32_t device, const RepeatCall*, void* stream, BackendError*);
  // nullptr: scatter and compact do it. For streams that run calls at once.
  int32_t (*take_put)(int32_t device, const TakePutCall*, void* stream, BackendError*);
  int32_t (*small_compact)(int32_t device, const SmallCompactCall*, void* stream, BackendError*);
  // A word, 0, for the faults of a call that comes next in the stream, and its end once the call was enqueued
  // or, with enqueued 0, was not. Where the word is not 0 after the call, the next call that waits for the
  // stream fails; where the call has run, fault_end does.
  int32_t (*fault_begin)(int32_t device, const FaultCall*, void* stream, void** word, BackendError*);
  int32_t (*fault_end)(int32_t device, void* word, int32_t enqueued, void* stream, BackendError*);
};

}  // namespace arr
