// SPDX-License-Identifier: MIT
// Launching generated kernels.
#include "cuda/kernels.h"

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

void launch(Device& d, const Kernel& k, const Grid& g, Arguments& args, Stream& s) {
  if (g.x > d.limits.grid[0] || g.y > d.limits.grid[1]) {
    fail(ARR_E_UNSUPPORTED, k.name, ": a grid of ", g.x, " x ", g.y, " blocks is more than the device takes");
  }
  s.last_work.store(k.name.c_str(), std::memory_order_relaxed);
  void* params[] = {args.data()};
  d.check(driver().cuLaunchKernel(k.loaded.function, static_cast<unsigned>(g.x), static_cast<unsigned>(g.y),
                                  1, static_cast<unsigned>(g.block_x), static_cast<unsigned>(g.block_y), 1, 0,
                                  s.handle, params, nullptr),
          "cuLaunchKernel", &s);
}

}  // namespace arr::cuda
