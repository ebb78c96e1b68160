// SPDX-License-Identifier: MIT
// Sparse arrays of any number of dimensions: one key for each element, its index in row-major order.
#pragma once

#include <span>
#include <vector>

#include "ops/indexing/index.h"
#include "ops/sparse/sparse.h"

namespace arr {

// The shape of a matrix or of an array; strides count elements, as in row-major order.
Layout shape_of(const Sparse& a);
// The result of an operation on the elements of an array, in the array's shape; of a matrix as it is.
Ref<Sparse> in_shape_of(const Sparse& a, Ref<Sparse> result);

// An array of the caller's parts: data and, for each axis, the index of each element, which are checked and
// copied. Of two dimensions it is a matrix in coo. Waits.
Ref<Sparse> sparse_coo_nd(Shape given, const Array& data, std::span<const Array* const> coords,
                          Stream* stream);
// The nonzero elements of an array of other than two dimensions; waits for their number.
Ref<Sparse> sparse_from_dense_nd(const Array& a, Stream* stream);
Ref<Array> to_dense_nd(const Sparse& a, Order order, Stream* stream);
// The index of each element along an axis, or along all of them in this shape of as many elements; in the
// type of the matrix's indices.
Ref<Array> coordinates_of(const Sparse& a, int32_t axis, Stream* stream);
std::vector<Ref<Array>> coordinates_of(const Sparse& a, const Layout& shape, Stream* stream);

// The elements in row-major order in another shape, in which one extent may be -1; in coo.
Ref<Sparse> reshape_nd(const Sparse& a, Shape given, Stream* stream);
// The axes in another order; reversed if none are given.
Ref<Sparse> permute_dims(const Sparse& a, std::span<const int32_t> axes, Stream* stream);
// The reduction along the axes of a mask; see sparse_reduce.
Ref<Array> sparse_reduce_axes(const ReductionInfo& r, const Sparse& a, uint32_t axes, bool keepdims,
                              DType dtype, Stream* stream);
// The sums of products over pairs of axes; the axes of a that are left come before those of b. Of shape (1,)
// if none is left. Waits.
struct ContractedAxes {
  std::span<const int32_t> a, b;
};
Ref<Sparse> sparse_tensordot(const Sparse& a, const Sparse& b, const ContractedAxes& axes, Stream* stream);

// a[...] by NumPy's rules; a single element is of shape (1,). Waits for the number of elements.
Ref<Sparse> get_items_nd(const Sparse& a, std::span<const Index> indices, Stream* stream);
// A copy in which a block replaces a[...]; the last of several values wins. Canonical.
Ref<Sparse> with_items_nd(const Sparse& a, std::span<const Index> indices, const Sparse& block,
                          Stream* stream);
// Arrays of one shape except for an axis, joined along it or along a new one, in the type to which all
// promote.
Ref<Sparse> concatenate_nd(std::span<const Sparse* const> parts, int32_t axis, Stream* stream);
Ref<Sparse> stack_nd(std::span<const Sparse* const> parts, int32_t axis, Stream* stream);

// ---------------------------------------------------------------------------------------- for the other
// files

// The shape, whose product fits a key. Throws for others.
Layout checked_shape(Shape shape);
// The index of each element in row-major order.
Ref<Array> linear_keys(const Sparse& a, Stream* stream);
// The array, or matrix in coo, of elements with these keys.
Ref<Sparse> from_keys(const Layout& shape, const Keyed& e, bool canonical, bool wide, Stream* stream);
// A matrix whose rows are the elements along some axes, its columns those along the others.
Ref<Sparse> as_matrix(const Sparse& a, std::span<const int32_t> rows, std::span<const int32_t> columns,
                      Stream* stream);

}  // namespace arr
