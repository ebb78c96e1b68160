// SPDX-License-Identifier: MIT
// Selection by conditions. The k-th true place is the first where the running count of true ones is k + 1.
#include "ops/indexing/select.h"

#include <algorithm>

#include "ops/engine/compose.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

int32_t whole(ProgramBuilder& b, int64_t x) { return b.scalar(scalar_of(x), false); }

Ref<Array> vector_of(int64_t n, DType d, const Array& like, Stream* stream) {
  return empty(d, {&n, 1}, Order::C, like.device(), stream);
}

// How many elements up to each one of a vector are not zero.
Ref<Array> running_count(const Array& vector, Stream* stream) {
  constexpr DType d = DType::int64_;
  ProgramBuilder b;
  b.output(b.cast(b.cast(b.input(vector.dtype), DType::bool_), d));
  const BoundProgram p = b.finish();
  return map_scan(*reduction_info(reduction::sum), {d, d, d, d}, *p.program, Inputs(p, {&vector}).all(), 0,
                  stream);
}

// The coordinate along an axis of positions in row-major order, into dst.
void coordinate_into(const Array& dst, const Array& flat, const Layout& shape, int32_t axis, Stream* stream) {
  int64_t step = 1;
  for (int32_t d = axis + 1; d < shape.ndim; ++d) step *= shape.shape[d];
  const BoundProgram p = program_of({&flat}, [&](ProgramBuilder& b, const int32_t* in) {
    int32_t at = step == 1 ? in[0] : b.op(op::floor_divide, in[0], whole(b, step));
    if (axis > 0) at = b.op(op::remainder, at, whole(b, shape.shape[axis]));
    return at;
  });
  const Array* one[] = {&flat};
  run_into(dst, p, one, stream);
}

void check_mask(const Array& a, const Array& mask) {
  const Input both[] = {{&a, {}, false}, {&mask, {}, false}};
  common_device(both);
  if (write_obstacle(a) != nullptr) fail(ARR_E_READONLY, "argument a: ", write_obstacle(a));
  if (mask.layout.size() == a.layout.size()) return;
  fail(ARR_E_SHAPE, "argument mask: shape ", mask.layout.text(), ", expected as many elements as a of shape ",
       a.layout.text());
}

void check_cast(const Array& from, const Array& to, const char* argument) {
  if (can_cast(from.dtype, to.dtype, Casting::same_kind)) return;
  fail(ARR_E_DTYPE, "argument ", argument, ": ", name(from.dtype), ", expected a type that casts to ",
       name(to.dtype), " with the same_kind rule");
}

// a = values[at % number of values] where the mask of a's shape is true; at: an array, or a ramp over a.
void write_cycle(const Array& a, const Array& mask, const Array& values, const Array* at, Stream* stream) {
  const Ref<Array> table = as_table(*ravel(values, stream), a.dtype, stream);
  const Layout ramp = ramp_of(a.layout);
  ProgramBuilder b;
  const int32_t m = b.cast(b.input(mask.dtype), DType::bool_), old = b.input(a.dtype);
  int32_t i = b.cast(b.input(at == nullptr ? DType::int64_ : at->dtype), DType::int64_);
  const int32_t vector = b.input(DType::table_);
  if (at != nullptr) i = b.op(op::subtract, i, whole(b, 1));
  i = b.op(op::remainder, i, whole(b, table->layout.size()));
  b.output(b.op(op::where, m, b.step(op::take, a.dtype, vector, i), old));
  const BoundProgram p = b.finish();
  std::vector<Input> inputs = {{&mask, {}, false}, {&a, {}, false}};
  inputs.push_back(at == nullptr ? ramp_input(ramp, 0) : Input{at, {}, false});
  inputs.push_back(table_input(*table));
  add_constants(p, &inputs);
  run_into(a, *p.program, inputs, stream);
}

// The shape that arrays broadcast to.
Layout shape_of(std::span<const Array* const> arrays, const char* argument) {
  Layout shape;
  for (const Array* a : arrays) broadcast_shapes(shape, a->layout, argument, &shape);
  return shape;
}

void check_devices(std::initializer_list<std::span<const Array* const>> lists) {
  std::vector<Input> all;
  for (const auto& list : lists) {
    for (const Array* a : list) all.push_back({a, {}, false});
  }
  common_device(all);
}

}  // namespace

Ref<Array> flatnonzero(const Array& a, Stream* stream) {
  const Ref<Array> vector = ravel(a, stream);
  const int64_t n = vector->layout.size();
  if (n == 0) return vector_of(0, DType::int64_, a, stream);
  const Ref<Array> counts = running_count(*vector, stream);
  const auto total = static_cast<int64_t>(item(*slice_axis(*counts, 0, n - 1, n), {}).lo);
  Ref<Array> out = vector_of(total, DType::int64_, a, stream);
  if (total == 0) return out;
  const Layout ramp = ramp_of(out->layout);
  ProgramBuilder b;
  const int32_t wanted = b.input(DType::int64_), table = b.input(DType::table_);
  b.output(b.step(op::search_left, DType::int64_, table, wanted));
  const BoundProgram p = b.finish();
  std::vector<Input> inputs = {ramp_input(ramp, 1), table_input(*counts)};
  add_constants(p, &inputs);
  run_into(*out, *p.program, inputs, stream);
  return out;
}

std::vector<Ref<Array>> nonzero(const Array& a, Stream* stream) {
  const Ref<Array> flat = flatnonzero(a, stream);
  std::vector<Ref<Array>> out;
  if (a.layout.ndim == 1) out.push_back(flat);
  for (int32_t d = 0; a.layout.ndim > 1 && d < a.layout.ndim; ++d) {
    out.push_back(vector_of(flat->layout.size(), DType::int64_, a, stream));
    coordinate_into(*out.back(), *flat, a.layout, d, stream);
  }
  return out;
}

Ref<Array> argwhere(const Array& a, Stream* stream) {
  const Ref<Array> flat = flatnonzero(a, stream);
  const int64_t shape[2] = {flat->layout.size(), a.layout.ndim};
  Ref<Array> out = empty(DType::int64_, shape, Order::C, a.device(), stream);
  for (int32_t d = 0; d < a.layout.ndim; ++d) {
    coordinate_into(*index_axis(*out, 1, d), *flat, a.layout, d, stream);
  }
  return out;
}

Ref<Array> compress(const Array& condition, const Array& a, int32_t axis, Stream* stream) {
  const Input both[] = {{&condition, {}, false}, {&a, {}, false}};
  common_device(both);
  if (condition.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument condition: shape ", condition.layout.text(), ", expected one dimension");
  }
  const Ref<Array> from = axis == axis_none ? ravel(a, stream) : a.view(a.layout);
  axis = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  const int64_t extent = from->layout.shape[axis], n = condition.layout.shape[0];
  if (n > extent &&
      reduce_item(*reduction_info(reduction::any), *slice_axis(condition, 0, extent, n), stream).lo != 0) {
    fail(ARR_E_ARGUMENT, "argument condition: true behind the end of axis ", axis, " of extent ", extent);
  }
  const Ref<Array> places = flatnonzero(*slice_axis(condition, 0, 0, std::min(n, extent)), stream);
  return take_known(*from, *places, axis, stream);
}

Ref<Array> extract(const Array& condition, const Array& a, Stream* stream) {
  const Ref<Array> vector = ravel(condition, stream);
  return compress(*vector, a, axis_none, stream);
}

void write_where(const Array& a, const Array& mask, const Input& value, Stream* stream) {
  if (write_obstacle(a) != nullptr) fail(ARR_E_READONLY, "argument a: ", write_obstacle(a));
  if (value.array != nullptr) {
    const Input both[] = {{&a, {}, false}, value};
    common_device(both);
    check_cast(*value.array, a, "value");
  }
  ProgramBuilder b;
  const int32_t m = b.cast(b.input(mask.dtype), DType::bool_), old = b.input(a.dtype);
  const int32_t v = value.array != nullptr ? b.cast(b.input(value.array->dtype), a.dtype)
                                           : b.scalar(convert(value.scalar, a.dtype), false);
  b.output(b.op(op::where, m, v, old));
  const BoundProgram p = b.finish();
  std::vector<const Array*> arrays = {&mask, &a};
  if (value.array != nullptr) arrays.push_back(value.array);
  run_into(a, p, arrays, stream);
}

void write_masked(const Array& a, const Array& mask, const Array& values, Stream* stream) {
  const Input both[] = {{&a, {}, false}, {&values, {}, false}};
  common_device(both);
  check_mask(a, mask);
  check_cast(values, a, "value");
  const int64_t n = a.layout.size(), given = values.layout.size();
  const Ref<Array> counts = running_count(*ravel(mask, stream), stream);
  const int64_t total = n == 0 ? 0 : static_cast<int64_t>(item(*slice_axis(*counts, 0, n - 1, n), {}).lo);
  if (given != total && given != 1) {
    fail(ARR_E_SHAPE, "argument value: shape ", values.layout.text(),
         " does not broadcast to the places, of shape (", total, ",)");
  }
  if (total == 0) return;
  write_cycle(a, mask, values, reshape(*counts, a.layout.dims(), Order::C, stream).get(), stream);
}

void place_values(const Array& a, const Array& mask, const Input& values, Stream* stream) {
  check_mask(a, mask);
  const Ref<Array> m = reshape(mask, a.layout.dims(), Order::C, stream);
  if (values.array == nullptr) return write_where(a, *m, values, stream);
  check_cast(*values.array, a, "values");
  if (values.array->layout.size() == 0) {
    if (mask.layout.size() == 0 || reduce_item(*reduction_info(reduction::any), mask, stream).lo == 0) return;
    fail(ARR_E_ARGUMENT, "argument values: no elements, expected one or more");
  }
  if (a.layout.size() == 0) return;
  const Ref<Array> counts = running_count(*ravel(mask, stream), stream);
  write_cycle(a, *m, *values.array, reshape(*counts, a.layout.dims(), Order::C, stream).get(), stream);
}

void put_mask(const Array& a, const Array& mask, const Input& values, Stream* stream) {
  check_mask(a, mask);
  const Ref<Array> m = reshape(mask, a.layout.dims(), Order::C, stream);
  if (values.array == nullptr) return write_where(a, *m, values, stream);
  check_cast(*values.array, a, "values");
  if (a.layout.size() == 0 || values.array->layout.size() == 0) return;
  if (values.array->layout.same_shape(a.layout)) return write_where(a, *m, values, stream);
  write_cycle(a, *m, *values.array, nullptr, stream);
}

Ref<Array> choose(const Array& index, std::span<const Array* const> choices, Bounds bounds, Stream* stream) {
  const Array* one[] = {&index};
  check_devices({one, choices});
  check_integers(index, "index");
  const auto n = static_cast<int64_t>(choices.size());
  if (n == 0) fail(ARR_E_ARGUMENT, "argument n: 0 choices, expected one or more");
  DType d = choices[0]->dtype;
  for (const Array* c : choices) d = promote(d, c->dtype);
  Layout shape = shape_of(choices, "choices");
  broadcast_shapes(shape, index.layout, "index", &shape);
  if (bounds == Bounds::raise && index.layout.size() > 0) {
    const uint64_t most = largest_unsigned(index, 0, stream);
    if (most >= static_cast<uint64_t>(n)) {
      fail(ARR_E_ARGUMENT, "argument index: ", static_cast<int64_t>(most), " of ", n,
           " choices, expected 0 to ", n - 1);
    }
  }
  PlaceIndex how;
  how.bounds = bounds;
  Ref<Array> out = empty(d, shape.dims(), Order::C, index.device(), stream);
  constexpr size_t most = 5;  // choices in a program
  for (size_t from = 0; from < choices.size(); from += most) {
    const size_t to = std::min(from + most, choices.size());
    ProgramBuilder b;
    std::vector<const Array*> arrays = {&index, from == 0 ? choices[0] : out.get()};
    arrays.insert(arrays.end(), choices.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(from, 1)),
                  choices.begin() + static_cast<std::ptrdiff_t>(to));
    std::vector<int32_t> nodes;
    nodes.reserve(arrays.size());
    for (const Array* a : arrays) nodes.push_back(b.input(a->dtype));
    const int32_t at = position_in(b, nodes[0], how, n);
    int32_t value = b.cast(nodes[1], d);
    for (size_t k = std::max<size_t>(from, 1), node = 2; k < to; ++k, ++node) {
      const int32_t here = b.op(op::equal, at, whole(b, static_cast<int64_t>(k)));
      value = b.op(op::where, here, b.cast(nodes[node], d), value);
    }
    b.output(value);
    run_into(*out, b.finish(), arrays, stream);
  }
  return out;
}

Ref<Array> first_true(std::span<const Array* const> conditions, std::span<const Array* const> choices,
                      const Input& otherwise, Stream* stream) {
  check_devices({conditions, choices});
  DType d = choices[0]->dtype;
  for (const Array* c : choices) d = promote(d, c->dtype);
  for (const Array* c : conditions) {
    if (c->dtype == DType::bool_) continue;
    fail(ARR_E_DTYPE, "argument conditions: ", name(c->dtype), ", expected bool");
  }
  ProgramBuilder types;
  const int32_t condition = types.input(DType::bool_), value = types.input(d);
  d = types.dtype(types.op(op::where, condition, value, types.scalar(otherwise.scalar, otherwise.weak)));
  Layout shape = shape_of(choices, "choices");
  const Layout other = shape_of(conditions, "conditions");
  broadcast_shapes(shape, other, "conditions", &shape);
  const Scalar rest = otherwise.weak ? fit_plain(otherwise.scalar, d) : convert(otherwise.scalar, d);
  Ref<Array> out = full(d, shape.dims(), Order::C, rest, choices[0]->device(), stream);
  constexpr size_t most = 7;  // pairs in a program
  for (size_t to = choices.size(); to > 0;) {
    const size_t from = to > most ? to - most : 0;
    ProgramBuilder b;
    std::vector<const Array*> arrays = {out.get()};
    int32_t node = b.input(d);
    std::vector<int32_t> nodes;
    for (size_t k = from; k < to; ++k) {
      for (const Array* a : {conditions[k], choices[k]}) {
        arrays.push_back(a);
        nodes.push_back(b.input(a->dtype));
      }
    }
    for (size_t k = to - from; k-- > 0;) {
      node = b.op(op::where, nodes[2 * k], b.cast(nodes[2 * k + 1], d), node);
    }
    b.output(node);
    run_into(*out, b.finish(), arrays, stream);
    to = from;
  }
  return out;
}

}  // namespace arr
