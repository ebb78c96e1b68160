// SPDX-License-Identifier: MIT
// Transforms of all lines along one axis.
#pragma once

#include <algorithm>
#include <functional>

#include "host/fft/plans.h"
#include "host/loops/fft/fft.h"

namespace arr::host {

// What transforms lines of contiguous elements, and what it asks of them.
class LineStep {
 public:
  struct Side {
    int64_t item = 0, count = 0;  // bytes of an element, elements of a line
    [[nodiscard]] int64_t bytes() const { return item * count; }
  };
  struct Needs {
    Side in, out;
    bool any_address = false;  // else lines start at multiples of 16 bytes
    bool keeps_input = true;
    bool follows = true;   // a line from its start to its end, as prefetchers expect it
    int64_t scratch = 0;   // bytes for run() alone
    int64_t together = 1;  // lines that are best given together
    int64_t abreast = 1;   // those side by side that run_abreast() takes
  };
  LineStep(const LineStep&) = delete;
  LineStep& operator=(const LineStep&) = delete;
  virtual ~LineStep() = default;
  [[nodiscard]] const Needs& needs() const { return needs_; }
  // Told once before run(): it will mostly be `lines` lines, with so many bytes from one to the next.
  virtual void prepare(int64_t lines, int64_t in_ld, int64_t out_ld) = 0;
  virtual void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const = 0;
  // The same of `abreast` lines whose elements of one place lie side by side, steps in bytes; x may be y.
  virtual void prepare_abreast() {}
  virtual void run_abreast(const char* /*x*/, int64_t /*in_step*/, char* /*y*/, int64_t /*out_step*/,
                           double /*scale*/, char* /*scratch*/) const {}

 protected:
  explicit LineStep(const Needs& needs) : needs_(needs) {}
  void need_scratch(int64_t bytes) { needs_.scratch = std::max(needs_.scratch, bytes); }

 private:
  Needs needs_;
};

// Lines of two arrays. Strides in bytes. in and out are the same memory with the same strides, or share none.
struct LinePass {
  PlanSource plans;
  DType real = DType::none;
  int64_t n = 0;  // of a line, on the real side
  const char* in = nullptr;
  char* out = nullptr;
  int64_t in_step = 0, out_step = 0;  // along the line
  int32_t nbatch = 0;
  std::array<FftCall::Dim, max_ndim> batch;
  double scale = 1;
  bool last = true;  // nothing reads the result soon
};

// Where only plans are made, no more than step->prepare().
void run_lines(const LinePass& pass, LineStep* step);
// body(in, out) for every line, which threads share.
void each_line(const LinePass& pass, const std::function<void(const char*, char*)>& body);
// Fourier transforms of the lines (line.cpp).
void transform_lines(const LinePass& pass, FftKind kind);

// The index of FftTable::gather_lines and scatter_lines for items of 4, 8 or 16 bytes.
inline size_t log2_of(int64_t item) { return item == 4 ? 2 : item == 8 ? 3 : 4; }
inline const FftLoops& loops_of(DType real) {
  return real == DType::float64_ ? fft_loops().of_double : fft_loops().of_float;
}

// A long line as a matrix of n1 x n2 (four_step.cpp): n1 transforms of length n2 and n2 of length n1, which
// threads share. n1 is 0 where a line is better left to FFTW as a whole.
struct Split {
  int64_t n1 = 0, n2 = 0;
};
Split split_of(const LinePass& pass, FftKind kind);
// The plans that run_split takes.
void plan_split(const LinePass& pass, FftKind kind, Split split);
// The line at `in` to `out`; the batch of the pass counts for nothing.
void run_split(const LinePass& pass, FftKind kind, Split split, const char* in, char* out);

// A complex transform of two axes, through lines of axis 1 first; best where the result runs along axis 2. in
// may be out.
void run_plane(const FftCall::Dim& axis1, const FftCall::Dim& axis2, FftKind kind, DType real, const char* in,
               char* out, double scale, const PlanSource& plans);

}  // namespace arr::host
