// SPDX-License-Identifier: MIT
// Order statistics by radix selection: chooses the number of threads per row, and launches step after step
// without waiting on the host.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

#include "backend/statistics.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/scratch.h"
#include "cuda/statistics/calls.h"
#include "cuda/statistics/emit_quantiles.h"

namespace arr::cuda {

namespace {

constexpr int64_t short_row = 1024;     // rows for a warp
constexpr int64_t enough_blocks = 256;  // enough to keep any device busy
constexpr int64_t min_part = 4096;      // elements of a block that shares a row

struct Plan {
  QuantileShape shape;
  int64_t blocks = 1, parts = 1, part = 0;
  int32_t steps = 1;  // 8 bits each, and one for the next larger element
};

Plan plan_of(const QuantileCall& c) {
  Plan plan;
  if (c.n <= short_row && c.nq <= 8) {
    plan.shape.lanes = 32;
    plan.shape.slots = 4;
  }
  plan.blocks = checked::ceil_div(c.rows, block_threads / plan.shape.lanes);
  plan.steps = static_cast<int32_t>(item_size(c.dtype)) + (c.elements ? 0 : 1);
  plan.part = c.n;
  if (plan.shape.lanes != block_threads || c.rows >= enough_blocks || c.n < 4 * min_part) return plan;
  const int64_t wanted = checked::ceil_div(2 * enough_blocks, c.rows);
  plan.part = std::max(min_part, checked::ceil_div(c.n, wanted));
  plan.parts = checked::ceil_div(c.n, plan.part);
  plan.shape.split = true;
  return plan;
}

Kernels& quantile_kernels() {
  static auto* k = new Kernels;
  return *k;
}

const Kernel& kernel_of(Device& d, const QuantileCall& c, const QuantileShape& s) {
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(c.dtype) | static_cast<uint64_t>(s.lanes) << 8 |
              static_cast<uint64_t>(s.slots) << 24 | static_cast<uint64_t>(s.split) << 32;
  return quantile_kernels().get(
      d, key, [&] { return emit_quantiles(c.dtype, s); },
      [&] { return text("quantiles of ", name(c.dtype)); }, [] { return Words{}; });
}

void fill(const QuantileCall& c, const Plan& plan, Arguments* args) {
  for (int32_t i = 0; i < args->count(); ++i) args->set(i, int64_t{0});
  args->set(quantile_data_word, c.data);
  args->set(quantile_out_word, c.out);
  args->set(quantile_rows_word, c.rows);
  args->set(quantile_n_word, c.n);
  args->set(quantile_method_word, static_cast<int64_t>(c.method));
  args->set(quantile_flags_word, int64_t{c.skip_nan ? 1 : 0} + (c.elements ? 2 : 0));
  args->set(quantile_steps_word, int64_t{plan.steps});
  args->set(quantile_part_word, plan.part);
}

// A block sorts one row at a time in its own memory.
void weighted(Device& d, const QuantileCall& c, Stream& s) {
  KernelKey key;
  key.device = d.index;
  key.shape =
      uint64_t{1} << 40 | static_cast<uint64_t>(c.dtype);  // a bit that the other kernels' shapes do not have
  const Kernel& kernel = quantile_kernels().get(
      d, key, [&] { return emit_weighted(c.dtype); },
      [&] { return text("quantiles with weights of ", name(c.dtype)); }, [] { return Words{}; });
  const int64_t blocks = std::min(c.rows, enough_blocks), position_bytes = 3 * int64_t{sizeof(int64_t)};
  const Scratch scratch(
      d, s, checked::mul(blocks, checked::mul(c.n, position_bytes, "a row's room"), "the rows' room") + 8);
  Arguments args(weighted_words);
  for (int32_t i = 0; i < weighted_words; ++i) args.set(i, int64_t{0});
  args.set(quantile_data_word, c.data);
  args.set(quantile_out_word, c.out);
  args.set(quantile_rows_word, c.rows);
  args.set(quantile_n_word, c.n);
  args.set(quantile_flags_word, int64_t{c.skip_nan ? 1 : 0});
  args.set(quantile_scratch_word, scratch.data());
  args.set(weighted_weights_word, c.weights);
  args.set(weighted_row_word, c.weights_row);
  for (int64_t first = 0; first < c.nq; first += weighted_slots) {
    const int64_t wanted = std::min<int64_t>(weighted_slots, c.nq - first);
    args.set(quantile_wanted_word, wanted);
    args.set(weighted_first_word, first);
    for (int32_t i = 0; i < wanted; ++i)
      args.set(weighted_q_word + i, std::bit_cast<int64_t>(c.q[first + i]));
    launch(d, kernel, {blocks, 1, block_threads, 1}, args, s);
  }
}

}  // namespace

void quantiles(Device& d, const QuantileCall& c, Stream& s) {
  if (c.weights != nullptr) return weighted(d, c, s);
  const Plan plan = plan_of(c);
  const Kernel& kernel = kernel_of(d, c, plan.shape);
  // In ascending order of q, and so of the wanted elements.
  std::vector<int64_t> order(static_cast<size_t>(c.nq));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return c.q[a] < c.q[b]; });
  const int64_t room = checked::mul(c.rows, quantile_row_bytes(plan.shape.slots), "the rows' room");
  std::optional<Scratch> scratch;
  if (plan.shape.split) scratch.emplace(d, s, room);
  Arguments args(quantile_words(plan.shape.slots));
  fill(c, plan, &args);
  if (scratch) args.set(quantile_scratch_word, scratch->data());
  const Grid g{plan.blocks, plan.parts, block_threads, 1};
  for (int64_t first = 0; first < c.nq; first += plan.shape.slots) {
    const int64_t wanted = std::min<int64_t>(plan.shape.slots, c.nq - first);
    args.set(quantile_wanted_word, wanted);
    for (int32_t i = 0; i < wanted; ++i) {
      const int64_t at = order[static_cast<size_t>(first + i)];
      args.set(quantile_q_word + i, std::bit_cast<int64_t>(c.q[at]));
      args.set(quantile_q_word + plan.shape.slots + i, at);
    }
    if (!scratch) {
      launch(d, kernel, g, args, s);
      continue;
    }
    d.check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(scratch->data()), 0,
                                     static_cast<size_t>(room), s.handle),
            "cuMemsetD8Async", &s);
    for (int32_t pass = 0; pass < plan.steps; ++pass) {
      args.set(quantile_pass_word, int64_t{pass});
      launch(d, kernel, g, args, s);
    }
  }
}

}  // namespace arr::cuda
