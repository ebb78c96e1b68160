// SPDX-License-Identifier: MIT
// Products of sparse matrices by cuSPARSE or a generated kernel.
#include <algorithm>

#include "backend/sparse.h"
#include "cuda/codegen/kernels.h"
#include "cuda/sparse/calls.h"
#include "cuda/sparse/emit_product.h"
#include "cuda/sparse/plans.h"

namespace arr::cuda {

namespace {

// About as many threads as a row has elements on average.
int32_t lanes_for(const SparseProductCall& c) {
  if (c.columns > 1) return 1;
  int32_t lanes = 1;
  while (lanes < 32 && c.nnz / c.rows > lanes) lanes *= 2;
  return lanes;
}

// cuSPARSE multiplies floats and complex numbers where it is installed and the matrix has enough elements for
// its descriptors to cost less than they save. Graphs capture the kernel: a plan's buffer is not theirs.
// Versions before 12.8 fail above 2^31 elements.
constexpr int64_t min_nnz = 100000, max_nnz = INT32_MAX;
// cuSPARSE before 12.7.20 launches grids that are too large for more.
constexpr int64_t max_columns = int64_t{1} << 20;

// Algorithms that give the same bits each time. False if cuSPARSE does not have the product.
bool by_cusparse(Device& d, const SparseProductCall& c, Stream& s) {
  if (!is_floating(c.dtype) && !is_complex(c.dtype)) return false;
  if (c.nnz < min_nnz || c.nnz > max_nnz || s.capturing.load(std::memory_order_acquire)) return false;
  if (cusparse_if_there() == nullptr) return false;
  SparseWork work;
  work.dtype = c.dtype;
  work.index_type = c.index_type;
  work.rows = c.rows;
  work.inner = c.inner;
  work.nnz = c.nnz;
  work.ld = c.columns;
  work.pointers = c.pointers;
  work.indices = c.indices;
  for (int64_t first = 0; first < c.columns; first += max_columns) {
    work.columns = std::min(c.columns - first, max_columns);
    const int64_t skipped = first * item_size(c.dtype);
    const SparseOperands now{c.data, static_cast<const char*>(c.x) + skipped,
                             static_cast<char*>(c.y) + skipped};
    if (!run_by_plan(d, s, work, now, false, c.plans)) return false;
  }
  return true;
}

}  // namespace

void sparse_product(Device& d, const SparseProductCall& c, Stream& s) {
  if (by_cusparse(d, c, s)) return;
  static auto* kernels = new Kernels;
  const int32_t lanes = lanes_for(c);
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(c.dtype) | static_cast<uint64_t>(c.index_type) << 8 |
              static_cast<uint64_t>(lanes) << 16 | static_cast<uint64_t>(c.semiring) << 24;
  const Kernel& kernel = kernels->get(
      d, key, [&] { return emit_sparse_product(c.semiring, c.dtype, c.index_type, lanes); },
      [&] { return text("sparse product of ", name(c.dtype)); }, [] { return Words{}; });
  Arguments args(product_words);
  args.set(product_data, c.data);
  args.set(product_indices, c.indices);
  args.set(product_pointers, c.pointers);
  args.set(product_x, c.x);
  args.set(product_y, c.y);
  args.set(product_rows, c.rows);
  args.set(product_columns, c.columns);
  constexpr int64_t max_blocks = int64_t{1} << 20;
  const int64_t threads = checked::mul(c.rows, c.columns * lanes, "the product");
  Grid g;
  g.x = std::min(checked::ceil_div(threads, block_threads), max_blocks);
  g.block_x = block_threads;
  s.last_work.store("sparse product", std::memory_order_relaxed);
  launch(d, kernel, g, args, s);
}

}  // namespace arr::cuda
