// SPDX-License-Identifier: MIT
// Indexing and joining of sparse arrays of any number of dimensions, by the keys of their elements.
#include <algorithm>
#include <limits>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/ops.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/items.h"
#include "ops/sparse/nd.h"

namespace arr {

namespace {

// The keys of a view's elements in a row-major array: first + the sum of digit * stride over the axes, by
// descending stride. All later digits together make less than one stride, so that division finds them.
class Digits {
 public:
  Digits(const Layout& view, int64_t first) : first_(first) {
    for (int32_t i = 0; i < view.ndim; ++i) {
      if (view.shape[i] == 1) continue;
      const int64_t stride = view.strides[i];
      all_.push_back({std::abs(stride), view.shape[i], stride < 0, i});
      if (stride < 0) first_ += stride * (view.shape[i] - 1);
    }
    std::stable_sort(all_.begin(), all_.end(),
                     [](const auto& x, const auto& y) { return x.stride > y.stride; });
  }
  [[nodiscard]] bool rises() const {
    return std::none_of(all_.begin(), all_.end(), [](const auto& d) { return d.turned; });
  }
  // True if the key is that of an element of the view.
  [[nodiscard]] int32_t inside(ProgramBuilder& b, int32_t key) const {
    int32_t rest = b.op(op::subtract, key, integer(b, first_));
    int32_t good = b.op(op::greater_equal, rest, integer(b, 0));
    for (const One& d : all_) {
      const int64_t last = d.stride * (d.extent - 1);
      if (last <= std::numeric_limits<int64_t>::max() - d.stride) {  // otherwise no key is beyond
        good = b.op(op::logical_and, good, b.op(op::less, rest, integer(b, last + d.stride)));
      }
      rest = after(b, rest, d);
    }
    return b.op(op::logical_and, good, b.op(op::equal, rest, integer(b, 0)));
  }
  // The sum of the indices along the axes times weights, of a key inside.
  [[nodiscard]] int32_t weighted(ProgramBuilder& b, int32_t key, std::span<const int64_t> weights) const {
    int32_t rest = b.op(op::subtract, key, integer(b, first_)), sum = integer(b, 0);
    for (const One& d : all_) {
      const int64_t weight = weights[static_cast<size_t>(d.axis)];
      if (weight != 0) {
        int32_t index = d.stride == 1 ? rest : b.op(op::floor_divide, rest, integer(b, d.stride));
        if (d.turned) index = b.op(op::subtract, integer(b, d.extent - 1), index);
        sum = b.op(op::add, sum, b.op(op::multiply, index, integer(b, weight)));
      }
      rest = after(b, rest, d);
    }
    return sum;
  }

 private:
  struct One {
    int64_t stride, extent;
    bool turned;  // the index falls as the key rises
    int32_t axis;
  };
  static int32_t after(ProgramBuilder& b, int32_t rest, const One& d) {
    return d.stride == 1 ? integer(b, 0) : b.op(op::remainder, rest, integer(b, d.stride));
  }

  int64_t first_;
  std::vector<One> all_;
};

Ref<Array> weighted(const Digits& digits, const Array& keys, std::span<const int64_t> weights, int64_t first,
                    Stream* stream) {
  return compute({&keys}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t sum = digits.weighted(b, b.cast(in[0], DType::int64_), weights);
    return b.op(op::add, sum, integer(b, first));
  });
}

Ref<Array> is_inside(const Digits& digits, const Array& keys, Stream* stream) {
  return compute({&keys}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return digits.inside(b, b.cast(in[0], DType::int64_));
  });
}

// The elements whose mask is true. Waits for their number.
Keyed kept(const Array& mask, const Keyed& all, Stream* stream) {
  const auto count =
      static_cast<int64_t>(reduce_item(*reduction_info(reduction::count_nonzero), mask, stream).lo);
  return {compress_known(mask, *all.keys, 0, count, stream),
          compress_known(mask, *all.data, 0, count, stream)};
}

// The shape of the indexed elements; of one element (1,).
Layout result_shape(const IndexedView& v) {
  const int64_t one = 1;
  return checked_shape(v.shape.ndim == 0 ? Shape{&one, 1} : v.shape.dims());
}

// For each dimension of the indexed elements the stride of the view's axis along which it runs, or 0.
std::vector<int64_t> view_strides(const IndexedView& v, const Layout& part) {
  std::vector<int64_t> out(static_cast<size_t>(part.ndim), 0);
  for (int32_t d = 0; d < v.shape.ndim; ++d) {
    if (v.from[d] >= 0) out[static_cast<size_t>(d)] = v.view->layout.strides[v.from[d]];
  }
  return out;
}

// The weight of each axis of the view in the number that the index arrays make of their indices.
std::vector<int64_t> array_weights(const IndexedView& v) {
  std::vector<int64_t> out(static_cast<size_t>(v.view->layout.ndim), 0);
  int64_t weight = 1;
  for (const AxisIndex& i : v.indices) {
    if (i.axis < 0) continue;
    out[static_cast<size_t>(i.axis)] = weight;
    weight *= std::max<int64_t>(v.view->layout.shape[i.axis], 1);
  }
  return out;
}

// The sums of the index arrays' elements times weights of their axes.
Ref<Array> weighted_indices(const IndexedView& v, std::span<const int64_t> weights, Stream* stream) {
  Ref<Array> out;
  for (const AxisIndex& i : v.indices) {
    const int64_t extent = i.axis < 0 ? 1 : v.view->layout.shape[i.axis],
                  weight = i.axis < 0 ? 0 : weights[static_cast<size_t>(i.axis)];
    const Ref<Array> part = compute({i.array.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      int32_t index = b.cast(in[0], DType::int64_);
      if (!i.known) {
        const int32_t negative = b.op(op::less, index, integer(b, 0));
        index = b.op(op::where, negative, b.op(op::add, index, integer(b, extent)), index);
      }
      return b.op(op::multiply, index, integer(b, weight));
    });
    out = out ? apply(op::add, {out.get(), part.get()}, stream) : part;
  }
  return out;
}

// The stride in the result of one step through the elements of the index arrays, whose dimensions are
// neighbours there; they end where those of `wanted` do.
int64_t stride_of(const Layout& wanted, const Layout& result) {
  for (int32_t d = wanted.ndim; d-- > 0;) {
    if (wanted.shape[d] != 1) return result.strides[result.ndim - wanted.ndim + d];
  }
  return 1;
}

// The elements that index arrays name, by numbers.
class NamedElements {
 public:
  NamedElements(const IndexedView& v, const Layout& result, Stream* stream) : weights(array_weights(v)) {
    const Ref<Array> wanted = weighted_indices(v, weights, stream);
    stride_ = stride_of(wanted->layout, result);
    sorted_ = sort_vector(*ravel(*wanted, stream), true, stream);
  }
  [[nodiscard]] Ref<Array> contains(const Array& numbers, Stream* stream) const {
    const auto search = [&](bool right) {
      return searchsorted(*sorted_.elements, numbers, right, nullptr, stream);
    };
    return apply(op::not_equal, {search(false).get(), search(true).get()}, stream);
  }
  // The elements of a block that are the last of the same name, where the arrays say. numbers: in the block.
  [[nodiscard]] Keyed written(const IndexedView& v, const Array& numbers, const Keyed& block,
                              Stream* stream) const {
    const Layout& view = v.view->layout;
    const Ref<Array> at = position(numbers, stream);
    const std::span<const int64_t> strides{view.strides, static_cast<size_t>(view.ndim)};
    const Ref<Array> offsets = ravel(*weighted_indices(v, strides, stream), stream),
                     own = take_known(*offsets, *at, 0, stream),
                     keys = apply(op::add, {block.keys.get(), own.get()}, stream);
    return kept(*take_known(*last(stream), *at, 0, stream), {keys, block.data}, stream);
  }

  const std::vector<int64_t> weights;

 private:
  // The index into the arrays of elements of the result.
  [[nodiscard]] Ref<Array> position(const Array& keys, Stream* stream) const {
    return compute({&keys}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t steps = b.op(op::floor_divide, b.cast(in[0], DType::int64_), integer(b, stride_));
      return b.op(op::remainder, steps, integer(b, sorted_.elements->layout.shape[0]));
    });
  }
  // True for the last of the arrays' elements that name the same.
  [[nodiscard]] Ref<Array> last(Stream* stream) const {
    const int64_t n = sorted_.elements->layout.shape[0];
    const Device device = sorted_.elements->device();
    const Ref<Array> flags = full(DType::bool_, {&n, 1}, Order::C, {DType::bool_, 1, 0}, device, stream);
    Ref<Array> out = empty(DType::bool_, {&n, 1}, Order::C, device, stream);
    if (n > 1) {
      assign(*slice_axis(*flags, 0, 0, n - 1), *sorted_differences(*sorted_.elements, false, stream), stream);
    }
    scatter_unique(*out, *sorted_.indices, *flags, stream);
    return out;
  }

  int64_t stride_ = 1;
  SortedVector sorted_;
};

Keyed nothing(const Sparse& a, Stream* stream) {
  return {vector_like(*a.data, DType::int64_, 0, stream), vector_like(*a.data, a.dtype(), 0, stream)};
}

// Throws unless the shapes are the same except for the axis.
void check_joined(const Layout& first, const Layout& other, size_t at, int32_t axis) {
  bool same = first.ndim == other.ndim;
  for (int32_t i = 0; same && i < first.ndim; ++i) same = i == axis || first.shape[i] == other.shape[i];
  if (same) return;
  fail(ARR_E_SHAPE, "argument parts: shape ", other.text(), " at position ", at,
       ", expected that of the first, ", first.text(), axis < 0 ? "" : text(", except for axis ", axis));
}

void check_arrays(std::span<const Sparse* const> parts) {
  if (parts.empty()) fail(ARR_E_ARGUMENT, "argument n: no array, expected 1 or more");
}

}  // namespace

Ref<Sparse> get_items_nd(const Sparse& a, std::span<const Index> indices, Stream* stream) {
  const IndexedKeys selected = indexed_keys(*a.data->view(shape_of(a)), indices, stream);
  const IndexedView& v = selected.elements;
  const Layout result = result_shape(v);
  const bool wide = a.index_type() == DType::int64_;
  if (a.nnz() == 0 || result.size() == 0) return from_keys(result, nothing(a, stream), true, wide, stream);
  const Digits digits(v.view->layout, selected.first);
  const Ref<Array> all = linear_keys(a, stream);
  const Keyed inner = kept(*is_inside(digits, *all, stream), {all, a.data}, stream);
  std::vector<int64_t> weights(static_cast<size_t>(v.view->layout.ndim), 0);
  for (int32_t d = 0; d < v.shape.ndim; ++d) {
    if (v.from[d] >= 0) weights[static_cast<size_t>(v.from[d])] = result.strides[d];
  }
  const Ref<Array> basic = weighted(digits, *inner.keys, weights, 0, stream);
  if (v.indices.empty()) {
    const bool ordered = a.format != SparseFormat::csc && a.known_canonical() && digits.rises();
    return from_keys(result, {basic, inner.data}, ordered, wide, stream);
  }
  // Each element is there as often as the index arrays name it.
  const std::vector<int64_t> numbering = array_weights(v);
  const Ref<Array> wanted = weighted_indices(v, numbering, stream);
  const SortedVector sorted = sort_vector(*ravel(*wanted, stream), true, stream);
  const Ref<Array> own = weighted(digits, *inner.keys, numbering, 0, stream);
  const auto search = [&](bool right) {
    return searchsorted(*sorted.elements, *own, right, nullptr, stream);
  };
  const LineElements e = elements_of_ranges(*search(false), *search(true), stream);
  const Ref<Array> before = take_known(*basic, *e.from, 0, stream),
                   number = take_known(*sorted.indices, *e.at, 0, stream);
  const int64_t stride = stride_of(wanted->layout, result);
  const Ref<Array> keys =
      compute({before.get(), number.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::add, in[0], b.op(op::multiply, in[1], integer(b, stride)));
      });
  return from_keys(result, {keys, take_known(*inner.data, *e.from, 0, stream)}, false, wide, stream);
}

Ref<Sparse> with_items_nd(const Sparse& a, std::span<const Index> indices, const Sparse& block,
                          Stream* stream) {
  const Layout shape = shape_of(a);
  const IndexedKeys selected = indexed_keys(*a.data->view(shape), indices, stream);
  const IndexedView& v = selected.elements;
  const Layout part = result_shape(v), given = shape_of(block);
  if (!given.same_shape(part)) {
    fail(ARR_E_SHAPE, "argument block: shape ", given.text(), ", expected that of the indexed elements, ",
         part.text());
  }
  const Input both[2] = {{a.data.get(), {}, false}, {block.data.get(), {}, false}};
  common_device(both);
  Keyed more{linear_keys(block, stream), cast_to(a, *block.data, "block", stream)};
  Keyed left{as_type(*linear_keys(a, stream), DType::int64_, stream), a.data};
  if (part.size() != 0) {
    const Digits digits(v.view->layout, selected.first);
    Ref<Array> replaced = is_inside(digits, *left.keys, stream);
    const Ref<Array> in_block = more.keys;
    more.keys = weighted(Digits(part, 0), *in_block, view_strides(v, part), selected.first, stream);
    if (!v.indices.empty()) {
      const NamedElements named(v, part, stream);
      const Ref<Array> numbers = weighted(digits, *left.keys, named.weights, 0, stream);
      replaced = apply(op::logical_and, {replaced.get(), named.contains(*numbers, stream).get()}, stream);
      more = named.written(v, *in_block, more, stream);
    }
    left = kept(*apply(op::logical_not, {replaced.get()}, stream), left, stream);
  }
  const auto joined = [&](const Array& x, const Array& y) {
    const Array* parts[2] = {&x, &y};
    return concatenate(parts, 0, DType::none, stream);
  };
  const Ref<Sparse> all = from_keys(shape, {joined(*left.keys, *more.keys), joined(*left.data, *more.data)},
                                    false, a.index_type() == DType::int64_, stream);
  return in_shape_of(*all, sum_duplicates(*all, stream));
}

Ref<Sparse> concatenate_nd(std::span<const Sparse* const> parts, int32_t axis, Stream* stream) {
  check_arrays(parts);
  const Layout first = shape_of(*parts[0]);
  axis = normalize_axis(first.ndim, axis);
  std::vector<int64_t> extents(first.shape, first.shape + first.ndim);
  std::vector<OperandType> types;
  std::vector<Input> all;
  bool wide = false, canonical = true;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Layout shape = shape_of(*parts[i]);
    check_joined(first, shape, i, axis);
    int64_t& extent = extents[static_cast<size_t>(axis)];
    if (i != 0) extent = checked::add(extent, shape.shape[axis], "the extent");
    types.push_back({parts[i]->dtype(), false});
    all.push_back({parts[i]->data.get(), {}, false});
    wide = wide || parts[i]->index_type() == DType::int64_;
    canonical = canonical && parts[i]->format != SparseFormat::csc && parts[i]->known_canonical();
  }
  common_device(all);
  const Layout result = checked_shape(extents);
  const int64_t inner = result.strides[axis], whole = inner * result.shape[axis];
  std::vector<Ref<Array>> keys, data;
  std::vector<const Array*> all_keys, all_data;
  int64_t before = 0;
  for (const Sparse* p : parts) {
    const Ref<Array> own = linear_keys(*p, stream);
    const int64_t extent = shape_of(*p).shape[axis], block = std::max<int64_t>(inner * extent, 1);
    keys.push_back(compute({own.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t key = b.cast(in[0], DType::int64_);
      const int32_t moved = b.op(op::add, key, integer(b, before * inner));
      const int32_t blocks = b.op(op::floor_divide, key, integer(b, block));
      return b.op(op::add, moved, b.op(op::multiply, blocks, integer(b, whole - block)));
    }));
    data.push_back(p->data);
    all_keys.push_back(keys.back().get());
    all_data.push_back(p->data.get());
    before += extent;
  }
  return from_keys(
      result,
      {concatenate(all_keys, 0, DType::none, stream), concatenate(all_data, 0, common_type(types), stream)},
      canonical && whole == result.size(), wide, stream);
}

Ref<Sparse> stack_nd(std::span<const Sparse* const> parts, int32_t axis, Stream* stream) {
  check_arrays(parts);
  const Layout first = shape_of(*parts[0]);
  axis = normalize_axis(first.ndim + 1, axis);
  std::vector<Ref<Sparse>> expanded;
  std::vector<const Sparse*> all;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Layout shape = shape_of(*parts[i]);
    check_joined(first, shape, i, -1);
    std::vector<int64_t> extents(shape.shape, shape.shape + shape.ndim);
    extents.insert(extents.begin() + axis, 1);
    expanded.push_back(reshape_nd(*parts[i], extents, stream));
    all.push_back(expanded.back().get());
  }
  return concatenate_nd(all, axis, stream);
}

}  // namespace arr
