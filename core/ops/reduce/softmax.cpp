// SPDX-License-Identifier: MIT
// Softmax and its logarithm: as a row pipeline if the backend is faster with one, otherwise by a reduction
// and programs.
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/row_pipeline.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// The value that is subtracted from the elements so that their exponentials do not overflow. As in SciPy it
// is 0 for a row whose largest element is infinite.
int32_t offset_of(ProgramBuilder& b, int32_t largest) {
  return b.op(op::where, b.op(op::isfinite, largest), largest, number(b, 0));
}

// x - y in dtype acc, and its exponential.
int32_t shifted(ProgramBuilder& b, DType acc, const int32_t* in) {
  return b.op(op::subtract, b.cast(in[0], acc), in[1]);
}
int32_t share(ProgramBuilder& b, DType acc, const int32_t* in) { return b.op(op::exp, shifted(b, acc, in)); }

int32_t largest_of(RowPipeline& rows, DType acc) {
  return rows.reduce(reduction::max, acc, {0},
                     [&](ProgramBuilder& b, const int32_t* in) { return b.cast(in[0], acc); });
}

// Reads each row once from memory. acc: the dtype of the computation.
Ref<Array> softmax_by_blocks(const Array& a, uint32_t axes, DType acc, DType out, Stream* stream) {
  RowPipeline rows(a, axes);
  auto itself = [](ProgramBuilder&, const int32_t* in) { return in[0]; };
  const int32_t largest = largest_of(rows, acc);
  const int32_t part =
      rows.map(acc, {0, largest}, [&](ProgramBuilder& b, const int32_t* in) { return share(b, acc, in); });
  const int32_t sum = rows.reduce(reduction::sum, acc, {part}, itself);
  const int32_t factor = rows.map(
      acc, {sum}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::divide, number(b, 1), in[0]); });
  return rows.result(out, {part, factor}, stream,
                     [](ProgramBuilder& b, const int32_t* in) { return b.op(op::multiply, in[0], in[1]); });
}

Ref<Array> log_softmax_by_blocks(const Array& a, uint32_t axes, DType acc, DType out, Stream* stream) {
  RowPipeline rows(a, axes);
  const int32_t largest = largest_of(rows, acc);
  const int32_t offset =
      rows.map(acc, {largest}, [](ProgramBuilder& b, const int32_t* in) { return offset_of(b, in[0]); });
  const int32_t sum = rows.reduce(reduction::sum, acc, {0, offset},
                                  [&](ProgramBuilder& b, const int32_t* in) { return share(b, acc, in); });
  const int32_t rest =
      rows.map(acc, {sum}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::log, in[0]); });
  return rows.result(out, {0, offset, rest}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::subtract, shifted(b, acc, in), in[2]);
  });
}

// One pass over the array computes the largest element and the sum of each row, a second one the results.
Ref<Array> softmax_of_pairs(const Array& a, uint32_t axes, bool logarithm, DType acc, DType out,
                            Stream* stream) {
  // The two numbers of a row are returned as one complex number, whose parts are two arrays.
  Ref<Array> pair = reduce(*reduction_info(reduction::logsumexp_pair), a, axes, true, {}, stream);
  Ref<Array> largest = make<Array>(pair->buffer, pair->data, acc, pair->layout);
  Ref<Array> sum = make<Array>(pair->buffer, pair->data + item_size(acc), acc, pair->layout);
  if (!logarithm) {
    // As in SciPy, all results of a row are nan if its largest element is infinite or nan.
    Ref<Array> factor = compute({sum.get(), largest.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
      const int32_t whole = b.op(op::add, in[0], b.op(op::subtract, in[1], in[1]));
      return b.op(op::divide, number(b, 1), whole);
    });
    return compute({&a, largest.get(), factor.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.cast(b.op(op::multiply, share(b, acc, in), in[2]), out);
    });
  }
  Ref<Array> offset = compute({largest.get()}, stream,
                              [](ProgramBuilder& b, const int32_t* in) { return offset_of(b, in[0]); });
  Ref<Array> rest =
      compute({sum.get()}, stream, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::log, in[0]); });
  return compute({&a, offset.get(), rest.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::subtract, shifted(b, acc, in), in[2]), out);
  });
}

}  // namespace

Ref<Array> softmax(const Array& a, uint32_t axes, bool logarithm, Stream* stream) {
  const DType acc = resolve(*reduction_info(reduction::logsumexp_pair), a.dtype).acc;
  const DType out = is_floating(a.dtype) ? a.dtype : acc;
  if (!RowPipeline::suits(a, axes, stream)) {
    return softmax_of_pairs(a, axes, logarithm, acc, out, stream);
  }
  return logarithm ? log_softmax_by_blocks(a, axes, acc, out, stream)
                   : softmax_by_blocks(a, axes, acc, out, stream);
}

}  // namespace arr
