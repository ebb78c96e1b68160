// SPDX-License-Identifier: MIT
// Chooses and launches the kernel of an elementwise call by the operands' layouts.
#include <algorithm>
#include <bit>

#include "cuda/kernels.h"
#include "cuda/print.h"
#include "cuda/work.h"

namespace arr::cuda {

namespace {

struct Plan {
  ElementwiseShape shape;
  int64_t inner = 1, rows = 1, size = 1;
};

DType operand_type(const Program& p, size_t k) {
  if (k < p.inputs.size()) return p.inputs[k];
  return p.nodes[static_cast<size_t>(p.outputs[k - p.inputs.size()])].dtype;
}

// Whether every operand runs through the fastest dimension element by element or not at all.
bool row_access(const ElementwiseCall& c, size_t operands, AccessList* access) {
  const Program& p = *c.program;
  for (size_t k = 0; k < operands; ++k) {
    const Operand& o = c.operands[k];
    if (o.data == nullptr) {
      (*access)[k] = Access::immediate;
      continue;
    }
    int64_t stride = c.ndim == 0 ? item_size(operand_type(p, k)) : o.strides[c.ndim - 1];
    bool output = k >= p.inputs.size();
    if (stride == item_size(operand_type(p, k))) {
      (*access)[k] = Access::contiguous;
    } else if (stride == 0 && !output) {
      (*access)[k] = Access::uniform;
    } else {
      return false;
    }
  }
  return true;
}

// Elements per access: 16 bytes of the smallest type, at most 64 of the largest; 1 where a pointer or a
// row's stride does not allow it.
int32_t vector_width(const ElementwiseCall& c, const Plan& plan) {
  const Program& p = *c.program;
  int64_t least = 16, most = 1;
  for (size_t k = 0; k < plan.shape.access.size(); ++k) {
    if (plan.shape.access[k] != Access::contiguous) continue;
    least = std::min(least, item_size(operand_type(p, k)));
    most = std::max(most, item_size(operand_type(p, k)));
  }
  int64_t v = std::min(16 / least, std::max<int64_t>(1, 64 / most));
  for (size_t k = 0; k < plan.shape.access.size(); ++k) {
    if (plan.shape.access[k] != Access::contiguous) continue;
    auto bits = reinterpret_cast<uintptr_t>(c.operands[k].data);
    if (plan.shape.kind == ElementwiseShape::rows) {
      for (int32_t d = 0; d + 1 < c.ndim; ++d) bits |= static_cast<uintptr_t>(c.operands[k].strides[d]);
    }
    auto alignment = static_cast<uintptr_t>(std::min<int64_t>(v * item_size(operand_type(p, k)), 16));
    if ((bits & (alignment - 1)) != 0) return 1;
  }
  return static_cast<int32_t>(v);
}

bool is_wide(const ElementwiseCall& c, size_t operands, int32_t dims, int64_t indices) {
  if (indices > int32_most) return true;
  for (size_t k = 0; k < operands; ++k) {
    const Operand& o = c.operands[k];
    if (o.data != nullptr && reach(dims, c.shape, o.strides) > int32_most) return true;
  }
  return false;
}

Plan plan_of(const ElementwiseCall& c) {
  Plan plan;
  const Program& p = *c.program;
  size_t operands = p.inputs.size() + p.outputs.size();
  plan.shape.access.assign(operands, Access::strided);
  for (int32_t d = 0; d < c.ndim; ++d) plan.size *= c.shape[d];
  plan.inner = c.ndim == 0 ? 1 : c.shape[c.ndim - 1];
  plan.rows = plan.size / plan.inner;
  // Short rows would leave threads of a block idle; then each element finds its own place.
  bool by_rows = row_access(c, operands, &plan.shape.access) && (c.ndim < 2 || plan.inner >= 32);
  if (by_rows) {
    plan.shape.kind = c.ndim < 2 ? ElementwiseShape::linear : ElementwiseShape::rows;
    plan.shape.dims = std::max(c.ndim - 1, 0);
    plan.shape.vector = vector_width(c, plan);
  } else {
    for (size_t k = 0; k < operands; ++k) {
      plan.shape.access[k] = c.operands[k].data == nullptr ? Access::immediate : Access::strided;
    }
    plan.shape.kind = ElementwiseShape::general;
    plan.shape.dims = c.ndim;
  }
  if (plan.shape.kind != ElementwiseShape::linear) {
    plan.shape.wide = is_wide(c, operands, plan.shape.dims, by_rows ? plan.rows : plan.size);
  }
  return plan;
}

KernelKey key_of(const Plan& plan, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = static_cast<uint64_t>(plan.shape.kind) | static_cast<uint64_t>(plan.shape.dims) << 8 |
              static_cast<uint64_t>(plan.shape.vector) << 16 | static_cast<uint64_t>(plan.shape.wide) << 24;
  key.access = access_bits(plan.shape.access);
  return key;
}

void fill(const ElementwiseCall& c, const Plan& plan, const Words& w, Arguments* args) {
  bool general = plan.shape.kind == ElementwiseShape::general;
  args->set(0, general ? plan.size : plan.inner);
  args->set(1, plan.rows);
  int32_t dims = plan.shape.kind == ElementwiseShape::linear ? 0 : plan.shape.dims;
  set_extents(c.shape, dims, plan.shape.wide, w, args);
  set_operands(c.operands, plan.shape.access, w, dims, args);
}

Grid grid_of(const Plan& plan) {
  Grid g;
  if (plan.shape.kind == ElementwiseShape::general) {
    g.block_x = block_threads;
    g.x = checked::ceil_div(plan.size, block_threads);
    return g;
  }
  int64_t threads = checked::ceil_div(plan.inner, plan.shape.vector);
  g.block_x = block_threads;
  if (plan.shape.kind == ElementwiseShape::rows && threads < block_threads) {
    // Short rows: several of them per block.
    g.block_x = static_cast<int32_t>(std::max<uint64_t>(8, std::bit_ceil(static_cast<uint64_t>(threads))));
    g.block_y = block_threads / g.block_x;
  }
  g.x = checked::ceil_div(threads, g.block_x);
  g.y = std::min<int64_t>(checked::ceil_div(plan.rows, g.block_y), 65535);
  return g;
}

}  // namespace

int64_t reach(int32_t ndim, const int64_t* shape, const int64_t* strides) {
  int64_t sum = 0;
  for (int32_t d = 0; d < ndim; ++d) {
    if (shape[d] > 1) sum += (shape[d] - 1) * (strides[d] < 0 ? -strides[d] : strides[d]);
  }
  return sum;
}

std::string elementwise_text(const ElementwiseCall& c) {
  return print_elementwise(*c.program, plan_of(c).shape);
}

void elementwise(Device& d, const ElementwiseCall& c, Stream& s) {
  const Plan plan = plan_of(c);
  const Kernel& kernel =
      kernels_of(*c.program)
          .get(
              d, key_of(plan, d.index), [&] { return print_elementwise(*c.program, plan.shape); },
              [&] { return describe(*c.program); }, [&] { return elementwise_words(plan.shape); });
  Arguments args(kernel.words.count);
  fill(c, plan, kernel.words, &args);
  launch(d, kernel, grid_of(plan), args, s);
}

}  // namespace arr::cuda
