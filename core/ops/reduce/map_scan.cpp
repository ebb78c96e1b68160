// SPDX-License-Identifier: MIT
// Scans of a program along an axis of the shape to which its inputs broadcast, in one pass.
#include "backend/reduce.h"
#include "base/uncleared_array.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/destination.h"
#include "ops/elementwise/fuse/fuse.h"
#include "ops/reduce/scan.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The scanned axis becomes the last one; the operands are the arrays, then the result.
struct ScanSpace {
  int64_t shape[max_ndim];
  int64_t strides[Program::max_inputs + 1][max_ndim];
  int32_t ndim = 0, rows = 0;

  ScanSpace(const Layout& l, std::span<const Input> inputs, const Layout& out, int32_t axis) {
    ndim = l.ndim;
    int64_t seen[max_ndim];
    auto add = [&](const int64_t* by) {
      int32_t n = 0;
      for (int32_t i = 0; i <= ndim; ++i) {
        if (i == axis) continue;
        const int32_t d = i == ndim ? axis : i;
        shape[n] = l.shape[d];
        strides[rows][n++] = by[d];
      }
      ++rows;
    };
    for (const Input& in : inputs) {
      if (in.array == nullptr) continue;
      broadcast_strides(in.array->layout, l, seen);
      add(seen);
    }
    add(out.strides);
  }
};

// Calls run() with the call of a scan into dst of that layout. `place`(inputs, strides, operands): like
// place_operands.
template <class Place, class Run>
void with_call(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
               std::span<const Input> inputs, int32_t axis, char* dst, const Layout& layout, Place&& place,
               Run&& run) {
  const ScanSpace space(layout, inputs, layout, axis);
  const int64_t* rows[Program::max_inputs + 1];
  for (int32_t k = 0; k < space.rows; ++k) rows[k] = space.strides[k];
  Iteration it;
  collapse(space.ndim, space.shape, space.rows, rows, 1, &it, nullptr);
  if (layout.shape[axis] == 1) {
    // The axis was dropped, because it has extent 1, but a scan needs one: adds it with stride 0.
    it.shape[it.ndim] = 1;
    for (int32_t k = 0; k < space.rows; ++k) it.strides[k][it.ndim] = item_size(types.out);
    ++it.ndim;
  }
  UnclearedArray<Operand, Program::max_inputs> operands;
  const int32_t row = place(inputs, it.strides, operands.data());
  ScanCall c;
  c.reduction = &r;
  c.map = &map;
  c.acc = types.acc;
  c.out = types.out;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.output = {dst, it.strides[row], {}};
  run(c);
}

// Enqueues a scan of dst's shape into dst, which overlaps none of the operands.
void enqueue(const Array& dst, const ReductionInfo& r, const ReduceTypes& types, const Program& given,
             std::span<const Input> operands_given, int32_t axis, const Queue& q) {
  const Inlined all(given, operands_given, dst.layout, q, depends_on_order(types.acc));
  DeferredErrors errors(all.program(), q);
  auto place = [&](std::span<const Input> inputs, const int64_t(*strides)[max_ndim], Operand* operands) {
    const int32_t used = set_operands(inputs, strides, q, operands);
    errors.attach(operands);
    return used;
  };
  with_call(r, types, all.program(), all.inputs(), axis, dst.data, dst.layout, place, [&](const ScanCall& c) {
    follow(*dst.buffer, q);
    enqueue(q, api<ReduceApi>(q).scan, c);
  });
  errors.report();
}

}  // namespace

Ref<Array> map_scan(const ReductionInfo& r, const ReduceTypes& types, const Program& given,
                    std::span<const Input> operands_given, int32_t axis, Stream* stream) {
  const Queue q = queue_for(common_device(operands_given), stream);
  Layout shape;
  common_shape(operands_given, &shape);
  axis = normalize_axis(shape.ndim, axis);
  Ref<Array> out = create(types.out, result_layout(shape, operands_given, item_size(types.out), Order::K),
                          q.device, stream);
  if (out->layout.size() != 0) enqueue(*out, r, types, given, operands_given, axis, q);
  return out;
}

std::string map_scan_text(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                          std::span<const Input> inputs, int32_t axis, const Backend& backend) {
  Layout shape;
  common_shape(inputs, &shape);
  axis = normalize_axis(shape.ndim, axis);
  if (shape.size() == 0) {
    fail(ARR_E_SHAPE, "argument in: shape ", shape.text(), ": the result is empty, so there is no kernel");
  }
  // Only the alignment of the address is used.
  auto* nowhere = reinterpret_cast<char*>(uintptr_t{4096});
  std::string text;
  with_call(r, types, map, inputs, axis, nowhere,
            result_layout(shape, inputs, item_size(types.out), Order::K), place_operands,
            [&](const ScanCall& c) { call(api<ReduceApi>(backend).scan_text, &c, &text); });
  return text;
}

void map_scan_into(const Array& dst, const ReductionInfo& r, const ReduceTypes& types, const Program& given,
                   std::span<const Input> operands_given, int32_t axis, Stream* stream) {
  const Device device = common_device(operands_given);
  Layout shape;
  common_shape(operands_given, &shape);
  axis = normalize_axis(shape.ndim, axis);
  check_destination(dst, shape);
  bool straight = dst.dtype == types.out && dst.device() == device;
  for (const Input& in : operands_given) {
    straight = straight && (in.array == nullptr || !may_share_memory(dst, *in.array));
  }
  if (!straight) return assign(dst, *map_scan(r, types, given, operands_given, axis, stream), stream);
  if (dst.layout.size() == 0) return;
  const Queue q = queue_for(device, stream);
  materialize_for_write(*dst.buffer);
  enqueue(dst, r, types, given, operands_given, axis, q);
}

}  // namespace arr
