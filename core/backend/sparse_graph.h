// SPDX-License-Identifier: MIT
// Algorithms for graphs, whose edges are the elements of sparse matrices.
#pragma once

#include <cstdint>

#include "array/dtype.h"
#include "backend/error.h"

namespace arr {

enum class GraphKind : int32_t {
  weak,           // vertices: the number of the component of each, by first vertices; count: their number
  strong,         // the same, where two vertices reach each other
  breadth_first,  // vertices: those that `start` reaches, in order; count: their number; before
  depth_first,    // the same
  cuthill_mckee,  // vertices: all, in the reverse order
  spanning_tree,  // mask: true for the edges of a tree of least weight of each component
  dijkstra,       // distances, before, of each source
  bellman_ford,   // the same; failed
  johnson,        // the same
  floyd_warshall  // the same, of all vertices
};

// An edge is in row i of its vertex i, with the other vertex as its index. Not directed: edges go both ways.
// The call waits, and has run when it returns.
struct GraphCall {
  GraphKind kind = GraphKind::weak;
  DType index_type = DType::none;
  int64_t n = 0, nnz = 0;
  bool directed = true;
  const void* pointers = nullptr;
  const void* indices = nullptr;
  const double* weights = nullptr;  // null: 1 each
  // If not directed, the edges the other way round.
  const void* turned_pointers = nullptr;
  const void* turned_indices = nullptr;
  const double* turned_weights = nullptr;

  int64_t start = 0;
  const int64_t* starts = nullptr;  // of distances, `sources` of them
  int64_t sources = 0;
  double limit = 0;       // of dijkstra: no longer paths
  bool min_only = false;  // distances from the nearest source: one row

  int32_t* vertices = nullptr;
  int64_t* count = nullptr;
  bool* mask = nullptr;
  double* distances = nullptr;  // [sources, n]; inf if there is no path
  int32_t* before = nullptr;    // the vertex before on the way, or -9999; may be null with distances
  int32_t* nearest = nullptr;   // of min_only: the source, or -9999; may be null
  bool* failed = nullptr;       // a cycle has a negative weight
};

}  // namespace arr
