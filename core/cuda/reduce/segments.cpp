// SPDX-License-Identifier: MIT
// Chooses and launches the kernel of reductions of segments: one launch for all of them.
#include <algorithm>
#include <bit>

#include "array/layout.h"
#include "backend/segments.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/reduce/calls.h"
#include "cuda/reduce/emit_ordered.h"
#include "cuda/reduce/emit_segments.h"

namespace arr::cuda {

namespace {

constexpr int64_t each = 8;  // elements of a thread before a further one is worth it
// Few results of many elements each: a block for each.
constexpr int64_t few_results = 4096, long_segment = 1024;
constexpr int64_t min_side_by_side = 8;

// The dimensions of the results, as the kernel counts them.
struct Space {
  int64_t shape[max_ndim], input[max_ndim], output[max_ndim], mask[max_ndim];
  int64_t results = 1;
};

// Returns whether neighbours in memory belong to different sequences.
bool sequences_run_fastest(const SegmentsCall& c) {
  const int32_t axis = c.ndim - 1;
  if (axis == 0 || c.shape[axis - 1] < min_side_by_side) return false;
  const int64_t kept = std::abs(c.input.strides[axis - 1]), along = std::abs(c.input.strides[axis]);
  return kept != 0 && kept < along;
}

// first: segments are counted by the first dimension.
void set_space(const SegmentsCall& c, bool first, Space* space) {
  const int32_t axis = c.ndim - 1;
  for (int32_t d = 0; d < c.ndim; ++d) {
    const int32_t to = first ? (d == axis ? 0 : d + 1) : d;
    space->shape[to] = d == axis ? c.count : c.shape[d];
    space->input[to] = d == axis ? 0 : c.input.strides[d];
    space->mask[to] = d == axis || c.mask.data == nullptr ? 0 : c.mask.strides[d];
    space->output[to] = c.output.strides[d];
    space->results *= space->shape[to];
  }
}
bool reaches_far(const SegmentsCall& c, const Space& space) {
  bool far = space.results > INT32_MAX;
  for (const int64_t* strides : {space.input, space.output, space.mask}) {
    far = far || reach(c.ndim, space.shape, strides) > INT32_MAX;
  }
  return far;
}

SegmentShape shape_of(const SegmentsCall& c, Space* space) {
  SegmentShape s;
  int64_t results = c.count;
  for (int32_t d = 0; d + 1 < c.ndim; ++d) results *= c.shape[d];
  const int64_t mean = checked::ceil_div(c.elements, c.count);
  const bool lengthy = mean > long_segment && results < few_results;
  s.dims = c.ndim;
  s.first = sequences_run_fastest(c) && !lengthy;
  if (!s.first) {
    const auto wanted = static_cast<uint64_t>(checked::ceil_div(mean, each));
    s.lanes = lengthy ? block_threads : static_cast<int32_t>(std::min<uint64_t>(32, std::bit_ceil(wanted)));
  }
  set_space(c, s.first, space);
  s.wide = reaches_far(c, *space);
  return s;
}

// They have no program to which they could be attached.
Kernels& segment_kernels() {
  static auto* k = new Kernels;
  return *k;
}

const Kernel& kernel_of(Device& d, const SegmentsCall& c, const SegmentShape& s) {
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.first) << 8 |
              static_cast<uint64_t>(s.wide) << 9 | static_cast<uint64_t>(s.lanes) << 16 |
              static_cast<uint64_t>(c.acc) << 32 | static_cast<uint64_t>(c.out) << 40 |
              static_cast<uint64_t>(c.reduction->number) << 48;
  return segment_kernels().get(
      d, key, [&] { return emit_segments(*c.reduction, c.acc, c.out, s); },
      [&] { return text(c.reduction->name, " of segments"); }, [&] { return segment_words(s); });
}

// Sets the words that both kinds of kernels have.
void fill(const SegmentsCall& c, const Space& space, bool wide, const Words& w, Arguments* args) {
  for (int32_t i = 0; i < w.count; ++i) args->set(i, int64_t{0});
  args->set(0, space.results);
  args->set(segment_input_word, c.input.data);
  args->set(segment_output_word, c.output.data);
  args->set(segment_bounds_word, c.bounds);
  args->set(segment_step_word, c.input.strides[c.ndim - 1]);
  set_extents(space.shape, c.ndim, wide, w, args);
  for (int32_t i = 0; i < c.ndim; ++i) {
    args->set(w.output + i, space.output[i]);
    args->set(w.stride[0] + i, space.input[i]);
  }
}

KernelKey key_of(const SegmentsCall& c, const OrderedShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.second = c.step;  // distinguishes them from the element-wise kernels of the step
  key.shape = static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.first) << 8 |
              static_cast<uint64_t>(s.wide) << 9 | static_cast<uint64_t>(s.bounds) << 10 |
              static_cast<uint64_t>(s.masked) << 11 | static_cast<uint64_t>(s.initial) << 12 |
              static_cast<uint64_t>(s.running) << 13;
  return key;
}

// From left to right: a thread for each result.
void ordered_reduce(Device& d, const SegmentsCall& c, Stream& s) {
  Space space;
  const int32_t axis = c.ndim - 1;
  OrderedShape shape;
  shape.dims = c.ndim;
  shape.first = sequences_run_fastest(c);
  set_space(c, shape.first, &space);
  shape.wide = reaches_far(c, space);
  shape.bounds = c.bounds != nullptr;
  shape.masked = c.mask.data != nullptr;
  shape.initial = c.initial.dtype != DType::none;
  shape.running = c.running;
  const Kernel& kernel = kernels_of(*c.step).get(
      d, key_of(c, shape, d.index), [&] { return emit_ordered(*c.step, shape); },
      [&] { return text(describe(*c.step), " from left to right"); }, [&] { return ordered_words(shape); });
  const Words& w = kernel.words;
  Arguments args(w.count);
  fill(c, space, shape.wide, w, &args);
  args.set(ordered_length_word, c.shape[axis]);
  args.set(ordered_along_word, c.output.strides[axis]);
  args.set(ordered_initial_word, c.initial);
  if (shape.masked) {
    args.set(ordered_mask_word, c.mask.data);
    args.set(ordered_mask_step_word, c.mask.strides[axis]);
    for (int32_t i = 0; i < c.ndim; ++i) args.set(w.stride[1] + i, space.mask[i]);
  }
  launch(d, kernel, {checked::ceil_div(space.results, block_threads), 1, block_threads, 1}, args, s);
}

}  // namespace

void segments(Device& d, const SegmentsCall& c, Stream& s) {
  if (c.step != nullptr) return ordered_reduce(d, c, s);
  Space space;
  const SegmentShape shape = shape_of(c, &space);
  const Kernel& kernel = kernel_of(d, c, shape);
  const Words& w = kernel.words;
  Arguments args(w.count);
  fill(c, space, shape.wide, w, &args);
  const int64_t blocks = checked::ceil_div(space.results, block_threads / shape.lanes);
  launch(d, kernel, {blocks, 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
