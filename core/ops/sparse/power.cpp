// SPDX-License-Identifier: MIT
// Sums of Kronecker products and powers of sparse matrices.
#include "expr/op_numbers.h"
#include "expr/ops.h"
#include "ops/sparse/build.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/join.h"
#include "ops/sparse/products.h"

namespace arr {

namespace {

void check_square(const Sparse& a, const char* argument) {
  if (a.extents.rows == a.extents.columns) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape (", a.extents.rows, ",", a.extents.columns,
       "), expected a square matrix");
}

}  // namespace

Ref<Sparse> kronsum(const Sparse& a, const Sparse& b, SparseFormat format, Stream* stream) {
  check_square(a, "a");
  check_square(b, "b");
  const DType d = promote(a.dtype(), b.dtype());
  const auto one = [&](const Sparse& of) { return sparse_eye(of.extents, 0, d, of.device(), stream); };
  const Ref<Sparse> left = kron(*one(b), a, SparseFormat::csr, stream),
                    right = kron(b, *one(a), SparseFormat::csr, stream);
  return convert(*sparse_binary(*op_info(op::add), *left, *right, stream), format, stream);
}

Ref<Sparse> matrix_power(const Sparse& a, int64_t n, Stream* stream) {
  check_square(a, "a");
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative; a sparse matrix has no sparse inverse");
  if (n == 0) return sparse_eye(a.extents, 0, a.dtype(), a.device(), stream);
  Ref<Sparse> square = convert(a, SparseFormat::csr, stream), out;
  for (; n != 0; n /= 2) {
    if (n % 2 != 0) out = out ? matmul(*out, *square, stream) : square;
    if (n > 1) square = matmul(*square, *square, stream);
  }
  return out;
}

}  // namespace arr
