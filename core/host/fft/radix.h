// SPDX-License-Identifier: MIT
// Transforms of lines without FFTW: of any length, made in microseconds.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/fft.h"

namespace arr::host {

// Of lines of contiguous elements at any address of their type: of one, or as many as vectors have lanes, at
// a time.
class RadixPlan {
 public:
  RadixPlan() = default;
  RadixPlan(const RadixPlan&) = delete;
  RadixPlan& operator=(const RadixPlan&) = delete;
  virtual ~RadixPlan() = default;
  // x may be y; what it has in places that stand for no numbers counts for nothing. ld: bytes from a line to
  // the next.
  virtual void run(const char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const = 0;
  // The same of complex lines that lie side by side, steps in bytes from a place to the next; the result
  // times scale.
  virtual void run_abreast(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                           char* scratch) const = 0;
  [[nodiscard]] virtual int64_t scratch() const = 0;  // bytes, at a multiple of 64
  [[nodiscard]] virtual int64_t bytes() const = 0;    // of its tables
  // How many lines are best transformed together, by a plan for so many, and how many that lie side by side;
  // else 1.
  int64_t together = 1, abreast = 1;
};
std::unique_ptr<const RadixPlan> radix_plan(FftKind kind, DType real, int64_t n, int64_t lines = 1);

}  // namespace arr::host
