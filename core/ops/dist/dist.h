// SPDX-License-Identifier: MIT
// Distributed arrays: each rank holds its part of a global array, and perhaps layers of its neighbours'
// around it.
#pragma once

#include <vector>

#include "ops/dist/decomposition.h"
#include "ops/expression/expression.h"
#include "ops/fft/fft.h"
#include "ops/random/random.h"
#include "ops/reduce/scan.h"

namespace arr {

// The indices of the segments as an int64 vector.
Ref<Array> index_array(const IndexRanges& s, Device device, Stream* stream);

class Dist : public Object {
 public:
  // all: the part with its halo, of `layers` on both sides along each axis; layers empty: none.
  Dist(Ref<Decomposition> by, Ref<Array> all, std::vector<int64_t> layers);
  const Ref<Decomposition> decomposition;
  const Ref<Array> memory;
  const std::vector<int64_t> halo;
  const Ref<Array> part;  // the memory without the halo

  [[nodiscard]] DType dtype() const { return memory->dtype; }
  [[nodiscard]] int32_t ndim() const { return decomposition->ndim(); }
  // The part displaced along each axis, by the width of its halo at most: a view.
  [[nodiscard]] Ref<Array> shifted(std::span<const int64_t> offsets) const;
};

// Zeros. halo: layers along each axis, or empty.
Ref<Dist> dist_zeros(Decomposition& by, DType d, std::span<const int64_t> halo, Stream* stream);
// Uninitialised, without a halo.
Ref<Dist> dist_empty(Decomposition& by, DType d, Stream* stream);
// The array is this rank's part.
Ref<Dist> dist_of_part(Decomposition& by, const Array& part);
// From an array that one rank has; dtype and shape are those of the decomposition and of `d` on all ranks.
Ref<Dist> dist_scatter(Decomposition& by, const Array* whole, int32_t root, Stream* stream);
// The whole array on one rank, or, with root -1, on each; empty on other ranks.
Ref<Array> dist_gather(const Dist& a, int32_t root, Stream* stream);

// Copies elements between arrays of one shape, cast by the same_kind rule; all ranks call it.
void dist_assign(const Dist& dst, const Dist& src, Stream* stream);
// The same elements divided in another way; `a` itself if it is divided so already.
Ref<Dist> redistributed(const Dist& a, Decomposition& by, Stream* stream);

// Starts to fill the halo from the ranks next to this one; finish_exchange() waits for it. periodic: for each
// axis whether its ends are neighbours; empty: none.
void start_exchange(const Dist& a, std::span<const int32_t> periodic, Stream* stream);
void finish_exchange(const Dist& a);

using Dists = std::span<const Dist* const>;
// Inputs broadcast. The result is divided as the input with the most elements is; others are redistributed to
// fit.
Ref<Dist> dist_apply(const OpInfo& op, Dists inputs, Stream* stream);
Ref<Dist> dist_run(const Expression& e, int32_t node, Dists inputs, Stream* stream);
void dist_run_into(const Dist& dst, const Expression& e, int32_t node, Dists inputs, Stream* stream);

// axes: bit i reduces axis i. The axes that stay are divided as before.
Ref<Dist> dist_reduce(const ReductionInfo& by, const Dist& a, uint32_t axes, bool keepdims, Stream* stream);
// The running reduction by an op along an axis.
Ref<Dist> dist_accumulate(const OpInfo& op, const Dist& a, int32_t axis, Stream* stream);
// A view.
Ref<Dist> dist_transpose(const Dist& a, std::span<const int32_t> axes);

// The view of indices from .. to - 1 of an axis.
Ref<Dist> dist_slice(const Dist& a, int32_t axis, int64_t from, int64_t to);

// The product of matrices, or of vectors in place of one or both.
Ref<Dist> dist_matmul(const Dist& a, const Dist& b, Stream* stream);

// The axes of a Fourier transform, and its result: divided as the operand is, or as the last transform left
// it.
struct DistFft {
  std::vector<int32_t> axes;
  FftNorm norm = FftNorm::backward;
  bool as_operand = true;
};
Ref<Dist> dist_fft(const Dist& a, const DistFft& by, bool inverse, Stream* stream);
// The transform of a real array, with half of the last axis; and back to n indices of it, -1: an even number.
Ref<Dist> dist_rfft(const Dist& a, const DistFft& by, Stream* stream);
Ref<Dist> dist_irfft(const Dist& a, const DistFft& by, int64_t n, Stream* stream);

Ref<Dist> dist_sort(const Dist& a, int32_t axis, Stream* stream);

// The numbers that one rank would draw for the whole array; g has the same state on all ranks.
Ref<Dist> dist_random(Decomposition& by, DType d, Generator& g, int32_t distribution, Parameters parameters,
                      Stream* stream);

// For functions of several arrays: throws unless they are on one communicator, that of `a`.
void check_same_comm(const Dist& a, const Dist& b, const char* argument);

}  // namespace arr
