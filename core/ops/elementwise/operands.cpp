// SPDX-License-Identifier: MIT
// Operands of element-wise programs: broadcast strides, common shape and device, and the layout of the
// result.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "ops/elementwise/elementwise.h"

namespace arr {

namespace {

// Error texts name the arrays of an op x, y and z; those of a program too if there are at most three,
// otherwise elements of a list.
std::array<char, 3> operand_name(std::span<const Input> inputs, size_t k) {
  const auto is_array = [](const Input& in) { return in.array != nullptr; };
  const auto before = static_cast<size_t>(
      std::count_if(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(k), is_array));
  const size_t index = inputs.size() <= 3 ? k : before;
  const bool few = inputs.size() <= 3 || std::count_if(inputs.begin(), inputs.end(), is_array) <= 3;
  if (!few) return {'i', 'n', 0};
  return {"xyz"[index], 0, 0};
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

Input load_base_input(const Array& view, const Array& whole) {
  Input in{&view, {}, false};
  in.scalar.dtype = DType::table_;
  in.table = &whole;
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
    operands[k] = {nullptr, nullptr, inputs[k].scalar};
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
  // The slower of two axes: 1 the first, -1 the second, 0 where no operand decides.
  auto compare = [&](int32_t a, int32_t b) {
    for (size_t k = 0; k < count; ++k) {
      int64_t sa = std::abs(strides[k][a]), sb = std::abs(strides[k][b]);
      if (sa != 0 && sb != 0) return sa > sb ? 1 : -1;
    }
    return 0;
  };
  int32_t axes[max_ndim];
  for (int32_t i = 0; i < shape.ndim; ++i) {
    // An axis that cannot be compared, such as one of extent 1, must not hide the axes before it.
    int32_t slot = i;
    for (int32_t k = i; k-- > 0;) {
      int order_of = compare(i, axes[k]);
      if (order_of < 0) break;
      if (order_of > 0) slot = k;
    }
    std::copy_backward(axes + slot, axes + i, axes + i + 1);
    axes[slot] = i;
  }
  return layout_permuted(shape.dims(), axes, item);
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
  if (dst.is_readonly()) return "the array holds indices of a sparse matrix, which is still alive";
  if (dst.contiguous) return nullptr;
  switch (dst.layout.self_overlap(dst.item())) {
    case Overlap::none:
      return nullptr;
    case Overlap::some:
      return "several of its elements are the same memory";
    default:
      return "several of its elements may be the same memory: its strides are too irregular to decide that";
  }
}

void check_writable(const Array& dst) {
  const char* obstacle = write_obstacle(dst);
  if (obstacle != nullptr) fail(ARR_E_READONLY, "argument dst: ", obstacle);
}

}  // namespace arr
