// SPDX-License-Identifier: MIT
// User-written kernels on the host: backend calls as calls of the module libarr_hostcuda.so.
#include "host/kernels/entries.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "arr/kernel.h"
#include "backend/module_options.h"
#include "base/checked.h"
#include "base/environment.h"
#include "base/thread_limit.h"
#include "host/device/streams.h"
#include "host/kernels/loader.h"
#include "hostcuda/shim/abi.h"
#include "hostcuda/source/translation.h"

namespace arr::host {

namespace {

constexpr int64_t max_block_threads = 1024, default_shared = 49152,
                  max_shared = static_cast<int64_t>(host_kernels::max_shared_bytes);

struct HostKernel {
  host_kernels::Kernel kernel;
  std::atomic<int64_t> dynamic_shared{default_shared};  // as on a GPU: what it has been allowed so far
};

struct HostModule {
  std::shared_ptr<host_kernels::Image> image;
  std::mutex mutex;
  std::vector<std::unique_ptr<HostKernel>> kernels;
};

HostKernel& kernel_of(void* kernel) { return *static_cast<HostKernel*>(kernel); }

// The call's options in the compiler's spelling.
host_kernels::Options options_of(const ModuleCall& call) {
  if (call.max_registers != 0) {
    fail(ARR_E_UNSUPPORTED, "argument options: max_registers is ", call.max_registers,
         ", the host's compiler has no such limit");
  }
  if (call.device_runtime) {
    fail(ARR_E_UNSUPPORTED, "argument options: device_runtime is 1, on the host kernels launch no kernels");
  }
  host_kernels::Options o;
  o.check = checked_mode();
  for (const std::string& folder : call.include_paths) o.compiler_options.push_back("-I" + folder);
  for (const std::string& d : call.defines) o.compiler_options.push_back("-D" + d);
  if (call.standard != 0) o.compiler_options.push_back(text("-std=c++", call.standard));
  if (call.debug) o.compiler_options.emplace_back("-G");
  if (call.lineinfo) o.compiler_options.emplace_back("-lineinfo");
  if (call.fast_math) o.compiler_options.emplace_back("--use_fast_math");
  o.compiler_options.insert(o.compiler_options.end(), call.options.begin(), call.options.end());
  return o;
}

bool has_ptx(const ModuleUnit& u) { return u.kind == ImageKind::ptx || u.kind == ImageKind::fatbin; }

// The texts of fatbins go to *unpacked.
std::vector<host_kernels::SourceUnit> sources_of(const ModuleCall& call, std::list<std::string>* unpacked) {
  const bool ptx = has_ptx(call.units[0]);
  const char* what = ptx ? option_for_source(call) : nullptr;
  if (what == nullptr && ptx && !call.options.empty()) what = "options";
  if (what != nullptr)
    fail(ARR_E_ARGUMENT, "argument options: ", what, " is for source, the image is ",
         name(call.units[0].kind));
  std::vector<host_kernels::SourceUnit> out;
  for (const ModuleUnit& u : call.units) {
    if (has_ptx(u) != ptx && (has_ptx(u) || u.kind == ImageKind::source)) {
      fail(ARR_E_UNSUPPORTED, "argument inputs: ", call.units[0].name, " is ", name(call.units[0].kind), ", ",
           u.name, " ", name(u.kind), "; the host links sources, or PTX and fatbins, not both");
    }
    if (u.kind == ImageKind::fatbin) {
      std::string& text = unpacked->emplace_back();
      call_kernel_module(kernel_module().ptx_of_fatbin, u.bytes, &u.name, &text);
      out.push_back({u.name, text, true});
      continue;
    }
    if (u.kind != ImageKind::source && u.kind != ImageKind::ptx) {
      fail(ARR_E_UNSUPPORTED, "argument image: ", u.name, " is ", name(u.kind),
           ", which runs on GPUs only; the host takes CUDA C++ source and PTX");
    }
    out.push_back({u.name, u.bytes, u.kind == ImageKind::ptx});
  }
  return out;
}

void check_shared(const HostKernel& k, int64_t bytes) {
  if (bytes < 0) fail(ARR_E_ARGUMENT, "argument shared_bytes: ", bytes, " is negative");
  if (bytes > max_shared) {
    fail(ARR_E_ARGUMENT, "argument shared_bytes: ", bytes, " bytes, kernel ", k.kernel.name, " can have ",
         max_shared);
  }
}

// A larger launch raises what the kernel may have, as the CUDA backend does.
void allow_shared(HostKernel& k, int64_t bytes) {
  check_shared(k, bytes);
  int64_t now = k.dynamic_shared.load(std::memory_order_relaxed);
  while (bytes > now && !k.dynamic_shared.compare_exchange_weak(now, bytes, std::memory_order_relaxed)) {
  }
}

[[noreturn]] void no_attribute(int32_t attribute) {
  fail(ARR_E_UNSUPPORTED, "argument attribute: ", attribute,
       " exists on GPUs only; a kernel on the host has ARR_KERNEL_MAX_THREADS, ARR_KERNEL_SHARED_BYTES and "
       "ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES");
}

// The known memory of the arguments: all of it in checked_mode(), else none.
std::vector<host_kernels::Extent> extents_of(const LaunchConfig& config, int32_t nargs) {
  std::vector<host_kernels::Extent> extents;
  for (int32_t i = 0; config.memory != nullptr && i < nargs; ++i) {
    const ArgumentMemory& m = config.memory[i];
    extents.push_back({m.data, static_cast<uint64_t>(m.bytes), m.numbers, m.name != nullptr ? m.name : ""});
  }
  return extents;
}
const host_kernels::Extent* first_of(const std::vector<host_kernels::Extent>& extents) {
  return extents.empty() ? nullptr : extents.data();
}

// A launch that runs after its caller has returned: with the image and the arguments' values.
class KeptLaunch {
 public:
  KeptLaunch(const host_kernels::Kernel& kernel, const uint32_t grid[3], const uint32_t block[3],
             uint64_t shared_bytes, void* const* args, std::vector<host_kernels::Extent> extents,
             bool cooperative)
      : kernel_(kernel),
        shared_bytes_(shared_bytes),
        extents_(std::move(extents)),
        cooperative_(cooperative) {
    std::copy_n(grid, 3, grid_);
    std::copy_n(block, 3, block_);
    for (size_t i = 0; i < kernel.arg_bytes.size(); ++i) {
      std::unique_ptr<char, Free> own(static_cast<char*>(::operator new(kernel.arg_bytes[i], alignment)));
      std::copy_n(static_cast<const char*>(args[i]), kernel.arg_bytes[i], own.get());
      args_.push_back(own.get());
      values_.push_back(std::move(own));
    }
  }
  void run() const {
    const host_kernels::LaunchCall call{&kernel_,           grid_,        block_,
                                        shared_bytes_,      args_.data(), static_cast<int32_t>(args_.size()),
                                        first_of(extents_), cooperative_};
    call_kernel_module(kernel_module().launch, &call);
  }

 private:
  static constexpr std::align_val_t alignment{64};  // more than any type of a parameter has
  struct Free {
    void operator()(char* p) const { ::operator delete(p, alignment); }
  };
  host_kernels::Kernel kernel_;
  uint32_t grid_[3], block_[3];
  uint64_t shared_bytes_;
  std::vector<std::unique_ptr<char, Free>> values_;
  std::vector<void*> args_;
  std::vector<host_kernels::Extent> extents_;
  bool cooperative_;
};

// As a GPU of as many multiprocessors would: arr_kernel_occupancy says how many fit.
void check_cooperative(const HostKernel& k, const uint32_t grid[3], const uint32_t block[3]) {
  const int64_t max_blocks =
      thread_limit() * kernel_module().resident_blocks(int64_t{block[0]} * block[1] * block[2]);
  // Beyond 2^53 the product is rounded, and too large in any case.
  if (static_cast<double>(grid[0]) * grid[1] * grid[2] <= static_cast<double>(max_blocks)) return;
  fail(ARR_E_ARGUMENT, "argument grid: ", grid[0], " x ", grid[1], " x ", grid[2],
       " blocks in a cooperative launch, the host runs at most ", max_blocks, " of ", k.kernel.name,
       " at once");
}

}  // namespace

int32_t module_create(int32_t, const ModuleCall* call, void** module, std::string* log, BackendError* e) {
  return translate_exceptions(e, [&] {
    auto m = std::make_unique<HostModule>();
    std::list<std::string> unpacked;
    const auto sources = sources_of(*call, &unpacked);
    auto options = options_of(*call);
    options.names = call->names;
    std::string ignored;
    call_kernel_module(kernel_module().compile, sources, &options, &m->image,
                       log != nullptr ? log : &ignored);
    *module = m.release();
  });
}

int32_t module_destroy(int32_t, void* module, BackendError*) {
  delete static_cast<HostModule*>(module);
  return ARR_OK;
}

int32_t module_image(int32_t, const ModuleCall*, ImageKind, std::string*, std::string*, BackendError* e) {
  return translate_exceptions(
      e, [] { fail(ARR_E_UNSUPPORTED, "argument device: images are for GPUs; the host loads source"); });
}

int32_t module_global(int32_t, void* module, const char* name, void** address, int64_t* bytes,
                      BackendError* e) {
  return translate_exceptions(e, [&] {
    host_kernels::Global found{};
    call_kernel_module(kernel_module().global, static_cast<HostModule*>(module)->image.get(), name, &found);
    *address = found.address;
    *bytes = static_cast<int64_t>(found.bytes);
  });
}

int32_t module_kernel(int32_t, void* module, const char* name, void** kernel, BackendError* e) {
  return translate_exceptions(e, [&] {
    auto& m = *static_cast<HostModule*>(module);
    auto found = std::make_unique<HostKernel>();
    call_kernel_module(kernel_module().kernel, &m.image, name, &found->kernel);
    found->kernel.max_shared_bytes = host_kernels::max_shared_bytes;
    const std::lock_guard lock(m.mutex);
    m.kernels.push_back(std::move(found));
    *kernel = m.kernels.back().get();
  });
}

int32_t kernel_params(int32_t, void* kernel, std::vector<KernelParam>* params, int32_t* known,
                      BackendError* e) {
  return translate_exceptions(e, [&] {
    const auto& k = kernel_of(kernel).kernel;
    params->clear();
    for (size_t i = 0; i < k.arg_bytes.size(); ++i) {
      const uint32_t type = k.arg_types[i];
      params->push_back({k.arg_bytes[i], static_cast<DType>(type & 255U), (type & arr_host::arg_pointer) != 0,
                         (type & arr_host::arg_readonly) != 0});
    }
    *known = 1;
  });
}

int32_t kernel_attribute(int32_t, void* kernel, int32_t attribute, int64_t* value, BackendError* e) {
  return translate_exceptions(e, [&] {
    const HostKernel& k = kernel_of(kernel);
    switch (attribute) {
      case ARR_KERNEL_MAX_THREADS:
        *value = max_block_threads;
        return;
      case ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES:
        *value = k.dynamic_shared.load(std::memory_order_relaxed);
        return;
      case ARR_KERNEL_SHARED_BYTES:
        if (!k.kernel.static_shared_known) {
          fail(ARR_E_UNSUPPORTED, "argument attribute: the host knows the ", k.kernel.static_shared_bytes,
               " shared bytes of the module's kernels together, not of each");
        }
        *value = static_cast<int64_t>(k.kernel.static_shared_bytes);
        return;
      default:
        no_attribute(attribute);
    }
  });
}

int32_t kernel_set_attribute(int32_t, void* kernel, int32_t attribute, int64_t value, BackendError* e) {
  return translate_exceptions(e, [&] {
    HostKernel& k = kernel_of(kernel);
    if (attribute != ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES) no_attribute(attribute);
    if (value < 0 || value > max_shared) {
      fail(ARR_E_ARGUMENT, "argument value: ", value, " bytes, ", k.kernel.name, " can have ", max_shared);
    }
    k.dynamic_shared.store(value, std::memory_order_relaxed);
  });
}

int32_t kernel_occupancy(int32_t, void* kernel, int32_t threads, int64_t shared_bytes, int32_t* blocks,
                         BackendError* e) {
  return translate_exceptions(e, [&] {
    check_shared(kernel_of(kernel), shared_bytes);
    if (threads < 1 || threads > max_block_threads) {
      fail(ARR_E_ARGUMENT, "argument threads: ", threads, ", possible are 1 to ", max_block_threads);
    }
    *blocks = static_cast<int32_t>(kernel_module().resident_blocks(threads));
  });
}

int32_t kernel_block_size(int32_t, void* kernel, int64_t shared_bytes, int32_t max_threads, int32_t* threads,
                          int32_t* blocks, BackendError* e) {
  return translate_exceptions(e, [&] {
    check_shared(kernel_of(kernel), shared_bytes);
    *threads = max_threads > 0 && max_threads < max_block_threads ? max_threads
                                                                  : static_cast<int32_t>(max_block_threads);
    *blocks = thread_limit() * static_cast<int32_t>(kernel_module().resident_blocks(*threads));
  });
}

int32_t kernel_launch(int32_t, void* kernel, const LaunchConfig* config, int32_t nargs, void* const* args,
                      void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    HostKernel& k = kernel_of(kernel);
    uint32_t g[3], b[3];
    for (int i = 0; i < 3; ++i) {
      if (!checked::narrow(config->grid[i], &g[i])) {
        fail(ARR_E_ARGUMENT, "argument grid: ", config->grid[i], " blocks, at most 2^31 - 1");
      }
      if (!checked::narrow(config->block[i], &b[i])) {
        fail(ARR_E_ARGUMENT, "argument block: ", config->block[i], " threads, expected 1 to 1024");
      }
    }
    if (config->cluster[0] != 0) {
      fail(ARR_E_UNSUPPORTED,
           "argument options: clusters have no host form; run on a GPU of compute capability "
           "9.0 or later");
    }
    allow_shared(k, config->shared_bytes);
    const auto shared = static_cast<uint64_t>(config->shared_bytes);
    std::vector<host_kernels::Extent> extents = extents_of(*config, nargs);
    const bool cooperative = config->cooperative;
    Stream& s = stream_of(stream);
    const host_kernels::LaunchCall call{&k.kernel, g, b, shared, args, nargs, first_of(extents), cooperative};
    if (cooperative || !s.immediate()) call_kernel_module(kernel_module().check_launch, &call);
    if (cooperative) check_cooperative(k, g, b);
    if (s.immediate()) return call_kernel_module(kernel_module().launch, &call);
    auto kept = std::make_shared<KeptLaunch>(k.kernel, g, b, shared, args, std::move(extents), cooperative);
    s.add({k.kernel.name, [kept] { kept->run(); }});
  });
}

}  // namespace arr::host
