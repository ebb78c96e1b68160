// SPDX-License-Identifier: MIT
// Distinct elements: the beginnings of runs in sorted elements, unless tables over a small range of integers
// do.
#include "ops/sorting/unique.h"

#include "ops/engine/program_cache.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/runs.h"
#include "ops/sorting/sort.h"

namespace arr {

namespace {

// out[places[i]] = numbers[i] - 1, or what `renumber` has there.
Ref<Array> spread_numbers(const Array& places, const Array& numbers, const Array* renumber, Stream* stream) {
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
  Ref<Array> out = vector_like(places, d, places.layout.size(), stream);
  const int64_t strides[2][max_ndim] = {{places.layout.strides[0]}, {numbers.layout.strides[0]}};
  const Array* arrays[] = {&places, &numbers};
  Scatter s;
  s.target = out.get();
  s.shape = places.layout;
  s.shape.strides[0] = 0;
  s.map = &map;
  s.combine = &second_of(d);
  s.arrays = arrays;
  s.table = renumber;
  s.strides = strides;
  run_scatter(s, stream);
  return out;
}

// The groups of equal elements, in order, among elements sorted with their places.
struct Groups {
  Ref<Array> places;  // of the elements in order; none where neither indices nor inverse are wanted
  Ref<Array> starts;  // where in that order groups begin: flags, and positions
  Ref<Array> begin;
};

// All but the values; sets *order to the groups in the order that is asked for, none if that is their own.
Unique describe_groups(const Groups& g, const UniqueOptions& o, Ref<Array>* order, Stream* stream) {
  const int64_t n = g.starts->layout.size();
  Unique u;
  if (o.counts) u.counts = run_lengths(*g.begin, n, stream);
  if (o.indices || o.by_occurrence) u.indices = take_known(*g.places, *g.begin, 0, stream);
  if (o.by_occurrence) {
    *order = argsort(*u.indices, 0, false, stream);
    u.indices = take_known(*u.indices, **order, 0, stream);
    if (u.counts) u.counts = take_known(*u.counts, **order, 0, stream);
  }
  if (o.inverse && n > 0) {
    const Ref<Array> renumber = *order ? inverse_permutation(**order, stream) : Ref<Array>();
    u.inverse = spread_numbers(*g.places, *run_numbers(*g.starts, stream), renumber.get(), stream);
  } else if (o.inverse) {
    u.inverse = vector_like(*g.starts, DType::int64_, 0, stream);
  }
  return u;
}

Unique by_sorting(const Array& vector, const UniqueOptions& o, Stream* stream) {
  const SortedVector s = sort_vector(vector, o.indices || o.inverse || o.by_occurrence, stream);
  Groups g;
  g.places = s.places;
  g.starts = run_starts(*s.elements, o.equal_nan, stream);
  if (!s.places && !o.counts) return {compress(*g.starts, *s.elements, 0, stream), {}, {}, {}};
  g.begin = flatnonzero(*g.starts, stream);
  Ref<Array> order;
  Unique u = describe_groups(g, o, &order, stream);
  u.values = order ? take_known(vector, *u.indices, 0, stream) : take_known(*s.elements, *g.begin, 0, stream);
  return u;
}

Unique along_axis(const Array& a, int32_t axis, const UniqueOptions& o, Stream* stream) {
  const SortedRows rows = sort_slices(*move_axis(a, axis, 0), stream);
  Groups g{rows.places, rows.starts, flatnonzero(*rows.starts, stream)};
  UniqueOptions all = o;
  all.indices = true;
  Ref<Array> order;
  Unique u = describe_groups(g, all, &order, stream);
  u.values = take_known(a, *u.indices, axis, stream);
  return u;
}

}  // namespace

Unique unique(const Array& a, int32_t axis, const UniqueOptions& o, Stream* stream) {
  if (axis != axis_none) axis = normalize_axis(a.layout.ndim, axis);
  if (axis != axis_none && a.layout.ndim > 1) return along_axis(a, axis, o, stream);
  const Ref<Array> vector = ravel(a, stream);
  std::optional<Unique> u = unique_by_table(*vector, o, stream);
  if (!u) u = by_sorting(*vector, o, stream);
  if (u->inverse) u->inverse = reshape(*u->inverse, a.layout.dims(), Order::C, stream);
  return *u;
}

}  // namespace arr
