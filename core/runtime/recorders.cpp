// SPDX-License-Identifier: MIT
// The list of recorders.
#include "runtime/recorders.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/fork.h"

namespace arr {

namespace {

struct List {
  ProcessMutex mutex;
  std::vector<Recorder*> all;
};

// Never destroyed: threads may end after static objects.
List& list() {
  static auto* l = new List;
  return *l;
}

// A plain pointer, because calls may read it while the thread's objects are destroyed.
constinit thread_local Recorder* thread_recorder = nullptr;

}  // namespace

void add_recorder(Recorder& recorder) {
  const std::lock_guard lock(list().mutex);
  list().all.push_back(&recorder);
  recorders.fetch_add(1, std::memory_order_release);
}

void remove_recorder(Recorder& recorder) noexcept {
  const std::lock_guard lock(list().mutex);
  list().all.erase(std::find(list().all.begin(), list().all.end(), &recorder));
  recorders.fetch_sub(1, std::memory_order_release);
}

void set_thread_recorder(Recorder* recorder) noexcept { thread_recorder = recorder; }

void release_deferred_operands() {
  if (thread_recorder != nullptr) thread_recorder->release_operands();
}

void run_recorders(const Buffer* memory) {
  std::vector<Ref<Recorder>> all;
  {
    const std::lock_guard lock(list().mutex);
    all.reserve(list().all.size());
    for (Recorder* r : list().all) {
      if (r->try_retain()) all.push_back(Ref<Recorder>::adopt(r));
    }
  }
  for (const Ref<Recorder>& r : all) r->before_write(memory);
}

}  // namespace arr
