// SPDX-License-Identifier: MIT
// Products of vectors, matrices and tensors other than matmul, powers, traces and norms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arr/products.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

// Sums over the last axis of a and the last but one of b (or its only one); an operand without dimensions
// multiplies all elements.
Ref<Array> dot(const Array& a, const Array& b, Stream* stream);
// conj(a) * b, broadcast and summed over axes (a mask), in one pass.
Ref<Array> sum_of_products(const Array& a, const Array& b, uint32_t axes, DType out, Stream* stream);
// The sum of conj(a) * b over all elements in row-major order.
Ref<Array> vdot(const Array& a, const Array& b, Stream* stream);
// Sums over the last axes of both.
Ref<Array> inner(const Array& a, const Array& b, Stream* stream);
Ref<Array> outer(const Array& a, const Array& b, Stream* stream);
// Sums over axes of a paired with axes of b.
Ref<Array> tensordot(const Array& a, const Array& b, std::span<const int32_t> axes_a,
                     std::span<const int32_t> axes_b, Stream* stream);
Ref<Array> kron(const Array& a, const Array& b, Stream* stream);
// Column-wise Kronecker product: (..., m, k) and (..., n, k) give (..., m n, k).
Ref<Array> khatri_rao(const Array& a, const Array& b, Stream* stream);

Ref<Array> matrix_power(const Array& a, int64_t n, Stream* stream);
// The product of two or more matrices in the order of least cost; the first and the last may be vectors.
Ref<Array> multi_dot(std::span<const Array* const> arrays, Stream* stream);

// A view: elements a[.., i, .., i + offset, ..] along a new last axis.
Ref<Array> diagonal(const Array& a, int64_t offset, int32_t axis1, int32_t axis2);
// dtype none: as for sum.
Ref<Array> trace(const Array& a, int64_t offset, int32_t axis1, int32_t axis2, DType dtype, Stream* stream);

// Einstein sum. path: pairs of indices as returned by einsum_path.
enum class PathMethod : int32_t {
  automatic = ARR_EINSUM_AUTO,
  none = ARR_EINSUM_NONE,
  greedy = ARR_EINSUM_GREEDY,
  optimal = ARR_EINSUM_OPTIMAL
};
Ref<Array> einsum(std::string_view text, std::span<const Array* const> operands, PathMethod method,
                  Stream* stream);
struct EinsumPath {
  std::vector<std::vector<int32_t>> steps;  // indices in the list of remaining operands; results are appended
  double cost = 0, naive = 0;  // number of operations by the path, and in one pass over all labels
};
// In the order of a path, a text as parse_path() reads.
Ref<Array> einsum(std::string_view text, std::span<const Array* const> operands, std::string_view path,
                  Stream* stream);
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

// The condition number: the norm times that of the inverse.
Ref<Array> cond(const Array& a, NormKind kind, double ord, Stream* stream);

}  // namespace arr
