// SPDX-License-Identifier: MIT
// Products of two arrays whose axes have labels, summed over labels that the result does not have: the basis
// of dot, tensordot, inner and einsum.
#pragma once

#include <vector>

#include "ops/elementwise/array_ops.h"

namespace arr {

using Labels = std::vector<int32_t>;

// An array whose axes have labels, each at most once.
struct Labelled {
  Ref<Array> array;
  Labels labels;
};

// The product with axes in the order of `out`, whose labels occur in the operands; equal labels have equal
// extents. dtype: of the result, to which both operands are cast; for bool it is the or of ands. If there are
// summed labels and each operand has axes that the other does not have, it is a matrix product, without
// copies where strides allow; otherwise one pass. The result has the memory order that is written without a
// copy.
Ref<Array> contract(const Labelled& a, const Labelled& b, const Labels& out, DType dtype, Stream* stream);

// The product of all operands, summed over labels that `out` does not have, in one pass. At most
// Program::max_inputs - 1 operands.
Ref<Array> multiply_and_sum(std::span<const Labelled> operands, const Labels& out, DType dtype,
                            Stream* stream);

// Permutes the axes to that order, and sums over the others in dtype.
Ref<Array> sum_to(const Labelled& a, const Labels& out, DType dtype, Stream* stream);

// A view whose axes have the labels of `out`, with extent 1 for labels that the operand does not have.
Ref<Array> aligned(const Labelled& a, const Labels& out);

}  // namespace arr
