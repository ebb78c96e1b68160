// SPDX-License-Identifier: MIT
// Broadcasting, allocation and overlap for element-wise programs.
#include "ops/engine/elementwise.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backend/elementwise.h"
#include "ops/engine/create.h"
#include "ops/engine/fuse/fuse.h"
#include "runtime/captures.h"
#include "runtime/trace.h"

namespace arr {

namespace {

// The arrays of an op are x, y and z as its operands; those of a program too, where there are so few beside
// its constants, and else a list.
std::array<char, 3> operand_name(std::span<const Input> inputs, size_t k) {
  const auto is_array = [](const Input& in) { return in.array != nullptr; };
  const auto before = static_cast<size_t>(
      std::count_if(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(k), is_array));
  const size_t place = inputs.size() <= 3 ? k : before;
  const bool few = inputs.size() <= 3 || std::count_if(inputs.begin(), inputs.end(), is_array) <= 3;
  if (!few) return {'i', 'n', 0};
  return {"xyz"[place], 0, 0};
}

}  // namespace

void broadcast_strides(const Layout& a, const Layout& to, int64_t* strides) {
  int32_t lead = to.ndim - a.ndim;
  for (int32_t i = 0; i < to.ndim; ++i) {
    strides[i] = i < lead || a.shape[i - lead] == 1 ? 0 : a.strides[i - lead];
  }
}

Input table_input(const Array& vector) {
  Input in;
  in.scalar.dtype = DType::table_;
  in.scalar.lo = reinterpret_cast<uintptr_t>(vector.data);
  in.scalar.hi = static_cast<uint64_t>(vector.layout.size());
  in.table = &vector;
  return in;
}

Layout ramp_of(const Layout& shape) { return Layout::contiguous(shape.dims(), 1, Order::C); }

Layout ramp_along(const Layout& shape, int32_t axis) {
  Layout l = shape;
  for (int32_t i = 0; i < l.ndim; ++i) l.strides[i] = i == axis ? 1 : 0;
  return l;
}

Input ramp_input(const Layout& ramp, int64_t first) {
  Input in{nullptr, scalar_of(first), false};
  in.ramp = &ramp;
  return in;
}

void add_constants(const BoundProgram& p, std::vector<Input>* inputs) {
  for (const Scalar& s : p.immediates) inputs->push_back({nullptr, s, false});
}

int32_t place_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], Operand* operands) {
  int32_t taken = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Array* a = inputs[k].array;
    operands[k].value = inputs[k].scalar;
    if (a == nullptr) continue;
    operands[k].data = a->data;
    operands[k].strides = strides[taken++];
  }
  return taken;
}

int32_t set_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], const Queue& q,
                     Operand* operands) {
  for (const Input& in : inputs) {
    if (in.table != nullptr) use_to_read(*in.table->buffer, q);
    if (in.array != nullptr) use_to_read(*in.array->buffer, q);
  }
  return place_operands(inputs, strides, operands);
}

// Sorts axes by the first operand whose strides differ.
Layout result_layout(const Layout& shape, std::span<const Input> inputs, int64_t item, Order order) {
  if (order != Order::K || shape.ndim <= 1) return Layout::contiguous(shape.dims(), item, order);
  int64_t strides[Program::max_inputs][max_ndim];
  size_t count = 0;
  for (const Input& in : inputs) {
    if (in.array != nullptr) broadcast_strides(in.array->layout, shape, strides[count++]);
  }
  // Which of two axes is slower: 1 the first, -1 the second, 0 where no operand decides.
  auto compare = [&](int32_t a, int32_t b) {
    for (size_t k = 0; k < count; ++k) {
      int64_t sa = std::abs(strides[k][a]), sb = std::abs(strides[k][b]);
      if (sa != 0 && sb != 0) return sa > sb ? 1 : -1;
    }
    return 0;
  };
  int32_t axes[max_ndim];
  for (int32_t i = 0; i < shape.ndim; ++i) {
    // An axis that cannot be compared, of extent 1 say, must not hide the ones before it.
    int32_t place = i;
    for (int32_t k = i; k-- > 0;) {
      int order_of = compare(i, axes[k]);
      if (order_of < 0) break;
      if (order_of > 0) place = k;
    }
    std::copy_backward(axes + place, axes + i, axes + i + 1);
    axes[place] = i;
  }
  return layout_permuted(shape.dims(), axes, item);
}

namespace {

// Arrays that a call writes, of one shape.
using Outputs = std::span<const Array* const>;

// Room for operands that is not cleared first: small calls would feel it.
struct OperandRoom {
  static constexpr size_t most = Program::max_inputs + Program::max_outputs;
  alignas(Operand) std::byte bytes[most * sizeof(Operand)];
  Operand* at(size_t k) { return reinterpret_cast<Operand*>(bytes) + k; }
};

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

// True if an operand differs from element to element.
bool runs(const Input& in) { return in.array != nullptr || in.ramp != nullptr; }
Operand operand_of(const Input& in) {
  if (in.ramp != nullptr) return {ramp_at(static_cast<int64_t>(in.scalar.lo)), nullptr, {}, true};
  return {in.array == nullptr ? nullptr : in.array->data, nullptr, in.scalar};
}
int64_t step_of(const Input& in) {  // where elements follow each other
  return in.ramp != nullptr ? 1 : in.array != nullptr ? in.array->item() : 0;
}

// Calls run(call) with the program's call; shapes are known to broadcast to the outputs', which is one.
template <class Run>
void with_call(Outputs dsts, const Program& program, std::span<const Input> inputs, Run&& run) {
  OperandRoom room;
  size_t n = inputs.size(), all = n + dsts.size();
  for (size_t k = 0; k < n; ++k) std::construct_at(room.at(k), operand_of(inputs[k]));
  for (size_t k = n; k < all; ++k) std::construct_at(room.at(k), Operand{dsts[k - n]->data, nullptr, {}});
  const Layout& shape = dsts.front()->layout;
  Operand* operands = room.at(0);
  ElementwiseCall c;
  c.program = &program;
  c.operands = operands;
  if (is_flat(dsts, inputs)) {
    int64_t size = shape.size();
    int64_t items[OperandRoom::most];
    for (size_t k = 0; k < all; ++k) {
      items[k] = k >= n ? dsts[k - n]->item() : step_of(inputs[k]);
      operands[k].strides = &items[k];
    }
    c.ndim = size == 1 ? 0 : 1;
    c.shape = &size;
    return run(c);
  }
  int64_t strides[Program::max_inputs][max_ndim];
  const int64_t* rows[OperandRoom::most];
  // The outputs first: their order decides the order of the dimensions. Scalars take no part.
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
  run(c);
}

// Enqueues the work of a call, or defers it.
void start(Outputs dsts, const Program& program, std::span<const Input> inputs, const Queue& q) {
  if (fusing() && record(dsts, program, inputs, q)) return;
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
  with_call(dsts, program, inputs,
            [&](const ElementwiseCall& c) { enqueue(q, api<ElementwiseApi>(q).elementwise, c); });
}

void common_shape(std::span<const Input> inputs, Layout* out) {
  bool first = true;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].array == nullptr) continue;
    const Layout& l = inputs[k].array->layout;
    if (first) {
      *out = l;
    } else if (!l.same_shape(*out)) {
      broadcast_shapes(*out, l, operand_name(inputs, k).data(), out);
    }
    first = false;
  }
}

namespace {

void check_destination_shape(const Array& dst, std::span<const Input> inputs) {
  for (const Input& in : inputs) {
    if (in.array == nullptr || in.array->layout.same_shape(dst.layout)) continue;
    if (!broadcasts_to(in.array->layout, dst.layout)) {
      fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(),
           " does not take a result of an operand of shape ", in.array->layout.text());
    }
  }
}

}  // namespace

Device common_device(std::span<const Input> inputs) {
  const Array* first = nullptr;
  for (const Input& in : inputs) {
    if (in.array == nullptr) continue;
    if (first == nullptr) first = in.array;
    if (in.array->device() == first->device()) continue;
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(first->device()), " and on ",
         device_text(in.array->device()), "; copy one with arr_to_device");
  }
  if (first == nullptr) fail(ARR_E_ARGUMENT, "argument x: at least one operand must be an array");
  return first->device();
}

const char* write_obstacle(const Array& dst) noexcept {
  if (dst.readonly) return "the array is read-only";
  if (!dst.contiguous && dst.layout.may_self_overlap(dst.item())) {
    return "several of its elements are the same memory";
  }
  return nullptr;
}

void check_writable(const Array& dst) {
  const char* obstacle = write_obstacle(dst);
  if (obstacle != nullptr) fail(ARR_E_READONLY, "argument dst: ", obstacle);
}

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
    // Only the alignment of the address is looked at.
    auto* nowhere = reinterpret_cast<char*>(uintptr_t{4096});
    out.push_back(make<Array>(make<Buffer>(nowhere, 0, Device{}), nowhere, dtype,
                              result_layout(shape, inputs, item_size(dtype), Order::K)));
    dsts.push_back(out.back().get());
  }
  std::string text;
  with_call(dsts, program, inputs,
            [&](const ElementwiseCall& c) { call(api<ElementwiseApi>(b).text, &c, &text); });
  return text;
}

namespace {

// An operand that overlaps the destination otherwise than exactly would be read after it was written.
bool overlaps(const Array& dst, const Input& in) {
  if (in.table != nullptr) return may_share_memory(dst, *in.table);
  return in.array != nullptr && may_share_memory(dst, *in.array) && !same_window(dst, *in.array);
}

Ref<Array> clone(const Array& a, const Queue& q) {
  Input in{&a, {}, false};
  Ref<Array> out = create(a.dtype, result_layout(a.layout, {&in, 1}, a.item(), Order::K), q.device, q.stream);
  const Array* one[] = {out.get()};
  enqueue(one, single_cast(a.dtype, a.dtype), {&in, 1}, q);
  return out;
}

void enqueue_with_copies(Outputs dst, const Program& program, std::span<const Input> inputs, const Queue& q) {
  materialize_all(inputs);
  std::vector<Input> all(inputs.begin(), inputs.end());
  std::vector<Ref<Array>> copies;
  for (Input& in : all) {
    if (!overlaps(*dst.front(), in)) continue;
    copies.push_back(clone(in.table != nullptr ? *in.table : *in.array, q));
    if (in.table != nullptr) {
      in = table_input(*copies.back());
    } else {
      in.array = copies.back().get();
    }
  }
  enqueue(dst, program, all, q);
}

}  // namespace

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
    return enqueue_with_copies(one, program, inputs, q);
  }
  // Inlined operations do not read dst: those that do have been materialized.
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
