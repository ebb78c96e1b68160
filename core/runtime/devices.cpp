// SPDX-License-Identifier: MIT
// Finds backends: the host's is linked in, CUDA's is a module beside this library, opened on first use.
#include "runtime/devices.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "arr/device.h"
#include "backend/device.h"
#include "backend/interface.h"
#include "base/dynamic_library.h"
#include "base/fork.h"
#include "base/pressure.h"
#include "base/renaming.h"
#include "runtime/cache_store.h"
#include "runtime/log.h"

namespace arr {

void fail_not_offered() { fail(ARR_E_UNSUPPORTED, "this backend does not offer the operation"); }

#define ARR_BACKEND_TABLE(type, member)                \
  template <>                                          \
  const type& api<type>(const Backend& backend) {      \
    if (backend.member == nullptr) fail_not_offered(); \
    return *backend.member;                            \
  }
#include "backend/tables.def"
#undef ARR_BACKEND_TABLE

namespace {

// Defined here, not in base, because the CUDA module has its own copy of base.
__attribute__((constructor)) void begin_to_watch_forks() { watch_forks(); }

struct Loaded {
  const Backend* backend = nullptr;
  const Backend* module = nullptr;  // even if no device works
  BackendState state;
};

// The module that comes with libarr; an absolute ARR_BACKEND_PATH has precedence. Never the current
// directory, and nothing from the environment in a set-uid program.
std::string module_path(std::string* report) {
  const char* given = secure_getenv("ARR_BACKEND_PATH");
  if (given != nullptr && given[0] == '/') return std::string(given) + "/libarr_cuda.so";
  if (given != nullptr) *report += "ARR_BACKEND_PATH: not an absolute path, ignored\n";
  return companion_path("libarr_cuda.so");
}

Loaded load_cuda() {
  Loaded out;
  std::string& report = out.state.report;
  std::string path = module_path(&report);
  if (path.empty()) {
    report += "libarr_cuda.so: the path of libarr.so is not known\n";
    log_lines(log_level::info, report);
    return out;
  }
  std::string why;
  void* module = open_dynamic_library(path, &why);
  if (module == nullptr) {
    report += path + ": " + why + "\n";
    log_lines(log_level::info, report);
    return out;
  }
  auto open = reinterpret_cast<BackendOpen>(dlsym(module, "arr_backend_open"));
  std::string reason = "it exports no arr_backend_open";
  const Backend* b = open == nullptr ? nullptr : open(backend_abi_version, sizeof(Backend), &reason);
  if (b != nullptr && (b->abi_version != backend_abi_version || b->struct_size != sizeof(Backend))) {
    reason = text("its interface is version ", b->abi_version, " of ", b->struct_size, " bytes, wanted ",
                  backend_abi_version, " of ", sizeof(Backend));
    b = nullptr;
  }
  if (b != nullptr && b->tables_bytes != backend_tables_bytes) {
    reason = text("its tables have ", b->tables_bytes, " bytes, wanted ", backend_tables_bytes);
    b = nullptr;
  }
  if (b == nullptr) {
    report += path + ": " + reason + "\n";
    log_lines(log_level::warning, report);  // the file exists but cannot be used
    return out;
  }
  report += path + ": loaded\n";
  log_lines(log_level::info, report);
  b->services->log_to(&core_log());
  b->services->cache_to(&core_cache_store());
  b->services->pressure_to(&own_pressure);
  BackendError error;
  int32_t status = b->device->probe(&report, &error);
  if (status == ARR_E_MEMORY || status == ARR_E_IO)
    throw Error(status, error.text);  // the message does not name it
  if (status != ARR_OK) {
    report += error.text + "\n";
    log_line(log_level::info, "CUDA does not work here: ", error.text);
  }
  out.state.state = status == ARR_OK ? ARR_BACKEND_WORKING : ARR_BACKEND_BROKEN;
  out.backend = status == ARR_OK ? b : nullptr;
  out.module = b;
  return out;
}

const Loaded& loaded(int32_t type) {
  // Never destroyed: buffers are released through them at exit.
  static const auto* host =
      new Loaded{&host_backend(), &host_backend(), {ARR_BACKEND_WORKING, "host: linked in\n"}};
  if (type == ARR_HOST) return *host;
  // Not a function-local static: a child of fork() could wait for a thread of its parent to initialise it.
  static std::atomic<const Loaded*> known{nullptr};
  if (const Loaded* cuda = known.load(std::memory_order_acquire)) return *cuda;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const Loaded* cuda = known.load(std::memory_order_relaxed)) return *cuda;
  const auto* cuda = new Loaded(load_cuda());
  known.store(cuda, std::memory_order_release);
  return *cuda;
}

void check_type(int32_t type, const char* argument) {
  if (type != ARR_HOST && type != ARR_CUDA) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", type,
         " is not a device type of libarr (1 host, 2 CUDA)");
  }
}

int32_t working_devices(int32_t type) {
  if (backend_state(type).state != ARR_BACKEND_WORKING) return 0;
  int32_t count = 0;
  call(api<DeviceApi>(backend(type)).count, &count);
  return count;
}

}  // namespace

const Backend& backend(int32_t type) {
  const Loaded& l = loaded(type);
  if (l.backend == nullptr) {
    fail(ARR_E_UNAVAILABLE, "argument device: CUDA does not work here: ", one_line(l.state.report));
  }
  return *l.backend;
}

const Backend& backend_module(int32_t type) {
  check_type(type, "device_type");
  const Loaded& l = loaded(type);
  if (l.module == nullptr) {
    fail(ARR_E_UNAVAILABLE, "argument device_type: the CUDA module is not there: ", one_line(l.state.report));
  }
  return *l.module;
}

const BackendState& backend_state(int32_t type) {
  check_type(type, "type");
  return loaded(type).state;
}

Device device_from(const arr_device* device, const char* argument) {
  if (device == nullptr) return {};
  check_type(device->type, argument);
  const Backend& b = backend(device->type);
  int32_t count = 0;
  call(b.device->count, &count);
  if (device->index < 0 || device->index >= count) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": index ", device->index, " of ", count, " ", b.name,
         count == 1 ? " device" : " devices");
  }
  return {device->type, device->index};
}

std::string device_text(Device device) {
  return device.type == ARR_HOST ? "host" : text("cuda:", device.index);
}

namespace {

Device choose_device(bool require_gpu, const char** why) {
  *why = "ARR_DEVICE";
  const char* given = std::getenv("ARR_DEVICE");
  std::string_view wish = given == nullptr ? "" : given;
  if (wish == "host" || wish == "cpu") {
    if (require_gpu) fail(ARR_E_UNAVAILABLE, "argument flags: a GPU is required, but ARR_DEVICE is host");
    return {};
  }
  const auto refuse = [&] {
    fail(ARR_E_ARGUMENT, "ARR_DEVICE: \"", wish, "\" is not one of host, cuda, cuda:N");
  };
  arr_device cuda{ARR_CUDA, 0};
  if (wish.starts_with("cuda")) {
    std::string_view rest = wish.substr(4);
    if (!rest.empty() && (rest[0] != ':' || rest.size() == 1)) refuse();
    for (char c : rest.empty() ? rest : rest.substr(1)) {
      if (c < '0' || c > '9' || cuda.index > 9999) refuse();
      cuda.index = cuda.index * 10 + (c - '0');
    }
    try {
      return device_from(&cuda, "ARR_DEVICE");
    } catch (const Error& e) {
      fail(e.status(), "ARR_DEVICE: ", without_argument(e.text()));  // a variable is not an argument
    }
  }
  if (!wish.empty()) refuse();
  *why = "the first GPU that works";
  if (working_devices(ARR_CUDA) > 0) return {ARR_CUDA, 0};
  *why = "no GPU works";
  if (require_gpu) backend(ARR_CUDA);  // throws with a report of everything that was tried
  if (require_gpu) fail(ARR_E_UNAVAILABLE, "argument flags: a GPU is required, the driver reports none");
  return {};
}

}  // namespace

Device select_device(bool require_gpu) {
  const char* why = "";
  const Device d = choose_device(require_gpu, &why);
  log_line(log_level::info, "device ", device_text(d), " is chosen: ", why);
  return d;
}

}  // namespace arr
