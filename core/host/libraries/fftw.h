// SPDX-License-Identifier: MIT
// FFTW in both precisions, each opened at run time when plans are first to be measured: its licence (GPL) is
// not ours, so nothing is linked with it and everything but measuring works without.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "array/dtype.h"

namespace arr::host {

// The functions used, of the interface that FFTW calls guru64; arrays are untyped here.
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
  char* (*export_wisdom)() = nullptr;  // to be freed
  int (*import_wisdom)(const char*) = nullptr;
  void (*forget_wisdom)() = nullptr;
  std::string report;  // a line per thing tried
  [[nodiscard]] bool found() const { return destroy != nullptr; }
};
inline constexpr unsigned fftw_measure = 0, fftw_patient = 32, fftw_destroy_input = 1,
                          fftw_preserve_input = 16;

// Returns whether FFTW is there for float32 or float64.
bool has_fftw(DType real);
// It; ARR_E_UNAVAILABLE with the loader's message where it is not there.
const Fftw& fftw(DType real);

// Held while plans are made and destroyed, which FFTW does for one thread at a time.
std::mutex& fftw_planner();

// FFTW's wisdom from measuring in both precisions, one text after the other.
std::string fftw_wisdom();
// Text of fftw_wisdom by the same version of FFTW, else ARR_E_ARGUMENT.
void fftw_import_wisdom(std::string_view text);
void fftw_forget_wisdom();

// Adds a line per path where FFTW was looked for to a report. Returns whether both precisions were found.
bool fftw_report(std::string* report);

}  // namespace arr::host
