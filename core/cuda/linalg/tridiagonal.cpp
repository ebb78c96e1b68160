// SPDX-License-Identifier: MIT
// Tridiagonal systems by a generated kernel.
#include "array/layout.h"
#include "backend/linalg.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/linalg/calls.h"
#include "cuda/linalg/emit_tridiagonal.h"

namespace arr::cuda {

void tridiagonal(Device& d, const TridiagonalCall& c, Stream& s) {
  static auto* kernels = new Kernels;
  KernelKey key;
  key.shape = static_cast<uint64_t>(c.dtype);
  key.device = d.index;
  const Kernel& kernel = kernels->get(
      d, key, [&] { return emit_tridiagonal(c.dtype); },
      [&] { return text("tridiagonal solve of ", name(c.dtype)); }, [] { return Words{}; });
  const int64_t count = c.count(),
                numbers = checked::mul(checked::mul(count, c.n, "the systems"), 3, "the systems");
  const Scratch scratch(d, s, checked::mul(numbers, item_size(c.dtype), "the systems"));
  Arguments args(tridiagonal_words);
  for (int32_t i = 0; i < tridiagonal_words; ++i) args.set(i, int64_t{0});
  args.set(0, count);
  args.set(1, c.n);
  args.set(2, scratch.data());
  args.set(tridiagonal_batch - 1, int64_t{c.nbatch});
  int32_t at = 0;
  for (const auto* v : {&c.lower, &c.diagonal, &c.upper, &c.b, &c.x, &c.info}) {
    args.set(tridiagonal_address + at, v->data);
    if (at < tridiagonal_vectors - 1) args.set(tridiagonal_step + at, v->step);
    for (int32_t i = 0; i < c.nbatch; ++i) {
      args.set(tridiagonal_batch + (tridiagonal_vectors + 1) * i + 1 + at, v->batch[i]);
    }
    ++at;
  }
  for (int32_t i = 0; i < c.nbatch; ++i) {
    args.set(tridiagonal_batch + (tridiagonal_vectors + 1) * i, c.batch_shape[i]);
  }
  s.last_work.store("tridiagonal solve", std::memory_order_relaxed);
  // Blocks of a warp spread few systems over many multiprocessors.
  constexpr int32_t threads = 32;
  Grid g;
  g.x = checked::ceil_div(count, threads);
  g.block_x = threads;
  launch(d, kernel, g, args, s);
}

}  // namespace arr::cuda
