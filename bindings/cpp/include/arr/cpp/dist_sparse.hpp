/* SPDX-License-Identifier: MIT */
/* dist_sparse.hpp - sparse matrices whose rows are divided among ranks.
 *
 *   arr::dist_sparse a(comm, rows);
 *   arr::array x = arr::solve_cg(a.op(), b).x;  // this rank's part */
#ifndef ARR_CPP_DIST_SPARSE_HPP
#define ARR_CPP_DIST_SPARSE_HPP
#include <arr/cpp/comm.hpp>
#include <arr/cpp/linop.hpp>

#include <vector>

namespace arr {

/** This rank's part of a sparse matrix. It moves, and does not copy. */
class dist_sparse : public owner<arr_dist_sparse, arr_dist_sparse_release> {
 public:
  using owner::owner;
  dist_sparse() = default;
  /** Makes a matrix of the rows of all ranks. counts: the number of elements that each rank has of a vector
   * that is multiplied; none: as many as rows. */
  dist_sparse(const comm& c, const sparse& rows, const std::vector<int64_t>& counts = {}) {
    const auto n = static_cast<int32_t>(counts.size());
    check(arr_dist_sparse_create(c.get(), rows.get(), n, counts.data(), nullptr, put()));
  }
  arr_dist_sparse_properties info() const {
    return detail::filled<arr_dist_sparse_properties>(
        [&](arr_dist_sparse_properties* p) { return arr_dist_sparse_info(get(), p); });
  }
  /** Returns the block of this rank's rows and columns, of which its preconditioner is made. */
  sparse block() const {
    sparse out;
    check(arr_dist_sparse_block(get(), out.put()));
    return out;
  }
  /** Returns the operator, which solvers take. */
  linop op() const {
    return linop::made([&](arr_linop* out) { return arr_linop_from_dist_sparse(get(), out); });
  }
  /** Computes this rank's part of a product. */
  array operator()(const array& x, int32_t how = ARR_MATRIX_PLAIN) const {
    array out;
    check(arr_dist_sparse_matmul(get(), x.get(), how, nullptr, out.put()));
    return out;
  }
};

inline array operator*(const dist_sparse& a, const array& x) { return a(x); }

}  // namespace arr
#endif
