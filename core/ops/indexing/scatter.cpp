// SPDX-License-Identifier: MIT
// Combines values into indexed elements: checks types and the range of indices and builds the programs; the
// backend combines.
#include "ops/indexing/scatter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "array/index_check.h"
#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/reduce/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

constexpr size_t max_arrays = Program::max_inputs;

// The indices of a call, one per axis, and the shape of these and the remaining axes.
struct IndexedShape {
  Layout indexed;  // the shape that the indices broadcast to
  Layout shape;    // that and the array's remaining axes; strides: the array's, or 0
};

IndexedShape indexed_shape(const Array& a, std::span<const Array* const> indices) {
  const auto n = static_cast<int32_t>(indices.size());
  if (n < 1 || n > a.layout.ndim) {
    fail(ARR_E_ARGUMENT, "argument nindices: ", n, ", expected 1 to ", a.layout.ndim,
         " for an array of shape ", a.layout.text());
  }
  IndexedShape p;
  for (int32_t k = 0; k < n; ++k) {
    const Array& index = *indices[static_cast<size_t>(k)];
    if (!is_integer(index.dtype)) {
      fail(ARR_E_DTYPE, "argument indices: array ", k, " is of ", name(index.dtype), ", expected integers");
    }
    if (k == 0) {
      p.indexed = index.layout;
    } else {
      broadcast_shapes(p.indexed, index.layout, "indices", &p.indexed);
    }
  }
  if (p.indexed.ndim + a.layout.ndim - n > max_ndim) {
    fail(ARR_E_SHAPE, "argument indices: ", p.indexed.ndim, " dimensions and ", a.layout.ndim - n,
         " after them, at most ", max_ndim, " together");
  }
  p.shape.ndim = 0;
  for (int32_t i = 0; i < p.indexed.ndim; ++i) {
    p.shape.shape[p.shape.ndim] = p.indexed.shape[i];
    p.shape.strides[p.shape.ndim++] = 0;
  }
  for (int32_t i = n; i < a.layout.ndim; ++i) {
    p.shape.shape[p.shape.ndim] = a.layout.shape[i];
    p.shape.strides[p.shape.ndim++] = a.layout.strides[i];
  }
  return p;
}

void check_fits(const Array& b, const Layout& shape) {
  if (!broadcasts_to(b.layout, shape)) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(),
         " does not broadcast to the indexed elements, of shape ", shape.text());
  }
}

// Throws if an index is out of range. Returns true if one is negative.
bool check_range(const Array& index, int32_t axis, int64_t extent, Stream* stream) {
  if (index.layout.size() == 0) return false;
  const auto n = static_cast<uint64_t>(extent);
  uint64_t largest = largest_unsigned(index, 0, stream);
  if (largest < n) return false;
  if (kind(index.dtype) == DKind::INT) {
    const uint64_t moved = largest_unsigned(index, extent, stream);
    if (moved < 2 * n) return true;
    largest = moved - n;
  }
  fail_index("indices", integer_text(index, largest), axis, extent,
             kind(index.dtype) == DKind::INT ? -extent : 0, extent - 1);
}

// Use shifts for powers of two: vectors of 64-bit integers shift much faster than they multiply.
int32_t times(ProgramBuilder& b, int32_t x, int64_t factor) {
  const auto bits = static_cast<uint64_t>(factor);
  if (factor <= 0 || !std::has_single_bit(bits)) return b.op(op::multiply, x, integer(b, factor));
  return b.op(op::left_shift, x, integer(b, std::countr_zero(bits)));
}

// The offset in bytes of an index along an axis. With `negative`, an index may count from the end.
int32_t offset_of(ProgramBuilder& b, int32_t index, bool negative, int64_t extent, int64_t stride) {
  index = b.cast(index, DType::int64_);
  if (negative) {
    const int32_t below = b.op(op::right_shift, index, integer(b, 63));  // all bits or none
    index = b.op(op::add, index, b.op(op::bitwise_and, below, integer(b, extent)));
  }
  return times(b, index, stride);
}

// The program that computes offsets and values.
struct IndexProgram {
  struct Index {
    DType dtype;
    int64_t extent;  // the extent if some indices are negative, otherwise 0
    int64_t stride;
  };
  std::vector<Index> indices;
  DType given = DType::none;  // dtype of the array of values, which is cast to `value`
  DType value = DType::none;
  Scalar constant;  // a constant instead of an array

  // Combines index arrays until a program has inputs for all of them, with their extents and strides.
  void shorten(std::vector<Ref<Array>>* arrays, Stream* stream) {
    constexpr size_t max_indices = 4;
    while (indices.size() > max_indices) {
      const Index one = indices[0], other = indices[1];
      arrays->push_back(compute({(*arrays)[0].get(), (*arrays)[1].get()}, stream,
                                [&](ProgramBuilder& b, const int32_t* in) {
                                  return b.op(op::add, part_of(b, in[0], one), part_of(b, in[1], other));
                                }));
      indices.push_back({DType::int64_, 0, 1});
      arrays->erase(arrays->begin(), arrays->begin() + 2);
      indices.erase(indices.begin(), indices.begin() + 2);
    }
  }
  static int32_t part_of(ProgramBuilder& b, int32_t node, const Index& i) {
    return offset_of(b, node, i.extent != 0, i.extent, i.stride);
  }

  [[nodiscard]] BoundProgram build() const {
    ProgramBuilder b;
    std::vector<int32_t> index;
    int32_t values = -1, offset = -1;
    for (const Index& i : indices) index.push_back(b.input(i.dtype));
    if (given != DType::none) values = b.cast(b.input(given), value);
    for (size_t k = 0; k < indices.size(); ++k) {
      const int32_t part = part_of(b, index[k], indices[k]);
      offset = k == 0 ? part : b.op(op::add, offset, part);
    }
    b.output(offset);
    if (constant.dtype != DType::none) values = b.scalar(constant, false);
    if (values >= 0) b.output(values);
    return b.finish();
  }
  // The cache key of the program for elements of a vector and an array of values; 0 for other programs, which
  // are built for each call.
  [[nodiscard]] uint64_t key() const {
    const Index& i = indices[0];
    if (indices.size() != 1 || i.extent != 0 || constant.dtype != DType::none) return 0;
    if (i.stride < 1 || i.stride > 16 || !std::has_single_bit(static_cast<uint64_t>(i.stride))) return 0;
    return static_cast<uint64_t>(i.stride) << 24 | static_cast<uint64_t>(i.dtype) << 16 |
           static_cast<uint64_t>(given) << 8 | static_cast<uint64_t>(value);
  }
};

// The arrays of a call and their strides. Arrays that share memory with the target are copied first.
struct Operands {
  explicit Operands(const Array& to) : target(to) {}
  void add(const Array& x, const Layout& shape, Stream* stream) {
    // The indices have stride 0 along the remaining axes.
    std::fill_n(strides[arrays.size()], max_ndim, 0);
    broadcast_strides(x.layout, shape, strides[arrays.size()]);
    arrays.push_back(&x);
    if (!may_share_memory(target, x)) return;
    copies.push_back(copy(x, Order::K, stream));
    arrays.back() = copies.back().get();
    broadcast_strides(copies.back()->layout, shape, strides[arrays.size() - 1]);
  }
  const Array& target;
  std::vector<const Array*> arrays;
  std::vector<Ref<Array>> copies;
  int64_t strides[max_arrays][max_ndim];
};

void check_operands(const OpInfo& op, const Array& a, std::span<const Array* const> indices, const Input* b) {
  const int32_t given = b == nullptr ? 1 : 2;
  if (op.nin != given)
    fail(ARR_E_ARGUMENT, "argument b: ", op.name, " takes ", op.nin, " operands, got ", given);
  if (write_obstacle(a) != nullptr) fail(ARR_E_READONLY, "argument a: ", write_obstacle(a));
  std::vector<Input> all = {{&a, {}, false}};
  for (const Array* i : indices) all.push_back({i, {}, false});
  if (b != nullptr) all.push_back(*b);
  common_device(all);
}

}  // namespace

DType value_type(const OpInfo& op, const Fitted& f, const Input& b) {
  if (b.array == nullptr) return f.dtypes[1];
  const DType own = own_type(op, 1);
  if (own != DType::none) return own;
  const OperandType types[2] = {{f.dtypes[0], false}, {f.dtypes[1], false}};
  return is_mixed(op, types) ? f.dtypes[1] : f.signature.operand;
}

uint64_t largest_unsigned(const Array& x, int64_t plus, Stream* stream) {
  static auto* programs = new ProgramCache;
  auto build = [&] {
    ProgramBuilder b;
    int32_t node = b.cast(b.input(x.dtype), DType::int64_);
    if (plus != 0) node = b.op(op::add, node, integer(b, plus));
    b.output(b.cast(node, DType::uint64_));
    return b.finish();
  };
  BoundProgram own;
  if (plus != 0) own = build();
  const BoundProgram& p = plus != 0 ? own : programs->get(static_cast<uint64_t>(x.dtype), build);
  std::array<Input, 2> inputs = {Input{&x, {}, false}, Input{}};
  if (plus != 0) inputs[1].scalar = p.immediates[0];
  constexpr DType d = DType::uint64_;
  const std::span<const Input> all(inputs.data(), plus != 0 ? 2 : 1);
  return map_reduce_item(*reduction_info(reduction::max), {d, d, d, d}, *p.program, all, stream).lo;
}

std::string integer_text(const Array& x, uint64_t bits) {
  return kind(x.dtype) == DKind::INT ? std::to_string(static_cast<int64_t>(bits)) : std::to_string(bits);
}

void run_scatter(const Scatter& s, Stream* stream) {
  const Array& to = *s.target;
  const Queue q = queue_for(to.device(), stream);
  // Largest strides first, which keeps the order of the dimensions.
  int64_t order[max_ndim];
  int64_t step = 1;
  for (int32_t i = s.shape.ndim; i-- > 0;) {
    order[i] = step;
    step *= s.shape.shape[i];
  }
  const int64_t* rows[max_arrays + 2] = {order, s.shape.strides};
  std::vector<Input> inputs;
  for (size_t k = 0; k < s.arrays.size(); ++k) {
    rows[k + 2] = s.strides[k];
    inputs.push_back({s.arrays[k], {}, false});
  }
  Iteration it;
  collapse(s.shape.ndim, s.shape.shape, static_cast<int32_t>(s.arrays.size() + 2), rows, 0, &it, nullptr);
  if (s.table != nullptr) inputs.push_back(table_input(*s.table));
  add_constants(*s.map, &inputs);
  use(*to.buffer, q);
  std::array<Operand, max_arrays> operands;
  set_operands(inputs, it.strides + 2, q, operands.data());
  ScatterCall c;
  c.map = s.map->program;
  c.combine = s.combine;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.target = {to.data, it.strides[1], {}};
  const bool block = to.contiguous || to.layout.is_contiguous(to.item(), Order::F);
  c.dense = block ? to.layout.size() : 0;
  c.distinct = s.distinct;
  enqueue(q, api<IndexingApi>(q).scatter, c);
}

void ufunc_at(const OpInfo& op, const Array& a, std::span<const Array* const> indices, const Input* b,
              Stream* stream) {
  check_operands(op, a, indices, b);
  const IndexedShape p = indexed_shape(a, indices);
  if (b != nullptr && b->array != nullptr) check_fits(*b->array, p.shape);
  const Input both[2] = {{&a, {}, false}, b == nullptr ? Input{} : *b};
  Fitted f;
  fit(op, {both, b == nullptr ? size_t{1} : size_t{2}}, &f);
  const DType out = result_type(f.signature, a.dtype, Casting::unsafe, "a");  // as in NumPy
  DType types[2] = {a.dtype, b == nullptr ? DType::none : value_type(op, f, *b)};

  Operands operands(a);
  IndexProgram map;
  std::vector<Ref<Array>> vectors;
  for (size_t k = 0; k < indices.size(); ++k) {
    const int64_t extent = a.layout.shape[k];
    const bool negative = check_range(*indices[k], static_cast<int32_t>(k), extent, stream);
    vectors.push_back(indices[k]->view(indices[k]->layout));
    map.indices.push_back({indices[k]->dtype, negative ? extent : 0, a.layout.strides[k]});
  }
  if (p.shape.size() == 0) return;
  map.shorten(&vectors, stream);
  for (const Ref<Array>& vector : vectors) operands.add(*vector, p.indexed, stream);
  map.value = types[1];
  if (b != nullptr && b->array != nullptr) {
    operands.add(*b->array, p.shape, stream);
    map.given = b->array->dtype;
  } else if (b != nullptr) {
    map.constant = f.inputs[1].scalar;
  }
  static auto* programs = new ProgramCache;
  const uint64_t key = map.key();
  BoundProgram own;
  if (key == 0) own = map.build();
  Scatter s;
  s.target = &a;
  s.shape = p.shape;
  s.map = key == 0 ? &own : &programs->get(key, [&] { return map.build(); });
  s.combine = &single_op(op, {types, b == nullptr ? size_t{1} : size_t{2}}, out);
  s.arrays = operands.arrays;
  s.strides = operands.strides;
  run_scatter(s, stream);
}

}  // namespace arr
