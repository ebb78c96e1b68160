// SPDX-License-Identifier: MIT
// Fills the table of FFT loops for the instruction-set level in use.
#include <string_view>

#include "host/loops/fft/fft.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)        \
  namespace LEVEL {                  \
  void fill_fft(FftTable& table);    \
  void fill_cosine(FftTable& table); \
  void fill_planes(FftTable& table); \
  void fill_radix(FftTable& table);  \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

const FftTable& fft_loops() {
  static const FftTable table = [] {
    FftTable t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) {      \
    LEVEL::fill_fft(t);       \
    LEVEL::fill_cosine(t);    \
    LEVEL::fill_planes(t);    \
    LEVEL::fill_radix(t);     \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace arr::host
