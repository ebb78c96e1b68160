// SPDX-License-Identifier: MIT
// Orders and paths of graphs by rounds over all edges, or over those of the last vertices that were reached.
#include "ops/sparse/graph_rounds.h"

#include <algorithm>
#include <limits>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/ordered.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/semiring.h"

namespace arr {

namespace {

// The edges in order of `line`, one of their two ends, with those of equal lines in the order of the matrix.
struct SortedEdges {
  Ref<Array> line, other, weight;  // int64, int64, float64 if there are weights
};
SortedEdges sorted_edges(const Sparse& a, bool by_end, bool directed, bool weighted, Stream* stream) {
  const auto wide = [&](const Ref<Array>& x) { return as_type(*x, DType::int64_, stream); };
  const Ref<Array> row = wide(rows_of(a, stream)), column = wide(columns_of(a, stream));
  const Ref<Array> weights = weighted ? as_type(*a.data, DType::float64_, stream) : Ref<Array>{};
  const auto twice = [&](const Array& x, const Array& y) {
    const Array* both[2] = {&x, &y};
    return concatenate(both, 0, DType::none, stream);
  };
  const Ref<Array> from = directed ? row : twice(*row, *column),
                   to = directed ? column : twice(*column, *row);
  if (from->layout.shape[0] == 0) return {from, to, weights};
  const SortedVector lines = sort_vector(by_end ? *to : *from, true, stream);
  SortedEdges e{lines.elements, take_known(by_end ? *from : *to, *lines.indices, 0, stream), {}};
  if (weighted) {
    e.weight = take_known(directed ? *weights : *twice(*weights, *weights), *lines.indices, 0, stream);
  }
  return e;
}

Ref<Array> pointers_of(const Array& line, int64_t n, Stream* stream) {
  return searchsorted(line, *slice_axis(*iota(n + 1, line.device(), stream), 0, 0, n + 1), false, nullptr,
                      stream);
}

Ref<Array> filled(DType d, Shape shape, const Scalar& value, Device device, Stream* stream) {
  return full(d, shape, Order::C, convert(value, d), device, stream);
}

bool any_of(const Array& a, Stream* stream) {
  return reduce_item(*reduction_info(reduction::any), a, stream).lo != 0;
}

// Paths from some vertices by R. Bellman's algorithm (1958): in each round, all edges make paths longer by
// one.
class Relaxation {
 public:
  Relaxation(const SortedEdges& edges, int64_t n, Stream* stream)
      : edges_(edges),
        n_(n),
        count_(edges.line->layout.shape[0]),
        bounds_(segment_bounds(*pointers_of(*edges.line, n, stream), count_, stream)),
        weight_(expand_axis(*edges.weight, 1)),
        stream_(stream) {}

  // distances: [n, k], 0 of the vertices to start from and inf of others; before: the same shape.
  void run(Ref<Array>* distances, Ref<Array>* before) const {
    for (int64_t round = 0; count_ != 0; ++round) {
      const Ref<Array> terms = lengths(**distances);
      const Ref<Array> least = reduced(*terms, reduction::min);
      const Ref<Array> better = shorter(*least, **distances, round > 0);
      if (!any_of(*better, stream_)) return;
      if (round > n_) fail(ARR_E_ARGUMENT, "argument a: a cycle of its edges has a negative weight");
      *before = chosen(*better, *reduced(*sources(*terms, *least), reduction::min), **before);
      *distances = chosen(*better, *least, **distances);
    }
  }

 private:
  // Each edge as the end of a path, and one more element, which is the identity.
  [[nodiscard]] Ref<Array> lengths(const Array& distances) const {
    const int64_t shape[2] = {count_ + 1, distances.layout.shape[1]};
    Ref<Array> terms = filled(DType::float64_, shape, scalar_of(std::numeric_limits<double>::infinity()),
                              distances.device(), stream_);
    const Ref<Array> at = take_known(distances, *edges_.other, 0, stream_);
    const Array* in[2] = {at.get(), weight_.get()};
    run_into(*slice_axis(*terms, 0, 0, count_),
             program_of({at.get(), weight_.get()},
                        [](ProgramBuilder& b, const int32_t* x) { return b.op(op::add, x[0], x[1]); }),
             in, stream_);
    return terms;
  }
  // The vertices from which the least paths come.
  [[nodiscard]] Ref<Array> sources(const Array& terms, const Array& least) const {
    const int64_t none = std::numeric_limits<int32_t>::max(), shape[2] = {count_ + 1, terms.layout.shape[1]};
    Ref<Array> out = filled(DType::int32_, shape, scalar_of(none), terms.device(), stream_);
    const Ref<Array> given = slice_axis(terms, 0, 0, count_),
                     at = take_known(least, *edges_.line, 0, stream_), from = expand_axis(*edges_.other, 1);
    const Array* in[3] = {given.get(), at.get(), from.get()};
    run_into(*slice_axis(*out, 0, 0, count_),
             program_of({given.get(), at.get(), from.get()},
                        [&](ProgramBuilder& b, const int32_t* x) {
                          const int32_t same = b.op(op::equal, x[0], x[1]);
                          return b.cast(b.op(op::where, same, x[2], integer(b, none)), DType::int32_);
                        }),
             in, stream_);
    return out;
  }
  [[nodiscard]] Ref<Array> reduced(const Array& terms, int32_t reduction) const {
    const int64_t shape[2] = {n_, terms.layout.shape[1]};
    Ref<Array> out = empty(terms.dtype, shape, Order::C, terms.device(), stream_);
    SegmentsCall c;
    c.reduction = reduction_info(reduction);
    c.acc = c.out = terms.dtype;
    c.count = n_;
    c.elements = count_ + 1;
    enqueue_segments(c, terms, 0, bounds_.get(), nullptr, *out, stream_);
    return out;
  }
  // Rounding may make a cycle of weight 0 look negative.
  [[nodiscard]] Ref<Array> shorter(const Array& least, const Array& distances, bool rounded) const {
    return compute({&least, &distances}, stream_, [&](ProgramBuilder& b, const int32_t* x) {
      const int32_t less = b.op(op::less, x[0], x[1]);
      if (!rounded) return less;
      const int32_t margin = b.op(op::multiply, number(b, 1e-15), b.op(op::absolute, x[0]));
      return b.op(op::logical_and, less, b.op(op::greater, b.op(op::subtract, x[1], x[0]), margin));
    });
  }
  [[nodiscard]] Ref<Array> chosen(const Array& mask, const Array& x, const Array& y) const {
    return apply(op::where, {&mask, &x, &y}, stream_);
  }

  const SortedEdges& edges_;
  const int64_t n_, count_;
  const Ref<Array> bounds_, weight_;
  Stream* const stream_;
};

// The first vertex of the path to each vertex, found in rounds that go twice as far back.
Ref<Array> first_vertices(const Array& distances, const Array& before, Stream* stream) {
  const Ref<Array> numbers =
      slice_axis(*iota(before.layout.shape[0], before.device(), stream), 0, 0, before.layout.shape[0]);
  Ref<Array> first = compute({&before, numbers.get()}, stream, [](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::where, b.op(op::less, x[0], integer(b, 0)), x[1], b.cast(x[0], DType::int64_));
  });
  for (bool changed = true; changed;) {
    const Ref<Array> next = take_known(*first, *first, 0, stream);
    changed = any_of(*apply(op::not_equal, {next.get(), first.get()}, stream), stream);
    first = next;
  }
  return compute({first.get(), &distances}, stream, [](ProgramBuilder& b, const int32_t* x) {
    return b.cast(b.op(op::where, b.op(op::isfinite, x[1]), x[0], integer(b, no_vertex)), DType::int32_);
  });
}

}  // namespace

GraphOrder breadth_by_rounds(const Sparse& a, int64_t start, bool directed, Stream* stream) {
  const int64_t n = a.extents.rows;
  const Device device = a.device();
  const SortedEdges edges = sorted_edges(a, false, directed, false, stream);
  const Ref<Array> outer = pointers_of(*edges.line, n, stream);
  const Ref<Array> before = filled(DType::int32_, {&n, 1}, scalar_of(int64_t{no_vertex}), device, stream);
  const Ref<Array> seen = filled(DType::bool_, {&n, 1}, scalar_of(int64_t{0}), device, stream);
  std::vector<Ref<Array>> levels{upload(std::vector<int64_t>{start}, DType::int64_, device, stream)};
  for (;;) {
    const Array& last = *levels.back();
    const int64_t size = last.layout.shape[0];
    scatter_unique(*seen, last, *filled(DType::bool_, {&size, 1}, scalar_of(int64_t{1}), device, stream),
                   stream);
    const LineElements e = elements_of_lines(*outer, last, stream);
    if (e.at->layout.shape[0] == 0) break;
    const Ref<Array> to = take_known(*edges.other, *e.at, 0, stream);
    const Ref<Array> fresh =
        flatnonzero(*apply(op::logical_not, {take_known(*seen, *to, 0, stream).get()}, stream), stream);
    if (fresh->layout.shape[0] == 0) break;
    // The first of the edges to a vertex counts.
    const SortedVector sorted = sort_vector(*take_known(*to, *fresh, 0, stream), true, stream);
    const Ref<Array> heads = flatnonzero(*segment_heads(*sorted.elements, false, stream), stream);
    const Ref<Array> firsts = take_known(*fresh, *take_known(*sorted.indices, *heads, 0, stream), 0, stream);
    const Ref<Array> kept = sort_vector(*firsts, false, stream).elements;
    levels.push_back(take_known(*to, *kept, 0, stream));
    const Ref<Array> parents = take_known(last, *take_known(*e.from, *kept, 0, stream), 0, stream);
    scatter_unique(*before, *levels.back(), *as_type(*parents, DType::int32_, stream), stream);
  }
  std::vector<const Array*> all;
  all.reserve(levels.size());
  for (const auto& level : levels) all.push_back(level.get());
  return {as_type(*concatenate(all, 0, DType::none, stream), DType::int32_, stream), before};
}

GraphPaths paths_by_rounds(const Sparse& a, const std::vector<int64_t>& starts, const PathOptions& o,
                           bool limited, Stream* stream) {
  constexpr int64_t edges_at_once = int64_t{1} << 24;
  const int64_t n = a.extents.rows, sources = static_cast<int64_t>(starts.size());
  const Device device = a.device();
  const int64_t rows = o.min_only ? 1 : sources, shape[2] = {rows, n};
  GraphPaths out{empty(DType::float64_, shape, Order::C, device, stream),
                 empty(DType::int32_, shape, Order::C, device, stream),
                 filled(DType::int32_, {&n, 1}, scalar_of(int64_t{no_vertex}), device, stream)};
  if (rows == 0 || n == 0) return out;
  Ref<Sparse> given = a.share();
  if (!o.weighted) {
    const int64_t nnz = a.nnz();
    given = a.with_data(filled(DType::float64_, {&nnz, 1}, scalar_of(1.0), device, stream));
  }
  const SortedEdges edges = sorted_edges(*given, true, o.directed, true, stream);
  const Relaxation relaxation(edges, n, stream);
  const int64_t some = std::clamp<int64_t>(edges_at_once / (edges.line->layout.shape[0] + n), 1, rows);
  for (int64_t first = 0; first < rows; first += some) {
    const int64_t count = std::min(some, rows - first), part[2] = {n, count};
    const double inf = std::numeric_limits<double>::infinity();
    Ref<Array> distances = filled(DType::float64_, part, scalar_of(inf), device, stream);
    Ref<Array> before = filled(DType::int32_, part, scalar_of(int64_t{no_vertex}), device, stream);
    const auto start_at = [&](int64_t column, int64_t vertex) {
      fill(*index_axis(*index_axis(*distances, 1, column), 0, vertex), scalar_of(0.0), stream);
    };
    for (int64_t s = 0; o.min_only && s < sources; ++s) start_at(0, starts[static_cast<size_t>(s)]);
    for (int64_t s = 0; !o.min_only && s < count; ++s) start_at(s, starts[static_cast<size_t>(first + s)]);
    relaxation.run(&distances, &before);
    if (limited && o.limit != inf) {
      const Ref<Array> far = compute({distances.get()}, stream, [&](ProgramBuilder& b, const int32_t* x) {
        return b.op(op::greater, x[0], number(b, o.limit));
      });
      const auto without = [&](const Ref<Array>& x, double value) {
        return compute({far.get(), x.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
          return b.cast(b.op(op::where, in[0], number(b, value), in[1]), x->dtype);
        });
      };
      before = without(before, no_vertex);
      distances = without(distances, inf);
    }
    assign(*slice_axis(*out.distances, 0, first, first + count), *move_axis(*distances, 1, 0), stream);
    assign(*slice_axis(*out.before, 0, first, first + count), *move_axis(*before, 1, 0), stream);
  }
  if (o.min_only) {
    out.distances = index_axis(*out.distances, 0, 0);
    out.before = index_axis(*out.before, 0, 0);
    out.nearest = first_vertices(*out.distances, *out.before, stream);
  }
  return out;
}

}  // namespace arr
