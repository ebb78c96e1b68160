// SPDX-License-Identifier: MIT
// Fourier transforms, and the cache of plans that each device has.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "array/layout.h"
#include "backend/error.h"
#include "backend/visit.h"
#include "base/plan_set.h"

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
  std::shared_ptr<PlanSet> book = nullptr;  // where plans come from instead of the device's cache
  bool planning = false;                    // only plans are made; in and out are addresses without memory
};

template <class Visitor>
void visit(Visitor& v, FftCall& c) {
  v.name([&] { return text("fft along ", c.ndim, c.ndim == 1 ? " axis" : " axes"); });
  int64_t extents[2 * max_ndim];
  int32_t n = 0;
  for (int32_t i = 0; i < c.nbatch; ++i) extents[n++] = c.batch[static_cast<size_t>(i)].n;
  for (int32_t i = 0; i < c.ndim; ++i) extents[n++] = c.dims[static_cast<size_t>(i)].n;
  v.extents(extents, n);
  v.bytes([&] {
    const bool complex = c.kind == FftKind::forward || c.kind == FftKind::backward;
    int64_t bytes = (complex ? 4 : 3) * item_size(c.real);
    for (int32_t d = 0; d < n; ++d) bytes *= extents[d];
    return bytes;
  });
}

struct Operand;
class Program;

// A transform with a program before it and one after it, in one go: `load` makes the transform's input, and
// `store` the elements to write from the scaled transform. At least one of the two is there. Both sides of
// the transform are contiguous in C order, and their shapes have the same dimensions, none of extent 0. The
// output shares no memory with any input.
struct FusedFftCall {
  FftCall transform;  // in: its input where there is no `load`; out: its output where there is no `store`
  int32_t ndim = 0;
  const int64_t *in_shape = nullptr, *out_shape = nullptr;
  const Program* load = nullptr;   // its output has the transform's type
  const Operand* in = nullptr;     // the inputs of it, with strides over in_shape
  const Program* store = nullptr;  // its first input is the transform
  const Operand* more = nullptr;   // its other inputs and its output, with strides over out_shape
};

// As the transform alone: it is never deferred, and the programs' memory is not counted.
template <class Visitor>
void visit(Visitor& v, FusedFftCall& c) {
  visit(v, c.transform);
}

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

template <class Visitor>
void visit(Visitor& v, CosineCall& c) {
  v.name([&] { return text(c.sine ? "sine" : "cosine", " transform along an axis"); });
  int64_t extents[max_ndim + 1];
  int32_t n = 0;
  for (int32_t i = 0; i < c.nbatch; ++i) extents[n++] = c.batch[static_cast<size_t>(i)].n;
  extents[n++] = c.axis.n;
  v.extents(extents, n);
  v.bytes([&] {
    int64_t bytes = 2 * item_size(c.real);
    for (int32_t d = 0; d < n; ++d) bytes *= extents[d];
    return bytes;
  });
}

// The effort put into a plan.
enum class FftEffort : int32_t { estimate, measure, patient };

// The plans that a device keeps. A limit below 0 means no limit.
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
  std::array<int64_t, 3> n{};  // extents, 0 after the last
  int64_t transforms = 1, bytes = 0;
};

struct FftApi {
  int32_t (*fft)(int32_t device, const FftCall*, void* stream, BackendError*);
  // Declines where programs and transform are better as separate passes.
  int32_t (*fused)(int32_t device, const FusedFftCall*, void* stream, BackendError*);
  // Null where a backend has none: these are made of fft and programs then.
  int32_t (*cosine)(int32_t device, const CosineCall*, void* stream, BackendError*);

  // Makes the plans that fft takes for such a call, whatever memory it gets, and adds them to the book, which
  // is made if there is none.
  int32_t (*plan)(int32_t device, const FftCall*, std::shared_ptr<PlanSet>* book, BackendError*);
  // The effort of plans from now on, and before.
  int32_t (*plan_effort)(int32_t device, FftEffort effort, FftEffort* before, BackendError*);
  // Measurements of plans as text; import of nullptr forgets them.
  int32_t (*wisdom)(int32_t device, std::string* text, BackendError*);
  int32_t (*wisdom_import)(int32_t device, const char* text, BackendError*);

  // Plans that are kept for reuse. limit: those that have not been used for longest are dropped first.
  int32_t (*cache_stats)(int32_t device, FftCacheStats* stats, BackendError*);
  int32_t (*cache_limit)(int32_t device, int64_t plans, int64_t bytes, BackendError*);
  int32_t (*cache_clear)(int32_t device, BackendError*);
  // All of them, last used first. drop: *dropped is 0 where there is none of that id.
  int32_t (*cache_plans)(int32_t device, std::vector<FftCachePlan>* plans, BackendError*);
  int32_t (*cache_drop)(int32_t device, int64_t id, int32_t* dropped, BackendError*);
};

}  // namespace arr
