// SPDX-License-Identifier: MIT
// Selection by conditions.
#include "ops/indexing/select.h"

#include <algorithm>
#include <array>
#include <utility>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/program_cache.h"
#include "ops/elementwise/promotion.h"
#include "ops/indexing/host_fast_path.h"
#include "ops/indexing/mask_selection.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

Ref<Array> vector_of(int64_t n, DType d, const Array& like, Stream* stream) {
  return empty(d, {&n, 1}, Order::C, like.device(), stream);
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

// Sets a[i] = values[i % number of values] where the mask, of a's shape, is true; i is the row-major index.
void write_cycle(const Array& a, const Array& mask, const Array& values, Stream* stream) {
  const Ref<Array> table = as_table(*ravel(values, stream), a.dtype, stream);
  const Layout ramp = ramp_of(a.layout);
  ProgramBuilder b;
  const int32_t m = b.cast(b.input(mask.dtype), DType::bool_), old = b.input(a.dtype);
  const int32_t at = b.input(DType::int64_), vector = b.input(DType::table_);
  const int32_t i = b.op(op::remainder, at, integer(b, table->layout.size()));
  b.output(b.op(op::where, m, b.step(op::take, a.dtype, vector, i), old));
  const BoundProgram p = b.finish();
  std::vector<Input> inputs = {{&mask, {}, false}, {&a, {}, false}, ramp_input(ramp, 0), table_input(*table)};
  add_constants(p, &inputs);
  run_into(a, *p.program, inputs, stream);
}

// Writes the values in order to the selected elements of a, and repeats them as needed.
void masked_scatter(const MaskSelection& selection, const Array& a, const Array& values, Stream* stream) {
  Ref<Array> table = as_table(*ravel(values, stream), a.dtype, stream);
  if (may_share_memory(a, *table)) table = copy(*table, Order::C, stream);
  selection.masked_scatter(a, *table);
}

// The shape that the arrays broadcast to.
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

// True if selecting slices along an axis is faster by a mask of all elements than by indices: there are many
// slices of one element each.
bool as_elements(const Array& a, int32_t axis, int64_t count) {
  constexpr int64_t min_part = 8;
  for (int32_t d = axis + 1; d < a.layout.ndim; ++d) {
    if (a.layout.shape[d] != 1) return false;
  }
  return count >= a.layout.shape[axis] / min_part;
}

// Takes the `count` slices along an axis that are selected.
Ref<Array> compress_selected(const Array& a, int32_t axis, const Array& condition,
                             const MaskSelection& selection, int64_t count, Stream* stream) {
  const bool rows = axis == 0 && MaskSelection::has_rows(a, 1);
  if (a.layout.ndim > 1 && !rows && !as_elements(a, axis, count)) {
    const Ref<Array> indices = vector_of(count, DType::int64_, a, stream);
    const Array* outs[] = {indices.get()};
    const int64_t extent = a.layout.shape[axis];
    selection.indices(outs, {&extent, 1});
    return take_known(a, *indices, axis, stream);
  }
  Layout shape = a.layout;
  shape.shape[axis] = count;
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  if (a.layout.ndim == 1) {
    selection.compact(*out, a);
  } else if (rows) {
    selection.rows(*out, a);
  } else {
    const Ref<Array> lane = broadcastable_vector(condition, a.layout.ndim, axis);
    const Ref<Array> mask = lane->view(broadcast_to(lane->layout, a.layout.dims()));
    MaskSelection(*mask, stream).compact(*out, a);
  }
  return out;
}

}  // namespace

Selected selected(const Array& condition, const Array& a, int32_t axis, Stream* stream) {
  if (condition.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument condition: shape ", condition.layout.text(), ", expected one dimension");
  }
  Selected s;
  s.from = axis == axis_none ? ravel(a, stream) : a.share();
  s.axis = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  const int64_t extent = s.from->layout.shape[s.axis], n = condition.layout.shape[0];
  const int64_t some = std::min(n, extent);
  s.condition = slice_axis(condition, 0, 0, some);
  s.from = slice_axis(*s.from, s.axis, 0, some);
  if (n > extent) s.rest = slice_axis(condition, 0, extent, n);
  return s;
}

Ref<Array> flatnonzero(const Array& a, Stream* stream) {
  if (Ref<Array> few = compact_on_host(a, nullptr, stream)) return few;
  const MaskSelection selection(a, stream);
  Ref<Array> out = vector_of(selection.count(), DType::int64_, a, stream);
  const int64_t n = a.layout.size();
  const Array* outs[] = {out.get()};
  selection.indices(outs, {&n, 1});
  return out;
}

std::vector<Ref<Array>> nonzero(const Array& a, Stream* stream) {
  if (a.layout.ndim == 1) return {flatnonzero(a, stream)};
  const MaskSelection selection(a, stream);
  const int64_t n = selection.count();
  std::vector<Ref<Array>> out;
  std::vector<const Array*> outs;
  for (int32_t d = 0; d < a.layout.ndim; ++d) {
    out.push_back(vector_of(n, DType::int64_, a, stream));
    outs.push_back(out.back().get());
  }
  if (!outs.empty()) selection.indices(outs, a.layout.dims());
  return out;
}

Ref<Array> argwhere(const Array& a, Stream* stream) {
  const MaskSelection selection(a, stream);
  const int64_t shape[2] = {selection.count(), a.layout.ndim};
  Ref<Array> out = empty(DType::int64_, shape, Order::C, a.device(), stream);
  selection.indices(*out, a.layout.dims());
  return out;
}

Ref<Array> select_leading(const Array& a, const Array& mask, Stream* stream) {
  const bool all = mask.layout.ndim == a.layout.ndim;
  if (all) {
    if (Ref<Array> few = compact_on_host(mask, &a, stream)) return few;
  }
  if (!all && !MaskSelection::has_rows(a, mask.layout.ndim)) return {};
  const MaskSelection selection(mask, stream);
  Layout shape = a.layout;
  shape.ndim = 0;
  shape.shape[shape.ndim++] = selection.count();
  for (int32_t d = mask.layout.ndim; d < a.layout.ndim; ++d) shape.shape[shape.ndim++] = a.layout.shape[d];
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  if (all) {
    selection.compact(*out, a);
  } else {
    selection.rows(*out, a);
  }
  return out;
}

Ref<Array> compress(const Array& condition, const Array& a, int32_t axis, Stream* stream) {
  const Input both[] = {{&condition, {}, false}, {&a, {}, false}};
  common_device(both);
  const Selected s = selected(condition, a, axis, stream);
  if (s.rest && reduce_item(*reduction_info(reduction::any), *s.rest, stream).lo != 0) {
    fail(ARR_E_ARGUMENT, "argument condition: true after the end of axis ", s.axis, " of extent ",
         s.condition->layout.shape[0]);
  }
  const MaskSelection selection(*s.condition, stream);
  return compress_selected(*s.from, s.axis, *s.condition, selection, selection.count(), stream);
}

Ref<Array> compress_known(const Array& condition, const Array& a, int32_t axis, int64_t count,
                          Stream* stream) {
  return compress_selected(a, axis, condition, MaskSelection(condition, stream), count, stream);
}

Ref<Array> extract(const Array& condition, const Array& a, Stream* stream) {
  if (!condition.layout.same_shape(a.layout)) {
    const Ref<Array> vector = ravel(condition, stream);
    return compress(*vector, a, axis_none, stream);
  }
  const Input both[] = {{&condition, {}, false}, {&a, {}, false}};
  common_device(both);
  return select_leading(a, condition, stream);
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
  const MaskSelection selection(mask, stream);
  const int64_t total = selection.count(), given = values.layout.size();
  if (given != total && given != 1) {
    fail(ARR_E_SHAPE, "argument value: shape ", values.layout.text(),
         " does not broadcast to the selected elements, (", total, ",)");
  }
  if (total > 0) masked_scatter(selection, a, values, stream);
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
  if (a.layout.size() > 0) masked_scatter(MaskSelection(*m, stream), a, *values.array, stream);
}

void put_mask(const Array& a, const Array& mask, const Input& values, Stream* stream) {
  check_mask(a, mask);
  const Ref<Array> m = reshape(mask, a.layout.dims(), Order::C, stream);
  if (values.array == nullptr) return write_where(a, *m, values, stream);
  check_cast(*values.array, a, "values");
  if (a.layout.size() == 0 || values.array->layout.size() == 0) return;
  if (values.array->layout.same_shape(a.layout)) return write_where(a, *m, values, stream);
  write_cycle(a, *m, *values.array, stream);
}

namespace {

// The index of a choice. A negative index is out of range, because it is large as an unsigned number.
int32_t choice_in(ProgramBuilder& b, int32_t index, Bounds bounds) {
  const int32_t extent = b.input(DType::table_);
  if (bounds == Bounds::clip) return b.step(op::index_clip, b.dtype(index), extent, index);
  if (bounds == Bounds::wrap) return b.step(op::index_wrap, b.dtype(index), extent, index);
  if (bounds == Bounds::from_one) return b.step(op::index_from_one, b.dtype(index), extent, index);
  return b.step(op::index_check, DType::uint64_, extent,
                b.cast(b.cast(index, DType::int64_), DType::uint64_));
}

void check_choices(const Array& index, int64_t n, Bounds bounds, Stream* stream) {
  if (bounds == Bounds::from_one) return check_from_one(index, "index", -1, n, stream);
  const uint64_t largest = largest_unsigned(index, 0, stream);
  if (largest < static_cast<uint64_t>(n)) return;
  fail(ARR_E_ARGUMENT, "argument index: index ", integer_text(index, largest), " of ", n,
       " choices, expected 0 to ", n - 1);
}

}  // namespace

Ref<Array> choose(const Array& index, std::span<const Array* const> choices, Bounds bounds, Stream* stream) {
  const Array* one[] = {&index};
  check_devices({one, choices});
  check_integers(index, "index");
  const auto n = static_cast<int64_t>(choices.size());
  if (n == 0) fail(ARR_E_ARGUMENT, "argument n: 0 choices, expected one or more");
  const DType d = common_type(choices);
  Layout shape = shape_of(choices, "choices");
  broadcast_shapes(shape, index.layout, "index", &shape);
  const bool checked = raises(bounds) && index.layout.size() > 0;
  if (checked && shape.size() == 0) check_choices(index, n, bounds, stream);
  const IndexRange range = bounds == Bounds::from_one ? IndexRange::from_one : IndexRange::from_zero;
  const bool is_unsigned = kind(index.dtype) == DKind::UINT;
  const Input extent = extent_input(n, checked ? fault_note("index", -1, is_unsigned, range) : nullptr);
  Ref<Array> out = empty(d, shape.dims(), Order::C, index.device(), stream);
  constexpr size_t max_choices = 5;  // choices in a program
  for (size_t from = 0; from < choices.size(); from += max_choices) {
    const size_t to = std::min(from + max_choices, choices.size());
    ProgramBuilder b;
    std::vector<Input> inputs = {{&index, {}, false}, {from == 0 ? choices[0] : out.get(), {}, false}};
    for (size_t k = std::max<size_t>(from, 1); k < to; ++k) inputs.push_back({choices[k], {}, false});
    std::vector<int32_t> nodes;
    nodes.reserve(inputs.size());
    for (const Input& in : inputs) nodes.push_back(b.input(in.array->dtype));
    inputs.push_back(extent);
    const int32_t at = choice_in(b, nodes[0], bounds);
    int32_t value = b.cast(nodes[1], d);
    for (size_t k = std::max<size_t>(from, 1), node = 2; k < to; ++k, ++node) {
      const int32_t here = b.op(op::equal, at, integer(b, static_cast<int64_t>(k)));
      value = b.op(op::where, here, b.cast(nodes[node], d), value);
    }
    // With a single choice only the index is checked.
    if (n == 1) value = b.op(op::where, b.op(op::equal, at, integer(b, 0)), value, value);
    b.output(value);
    const BoundProgram p = b.finish();
    add_constants(p, &inputs);
    run_into(*out, *p.program, inputs, stream);
  }
  return out;
}

namespace {

constexpr size_t max_pairs = 7;  // pairs of a condition and a choice in a program

// All that the programs of first_true() depend on.
struct FirstTrue {
  std::array<DType, max_pairs> choices{};
  size_t count = 0;
  Scalar otherwise;
  bool weak = false;
  friend bool operator==(const FirstTrue&, const FirstTrue&) = default;
};
struct FirstTrueProgram {
  DType result = DType::none;
  BoundProgram program;
};

DType type_of_choices(DType common, const Input& otherwise) {
  ProgramBuilder types;
  const int32_t condition = types.input(DType::bool_), value = types.input(common);
  return types.dtype(types.op(op::where, condition, value, types.scalar(otherwise.scalar, otherwise.weak)));
}

// The first choice whose condition holds; otherwise `rest`, or if that is nullptr the former result, which is
// the first input.
BoundProgram pairs_program(std::span<const Array* const> choices, DType d, const Scalar* rest) {
  ProgramBuilder b;
  int32_t node = rest != nullptr ? b.scalar(*rest, false) : b.input(d);
  std::vector<int32_t> nodes;
  for (const Array* a : choices) {
    nodes.push_back(b.input(DType::bool_));
    nodes.push_back(b.input(a->dtype));
  }
  for (size_t k = choices.size(); k-- > 0;) {
    node = b.op(op::where, nodes[2 * k], b.cast(nodes[2 * k + 1], d), node);
  }
  b.output(node);
  return b.finish();
}

// The program of the last pairs, which are evaluated first, because earlier conditions have precedence.
const FirstTrueProgram& last_pairs(std::span<const Array* const> all, std::span<const Array* const> last,
                                   const Input& otherwise) {
  const DType common = common_type(all);
  FirstTrue q{{}, last.size(), otherwise.scalar, otherwise.weak};
  for (size_t k = 0; k < last.size(); ++k) q.choices.at(k) = last[k]->dtype;
  return Recent<std::pair<DType, FirstTrue>, FirstTrueProgram>::get({common, q}, [&]() -> FirstTrueProgram {
    const DType d = type_of_choices(common, otherwise);
    const Scalar rest = otherwise.weak ? fit_plain(otherwise.scalar, d) : convert(otherwise.scalar, d);
    return {d, pairs_program(last, d, &rest)};
  });
}

}  // namespace

Ref<Array> first_true(std::span<const Array* const> conditions, std::span<const Array* const> choices,
                      const Input& otherwise, Stream* stream) {
  check_devices({conditions, choices});
  for (const Array* c : conditions) {
    if (c->dtype == DType::bool_) continue;
    fail(ARR_E_DTYPE, "argument conditions: ", name(c->dtype), ", expected bool");
  }
  const size_t few = std::min(choices.size(), max_pairs);
  const FirstTrueProgram& last = last_pairs(choices, choices.last(few), otherwise);
  Layout shape = shape_of(choices, "choices");
  const Layout other = shape_of(conditions, "conditions");
  broadcast_shapes(shape, other, "conditions", &shape);
  Ref<Array> out = empty(last.result, shape.dims(), Order::C, choices[0]->device(), stream);
  std::vector<const Array*> arrays;
  arrays.reserve(2 * max_pairs + 1);
  const auto write = [&](const BoundProgram& p, size_t from, size_t to) {
    for (size_t k = from; k < to; ++k) arrays.insert(arrays.end(), {conditions[k], choices[k]});
    run_into(*out, p, arrays, stream);
    arrays.assign(1, out.get());
  };
  write(last.program, choices.size() - few, choices.size());
  for (size_t to = choices.size() - few; to > 0;) {
    const size_t from = to > max_pairs ? to - max_pairs : 0;
    write(pairs_program(choices.subspan(from, to - from), last.result, nullptr), from, to);
    to = from;
  }
  return out;
}

}  // namespace arr
