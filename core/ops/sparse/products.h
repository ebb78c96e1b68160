// SPDX-License-Identifier: MIT
// Products of sparse matrices.
#pragma once

#include "backend/sparse_semiring.h"
#include "ops/linalg/gemm.h"
#include "ops/sparse/sparse.h"

namespace arr {

class Expression;

// Throw unless the operands of a product are on one device and fit; the shape of the product.
void check_devices(Device a, Device b);
Layout product_shape(const Sparse& a, const Array& x);
Extents product_extents(const Sparse& a, const Sparse& b);

// a @ x for a vector, or a matrix of which every column is multiplied. Results are dense, in C order.
Ref<Array> matmul(const Sparse& a, const Array& x, Stream* stream);
// dst = alpha (a @ x) + beta dst. Without beta, or with one of 0, dst is not read; a and x are not read with
// an alpha of 0.
struct Scaling {
  std::optional<Factor> alpha, beta;
};
void matmul_into(const Array& dst, const Sparse& a, const Array& x, const Scaling& by, Stream* stream);
// out = the rows of a @ x from `first` on, as many as out has, at least one element. a: in csr. data: its
// elements, of the type of x and out. All are contiguous.
void rows_into(const Array& out, const Sparse& a, const Array& data, const Array& x, int64_t first,
               Stream* stream, SparseSemiring semiring = SparseSemiring::ordinary);
// The elements of a product that are computed: those of a matrix or, of the complement, all others.
struct Mask {
  const Sparse* of = nullptr;  // nullptr: all
  bool complement = false;
};
// a @ b in type d by the backend's call, both in csr. mask: as in SparseGemmCall, canonical in csr. wide: in
// int64 indices. Waits.
Ref<Sparse> product_by_rows(const Sparse& a, const Sparse& b, DType d, bool wide, SparseSemiring semiring,
                            const Mask& mask, Stream* stream);
// The most columns of its result, because each row is in memory for all columns.
inline constexpr int64_t max_row_columns = int64_t{1} << 24;
// A node of an expression for the arrays a @ x, in[0], in[1] ...
Ref<Array> matmul_expr(const Sparse& a, const Array& x, const Expression& e, int32_t node,
                       std::span<const Array* const> in, Stream* stream);
// The sum of the data at each index of 0 .. n - 1, of a backend whose products scatter.
Ref<Array> sums_at(const Array& data, const Array& indices, int64_t n, Stream* stream);
// x @ a.
Ref<Array> matmul(const Array& x, const Sparse& a, Stream* stream);
// a @ b in csr, without elements whose sum is 0. Waits.
Ref<Sparse> matmul(const Sparse& a, const Sparse& b, Stream* stream);

}  // namespace arr
