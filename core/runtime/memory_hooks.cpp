// SPDX-License-Identifier: MIT
// The list of memory hooks, and the two hooks that the library provides.
#include "runtime/memory_hooks.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "arr/memory.h"
#include "base/fork.h"
#include "runtime/devices.h"

namespace arr {

namespace {

struct Entry {
  int64_t id;
  Ref<MemoryHook> hook;
};
// A list is never changed after it is published, because call_hooks() iterates over the one that it started
// with.
struct HookList : Object {
  std::vector<Entry> entries;
};
struct Hooks {
  ProcessMutex mutex;
  Ref<HookList> list;
  int64_t last = 0;
};
// Never destroyed: memory is released at exit.
Hooks& hooks() {
  static auto* h = new Hooks;
  return *h;
}

class CallbackHook final : public MemoryHook {
 public:
  CallbackHook(HookFunction hook, void (*drop)(void*), void* ctx) : hook_(hook), drop_(drop), ctx_(ctx) {}
  void on_event(const MemoryEvent& e) noexcept override {
    hook_(ctx_, e.event, e.device.type, e.device.index, e.bytes, e.data, e.function);
  }
  void disown() noexcept override { drop_ = nullptr; }

 protected:
  ~CallbackHook() override {
    if (drop_ != nullptr) drop_(ctx_);
  }

 private:
  HookFunction hook_;
  void (*drop_)(void*);
  void* ctx_;
};

class DebugHook final : public MemoryHook {
 public:
  DebugHook(int file, bool owned) noexcept : file_(file), owned_(owned) {}
  void on_event(const MemoryEvent& e) noexcept override {
    char line[256];
    char where[24] = "host";
    if (e.device.type != ARR_HOST) snprintf(where, sizeof where, "cuda:%d", static_cast<int>(e.device.index));
    int n = snprintf(line, sizeof line, "%s %lld bytes on %s at %p in %s\n",
                     e.event == ARR_MEMORY_ALLOC ? "alloc" : "free", static_cast<long long>(e.bytes), where,
                     e.data, *e.function != 0 ? e.function : "no call");
    // One write, so that lines of threads do not mix. A failure, such as a full disk, is ignored.
    if (n > 0) (void)!write(file_, line, std::min(static_cast<size_t>(n), sizeof line - 1));
  }

 protected:
  ~DebugHook() override {
    if (owned_) close(file_);
  }

 private:
  int file_;
  bool owned_;
};

class ProfileHook final : public MemoryHook {
 public:
  void on_event(const MemoryEvent& e) noexcept override {
    const std::lock_guard lock(mutex_);
    try {
      if (e.event == ARR_MEMORY_ALLOC) {
        Line& line = lines_[e.function];
        ++line.allocations;
        line.bytes += e.bytes;
        line.now += e.bytes;
        line.peak = std::max(line.peak, line.now);
        from_[e.data] = {&line, e.bytes};
      } else if (auto f = from_.find(e.data); f != from_.end()) {
        f->second.line->now -= f->second.bytes;
        from_.erase(f);
      }
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the event is missing in the table then
    }
  }
  bool report(std::string* out) override {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, Line>> all(lines_.begin(), lines_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    *out = "function allocations bytes in_use most\n";
    for (const auto& [name, l] : all) {
      *out +=
          text(name.empty() ? "-" : name, " ", l.allocations, " ", l.bytes, " ", l.now, " ", l.peak, "\n");
    }
    return true;
  }

 private:
  struct Line {
    int64_t allocations = 0, bytes = 0, now = 0, peak = 0;
  };
  struct From {
    Line* line;
    int64_t bytes;
  };
  std::mutex mutex_;
  std::map<std::string, Line> lines_;
  std::unordered_map<const void*, From> from_;
};

}  // namespace

Ref<MemoryHook> callback_hook(HookFunction hook, void (*drop)(void*), void* ctx) {
  return make<CallbackHook>(hook, drop, ctx);
}

Ref<MemoryHook> debug_hook(const std::string& path) {
  if (path.empty()) return make<DebugHook>(STDERR_FILENO, false);
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail(ARR_E_IO, "argument path: ", path, ": ", std::strerror(errno));
  return make<DebugHook>(file, true);
}

Ref<MemoryHook> profile_hook() { return make<ProfileHook>(); }

int64_t add_hook(const Ref<MemoryHook>& hook) {
  Hooks& h = hooks();
  const std::lock_guard lock(h.mutex);
  Ref<HookList> fresh;
  try {
    fresh = make<HookList>();
    if (h.list) fresh->entries = h.list->entries;
    fresh->entries.push_back({++h.last, hook});
  } catch (...) {
    hook->disown();
    throw;
  }
  h.list = std::move(fresh);
  call_listeners.fetch_add(1, std::memory_order_relaxed);
  return h.last;
}

void remove_hook(int64_t id) {
  Ref<HookList> before;  // destroyed after the lock is released: a drop function may call this again
  Hooks& h = hooks();
  const std::lock_guard lock(h.mutex);
  const auto is_it = [id](const Entry& e) { return e.id == id; };
  if (!h.list || std::none_of(h.list->entries.begin(), h.list->entries.end(), is_it)) {
    fail(ARR_E_ARGUMENT, "argument id: there is no hook ", id);
  }
  auto fresh = make<HookList>();
  fresh->entries = h.list->entries;
  std::erase_if(fresh->entries, is_it);
  before = std::move(h.list);
  if (!fresh->entries.empty()) h.list = std::move(fresh);
  call_listeners.fetch_sub(1, std::memory_order_relaxed);
}

Ref<MemoryHook> find_hook(int64_t id) {
  Hooks& h = hooks();
  const std::lock_guard lock(h.mutex);
  if (h.list) {
    for (const Entry& e : h.list->entries) {
      if (e.id == id) return e.hook;
    }
  }
  fail(ARR_E_ARGUMENT, "argument id: there is no hook ", id);
}

void call_hooks(int32_t event, Device device, int64_t bytes, const void* data) noexcept {
  Ref<HookList> list;
  {
    const std::lock_guard lock(hooks().mutex);
    list = hooks().list;
  }
  if (!list) return;
  const MemoryEvent e{event, device, bytes, data, calling_thread.call_name};
  for (const Entry& entry : list->entries) entry.hook->on_event(e);
}

}  // namespace arr
