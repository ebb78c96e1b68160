// SPDX-License-Identifier: MIT
// Solves for the columns of sparse matrices, some at a time.
#include <algorithm>
#include <vector>

#include "ops/linalg/lapack_call.h"
#include "ops/sparse/factor.h"
#include "ops/sparse/items.h"
#include "ops/sparse/join.h"

namespace arr {

Ref<Sparse> solve(const SparseFactor& f, const Sparse& b, LinalgOp op, Stream* stream) {
  // Columns are dense while they are solved.
  constexpr int64_t elements = int64_t{1} << 21, least = 16;
  const auto [rows, columns] = b.extents;
  if (rows != f.n) {
    fail(ARR_E_SHAPE, "argument b: shape (", rows, ", ", columns, "), expected ", f.n, " rows");
  }
  if (b.device() != f.device) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(f.device), " and on ", device_text(b.device()));
  }
  const Ref<Sparse> right = convert(b, SparseFormat::csc, stream);
  const int64_t step = std::max(least, elements / std::max<int64_t>(rows, 1));
  std::vector<Ref<Sparse>> solved;
  std::vector<const Sparse*> parts;
  int64_t first = 0;
  do {
    const int64_t count = std::min(step, columns - first);
    const Ref<Sparse> some =
        count == columns ? right->share() : lines_at(*right, Chosen{first, 1, count, {}, true}, stream);
    const Ref<Array> x = solve(f, *to_dense(*some, Order::F, stream), op, stream);
    solved.push_back(sparse_from_dense(*x, SparseFormat::csc, stream));
    parts.push_back(solved.back().get());
    first += count;
  } while (first < columns);
  return solved.size() == 1 ? solved.front() : concatenate(parts, 1, SparseFormat::csc, stream);
}

Ref<Sparse> sparse_solve(const Sparse& a, const Sparse& b, Stream* stream) {
  const DType d = promote(lapack_type(a.dtype(), "a"), lapack_type(b.dtype(), "b"));
  return solve(*sparse_lu(*typed(a, d, stream), {}, stream), b, LinalgOp::none, stream);
}

}  // namespace arr
