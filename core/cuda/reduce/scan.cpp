// SPDX-License-Identifier: MIT
// Chooses and launches the kernels of a scan by its shape. Few long rows are cut into tiles, whose blocks
// pass results on to each other. Few long columns are cut into parts: a reduction computes the total of each
// part, a scan of the totals the prefix of each part, and then every part is scanned on its own.
#include <algorithm>
#include <bit>
#include <vector>

#include "backend/reduce.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/look_back.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/scratch.h"
#include "cuda/reduce/calls.h"
#include "cuda/reduce/emit_scan.h"

namespace arr::cuda {

namespace {

constexpr int64_t enough_blocks = 256;  // enough to keep any device busy
constexpr int64_t max_parts = 1024;     // max parts of one sequence: one block then scans their totals
constexpr int64_t min_columns_part = 64;

struct Plan {
  ScanShape shape;
  int64_t sequences = 1, length = 1, part = 0, parts = 1, blocks = 1;
  int64_t tiles = 0;  // tiles of a row whose blocks look back
};

// The first operand in memory determines whether adjacent elements belong to different sequences.
bool kept_runs_fastest(const ScanCall& c) {
  if (c.ndim < 2 || c.shape[c.ndim - 2] < 8) return false;
  for (size_t k = 0; k < c.map->inputs.size(); ++k) {
    if (c.operands[k].data == nullptr) continue;
    const int64_t* s = c.operands[k].strides;
    const int64_t kept = s[c.ndim - 2], scanned = s[c.ndim - 1];
    return kept != 0 && (kept < 0 ? -kept : kept) < (scanned < 0 ? -scanned : scanned);
  }
  return false;
}

// Up to a warp without an idle lane; then as many warps as take the row at once.
void lanes(const ScanCall& c, Plan* plan) {
  ScanShape& s = plan->shape;
  Width width;
  for (size_t k = 0; k < c.map->inputs.size(); ++k)
    if (!is_load_base(*c.map, k)) width.add(c.operands[k], item_size(c.map->inputs[k]), c.ndim);
  width.add(c.output, item_size(c.out), c.ndim);
  s.vector = width.elements();
  while (s.vector > 1 && s.vector > plan->length) s.vector /= 2;
  const auto all = static_cast<uint64_t>(checked::ceil_div(plan->length, s.vector));
  const auto share = static_cast<uint64_t>(checked::ceil_div(plan->length, std::max(s.each, s.vector)));
  s.lanes = static_cast<int32_t>(share <= 32 ? std::min<uint64_t>(32, std::bit_ceil(all))
                                             : std::min<uint64_t>(block_threads, std::bit_ceil(share)));
  // Tiles of a whole block are larger if a thread keeps less state for them.
  if (plan->length >= block_threads * max_scan_each && item_size(c.acc) <= 4) s.each = max_scan_each;
  s.each = std::max(s.each, s.vector);
  s.packed = s.vector > 1 && aligned(c.output, item_size(c.out), s.vector, c.ndim, c.shape);
}

void split_rows(Plan* plan) {
  ScanShape& s = plan->shape;
  const int64_t tile = int64_t{s.lanes} * s.each;
  plan->blocks = checked::ceil_div(plan->sequences, block_threads / s.lanes);
  if (plan->blocks >= enough_blocks || plan->length < 4 * tile || s.lanes != block_threads) return;
  plan->tiles = checked::ceil_div(plan->length, tile);
  plan->blocks = plan->sequences * plan->tiles;
  s.split = true;
}

void split_columns(Plan* plan) {
  plan->blocks = checked::ceil_div(plan->sequences, block_threads);
  if (plan->blocks >= enough_blocks || plan->length < 4 * min_columns_part) return;
  const int64_t wanted = std::min(checked::ceil_div(4 * enough_blocks, plan->blocks), max_parts);
  const int64_t parts = std::min(wanted, plan->length / (2 * min_columns_part)), step = min_columns_part;
  plan->part = checked::ceil_div(checked::ceil_div(plan->length, parts), step) * step;
  plan->parts = checked::ceil_div(plan->length, plan->part);
  plan->shape.split = plan->parts > 1;
}

Plan plan_of(const ScanCall& c) {
  Plan plan;
  const int32_t last = c.ndim - 1;
  for (int32_t d = 0; d < last; ++d) plan.sequences *= c.shape[d];
  plan.length = c.shape[last];
  ScanShape& s = plan.shape;
  s.kept = last;
  s.kind = kept_runs_fastest(c) ? ScanShape::columns : ScanShape::rows;
  if (s.kind == ScanShape::rows) {
    lanes(c, &plan);
    split_rows(&plan);
  } else {
    split_columns(&plan);
  }
  // A step past the end must not overflow either.
  s.wide = plan.sequences > INT32_MAX || plan.length > INT32_MAX - 2 * block_threads * max_scan_each ||
           reach(c.ndim, c.shape, c.output.strides) > INT32_MAX;
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, s.vector, &s.wide);
  return plan;
}

KernelKey key_of(const ScanCall& c, const Plan& plan, int32_t device) {
  const ScanShape& s = plan.shape;
  KernelKey key;
  key.device = device;
  // The two top bits distinguish scans from reductions and element-wise kernels of the same program.
  key.shape = uint64_t{3} << 62 | static_cast<uint64_t>(s.kind) | static_cast<uint64_t>(s.kept) << 1 |
              static_cast<uint64_t>(s.lanes) << 8 | static_cast<uint64_t>(s.split) << 24 |
              static_cast<uint64_t>(s.wide) << 25 | static_cast<uint64_t>(c.acc) << 26 |
              static_cast<uint64_t>(c.out) << 34 | static_cast<uint64_t>(c.reduction->number) << 42 |
              static_cast<uint64_t>(std::countr_zero(static_cast<uint32_t>(s.vector))) << 48 |
              static_cast<uint64_t>(s.packed) << 51 | static_cast<uint64_t>(s.each) << 52;
  key.access = access_bits(s.access);
  return key;
}

void fill(const ScanCall& c, const Plan& plan, const Words& w, Arguments* args) {
  for (int32_t i = 0; i < w.count; ++i) args->set(i, int64_t{0});
  args->set(0, plan.sequences);
  args->set(1, plan.length);
  args->set(scan_output_word, c.output.data);
  args->set(scan_part_word, plan.tiles != 0 ? plan.tiles : plan.part);
  set_extents(c.shape, plan.shape.kept, plan.shape.wide, w, args);
  for (int32_t d = 0; d < c.ndim; ++d) args->set(w.output + d, c.output.strides[d]);
  set_operands(c.operands, plan.shape.access, w, c.ndim, args);
}

// Computes the prefix of each part but the first: carry[part - 1][sequence].
void carries(Device& d, const ScanCall& c, const Plan& plan, void* carry, Stream& s) {
  const int32_t last = c.ndim - 1;
  const auto n = static_cast<size_t>(c.ndim);
  const int64_t item = item_size(c.acc);
  // Kept: the part, then the sequence's dimensions; reduced: within the part.
  std::vector<int64_t> shape = {plan.parts - 1}, to = {plan.sequences * item};
  shape.insert(shape.end(), c.shape, c.shape + last);
  shape.push_back(plan.part);
  to.resize(n);
  int64_t step = item;
  for (size_t i = n - 1; i > 0; --i) {
    to[i] = step;
    step *= shape[i];
  }
  std::vector<std::vector<int64_t>> strides;
  std::vector<Operand> operands;
  strides.reserve(c.map->inputs.size());
  for (size_t k = 0; k < c.map->inputs.size(); ++k) {
    Operand o = c.operands[k];
    if (o.data != nullptr) {
      std::vector<int64_t>& at = strides.emplace_back(o.strides, o.strides + c.ndim);
      at.insert(at.begin(), plan.part * o.strides[last]);
      o.strides = at.data();
    }
    operands.push_back(o);
  }
  ReduceCall totals;
  totals.reduction = c.reduction;
  totals.map = c.map;
  totals.acc = totals.out = c.acc;
  totals.ndim = c.ndim + 1;
  totals.nkept = c.ndim;
  totals.shape = shape.data();
  totals.operands = operands.data();
  totals.output = {carry, to.data(), {}};
  reduce(d, totals, s);
  if (plan.parts == 2) return;
  const int64_t extents[2] = {plan.sequences, plan.parts - 1}, steps[2] = {item, plan.sequences * item};
  const int32_t first = plan.sequences == 1 ? 1 : 0;
  const Operand in = {carry, steps + first, {}};
  ScanCall sums;
  sums.reduction = c.reduction;
  sums.map = &single_cast(c.acc, c.acc);
  sums.acc = sums.out = c.acc;
  sums.ndim = 2 - first;
  sums.shape = extents + first;
  sums.operands = &in;
  sums.output = in;
  scan(d, sums, s);
}

}  // namespace

std::string scan_text(const ScanCall& c) {
  return emit_scan(*c.reduction, *c.map, c.acc, c.out, plan_of(c).shape);
}

void scan(Device& d, const ScanCall& c, Stream& s) {
  const Plan plan = plan_of(c);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(c, plan, d.index), [&] { return emit_scan(*c.reduction, *c.map, c.acc, c.out, plan.shape); },
      [&] { return text("scan by ", c.reduction->name, "(", describe(*c.map), ")"); },
      [&] { return scan_words(plan.shape); });
  Arguments args(kernel.words.count);
  fill(c, plan, kernel.words, &args);
  const Grid g{plan.blocks, plan.parts, block_threads, 1};
  if (!plan.shape.split) {
    launch(d, kernel, g, args, s);
    return;
  }
  if (plan.tiles != 0) {
    const LookBackMemory size = look_back_memory(item_size(c.acc), plan.sequences, plan.tiles);
    const Scratch status(d, s, size.bytes);
    args.set(scan_carry_word, status.data());
    d.check(driver().cuMemsetD8Async(reinterpret_cast<uintptr_t>(status.data()), 0,
                                     static_cast<size_t>(size.zeroed), s.handle),
            "cuMemsetD8Async", &s);
    launch(d, kernel, g, args, s);
    return;
  }
  const Scratch carry(d, s, plan.sequences * (plan.parts - 1) * item_size(c.acc));
  carries(d, c, plan, carry.data(), s);
  args.set(scan_carry_word, carry.data());
  launch(d, kernel, g, args, s);
}

}  // namespace arr::cuda
