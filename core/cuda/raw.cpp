// SPDX-License-Identifier: MIT
// Compiling, finding and launching user-written kernels.
#include "cuda/raw.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "cuda/compile.h"

namespace arr::cuda {

namespace {

struct RawKernel {
  CUfunction function = nullptr;
  std::string name;
  int32_t threads = 0;         // most per block, by its use of registers
  int32_t static_shared = 0;   // bytes
  std::mutex mutex;            // guards dynamic_shared
  int64_t dynamic_shared = 0;  // bytes allowed so far; 0: what every kernel may have
  int32_t nparams = -1;
  std::vector<int64_t> params;  // bytes of each
};

struct RawModule {
  std::string source;
  std::vector<std::string> options;
  std::mutex mutex;  // guards what follows
  // The source as it stands, then once more for each kernel that needed a name expression.
  std::vector<CUmodule> modules;
  std::map<std::string, std::unique_ptr<RawKernel>, std::less<>> kernels;
};

CUmodule load(Device& d, const Compiled& c) {
  CUmodule module = nullptr;
  d.check(driver().cuModuleLoadData(&module, c.image.data()), "cuModuleLoadData");
  return module;
}

// The function of a name that is in the module as it stands (extern "C"); nullptr where it is not.
CUfunction find_plain(Device& d, const RawModule& m, const char* name) {
  CUfunction f = nullptr;
  CUresult r = driver().cuModuleGetFunction(&f, m.modules.front(), name);
  if (r == CUDA_ERROR_NOT_FOUND) return nullptr;
  d.check(r, "cuModuleGetFunction");
  return f;
}

// Compiles the source once more with the name as a name expression, which instantiates templates and tells
// the mangled name.
CUfunction find_expression(Device& d, RawModule& m, const char* name) {
  const std::string names[] = {name};
  Compiled c;
  std::string log;
  try {
    c = compile(nvrtc(), m.source, "kernel.cu", m.options, names, &log);
  } catch (const Error& e) {
    if (e.status() != ARR_E_COMPILE) throw;
    fail(ARR_E_ARGUMENT, "argument name: the module has no kernel ", name, ": ", e.text());
  }
  CUmodule module = load(d, c);
  CUfunction f = nullptr;
  CUresult r = driver().cuModuleGetFunction(&f, module, c.lowered.front().c_str());
  if (r != CUDA_SUCCESS) {
    d.note(driver().cuModuleUnload(module), "cuModuleUnload");
    if (r == CUDA_ERROR_NOT_FOUND) fail(ARR_E_ARGUMENT, "argument name: ", name, " is not a kernel");
    d.check(r, "cuModuleGetFunction");
  }
  m.modules.push_back(module);
  return f;
}

int32_t attribute(Device& d, CUfunction f, CUfunction_attribute which) {
  int value = 0;
  d.check(driver().cuFuncGetAttribute(&value, which, f), "cuFuncGetAttribute");
  return value;
}

void learn_params(RawKernel* k) {
  if (driver().cuFuncGetParamInfo == nullptr) return;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, bytes = 0;
    CUresult r = driver().cuFuncGetParamInfo(k->function, i, &offset, &bytes);
    if (r == CUDA_ERROR_INVALID_VALUE) break;  // past the last
    if (r != CUDA_SUCCESS) return;
    k->params.push_back(static_cast<int64_t>(bytes));
  }
  k->nparams = static_cast<int32_t>(k->params.size());
}

RawKernel* kernel_of(Device& d, RawModule& m, const char* name) {
  const std::lock_guard lock(m.mutex);
  auto at = m.kernels.find(name);
  if (at != m.kernels.end()) return at->second.get();
  auto k = std::make_unique<RawKernel>();
  k->name = name;
  k->function = find_plain(d, m, name);
  if (k->function == nullptr) k->function = find_expression(d, m, name);
  k->threads = attribute(d, k->function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  k->static_shared = attribute(d, k->function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  learn_params(k.get());
  return m.kernels.emplace(name, std::move(k)).first->second.get();
}

void check_geometry(const Device& d, const RawKernel& k, const int64_t grid[3], const int32_t block[3]) {
  static constexpr const char* axes[] = {"x", "y", "z"};
  int64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (grid[i] < 1 || grid[i] > d.limits.grid[i]) {
      fail(ARR_E_ARGUMENT, "argument grid: ", grid[i], " blocks in ", axes[i], ", possible are 1 to ",
           d.limits.grid[i]);
    }
    if (block[i] < 1 || block[i] > d.limits.block[i]) {
      fail(ARR_E_ARGUMENT, "argument block: ", block[i], " threads in ", axes[i], ", possible are 1 to ",
           d.limits.block[i]);
    }
    threads *= block[i];
  }
  int64_t most = std::min(d.limits.threads_per_block, k.threads);
  if (threads > most) {
    fail(ARR_E_ARGUMENT, "argument block: ", threads, " threads, ", k.name, " can have ", most);
  }
}

// Above what every kernel may have (48 KiB less the static part) a kernel has to be told.
void allow_shared(Device& d, RawKernel& k, int64_t bytes) {
  int64_t most = d.limits.shared_bytes_optin - k.static_shared;
  if (bytes < 0 || bytes > most) {
    fail(ARR_E_ARGUMENT, "argument shared_bytes: ", bytes, " bytes, ", k.name, " can have ", most);
  }
  if (bytes <= d.limits.shared_bytes - k.static_shared) return;
  const std::lock_guard lock(k.mutex);
  if (bytes <= k.dynamic_shared) return;
  d.check(driver().cuFuncSetAttribute(k.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(bytes)),
          "cuFuncSetAttribute");
  k.dynamic_shared = bytes;
}

}  // namespace

int32_t module_create(int32_t device, const char* source, int64_t length, int32_t noptions,
                      const char* const* options, void** module, std::string* log, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    const Nvrtc& n = nvrtc();
    call.device.unload_buried();
    auto m = std::make_unique<RawModule>();
    m->source.assign(source, length < 0 ? std::strlen(source) : static_cast<size_t>(length));
    bool arch_given = false;
    for (int32_t i = 0; i < noptions; ++i) {
      m->options.emplace_back(options[i]);
      const std::string& o = m->options.back();
      arch_given = arch_given || o.starts_with("-arch") || o.starts_with("--gpu-architecture");
    }
    if (!arch_given) m->options.push_back(arch_option(n, call.device.limits.arch));
    m->modules.push_back(load(call.device, compile(n, m->source, "kernel.cu", m->options, {}, log)));
    *module = m.release();
  });
}

int32_t module_destroy(int32_t device, void* module, BackendError* error) {
  return seam(error, [&] {
    const std::unique_ptr<RawModule> m(static_cast<RawModule*>(module));
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;  // gone with its context
    for (CUmodule loaded : m->modules) d->bury(loaded);
  });
}

int32_t module_kernel(int32_t device, void* module, const char* name, void** kernel, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    *kernel = kernel_of(call.device, *static_cast<RawModule*>(module), name);
  });
}

int32_t kernel_params(int32_t device, void* kernel, int32_t capacity, int64_t* sizes, int32_t* nparams,
                      BackendError* error) {
  return seam(error, [&] {
    Device::get(device);
    const RawKernel& k = *static_cast<const RawKernel*>(kernel);
    for (int32_t i = 0; i < std::min(capacity, k.nparams); ++i) sizes[i] = k.params[static_cast<size_t>(i)];
    *nparams = k.nparams;
  });
}

int32_t kernel_launch(int32_t device, void* kernel, const int64_t grid[3], const int32_t block[3],
                      int64_t shared_bytes, int32_t nargs, void* const* args, void* stream,
                      BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    RawKernel& k = *static_cast<RawKernel*>(kernel);
    if (k.nparams >= 0 && nargs != k.nparams) {
      fail(ARR_E_ARGUMENT, "argument nargs: ", k.name, " has ", k.nparams, " parameters, got ", nargs);
    }
    check_geometry(call.device, k, grid, block);
    allow_shared(call.device, k, shared_bytes);
    call.stream.last_work.store("a user's kernel", std::memory_order_relaxed);
    call.device.check(
        driver().cuLaunchKernel(k.function, static_cast<unsigned>(grid[0]), static_cast<unsigned>(grid[1]),
                                static_cast<unsigned>(grid[2]), static_cast<unsigned>(block[0]),
                                static_cast<unsigned>(block[1]), static_cast<unsigned>(block[2]),
                                static_cast<unsigned>(shared_bytes), call.stream.handle,
                                const_cast<void**>(args), nullptr),
        "cuLaunchKernel", &call.stream);
  });
}

}  // namespace arr::cuda
