// SPDX-License-Identifier: MIT
// Distinct elements: the first elements of segments in the sorted array, unless a faster way applies.
#include "ops/sorting/unique.h"

#include "ops/indexing/host_fast_path.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/segments.h"
#include "ops/sorting/sort.h"

namespace arr {

namespace {

constexpr int64_t few = 4096;  // number of elements up to which calls take most of the time

// Groups of equal elements in an array that was sorted with its indices.
struct Groups {
  Ref<Array> indices;  // indices of the sorted elements; empty if neither indices nor inverse are requested
  Ref<Array> starts;   // the beginnings of groups: as flags, and as positions
  Ref<Array> begin;
};

// values: the sorted elements, or nullptr.
Unique describe_groups(const Groups& g, const Array* values, const UniqueOptions& o, Stream* stream) {
  const int64_t n = g.starts->layout.size();
  Unique u;
  if (o.counts) u.counts = segment_lengths(*g.begin, n, stream);
  if (o.indices || o.by_occurrence) u.indices = take_known(*g.indices, *g.begin, 0, stream);
  if (values != nullptr) u.values = take_known(*values, *g.begin, 0, stream);
  const Ref<Array> order = arrange(&u, o, stream);
  if (o.inverse && n > 0) {
    const Ref<Array> renumber = order ? inverse_permutation(*order, stream) : Ref<Array>();
    u.inverse = scatter_ids(*g.indices, *segment_ids(*g.starts, stream), renumber.get(), stream);
  } else if (o.inverse) {
    u.inverse = vector_like(*g.starts, DType::int64_, 0, stream);
  }
  return u;
}

Unique by_sorting(const Array& vector, const UniqueOptions& o, Stream* stream) {
  const SortedVector s = sort_vector(vector, o.indices || o.inverse || o.by_occurrence, stream);
  const int64_t n = vector.layout.size();
  const bool plain = !s.indices && !o.counts;
  if (plain && n > 1 && n <= few && runs_synchronously(queue_for(vector.device(), stream))) {
    const Ref<Array> kept = sorted_differences(*s.elements, o.equal_nan, stream),
                     rest = slice_axis(*s.elements, 0, 1, n);
    if (Ref<Array> values = compact_on_host(*kept, rest.get(), stream, 1)) return {values, {}, {}, {}};
  }
  Groups g;
  g.indices = s.indices;
  g.starts = segment_heads(*s.elements, o.equal_nan, stream);
  if (plain && n > few) return {compress(*g.starts, *s.elements, 0, stream), {}, {}, {}};
  g.begin = flatnonzero(*g.starts, stream);
  return describe_groups(g, s.elements.get(), o, stream);
}

Unique along_axis(const Array& a, int32_t axis, const UniqueOptions& o, Stream* stream) {
  const SortedRows rows = sort_slices(*move_axis(a, axis, 0), stream);
  Groups g{rows.indices, rows.starts, flatnonzero(*rows.starts, stream)};
  UniqueOptions all = o;
  all.indices = true;
  Unique u = describe_groups(g, nullptr, all, stream);
  u.values = take_known(a, *u.indices, axis, stream);
  return u;
}

}  // namespace

Ref<Array> arrange(Unique* u, const UniqueOptions& o, Stream* stream) {
  if (!o.by_occurrence) return {};
  Ref<Array> order = argsort(*u->indices, 0, false, stream);
  for (Ref<Array>* one : {&u->values, &u->indices, &u->counts}) {
    if (*one) *one = take_known(**one, *order, 0, stream);
  }
  return order;
}

Unique unique(const Array& a, int32_t axis, const UniqueOptions& o, Stream* stream) {
  if (axis != axis_none) axis = normalize_axis(a.layout.ndim, axis);
  if (axis != axis_none && a.layout.ndim > 1) return along_axis(a, axis, o, stream);
  const Ref<Array> vector = ravel(a, stream);
  std::optional<Unique> u = unique_by_table(*vector, o, stream);
  if (!u && (o.indices || o.inverse || o.by_occurrence)) u = unique_by_hash(*vector, o, stream);
  if (!u) u = by_sorting(*vector, o, stream);
  if (u->inverse) u->inverse = reshape(*u->inverse, a.layout.dims(), Order::C, stream);
  return *u;
}

}  // namespace arr
