// SPDX-License-Identifier: MIT
// Elements repeated by counts of their own: each place of the result looks up which element's running count
// ends behind it.
#include "ops/engine/compose.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

// One count per element of the axis.
Ref<Array> counts_of(const Array& counts, int64_t extent, Stream* stream) {
  check_integers(counts, "counts");
  if (counts.layout.ndim > 1)
    fail(ARR_E_SHAPE, "argument counts: shape ", counts.layout.text(), ", expected a vector");
  const int64_t n = counts.layout.size();
  if (n != 1 && n != extent)
    fail(ARR_E_SHAPE, "argument counts: ", n, " counts for ", extent, " elements along the axis");
  const Ref<Array> all = counts.view(broadcast_to(counts.layout, {&extent, 1}));
  return as_type(*all, DType::int64_, stream);
}

// Their sum. Waits.
int64_t sum_of(const Array& counts, const Array& running, Stream* stream) {
  const int64_t n = counts.layout.size();
  if (n == 0) return 0;
  const auto least = static_cast<int64_t>(reduce_item(*reduction_info(reduction::min), counts, stream).lo);
  if (least < 0) fail(ARR_E_ARGUMENT, "argument counts: ", least, ", expected 0 or more");
  const int64_t last = n - 1;
  return static_cast<int64_t>(item(running, {&last, 1}).lo);
}

}  // namespace

Ref<Array> repeat_counts(const Array& a, const Array& counts, int32_t axis, int64_t total, Stream* stream) {
  if (total < -1)
    fail(ARR_E_ARGUMENT, "argument total: ", total, ", expected 0 or more, or -1 to wait for the sum");
  const Input both[] = {{&a, {}, false}, {&counts, {}, false}};
  common_device(both);
  const Ref<Array> from = axis == axis_none ? ravel(a, stream) : a.view(a.layout);
  const int32_t d = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  const int64_t extent = from->layout.shape[d];
  const Ref<Array> each = counts_of(counts, extent, stream);
  const Ref<Array> running = scan({.reduction = reduction::sum}, *each, 0, stream);
  if (total == -1) total = sum_of(*each, *running, stream);
  if (total == 0 || extent == 0) {
    if (total > 0) fail(ARR_E_ARGUMENT, "argument total: ", total, ", but the axis has no element to repeat");
    return copy(*slice_axis(*from, d, 0, 0), Order::C, stream);
  }
  const Ref<Array> places = iota(total, a.device(), stream);
  const Ref<Array> wanted = slice_axis(*places, 0, 0, total);
  ProgramBuilder b;
  const int32_t place = b.input(DType::int64_), table = b.input(DType::table_);
  const int32_t found = b.step(op::search_right, DType::int64_, table, place);
  // Places behind the counts' sum, where a caller's total is too large, are those of the last element.
  b.output(b.op(op::minimum, found, b.scalar(scalar_of(extent - 1), false)));
  const BoundProgram p = b.finish();
  const Ref<Array> indices =
      run(*p.program, Inputs(p, {wanted.get()}, {running.get()}).all(), Order::C, stream);
  return take_known(*from, *indices, d, stream);
}

}  // namespace arr
