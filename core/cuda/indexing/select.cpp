// SPDX-License-Identifier: MIT
// Launches the kernels that mark where conditions are true, and that read and write marked elements.
#include <algorithm>
#include <bit>

#include "backend/indexing.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/look_back.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/scratch.h"
#include "cuda/indexing/calls.h"
#include "cuda/indexing/emit_select.h"

namespace arr::cuda {

namespace {

// The two top bits distinguish scatters, marks and selections from other kernels of the same program, and the
// next two bits these from each other.
constexpr uint64_t mark_kind = uint64_t{5} << 60, select_kind = uint64_t{6} << 60;
constexpr int64_t rows_part_bytes = 64 * 1024, max_parts = 65535;  // of the rows of a tile

int64_t size_of(int32_t ndim, const int64_t* shape) {
  int64_t size = 1;
  for (int32_t d = 0; d < ndim; ++d) size *= shape[d];
  return size;
}

// A step past the end must not overflow either.
bool is_wide(int64_t size) { return size > INT32_MAX - 2 * marks_tile; }

void set_marks(const Marks& m, int64_t size, Arguments* args) {
  args->set(marks_size_word, size);
  args->set(marks_bits_word, static_cast<const void*>(m.bits));
  args->set(marks_before_word, static_cast<const void*>(m.before));
}

MarkShape shape_of(const MarkCall& c, int64_t size) {
  MarkShape s;
  s.dims = c.ndim;
  s.wide = is_wide(size);
  if (c.ndim == 1) {
    Width width;
    for (size_t k = 0; k < c.map->inputs.size(); ++k) {
      if (!is_place(*c.map, k)) width.add(c.operands[k], item_size(c.map->inputs[k]), c.ndim);
    }
    s.vector = width.elements();
  }
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, s.vector, &s.wide);
  const bool packed = std::find(s.access.begin(), s.access.end(), Access::contiguous) != s.access.end();
  if (!packed) s.vector = 1;
  return s;
}

KernelKey key_of(const MarkShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = mark_kind | static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.wide) << 8 |
              static_cast<uint64_t>(std::countr_zero(static_cast<uint32_t>(s.vector))) << 9;
  key.access = access_bits(s.access);
  return key;
}

// The widest access at which all rows and results may begin.
int32_t row_unit(const SelectCall& c) {
  auto bits = static_cast<uint64_t>(c.row_bytes) | reinterpret_cast<uintptr_t>(c.rows.data) |
              reinterpret_cast<uintptr_t>(c.row_to) | 16U;
  for (int32_t d = 0; d < c.ndim; ++d) bits |= static_cast<uint64_t>(c.rows.strides[d]);
  return static_cast<int32_t>(bits & (~bits + 1));
}

SelectShape shape_of(const SelectCall& c, int64_t size) {
  SelectShape s;
  s.dims = c.ndim;
  s.wide = is_wide(size);
  s.nspace = c.nspace;
  if (c.row_bytes > 0) s.row_unit = row_unit(c);
  s.access = mapped_access(*c.map, c.operands, c.ndim, c.shape, 1, &s.wide);
  return s;
}

KernelKey key_of(const SelectShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = select_kind | static_cast<uint64_t>(s.dims) | static_cast<uint64_t>(s.wide) << 8 |
              static_cast<uint64_t>(s.nspace) << 9 | static_cast<uint64_t>(s.row_unit) << 17;
  key.access = access_bits(s.access);
  return key;
}

// A row is copied in units, so that the blocks of a tile share its rows.
Grid set_rows(const SelectCall& c, const SelectShape& s, const Words& w, int64_t tiles, Arguments* args) {
  const int64_t units = c.row_bytes / s.row_unit;
  args->set(select_row_units_word, units);
  (*args)[select_row_units_word + 1] = wide_reciprocal(units);
  args->set(select_rows_word, c.rows.data);
  args->set(select_row_to_word, c.row_to);
  for (int32_t d = 0; d < c.ndim; ++d) args->set(w.output + d, c.rows.strides[d]);
  const int64_t rows = std::min(c.capacity, marks_tile);
  const int64_t parts = c.row_bytes > rows_part_bytes ? rows : rows * c.row_bytes / rows_part_bytes;
  return {tiles, std::clamp<int64_t>(parts, 1, max_parts), block_threads, 1};
}

void set_places(const SelectCall& c, const SelectShape& s, Arguments* args) {
  const int32_t space = select_space_word(s);
  Words w;
  w.extent = space;
  set_extents(c.space, c.nspace, s.wide, w, args);
  for (int32_t d = 0; d < c.nspace; ++d) {
    args->set(space + 2 * c.nspace + d, static_cast<const void*>(c.places[d]));
  }
  args->set(select_place_step_word, c.place_step);
}

// Values and coordinates by one kernel, rows by another.
void launch_select(Device& d, const SelectCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = Marks::tiles(size);
  const SelectShape shape = shape_of(c, size);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(shape, d.index), [&] { return emit_select(*c.map, shape); },
      [&] { return text("select (", describe(*c.map), ")"); }, [&] { return select_words(shape); });
  const Words& w = kernel.words;
  Arguments args(w.count);
  for (int32_t i = 0; i < w.count; ++i) args.set(i, int64_t{0});
  set_marks(c.marks, size, &args);
  args.set(select_capacity_word, c.capacity);
  set_extents(c.shape, c.ndim, shape.wide, w, &args);
  set_operands(c.operands, shape.access, w, c.ndim, &args);
  for (int32_t k = 0; k < Program::max_outputs; ++k) args.set(select_values_word + k, c.values[k]);
  if (c.nspace > 0) set_places(c, shape, &args);
  Grid grid = {tiles, 1, block_threads, 1};
  if (c.row_bytes > 0) grid = set_rows(c, shape, w, tiles, &args);
  launch(d, kernel, grid, args, s);
}

Kernels& expand_kernels() {
  static auto* k = new Kernels;
  return *k;
}

}  // namespace

void mark(Device& d, const MarkCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = Marks::tiles(size);
  const MarkShape shape = shape_of(c, size);
  const Kernel& kernel = kernels_of(*c.map).get(
      d, key_of(shape, d.index), [&] { return emit_mark(*c.map, shape); },
      [&] { return text("marks of ", describe(*c.map)); }, [&] { return mark_words(shape); });
  const LookBackMemory memory = look_back_memory(8, 1, tiles);
  const Scratch status(d, s, memory.bytes);
  Arguments args(kernel.words.count);
  set_marks(c.marks, size, &args);
  args.set(mark_tiles_word, tiles);
  args.set(mark_carry_word, status.data());
  set_extents(c.shape, c.ndim, shape.wide, kernel.words, &args);
  set_operands(c.operands, shape.access, kernel.words, c.ndim, &args);
  d.check(driver().cuMemsetD8Async(reinterpret_cast<uintptr_t>(status.data()), 0,
                                   static_cast<size_t>(memory.zeroed), s.handle),
          "cuMemsetD8Async", &s);
  launch(d, kernel, {tiles, 1, block_threads, 1}, args, s);
}

void select(Device& d, const SelectCall& c, Stream& s) {
  if (c.capacity <= 0) return;
  if (c.row_bytes == 0) return launch_select(d, c, s);
  SelectCall rows = c, others = c;
  rows.nspace = 0;
  others.row_bytes = 0;
  launch_select(d, rows, s);
  if (c.nspace > 0 || !c.map->outputs.empty()) launch_select(d, others, s);
}

void expand(Device& d, const ExpandCall& c, Stream& s) {
  const int64_t size = size_of(c.ndim, c.shape), tiles = Marks::tiles(size);
  ExpandShape shape;
  shape.dims = c.ndim;
  shape.wide = is_wide(size) || reach(c.ndim, c.shape, c.target.strides) > INT32_MAX;
  shape.item = static_cast<int32_t>(c.item);
  KernelKey key;
  key.device = d.index;
  key.shape = static_cast<uint64_t>(shape.dims) | static_cast<uint64_t>(shape.wide) << 8 |
              static_cast<uint64_t>(shape.item) << 9;
  const Kernel& kernel = expand_kernels().get(
      d, key, [&] { return emit_expand(shape); }, [&] { return text("write at marks"); },
      [&] { return expand_words(shape); });
  Arguments args(kernel.words.count);
  set_marks(c.marks, size, &args);
  args.set(expand_target_word, c.target.data);
  args.set(expand_from_word, c.values);
  args.set(expand_nvalues_word, c.nvalues);
  set_extents(c.shape, c.ndim, shape.wide, kernel.words, &args);
  for (int32_t i = 0; i < c.ndim; ++i) args.set(kernel.words.output + i, c.target.strides[i]);
  launch(d, kernel, {tiles, 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
