// SPDX-License-Identifier: MIT
// Helpers for composite operations: views of arrays, and programs over arrays.
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <vector>

#include "ops/elementwise/create.h"

namespace arr {

// The view a[from:to] along an axis.
Ref<Array> slice_axis(const Array& a, int32_t axis, int64_t from, int64_t to);
// The view a[from::step] along an axis.
Ref<Array> strided_slice(const Array& a, int32_t axis, int64_t from, int64_t step);
// The view of one index of an axis, without that axis. A negative axis counts from the end.
Ref<Array> index_axis(const Array& a, int32_t axis, int64_t at);
// The view with a new axis of extent 1.
Ref<Array> expand_axis(const Array& a, int32_t axis);
// The view with the axis reversed.
Ref<Array> reversed(const Array& a, int32_t axis);
// The view of a vector as an array of `ndim` dimensions whose extents are 1 except along `axis`, for
// broadcasting.
Ref<Array> broadcastable_vector(const Array& vector, int32_t ndim, int32_t axis);
// The view with the axis moved to another position.
Ref<Array> move_axis(const Array& a, int32_t from, int32_t to);
// All elements in row-major order.
Ref<Array> ravel(const Array& a, Stream* stream);

// An int64 vector of the numbers 0 .. n-1, or of more. Each device caches one, and programs read their
// indices from views of it.
Ref<Array> iota(int64_t n, Device device, Stream* stream);
// The same with exactly n numbers.
Ref<Array> index_vector(int64_t n, Device device, Stream* stream);
inline constexpr int64_t max_iota = std::numeric_limits<int64_t>::max() / 16;  // its largest n
// The elements cast to that dtype; a view if they have it already.
Ref<Array> as_type(const Array& a, DType d, Stream* stream);
// The real (0) or imaginary (1) parts of a complex array, a view.
Ref<Array> complex_part(const Array& a, int32_t which);

// The node of an int64 constant.
inline int32_t integer(ProgramBuilder& b, int64_t x) { return b.scalar(scalar_of(x), false); }

// The operands of a program in their order: arrays, look-up vectors, constants.
class Inputs {
 public:
  using Arrays = std::span<const Array* const>;
  using List = std::initializer_list<const Array*>;
  Inputs(const BoundProgram& p, Arrays arrays, Arrays tables = {});
  Inputs(const BoundProgram& p, List arrays, List tables = {})
      : Inputs(p, Arrays(arrays.begin(), arrays.size()), Arrays(tables.begin(), tables.size())) {}
  [[nodiscard]] std::span<const Input> all() const { return {list_.data(), n_}; }

 private:
  std::array<Input, Program::max_inputs> list_;
  size_t n_ = 0;
};

// A new array: the result of an op over arrays that broadcast.
Ref<Array> apply(int32_t op, std::initializer_list<const Array*> arrays, Stream* stream);
// The same for a program that was just built.
Ref<Array> run(const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);
void run_into(const Array& dst, const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);

// A weak scalar in a program.
inline int32_t number(ProgramBuilder& b, double x) { return b.scalar(scalar_of(x), true); }
// The program that build(builder, nodes of the arrays) -> node returns.
template <class Build>
BoundProgram program_of(Inputs::List arrays, Build&& build) {
  ProgramBuilder b;
  std::array<int32_t, Program::max_inputs> nodes{};
  size_t n = 0;
  for (const Array* a : arrays) nodes.at(n++) = b.input(a->dtype);
  b.output(build(b, nodes.data()));
  return b.finish();
}
// A new array: the result of such a program.
template <class Build>
Ref<Array> compute(Inputs::List arrays, Stream* stream, Build&& build) {
  return run(program_of(arrays, build), {arrays.begin(), arrays.size()}, stream);
}

// The vector as a look-up table: cast to that dtype and contiguous.
Ref<Array> as_table(const Array& vector, DType d, Stream* stream);
// A device vector of type d with the elements of a container on the host.
template <class T>
Ref<Array> upload(const std::vector<T>& elements, DType d, Device device, Stream* stream) {
  const auto n = static_cast<int64_t>(elements.size());
  Ref<Array> out = empty(d, {&n, 1}, Order::C, device, stream);
  set(*out, Order::C, elements.data(), n * static_cast<int64_t>(sizeof(T)), stream);
  return out;
}
// All elements in row-major order as a vector on the host, cast to type d, which is that of T. Waits.
template <class T>
std::vector<T> download(const Array& a, DType d, Stream* stream) {
  const Ref<Array> wide = as_type(a, d, stream);
  std::vector<T> out(static_cast<size_t>(a.layout.size()));
  get(*wide, Order::C, out.data(), static_cast<int64_t>(out.size() * sizeof(T)), stream);
  return out;
}

// float64 for integers and bool, otherwise the dtype itself.
DType inexact_type(DType d);

}  // namespace arr
