// SPDX-License-Identifier: MIT
// Reads and writes at computed indices. Programs compute the offsets.
#include "ops/indexing/indexed_access.h"

#include <algorithm>
#include <cstdlib>

#include "array/index_check.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/host_fast_path.h"
#include "ops/indexing/index_program.h"
#include "ops/indexing/scatter.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// The value, broadcast to the indexed shape and cast for the write.
Ref<Array> fitted(const Array& value, const Layout& shape) {
  Ref<Array> out = as_written(value, shape);
  if (!broadcasts_to(out->layout, shape)) refuse_shape(value.layout, shape);
  return out;
}

// A scatter: element = combine(element, value) for the indexed elements of `target`, which has the shape of
// the view.
struct Job {
  const Array* target;
  const Program* combine;
  DType value_type = DType::none;  // none: the op has one operand
  const Array* value = nullptr;
  Scalar constant;  // a constant instead of an array
};

void scatter_at(const IndexedView& indexed, const Job& job, Stream* stream) {
  const OffsetSum sum(offset_terms(indexed, job.target->layout, nullptr), stream);
  std::vector<Input> inputs;
  inputs.reserve(Program::max_inputs);
  sum.add_arrays(&inputs);
  if (job.value != nullptr) inputs.push_back({job.value, {}, false});
  Scatter s;
  s.shape = indexed.shape;
  for (int32_t d = 0; d < s.shape.ndim; ++d) {
    const int32_t axis = indexed.from[d];
    s.shape.strides[d] = axis < 0 ? 0 : job.target->layout.strides[axis];
  }
  int64_t strides[OffsetSum::max_terms + 1][max_ndim];
  std::vector<Ref<Array>> copies;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (may_share_memory(*job.target, *inputs[k].array)) {
      copies.push_back(copy(*inputs[k].array, Order::K, stream));
      inputs[k].array = copies.back().get();
    }
    broadcast_strides(inputs[k].array->layout, s.shape, strides[k]);
  }
  const DType given = job.value == nullptr ? DType::none : job.value->dtype;
  static auto* programs = new ProgramCache;
  const uint64_t key = uint64_t{1} << 63 | static_cast<uint64_t>(given) << 48 |
                       static_cast<uint64_t>(job.value_type) << 40 | sum.key();
  const BoundProgram& map = programs->get(key, [&] {
    ProgramBuilder b;
    std::vector<int32_t> indices;
    for (const OffsetTerm& t : sum.terms()) indices.push_back(b.input(t.array->dtype));
    const int32_t value = given == DType::none ? -1 : b.input(given);
    b.output(sum.build(b, indices));
    if (job.value_type != DType::none) {
      b.output(value < 0 ? b.input(job.value_type) : b.cast(value, job.value_type));
    }
    return b.finish();
  });
  sum.add_scalars(&inputs);
  if (job.value_type != DType::none && job.value == nullptr) inputs.push_back({nullptr, job.constant, false});
  add_constants(map, &inputs);
  s.target = job.target;
  s.map = map.program;
  s.combine = job.combine;
  s.inputs = inputs;
  s.strides = strides;
  s.distinct = indexed.distinct;
  run_scatter(s, stream);
}

// Assigns on devices whose threads write in no fixed order, so that the last value wins: a scatter of the max
// finds for each element the number of its last value, and a second pass copies those values.
void put_last(const IndexedView& indexed, const Array& value, Stream* stream) {
  const Array& to = *indexed.view;
  const Ref<Array> last =
      full(DType::int64_, to.layout.dims(), Order::C, scalar_of(int64_t{-1}), to.device(), stream);
  const int64_t n = indexed.shape.size();
  const Ref<Array> numbers =
      reshape(*index_vector(n, to.device(), stream), indexed.shape.dims(), Order::C, stream);
  const DType both[2] = {DType::int64_, DType::int64_};
  scatter_at(
      indexed,
      {last.get(), &single_op(*op_info(op::maximum), both, DType::int64_), DType::int64_, numbers.get(), {}},
      stream);
  const Ref<Array> spread = value.view(broadcast_to(value.layout, indexed.shape.dims()));
  const Ref<Array> table = ravel(*astype(*spread, to.dtype, Casting::unsafe, Order::C, stream), stream);
  ProgramBuilder b;
  const int32_t at = b.input(DType::int64_), old = b.input(to.dtype), values = b.input(DType::table_);
  const int32_t met = b.op(op::greater_equal, at, integer(b, 0));
  b.output(b.op(op::where, met, b.step(op::take, to.dtype, values, at), old));
  const BoundProgram p = b.finish();
  run_into(to, *p.program, Inputs(p, {last.get(), &to}, {table.get()}).all(), stream);
}

void check_target(const Array& view) {
  const char* obstacle = write_obstacle(view);
  if (obstacle != nullptr) fail(ARR_E_READONLY, "argument a: ", obstacle);
}

// Checks that the value can be written. Returns it in its own dtype; nullptr for a constant.
Ref<Array> checked_value(const IndexedView& indexed, const Input& value) {
  const Array& to = *indexed.view;
  check_target(to);
  if (value.array == nullptr) return {};
  const Input both[] = {{&to, {}, false}, value};
  common_device(both);
  if (!can_cast(value.array->dtype, to.dtype, Casting::same_kind)) {
    fail(ARR_E_DTYPE, "argument value: ", name(value.array->dtype), ", expected a type that casts to ",
         name(to.dtype), " with the same_kind rule");
  }
  return fitted(*value.array, indexed.shape);
}

// Throws if broadcasts repeat indices more often than there are bytes of memory: a write needs no memory, and
// would not end.
void check_repeated(const IndexedView& indexed, Stream* stream) {
  int64_t named = 1, given = 1;
  for (int32_t d = 0; d < indexed.shape.ndim; ++d) {
    if (indexed.from[d] < 0) named = checked::mul(named, indexed.shape.shape[d], "the number of indices");
  }
  for (const AxisIndex& i : indexed.indices) {
    int64_t n = 1;
    for (int32_t d = 0; d < i.array->layout.ndim; ++d) {
      if (i.array->layout.strides[d] != 0) n *= i.array->layout.shape[d];
    }
    given = std::max(given, n);
  }
  if (named > given) {
    const Ref<Array> room = empty(DType::uint8_, {&named, 1}, Order::C, indexed.view->device(), stream);
  }
}

// The memory order that the result takes over from its source, as in NumPy.
Order order_of(const Layout& l) {
  if (l.ndim < 2) return Order::C;
  return std::abs(l.strides[0]) < std::abs(l.strides[l.ndim - 1]) ? Order::F : Order::C;
}

}  // namespace

void refuse_shape(const Layout& value, const Layout& indexed) {
  fail(ARR_E_SHAPE, "argument value: shape ", value.text(), " does not broadcast to the indexed shape, ",
       indexed.text());
}

void IndexedView::add_dimension(int64_t extent, int32_t axis) {
  if (shape.ndim == max_ndim) {
    fail(ARR_E_SHAPE, "argument indices: the indexed shape has more than ", max_ndim, " dimensions");
  }
  from[shape.ndim] = axis;
  shape.strides[shape.ndim] = 0;
  shape.shape[shape.ndim++] = extent;
}

void check_integers(const Array& index, const char* argument) {
  if (is_integer(index.dtype)) return;
  fail(ARR_E_DTYPE, "argument ", argument, ": ", name(index.dtype), ", expected integers");
}

void check_extents(const IndexedView& indexed, const char* argument) {
  for (const AxisIndex& i : indexed.indices) {
    if (i.axis < 0 || i.array->layout.size() == 0 || indexed.view->layout.shape[i.axis] != 0) continue;
    fail_index(argument, "", i.named, 0, 0, -1);
  }
}

void check_from_one(const Array& index, const char* argument, int32_t axis, int64_t extent, Stream* stream) {
  const uint64_t largest = largest_unsigned(index, -1, stream);
  if (largest < static_cast<uint64_t>(extent)) return;
  const FaultNote* note = index_note(argument, axis, index.dtype, Bounds::from_one);
  throw Error(ARR_E_ARGUMENT, fault_text({note, extent}, largest));
}

void check_bounds(IndexedView* indexed, const char* argument, Stream* stream) {
  check_extents(*indexed, argument);
  for (AxisIndex& i : indexed->indices) {
    if (i.axis < 0 || !raises(i.bounds) || i.known || i.array->layout.size() == 0) continue;
    const int64_t extent = indexed->view->layout.shape[i.axis];
    const auto n = static_cast<uint64_t>(extent);
    if (i.bounds == Bounds::from_one) {
      check_from_one(*i.array, argument, i.named, extent, stream);
      continue;
    }
    const uint64_t largest = largest_unsigned(*i.array, 0, stream);
    i.bounds = Bounds::unchecked;
    i.known = largest < n;
    if (i.known) continue;
    if (kind(i.array->dtype) == DKind::UINT) fail_index(argument, largest, i.named, extent, 0, extent - 1);
    const uint64_t moved = largest_unsigned(*i.array, extent, stream);
    if (moved < 2 * n) continue;
    fail_index(argument, static_cast<int64_t>(moved - n), i.named, extent, -extent, extent - 1);
  }
}

Ref<Array> gather(const IndexedView& indexed, const char* argument, Stream* stream) {
  const Array& a = *indexed.view;
  const Order order = order_of(a.layout);
  if (indexed.shape.size() == 0) {
    IndexedView checked = indexed;
    check_bounds(&checked, argument, stream);
    return create(a.dtype, Layout::contiguous(indexed.shape.dims(), a.item(), order), a.device(), stream);
  }
  if (order == Order::C) {
    if (Ref<Array> out = gather_on_host(indexed, argument, stream)) return out;
  }
  Layout begin = indexed.shape;
  for (int32_t d = 0; d < begin.ndim; ++d) {
    const int32_t axis = indexed.from[d];
    begin.strides[d] = axis < 0 ? 0 : a.layout.strides[axis];
    if (axis < 0) begin.shape[d] = 1;
  }
  const Ref<Array> view = a.view(begin);
  const Input elements = load_base_input(*view, a);
  return OffsetSum(offset_terms(indexed, a.layout, argument), stream).load(a.dtype, &elements, order, stream);
}

void put(const IndexedView& indexed, const Input& value, Stream* stream) {
  const Array& to = *indexed.view;
  const Ref<Array> given = checked_value(indexed, value);
  if (indexed.indices.empty()) {
    const Scalar s = given ? Scalar{} : convert(value.scalar, to.dtype);
    return given ? assign(to, *given, stream) : fill(to, s, stream);
  }
  if (indexed.shape.size() == 0) return;
  if (given && indexed.shape.size() > 1 && !indexed.distinct && to.device().type != ARR_HOST &&
      given->layout.size() > 1) {
    return put_last(indexed, *given, stream);
  }
  Job job = {&to, &select_second(to.dtype), to.dtype, given.get(), {}};
  if (!given) job.constant = convert(value.scalar, to.dtype);
  scatter_at(indexed, job, stream);
}

void put_checked(IndexedView indexed, const char* argument, const Input& value, Stream* stream) {
  check_extents(indexed, argument);
  check_repeated(indexed, stream);
  if (!indexed.indices.empty()) {
    Ref<Array> given;
    try {
      given = checked_value(indexed, value);
    } catch (const Error&) {
      check_bounds(&indexed, argument, stream);  // in NumPy this error comes first
      throw;
    }
    const Scalar constant = given ? Scalar{} : convert(value.scalar, indexed.view->dtype);
    if (put_on_host(indexed, argument, given.get(), constant, stream)) return;
  }
  check_bounds(&indexed, argument, stream);
  put(indexed, value, stream);
}

void check_operand_count(const OpInfo& op, const Input* value) {
  const int32_t given = value == nullptr ? 1 : 2;
  if (op.nin == given) return;
  fail(ARR_E_ARGUMENT, "argument value: ", op.name, " takes ", op.nin, " operands, got ", given);
}

void update(const IndexedView& indexed, const OpInfo& op, const Input* value, Stream* stream) {
  const Array& to = *indexed.view;
  check_target(to);
  check_repeated(indexed, stream);
  Input both[2] = {{&to, {}, false}, value == nullptr ? Input{} : *value};
  const std::span<const Input> operands(both, value == nullptr ? 1 : 2);
  common_device(operands);
  Ref<Array> with;
  if (value != nullptr && value->array != nullptr) {
    with = fitted(*value->array, indexed.shape);
    both[1].array = with.get();
  }
  if (indexed.indices.empty()) {
    UfuncOptions options;
    options.casting = Casting::unsafe;
    return elementwise_into(to, op, operands, options, stream);
  }
  Fitted f;
  fit(op, operands, &f);
  const DType out = result_type(f.signature, to.dtype, Casting::unsafe, "a");  // like NumPy's ufunc.at
  const DType types[2] = {to.dtype, value == nullptr ? DType::none : value_type(op, f, both[1])};
  if (indexed.shape.size() == 0) return;
  Job job = {&to, &single_op(op, {types, operands.size()}, out), types[1], with.get(), {}};
  if (value != nullptr && !with) job.constant = f.inputs[1].scalar;
  scatter_at(indexed, job, stream);
}

}  // namespace arr
