// SPDX-License-Identifier: MIT
// csgraph.h: graphs as sparse matrices.
#include "arr/csgraph.h"

#include "capi/src/linalg/arguments.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/graph.h"

using namespace arr::capi;
using arr::GraphKind;
using arr::Sparse;

namespace {

arr_status order(const char* function, GraphKind kind, arr_sparse a, int64_t start, bool directed,
                 arr_stream stream_handle, arr_array* out_order, arr_array* out_predecessors) noexcept {
  return guard(function, [&] {
    check_pointer(out_order, "out_order");
    check_pointer(out_predecessors, "out_predecessors");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    arr::GraphOrder found = arr::graph_order(*x, kind, start, directed, s.get());
    put_all({as_result(std::move(found.vertices)), as_result(std::move(found.before))},
            {out_order, out_predecessors});
  });
}

std::optional<GraphKind> method_argument(int32_t method) {
  switch (method) {
    case ARR_CSGRAPH_AUTO:
      return std::nullopt;
    case ARR_CSGRAPH_DIJKSTRA:
      return GraphKind::dijkstra;
    case ARR_CSGRAPH_BELLMAN_FORD:
      return GraphKind::bellman_ford;
    case ARR_CSGRAPH_JOHNSON:
      return GraphKind::johnson;
    case ARR_CSGRAPH_FLOYD_WARSHALL:
      return GraphKind::floyd_warshall;
    default:
      arr::fail(ARR_E_ARGUMENT, "argument method: ", method, ", expected ARR_CSGRAPH_AUTO, ...");
  }
}

}  // namespace

arr_status arr_csgraph_connected_components(arr_sparse a, int32_t connection, arr_stream stream_handle,
                                            int64_t* count, arr_array* out) {
  return guard("arr_csgraph_connected_components", [&] {
    check_pointer(count, "count");
    check_pointer(out, "out");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    if (connection != ARR_CSGRAPH_WEAK && connection != ARR_CSGRAPH_STRONG) {
      arr::fail(ARR_E_ARGUMENT, "argument connection: ", connection,
                ", expected ARR_CSGRAPH_WEAK or ARR_CSGRAPH_STRONG");
    }
    arr::GraphComponents found = arr::connected_components(*x, connection == ARR_CSGRAPH_STRONG, s.get());
    publish<arr::Array>(as_result(std::move(found.labels)), out);
    *count = found.count;
  });
}

arr_status arr_csgraph_breadth_first_order(arr_sparse a, int64_t start, bool directed,
                                           arr_stream stream_handle, arr_array* out_order,
                                           arr_array* out_predecessors) {
  return order("arr_csgraph_breadth_first_order", GraphKind::breadth_first, a, start, directed, stream_handle,
               out_order, out_predecessors);
}

arr_status arr_csgraph_depth_first_order(arr_sparse a, int64_t start, bool directed, arr_stream stream_handle,
                                         arr_array* out_order, arr_array* out_predecessors) {
  return order("arr_csgraph_depth_first_order", GraphKind::depth_first, a, start, directed, stream_handle,
               out_order, out_predecessors);
}

arr_status arr_csgraph_shortest_path(arr_sparse a, int32_t method, arr_array indices, int32_t flags,
                                     double limit, arr_stream stream_handle, arr_array* out_distances,
                                     arr_array* out_predecessors, arr_array* out_sources) {
  return guard("arr_csgraph_shortest_path", [&] {
    check_pointer(out_distances, "out_distances");
    check_pointer(out_predecessors, "out_predecessors");
    check_pointer(out_sources, "out_sources");
    auto x = sparse(a, "a");
    auto from = optional_array(indices, "indices");
    auto s = stream(stream_handle);
    check_flags(flags, ARR_CSGRAPH_UNDIRECTED | ARR_CSGRAPH_UNWEIGHTED | ARR_CSGRAPH_MIN_ONLY);
    if (!(limit >= 0)) arr::fail(ARR_E_ARGUMENT, "argument limit: ", limit, ", expected 0 or more");
    arr::PathOptions o;
    o.method = method_argument(method);
    o.directed = (flags & ARR_CSGRAPH_UNDIRECTED) == 0;
    o.weighted = (flags & ARR_CSGRAPH_UNWEIGHTED) == 0;
    o.min_only = (flags & ARR_CSGRAPH_MIN_ONLY) != 0;
    o.limit = limit;
    arr::GraphPaths found = arr::shortest_paths(*x, from.get(), o, s.get());
    put_all({as_result(std::move(found.distances)), as_result(std::move(found.before)),
             as_result(std::move(found.nearest))},
            {out_distances, out_predecessors, out_sources});
  });
}

arr_status arr_csgraph_minimum_spanning_tree(arr_sparse a, arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_csgraph_minimum_spanning_tree", a, stream_handle, out,
                      [](const Sparse& x, arr::Stream* s) { return arr::minimum_spanning_tree(x, s); });
}

arr_status arr_csgraph_laplacian(arr_sparse a, int32_t flags, arr_stream stream_handle, arr_sparse* out,
                                 arr_array* out_diag) {
  return guard("arr_csgraph_laplacian", [&] {
    check_pointer(out, "out");
    check_pointer(out_diag, "out_diag");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    check_flags(flags, ARR_LAPLACIAN_NORMED | ARR_LAPLACIAN_OUT_DEGREE | ARR_LAPLACIAN_SYMMETRIZED);
    arr::GraphLaplacian made =
        arr::graph_laplacian(*x,
                             {(flags & ARR_LAPLACIAN_NORMED) != 0, (flags & ARR_LAPLACIAN_OUT_DEGREE) != 0,
                              (flags & ARR_LAPLACIAN_SYMMETRIZED) != 0},
                             s.get());
    arr_sparse matrix = nullptr;
    publish<Sparse>(std::move(made.matrix), &matrix);
    try {
      publish<arr::Array>(as_result(std::move(made.diagonal)), out_diag);
    } catch (...) {
      release(matrix, arr::Kind::sparse);
      throw;
    }
    *out = matrix;
  });
}

arr_status arr_csgraph_reverse_cuthill_mckee(arr_sparse a, bool symmetric_mode, arr_stream stream_handle,
                                             arr_array* out) {
  return make_array("arr_csgraph_reverse_cuthill_mckee", out, [&] {
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::reverse_cuthill_mckee(*x, symmetric_mode, s.get());
  });
}

arr_status arr_csgraph_pagerank(arr_sparse a, double alpha, arr_array personalization, arr_array nstart,
                                arr_array dangling, int64_t max_iter, double tol, arr_stream stream_handle,
                                arr_array* out) {
  return make_array("arr_csgraph_pagerank", out, [&] {
    auto x = sparse(a, "a");
    auto p = optional_array(personalization, "personalization");
    auto first = optional_array(nstart, "nstart");
    auto lost = optional_array(dangling, "dangling");
    auto s = stream(stream_handle);
    if (!(alpha >= 0 && alpha <= 1))
      arr::fail(ARR_E_ARGUMENT, "argument alpha: ", alpha, ", expected 0 to 1");
    if (!(tol >= 0)) arr::fail(ARR_E_ARGUMENT, "argument tol: ", tol, ", expected 0 or more");
    if (max_iter < 1) arr::fail(ARR_E_ARGUMENT, "argument max_iter: ", max_iter, ", expected 1 or more");
    return arr::pagerank(*x, {alpha, tol, max_iter, p.get(), first.get(), lost.get()}, s.get());
  });
}
