// SPDX-License-Identifier: MIT
// Systems with banded matrices by generated kernels, because cuSOLVER has none for them.
#include <algorithm>

#include "array/layout.h"
#include "backend/linalg.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/linalg/calls.h"
#include "cuda/linalg/emit_banded.h"

namespace arr::cuda {

void banded(Device& d, const LinalgCall& c, Stream& s) {
  static auto* kernels = new Kernels;
  const bool definite = c.kind == LinalgKind::banded_cholesky;
  KernelKey key;
  key.shape = static_cast<uint64_t>(c.dtype) | (definite ? uint64_t{256} : uint64_t{0});
  key.device = d.index;
  const Kernel& kernel = kernels->get(
      d, key, [&] { return emit_banded(c.dtype, definite); },
      [&] { return text(name(c.kind), " of ", name(c.dtype)); }, [] { return Words{}; });
  constexpr int64_t max_blocks = 1024;  // enough to keep any device busy
  const int64_t below = definite ? c.m - 1 : c.columns, above = definite ? 0 : c.m - 1 - below;
  const int64_t blocks = std::min(c.count(), max_blocks),
                rows = checked::add(c.m, definite ? 0 : below, "the diagonals");
  const int64_t numbers = checked::mul(checked::mul(rows, c.n, "the factors"), blocks, "the factors");
  const Scratch scratch(d, s, checked::mul(numbers, item_size(c.dtype), "the factors"));
  Arguments args(banded_words);
  for (int32_t i = 0; i < banded_words; ++i) args.set(i, int64_t{0});
  args.set(banded_count, c.count());
  args.set(banded_n, c.n);
  args.set(banded_k, c.k);
  args.set(banded_below, below);
  args.set(banded_above, above);
  args.set(banded_lower, int64_t{c.lower ? 1 : 0});
  args.set(banded_scratch, scratch.data());
  args.set(banded_x, c.x);
  args.set(banded_info, c.info);
  for (const auto& [word, m] : {std::pair{banded_a, &c.a}, std::pair{banded_b, &c.b}}) {
    args.set(word, m->data);
    args.set(word + 1, m->row);
    args.set(word + 2, m->column);
  }
  args.set(banded_batches, int64_t{c.nbatch});
  for (int32_t i = 0; i < c.nbatch; ++i) {
    args.set(banded_batch + 3 * i, c.batch_shape[i]);
    args.set(banded_batch + 3 * i + 1, c.a.batch[i]);
    args.set(banded_batch + 3 * i + 2, c.b.batch[i]);
  }
  s.last_work.store(name(c.kind), std::memory_order_relaxed);
  launch(d, kernel, {blocks, 1, 128, 1}, args, s);
}

}  // namespace arr::cuda
