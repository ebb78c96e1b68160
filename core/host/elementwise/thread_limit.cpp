// SPDX-License-Identifier: MIT
#include "host/elementwise/thread_limit.h"

#include <tbb/global_control.h>

#include <memory>
#include <thread>

#include "base/thread_limit.h"

namespace arr::host {

namespace {

// Holds for all loops of oneTBB in this process, including the program's. Calls are serialised by the caller.
void limit_loops(int n) {
  // Never destroyed: loops may still run while the process ends.
  static auto& control = *new std::unique_ptr<tbb::global_control>;
  if (n == static_cast<int>(std::thread::hardware_concurrency())) return control.reset();
  // oneTBB uses the smallest limit of all controls, so the old control is deleted after the new one is
  // created.
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<size_t>(n));
}

}  // namespace

void follow_thread_limit() {
  limit_loops(thread_limit());
  watch_thread_limit(limit_loops);
}

}  // namespace arr::host
