// SPDX-License-Identifier: MIT
// Launching generated kernels.
#include "cuda/codegen/kernels.h"

#include "cuda/codegen/offsets.h"

namespace arr::cuda {

namespace {
std::atomic<int64_t> made{0};
}  // namespace

void Kernels::count_made() noexcept { made.fetch_add(1, std::memory_order_relaxed); }
int64_t kernels_made() noexcept { return made.load(std::memory_order_relaxed); }

Kernels::~Kernels() {
  const Kernel* k = head_.load();
  while (k != nullptr) {
    const Kernel* next = k->next;
    delete k;
    k = next;
  }
}

Kernels& kernels_of(const Program& p) {
  const Program::Attachment* a = p.attach(ARR_CUDA, [] { return std::make_unique<Kernels>(); });
  // The attachment is ours and locks itself; a program hands it out as const.
  return *const_cast<Kernels*>(static_cast<const Kernels*>(a));
}

void set_extents(const int64_t* shape, int32_t dims, bool wide, const Words& w, Arguments* args) {
  for (int32_t d = 0; d < dims; ++d) {
    args->set(w.extent + 2 * d, shape[d]);
    (*args)[w.extent + 2 * d + 1] = shape[d] == 0 ? 0
                                    : wide        ? wide_reciprocal(shape[d])
                                                  : reciprocal(shape[d]);
  }
}

void set_operands(const Operand* operands, const AccessList& access, const Words& w, int32_t dims,
                  Arguments* args) {
  for (size_t k = 0; k < access.size(); ++k) {
    const Operand& o = operands[k];
    if (access[k] == Access::function_argument) continue;
    if (access[k] == Access::immediate) {
      args->set(w.pointer[k], o.value);
      continue;
    }
    if (o.ramp) {
      args->set(w.pointer[k], ramp_number(o.data));
    } else {
      args->set(w.pointer[k], o.data);
    }
    for (int32_t d = 0; d < dims; ++d) args->set(w.stride[k] + d, o.strides[d]);
  }
}

AccessList mapped_access(const Program& map, const Operand* operands, int32_t ndim, const int64_t* shape,
                         int32_t vector, bool* wide) {
  AccessList access;
  for (size_t k = 0; k < map.inputs.size(); ++k) {
    const Operand& o = operands[k];
    access.push_back(o.data == nullptr      ? Access::immediate
                     : is_load_base(map, k) ? Access::strided
                     : vector > 1 && aligned(o, item_size(map.inputs[k]), vector, ndim, shape)
                         ? Access::contiguous
                         : Access::strided);
    *wide = *wide || (o.data != nullptr && reach(ndim, shape, o.strides) > INT32_MAX);
  }
  return access;
}

bool aligned(const Operand& o, int64_t item, int32_t vector, int32_t ndim, const int64_t* shape) {
  if (o.strides[ndim - 1] != item) return false;
  auto bits = reinterpret_cast<uintptr_t>(o.data);
  for (int32_t d = 0; d + 1 < ndim; ++d) {
    if (shape[d] > 1) bits |= static_cast<uintptr_t>(o.strides[d]);
  }
  return (bits & (static_cast<uintptr_t>(std::min<int64_t>(vector * item, 16)) - 1)) == 0;
}

uint64_t access_bits(const AccessList& access) {
  uint64_t bits = 0;
  for (size_t k = 0; k < access.size(); ++k) bits |= static_cast<uint64_t>(access[k]) << (3 * k);
  return bits;
}

void launch(Device& d, const Kernel& k, const Grid& g, Arguments& args, Stream& s) {
  if (g.x > d.limits.grid[0] || g.y > d.limits.grid[1]) {
    fail(ARR_E_UNSUPPORTED, k.name, ": a grid of ", g.x, " x ", g.y, " blocks exceeds the device's limit");
  }
  s.last_work.store(k.name.c_str(), std::memory_order_relaxed);
  void* params[] = {args.data()};
  d.check(driver().cuLaunchKernel(k.loaded.function, static_cast<unsigned>(g.x), static_cast<unsigned>(g.y),
                                  1, static_cast<unsigned>(g.block_x), static_cast<unsigned>(g.block_y), 1, 0,
                                  s.handle, params, nullptr),
          "cuLaunchKernel", &s);
}

}  // namespace arr::cuda
