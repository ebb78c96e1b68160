// SPDX-License-Identifier: MIT
// FFTW in both precisions, each opened at run time when plans are first measured. FFTW's licence is the GPL,
// so nothing is linked with it, and everything except measuring works without it.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "array/dtype.h"

namespace arr::host {

// The functions used, from FFTW's guru64 interface; arrays are untyped here.
struct Fftw {
  struct Dim {  // extent and strides, in elements
    ptrdiff_t n, in, out;
  };
  using Plan = void*;
  Plan (*plan_dft)(int rank, const Dim* dims, int nbatch, const Dim* batch, void* in, void* out, int sign,
                   unsigned flags) = nullptr;
  Plan (*plan_r2c)(int rank, const Dim* dims, int nbatch, const Dim* batch, void* in, void* out,
                   unsigned flags) = nullptr;
  Plan (*plan_c2r)(int rank, const Dim* dims, int nbatch, const Dim* batch, void* in, void* out,
                   unsigned flags) = nullptr;
  // These may be called by any number of threads at once.
  void (*execute_dft)(Plan, void* in, void* out) = nullptr;
  void (*execute_r2c)(Plan, void* in, void* out) = nullptr;
  void (*execute_c2r)(Plan, void* in, void* out) = nullptr;
  void (*destroy)(Plan) = nullptr;
  char* (*export_wisdom)() = nullptr;  // must be freed
  int (*import_wisdom)(const char*) = nullptr;
  void (*forget_wisdom)() = nullptr;
  std::string report;  // a line per attempt
  [[nodiscard]] bool found() const { return destroy != nullptr; }
};
inline constexpr unsigned fftw_measure = 0, fftw_patient = 32, fftw_destroy_input = 1,
                          fftw_preserve_input = 16;

// Returns true if FFTW is available for float32 or float64.
bool has_fftw(DType real);
// Returns it; ARR_E_UNAVAILABLE with the loader's message if it is not available.
const Fftw& fftw(DType real);

// Held while plans are created and destroyed, which FFTW allows in one thread at a time.
std::mutex& fftw_planner();

// FFTW's wisdom from measurements in both precisions, concatenated.
std::string fftw_wisdom();
// Text of fftw_wisdom from the same version of FFTW, otherwise ARR_E_ARGUMENT.
void fftw_import_wisdom(std::string_view text);
void fftw_forget_wisdom();

// Appends a line per path that was tried to a report. Returns true if both precisions were found.
bool fftw_report(std::string* report);

}  // namespace arr::host
