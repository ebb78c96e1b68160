// SPDX-License-Identifier: MIT
// Reads and updates of elements at computed indices, and selections by conditions.
#pragma once

#include "backend/elementwise.h"
#include "backend/fault.h"

namespace arr {

// for i in shape, in row-major order: the element at target.data + offset + sum over d of i[d] *
// target.strides[d] becomes combine(that element, values...), where (offset, values...) = map(inputs[i]).
// offset is int64, in bytes; every addressed element lies in the target. combine's one output has the dtype
// of its first input, which is the target's. Several i may address one element: they combine in order, or on
// a parallel device each exactly once, in no fixed order. Dimensions on which the offset does not depend
// address different elements. The target overlaps no input.
struct ScatterCall {
  const Program* map = nullptr;
  const Program* combine = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand target;  // target strides over the dimensions, 0 where only the offset determines the address
  int64_t dense =
      0;  // number of elements of the target if it is a block that begins at its data, otherwise 0
  bool distinct = false;  // no element of the target is addressed twice
};

template <class Visitor>
void visit(Visitor& v, ScatterCall& c) {
  v.name([&] { return text(describe(*c.combine), " at (", describe(*c.map), ")"); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.target.strides, c.ndim);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.bytes([&] {  // the target: each element is read and written
    int64_t elements = item_size(c.combine->inputs[0]);
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return 2 * elements;
  });
}

// A mask as bits, so that its condition is computed once. Bit i % 64 of bits[i / 64] belongs to element i in
// row-major order; the bits after the last element are 0. before[t] is the number of set bits before bit t *
// compact_tile, for each tile t and for the end.
inline constexpr int64_t compact_tile = 4096;
struct MaskBits {
  uint64_t* bits = nullptr;
  int64_t* before = nullptr;
  static int64_t words(int64_t elements) { return (elements + 63) / 64; }
  static int64_t tiles(int64_t elements) { return (elements + compact_tile - 1) / compact_tile; }
};

// Sets the mask bits to map(inputs[i]) for i in shape, which has no extent 0 (ndim 0 is one element). The map
// has one bool output.
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

// For the k-th selected element i of a shape, in row-major order, with k < capacity:
// values[j][k] = map(inputs[i])[j] for each output of the map, which may have none
// indices[d][k * index_step] = coordinate d of i in an array of extents `space` with the same number of
// elements
// the k-th block of row_bytes at row_to = the row_bytes at rows.data + sum over d of i[d] * rows.strides[d]
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
  v.bytes([&] {  // only the results: the inputs read depend on the mask
    int64_t each = 8 * int64_t{c.nspace} + c.row_bytes;
    for (const int32_t o : c.map->outputs) each += item_size(c.map->nodes[static_cast<size_t>(o)].dtype);
    return c.capacity * each;
  });
}

// target[i] = values[k % nvalues] for the k-th selected element i of a shape, in row-major order; elements
// have `item` bytes. The values are contiguous and do not overlap the target. No extent is 0.
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
  v.bytes([&] {  // an upper bound: each element is read and written
    int64_t elements = 1;
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return 2 * elements * c.item;
  });
}

// Block p of a line of the result is block e of the same line of `from`, where e is the first with a prefix
// sum ends[e] greater than p, or the last block. Blocks have `block` bytes and are contiguous; the result has
// `total` consecutive blocks per line. from.strides: between lines, and between blocks. No count is negative,
// no extent is 0, and the result overlaps nothing else.
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

// An index array: numbers `step` bytes apart that index an axis of `extent` elements with a stride of
// `stride` bytes. rule: the look-up that converts a number to a position (op::index_check ...), 0 if it is a
// position. word: receives the largest number out of range; nullptr if all are in range.
struct IndexTerm {
  const void* data = nullptr;
  DType dtype = DType::int64_;
  int32_t rule = 0;
  int64_t step = 0, extent = 0, stride = 0;
  uint64_t* word = nullptr;
};

// Blocks at indices: for each line l, and each i < n in order, the block of `block` bytes at memory + l *
// line_stride + the sum over the terms of position(i) * stride. A read copies it to block l * n + i of
// `others`; a write copies from there, or always from the first block if others_step is 0. If a number is out
// of range nothing is written. Blocks of different lines do not overlap each other or `others`, unless
// `overlaps` is set: then all of `others` is read before a block is written. At most four terms; no extent is
// 0.
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

// Compacts at most compact_tile elements: the values whose flag is true, or without values the int64 indices
// of these elements. `to` has room for n of them and compact_slack bytes.
struct SmallCompactCall {
  int64_t n = 0;
  const void* flags = nullptr;
  const void* values = nullptr;
  int64_t item = 0;
  void* to = nullptr;
  int64_t* count = nullptr;  // receives their number
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
  // nullptr: the device searches the source of each result instead.
  int32_t (*repeat)(int32_t device, const RepeatCall*, void* stream, BackendError*);
  // nullptr: scatter and compact are used instead. For streams that run calls at once.
  int32_t (*take_put)(int32_t device, const TakePutCall*, void* stream, BackendError*);
  int32_t (*small_compact)(int32_t device, const SmallCompactCall*, void* stream, BackendError*);
  // fault_begin: an error word, 0, for the next call in the stream. fault_end: called after that call was
  // enqueued or, with enqueued 0, was not. If the word is not 0 after the call, fault_end fails if the call
  // has already run; otherwise the next call that waits for the stream does.
  int32_t (*fault_begin)(int32_t device, const FaultCall*, void* stream, void** word, BackendError*);
  int32_t (*fault_end)(int32_t device, void* word, int32_t enqueued, void* stream, BackendError*);
};

}  // namespace arr
