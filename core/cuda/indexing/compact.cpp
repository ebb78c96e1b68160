// SPDX-License-Identifier: MIT
// Launches the kernels that pack conditions into mask bits, and that read and write the selected elements.
#include <algorithm>
#include <bit>

#include "backend/indexing.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/look_back.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/scratch.h"
#include "cuda/indexing/calls.h"
#include "cuda/indexing/emit_compact.h"

namespace arr::cuda {

namespace {

// The two top bits distinguish scatters, packing and compaction from other kernels of the same program, and
// the next two bits these from each other.
constexpr uint64_t pack_mask_kind = uint64_t{5} << 60, compact_kind = uint64_t{6} << 60;
constexpr int64_t rows_part_bytes = 64 * 1024, max_parts = 65535;  // limits for the rows of a tile

int64_t size_of(int32_t ndim, const int64_t* shape) {
  int64_t size = 1;
  for (int32_t d = 0; d < ndim; ++d) size *= shape[d];
  return size;
}

// A step past the end must not overflow either.
bool is_wide(int64_t size) { return size > INT32_MAX - 2 * compact_tile; }

void set_mask_bits(const MaskBits& m, int64_t size, Arguments* args) {
  args->set(mask_size_word, size);
  args->set(mask_bits_word, static_cast<const void*>(m.bits));
  args->set(mask_before_word, static_cast<const void*>(m.before));
}

PackMaskShape shape_of(const PackMaskCall& c, int64_t size) {
  PackMaskShape s;
  s.dims = c.ndim;
  s.wide = is_wide(size);
  if (c.ndim == 1) {
    Width width;
    for (size_t k = 0; k < c.map->inputs.size(); ++k) {
      if (!is_load_base(*c.map, k)) width.add(c.operands[k], item_size(c.map->inputs[k]), c.ndim);
    }
    s.vector = width.elements();
  }
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, s.vector, &s.wide);
  const bool packed = std::find(s.access.begin(), s.access.end(), Access::contiguous) != s.access.end();
  if (!packed) s.vector = 1;
  return s;
}

KernelKey key_of(const PackMaskShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = pack_mask_kind | static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.wide) << 8 |
              static_cast<uint64_t>(std::countr_zero(static_cast<uint32_t>(s.vector))) << 9;
  key.access = access_bits(s.access);
  return key;
}

// The widest access at which all rows and results may begin.
int32_t row_unit(const CompactCall& c) {
  auto bits = static_cast<uint64_t>(c.row_bytes) | reinterpret_cast<uintptr_t>(c.rows.data) |
              reinterpret_cast<uintptr_t>(c.row_to) | 16U;
  for (int32_t d = 0; d < c.ndim; ++d) bits |= static_cast<uint64_t>(c.rows.strides[d]);
  return static_cast<int32_t>(bits & (~bits + 1));
}

CompactShape shape_of(const CompactCall& c, int64_t size) {
  CompactShape s;
  s.dims = c.ndim;
  s.wide = is_wide(size);
  s.nspace = c.nspace;
  if (c.row_bytes > 0) s.row_unit = row_unit(c);
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, 1, &s.wide);
  return s;
}

KernelKey key_of(const CompactShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = compact_kind | static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.wide) << 8 |
              static_cast<uint64_t>(s.nspace) << 9 | static_cast<uint64_t>(s.row_unit) << 17;
  key.access = access_bits(s.access);
  return key;
}

// A row is copied in units, so that the blocks of a tile share its rows.
Grid set_rows(const CompactCall& c, const CompactShape& s, const Words& w, int64_t tiles, Arguments* args) {
  const int64_t units = c.row_bytes / s.row_unit;
  args->set(compact_row_units_word, units);
  (*args)[compact_row_units_word + 1] = wide_reciprocal(units);
  args->set(compact_rows_word, c.rows.data);
  args->set(compact_row_to_word, c.row_to);
  for (int32_t d = 0; d < c.ndim; ++d) args->set(w.output + d, c.rows.strides[d]);
  const int64_t rows = std::min(c.capacity, compact_tile);
  const int64_t parts = c.row_bytes > rows_part_bytes ? rows : rows * c.row_bytes / rows_part_bytes;
  return {tiles, std::clamp<int64_t>(parts, 1, max_parts), block_threads, 1};
}

void set_indices(const CompactCall& c, const CompactShape& s, Arguments* args) {
  const int32_t space = compact_space_word(s);
  Words w;
  w.extent = space;
  set_extents(c.space, c.nspace, s.wide, w, args);
  for (int32_t d = 0; d < c.nspace; ++d) {
    args->set(space + 2 * c.nspace + d, static_cast<const void*>(c.indices[d]));
  }
  args->set(compact_index_step_word, c.index_step);
}

// Values and coordinates by one kernel, rows by another.
void launch_compact(Device& d, const CompactCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = MaskBits::tiles(size);
  const CompactShape shape = shape_of(c, size);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(shape, d.index), [&] { return emit_compact(*c.map, shape); },
      [&] { return text("select (", describe(*c.map), ")"); }, [&] { return compact_words(shape); });
  const Words& w = kernel.words;
  Arguments args(w.count);
  for (int32_t i = 0; i < w.count; ++i) args.set(i, int64_t{0});
  set_mask_bits(c.mask, size, &args);
  args.set(compact_capacity_word, c.capacity);
  set_extents(c.shape, c.ndim, shape.wide, w, &args);
  set_operands(c.operands, shape.access, w, c.ndim, &args);
  for (int32_t k = 0; k < Program::max_outputs; ++k) args.set(compact_values_word + k, c.values[k]);
  if (c.nspace > 0) set_indices(c, shape, &args);
  Grid grid = {tiles, 1, block_threads, 1};
  if (c.row_bytes > 0) grid = set_rows(c, shape, w, tiles, &args);
  launch(d, kernel, grid, args, s);
}

Kernels& masked_scatter_kernels() {
  static auto* k = new Kernels;
  return *k;
}

}  // namespace

void pack_mask(Device& d, const PackMaskCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = MaskBits::tiles(size);
  const PackMaskShape shape = shape_of(c, size);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(shape, d.index), [&] { return emit_pack_mask(*c.map, shape); },
      [&] { return text("mask bits of ", describe(*c.map)); }, [&] { return pack_mask_words(shape); });
  const LookBackMemory memory = look_back_memory(8, 1, tiles);
  const Scratch status(d, s, memory.bytes);
  Arguments args(kernel.words.count);
  set_mask_bits(c.mask, size, &args);
  args.set(pack_tiles_word, tiles);
  args.set(pack_carry_word, status.data());
  set_extents(c.shape, c.ndim, shape.wide, kernel.words, &args);
  set_operands(c.operands, shape.access, kernel.words, c.ndim, &args);
  d.check(driver().cuMemsetD8Async(reinterpret_cast<uintptr_t>(status.data()), 0,
                                   static_cast<size_t>(memory.zeroed), s.handle),
          "cuMemsetD8Async", &s);
  launch(d, kernel, {tiles, 1, block_threads, 1}, args, s);
}

void compact(Device& d, const CompactCall& c, Stream& s) {
  if (c.capacity <= 0) return;
  if (c.row_bytes == 0) return launch_compact(d, c, s);
  CompactCall rows = c, others = c;
  rows.nspace = 0;
  others.row_bytes = 0;
  launch_compact(d, rows, s);
  if (c.nspace > 0 || !c.map->outputs.empty()) launch_compact(d, others, s);
}

void masked_scatter(Device& d, const MaskedScatterCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = MaskBits::tiles(size);
  MaskedScatterShape shape;
  shape.dims = c.ndim;
  shape.wide = is_wide(size) || reach(c.ndim, c.shape, c.target.strides) > INT32_MAX;
  shape.item = static_cast<int32_t>(c.item);
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(shape.dims) | static_cast<uint64_t>(shape.wide) << 8 |
              static_cast<uint64_t>(shape.item) << 9;
  const Kernel& kernel = masked_scatter_kernels().get(
      d, key, [&] { return emit_masked_scatter(shape); }, [&] { return text("write at mask bits"); },
      [&] { return masked_scatter_words(shape); });
  Arguments args(kernel.words.count);
  set_mask_bits(c.mask, size, &args);
  args.set(scatter_target_word, c.target.data);
  args.set(scatter_from_word, c.values);
  args.set(scatter_nvalues_word, c.nvalues);
  set_extents(c.shape, c.ndim, shape.wide, kernel.words, &args);
  for (int32_t i = 0; i < c.ndim; ++i) args.set(kernel.words.output + i, c.target.strides[i]);
  launch(d, kernel, {tiles, 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
