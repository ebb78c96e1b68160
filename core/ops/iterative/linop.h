// SPDX-License-Identifier: MIT
// Linear operators: anything that has products with vectors.
#pragma once

#include "ops/comm/comm.h"
#include "ops/sparse/sparse.h"

namespace arr {

class SparseFactor;

// A product with the operator, its transpose, its conjugate, or both, its adjoint.
struct Mode {
  bool transposed = false, conjugated = false;
  friend bool operator==(const Mode&, const Mode&) = default;
};
inline constexpr Mode plain_mode{}, transpose_mode{true, false}, adjoint_mode{true, true};
constexpr Mode both(const Mode& a, const Mode& b) {
  return {a.transposed != b.transposed, a.conjugated != b.conjugated};
}

// The ranks among which an operator's vectors are divided: how many elements of a product and of its operand
// each has.
struct Ranks {
  Ref<Comm> comm;
  std::vector<int64_t> rows, columns;
  [[nodiscard]] Extents whole() const;
};

// Never changed. Where the vectors are divided among ranks, all of them make the same products, each with its
// parts.
class LinearOperator : public Object {
 public:
  LinearOperator(const Extents& shape, DType type, Device where, std::shared_ptr<const Ranks> among = nullptr)
      : extents(shape), ranks(std::move(among)), dtype(type), device(where) {}
  const Extents extents;  // of this rank's vectors
  const std::shared_ptr<const Ranks> ranks;
  const DType dtype;
  const Device device;

  // The communicator of the ranks; null for an operator of one rank alone.
  [[nodiscard]] Comm* comm() const noexcept { return ranks ? ranks->comm.get() : nullptr; }
  // The extents of all ranks together.
  [[nodiscard]] Extents whole() const;
  [[nodiscard]] virtual bool has_adjoint() const { return true; }
  // The product with a vector or with the columns of a matrix, whose number of rows fits. The result may be x
  // itself.
  [[nodiscard]] virtual Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const = 0;
  // The diagonal and the sum of the magnitudes of each column; null if the operator does not store its
  // elements.
  [[nodiscard]] virtual Ref<Array> diagonal(Stream*) const { return {}; }
  [[nodiscard]] virtual Ref<Array> column_sums(Stream*) const { return {}; }
  // The operator for products with vectors of that type: what it converts for each product is converted once.
  [[nodiscard]] virtual Ref<LinearOperator> in_type(DType, Stream*) const { return share(); }

  [[nodiscard]] Ref<LinearOperator> share() const {
    return Ref<LinearOperator>::share(const_cast<LinearOperator*>(this));
  }
};

Ref<LinearOperator> linop_of(const Sparse& a);
Ref<LinearOperator> linop_of(const Array& a);
// The inverse of a factored matrix.
Ref<LinearOperator> linop_of(const SparseFactor& f);
Ref<LinearOperator> linop_identity(int64_t n, DType dtype, Device device);
// The diagonal matrix of a vector.
Ref<LinearOperator> linop_diagonal(const Array& d);
// 1 / the diagonal of a matrix, and 1 where that is 0.
Ref<LinearOperator> linop_jacobi(const Sparse& matrix, Stream* stream);
// One V-cycle of multigrid by smoothed aggregation, for a symmetric, positive definite matrix; strength: how
// large the elements of neighbours are that are aggregated. Waits.
Ref<LinearOperator> linop_multigrid(const Sparse& a, double strength, Stream* stream);
// The operator whose plain product is that one.
Ref<LinearOperator> linop_turned(const LinearOperator& a, const Mode& mode);
Ref<LinearOperator> linop_sum(const LinearOperator& a, const LinearOperator& b);
// alpha: a scalar.
Ref<LinearOperator> linop_scaled(const LinearOperator& a, const Input& alpha);
Ref<LinearOperator> linop_product(const LinearOperator& a, const LinearOperator& b);
Ref<LinearOperator> linop_power(const LinearOperator& a, int64_t p);
// The operator with the same products, whose vectors are the parts that the ranks of a communicator have. All
// of them make it.
Ref<LinearOperator> linop_over(const LinearOperator& a, Comm& comm);

// times(), after a check of x.
Ref<Array> apply(const LinearOperator& a, const Mode& mode, const Array& x, Stream* stream);
// Throws unless the operator is square.
void check_square(const LinearOperator& a, const char* argument);
// Throws if the operator's vectors are divided among ranks.
void check_undivided(const LinearOperator& a, const char* argument);
// conj(x), or x itself if it is real.
Ref<Array> conjugate(const Array& x, Stream* stream);

}  // namespace arr
