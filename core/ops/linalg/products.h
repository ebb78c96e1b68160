// SPDX-License-Identifier: MIT
// Products of vectors, matrices and tensors beyond matmul, their powers, traces and norms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arr/products.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

// The last axis of a with the last but one of b (or its only one); a number with anything is a product of
// numbers.
Ref<Array> dot(const Array& a, const Array& b, Stream* stream);
// conj(a) * b summed over axes (a mask) of what both broadcast to, in one pass.
Ref<Array> sum_of_products(const Array& a, const Array& b, uint32_t axes, DType out, Stream* stream);
// conj(a) . b of all elements in row-major order.
Ref<Array> vdot(const Array& a, const Array& b, Stream* stream);
// The last axes of both.
Ref<Array> inner(const Array& a, const Array& b, Stream* stream);
Ref<Array> outer(const Array& a, const Array& b, Stream* stream);
// Axes of a with as many axes of b, one by one.
Ref<Array> tensordot(const Array& a, const Array& b, std::span<const int32_t> axes_a,
                     std::span<const int32_t> axes_b, Stream* stream);
Ref<Array> kron(const Array& a, const Array& b, Stream* stream);
// Column by column: (..., m, k) and (..., n, k) give (..., m n, k).
Ref<Array> khatri_rao(const Array& a, const Array& b, Stream* stream);

Ref<Array> matrix_power(const Array& a, int64_t n, Stream* stream);
// The product of two or more matrices in the order that costs least; the first and the last may be vectors.
Ref<Array> multi_dot(std::span<const Array* const> arrays, Stream* stream);

// A view: elements a[.., i, .., i + offset, ..] along a new last axis.
Ref<Array> diagonal(const Array& a, int64_t offset, int32_t axis1, int32_t axis2);
// dtype none: that of sum.
Ref<Array> trace(const Array& a, int64_t offset, int32_t axis1, int32_t axis2, DType dtype, Stream* stream);

// Einstein's sum of products. path: pairs of positions as einsum_path returns them.
enum class PathMethod : int32_t {
  automatic = ARR_EINSUM_AUTO,
  none = ARR_EINSUM_NONE,
  greedy = ARR_EINSUM_GREEDY,
  optimal = ARR_EINSUM_OPTIMAL
};
Ref<Array> einsum(std::string_view text, std::span<const Array* const> operands, PathMethod method,
                  Stream* stream);
struct EinsumPath {
  std::vector<std::vector<int32_t>> steps;  // positions in the list of what is left; results go to its end
  double cost = 0, naive = 0;               // operations by the path, and in one pass over all labels
};
EinsumPath einsum_path(std::string_view text, std::span<const Array* const> operands, PathMethod method);

// Norms of matrices; those of vectors are in reduce/average.h.
enum class NormKind : int32_t {
  standard = ARR_NORM_DEFAULT,
  power = ARR_NORM_P,
  frobenius = ARR_NORM_FRO,
  nuclear = ARR_NORM_NUC
};
Ref<Array> matrix_norm(const Array& a, NormKind kind, double ord, int32_t row, int32_t column, bool keepdims,
                       Stream* stream);
// axes: one for vectors, two for matrices, none for the array as a whole.
Ref<Array> norm(const Array& a, NormKind kind, double ord, std::span<const int32_t> axes, bool keepdims,
                Stream* stream);

// The condition number of a matrix: its norm times that of its inverse.
Ref<Array> cond(const Array& a, NormKind kind, double ord, Stream* stream);

}  // namespace arr
