// SPDX-License-Identifier: MIT
// Scripted failures, counts, settings, and the queues of work.
#include "state.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "cuda/driver/errors.h"

namespace arr::fake {

namespace {

constexpr const char* names[] = {
#define ARR_CUDA_FN(symbol, need, params) #symbol,
#define ARR_NVRTC_FN(symbol, need, result, params) #symbol,
#define ARR_CUBLAS_FN(symbol, need, result, params) #symbol,
#define ARR_CUBLASLT_FN(symbol, need, result, params) #symbol,
#define ARR_CUSOLVER_FN(symbol, need, result, params) #symbol,
#define ARR_CUSPARSE_FN(symbol, need, result, params) #symbol,
#define ARR_CUDSS_FN(symbol, need, result, params) #symbol,
#define ARR_NCCL_FN(symbol, need, result, params) #symbol,
#define ARR_NVJITLINK_FN(symbol, need, result, params) #symbol,
#define ARR_CUFFT_FN(symbol, need, result, params) #symbol,
#include "cuda/driver/cublas_api.def"
#include "cuda/driver/cublaslt_api.def"
#include "cuda/driver/cudss_api.def"
#include "cuda/driver/cufft_api.def"
#include "cuda/driver/cusolver_api.def"
#include "cuda/driver/cusparse_api.def"
#include "cuda/driver/driver_api.def"
#include "cuda/driver/nccl_api.def"
#include "cuda/driver/nvjitlink_api.def"
#include "cuda/driver/nvrtc_api.def"
#undef ARR_CUDA_FN
#undef ARR_NVRTC_FN
#undef ARR_CUBLAS_FN
#undef ARR_CUBLASLT_FN
#undef ARR_CUSOLVER_FN
#undef ARR_CUSPARSE_FN
#undef ARR_CUDSS_FN
#undef ARR_NCCL_FN
#undef ARR_CUFFT_FN
#undef ARR_NVJITLINK_FN
};

struct Script {
  int64_t calls = 0;    // so far
  int64_t fail_at = 0;  // the call that fails; 0: none
  int32_t code = 0;
  bool persistent = false;
};

struct State {
  std::array<Script, static_cast<size_t>(Fn::count)> scripts;
  CUresult poisoned = CUDA_SUCCESS;
  std::map<std::string, int64_t> settings;
  std::map<int, std::unique_ptr<Context>> contexts;
  std::vector<std::weak_ptr<Queue>> queues;
  Stream legacy;
  Live live;
};

const std::map<std::string, int64_t>& defaults() {
  static const std::map<std::string, int64_t> d = {{"devices", 1},   {"memory", int64_t{8} << 30},
                                                   {"arch", 90},     {"defer", 0},
                                                   {"run", 1},       {"compute", 0},
                                                   {"cufft", 12000}, {"lt", 1},
                                                   {"nccl_error", 0}};
  return d;
}

void script(State* s, const std::string& function, int64_t call, int32_t code, bool persistent) {
  for (size_t i = 0; i < std::size(names); ++i) {
    if (function != names[i]) continue;
    s->scripts[i].fail_at = s->scripts[i].calls + call;
    s->scripts[i].code = code;
    s->scripts[i].persistent = persistent;
  }
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

void read_environment(State* s) {
  s->settings = defaults();
  if (const char* set = std::getenv("ARR_FAKE_CUDA_SET")) {
    for (const std::string& one : split(set, ',')) {
      auto parts = split(one, '=');
      if (parts.size() == 2) s->settings[parts[0]] = std::strtoll(parts[1].c_str(), nullptr, 10);
    }
  }
  if (const char* fail = std::getenv("ARR_FAKE_CUDA_FAIL")) {
    for (const std::string& one : split(fail, ',')) {
      auto parts = split(one, ':');
      if (parts.size() < 3) continue;
      script(s, parts[0], std::atoll(parts[1].c_str()), std::atoi(parts[2].c_str()), parts.size() > 3);
    }
  }
}

State& state() {
  static State* s = [] {
    auto* fresh = new State;
    read_environment(fresh);
    fresh->queues.push_back(fresh->legacy.queue);
    return fresh;
  }();
  return *s;
}

// The stack of this thread. Nothing to destroy: functions of atexit() come after that, and call the driver.
struct ContextStack {
  std::array<Context*, 64> all;
  size_t count;
};
ContextStack& context_stack() {
  static thread_local ContextStack stack;
  return stack;
}

// Functions that a poisoned context still answers.
bool always_works(Fn f) {
  return f == Fn::cuGetErrorName || f == Fn::cuGetErrorString || f == Fn::cuInit ||
         f == Fn::cuDriverGetVersion || f == Fn::cuDeviceGetCount || f == Fn::cuCtxGetCurrent ||
         f == Fn::cuCtxPushCurrent_v2 || f == Fn::cuCtxPopCurrent_v2;
}

bool is_driver(Fn f) {
  return std::strncmp(names[static_cast<size_t>(f)], "cu", 2) == 0 &&
         std::strncmp(names[static_cast<size_t>(f)], "cublas", 6) != 0 &&
         std::strncmp(names[static_cast<size_t>(f)], "cusolver", 8) != 0 &&
         std::strncmp(names[static_cast<size_t>(f)], "cusparse", 8) != 0 &&
         std::strncmp(names[static_cast<size_t>(f)], "cudss", 5) != 0 &&
         std::strncmp(names[static_cast<size_t>(f)], "cufft", 5) != 0;
}

}  // namespace

std::recursive_mutex& everything() {
  static auto* m = new std::recursive_mutex;
  return *m;
}

int32_t enter(Fn f) {
  State& s = state();
  Script& script = s.scripts[static_cast<size_t>(f)];
  ++script.calls;
  bool due = script.fail_at != 0 &&
             (script.persistent ? script.calls >= script.fail_at : script.calls == script.fail_at);
  if (due) {
    if (is_driver(f) && cuda::poisons(script.code)) poison(script.code);
    return script.code;
  }
  return is_driver(f) && !always_works(f) ? s.poisoned : 0;
}

void poison(CUresult r) { state().poisoned = r; }
int64_t setting(const char* name) { return state().settings[name]; }
Live& live() { return state().live; }

Context* current() {
  const ContextStack& s = context_stack();
  return s.count == 0 ? nullptr : s.all.at(s.count - 1);
}
void push(Context* c) {
  ContextStack& s = context_stack();
  s.all.at(s.count++) = c;
}
bool pop(Context** c) {
  ContextStack& s = context_stack();
  if (s.count == 0) return false;
  *c = s.all.at(--s.count);
  return true;
}
Context* primary(int device) {
  auto& c = state().contexts[device];
  if (!c) {
    c = std::make_unique<Context>();
    c->device = device;
  }
  return c.get();
}

Stream* stream_of(CUstream s) {
  // 1 and 2 name the legacy and the per-thread default stream; here they are one.
  if (reinterpret_cast<uintptr_t>(s) <= 2) {
    state().legacy.context = current();
    return &state().legacy;
  }
  auto* stream = reinterpret_cast<Stream*>(s);
  return stream->context == current() ? stream : nullptr;
}

void enqueue(Stream& s, std::function<CUresult()> operation) {
  if (s.capture != nullptr) return add_node(s, std::move(operation));
  s.queue->work.push_back(std::move(operation));
  ++s.queue->queued;
  auto& queues = state().queues;
  bool known = false;
  for (auto& q : queues) known = known || q.lock() == s.queue;
  if (!known) queues.push_back(s.queue);
  if (setting("defer") == 0) run(*s.queue, s.queue->queued);
}

namespace {

// An operation of every other queue; none while these do that themselves.
void run_others(const Queue& q) {
  static bool inside = false;
  if (inside) return;
  inside = true;
  for (const auto& other : std::vector(state().queues)) {
    if (auto o = other.lock(); o != nullptr && o.get() != &q && !o->waits) run(*o, o->done + 1);
  }
  inside = false;
}

}  // namespace

void run(Queue& q, uint64_t until) {
  while (q.done < until && !q.work.empty()) {
    if (setting("defer") == 2) run_others(q);
    if (q.done >= until || q.work.empty()) return;
    auto operation = std::move(q.work.front());
    q.work.pop_front();
    ++q.done;
    // Work behind a failure does not run: its context is gone.
    if (state().poisoned != CUDA_SUCCESS) continue;
    q.waits = true;
    if (CUresult r = operation(); r != CUDA_SUCCESS) poison(r);
    q.waits = false;
  }
}

void run_all() {
  // Newest first: an order that a program may not rely on the opposite of.
  auto queues = state().queues;
  for (size_t i = queues.size(); i-- > 0;) {
    if (auto q = queues[i].lock()) run(*q, q->queued);
  }
  std::erase_if(state().queues, [](const auto& q) { return q.expired(); });
}

namespace {

bool within(const std::map<uintptr_t, size_t>& ranges, uintptr_t address, size_t bytes) {
  auto next = ranges.upper_bound(address);
  if (next == ranges.begin()) return false;
  auto [begin, size] = *std::prev(next);
  return address - begin <= size && bytes <= size - (address - begin);
}

bool overlaps(const std::map<uintptr_t, size_t>& ranges, uintptr_t address, size_t bytes) {
  auto next = ranges.lower_bound(address + bytes);
  if (next == ranges.begin()) return false;
  auto [begin, size] = *std::prev(next);
  return begin + size > address;
}

}  // namespace

bool on_device(const Context& c, uintptr_t address, size_t bytes) {
  return within(c.memory, address, bytes) || within(c.globals, address, bytes);
}

bool on_device(uintptr_t address, size_t bytes) {
  Context* c = current();
  return c != nullptr && on_device(*c, address, bytes);
}

Context* owner(uintptr_t address) {
  for (auto& [device, c] : state().contexts) {
    if (within(c->memory, address, 1) || within(c->globals, address, 1)) return &*c;
  }
  return nullptr;
}

bool touches_device(uintptr_t address, size_t bytes) {
  for (auto& [device, c] : state().contexts) {
    if (overlaps(c->memory, address, bytes) || overlaps(c->globals, address, bytes)) return true;
  }
  return false;
}

}  // namespace arr::fake

using namespace arr::fake;

extern "C" __attribute__((visibility("default"))) void arr_fake_cuda_fail(const char* function, int64_t call,
                                                                          int32_t code, int32_t persistent) {
  const std::lock_guard lock(everything());
  script(&state(), function, call, code, persistent != 0);
}

extern "C" __attribute__((visibility("default"))) int64_t arr_fake_cuda_calls(const char* function) {
  const std::lock_guard lock(everything());
  if (function == nullptr) {  // of the driver all together
    int64_t all = 0;
    for (size_t i = 0; i < std::size(names); ++i)
      all += is_driver(static_cast<Fn>(i)) ? state().scripts[i].calls : 0;
    return all;
  }
  for (size_t i = 0; i < std::size(names); ++i) {
    if (std::strcmp(function, names[i]) == 0) return state().scripts[i].calls;
  }
  return -1;
}

extern "C" __attribute__((visibility("default"))) void arr_fake_cuda_reset(void) {
  const std::lock_guard lock(everything());
  state().scripts = {};
  state().poisoned = CUDA_SUCCESS;
  state().settings = defaults();
}

extern "C" __attribute__((visibility("default"))) void arr_fake_cuda_set(const char* name, int64_t value) {
  const std::lock_guard lock(everything());
  state().settings[name] = value;
}

extern "C" __attribute__((visibility("default"))) int64_t arr_fake_cuda_live(const char* what) {
  const std::lock_guard lock(everything());
  std::string w = what;
  int64_t memory = 0, bytes = 0, contexts = 0;
  for (auto& [device, c] : state().contexts) {
    memory += static_cast<int64_t>(c->memory.size());
    bytes += static_cast<int64_t>(c->used);
    contexts += c->retained > 0 ? 1 : 0;
  }
  const Live& l = live();
  return w == "memory"         ? memory
         : w == "bytes"        ? bytes
         : w == "contexts"     ? contexts
         : w == "streams"      ? l.streams
         : w == "events"       ? l.events
         : w == "modules"      ? l.modules
         : w == "handles"      ? l.handles
         : w == "pinned"       ? l.pinned
         : w == "registered"   ? l.registered
         : w == "opened"       ? l.opened
         : w == "arrays"       ? l.arrays
         : w == "textures"     ? l.textures
         : w == "descriptions" ? l.descriptions
         : w == "graphs"       ? l.graphs
                               : -1;
}

thread_local int32_t arr::fake::Inside::depth = 0;

extern "C" __attribute__((visibility("default"))) int32_t arr_fake_cuda_inside(void) {
  return arr::fake::Inside::depth;
}
