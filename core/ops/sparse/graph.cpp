// SPDX-License-Identifier: MIT
// Graphs by the backend's calls, and by compositions where operations on vectors do as well.
#include "ops/sparse/graph.h"

#include <limits>
#include <vector>

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/factor.h"
#include "ops/sparse/graph_rounds.h"
#include "ops/sparse/products.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

int64_t check_graph(const Sparse& a) {
  const int64_t n = check_square(a);
  if (n <= std::numeric_limits<int32_t>::max()) return n;
  fail(ARR_E_UNSUPPORTED, "argument a: ", n, " vertices, expected less than 2^31");
}

Ref<Sparse> in_rows(const Sparse& a, Stream* stream) {
  return sum_duplicates(*convert(a, SparseFormat::csr, stream), stream);
}

// A call with the edges of a matrix, of which it keeps the parts.
class GraphWork {
 public:
  GraphWork(GraphKind kind, const Sparse& a, bool directed, bool weighted, Stream* stream)
      : stream_(stream), edges_(in_rows(a, stream)), queue_(queue_for(a.device(), stream)) {
    call.kind = kind;
    call.n = check_graph(a);
    if (api<SparseApi>(queue_).graph == nullptr) {
      fail(ARR_E_UNSUPPORTED, "argument a: on ", device_text(a.device()),
           ", where this is not offered; copy its parts to the host");
    }
    call.nnz = edges_->nnz();
    call.index_type = edges_->index_type();
    call.directed = directed;
    call.pointers = read(edges_->outer);
    call.indices = read(edges_->inner);
    if (weighted) call.weights = read_weights(*edges_);
    if (directed) return;
    turned_ = in_rows(*edges_->transpose(), stream);
    if (turned_->index_type() != call.index_type) fail(ARR_E_INTERNAL, "index types differ");
    call.turned_pointers = read(turned_->outer);
    call.turned_indices = read(turned_->inner);
    if (weighted) call.turned_weights = read_weights(*turned_);
  }
  GraphWork(const GraphWork&) = delete;
  GraphWork& operator=(const GraphWork&) = delete;
  ~GraphWork() = default;

  GraphCall call;

  [[nodiscard]] const Sparse& edges() const { return *edges_; }
  Ref<Array> result(DType d, Shape shape) {
    Ref<Array> out = empty(d, shape, Order::C, queue_.device, stream_);
    use(*out->buffer, queue_);
    return out;
  }
  Ref<Array> vertices() { return result(DType::int32_, {&call.n, 1}); }
  void run() {
    if (call.n != 0) arr::call(api<SparseApi>(queue_).graph, queue_.index(), &call, queue_.handle());
  }

 private:
  const void* read(const Ref<Array>& a) {
    use_to_read(*a->buffer, queue_);
    return a->data;
  }
  const double* read_weights(const Sparse& a) {
    weights_.push_back(as_type(*a.data, DType::float64_, stream_));
    return static_cast<const double*>(read(weights_.back()));
  }

  Stream* stream_;
  Ref<Sparse> edges_, turned_;
  std::vector<Ref<Array>> weights_;
  Queue queue_;
};

int32_t* int32s(const Ref<Array>& a) { return reinterpret_cast<int32_t*>(a->data); }

// Labels by rounds: each vertex takes the least label among its neighbours', and then that vertex's own
// label, until none changes (pointer jumping, as in Y. Shiloach and U. Vishkin, J. Algorithms 3, 1982).
// Labels are vertices, as n - label in a reduction in which elements that are not stored count as 0.
GraphComponents by_rounds(const Sparse& a, Stream* stream) {
  const int64_t n = a.extents.rows;
  const int64_t nnz = a.nnz();
  const Ref<Array> marks =
      full(DType::int64_, {&nnz, 1}, Order::C, scalar_of(int64_t{1}), a.device(), stream);
  const Ref<Sparse> forth = a.with_data(marks), back = forth->transpose();
  const Ref<Sparse> both =
      convert(*sparse_binary(*op_info(op::maximum), *forth, *back, stream), SparseFormat::csr, stream);
  Ref<Array> labels = index_vector(n, a.device(), stream);
  const auto turned = [&](const Array& x) {
    return compute({&x}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, integer(b, n), in[0]);
    });
  };
  for (bool changed = n != 0; changed;) {
    const Ref<Array> values = turned(*labels);
    const Ref<Sparse> around = both->with_data(take_known(*values, *both->inner, 0, stream));
    const Ref<Array> most = sparse_reduce(*reduction_info(reduction::max), *around, 1, DType::none, stream);
    const Ref<Array> least = turned(*apply(op::maximum, {values.get(), most.get()}, stream));
    const Ref<Array> next = take_known(*least, *least, 0, stream);
    const Ref<Array> differs = apply(op::not_equal, {next.get(), labels.get()}, stream);
    changed = reduce_item(*reduction_info(reduction::any), *differs, stream).lo != 0;
    labels = next;
  }
  // The vertices that are their own labels, counted.
  const Ref<Array> firsts =
      apply(op::equal, {labels.get(), index_vector(n, a.device(), stream).get()}, stream);
  const ScanOptions sums{reduction::sum, false, true, false, DType::int64_};
  const Ref<Array> before = scan(sums, *as_type(*firsts, DType::int64_, stream), 0, stream);
  const auto count = static_cast<int64_t>(item(*before, {&n, 1}).lo);
  return {count, as_type(*take_known(*before, *labels, 0, stream), DType::int32_, stream)};
}

// The vertices as they are on the host, checked.
std::vector<int64_t> starts_of(const Array* given, int64_t n, Stream* stream) {
  std::vector<int64_t> starts;
  if (given == nullptr) {
    for (int64_t i = 0; i < n; ++i) starts.push_back(i);
    return starts;
  }
  if (given->layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument indices: shape ", given->layout.text(), ", expected one dimension");
  }
  if (!is_integer(given->dtype)) {
    fail(ARR_E_DTYPE, "argument indices: got ", name(given->dtype), ", expected integers");
  }
  starts = download<int64_t>(*given, DType::int64_, stream);
  for (size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] >= 0 && starts[i] < n) continue;
    fail(ARR_E_ARGUMENT, "argument indices: ", starts[i], " at position ", i, ", expected 0 to ", n - 1);
  }
  return starts;
}

void check_weights(const Sparse& a, const PathOptions& o, GraphKind kind, bool negative) {
  if (is_complex(a.dtype()))
    fail(ARR_E_DTYPE, "argument a: got ", name(a.dtype()), ", expected real weights");
  if (!negative) return;
  if (kind == GraphKind::dijkstra) {
    fail(ARR_E_ARGUMENT, "argument a: negative weights, expected none for ",
         o.min_only ? "min_only" : "method", o.min_only ? "" : " ARR_CSGRAPH_DIJKSTRA");
  }
}

bool has_negative(const Sparse& a, Stream* stream) {
  if (a.nnz() == 0) return false;
  const Ref<Array> below = compute({a.data.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::less, in[0], number(b, 0));
  });
  return reduce_item(*reduction_info(reduction::any), *below, stream).lo != 0;
}

// The given numbers of all vertices, or equal ones, so that their sum is 1.
Ref<Array> shares(const Array* given, const char* argument, const Sparse& a, DType d, Stream* stream) {
  const int64_t n = a.extents.rows;
  if (given == nullptr) {
    return full(d, {&n, 1}, Order::C, scalar_of(1.0 / static_cast<double>(n)), a.device(), stream);
  }
  if (given->layout.ndim != 1 || given->layout.shape[0] != n) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", given->layout.text(), ", expected (", n, ",)");
  }
  if (given->device() != a.device()) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device()), " and on ",
         device_text(given->device()));
  }
  const Ref<Array> x = as_type(*given, d, stream);
  const Ref<Array> sum = reduce(*reduction_info(reduction::sum), *x, 1, false, {}, stream);
  if (item(*sum, {}).lo == 0) fail(ARR_E_ARGUMENT, "argument ", argument, ": its sum is 0");
  return apply(op::divide, {x.get(), sum.get()}, stream);
}

}  // namespace

GraphComponents connected_components(const Sparse& a, bool strong, Stream* stream) {
  check_graph(a);
  if (!strong && api<SparseApi>(a.device()).graph == nullptr) return by_rounds(a, stream);
  GraphWork work(strong ? GraphKind::strong : GraphKind::weak, a, true, false, stream);
  GraphComponents out{0, work.vertices()};
  work.call.vertices = int32s(out.labels);
  work.call.count = &out.count;
  work.run();
  return out;
}

GraphOrder graph_order(const Sparse& a, GraphKind kind, int64_t start, bool directed, Stream* stream) {
  const int64_t n = check_graph(a);
  if (start < 0 || start >= n) fail(ARR_E_ARGUMENT, "argument start: ", start, ", expected 0 to ", n - 1);
  if (kind == GraphKind::breadth_first && api<SparseApi>(a.device()).graph == nullptr) {
    return breadth_by_rounds(*in_rows(a, stream), start, directed, stream);
  }
  GraphWork work(kind, a, directed, false, stream);
  const Ref<Array> all = work.vertices();
  const Ref<Array> before = work.vertices();
  fill(*before, scalar_of(int64_t{no_vertex}), stream);
  int64_t count = 0;
  work.call.start = start;
  work.call.vertices = int32s(all);
  work.call.before = int32s(before);
  work.call.count = &count;
  work.run();
  return {slice_axis(*all, 0, 0, count), before};
}

Ref<Array> reverse_cuthill_mckee(const Sparse& a, bool symmetric, Stream* stream) {
  Ref<Sparse> pattern = in_rows(a, stream);
  if (!symmetric) {
    const int64_t nnz = pattern->nnz();
    const Ref<Array> marks =
        full(DType::bool_, {&nnz, 1}, Order::C, scalar_of(int64_t{1}), a.device(), stream);
    pattern = pattern->with_data(marks);
    pattern = sparse_binary(*op_info(op::logical_or), *pattern, *pattern->transpose(), stream);
  }
  GraphWork work(GraphKind::cuthill_mckee, *pattern, true, false, stream);
  Ref<Array> out = work.vertices();
  work.call.vertices = int32s(out);
  work.run();
  return out;
}

Ref<Sparse> minimum_spanning_tree(const Sparse& a, Stream* stream) {
  if (is_complex(a.dtype()))
    fail(ARR_E_DTYPE, "argument a: got ", name(a.dtype()), ", expected real weights");
  GraphWork work(GraphKind::spanning_tree, a, true, true, stream);
  const Ref<Array> mask = work.result(DType::bool_, {&work.call.nnz, 1});
  work.call.mask = reinterpret_cast<bool*>(mask->data);
  work.run();
  return eliminate_zeros(*keep(work.edges(), *mask, stream), stream);
}

GraphPaths shortest_paths(const Sparse& a, const Array* given, const PathOptions& o, Stream* stream) {
  const int64_t n = check_graph(a);
  const bool negative = o.weighted && !is_complex(a.dtype()) && has_negative(a, stream);
  const GraphKind kind = o.method                  ? *o.method
                         : negative && !o.min_only ? GraphKind::johnson
                                                   : GraphKind::dijkstra;
  if (o.min_only && kind != GraphKind::dijkstra) {
    fail(ARR_E_ARGUMENT, "argument flags: ARR_CSGRAPH_MIN_ONLY, expected with ARR_CSGRAPH_DIJKSTRA only");
  }
  check_weights(a, o, kind, negative);
  const std::vector<int64_t> starts = starts_of(given, n, stream);
  if (o.min_only && starts.empty()) fail(ARR_E_ARGUMENT, "argument indices: no vertex, expected 1 or more");
  if (api<SparseApi>(a.device()).graph == nullptr) {
    return paths_by_rounds(*in_rows(a, stream), starts, o, kind == GraphKind::dijkstra, stream);
  }
  GraphWork work(kind, a, o.directed, o.weighted, stream);
  const bool all = kind == GraphKind::floyd_warshall;
  const int64_t rows = o.min_only ? 1 : all ? n : static_cast<int64_t>(starts.size());
  const int64_t shape[2] = {rows, n};
  GraphPaths out{work.result(DType::float64_, {shape, 2}), work.result(DType::int32_, {shape, 2}),
                 work.vertices()};
  fill(*out.nearest, scalar_of(int64_t{no_vertex}), stream);
  bool failed = false;
  work.call.starts = starts.data();
  work.call.sources = all ? n : static_cast<int64_t>(starts.size());
  work.call.limit = o.limit;
  work.call.min_only = o.min_only;
  work.call.distances = reinterpret_cast<double*>(out.distances->data);
  work.call.before = int32s(out.before);
  work.call.nearest = o.min_only ? int32s(out.nearest) : nullptr;
  work.call.failed = &failed;
  work.run();
  if (failed) fail(ARR_E_ARGUMENT, "argument a: a cycle of its edges has a negative weight");
  if (o.min_only) {
    out.distances = index_axis(*out.distances, 0, 0);
    out.before = index_axis(*out.before, 0, 0);
  } else if (all && given != nullptr) {
    const Ref<Array> rows_wanted = as_type(*given, DType::int64_, stream);
    out.distances = take_known(*out.distances, *rows_wanted, 0, stream);
    out.before = take_known(*out.before, *rows_wanted, 0, stream);
  }
  return out;
}

GraphLaplacian graph_laplacian(const Sparse& given, const LaplacianOptions& o, Stream* stream) {
  const int64_t n = check_square(given);
  Ref<Sparse> a = in_rows(given, stream);
  if (a->dtype() == DType::bool_ || kind(a->dtype()) == DKind::UINT) {
    a = a->with_data(as_type(*a->data, DType::int64_, stream));
  }
  if (o.normed) a = a->with_data(as_type(*a->data, inexact_type(a->dtype()), stream));
  if (o.symmetrized) {
    const Ref<Sparse> turned = a->transpose();
    const Ref<Array> data =
        is_complex(a->dtype()) ? apply(op::conjugate, {turned->data.get()}, stream) : turned->data;
    a = in_rows(*sparse_binary(*op_info(op::add), *a, *turned->with_data(data), stream), stream);
  }
  const Ref<Array> all_rows = rows_of(*a, stream), all_columns = columns_of(*a, stream);
  const Ref<Sparse> rest =
      keep(*a, *apply(op::not_equal, {all_rows.get(), all_columns.get()}, stream), stream);
  const Ref<Array> degree = as_type(
      *sparse_reduce(*reduction_info(reduction::sum), *rest, o.out_degree ? 1 : 0, DType::none, stream),
      a->dtype(), stream);
  const Ref<Array> row = rows_of(*rest, stream), column = columns_of(*rest, stream);
  Ref<Array> data = rest->data, diagonal = degree, reported = degree;
  if (o.normed) {
    const auto isolated = [](ProgramBuilder& b, int32_t w) { return b.op(op::equal, w, number(b, 0)); };
    reported = compute({degree.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::where, isolated(b, in[0]), number(b, 1), b.op(op::sqrt, in[0]));
    });
    diagonal = compute({degree.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::where, isolated(b, in[0]), number(b, 0), number(b, 1));
    });
    const Ref<Array> of_row = take_known(*reported, *as_type(*row, DType::int64_, stream), 0, stream);
    const Ref<Array> of_column = take_known(*reported, *as_type(*column, DType::int64_, stream), 0, stream);
    data = compute({data.get(), of_row.get(), of_column.get()}, stream,
                   [](ProgramBuilder& b, const int32_t* in) {
                     return b.op(op::divide, b.op(op::divide, in[0], in[1]), in[2]);
                   });
  }
  data = apply(op::negative, {data.get()}, stream);
  const Ref<Array> vertices = index_vector(n, a->device(), stream);
  const auto joined = [&](const Ref<Array>& x, const Ref<Array>& y, DType d) {
    const Ref<Array> both[2] = {as_type(*x, d, stream), as_type(*y, d, stream)};
    const Array* list[2] = {both[0].get(), both[1].get()};
    return concatenate(list, 0, DType::none, stream);
  };
  const Elements elements{joined(row, vertices, DType::int64_), joined(column, vertices, DType::int64_),
                          joined(data, diagonal, a->dtype())};
  return {from_elements(SparseFormat::csr, a->extents, elements, a->index_type() == DType::int64_, stream),
          reported};
}

Ref<Array> pagerank(const Sparse& a, const PageRankOptions& o, Stream* stream) {
  const int64_t n = check_square(a);
  if (is_complex(a.dtype()))
    fail(ARR_E_DTYPE, "argument a: got ", name(a.dtype()), ", expected real weights");
  const DType d = a.dtype() == DType::float32_ ? DType::float32_ : DType::float64_;
  if (n == 0) return empty(d, {&n, 1}, Order::C, a.device(), stream);
  const Ref<Sparse> weights = in_rows(*a.with_data(as_type(*a.data, d, stream)), stream);
  const Ref<Array> sums = sparse_reduce(*reduction_info(reduction::sum), *weights, 1, DType::none, stream);
  const Ref<Array> scale = compute({sums.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t none = b.op(op::equal, in[0], number(b, 0));
    return b.op(op::where, none, number(b, 0), b.op(op::divide, number(b, 1), in[0]));
  });
  const Ref<Array> is_dangling = compute({sums.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::equal, in[0], number(b, 0)), d);
  });
  const Ref<Array> rows = as_type(*rows_of(*weights, stream), DType::int64_, stream);
  const Ref<Array> of_row = take_known(*scale, *rows, 0, stream);
  const Ref<Array> data = apply(op::multiply, {weights->data.get(), of_row.get()}, stream);
  const Ref<Sparse> moves = convert(*weights->with_data(data)->transpose(), SparseFormat::csr, stream);
  const Ref<Array> p = shares(o.personalization, "personalization", a, d, stream);
  const Ref<Array> lost = o.dangling != nullptr ? shares(o.dangling, "dangling", a, d, stream) : p;
  Ref<Array> x = shares(o.nstart, "nstart", a, d, stream);
  for (int64_t i = 0; i < o.max_iter; ++i) {
    const Ref<Array> moved = matmul(*moves, *x, stream);
    const Ref<Array> stuck = apply(op::multiply, {x.get(), is_dangling.get()}, stream);
    const Ref<Array> all_stuck = reduce(*reduction_info(reduction::sum), *stuck, 1, false, {}, stream);
    const Ref<Array> next =
        compute({moved.get(), all_stuck.get(), lost.get(), p.get()}, stream,
                [&](ProgramBuilder& b, const int32_t* in) {
                  const int32_t back = b.op(op::multiply, in[1], in[2]);
                  const int32_t kept = b.op(op::multiply, number(b, o.alpha), b.op(op::add, in[0], back));
                  return b.op(op::add, kept, b.op(op::multiply, number(b, 1 - o.alpha), in[3]));
                });
    const Ref<Array> step = compute({next.get(), x.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::absolute, b.op(op::subtract, in[0], in[1]));
    });
    const Scalar change =
        convert(reduce_item(*reduction_info(reduction::sum), *step, stream), DType::float64_);
    x = next;
    if (scalar_value<double>(change) < static_cast<double>(n) * o.tol) return x;
  }
  fail(ARR_E_LINALG, "argument max_iter: ranks still change after ", o.max_iter, " iterations");
}

}  // namespace arr
