// SPDX-License-Identifier: MIT
// Writes at computed indices. The scatter programs compute the addresses.
#include "ops/indexing/indexed_access.h"

#include <algorithm>

#include "array/index_check.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/host_fast_path.h"
#include "ops/indexing/scatter.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

int32_t unsigned_integer(ProgramBuilder& b, int64_t x) {
  return b.scalar(convert(scalar_of(x), DType::uint64_), false);
}

// An index with the stride of its axis in bytes.
struct AddressTerm {
  AxisIndex index;
  int64_t extent = 0, stride = 0;
};

// The offsets of the indexed elements in an array of the view's shape: terms for the indices, and strides for
// the other dimensions.
struct Address {
  std::vector<AddressTerm> terms;
  Layout dims;  // the indexed shape
  Address(const IndexedView& indexed, const Layout& memory) : dims(indexed.shape) {
    for (int32_t d = 0; d < dims.ndim; ++d) {
      const int32_t axis = indexed.from[d];
      dims.strides[d] = axis < 0 ? 0 : memory.strides[axis];
    }
    for (const AxisIndex& i : indexed.indices) {
      if (i.axis >= 0) terms.push_back({i, memory.shape[i.axis], memory.strides[i.axis]});
    }
  }
  void shorten(size_t max_terms, Stream* stream);
};

int32_t offset_of(ProgramBuilder& b, int32_t node, const AddressTerm& t) {
  const int32_t at = position_in(b, node, t.index, t.extent);
  return t.stride == 1 ? at : b.op(op::multiply, at, integer(b, t.stride));
}

// Joins terms until a program takes them all.
void Address::shorten(size_t max_terms, Stream* stream) {
  while (terms.size() > max_terms) {
    AddressTerm joined;
    joined.index.array =
        compute({terms[0].index.array.get(), terms[1].index.array.get()}, stream,
                [&](ProgramBuilder& b, const int32_t* in) {
                  return b.op(op::add, offset_of(b, in[0], terms[0]), offset_of(b, in[1], terms[1]));
                });
    joined.index.axis = 0;
    joined.index.bounds = Bounds::unchecked;
    joined.stride = 1;
    terms.erase(terms.begin(), terms.begin() + 2);
    terms.push_back(std::move(joined));
  }
}

// Appends the computation of the offsets to a program.
int32_t address_in(ProgramBuilder& b, const std::vector<AddressTerm>& terms,
                   const std::vector<int32_t>& nodes) {
  int32_t sum = -1;
  for (size_t k = 0; k < terms.size(); ++k) {
    const int32_t term = offset_of(b, nodes[k], terms[k]);
    sum = k == 0 ? term : b.op(op::add, sum, term);
  }
  return sum;
}

// The value, broadcast to the indexed shape and cast for the write.
Ref<Array> fitted(const Array& value, const Layout& shape) {
  Ref<Array> out = as_written(value, shape);
  if (broadcasts_to(out->layout, shape)) return out;
  fail(ARR_E_SHAPE, "argument value: shape ", value.layout.text(),
       " does not broadcast to the indexed shape, ", shape.text());
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
  Address address(indexed, job.target->layout);
  address.shorten(2, stream);
  std::vector<Ref<Array>> arrays;
  for (const AddressTerm& t : address.terms) arrays.push_back(t.index.array->view(t.index.array->layout));
  if (job.value != nullptr) arrays.push_back(job.value->view(job.value->layout));
  std::vector<const Array*> plain;
  int64_t strides[4][max_ndim];
  for (size_t k = 0; k < arrays.size(); ++k) {
    if (may_share_memory(*job.target, *arrays[k])) arrays[k] = copy(*arrays[k], Order::K, stream);
    broadcast_strides(arrays[k]->layout, address.dims, strides[k]);
    plain.push_back(arrays[k].get());
  }
  ProgramBuilder b;
  std::vector<int32_t> nodes;
  nodes.reserve(plain.size());
  for (const Array* a : plain) nodes.push_back(b.input(a->dtype));
  const int32_t at = address_in(b, address.terms, nodes);
  b.output(at < 0 ? integer(b, 0) : at);
  if (job.value_type != DType::none) {
    b.output(job.value != nullptr ? b.cast(nodes.back(), job.value_type) : b.scalar(job.constant, false));
  }
  const BoundProgram map = b.finish();
  Scatter s;
  s.target = job.target;
  s.shape = address.dims;
  s.map = &map;
  s.combine = job.combine;
  s.arrays = plain;
  s.strides = strides;
  s.distinct = indexed.distinct;
  run_scatter(s, stream);
}

// The program that returns the second of two operands of one type.
const Program& select_second(DType d) {
  ProgramBuilder b;
  b.input(d);
  b.output(b.input(d));
  return *b.finish().program;
}

// Assigns on devices whose threads write in no fixed order, so that the last value wins: a scatter of the max
// finds for each element the number of its last value, and a second pass copies those values.
void put_last(const IndexedView& indexed, const Array& value, Stream* stream) {
  const Array& to = *indexed.view;
  const Ref<Array> last =
      full(DType::int64_, to.layout.dims(), Order::C, scalar_of(int64_t{-1}), to.device(), stream);
  const int64_t n = indexed.shape.size();
  const Ref<Array> numbers =
      reshape(*slice_axis(*iota(n, to.device(), stream), 0, 0, n), indexed.shape.dims(), Order::C, stream);
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

// The second operand of an update, in the dtype that the op takes; a weak scalar is converted to it.

}  // namespace

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

void check_bounds(IndexedView* indexed, const char* argument, Stream* stream) {
  check_extents(*indexed, argument);
  for (AxisIndex& i : indexed->indices) {
    if (i.axis < 0 || i.array->layout.size() == 0) continue;
    const int64_t extent = indexed->view->layout.shape[i.axis];
    const bool is_signed = kind(i.array->dtype) == DKind::INT;
    i.negative = is_signed && !i.known;
    if (i.bounds != Bounds::raise) continue;
    const auto n = static_cast<uint64_t>(extent);
    const uint64_t largest = largest_unsigned(*i.array, 0, stream);
    i.negative = false;
    if (largest < n) continue;
    if (!is_signed) fail_index(argument, largest, i.named, extent, 0, extent - 1);
    const uint64_t moved = largest_unsigned(*i.array, extent, stream);
    i.negative = true;
    if (moved < 2 * n) continue;
    fail_index(argument, static_cast<int64_t>(moved - n), i.named, extent, -extent, extent - 1);
  }
}

int32_t position_in(ProgramBuilder& b, int32_t node, const AxisIndex& i, int64_t extent) {
  const bool huge = b.dtype(node) == DType::uint64_;  // the sum may exceed an int64
  if (i.bounds == Bounds::clip && huge) {
    return b.cast(b.op(op::minimum, node, unsigned_integer(b, extent - 1)), DType::int64_);
  }
  if (i.bounds == Bounds::wrap && huge) {
    return b.cast(b.op(op::remainder, node, unsigned_integer(b, extent)), DType::int64_);
  }
  node = b.cast(node, DType::int64_);
  if (i.bounds == Bounds::clip) return b.op(op::clip, node, integer(b, 0), integer(b, extent - 1));
  if (i.bounds == Bounds::wrap) return b.op(op::remainder, node, integer(b, extent));
  if (!i.negative) return node;
  const int32_t below = b.op(op::right_shift, node, integer(b, 63));  // all bits or none
  return b.op(op::add, node, b.op(op::bitwise_and, below, integer(b, extent)));
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

void update(const IndexedView& indexed, const OpInfo& op, const Input* value, Stream* stream) {
  const Array& to = *indexed.view;
  const int32_t given = value == nullptr ? 1 : 2;
  if (op.nin != given) {
    fail(ARR_E_ARGUMENT, "argument value: ", op.name, " takes ", op.nin, " operands, got ", given);
  }
  check_target(to);
  Input both[2] = {{&to, {}, false}, value == nullptr ? Input{} : *value};
  const std::span<const Input> operands(both, static_cast<size_t>(given));
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
