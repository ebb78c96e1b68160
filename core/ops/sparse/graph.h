// SPDX-License-Identifier: MIT
// Algorithms for graphs: an element (i, j) of a matrix is an edge from vertex i to vertex j.
#pragma once

#include <optional>

#include "backend/sparse_graph.h"
#include "ops/sparse/sparse.h"

namespace arr {

struct GraphComponents {
  int64_t count = 0;
  Ref<Array> labels;  // int32
};
GraphComponents connected_components(const Sparse& a, bool strong, Stream* stream);

struct GraphOrder {
  Ref<Array> vertices, before;  // int32
};
// kind: breadth_first or depth_first.
GraphOrder graph_order(const Sparse& a, GraphKind kind, int64_t start, bool directed, Stream* stream);
// symmetric: the pattern is.
Ref<Array> reverse_cuthill_mckee(const Sparse& a, bool symmetric, Stream* stream);
Ref<Sparse> minimum_spanning_tree(const Sparse& a, Stream* stream);

struct PathOptions {
  std::optional<GraphKind> method;  // none: dijkstra, or johnson for negative weights
  bool directed = true, weighted = true, min_only = false;
  double limit = 0;  // of dijkstra
};
struct GraphPaths {
  Ref<Array> distances, before, nearest;  // float64, int32, int32
};
// given: the vertices to start from; null: all.
GraphPaths shortest_paths(const Sparse& a, const Array* given, const PathOptions& options, Stream* stream);

struct LaplacianOptions {
  bool normed = false, out_degree = false, symmetrized = false;
};
struct GraphLaplacian {
  Ref<Sparse> matrix;  // in csr
  Ref<Array> diagonal;
};
GraphLaplacian graph_laplacian(const Sparse& given, const LaplacianOptions& options, Stream* stream);

struct PageRankOptions {
  double alpha = 0, tol = 0;
  int64_t max_iter = 0;
  // One number for each vertex; null: equal ones.
  const Array *personalization = nullptr, *nstart = nullptr, *dangling = nullptr;
};
Ref<Array> pagerank(const Sparse& a, const PageRankOptions& options, Stream* stream);

}  // namespace arr
