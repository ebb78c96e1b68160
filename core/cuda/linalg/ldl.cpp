// SPDX-License-Identifier: MIT
// L D L' factors by a generated kernel, because cuSOLVER has none of Hermitian matrices.
#include <algorithm>

#include "array/layout.h"
#include "backend/linalg.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/linalg/calls.h"
#include "cuda/linalg/emit_ldl.h"

namespace arr::cuda {

void ldl(Device& d, const LinalgCall& c, Stream& s) {
  static auto* kernels = new Kernels;
  KernelKey key;
  key.shape = static_cast<uint64_t>(c.dtype);
  key.device = d.index;
  const Kernel& kernel = kernels->get(
      d, key, [&] { return emit_ldl(c.dtype); }, [&] { return text("ldl of ", name(c.dtype)); },
      [] { return Words{}; });
  constexpr int64_t max_blocks = 256;
  const int64_t blocks = std::min(c.count(), max_blocks);
  const int64_t numbers = checked::mul(c.n, checked::add(c.n, 2, "argument a"), "argument a");
  const int64_t bytes =
      checked::add(checked::mul(numbers, item_size(c.dtype), "argument a"),
                   checked::mul(c.n, 3 * int64_t{sizeof(int64_t)}, "argument a"), "argument a");
  // The integers begin at a multiple of 8 bytes.
  const Scratch scratch(d, s, checked::add(checked::mul(bytes, blocks, "argument a"), 8, "argument a"));
  Arguments args(ldl_words);
  for (int32_t i = 0; i < ldl_words; ++i) args.set(i, int64_t{0});
  args.set(ldl_count, c.count());
  args.set(ldl_n, c.n);
  args.set(ldl_lower, int64_t{c.lower ? 1 : 0});
  args.set(ldl_scratch, scratch.data());
  args.set(ldl_lu, c.x);
  args.set(ldl_d, c.left);
  args.set(ldl_permutation, c.pivots);
  args.set(ldl_info, c.info);
  args.set(ldl_a, c.a.data);
  args.set(ldl_a + 1, c.a.row);
  args.set(ldl_a + 2, c.a.column);
  args.set(ldl_batches, int64_t{c.nbatch});
  for (int32_t i = 0; i < c.nbatch; ++i) {
    args.set(ldl_batch + 2 * i, c.batch_shape[i]);
    args.set(ldl_batch + 2 * i + 1, c.a.batch[i]);
  }
  s.last_work.store(name(c.kind), std::memory_order_relaxed);
  launch(d, kernel, {blocks, 1, ldl_threads, 1}, args, s);
}

}  // namespace arr::cuda
