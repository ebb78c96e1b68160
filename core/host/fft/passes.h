// SPDX-License-Identifier: MIT
// Passes of transforms. A transform is planned as a list of passes over its arrays, one after the other.
// Planning makes everything that does not depend on the elements; running executes the passes.
#pragma once

#include <algorithm>
#include <memory>

#include "host/fft/plans.h"
#include "host/loops/fft/fft.h"

namespace arr::host {

// A pass from one array to another, or within one. It may run for any arrays of the alignment that it was
// planned for, also in several threads at once.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;
  virtual void run(const char* in, char* out) const = 0;
};

inline constexpr int64_t simd_alignment = 16;  // alignment of lines for FFTW's SIMD code
inline bool simd_aligned(const void* p) { return reinterpret_cast<uintptr_t>(p) % simd_alignment == 0; }

// A line of two arrays and how a pass treats it. Strides are in bytes.
struct LineShape {
  DType real = DType::none;
  int64_t n = 0;                      // elements of a line, on the real side
  int64_t in_step = 0, out_step = 0;  // along the line
  bool in_place = false;  // the arrays are the same memory with the same strides, or do not overlap
  bool in_aligned = false, out_aligned = false;  // the arrays start at multiples of simd_alignment
  double scale = 1;
  bool last = true;  // no later pass of the transform reads the result
};

// The lines along one axis: one for each index of the batch.
struct LineLayout : LineShape {
  int32_t nbatch = 0;
  std::array<FftCall::Dim, max_ndim> batch;
};

// A transform of contiguous lines.
class LineTransform {
 public:
  struct Side {
    int64_t item = 0, count = 0;  // bytes of an element, elements of a line
    [[nodiscard]] int64_t bytes() const { return item * count; }
  };
  struct Requirements {
    Side in, out;
    bool any_alignment = false;  // else lines start at multiples of simd_alignment
    bool preserves_input = true;
    bool sequential_access = true;  // reads a line from its start to its end, as hardware prefetchers expect
    int64_t scratch = 0;            // bytes for run()
    int64_t batch_width = 1;        // run() is fastest with multiples of this number of lines
    int64_t lanes_across = 1;       // number of interleaved lines that run_across() takes
  };
  LineTransform(const LineTransform&) = delete;
  LineTransform& operator=(const LineTransform&) = delete;
  virtual ~LineTransform() = default;
  [[nodiscard]] const Requirements& requirements() const { return requirements_; }
  // Called once before run(): most calls will be for `lines` lines, in_ld and out_ld bytes apart.
  virtual void prepare(int64_t lines, int64_t in_ld, int64_t out_ld) = 0;
  virtual void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const = 0;
  // The same for lanes_across interleaved lines: element k of all lines is contiguous. Steps are in bytes; x
  // may be y.
  virtual void prepare_across() {}
  virtual void run_across(const char* /*x*/, int64_t /*in_step*/, char* /*y*/, int64_t /*out_step*/,
                          double /*scale*/, char* /*scratch*/) const {}

 protected:
  explicit LineTransform(const Requirements& requirements) : requirements_(requirements) {}
  void require_scratch(int64_t bytes) { requirements_.scratch = std::max(requirements_.scratch, bytes); }

 private:
  Requirements requirements_;
};

// The pass that transforms all lines (lines.cpp).
std::unique_ptr<const Pass> plan_lines(const LineLayout& layout, std::unique_ptr<LineTransform> transform);

// The pass of Fourier transforms of all lines, whatever their length (line_transform.cpp).
std::unique_ptr<const Pass> plan_fft_lines(const LineLayout& layout, FftKind kind, const PlanSource& plans);

// A long line as a matrix of n1 x n2 (four_step.cpp): n1 transforms of length n2 and n2 of length n1, which
// threads share. n1 is 0 if a line is better transformed as a whole.
struct Split {
  int64_t n1 = 0, n2 = 0;
};
Split split_of(int64_t n, FftKind kind);
std::unique_ptr<const Pass> plan_four_step(const LineLayout& layout, FftKind kind, Split split,
                                           const PlanSource& plans);

// Complex transforms along the axes `slow` and `fast` of two arrays, for every index of the batch
// (four_step.cpp). Best if the result is contiguous along the fast axis.
struct PlaneLayout {
  DType real = DType::none;
  FftCall::Dim slow, fast;
  int32_t nbatch = 0;
  std::array<FftCall::Dim, max_ndim> batch;
  bool in_aligned = false, out_aligned = false;  // as in LineLayout
  double scale = 1;
};
std::unique_ptr<const Pass> plan_planes(const PlaneLayout& layout, FftKind kind, const PlanSource& plans);

// The index of FftTable::gather_lines and scatter_lines for items of 4, 8 or 16 bytes.
inline size_t log2_of(int64_t item) { return item == 4 ? 2 : item == 8 ? 3 : 4; }
inline const FftLoops& loops_of(DType real) {
  return real == DType::float64_ ? fft_loops().of_double : fft_loops().of_float;
}

}  // namespace arr::host
