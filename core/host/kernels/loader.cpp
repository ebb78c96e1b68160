// SPDX-License-Identifier: MIT
// Opens libarr_hostcuda.so, as runtime/devices.cpp opens the CUDA module.
#include "host/kernels/loader.h"

#include <dlfcn.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "base/dynamic_library.h"
#include "base/fork.h"
#include "base/fork_modules.h"
#include "base/thread_limit.h"
#include "base/threads.h"

namespace arr::host {

namespace {

using host_kernels::Module;

constexpr const char* file = "libarr_hostcuda.so";
constexpr const char* variable = "ARR_HOST_KERNELS_MODULE";

// The module has its own log and cache store, which lead to those of libarr.
constexpr LogSink log_of_core = {
    .wants =
        [](int32_t level) noexcept {
          const LogSink* sink = log_sink.load(std::memory_order_acquire);
          return sink != nullptr && sink->wants(level);
        },
    .write =
        [](int32_t level, const char* line) noexcept {
          if (const LogSink* sink = log_sink.load(std::memory_order_acquire)) sink->write(level, line);
        },
};
constexpr CacheStore store_of_core = {
    .get =
        [](const std::string& name, std::string* entry) {
          const CacheStore* store = cache_store.load(std::memory_order_acquire);
          return store != nullptr && store->get(name, entry);
        },
    .put =
        [](const std::string& name, std::string_view entry) {
          if (const CacheStore* store = cache_store.load(std::memory_order_acquire)) store->put(name, entry);
        },
};
constexpr host_kernels::Services services = {
    .log = &log_of_core,
    .cache = &store_of_core,
    .usable_threads = []() noexcept { return threads_available() ? thread_limit() : 1; },
};

// fork() holds the module's locks together with those of libarr.
class ModuleLocks final : private HeldAtFork {
 public:
  explicit ModuleLocks(const Module& module) : module_(module) { enlist(); }
  ~ModuleLocks() { delist(); }

 private:
  bool try_lock_for_fork() noexcept override { return module_.try_lock_for_fork(fork_is_late()); }
  void unlock_after_fork() noexcept override { module_.unlock_after_fork(); }

  const Module& module_;
};

// Lives as long as the process.
struct Opened {
  const Module* module = nullptr;
  std::string report;  // where there is none: why, in lines
  std::unique_ptr<ModuleLocks> locks;
};

// The table of an opened module, or nullptr with the reason.
const Module* table_of(void* library, std::string* reason) {
  const auto open = reinterpret_cast<host_kernels::ModuleOpen>(dlsym(library, "arr_host_kernels_open"));
  if (open == nullptr) {
    *reason = "it exports no arr_host_kernels_open";
    return nullptr;
  }
  const Module* m = open(host_kernels::module_abi_version, sizeof(Module), reason);
  if (m == nullptr) return nullptr;
  if (m->abi_version != host_kernels::module_abi_version || m->struct_size != sizeof(Module)) {
    *reason = text("its interface is version ", m->abi_version, " of ", m->struct_size, " bytes, wanted ",
                   host_kernels::module_abi_version, " of ", sizeof(Module));
    return nullptr;
  }
  if (m->types_bytes != host_kernels::module_types_bytes) {
    *reason = text("its types have ", m->types_bytes, " bytes, wanted ", host_kernels::module_types_bytes);
    return nullptr;
  }
  return m;
}

Opened open_module() {
  Opened out;
  std::string path = library_path(variable, "", &out.report);
  if (path.empty()) path = companion_path(file);
  if (path.empty()) {
    out.report += text(file, ": the path of libarr.so is not known\n");
    return out;
  }
  std::string why;
  int32_t level = log_level::info;
  if (void* library = open_dynamic_library(path, &why)) {
    out.module = table_of(library, &why);
    level = out.module == nullptr ? log_level::warning : level;  // it exists but cannot be used
  }
  if (out.module == nullptr) {
    out.report += (why.starts_with(path) ? why : path + ": " + why) + "\n";
    log_lines(level, out.report);
    return out;
  }
  log_lines(level, out.report + path + ": loaded\n");
  out.module->attach(&services);
  out.locks = std::make_unique<ModuleLocks>(*out.module);
  return out;
}

// Not an object that is made by the first thread: a child of fork() would wait for one of its parent.
std::atomic<const Opened*> known{nullptr};

const Opened& opened() {
  if (const Opened* o = known.load(std::memory_order_acquire)) return *o;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const Opened* o = known.load(std::memory_order_relaxed)) return *o;
  const auto* o = new Opened(open_module());
  known.store(o, std::memory_order_release);
  return *o;
}

}  // namespace

const Module& kernel_module() {
  const Opened& o = opened();
  if (o.module == nullptr) {
    fail(ARR_E_UNAVAILABLE, "raw kernels on the host need ", file, ": ", one_line(o.report),
         "; install it in arr-", ARR_VERSION_MAJOR,
         " beside libarr (a build with -DARR_HOST_KERNELS=ON has it)", ", or set ", variable, " to its path");
  }
  return *o.module;
}

const Module* opened_kernel_module() noexcept {
  const Opened* o = known.load(std::memory_order_acquire);
  return o != nullptr ? o->module : nullptr;
}

}  // namespace arr::host
