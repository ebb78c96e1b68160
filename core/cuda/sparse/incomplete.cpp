// SPDX-License-Identifier: MIT
// Incomplete factors by rounds of a generated kernel; cuSPARSE's functions for them are deprecated.
#include <algorithm>

#include "backend/sparse.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/sparse/calls.h"
#include "cuda/sparse/emit_incomplete.h"

namespace arr::cuda {

namespace {

constexpr int64_t block_rows = incomplete_block_rows;

// The numbers of a factorization on the device.
struct State {
  uint64_t pending = 0, failed = 0;
};
State read(Device& d, const Scratch& from, Stream& s) {
  State found;
  d.check(driver().cuMemcpyDtoHAsync_v2(&found, reinterpret_cast<CUdeviceptr>(from.data()), sizeof found,
                                        s.handle),
          "cuMemcpyDtoHAsync", &s);
  d.check(driver().cuStreamSynchronize(s.handle), "cuStreamSynchronize", &s);
  return found;
}

void clear(Device& d, const Scratch& x, int64_t bytes, Stream& s) {
  d.check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(x.data()), 0, static_cast<size_t>(bytes),
                                   s.handle),
          "cuMemsetD8Async", &s);
}

const Kernel& kernel_for(Device& d, const SparseIncompleteCall& c) {
  static auto* kernels = new Kernels;
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(c.dtype) | static_cast<uint64_t>(c.index_type) << 8 |
              static_cast<uint64_t>(c.cholesky ? 1 : 0) << 16;
  return kernels->get(
      d, key, [&] { return emit_incomplete(c.dtype, c.index_type, c.cholesky); },
      [&] { return text("incomplete factors of ", name(c.dtype)); }, [] { return Words{}; });
}

}  // namespace

void sparse_incomplete(Device& d, const SparseIncompleteCall& c, Stream& s) {
  refuse_capture(s);
  const Kernel& kernel = kernel_for(d, c);
  const int64_t blocks = checked::ceil_div(c.n, block_rows), bytes = blocks * int64_t{sizeof(int64_t)};
  const Scratch diagonal(d, s, checked::mul(c.n, item_size(c.index_type), "argument a"));
  const Scratch first(d, s, bytes), second(d, s, bytes), state(d, s, sizeof(State));
  clear(d, first, bytes, s);
  clear(d, state, sizeof(State), s);
  Arguments args(incomplete_words);
  args.set(incomplete_pointers, c.pointers);
  args.set(incomplete_indices, c.indices);
  args.set(incomplete_data, c.data);
  args.set(incomplete_diagonal, diagonal.data());
  args.set(incomplete_state, state.data());
  args.set(incomplete_n, c.n);
  Grid g;
  constexpr int64_t max_blocks = int64_t{1} << 20;
  g.x = std::min(checked::ceil_div(blocks, block_threads), max_blocks);
  g.block_x = block_threads;
  s.last_work.store("incomplete factors", std::memory_order_relaxed);
  State found;
  constexpr int64_t max_rounds_at_once = 1024;
  int64_t round = 0;
  // Each round factors a row at least: the first one that is not factored.
  for (int64_t end = 1; round < c.n; end = round + std::min(round, max_rounds_at_once)) {
    while (round < end) {
      ++round;
      args.set(incomplete_now, (round % 2 == 1 ? first : second).data());
      args.set(incomplete_next, (round % 2 == 1 ? second : first).data());
      args.set(incomplete_round, round);
      launch(d, kernel, g, args, s);
    }
    found = read(d, state, s);
    if (found.pending < static_cast<uint64_t>(round)) break;
  }
  const int64_t failed = c.n - static_cast<int64_t>(found.failed);
  d.check(driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(c.failed), &failed, sizeof failed,
                                        s.handle),
          "cuMemcpyHtoDAsync", &s);
  d.check(driver().cuStreamSynchronize(s.handle), "cuStreamSynchronize", &s);
}

}  // namespace arr::cuda
