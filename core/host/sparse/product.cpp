// SPDX-License-Identifier: MIT
// Products of sparse and dense matrices: threads get as many elements of the sparse one.
#include <algorithm>
#include <cstring>

#include "backend/sparse.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/loops/sparse/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

// Each part of the lines has its own sums. Their number depends on the matrix only, and so do the bits of
// the result.
void scatter(const SparseProductCall& c) {
  constexpr int64_t max_parts = 8;
  const auto& loops = sparse_loops();
  const auto d = static_cast<size_t>(c.dtype);
  const bool elements = c.x == nullptr;
  const auto loop =
      (elements ? loops.scatter_elements : loops.scatter)[d][c.index_type == DType::int64_ ? 1 : 0];
  const int64_t size = checked::mul(c.outputs, c.columns, "the product");
  // A second thread is worth as many elements as there are sums, which it clears and adds; others twice as
  // many.
  const int64_t least = std::max(c.outputs, serial_elements);
  const int64_t parts = std::clamp<int64_t>(c.nnz / (2 * least), c.nnz < least ? 1 : 2, max_parts);
  const int64_t bytes = checked::mul(size, loops.sum_bytes[d], "the product");
  // One part adds to the result.
  const bool direct = parts == 1 && loops.sum_bytes[d] == item_size(c.dtype);
  const PoolBlock memory(direct ? 0 : checked::mul(parts, bytes, "the sums of parts"));
  char* const sums = direct ? static_cast<char*>(c.y) : memory.data();
  const SparseRows all{0, c.rows, c.columns, c.nnz, c.data, c.indices, c.pointers, c.x, nullptr};
  with_index_type(c.index_type, [&]<class I>(I) {
    const auto* pointers = static_cast<const I*>(c.pointers);
    const int64_t end = elements ? c.nnz : c.rows, work = elements ? c.nnz : c.rows + c.nnz;
    const auto begin = [&](int64_t part) {
      if (part == 0 || part == parts) return part == 0 ? int64_t{0} : end;
      const int64_t before = work / parts * part;
      return elements ? before : line_after(pointers, c.rows, before);
    };
    parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        SparseRows some = all;
        some.first = begin(part);
        some.last = begin(part + 1);
        some.y = sums + part * bytes;
        std::memset(some.y, 0, static_cast<size_t>(bytes));
        loop(some);
      }
    });
  });
  if (direct) return;
  parallel_ranges(size, serial_elements,
                  [&](int64_t first, int64_t last) { loops.gather[d](parts, size, first, last, sums, c.y); });
}

}  // namespace

void sparse_product(const SparseProductCall& c) {
  if (c.scatters) return scatter(c);
  const auto& loops = c.semiring == SparseSemiring::ordinary
                          ? sparse_loops().product
                          : sparse_loops().semiring_product[static_cast<size_t>(c.semiring)];
  const auto loop = loops[static_cast<size_t>(c.dtype)][c.index_type == DType::int64_ ? 1 : 0];
  const SparseRows all{0, c.rows, c.columns, c.nnz, c.data, c.indices, c.pointers, c.x, c.y};
  const int64_t grain = serial_elements / 4 / std::min<int64_t>(c.columns, 8);
  with_index_type(c.index_type, [&]<class I>(I) {
    parallel_lines(static_cast<const I*>(c.pointers), c.rows, grain, 4, [&](int64_t first, int64_t last) {
      SparseRows some = all;
      some.first = first;
      some.last = last;
      loop(some);
    });
  });
}

}  // namespace arr::host
