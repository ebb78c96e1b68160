// SPDX-License-Identifier: MIT
// Opens OpenBLAS.
#include "host/blas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/fork.h"
#include "base/log.h"

namespace arr::host {

namespace {

// OpenBLAS 0.3.21 takes its slowest kernels on processors newer than it knows. While it loads, and only
// then, the environment names the kernels of the best instruction set it has; a user's choice stays.
class CoreType {
 public:
  CoreType() {
    if (std::getenv(variable) != nullptr) return;
#if defined(__x86_64__)
    const char* core = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0
                           ? "SKYLAKEX"
                       : __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 ? "HASWELL"
                                                                                                   : nullptr;
    set_ = core != nullptr && setenv(variable, core, 0) == 0;
#endif
  }
  ~CoreType() {
    if (set_) unsetenv(variable);
  }
  CoreType(const CoreType&) = delete;
  CoreType& operator=(const CoreType&) = delete;

 private:
  static constexpr const char* variable = "OPENBLAS_CORETYPE";
  bool set_ = false;
};

template <class F>
bool find(void* library, const char* name, F* function, std::string* report) {
  *function = reinterpret_cast<F>(dlsym(library, name));
  if (*function == nullptr) *report += std::string("OpenBLAS: no function ") + name + "\n";
  return *function != nullptr;
}

Blas open_library() {
  Blas b;
  const char* given = secure_getenv("ARR_OPENBLAS");
  if (given != nullptr && given[0] != '/') {
    b.report += "ARR_OPENBLAS: not an absolute path, ignored\n";
    given = nullptr;
  }
  const char* path = given != nullptr ? given : "libopenblas.so.0";
  void* library = nullptr;
  {
    const CoreType core;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    b.report += std::string(dlerror()) + "\n";
    return b;
  }
  Blas all = b;
  const bool complete = find(library, "cblas_sgemm", &all.sgemm, &b.report) &&
                        find(library, "cblas_dgemm", &all.dgemm, &b.report) &&
                        find(library, "cblas_cgemm", &all.cgemm, &b.report) &&
                        find(library, "cblas_zgemm", &all.zgemm, &b.report) &&
                        find(library, "openblas_set_num_threads", &all.set_threads, &b.report) &&
                        find(library, "openblas_get_num_threads", &all.get_threads, &b.report);
  if (!complete) return b;
  char* (*config)() = nullptr;
  find(library, "openblas_get_config", &config, &b.report);
  all.library = library;
  all.report = b.report + path + ": " + (config == nullptr ? "loaded" : config()) + "\n";
  return all;
}

std::string one_line(std::string s) {
  while (!s.empty() && s.back() == '\n') s.pop_back();
  for (char& c : s) c = c == '\n' ? ';' : c;
  return s;
}

// How many OneThreads there are, and how many threads calls had before the first.
struct Singles {
  ProcessMutex mutex;
  int users = 0, before = 1;
};
Singles& singles() {
  static auto* s = new Singles;
  return *s;
}

}  // namespace

OneThread::OneThread() {
  const Blas& b = blas();
  const std::lock_guard lock(singles().mutex);
  if (singles().users++ != 0) return;
  singles().before = b.get_threads();
  b.set_threads(1);
}
OneThread::~OneThread() {
  const std::lock_guard lock(singles().mutex);
  if (--singles().users == 0) blas_library().set_threads(singles().before);
}

const Blas& blas_library() {
  static const auto* library = [] {
    auto* b = new Blas(open_library());  // used until the process ends
    log_lines(log_level::info, b->report);
    return b;
  }();
  return *library;
}

const Blas& blas() {
  const Blas& b = blas_library();
  if (!b.found()) fail(ARR_E_UNAVAILABLE, "OpenBLAS does not work here: ", one_line(b.report));
  return b;
}

}  // namespace arr::host
