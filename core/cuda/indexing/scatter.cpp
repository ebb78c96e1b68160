// SPDX-License-Identifier: MIT
// Launches the kernel that updates an array at indices.
#include "backend/indexing.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/indexing/calls.h"
#include "cuda/indexing/emit_scatter.h"

namespace arr::cuda {

namespace {

ScatterShape shape_of(const ScatterCall& c, int64_t size) {
  ScatterShape s;
  s.dims = c.ndim;
  s.wide = size > INT32_MAX || reach(c.ndim, c.shape, c.target.strides) > INT32_MAX;
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, 1, &s.wide);
  return s;
}

KernelKey key_of(const ScatterCall& c, const ScatterShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.second = c.combine;
  // The two top bits distinguish scatters from all other kernels of the same program.
  key.shape = uint64_t{1} << 62 | static_cast<uint64_t>(s.dims) << 48 | static_cast<uint64_t>(s.wide) << 56;
  key.access = access_bits(s.access);
  return key;
}

}  // namespace

void scatter(Device& d, const ScatterCall& c, Stream& s) {
  int64_t size = 1;
  for (int32_t i = 0; i < c.ndim; ++i) size *= c.shape[i];
  const ScatterShape shape = shape_of(c, size);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(c, shape, d.index), [&] { return emit_scatter(*c.map, *c.combine, shape); },
      [&] { return text(describe(*c.combine), " at (", describe(*c.map), ")"); },
      [&] { return scatter_words(shape); });
  Arguments args(kernel.words.count);
  args.set(0, size);
  args.set(scatter_target_word, c.target.data);
  set_extents(c.shape, c.ndim, shape.wide, kernel.words, &args);
  for (int32_t i = 0; i < c.ndim; ++i) args.set(kernel.words.output + i, c.target.strides[i]);
  set_operands(c.operands, shape.access, kernel.words, c.ndim, &args);
  launch(d, kernel, {checked::ceil_div(size, block_threads), 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
