// SPDX-License-Identifier: MIT
// Graphs by rounds of operations on vectors, where a backend has no call for them.
#pragma once

#include <vector>

#include "ops/sparse/graph.h"

namespace arr {

inline constexpr int32_t no_vertex = -9999;  // SciPy's

// Vertices by breadth; a: canonical, in csr.
GraphOrder breadth_by_rounds(const Sparse& a, int64_t start, bool directed, Stream* stream);
// limited: paths have at most the length options.limit. a: as above. Throws if a cycle that a path meets has
// a negative weight.
GraphPaths paths_by_rounds(const Sparse& a, const std::vector<int64_t>& starts, const PathOptions& options,
                           bool limited, Stream* stream);

}  // namespace arr
