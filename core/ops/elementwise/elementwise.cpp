// SPDX-License-Identifier: MIT
// Allocation and overlap for element-wise programs, and the calls that run them.
#include "ops/elementwise/elementwise.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/elementwise.h"
#include "base/uncleared_array.h"
#include "ops/elementwise/create.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/fuse/fuse.h"
#include "ops/elementwise/overlap.h"
#include "runtime/captures.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// Arrays that a call writes, of one shape.
using Outputs = std::span<const Array* const>;

constexpr size_t max_operands = Program::max_inputs + Program::max_outputs;

// True if all operands are contiguous and of one shape, so that the call has one dimension.
bool is_flat(Outputs dsts, std::span<const Input> inputs) {
  const Array& dst = *dsts.front();
  for (const Array* d : dsts) {
    if (!d->contiguous) return false;
  }
  for (const Input& in : inputs) {
    if (in.ramp != nullptr && !(in.ramp->same_shape(dst.layout) && in.ramp->is_contiguous(1, Order::C)))
      return false;
    if (in.array == nullptr) continue;
    if (!in.array->contiguous || !in.array->layout.same_shape(dst.layout)) return false;
  }
  return true;
}

// True if an operand has different values for different elements.
bool runs(const Input& in) { return in.array != nullptr || in.ramp != nullptr; }
Operand operand_of(const Input& in) {
  if (in.ramp != nullptr) return {ramp_at(static_cast<int64_t>(in.scalar.lo)), nullptr, {}, true};
  return {in.array == nullptr ? nullptr : in.array->data, nullptr, in.scalar};
}
int64_t step_of(const Input& in) {  // strides of adjacent elements
  return in.ramp != nullptr ? 1 : in.array != nullptr ? in.array->item() : 0;
}

// Calls run(call, operands) with the program's call. The shapes are known to broadcast to the outputs' common
// shape.
template <class Run>
void with_call(Outputs dsts, const Program& program, std::span<const Input> inputs, Run&& run) {
  UnclearedArray<Operand, max_operands> room;
  size_t n = inputs.size(), all = n + dsts.size();
  // Built in place, because copying it would cost a small call a tenth of its time.
  for (size_t k = 0; k < n; ++k) std::construct_at(&room[k], operand_of(inputs[k]));
  for (size_t k = n; k < all; ++k) std::construct_at(&room[k], Operand{dsts[k - n]->data, nullptr, {}});
  const Layout& shape = dsts.front()->layout;
  Operand* operands = room.data();
  ElementwiseCall c;
  c.program = &program;
  c.operands = operands;
  if (is_flat(dsts, inputs)) {
    int64_t size = shape.size();
    int64_t items[max_operands];
    for (size_t k = 0; k < all; ++k) {
      items[k] = k >= n ? dsts[k - n]->item() : step_of(inputs[k]);
      operands[k].strides = &items[k];
    }
    c.ndim = size == 1 ? 0 : 1;
    c.shape = &size;
    return run(c, operands);
  }
  int64_t strides[Program::max_inputs][max_ndim];
  const int64_t* rows[max_operands];
  // The outputs first: their memory order determines the order of the dimensions. Scalars have no influence.
  int32_t count = 0;
  for (const Array* d : dsts) rows[count++] = d->layout.strides;
  for (size_t k = 0; k < n; ++k) {
    if (!runs(inputs[k])) continue;
    broadcast_strides(inputs[k].ramp != nullptr ? *inputs[k].ramp : inputs[k].array->layout, shape,
                      strides[k]);
    rows[count++] = strides[k];
  }
  Iteration it;
  collapse(shape.ndim, shape.shape, count, rows, 0, &it, nullptr);
  count = 0;
  for (size_t k = n; k < all; ++k) operands[k].strides = it.strides[count++];
  for (size_t k = 0; k < n; ++k) operands[k].strides = runs(inputs[k]) ? it.strides[count++] : nullptr;
  c.ndim = it.ndim;
  c.shape = it.shape;
  run(c, operands);
}

// Enqueues the work of a call, or records it.
void start(Outputs dsts, const Program& program, std::span<const Input> inputs, const Queue& q) {
  if (may_record(*dsts.front()) && record(dsts, program, inputs, q)) return;
  materialize_all(inputs);
  enqueue(dsts, program, inputs, q);
}

}  // namespace

void materialize_all(std::span<const Input> inputs) {
  for (const Input& in : inputs) {
    if (in.array != nullptr) materialize(*in.array->buffer);
    if (in.table != nullptr) materialize(*in.table->buffer);
  }
}

void enqueue(Outputs dsts, const Program& program, std::span<const Input> inputs, const Queue& q) {
  const auto order = [](Buffer& memory, const Queue& in, Use how) {
    check_launched(memory, in.stream);
    follow(memory, in, how);
  };
  for (const Input& in : inputs) {
    if (in.array != nullptr) order(*in.array->buffer, q, Use::read);
    if (in.table != nullptr) order(*in.table->buffer, q, Use::read);
  }
  for (const Array* d : dsts) order(*d->buffer, q, Use::write);
  DeferredErrors errors(program, q);
  with_call(dsts, program, inputs, [&](const ElementwiseCall& c, Operand* operands) {
    errors.attach(operands);
    enqueue(q, api<ElementwiseApi>(q).elementwise, c);
  });
  errors.report();
}

namespace {

void check_destination_shape(const Array& dst, std::span<const Input> inputs) {
  for (const Input& in : inputs) {
    if (in.array == nullptr || in.array->layout.same_shape(dst.layout)) continue;
    if (!broadcasts_to(in.array->layout, dst.layout)) {
      fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", to which an operand of shape ",
           in.array->layout.text(), " does not broadcast");
    }
  }
}

}  // namespace

Ref<Array> run(const Program& program, std::span<const Input> inputs, Order order, Stream* stream) {
  Queue q = queue_for(common_device(inputs), stream);
  Layout shape;
  common_shape(inputs, &shape);
  DType dtype = program.nodes[static_cast<size_t>(program.outputs[0])].dtype;
  Layout layout = result_layout(shape, inputs, item_size(dtype), order);
  Ref<Buffer> buffer = allocate(q, checked::mul(layout.size(), item_size(dtype), "the result's size"));
  char* data = buffer->data();
  Ref<Array> out = make<Array>(std::move(buffer), data, dtype, layout);
  if (layout.size() == 0) return out;
  const Array* one[] = {out.get()};
  start(one, program, inputs, q);
  return out;
}

std::vector<Ref<Array>> run_many(const Program& program, std::span<const Input> inputs, Order order,
                                 Stream* stream) {
  Queue q = queue_for(common_device(inputs), stream);
  Layout shape;
  common_shape(inputs, &shape);
  std::vector<Ref<Array>> out;
  std::vector<const Array*> dsts;
  for (int32_t node : program.outputs) {
    DType dtype = program.nodes[static_cast<size_t>(node)].dtype;
    out.push_back(create(dtype, result_layout(shape, inputs, item_size(dtype), order), q.device, stream));
    dsts.push_back(out.back().get());
  }
  if (shape.size() != 0) start(dsts, program, inputs, q);
  return out;
}

std::string program_text(const Program& program, std::span<const Input> inputs, const Backend& b) {
  Layout shape;
  common_shape(inputs, &shape);
  if (shape.size() == 0)
    fail(ARR_E_SHAPE, "argument in: shape ", shape.text(), ": the result is empty, so there is no kernel");
  std::vector<Ref<Array>> out;
  std::vector<const Array*> dsts;
  for (int32_t node : program.outputs) {
    DType dtype = program.nodes[static_cast<size_t>(node)].dtype;
    // Only the alignment of the address is used.
    auto* nowhere = reinterpret_cast<char*>(uintptr_t{4096});
    out.push_back(make<Array>(make<Buffer>(nowhere, 0, Device{}), nowhere, dtype,
                              result_layout(shape, inputs, item_size(dtype), Order::K)));
    dsts.push_back(out.back().get());
  }
  std::string text;
  with_call(dsts, program, inputs,
            [&](const ElementwiseCall& c, Operand*) { call(api<ElementwiseApi>(b).text, &c, &text); });
  return text;
}

void run_into(const Array& dst, const Program& program, std::span<const Input> inputs, Stream* stream) {
  check_writable(dst);
  for (const Input& in : inputs) {
    if (in.array == nullptr || in.array->device() == dst.device()) continue;
    Input both[2] = {{&dst, {}, false}, in};
    common_device(both);  // says which
  }
  check_destination_shape(dst, inputs);
  if (dst.layout.size() == 0) return;
  Queue q = queue_for(dst.device(), stream);
  if (fusing() && record_write(dst, program, inputs, q)) return;
  materialize_for_write(*dst.buffer);
  const Array* one[] = {&dst};
  if (std::any_of(inputs.begin(), inputs.end(), [&](const Input& in) { return overlaps(dst, in); })) {
    materialize_all(inputs);
    return enqueue(one, program, OverlapCopies(dst, inputs, q).inputs(), q);
  }
  // Inlined operations do not read dst: operations that do have been computed already.
  const Inlined all(program, inputs, dst.layout, q, false);
  enqueue(one, all.program(), all.inputs(), q);
}

void run_all_into(std::span<const Array* const> dsts, const Program& program, std::span<const Input> inputs,
                  Stream* stream) {
  std::vector<Input> all(inputs.begin(), inputs.end());
  for (const Array* d : dsts) all.push_back({d, {}, false});
  const Queue q = queue_for(common_device(all), stream);
  if (dsts[0]->layout.size() == 0) return;
  for (const Array* d : dsts) materialize_for_write(*d->buffer);
  materialize_all(inputs);
  enqueue(dsts, program, inputs, q);
}

}  // namespace arr
