// SPDX-License-Identifier: MIT
// A Fourier transform as a backend gets it, and the cache of plans that each device has.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "array/layout.h"
#include "base/plan_book.h"

namespace arr {

enum class FftKind : int32_t {
  forward,   // complex to complex, exp(-2 pi i j k / n)
  backward,  // exp(+2 pi i j k / n)
  r2c,       // forward, of reals, into the first n / 2 + 1 along the last axis
  c2r,       // backward, the inverse of r2c; imaginary parts that must be 0 count as 0
};

// out = scale * transform(in) along `ndim` axes, for every index of the batch. `in` is only read and shares
// no memory with `out`. No extent is 0.
struct FftCall {
  struct Dim {
    int64_t n = 0;            // elements; of an axis of r2c and c2r: on the real side
    int64_t in = 0, out = 0;  // bytes from an element to the next
  };
  FftKind kind = FftKind::forward;
  DType real = DType::none;  // float32 or float64: of the numbers, or of their parts
  const void* in = nullptr;
  void* out = nullptr;
  int32_t ndim = 0, nbatch = 0;
  std::array<Dim, max_ndim> dims, batch;  // dims: the last is the one that r2c and c2r halve
  double scale = 1;
  std::shared_ptr<PlanBook> book = nullptr;  // where plans come from instead of the device's cache
  bool planning = false;                     // only plans are made; in and out are addresses without memory
};

// out = scale * transform(in) of reals by cosines or sines along one axis, for every index of the batch;
// without the scale that of types 2 to 4 of arr_dct and arr_dst. Of an even number of elements and at most
// cosine_longest: longer lines are for threads to share. `in` is only read and shares no memory with `out`.
// No extent is 0.
struct CosineCall {
  int32_t type = 2;
  bool sine = false;
  bool ends = false;  // the first element of cosines, the last of sines by sqrt(2) before type 3, or its
                      // inverse after type 2
  DType real = DType::none;  // float32 or float64
  const void* in = nullptr;
  void* out = nullptr;
  FftCall::Dim axis;
  int32_t nbatch = 0;
  std::array<FftCall::Dim, max_ndim> batch;
  double scale = 1;
};
inline constexpr int64_t cosine_longest = int64_t{1} << 18;

// What goes into making a plan.
enum class FftEffort : int32_t { estimate, measure, patient };

// The plans that a device keeps. A limit below 0 is none.
struct FftCacheStats {
  int64_t hits = 0, misses = 0;  // plans that were there, that were made
  int64_t plans = 0, bytes = 0;  // kept now; bytes as far as they are known
  int64_t max_plans = 0, max_bytes = 0;
};

// One of them.
struct FftCachePlan {
  int64_t id = 0;      // never given again
  bool table = false;  // roots that transforms of n[0] elements look up
  FftKind kind = FftKind::forward;
  DType real = DType::none;
  std::array<int64_t, 3> n{};  // extents, 0 behind the last
  int64_t transforms = 1, bytes = 0;
};

}  // namespace arr
