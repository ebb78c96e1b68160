// SPDX-License-Identifier: MIT
// Chooses and launches the kernel of an elementwise call by the operands' layouts.
#include <algorithm>
#include <bit>

#include "array/layout.h"
#include "backend/elementwise.h"
#include "cuda/codegen/emit_elementwise.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/elementwise/calls.h"

namespace arr::cuda {

namespace {

constexpr size_t max_operands = Program::max_inputs + Program::max_outputs;

struct Plan {
  ElementwiseShape shape;
  int64_t inner = 1, rows = 1, size = 1;
  int32_t across = -1;  // tiled: the dimension along which the transposed inputs run, next to the last
};

// Bytes of each operand's elements.
struct Items {
  explicit Items(const Program& p)
      : count(p.inputs.size() + p.outputs.size()), inputs(p.inputs.size()), load_bases(p.load_bases) {
    for (size_t k = 0; k < inputs; ++k) at[k] = is_load_base(k) ? load_item(p, k) : item_size(p.inputs[k]);
    for (size_t k = inputs; k < count; ++k) {
      at[k] = item_size(p.nodes[static_cast<size_t>(p.outputs[k - inputs])].dtype);
    }
  }
  int64_t operator[](size_t k) const { return at[k]; }
  [[nodiscard]] bool is_load_base(size_t k) const { return k < inputs && (load_bases >> k & 1U) != 0; }
  size_t count, inputs;
  uint32_t load_bases;
  int64_t at[max_operands];  // only the first `count` are set
};

// Returns whether every operand is contiguous or constant along the fastest dimension.
bool row_access(const ElementwiseCall& c, const Items& items, AccessList* access) {
  for (size_t k = 0; k < items.count; ++k) {
    const Operand& o = c.operands[k];
    if (o.data == nullptr) {
      (*access)[k] = Access::immediate;
      continue;
    }
    int64_t stride = c.ndim == 0 ? items[k] : o.strides[c.ndim - 1];
    if (o.ramp) {
      if (c.ndim != 0 && stride != 1) return false;
      (*access)[k] = Access::ramp;
    } else if (stride == items[k]) {
      (*access)[k] = Access::contiguous;
    } else if (stride == 0 && k < items.inputs) {
      (*access)[k] = Access::uniform;
    } else {
      return false;
    }
  }
  return true;
}

// Returns whether accesses of this many bytes may begin at every row of an operand.
bool aligned(const ElementwiseCall& c, const Plan& plan, size_t k, int64_t bytes) {
  auto bits = reinterpret_cast<uintptr_t>(c.operands[k].data);
  if (plan.shape.kind == ElementwiseShape::rows) {
    for (int32_t d = 0; d + 1 < c.ndim; ++d) bits |= static_cast<uintptr_t>(c.operands[k].strides[d]);
  }
  return (bits & static_cast<uintptr_t>(std::min<int64_t>(bytes, 16) - 1)) == 0;
}

// Elements per access: 16 bytes of the smallest type, at most 64 of the largest. Operands whose pointer or
// row strides are not aligned to that become unaligned; 1 if most would.
int32_t vector_width(const ElementwiseCall& c, const Items& items, Plan* plan) {
  AccessList& access = plan->shape.access;
  int64_t min_item = 16, max_item = 1;
  for (size_t k = 0; k < items.count; ++k) {
    if (access[k] != Access::contiguous || items.is_load_base(k)) continue;
    min_item = std::min(min_item, items[k]);
    max_item = std::max(max_item, items[k]);
  }
  // Sizes are powers of two, so no division is needed.
  const int64_t v = std::min(16 >> std::countr_zero(static_cast<uint64_t>(min_item)),
                             64 >> std::countr_zero(static_cast<uint64_t>(max_item)));
  AccessList mixed = access;
  size_t unaligned = 0, wide = 0;
  for (size_t k = 0; k < items.count; ++k) {
    if (access[k] != Access::contiguous || items.is_load_base(k)) continue;
    const bool fits = aligned(c, *plan, k, v * items[k]);
    if (!fits) mixed[k] = Access::unaligned;
    ++(fits ? wide : unaligned);
  }
  if (unaligned > wide || wide == 0) return 1;
  access = mixed;
  return static_cast<int32_t>(v);
}

bool is_wide(const ElementwiseCall& c, size_t operands, int32_t dims, int64_t indices) {
  if (indices > INT32_MAX) return true;
  for (size_t k = 0; k < operands; ++k) {
    const Operand& o = c.operands[k];
    if (o.data != nullptr && reach(dims, c.shape, o.strides) > INT32_MAX) return true;
  }
  return false;
}

// The access of an operand regardless of its strides.
Access access_of(const Operand& o) {
  return o.data == nullptr ? Access::immediate : o.ramp ? Access::ramp : Access::strided;
}

int64_t size_of_step(int64_t stride) { return stride < 0 ? -stride : stride; }

// Inputs whose fastest dimension is another one than the outputs': read through tiles of shared memory, as
// many as fit, so that neighbouring threads access neighbouring elements.
bool tiles(const ElementwiseCall& c, const Items& items, Plan* plan) {
  const int32_t last = c.ndim - 1;
  if (c.ndim < 2 || c.shape[last] < min_tiled) return false;
  for (size_t k = items.inputs; k < items.count; ++k) {
    if (size_of_step(c.operands[k].strides[last]) != items[k]) return false;
  }
  ElementwiseShape& s = plan->shape;
  int64_t largest = 0, room = tile_bytes;
  s.edge = 32;
  for (size_t k = 0; k < items.inputs; ++k) {
    const Operand& o = c.operands[k];
    s.access[k] = access_of(o);
    if (o.data == nullptr || o.ramp || items.is_load_base(k)) continue;
    if (o.strides[last] == 0 || size_of_step(o.strides[last]) == items[k]) continue;
    for (int32_t d = 0; d < last; ++d) {
      if (size_of_step(o.strides[d]) != items[k] || c.shape[d] < min_tiled) continue;
      if (plan->across < 0) plan->across = d;  // the first such input decides; others are strided
      if (plan->across != d || room < tile_of(s.edge, items[k])) continue;
      room -= tile_of(s.edge, items[k]);
      s.access[k] = Access::transposed;
      largest = std::max(largest, items[k]);
    }
  }
  for (size_t k = items.inputs; k < items.count; ++k) s.access[k] = Access::strided;
  if (plan->across < 0) return false;
  // Elements of one or two bytes: wider tiles, if all of them still fit.
  const bool small = largest <= 2 && c.shape[last] >= 64 && c.shape[plan->across] >= 64;
  if (small && 4 * (tile_bytes - room) <= tile_bytes) s.edge = 64;
  s.kind = ElementwiseShape::tiled;
  s.dims = c.ndim;
  return true;
}

Plan plan_of(const ElementwiseCall& c) {
  Plan plan;
  const Items items(*c.program);
  plan.shape.access.assign(items.count, Access::strided);
  plan.inner = c.ndim == 0 ? 1 : c.shape[c.ndim - 1];
  for (int32_t d = 0; d + 1 < c.ndim; ++d) plan.rows *= c.shape[d];
  plan.size = plan.rows * plan.inner;
  // With short rows, threads of a block would be idle; then each element computes its own index.
  bool by_rows = row_access(c, items, &plan.shape.access);
  if (by_rows && (c.ndim < 2 || plan.inner >= 32)) {
    plan.shape.kind = c.ndim < 2 ? ElementwiseShape::linear : ElementwiseShape::rows;
    plan.shape.dims = std::max(c.ndim - 1, 0);
    plan.shape.vector = vector_width(c, items, &plan);
  } else if (by_rows || !tiles(c, items, &plan)) {
    for (size_t k = 0; k < items.count; ++k) {
      plan.shape.access[k] = access_of(c.operands[k]);
    }
    plan.shape.kind = ElementwiseShape::general;
    plan.shape.dims = c.ndim;
  }
  if (plan.shape.kind != ElementwiseShape::linear) {
    plan.shape.wide = is_wide(c, items.count, plan.shape.dims,
                              plan.shape.kind == ElementwiseShape::rows ? plan.rows : plan.size);
  }
  return plan;
}

KernelKey key_of(const Plan& plan, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = static_cast<uint64_t>(plan.shape.kind) | static_cast<uint64_t>(plan.shape.dims) << 8 |
              static_cast<uint64_t>(plan.shape.vector) << 16 | static_cast<uint64_t>(plan.shape.wide) << 24 |
              static_cast<uint64_t>(plan.shape.edge) << 32;
  key.access = access_bits(plan.shape.access);
  return key;
}

// Tiled: the dimensions that are counted outside, then the two of the tiles.
void fill_tiled(const ElementwiseCall& c, const Plan& plan, const Words& w, Arguments* args) {
  int64_t shape[max_ndim], strides[max_operands][max_ndim];
  Operand operands[max_operands];
  const size_t count = plan.shape.access.size();
  int32_t order[max_ndim];
  int32_t n = 0;
  for (int32_t d = 0; d + 1 < c.ndim; ++d) {
    if (d != plan.across) order[n++] = d;
  }
  order[n++] = plan.across;
  order[n++] = c.ndim - 1;
  for (int32_t d = 0; d < n; ++d) shape[d] = c.shape[order[d]];
  for (size_t k = 0; k < count; ++k) {
    operands[k] = c.operands[k];
    if (operands[k].data == nullptr) continue;
    for (int32_t d = 0; d < n; ++d) strides[k][d] = c.operands[k].strides[order[d]];
    operands[k].strides = strides[k];
  }
  args->set(0, plan.inner);
  args->set(1, c.shape[plan.across]);
  args->set(tiled_outside_word, plan.rows / c.shape[plan.across]);
  set_extents(shape, n - 2, plan.shape.wide, w, args);
  set_operands(operands, plan.shape.access, w, n, args);
}

void fill(const ElementwiseCall& c, const Plan& plan, const Words& w, Arguments* args) {
  if (plan.shape.kind == ElementwiseShape::tiled) return fill_tiled(c, plan, w, args);
  bool general = plan.shape.kind == ElementwiseShape::general;
  args->set(0, general ? plan.size : plan.inner);
  args->set(1, plan.rows);
  int32_t dims = plan.shape.kind == ElementwiseShape::linear ? 0 : plan.shape.dims;
  set_extents(c.shape, dims, plan.shape.wide, w, args);
  set_operands(c.operands, plan.shape.access, w, dims, args);
}

// n / power, rounded up, without a division, because every op calls this.
int64_t over(int64_t n, int32_t power) {
  const int shift = std::countr_zero(static_cast<uint32_t>(power));
  return (n >> shift) + ((n & (power - 1)) != 0 ? 1 : 0);
}

Grid grid_of(const ElementwiseCall& c, const Plan& plan) {
  Grid g;
  g.block_x = block_threads;
  if (plan.shape.kind == ElementwiseShape::general) {
    g.x = checked::ceil_div(plan.size, block_threads);
    return g;
  }
  if (plan.shape.kind == ElementwiseShape::tiled) {
    const int64_t across = c.shape[plan.across];
    g.block_x = 32;
    g.block_y = block_threads / 32;
    g.x = checked::ceil_div(plan.inner, plan.shape.edge) * checked::ceil_div(across, plan.shape.edge);
    g.y = std::min<int64_t>(plan.rows / across, 65535);
    return g;
  }
  const int64_t threads = over(plan.inner, plan.shape.vector);
  if (plan.shape.kind == ElementwiseShape::rows && threads < block_threads) {
    // Short rows: several of them per block.
    g.block_x = static_cast<int32_t>(std::max<uint64_t>(8, std::bit_ceil(static_cast<uint64_t>(threads))));
    g.block_y = block_threads / g.block_x;
  }
  g.x = over(threads, g.block_x);
  g.y = std::min<int64_t>(over(plan.rows, g.block_y), 65535);
  return g;
}

}  // namespace

std::string elementwise_text(const ElementwiseCall& c) {
  return emit_elementwise(*c.program, plan_of(c).shape);
}

void elementwise(Device& d, const ElementwiseCall& c, Stream& s) {
  const Plan plan = plan_of(c);
  const Kernel& kernel =
      kernels_of(*c.program)
          .get(
              d, key_of(plan, d.index), [&] { return emit_elementwise(*c.program, plan.shape); },
              [&] { return describe(*c.program); }, [&] { return elementwise_words(plan.shape); });
  Arguments args(kernel.words.count);
  fill(c, plan, kernel.words, &args);
  launch(d, kernel, grid_of(c, plan), args, s);
}

}  // namespace arr::cuda
