// SPDX-License-Identifier: MIT
// Opening the driver, NVRTC, nvJitLink, cuBLAS, cuBLASLt, cuSOLVER, cuFFT, cuSPARSE, cuDSS, NCCL and
// cuRAND with the dynamic loader.
#include "cuda/device/libraries.h"

#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "backend/libraries.h"
#include "base/dynamic_library.h"
#include "base/environment.h"
#include "base/log.h"

namespace arr::cuda {

namespace {

// The major versions of a library in the toolkits 13 and 12.
std::array<const char*, 2> majors_of(std::string_view name) {
  if (name == "libcusolver" || name == "libcufft") return {"12", "11"};
  if (name == "libcusparse") return {"12", "12"};
  if (name == "libcurand") return {"10", "10"};
  if (name == "libcudss") return {"1", "1"};
  if (name == "libnccl") return {"2", "2"};
  return {"13", "12"};
}

// Adds the folders of toolkits, for libraries that the loader's own search does not find.
void add_toolkit_paths(const char* name, std::vector<std::string>* paths) {
  const auto majors = majors_of(name);
  for (const char* major : majors) paths->push_back(text(name, ".so.", major));
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const std::string root = environment(variable);
    if (root.empty()) continue;
    if (root[0] != '/') {
      log_line(log_level::warning, variable, ": ", root, ": not an absolute path, ignored");
      continue;
    }
    for (const char* major : majors) paths->push_back(text(root, "/lib64/", name, ".so.", major));
  }
  for (const char* major : majors) {
    paths->push_back(text("/usr/local/cuda/lib64/", name, ".so.", major));
  }
}

std::vector<std::string> candidates(const char* variable, const char* name) {
  std::vector<std::string> paths;
  const std::string given = environment(variable);
  if (!given.empty()) {
    if (given[0] != '/') fail(ARR_E_ARGUMENT, variable, ": ", given, " is not an absolute path");
    paths.push_back(given);
  } else if (std::string_view(name) == "libcuda") {
    paths.emplace_back("libcuda.so.1");
  } else {
    add_toolkit_paths(name, &paths);
  }
  return paths;
}

bool take(void** function, void* library, Resolve resolve, const char* symbol, bool required,
          std::string* report) {
  *function = resolve(library, symbol);
  if (*function != nullptr || !required) return true;
  *report += text("  ", symbol, " is missing in it\n");
  return false;
}

// A library opened once for the process; failures keep their report.
template <class Table>
struct Opened {
  std::once_flag once;
  Table table;
  void* library = nullptr;
  std::string report;
  bool works = false;
};

template <class Table, class Ready>
const Opened<Table>& open_once(Opened<Table>& o, const char* variable, const char* name, Ready&& ready) {
  std::call_once(o.once, [&] {
    o.report.clear();
    try {
      std::string opened;
      // Never closed again: functions of it may run until the process ends.
      o.library = open_library(candidates(variable, name), &o.report, &opened);
      o.works = o.library != nullptr && fill(&o.table, o.library, dlsym, &o.report) && ready(o.table, opened);
    } catch (const std::bad_alloc&) {
      throw;  // not the library's fault: the next call tries again
    } catch (const Error& e) {
      if (e.status() == ARR_E_MEMORY || e.status() == ARR_E_IO) throw;  // nor does this
      o.report += text("  ", e.text(), "\n");
    } catch (const std::exception& e) {
      o.report += text("  ", e.what(), "\n");
    }
    log_lines(log_level::info, o.report);
  });
  return o;
}

Opened<Driver>& driver_state() {
  static auto* o = new Opened<Driver>;
  return *o;
}
Opened<Nvrtc>& nvrtc_state() {
  static auto* o = new Opened<Nvrtc>;
  return *o;
}
Opened<NvJitLink>& nvjitlink_state() {
  static auto* o = new Opened<NvJitLink>;
  return *o;
}
Opened<Cublas>& cublas_state() {
  static auto* o = new Opened<Cublas>;
  return *o;
}
Opened<CublasLt>& cublaslt_state() {
  static auto* o = new Opened<CublasLt>;
  return *o;
}
Opened<Cufft>& cufft_state() {
  static auto* o = new Opened<Cufft>;
  return *o;
}

Opened<Cusolver>& cusolver_state() {
  static auto* o = new Opened<Cusolver>;
  return *o;
}

// Set in a child of fork() when the parent had initialised the driver, which does not work there then.
std::atomic<bool> inherited{false};

bool initialise(Driver& d, std::string* report) {
  CUresult r = d.cuInit(0);
  if (r == CUDA_ERROR_OUT_OF_MEMORY) fail(ARR_E_MEMORY, "cuInit: out of memory");
  if (r != CUDA_SUCCESS) check_descriptors("cuInit");  // the driver opens the devices' files
  // Without memory for the handler a child's calls of the driver fail by the driver's own word.
  static_cast<void>(
      pthread_atfork(nullptr, nullptr, [] { inherited.store(true, std::memory_order_release); }));
  int version = 0;
  if (r == CUDA_SUCCESS) r = d.cuDriverGetVersion(&version);
  if (r == CUDA_SUCCESS) {
    *report += text("  driver for CUDA ", version / 1000, ".", version % 1000 / 10, "\n");
    return true;
  }
  const char *name = nullptr, *meaning = nullptr;
  d.cuGetErrorName(r, &name);
  d.cuGetErrorString(r, &meaning);
  *report += text("  cuInit: ", name != nullptr ? name : "unknown error", " (", r,
                  "): ", meaning != nullptr ? meaning : "no description", "\n");
  return false;
}

const Opened<Driver>& open_driver() {
  auto& o = driver_state();
  return open_once(o, "ARR_CUDA_DRIVER", "libcuda",
                   [&o](Driver& d, const std::string&) { return initialise(d, &o.report); });
}
const Opened<Nvrtc>& open_nvrtc() {
  return open_once(nvrtc_state(), "ARR_CUDA_NVRTC", "libnvrtc", [](Nvrtc& n, const std::string& path) {
    n.path = path;
    return n.nvrtcVersion(&n.major, &n.minor) == NVRTC_SUCCESS;
  });
}
const Opened<NvJitLink>& open_nvjitlink() {
  return open_once(nvjitlink_state(), "ARR_CUDA_NVJITLINK", "libnvJitLink",
                   [](NvJitLink& l, const std::string&) {
                     return l.nvJitLinkVersion(&l.major, &l.minor) == NVJITLINK_SUCCESS;
                   });
}
const Opened<Cublas>& open_cublas() {
  return open_once(cublas_state(), "ARR_CUDA_CUBLAS", "libcublas",
                   [](Cublas&, const std::string&) { return true; });
}
const Opened<CublasLt>& open_cublaslt() {
  return open_once(cublaslt_state(), "ARR_CUDA_CUBLASLT", "libcublasLt",
                   [](CublasLt&, const std::string&) { return true; });
}
const Opened<Cufft>& open_cufft() {
  return open_once(cufft_state(), "ARR_CUDA_CUFFT", "libcufft", [](Cufft& f, const std::string&) {
    return f.cufftGetVersion(&f.version) == CUFFT_SUCCESS;
  });
}

const Opened<Cusolver>& open_cusolver() {
  return open_once(cusolver_state(), "ARR_CUDA_CUSOLVER", "libcusolver",
                   [](Cusolver&, const std::string&) { return true; });
}

const Opened<Cusparse>& open_cusparse() {
  static auto* o = new Opened<Cusparse>;
  return open_once(*o, "ARR_CUDA_CUSPARSE", "libcusparse",
                   [](Cusparse&, const std::string&) { return true; });
}
const Opened<Cudss>& open_cudss() {
  static auto* o = new Opened<Cudss>;
  return open_once(*o, "ARR_CUDA_CUDSS", "libcudss", [](Cudss& c, const std::string&) {
    int major = 0;
    if (c.cudssGetProperty(0, &major) == CUDSS_STATUS_SUCCESS && major == 1) return true;
    o->report += text("  its major version is ", major, ", expected 1\n");
    return false;
  });
}
const Opened<Nccl>& open_nccl() {
  static auto* o = new Opened<Nccl>;
  return open_once(*o, "ARR_CUDA_NCCL", "libnccl", [](Nccl& n, const std::string&) {
    int version = 0;
    constexpr int first = 21400;  // whose communicators need not block
    if (n.ncclGetVersion(&version) == ncclSuccess && version >= first) return true;
    o->report += text("  its version is ", version, ", expected ", first, " or later\n");
    return false;
  });
}
const Opened<Lent>& open_curand() {
  static auto* o = [] {
    auto* fresh = new Opened<Lent>;
    fresh->table.symbol = "curandGetProperty";
    return fresh;
  }();
  return open_once(*o, "ARR_CUDA_CURAND", "libcurand", [](Lent&, const std::string&) { return true; });
}

template <class Table>
const Opened<Table>& require(const Opened<Table>& o, int32_t library) {
  if (!o.works) fail(ARR_E_UNAVAILABLE, name_of(library), " is not available: ", one_line(o.report));
  return o;
}

}  // namespace

void* open_library(std::span<const std::string> paths, std::string* report, std::string* opened) {
  for (const std::string& path : paths) {
    std::string why;
    void* library = open_dynamic_library(path, &why);
    if (library != nullptr) {
      *report += text("  ", path, ": opened\n");
      *opened = path;
      return library;
    }
    *report += text("  ", why, "\n");
  }
  return nullptr;
}

bool fill(Driver* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_CUDA_FN(symbol, need, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/driver_api.def"
#undef ARR_CUDA_FN
  return ok;
}

bool fill(Nvrtc* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_NVRTC_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/nvrtc_api.def"
#undef ARR_NVRTC_FN
  return ok;
}

bool fill(NvJitLink* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true;
  bool ok = true;
#define ARR_NVJITLINK_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/nvjitlink_api.def"
#undef ARR_NVJITLINK_FN
  return ok;
}

bool fill(Cublas* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true;
  bool ok = true;
#define ARR_CUBLAS_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cublas_api.def"
#undef ARR_CUBLAS_FN
  return ok;
}

bool fill(CublasLt* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true;
  bool ok = true;
#define ARR_CUBLASLT_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cublaslt_api.def"
#undef ARR_CUBLASLT_FN
  return ok;
}

bool fill(Cusolver* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_CUSOLVER_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cusolver_api.def"
#undef ARR_CUSOLVER_FN
  return ok;
}

bool fill(Cufft* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_CUFFT_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cufft_api.def"
#undef ARR_CUFFT_FN
  return ok;
}

bool fill(Cusparse* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_CUSPARSE_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cusparse_api.def"
#undef ARR_CUSPARSE_FN
  return ok;
}

bool fill(Cudss* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true;
  bool ok = true;
#define ARR_CUDSS_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/cudss_api.def"
#undef ARR_CUDSS_FN
  return ok;
}

bool fill(Nccl* table, void* library, Resolve resolve, std::string* report) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  bool ok = true;
#define ARR_NCCL_FN(symbol, need, result, params) \
  ok = take(reinterpret_cast<void**>(&table->symbol), library, resolve, #symbol, need, report) && ok;
#include "cuda/driver/nccl_api.def"
#undef ARR_NCCL_FN
  return ok;
}

bool fill(Lent* table, void* library, Resolve resolve, std::string* report) {
  return take(reinterpret_cast<void**>(&table->property), library, resolve, table->symbol, true, report);
}

const Driver& driver() {
  // Every op asks: std::call_once costs more than the rest of a lookup.
  static std::atomic<const Driver*> known{nullptr};
  if (const Driver* d = known.load(std::memory_order_acquire)) return *d;
  const Driver& d = require(open_driver(), library::driver).table;
  known.store(&d, std::memory_order_release);
  return d;
}
const Nvrtc& nvrtc() { return require(open_nvrtc(), library::nvrtc).table; }
const NvJitLink& nvjitlink() { return require(open_nvjitlink(), library::nvjitlink).table; }
const Cublas& cublas() { return require(open_cublas(), library::cublas).table; }
const CublasLt* cublaslt() {
  const auto& o = open_cublaslt();
  return o.works ? &o.table : nullptr;
}
const Cusolver& cusolver() { return require(open_cusolver(), library::cusolver).table; }
const Cufft& cufft() { return require(open_cufft(), library::cufft).table; }
const Cusparse& cusparse() { return require(open_cusparse(), library::cusparse).table; }
const Cusparse* cusparse_if_there() {
  const auto& o = open_cusparse();
  return o.works ? &o.table : nullptr;
}
const Cudss& cudss() {
  const auto& o = open_cudss();
  if (!o.works) {
    fail(ARR_E_UNAVAILABLE,
         "sparse factorizations on CUDA need NVIDIA's cuDSS 1 (libcudss.so.1), which is not ",
         "part of the CUDA toolkit: install it, or name it by ARR_CUDA_CUDSS: ", one_line(o.report));
  }
  return o.table;
}
const Nccl& nccl() {
  const auto& o = open_nccl();
  if (!o.works) {
    fail(ARR_E_UNAVAILABLE,
         "communicators of GPUs need NVIDIA's NCCL 2.14 or later (libnccl.so.2), which is not part of the "
         "CUDA ",
         "toolkit: install it, or name it by ARR_CUDA_NCCL: ", one_line(o.report));
  }
  return o.table;
}
const Lent& curand() { return require(open_curand(), library::curand).table; }

const char* name_of(int32_t library) {
  static constexpr const char* names[library::count] = {"the CUDA driver", "NVRTC", "nvJitLink", "cuBLAS",
                                                        "cuSOLVER",        "cuFFT", "cuSPARSE",  "cuRAND"};
  return names[library];
}
void* opened(int32_t library) {
  switch (library) {
    case library::driver:
      return require(open_driver(), library).library;
    case library::nvrtc:
      return require(open_nvrtc(), library).library;
    case library::nvjitlink:
      return require(open_nvjitlink(), library).library;
    case library::cublas:
      return require(open_cublas(), library).library;
    case library::cusolver:
      return require(open_cusolver(), library).library;
    case library::cufft:
      return require(open_cufft(), library).library;
    case library::cusparse:
      return require(open_cusparse(), library).library;
    default:
      return require(open_curand(), library).library;
  }
}

bool driver_initialized_before_fork() noexcept { return inherited.load(std::memory_order_acquire); }
void refuse_in_child() {
  if (!driver_initialized_before_fork()) return;
  fail(ARR_E_LOST,
       "CUDA was started before fork() made this process; it works in the parent and in programs that exec() "
       "starts");
}

bool probe_driver(std::string* report) {
  const auto& o = open_driver();
  *report += text("driver: ", o.works ? "works" : "does not work", "\n", o.report);
  return o.works;
}
void probe_nvrtc(std::string* report) {
  const auto& o = open_nvrtc();
  *report +=
      text("NVRTC: ", o.works ? text(o.table.major, ".", o.table.minor) : "not available", "\n", o.report);
}
void probe_nvjitlink(std::string* report) {
  const auto& o = open_nvjitlink();
  *report += text("nvJitLink: ", o.works ? text(o.table.major, ".", o.table.minor) : "not available", "\n",
                  o.report);
}
void probe_cublas(std::string* report) {
  const auto& o = open_cublas();
  *report += text("cuBLAS: ", o.works ? "works" : "not available", "\n", o.report);
}

void probe_cusolver(std::string* report) {
  const auto& o = open_cusolver();
  *report += text("cuSOLVER: ", o.works ? "works" : "not available", "\n", o.report);
}

}  // namespace arr::cuda
