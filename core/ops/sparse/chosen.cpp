// SPDX-License-Identifier: MIT
// Translates an index expression into the chosen rows and columns of a sparse matrix.
#include "array/index_check.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/sparse/items.h"

namespace arr {

namespace {

Chosen all_of(int64_t extent) { return {0, 1, extent, {}, true}; }

// A slice by Python's rules.
Chosen sliced(const Index& i, int64_t extent) {
  Layout axis;
  axis.ndim = 1;
  axis.shape[0] = extent;
  axis.strides[0] = 1;
  const int64_t step = i.step == 0 ? 1 : i.step;
  int64_t start = 0;
  const Layout l = slice(axis, {&i.start, 1}, {&i.stop, 1}, {&step, 1}, &start);
  const int64_t count = l.shape[0];
  if (count < 2) return {count == 0 ? 0 : start, 1, count, {}, true};
  return {start, step, count, {}, step > 0};
}

Chosen by_array(const Array& index, int64_t extent, int32_t axis, Stream* stream) {
  if (index.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument indices: an array of shape ", index.layout.text(),
         ", expected a vector; arr_sparse_elements takes arrays of any shape");
  }
  Chosen c;
  if (index.dtype == DType::bool_) {
    if (index.layout.shape[0] != extent) {
      fail(ARR_E_SHAPE, "argument indices: a mask of shape ", index.layout.text(), " for axis ", axis,
           " of extent ", extent);
    }
    c.list = flatnonzero(index, stream);
  } else {
    check_integers(index, "indices");
    c.list = contiguous(*in_range(index, extent, axis, "indices", stream), Order::C, stream);
    c.rises = false;
  }
  c.count = c.list->layout.shape[0];
  return c;
}

Chosen chosen(const Index& i, int64_t extent, int32_t axis, Stream* stream) {
  switch (i.kind) {
    case ARR_INDEX_SLICE:
      return sliced(i, extent);
    case ARR_INDEX_INTEGER:
      return {index_in(i.start, extent, axis, "indices"), 1, 1, {}, true};
    case ARR_INDEX_ARRAY:
      return by_array(*i.array, extent, axis, stream);
    default:
      return all_of(extent);
  }
}

}  // namespace

Ref<Array> in_range(const Array& index, int64_t extent, int32_t axis, const char* argument, Stream* stream) {
  // A view may repeat an element more often than there is room for, which is refused before it is read.
  { const Ref<Array> room = empty(DType::int64_, index.layout.dims(), Order::C, index.device(), stream); }
  Layout of;  // of an array with this axis alone
  of.ndim = 1;
  of.shape[0] = extent;
  of.strides[0] = 0;
  IndexedView checked;
  checked.view = index.view(of);
  checked.indices.push_back({index.share(), 0, axis, Bounds::raise, false});
  check_bounds(&checked, argument, stream);
  if (checked.indices[0].known || index.layout.size() == 0) return as_type(index, DType::int64_, stream);
  return compute({&index}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t i = b.cast(in[0], DType::int64_);
    const int32_t negative = b.op(op::less, i, integer(b, 0));
    return b.op(op::where, negative, b.op(op::add, i, integer(b, extent)), i);
  });
}

Ref<Array> listed(const Chosen& c, Device device, Stream* stream) {
  if (c.list) return c.list;
  const Ref<Array> numbers = index_vector(c.count, device, stream);
  return compute({numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::add, b.op(op::multiply, in[0], integer(b, c.step)), integer(b, c.start));
  });
}

ChosenItems chosen_items(const Extents& e, std::span<const Index> indices, Device device, Stream* stream) {
  int32_t axis = 0, ellipses = 0, arrays = 0;
  for (const Index& i : indices) {
    if (i.kind < ARR_INDEX_ALL || i.kind > ARR_INDEX_ARRAY || i.kind == ARR_INDEX_NEW_AXIS) {
      fail(ARR_E_ARGUMENT, "argument indices: kind ", i.kind,
           ", expected an ARR_INDEX_... other than ARR_INDEX_NEW_AXIS, because a matrix has two axes");
    }
    if (i.kind == ARR_INDEX_ELLIPSIS) ++ellipses;
    if (i.kind != ARR_INDEX_ARRAY) continue;
    ++arrays;
    if (i.array->device() != device) {
      fail(ARR_E_ARGUMENT, "argument indices: on ", device_text(i.array->device()), ", a on ",
           device_text(device));
    }
  }
  if (ellipses > 1) fail(ARR_E_ARGUMENT, "argument indices: ", ellipses, " ellipses, expected one at most");
  if (std::ssize(indices) - ellipses > 2) {
    fail(ARR_E_SHAPE, "argument indices: they take ", std::ssize(indices) - ellipses,
         " axes, a matrix has 2");
  }
  if (arrays > 1) {
    fail(ARR_E_ARGUMENT,
         "argument indices: two arrays select single elements, expected one beside a slice; "
         "arr_sparse_elements "
         "returns their values");
  }
  Chosen both[2] = {all_of(e.rows), all_of(e.columns)};
  const int64_t extents[2] = {e.rows, e.columns};
  for (const Index& i : indices) {
    if (i.kind == ARR_INDEX_ELLIPSIS) {
      axis += 3 - static_cast<int32_t>(std::ssize(indices));
      continue;
    }
    both[axis] = chosen(i, extents[axis], axis, stream);
    ++axis;
  }
  return {both[0], both[1]};
}

}  // namespace arr
