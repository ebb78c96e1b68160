// SPDX-License-Identifier: MIT
// Runs of equal elements: comparisons with the element before, scans of their beginnings.
#include "ops/sorting/runs.h"

#include <tuple>

#include "ops/engine/program_cache.h"
#include "ops/indexing/places.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/sort.h"

namespace arr {

namespace {

// True where x differs from the element before; a nan after a nan does not.
BoundProgram difference(DType d, bool equal_nan) {
  ProgramBuilder b;
  const int32_t x = b.input(d), before = b.input(d);
  int32_t differ = b.op(op::not_equal, x, before);
  // nan is last, so what follows one is one.
  if (equal_nan) differ = b.op(op::logical_and, differ, b.op(op::logical_not, b.op(op::isnan, before)));
  b.output(differ);
  return b.finish();
}

}  // namespace

Ref<Array> vector_like(const Array& a, DType d, int64_t n, Stream* stream) {
  return empty(d, {&n, 1}, Order::C, a.device(), stream);
}

const Program& second_of(DType d) {
  static auto* programs = new ProgramCache;
  return *programs
              ->get(static_cast<uint64_t>(d),
                    [d] {
                      ProgramBuilder b;
                      b.input(d);
                      b.output(b.input(d));
                      return b.finish();
                    })
              .program;
}

SortedVector sort_vector(const Array& vector, bool places, Stream* stream) {
  if (!places) return {sort(vector, 0, false, stream), {}};
  SortedVector s;
  std::tie(s.elements, s.places) = sort_with_places(vector, stream);
  return s;
}

Ref<Array> run_starts(const Array& sorted, bool equal_nan, Stream* stream) {
  static auto* programs = new ProgramCache;
  const int64_t n = sorted.layout.size();
  Ref<Array> starts = vector_like(sorted, DType::bool_, n, stream);
  if (n == 0) return starts;
  fill(*slice_axis(*starts, 0, 0, 1), convert(scalar_of(int64_t{1}), DType::bool_), stream);
  if (n == 1) return starts;
  equal_nan = equal_nan && !is_integer_or_bool(sorted.dtype);
  const BoundProgram& p = programs->get(2 * static_cast<uint64_t>(sorted.dtype) + (equal_nan ? 1 : 0),
                                        [&] { return difference(sorted.dtype, equal_nan); });
  const Ref<Array> later = slice_axis(sorted, 0, 1, n), earlier = slice_axis(sorted, 0, 0, n - 1);
  const Array* both[] = {later.get(), earlier.get()};
  run_into(*slice_axis(*starts, 0, 1, n), p, both, stream);
  return starts;
}

Ref<Array> run_numbers(const Array& starts, Stream* stream) {
  constexpr DType d = DType::int64_;
  const BoundProgram p = {&single_cast(DType::bool_, d), {}};
  return map_scan(*reduction_info(reduction::sum), {d, d, d, d}, *p.program, Inputs(p, {&starts}).all(), 0,
                  stream);
}

Ref<Array> run_lengths(const Array& places, int64_t n, Stream* stream) {
  static auto* programs = new ProgramCache;
  const int64_t count = places.layout.size();
  Ref<Array> lengths = vector_like(places, DType::int64_, count, stream);
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
  const Ref<Array> last = slice_axis(places, 0, count - 1, count);
  if (count > 1) {
    const Ref<Array> next = slice_axis(places, 0, 1, count);
    subtract(*slice_axis(*lengths, 0, 0, count - 1), {next.get(), {}, false},
             *slice_axis(places, 0, 0, count - 1));
  }
  subtract(*slice_axis(*lengths, 0, count - 1, count), {nullptr, scalar_of(n), false}, *last);
  return lengths;
}

void put_distinct(const Array& dst, const Array& places, const Array& values, Stream* stream) {
  Places p;
  p.view = dst.view(dst.layout);
  p.add_dimension(places.layout.size(), -1);
  p.indices.push_back({places.view(places.layout), 0, 0, Bounds::promised, false, true});
  p.distinct = true;
  put(p, {&values, {}, false}, stream);
}

Ref<Array> inverse_permutation(const Array& permutation, Stream* stream) {
  const int64_t n = permutation.layout.size();
  Ref<Array> inverse = vector_like(permutation, DType::int64_, n, stream);
  if (n == 0) return inverse;
  const Ref<Array> numbers = slice_axis(*iota(n, permutation.device(), stream), 0, 0, n);
  put_distinct(*inverse, permutation, *numbers, stream);
  return inverse;
}

}  // namespace arr
