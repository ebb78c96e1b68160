// SPDX-License-Identifier: MIT
// Chooses and launches the kernel of a reduction by its shape.
#include <algorithm>
#include <bit>

#include "backend/reduce.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/scratch.h"
#include "cuda/reduce/axis_order.h"
#include "cuda/reduce/calls.h"
#include "cuda/reduce/emit_reduce.h"

namespace arr::cuda {

namespace {

constexpr int64_t enough_blocks = 256;  // enough to keep any device busy
constexpr int32_t max_vector = 16;
constexpr int64_t min_part = 16;  // elements per thread that justify another block

struct Plan {
  ReduceShape shape;
  int64_t outputs = 1, reduced = 1, part = 0, parts = 1, blocks = 1;
};

// The first operand in memory decides whether neighbouring elements are kept or reduced.
bool has_columns(const ReduceCall& c) {
  if (c.nkept == 0) return false;
  if (c.nkept == c.ndim) return true;
  for (size_t k = 0; k < c.map->inputs.size(); ++k) {
    const Operand& o = c.operands[k];
    if (o.data == nullptr) continue;
    return kept_runs_fastest(o, c.nkept, c.ndim, c.shape);
  }
  return false;
}

// Consecutive elements per access: only along rows of one dimension, and not more than a row has.
int32_t vector_of(const ReduceCall& c, const Plan& plan) {
  if (plan.shape.kind != ReduceShape::rows || plan.shape.reduced != 1) return 1;
  Width width;
  for (size_t k = 0; k < c.map->inputs.size(); ++k)
    if (!is_load_base(*c.map, k)) width.add(c.operands[k], item_size(c.map->inputs[k]), c.ndim);
  int32_t v = width.elements();
  while (v > 1 && v > plan.reduced) v /= 2;
  return v;
}

int32_t lanes_of(const Plan& plan) {
  if (plan.shape.kind == ReduceShape::columns) {
    return plan.reduced < 16 || plan.outputs >= enough_blocks * block_threads ? 1 : 8;
  }
  if (plan.reduced > 1024 && plan.outputs < 4096) return block_threads;
  auto share = static_cast<uint64_t>(checked::ceil_div(plan.reduced, std::max(8, plan.shape.vector)));
  return static_cast<int32_t>(std::min<uint64_t>(32, std::bit_ceil(std::max<uint64_t>(share, 1))));
}

// Few outputs with many elements: several blocks share each.
void split(Plan* plan) {
  int64_t lanes = plan->shape.lanes;
  plan->blocks = checked::ceil_div(plan->outputs, block_threads / lanes);
  if (plan->blocks >= enough_blocks || plan->reduced < 2 * lanes * min_part) return;
  int64_t parts =
      std::min(checked::ceil_div(2 * enough_blocks, plan->blocks), plan->reduced / (lanes * min_part));
  const int64_t step = lanes * plan->shape.vector;
  plan->part = checked::ceil_div(checked::ceil_div(plan->reduced, parts), step) * step;
  plan->parts = checked::ceil_div(plan->reduced, plan->part);
  plan->shape.split = plan->parts > 1;
}

Plan plan_of(const ReduceCall& c) {
  Plan plan;
  for (int32_t d = 0; d < c.nkept; ++d) plan.outputs *= c.shape[d];
  for (int32_t d = c.nkept; d < c.ndim; ++d) plan.reduced *= c.shape[d];
  plan.shape.kept = c.nkept;
  plan.shape.reduced = c.ndim - c.nkept;
  plan.shape.kind = has_columns(c) ? ReduceShape::columns : ReduceShape::rows;
  plan.shape.initial = c.initial.dtype != DType::none;
  plan.shape.vector = vector_of(c, plan);
  plan.shape.lanes = lanes_of(plan);
  split(&plan);
  // A step past the end must not overflow either.
  plan.shape.wide = plan.outputs > INT32_MAX || plan.reduced > INT32_MAX - 2 * block_threads * max_vector ||
                    reach(c.nkept, c.shape, c.output.strides) > INT32_MAX;
  plan.shape.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, plan.shape.vector, &plan.shape.wide);
  return plan;
}

KernelKey key_of(const ReduceCall& c, const Plan& plan, int32_t device) {
  const ReduceShape& s = plan.shape;
  KernelKey key;
  key.device = device;
  // The top bit distinguishes reductions from element-wise kernels of the same program.
  key.shape = uint64_t{1} << 63 | static_cast<uint64_t>(s.kind) | static_cast<uint64_t>(s.kept) << 1 |
              static_cast<uint64_t>(s.reduced) << 8 | static_cast<uint64_t>(s.lanes) << 15 |
              static_cast<uint64_t>(s.split) << 24 | static_cast<uint64_t>(s.wide) << 25 |
              static_cast<uint64_t>(c.acc) << 26 | static_cast<uint64_t>(c.out) << 34 |
              static_cast<uint64_t>(c.reduction->number) << 42 | static_cast<uint64_t>(s.initial) << 50 |
              static_cast<uint64_t>(std::countr_zero(static_cast<uint32_t>(s.vector))) << 51;
  key.access = access_bits(s.access);
  return key;
}

void fill(const ReduceCall& c, const Plan& plan, const Words& w, Arguments* args) {
  for (int32_t i = 0; i < w.count; ++i) args->set(i, int64_t{0});
  args->set(0, plan.outputs);
  args->set(1, plan.reduced);
  args->set(reduce_output_word, c.output.data);
  args->set(reduce_part_word, plan.part);
  args->set(reduce_correction_word, std::bit_cast<int64_t>(c.correction));
  args->set(reduce_initial_word, c.initial);
  set_extents(c.shape, c.ndim, plan.shape.wide, w, args);
  for (int32_t d = 0; d < c.nkept; ++d) args->set(w.output + d, c.output.strides[d]);
  for (int32_t d = 0; d < plan.shape.reduced && c.index_strides != nullptr; ++d) {
    args->set(w.steps + d, c.index_strides[d]);
  }
  set_operands(c.operands, plan.shape.access, w, c.ndim, args);
}

// Bytes of the state S of emit_reduce.cpp, at most: those of math/states.h hold up to five float64.
int64_t state_bytes(const ReduceCall& c) {
  int64_t value = item_size(c.acc);
  if (c.reduction->kind == ReduceKind::STATE) return 48;
  if (c.reduction->kind == ReduceKind::VALUE) return value;
  return value == 16 && c.acc == DType::complex128_ ? 32 : 16;
}

// Counters that are 0 between reductions, because each kernel resets its own.
CUdeviceptr tickets(Device& d, Stream& s) {
  const std::lock_guard lock(s.mutex);
  if (s.tickets != 0) return s.tickets;
  CUdeviceptr fresh = 0;
  static_assert(enough_blocks * sizeof(unsigned) <= ticket_bytes &&
                SizeClass::bytes(SizeClass::of(ticket_bytes)) == ticket_bytes);
  constexpr size_t bytes = ticket_bytes;
  d.check(driver().cuMemAlloc_v2(&fresh, bytes), "cuMemAlloc");
  CUresult r = driver().cuMemsetD8Async(fresh, 0, bytes, s.handle);
  if (r != CUDA_SUCCESS) d.note(driver().cuMemFree_v2(fresh), "cuMemFree");
  d.check(r, "cuMemsetD8Async", &s);
  s.tickets = fresh;
  return fresh;
}

}  // namespace

std::string reduction_text(const ReduceCall& c) {
  return emit_reduce(*c.reduction, *c.map, c.acc, c.out, plan_of(c).shape);
}

void reduce(Device& d, const ReduceCall& c, Stream& s) {
  const Plan plan = plan_of(c);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(c, plan, d.index),
      [&] { return emit_reduce(*c.reduction, *c.map, c.acc, c.out, plan.shape); },
      [&] { return text(c.reduction->name, "(", describe(*c.map), ")"); },
      [&] { return reduce_words(plan.shape); });
  Arguments args(kernel.words.count);
  fill(c, plan, kernel.words, &args);
  Grid g{plan.blocks, plan.parts, block_threads, 1};
  if (!plan.shape.split) {
    launch(d, kernel, g, args, s);
    return;
  }
  const Scratch partial(d, s, plan.outputs * plan.parts * state_bytes(c));
  args.set(reduce_partial_word, partial.data());
  args[reduce_ticket_word] = tickets(d, s);
  launch(d, kernel, g, args, s);
}

}  // namespace arr::cuda
