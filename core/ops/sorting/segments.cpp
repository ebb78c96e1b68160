// SPDX-License-Identifier: MIT
// Segments of equal elements: comparisons with the preceding element, and scans of the results.
#include "ops/sorting/segments.h"

#include <tuple>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/indexed_access.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/sort.h"

namespace arr {

namespace {

// True where x differs from the element before. In a sorted vector nans are last, so that x is nan if the
// element before is.
BoundProgram difference(DType d, bool equal_nan, bool sorted) {
  ProgramBuilder b;
  const int32_t x = b.input(d), before = b.input(d);
  int32_t differ = b.op(op::not_equal, x, before);
  if (equal_nan && sorted) {
    differ = b.op(op::logical_and, differ, b.op(op::equal, before, before));
  } else if (equal_nan) {
    const int32_t nans = b.op(op::logical_and, b.op(op::isnan, x), b.op(op::isnan, before));
    differ = b.op(op::logical_and, differ, b.op(op::logical_not, nans));
  }
  b.output(differ);
  return b.finish();
}

// Compares each element of a vector of two or more with the one before: use(program, operands).
template <class Use>
auto compared(const Array& vector, bool equal_nan, bool sorted, Use&& use) {
  static auto* programs = new ProgramCache;
  equal_nan = equal_nan && !is_integer_or_bool(vector.dtype);
  const uint64_t key = 4 * static_cast<uint64_t>(vector.dtype) + (equal_nan ? 2 : 0) + (sorted ? 1 : 0);
  const BoundProgram& p = programs->get(key, [&] { return difference(vector.dtype, equal_nan, sorted); });
  const int64_t n = vector.layout.size();
  const Ref<Array> later = slice_axis(vector, 0, 1, n), earlier = slice_axis(vector, 0, 0, n - 1);
  const Array* both[] = {later.get(), earlier.get()};
  return use(p, both);
}

}  // namespace

Ref<Array> vector_like(const Array& a, DType d, int64_t n, Stream* stream) {
  return empty(d, {&n, 1}, Order::C, a.device(), stream);
}

SortedVector sort_vector(const Array& vector, bool indices, Stream* stream) {
  if (!indices) return {sort(vector, 0, false, stream), {}};
  SortedVector s;
  std::tie(s.elements, s.indices) = sort_with_indices(vector, stream);
  return s;
}

Ref<Array> sorted_differences(const Array& vector, bool equal_nan, Stream* stream) {
  return compared(vector, equal_nan, true, [&](const BoundProgram& p, std::span<const Array* const> both) {
    return run(p, both, stream);
  });
}

Ref<Array> segment_heads(const Array& vector, bool equal_nan, Stream* stream) {
  const int64_t n = vector.layout.size();
  Ref<Array> starts = vector_like(vector, DType::bool_, n, stream);
  if (n == 0) return starts;
  fill(*slice_axis(*starts, 0, 0, 1), convert(scalar_of(int64_t{1}), DType::bool_), stream);
  if (n == 1) return starts;
  compared(vector, equal_nan, false, [&](const BoundProgram& p, std::span<const Array* const> both) {
    run_into(*slice_axis(*starts, 0, 1, n), p, both, stream);
  });
  return starts;
}

Ref<Array> segment_ids(const Array& starts, Stream* stream) {
  constexpr DType d = DType::int64_;
  const BoundProgram p = {&single_cast(DType::bool_, d), {}};
  return map_scan(*reduction_info(reduction::sum), {d, d, d, d}, *p.program, Inputs(p, {&starts}).all(), 0,
                  stream);
}

// out[indices[i]] = numbers[i] - 1, or renumber[numbers[i] - 1]. The indices are a permutation.
Ref<Array> scatter_ids(const Array& indices, const Array& numbers, const Array* renumber, Stream* stream) {
  static auto* programs = new ProgramCache;
  constexpr DType d = DType::int64_;
  const BoundProgram& map = programs->get(renumber == nullptr ? 1 : 2, [&] {
    ProgramBuilder b;
    const int32_t at = b.input(d), number = b.input(d);
    const int32_t table = renumber == nullptr ? -1 : b.input(DType::table_);
    const int32_t from_0 = b.op(op::subtract, number, b.scalar(scalar_of(int64_t{1}), false));
    b.output(b.op(op::left_shift, at, b.scalar(scalar_of(int64_t{3}), false)));  // bytes: 8 each
    b.output(renumber == nullptr ? from_0 : b.step(op::take, d, table, from_0));
    return b.finish();
  });
  Ref<Array> out = vector_like(indices, d, indices.layout.size(), stream);
  const int64_t strides[2][max_ndim] = {{indices.layout.strides[0]}, {numbers.layout.strides[0]}};
  const Array* arrays[] = {&indices, &numbers};
  const Inputs inputs(map, arrays, {&renumber, renumber == nullptr ? size_t{0} : size_t{1}});
  Scatter s;
  s.target = out.get();
  s.shape = indices.layout;
  s.shape.strides[0] = 0;
  s.map = map.program;
  s.combine = &select_second(d);
  s.inputs = inputs.all();
  s.strides = strides;
  s.distinct = true;
  run_scatter(s, stream);
  return out;
}

Ref<Array> segment_lengths(const Array& indices, int64_t n, Stream* stream) {
  static auto* programs = new ProgramCache;
  const int64_t count = indices.layout.size();
  Ref<Array> lengths = vector_like(indices, DType::int64_, count, stream);
  if (count == 0) return lengths;
  const auto subtract = [&](const Array& dst, const Input& from, const Array& what) {
    const BoundProgram& p = programs->get(1, [] {
      ProgramBuilder b;
      const int32_t x = b.input(DType::int64_);
      b.output(b.op(op::subtract, x, b.input(DType::int64_)));
      return b.finish();
    });
    const Input both[] = {from, {&what, {}, false}};
    run_into(dst, *p.program, both, stream);
  };
  const Ref<Array> last = slice_axis(indices, 0, count - 1, count);
  if (count > 1) {
    const Ref<Array> next = slice_axis(indices, 0, 1, count);
    subtract(*slice_axis(*lengths, 0, 0, count - 1), {next.get(), {}, false},
             *slice_axis(indices, 0, 0, count - 1));
  }
  subtract(*slice_axis(*lengths, 0, count - 1, count), {nullptr, scalar_of(n), false}, *last);
  return lengths;
}

void scatter_unique(const Array& dst, const Array& indices, const Array& values, Stream* stream) {
  IndexedView p;
  p.view = dst.share();
  p.add_dimension(indices.layout.size(), -1);
  p.indices.push_back({indices.share(), 0, 0, Bounds::unchecked, true});
  p.distinct = true;
  put(p, {&values, {}, false}, stream);
}

Ref<Array> inverse_permutation(const Array& permutation, Stream* stream) {
  const int64_t n = permutation.layout.size();
  Ref<Array> inverse = vector_like(permutation, DType::int64_, n, stream);
  if (n == 0) return inverse;
  const Ref<Array> numbers = index_vector(n, permutation.device(), stream);
  scatter_unique(*inverse, permutation, *numbers, stream);
  return inverse;
}

}  // namespace arr
