// SPDX-License-Identifier: MIT
// Opens FFTW.
#include "host/fftw.h"

#include <dlfcn.h>

#include <cstdlib>

#include "host/host.h"

namespace arr::host {

namespace {

// What distinguishes the two libraries.
struct Precision {
  const char *variable, *library, *prefix;
};
constexpr Precision single{"ARR_FFTWF", "libfftw3f.so.3", "fftwf_"};
constexpr Precision twofold{"ARR_FFTW", "libfftw3.so.3", "fftw_"};

Fftw open_library(const Precision& p) {
  Fftw f;
  const char* path = secure_getenv(p.variable);
  if (path != nullptr && path[0] != '/') {
    f.report += text(p.variable, ": not an absolute path, ignored\n");
    path = nullptr;
  }
  if (path == nullptr) path = p.library;
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* message = dlerror();
    f.report += text(message != nullptr ? message : path, "\n");
    return f;
  }
  Fftw all = f;
  bool complete = true;
  auto find = [&](auto* function, const char* name) {
    void* address = dlsym(library, (std::string(p.prefix) + name).c_str());
    *function = reinterpret_cast<std::remove_reference_t<decltype(*function)>>(address);
    if (address != nullptr) return;
    f.report += text(path, ": no function ", p.prefix, name, "\n");
    complete = false;
  };
  find(&all.plan_dft, "plan_guru64_dft");
  find(&all.plan_r2c, "plan_guru64_dft_r2c");
  find(&all.plan_c2r, "plan_guru64_dft_c2r");
  find(&all.execute_dft, "execute_dft");
  find(&all.execute_r2c, "execute_dft_r2c");
  find(&all.execute_c2r, "execute_dft_c2r");
  find(&all.destroy, "destroy_plan");
  if (!complete) return f;
  const auto* version = static_cast<const char*>(dlsym(library, (std::string(p.prefix) + "version").c_str()));
  all.report = text(f.report, path, ": ", version != nullptr ? version : "loaded", "\n");
  return all;
}

const Fftw& library_of(DType real) {
  // Used until the process ends.
  static const auto* of_float = new Fftw(open_library(single));
  if (real == DType::float32_) return *of_float;
  static const auto* of_double = new Fftw(open_library(twofold));
  return *of_double;
}

std::string one_line(std::string s) {
  while (!s.empty() && s.back() == '\n') s.pop_back();
  for (char& c : s) c = c == '\n' ? ';' : c;
  return s;
}

}  // namespace

const Fftw& fftw(DType real) {
  const Fftw& f = library_of(real);
  if (!f.found()) {
    fail(ARR_E_UNAVAILABLE, "FFTW for ", name(real), " does not work here: ", one_line(f.report));
  }
  return f;
}

std::mutex& fftw_planner() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

bool fftw_report(std::string* report) {
  bool all = true;
  for (DType real : {DType::float32_, DType::float64_}) {
    *report += library_of(real).report;
    all = all && library_of(real).found();
  }
  return all;
}

}  // namespace arr::host
