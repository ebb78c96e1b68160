// SPDX-License-Identifier: MIT
// Products of sparse matrices by a generated kernel.
#include <algorithm>

#include "backend/sparse.h"
#include "cuda/codegen/kernels.h"
#include "cuda/sparse/calls.h"
#include "cuda/sparse/emit_product.h"

namespace arr::cuda {

namespace {

// About as many threads as a row has elements on average.
int32_t lanes_for(const SparseProductCall& c) {
  if (c.columns > 1) return 1;
  int32_t lanes = 1;
  while (lanes < 32 && c.nnz / c.rows > lanes) lanes *= 2;
  return lanes;
}

}  // namespace

void sparse_product(Device& d, const SparseProductCall& c, Stream& s) {
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
