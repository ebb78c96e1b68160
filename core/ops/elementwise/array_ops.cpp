// SPDX-License-Identifier: MIT
// Views of arrays, and programs over arrays.
#include "ops/elementwise/array_ops.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <vector>

#include "base/fork.h"

namespace arr {

Inputs::Inputs(const BoundProgram& p, Arrays arrays, Arrays tables) {
  for (const Array* a : arrays) list_.at(n_++) = {a, {}, false};
  for (const Array* t : tables) list_.at(n_++) = table_input(*t);
  for (const Scalar& s : p.immediates) list_.at(n_++) = {nullptr, s, false};
}

Ref<Array> expand_axis(const Array& a, int32_t axis) {
  return a.view(expand_dims(a.layout, {&axis, 1}, a.item()));
}

Ref<Array> slice_axis(const Array& a, int32_t axis, int64_t from, int64_t to) {
  Layout l = a.layout;
  l.shape[axis] = std::max<int64_t>(to - from, 0);
  return a.view(l, l.size() == 0 ? 0 : from * l.strides[axis]);
}

Ref<Array> strided_slice(const Array& a, int32_t axis, int64_t from, int64_t step) {
  Layout l = a.layout;
  const int64_t n = std::max<int64_t>(a.layout.shape[axis] - from, 0), stride = a.layout.strides[axis];
  l.shape[axis] = checked::ceil_div(n, step);
  l.strides[axis] = stride * step;
  return a.view(l, l.size() == 0 ? 0 : from * stride);
}

Ref<Array> index_axis(const Array& a, int32_t axis, int64_t at) {
  int64_t offset = 0;
  const Layout l = index_axis(a.layout, normalize_axis(a.layout.ndim, axis), at, &offset);
  return a.view(l, offset);
}

Ref<Array> reversed(const Array& a, int32_t axis) {
  int64_t offset = 0;
  const Layout l = flip(a.layout, {&axis, 1}, false, &offset);
  return a.view(l, offset);
}

Ref<Array> broadcastable_vector(const Array& vector, int32_t ndim, int32_t axis) {
  Layout l;
  l.ndim = ndim;
  for (int32_t i = 0; i < ndim; ++i) {
    l.shape[i] = i == axis ? vector.layout.shape[0] : 1;
    l.strides[i] = i == axis ? vector.layout.strides[0] : 0;
  }
  return vector.view(l);
}

Ref<Array> move_axis(const Array& a, int32_t from, int32_t to) {
  Layout l;
  for (int32_t i = 0, source = 0; i < a.layout.ndim; ++i) {
    if (source == from) ++source;
    const int32_t d = i == to ? from : source++;
    l.shape[i] = a.layout.shape[d];
    l.strides[i] = a.layout.strides[d];
  }
  l.ndim = a.layout.ndim;
  return a.view(l);
}

Ref<Array> ravel(const Array& a, Stream* stream) {
  const int64_t all = a.layout.size();
  return reshape(a, {&all, 1}, Order::C, stream);
}

Ref<Array> iota(int64_t n, Device device, Stream* stream) {
  constexpr int64_t max_cached = int64_t{1} << 20;
  struct Cached {
    Device device;
    Ref<Array> numbers;
  };
  static auto* mutex = new ProcessMutex;
  static auto* all = new std::vector<Cached>;  // never destroyed: devices may be gone by then
  if (n > max_cached) {
    if (n > max_iota) fail(ARR_E_SHAPE, "argument n: ", n, " elements are too many");
    return arange(scalar_of(int64_t{0}), scalar_of(n), scalar_of(int64_t{1}), DType::int64_, device, stream);
  }
  const std::lock_guard lock(*mutex);
  for (Cached& k : *all) {
    if (k.device == device && k.numbers->layout.size() >= n) return k.numbers;
  }
  int64_t rounded = 1024;
  while (rounded < n) rounded *= 2;
  // The cached array must not wait for the launch of a graph that the stream may be recording.
  Ref<Array> fresh =
      arange(scalar_of(int64_t{0}), scalar_of(rounded), scalar_of(int64_t{1}), DType::int64_, {}, nullptr);
  if (!(device == Device{})) fresh = to_device(*fresh, device, nullptr);
  for (Cached& k : *all) {
    if (k.device == device) return k.numbers = std::move(fresh);
  }
  all->push_back({device, fresh});
  return fresh;
}

Ref<Array> index_vector(int64_t n, Device device, Stream* stream) {
  return slice_axis(*iota(n, device, stream), 0, 0, n);
}

Ref<Array> as_type(const Array& a, DType d, Stream* stream) {
  return a.dtype == d ? a.share() : astype(a, d, Casting::unsafe, Order::K, stream);
}

Ref<Array> complex_part(const Array& a, int32_t which) {
  const DType real = real_type(a.dtype);
  return make<Array>(a.buffer, a.data + which * item_size(real), real, a.layout, a.readonly);
}

Ref<Array> apply(int32_t op, std::initializer_list<const Array*> arrays, Stream* stream) {
  std::array<Input, 3> inputs;
  size_t n = 0;
  for (const Array* a : arrays) inputs.at(n++) = {a, {}, false};
  return elementwise(*op_info(op), {inputs.data(), n}, {}, stream);
}

Ref<Array> run(const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream) {
  return run(*p.program, Inputs(p, arrays).all(), Order::K, stream);
}

void run_into(const Array& dst, const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream) {
  run_into(dst, *p.program, Inputs(p, arrays).all(), stream);
}

Ref<Array> as_table(const Array& vector, DType d, Stream* stream) {
  const Ref<Array> same =
      vector.dtype == d ? vector.share() : astype(vector, d, Casting::unsafe, Order::C, stream);
  return contiguous(*same, Order::C, stream);
}

DType inexact_type(DType d) { return is_floating(d) || is_complex(d) ? d : DType::float64_; }

}  // namespace arr
