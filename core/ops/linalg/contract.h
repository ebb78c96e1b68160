// SPDX-License-Identifier: MIT
// Products of two arrays whose axes have labels, summed over the labels that the result lacks: what dot,
// tensordot, inner and einsum are.
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

// The product with axes in the order of `out`, whose labels the operands have; equal labels have equal
// extents. dtype: of the result, to which both operands are cast; bool is or of ands. Where there is
// something to sum and each operand has axes that the other lacks it is a matrix product, without copies
// where strides allow; else one pass. The result's order in memory is the one that is written without a copy.
Ref<Array> contract(const Labelled& a, const Labelled& b, const Labels& out, DType dtype, Stream* stream);

// One pass: the product of all operands summed over what `out` lacks. At most Program::max_inputs - 1.
Ref<Array> multiply_and_sum(std::span<const Labelled> operands, const Labels& out, DType dtype,
                            Stream* stream);

// The axes in that order. The other axes are summed in dtype.
Ref<Array> sum_to(const Labelled& a, const Labels& out, DType dtype, Stream* stream);

// A view whose axes have the labels of `out`, of extent 1 where the operand lacks one.
Ref<Array> aligned(const Labelled& a, const Labels& out);

}  // namespace arr
