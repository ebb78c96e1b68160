// SPDX-License-Identifier: MIT
// Repeats each element by its own count. The host copies segments; on other devices each element of the
// result searches the prefix sums of the counts.
#include <algorithm>

#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/host_fast_path.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The counts, one per element of the axis.
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

int64_t min_of(const Array& counts, Stream* stream) {
  return static_cast<int64_t>(reduce_item(*reduction_info(reduction::min), counts, stream).lo);
}

void check_sum(int64_t smallest, int64_t sum) {
  if (smallest < 0) fail(ARR_E_ARGUMENT, "argument counts: ", smallest, ", expected 0 or more");
  if (sum < 0) fail(ARR_E_ARGUMENT, "argument counts: their sum is 2^63 or more");
}

// The sum of the counts. Waits.
int64_t sum_of(const Array& counts, const Array& running, Stream* stream) {
  const int64_t n = counts.layout.size();
  if (n == 0) return 0;
  const int64_t smallest = min_of(counts, stream), last = n - 1;
  const auto sum = static_cast<int64_t>(item(running, {&last, 1}).lo);
  check_sum(smallest, sum);
  return sum;
}

// Computes prefix sums of a short counts array on the host, where two backend calls would take longer. Sets
// *total if it is not known.
Ref<Array> few_running(const Array& counts, int64_t* total, const Queue& q, Stream* stream) {
  const int64_t n = counts.layout.size(), step = counts.layout.strides[0];
  Ref<Array> running = empty(DType::int64_, {&n, 1}, Order::C, counts.device(), stream);
  use_to_read(*counts.buffer, q);
  use(*running->buffer, q);
  auto* to = reinterpret_cast<int64_t*>(running->data);
  const char* from = counts.data;
  uint64_t sum = 0, signs = 0;
  for (int64_t i = 0; i < n; ++i, from += step) {
    const auto count = static_cast<uint64_t>(*reinterpret_cast<const int64_t*>(from));
    signs |= count;
    sum += count;
    to[i] = static_cast<int64_t>(sum);
  }
  if (*total != -1) return running;
  *total = static_cast<int64_t>(sum);
  if (static_cast<int64_t>(signs) < 0 || *total < 0) check_sum(min_of(counts, stream), *total);
  return running;
}

// The array as lines of contiguous blocks along an axis, copied if necessary. Strides: of lines and of
// blocks.
Ref<Array> blocks_along(const Array& a, int32_t axis, int64_t* strides, int64_t* lines, Stream* stream) {
  int64_t block = 1;
  *lines = 1;
  for (int32_t d = 0; d < axis; ++d) *lines *= a.layout.shape[d];
  for (int32_t d = axis + 1; d < a.layout.ndim; ++d) block *= a.layout.shape[d];
  const int64_t shape[3] = {*lines, a.layout.shape[axis], block};
  Layout l;
  if (!reshape_view(a.layout, shape, Order::C, &l) || (block > 1 && l.strides[2] != a.item())) {
    return blocks_along(*copy(a, Order::C, stream), axis, strides, lines, stream);
  }
  std::copy_n(l.strides, 2, strides);
  return a.view(l);
}

// Repeats by one call of the backend.
Ref<Array> repeat_blocks(const Array& a, const Array& running, int32_t axis, int64_t total, const Queue& q,
                         Stream* stream) {
  Layout shape = a.layout;
  shape.shape[axis] = total;
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  if (shape.size() == 0) return out;
  int64_t strides[2];
  RepeatCall c;
  const Ref<Array> from = blocks_along(a, axis, strides, &c.lines, stream);
  use_to_read(*from->buffer, q);
  use_to_read(*running.buffer, q);
  use(*out->buffer, q);
  c.extent = from->layout.shape[1];
  c.total = total;
  c.block = from->layout.shape[2] * a.item();
  c.from = {from->data, strides, {}};
  c.ends = reinterpret_cast<const int64_t*>(running.data);
  c.to = out->data;
  enqueue(q, api<IndexingApi>(q).repeat, c);
  return out;
}

}  // namespace

Ref<Array> repeat_counts(const Array& a, const Array& counts, int32_t axis, int64_t total, Stream* stream) {
  if (total < -1)
    fail(ARR_E_ARGUMENT, "argument total: ", total, ", expected 0 or more, or -1 to wait for the sum");
  const Input both[] = {{&a, {}, false}, {&counts, {}, false}};
  common_device(both);
  const Ref<Array> from = axis == axis_none ? ravel(a, stream) : a.share();
  const int32_t d = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  const int64_t extent = from->layout.shape[d];
  const Ref<Array> each = counts_of(counts, extent, stream);
  const Queue q = queue_for(a.device(), stream);
  constexpr int64_t few = 4096;
  const bool here = extent > 0 && extent <= few && runs_synchronously(q);
  const Ref<Array> running =
      here ? few_running(*each, &total, q, stream) : scan({.reduction = reduction::sum}, *each, 0, stream);
  if (total == -1) total = sum_of(*each, *running, stream);
  if (total == 0 || extent == 0) {
    if (total > 0) fail(ARR_E_ARGUMENT, "argument total: ", total, ", but the axis has no element to repeat");
    return copy(*slice_axis(*from, d, 0, 0), Order::C, stream);
  }
  if (api<IndexingApi>(q).repeat != nullptr) return repeat_blocks(*from, *running, d, total, q, stream);
  const Ref<Array> counting = iota(total, a.device(), stream);
  const Ref<Array> wanted = slice_axis(*counting, 0, 0, total);
  ProgramBuilder b;
  const int32_t position = b.input(DType::int64_), table = b.input(DType::table_);
  const int32_t found = b.step(op::search_right, DType::int64_, table, position);
  // If the caller's total exceeds the sum of the counts, the remaining elements repeat the last one.
  b.output(b.op(op::minimum, found, b.scalar(scalar_of(extent - 1), false)));
  const BoundProgram p = b.finish();
  const Ref<Array> indices =
      run(*p.program, Inputs(p, {wanted.get()}, {running.get()}).all(), Order::C, stream);
  return take_known(*from, *indices, d, stream);
}

}  // namespace arr
