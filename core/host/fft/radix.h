// SPDX-License-Identifier: MIT
// Plans of Fourier transforms that need no FFTW: for lines of any length, made in microseconds.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/fft.h"

namespace arr::host {

// A plan for contiguous lines at any address that is aligned for their type: for one line, or for as many as
// a vector has lanes.
class RadixPlan {
 public:
  RadixPlan() = default;
  RadixPlan(const RadixPlan&) = delete;
  RadixPlan& operator=(const RadixPlan&) = delete;
  virtual ~RadixPlan() = default;
  // Transforms the plan's lines, in_ld and out_ld bytes apart. x may be y. Imaginary parts that must be 0 are
  // ignored.
  virtual void run(const char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const = 0;
  // The same for interleaved complex lines, times scale: element k of all lines is contiguous, and the steps
  // are the bytes from element k to k + 1.
  virtual void run_across(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                          char* scratch) const = 0;
  [[nodiscard]] virtual int64_t scratch() const = 0;  // bytes, aligned to 64
  [[nodiscard]] virtual int64_t bytes() const = 0;    // bytes of its tables
  // The number of lines of a plan that transforms lines fastest, and the number of interleaved lines that
  // run_across() of a plan can take; 1 if several lines gain nothing.
  int64_t batch_width = 1, lanes_across = 1;
};
std::unique_ptr<const RadixPlan> radix_plan(FftKind kind, DType real, int64_t n, int64_t lines = 1);

}  // namespace arr::host
