// SPDX-License-Identifier: MIT
// Triangular solves with sparse matrices by cuSPARSE.
#include "backend/sparse.h"
#include "cuda/device/scratch.h"
#include "cuda/sparse/calls.h"
#include "cuda/sparse/plans.h"

namespace arr::cuda {

// A solve with the plain matrix, not its transpose: only that gives the same bits each time.
void sparse_triangular(Device& d, const SparseTriangularCall& c, Stream& s) {
  if (cusparse_if_there() == nullptr || s.capturing.load(std::memory_order_acquire) || c.nnz > INT32_MAX) {
    fail(ARR_E_UNSUPPORTED, "cuSPARSE is not there, or the work is captured, or has 2^31 elements");
  }
  SparseWork work;
  work.kind = SparseWork::Kind::triangular;
  work.dtype = c.dtype;
  work.index_type = c.index_type;
  work.lower = c.lower;
  work.unit = c.unit;
  work.rows = work.inner = c.n;
  work.nnz = c.nnz;
  work.columns = work.ld = c.columns;
  work.pointers = c.pointers;
  work.indices = c.indices;
  const int64_t bytes = checked::mul(c.n * c.columns, item_size(c.dtype), "the right-hand sides");
  const Scratch b(d, s, bytes);
  d.check(
      driver().cuMemcpyDtoDAsync_v2(reinterpret_cast<CUdeviceptr>(b.data()),
                                    reinterpret_cast<CUdeviceptr>(c.x), static_cast<size_t>(bytes), s.handle),
      "cuMemcpyDtoDAsync", &s);
  if (run_by_plan(d, s, work, {c.data, b.data(), c.x}, c.constant, c.plans)) return;
  fail(ARR_E_UNSUPPORTED, "cuSPARSE does not have this solve");
}

}  // namespace arr::cuda
