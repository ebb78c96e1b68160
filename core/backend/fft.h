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
  r2c,       // forward, of real numbers, into the first n / 2 + 1 elements along the last axis
  c2r,       // backward, the inverse of r2c; imaginary parts that should be 0 are ignored
};

// out = scale * transform(in) along `ndim` axes, for every index of the batch. `in` is read only and shares
// no memory with `out`. No extent is 0.
struct FftCall {
  struct Dim {
    int64_t n = 0;            // number of elements; for r2c and c2r of the real side
    int64_t in = 0, out = 0;  // strides in bytes
  };
  FftKind kind = FftKind::forward;
  DType real = DType::none;  // float32 or float64: dtype of real numbers, or of the parts of complex ones
  const void* in = nullptr;
  void* out = nullptr;
  int32_t ndim = 0, nbatch = 0;
  std::array<Dim, max_ndim> dims, batch;  // dims: the last one is halved by r2c and c2r
  double scale = 1;
  std::shared_ptr<PlanSet> book = nullptr;  // source of plans instead of the device's cache
  bool planning = false;  // plans are made but not run; in and out are addresses without memory
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

// A transform with programs before and after it in one call: `load` computes the transform's input, and
// `store` the elements to write from the scaled transform. At least one of the two is set. Both sides of the
// transform are contiguous in C order, and their shapes have the same number of dimensions, none of extent 0.
// The output shares no memory with an input.
struct FusedFftCall {
  FftCall transform;  // in: the input if there is no `load`; out: the output if there is no `store`
  int32_t ndim = 0;
  const int64_t *in_shape = nullptr, *out_shape = nullptr;
  const Program* load = nullptr;   // its output has the transform's dtype
  const Operand* in = nullptr;     // its inputs, with strides over in_shape
  const Program* store = nullptr;  // its first input is the transform
  const Operand* more = nullptr;   // its other inputs and its output, with strides over out_shape
};

// Described like the transform alone: it is never deferred, and memory of the programs is not counted.
template <class Visitor>
void visit(Visitor& v, FusedFftCall& c) {
  visit(v, c.transform);
}

// out = scale * transform(in), a cosine or sine transform of real numbers along one axis, for every index of
// the batch. The unscaled transforms are types 2 to 4 of arr_dct and arr_dst. The number of elements is even
// and at most cosine_longest, because longer lines are split among threads. `in` is read only and shares no
// memory with `out`. No extent is 0.
struct CosineCall {
  int32_t type = 2;
  bool sine = false;
  bool ends = false;  // scales the first cosine or the last sine term by sqrt(2) before type 3, or by its
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

// The plans that a device keeps. A negative limit means no limit.
struct FftCacheStats {
  int64_t hits = 0, misses = 0;  // number of plans found, and made
  int64_t plans = 0, bytes = 0;  // plans kept now; bytes as far as they are known
  int64_t max_plans = 0, max_bytes = 0;
};

// One of them.
struct FftCachePlan {
  int64_t id = 0;      // never reused
  bool table = false;  // roots of unity for transforms of n[0] elements
  FftKind kind = FftKind::forward;
  DType real = DType::none;
  std::array<int64_t, 3> n{};  // extents, 0 after the last
  int64_t transforms = 1, bytes = 0;
};

struct FftApi {
  int32_t (*fft)(int32_t device, const FftCall*, void* stream, BackendError*);
  // Declines if programs and transform are faster as separate passes.
  int32_t (*fused)(int32_t device, const FusedFftCall*, void* stream, BackendError*);
  // Null if a backend has no cosine transforms; they are then composed of fft and programs.
  int32_t (*cosine)(int32_t device, const CosineCall*, void* stream, BackendError*);

  // Makes the plans that fft would use for such a call, whatever its memory, and adds them to the book, which
  // is created if it is null.
  int32_t (*plan)(int32_t device, const FftCall*, std::shared_ptr<PlanSet>* book, BackendError*);
  // Sets the effort of plans from now on; returns the previous one.
  int32_t (*plan_effort)(int32_t device, FftEffort effort, FftEffort* before, BackendError*);
  // Measurements of plans as text; importing nullptr discards them.
  int32_t (*wisdom)(int32_t device, std::string* text, BackendError*);
  int32_t (*wisdom_import)(int32_t device, const char* text, BackendError*);

  // Cached plans. limit: the least recently used ones are dropped first.
  int32_t (*cache_stats)(int32_t device, FftCacheStats* stats, BackendError*);
  int32_t (*cache_limit)(int32_t device, int64_t plans, int64_t bytes, BackendError*);
  int32_t (*cache_clear)(int32_t device, BackendError*);
  // All plans, the most recently used first. drop: *dropped is 0 if there is no plan with that id.
  int32_t (*cache_plans)(int32_t device, std::vector<FftCachePlan>* plans, BackendError*);
  int32_t (*cache_drop)(int32_t device, int64_t id, int32_t* dropped, BackendError*);
};

}  // namespace arr
