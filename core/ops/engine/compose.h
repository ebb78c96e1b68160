// SPDX-License-Identifier: MIT
// What composites are put together from: parts of arrays, and programs over them.
#pragma once

#include <array>
#include <initializer_list>
#include <vector>

#include "ops/engine/create.h"

namespace arr {

// Positions from .. to of an axis, a view.
Ref<Array> part(const Array& a, int32_t axis, int64_t from, int64_t to);
// Every step-th position of an axis, a view.
Ref<Array> every(const Array& a, int32_t axis, int64_t from, int64_t step);
// One place of an axis, which goes away; the axis from its end to its start. Views; axes count negative from
// the end.
Ref<Array> place(const Array& a, int32_t axis, int64_t at);
Ref<Array> reversed(const Array& a, int32_t axis);
// A vector along `axis` of an array of `ndim` dimensions, so that it broadcasts; a view.
Ref<Array> along(const Array& vector, int32_t ndim, int32_t axis);
// The axis moved to another place, a view.
Ref<Array> move_axis(const Array& a, int32_t from, int32_t to);
// All elements in row-major order.
Ref<Array> ravel(const Array& a, Stream* stream);

// A vector of the numbers 0 .. n-1 or more of int64, kept per device: index values of programs are windows on
// it.
Ref<Array> iota(int64_t n, Device device, Stream* stream);
// The elements in that type; a view where they have it.
Ref<Array> as_type(const Array& a, DType d, Stream* stream);
// The real (0) or imaginary (1) parts of a complex array, a view.
Ref<Array> complex_part(const Array& a, int32_t which);

// The operands of a program in their order: arrays, vectors to look up in, constants.
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

// A new array of one op; of a program that was just built, over arrays that broadcast.
Ref<Array> apply(int32_t op, std::initializer_list<const Array*> arrays, Stream* stream);
Ref<Array> run(const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);
void run_into(const Array& dst, const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);

// A plain number in a program.
inline int32_t number(ProgramBuilder& b, double x) { return b.scalar(scalar_of(x), true); }
// A program of arrays, built by build(builder, nodes of the arrays) -> node; the new array of it.
template <class Build>
BoundProgram program_of(Inputs::List arrays, Build&& build) {
  ProgramBuilder b;
  std::array<int32_t, Program::max_inputs> nodes{};
  size_t n = 0;
  for (const Array* a : arrays) nodes.at(n++) = b.input(a->dtype);
  b.output(build(b, nodes.data()));
  return b.finish();
}
template <class Build>
Ref<Array> compute(Inputs::List arrays, Stream* stream, Build&& build) {
  return run(program_of(arrays, build), {arrays.begin(), arrays.size()}, stream);
}

// The vector in that type with its elements one behind the other: what look-ups search in.
Ref<Array> as_table(const Array& vector, DType d, Stream* stream);
// A vector of the elements of a container on the host, which have the type d.
template <class T>
Ref<Array> upload(const std::vector<T>& elements, DType d, Device device, Stream* stream) {
  const auto n = static_cast<int64_t>(elements.size());
  Ref<Array> out = empty(d, {&n, 1}, Order::C, device, stream);
  set(*out, Order::C, elements.data(), n * static_cast<int64_t>(sizeof(T)), stream);
  return out;
}

// float64 for integers and bool, else the type itself.
DType inexact(DType d);

}  // namespace arr
