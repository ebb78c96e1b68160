// SPDX-License-Identifier: MIT
// Transforms of all lines along one axis.
#pragma once

#include "host/fft_plans.h"
#include "host/loops/fft.h"

namespace arr::host {

// A transform of reals by cosines or sines of lines of an even number of elements.
class CosineLine {
 public:
  explicit CosineLine(const CosineCall& call);
  // Bytes of memory of one's own that run() needs.
  [[nodiscard]] int64_t scratch() const { return 2 * ld_; }
  // From one line of contiguous elements to another.
  void run(const char* x, char* y, char* scratch) const;

 private:
  int32_t type_;
  bool sine_, ends_;
  int64_t n_, ld_;
  double scale_;
  HeldPlan plan_, roots_;
  const CosineLoops& loops_;
};

// Strides in bytes. in and out are the same memory with the same strides, or share none.
struct LinePass {
  FftKind kind = FftKind::forward;
  DType real = DType::none;
  int64_t n = 0;  // of a line, on the real side
  const char* in = nullptr;
  char* out = nullptr;
  int64_t in_step = 0, out_step = 0;  // along the line
  int32_t nbatch = 0;
  std::array<FftCall::Dim, max_ndim> batch;
  double scale = 1;
  bool last = true;                    // nothing reads the result soon
  const CosineLine* cosine = nullptr;  // instead of a transform of `kind`

  [[nodiscard]] int64_t in_bytes() const {
    return cosine != nullptr ? n * item_size(real) : line_in_bytes(kind, real, n);
  }
  [[nodiscard]] int64_t out_bytes() const {
    return cosine != nullptr ? n * item_size(real) : line_out_bytes(kind, real, n);
  }
  [[nodiscard]] int64_t in_item() const {
    return item_size(real) * (cosine != nullptr || kind == FftKind::r2c ? 1 : 2);
  }
  [[nodiscard]] int64_t out_item() const {
    return item_size(real) * (cosine != nullptr || kind == FftKind::c2r ? 1 : 2);
  }
};

void run_lines(const LinePass& pass);

inline const FftLoops& loops_of(DType real) {
  return real == DType::float64_ ? fft_loops().of_double : fft_loops().of_float;
}

// A long line as a matrix of n1 x n2 (fft_split.cpp): n1 transforms of length n2 and n2 of length n1, which
// threads share. n1 is 0 where a line is better left to FFTW as a whole.
struct Split {
  int64_t n1 = 0, n2 = 0;
};
Split split_of(FftKind kind, int64_t n);
// The line at `in` to `out`; the batch of the pass counts for nothing.
void run_split(const LinePass& pass, Split split, const char* in, char* out);

// A complex transform of two axes, through lines of axis 1 first; best where the result runs along axis 2. in
// may be out.
void run_plane(const FftCall::Dim& axis1, const FftCall::Dim& axis2, FftKind kind, DType real, const char* in,
               char* out, double scale);

}  // namespace arr::host
