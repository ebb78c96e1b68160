// SPDX-License-Identifier: MIT
// Opens FFTW.
#include "host/libraries/fftw.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

#include "base/dynamic_library.h"
#include "base/fork.h"
#include "base/log.h"

namespace arr::host {

namespace {

// The differences between the two libraries.
struct Precision {
  const char *variable, *library, *prefix;
};
constexpr Precision single{"ARR_FFTWF", "libfftw3f.so.3", "fftwf_"};
constexpr Precision twofold{"ARR_FFTW", "libfftw3.so.3", "fftw_"};

Fftw open_library(const Precision& p) {
  Fftw f;
  const std::string path = library_path(p.variable, p.library, &f.report);
  std::string why;
  void* library = open_dynamic_library(path, &why);
  if (library == nullptr) {
    f.report += why + "\n";
    return f;
  }
  Fftw all = f;
  SymbolTable symbols(library, p.prefix);
  symbols.require(&all.plan_dft, "plan_guru64_dft");
  symbols.require(&all.plan_r2c, "plan_guru64_dft_r2c");
  symbols.require(&all.plan_c2r, "plan_guru64_dft_c2r");
  symbols.require(&all.execute_dft, "execute_dft");
  symbols.require(&all.execute_r2c, "execute_dft_r2c");
  symbols.require(&all.execute_c2r, "execute_dft_c2r");
  symbols.require(&all.destroy, "destroy_plan");
  symbols.require(&all.export_wisdom, "export_wisdom_to_string");
  symbols.require(&all.import_wisdom, "import_wisdom_from_string");
  symbols.require(&all.forget_wisdom, "forget_wisdom");
  if (!symbols.missing().empty()) {
    f.report += text(path, ": no function ", symbols.missing(), "\n");
    return f;
  }
  const auto* version = static_cast<const char*>(symbols.find("version"));
  all.report = text(f.report, path, ": ", version != nullptr ? version : "loaded", "\n");
  return all;
}

// Opened by the first call with enough memory and a free file descriptor.
const Fftw& library_of(DType real) {
  static std::atomic<const Fftw*> known[2];
  std::atomic<const Fftw*>& one = known[real == DType::float32_ ? 0 : 1];
  if (const Fftw* f = one.load(std::memory_order_acquire)) return *f;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const Fftw* f = one.load(std::memory_order_relaxed)) return *f;
  auto f = std::make_unique<Fftw>(open_library(real == DType::float32_ ? single : twofold));
  log_lines(log_level::info, f->report);
  one.store(f.get(), std::memory_order_release);
  return *f.release();  // used until the process ends
}

}  // namespace

bool has_fftw(DType real) { return library_of(real).found(); }

const Fftw& fftw(DType real) {
  const Fftw& f = library_of(real);
  if (!f.found()) {
    fail(ARR_E_UNAVAILABLE, "FFTW for ", name(real), " does not work here: ", one_line(f.report));
  }
  return f;
}

std::mutex& fftw_planner() {
  static auto* mutex = new ProcessMutex;
  return *mutex;
}

std::string fftw_wisdom() {
  std::string all;
  for (DType real : {DType::float32_, DType::float64_}) {
    const Fftw& f = fftw(real);
    const std::lock_guard lock(fftw_planner());
    const std::unique_ptr<char, void (*)(void*)> one(f.export_wisdom(), std::free);
    if (one == nullptr) throw std::bad_alloc();
    all += one.get();
  }
  return all;
}

void fftw_import_wisdom(std::string_view text) {
  // FFTW reads the first list of a text, and recognises its precision by the name in it.
  constexpr std::string_view start = "(fftw-";
  size_t at = text.find(start);
  bool all = at != std::string_view::npos;
  while (at != std::string_view::npos) {
    const size_t next = text.find(start, at + start.size());
    const std::string one(text.substr(at, next == std::string_view::npos ? next : next - at));
    bool taken = false;
    for (DType real : {DType::float32_, DType::float64_}) {
      const Fftw& f = fftw(real);
      const std::lock_guard lock(fftw_planner());
      taken = f.import_wisdom(one.c_str()) != 0 || taken;
    }
    all = taken && all;
    at = next;
  }
  if (!all) {
    fail(ARR_E_ARGUMENT, "argument text: not all of it is wisdom of this version of FFTW, which is ",
         one_line(fftw(DType::float64_).report));
  }
}

void fftw_forget_wisdom() {
  for (DType real : {DType::float32_, DType::float64_}) {
    const Fftw& f = fftw(real);
    const std::lock_guard lock(fftw_planner());
    f.forget_wisdom();
  }
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
