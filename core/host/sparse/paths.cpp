// SPDX-License-Identifier: MIT
// Shortest paths. The sources are divided among threads.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "host/sparse/graph.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// The results of one source.
struct Row {
  double* distances;
  int32_t *before, *nearest;
};

Row row_of(const GraphCall& c, int64_t source) {
  const int64_t at = (c.min_only ? 0 : source) * c.n;
  return {c.distances + at, c.before != nullptr ? c.before + at : nullptr, c.nearest};
}

void clear(const Row& r, int64_t n) {
  std::fill_n(r.distances, n, inf);
  if (r.before != nullptr) std::fill_n(r.before, n, no_vertex);
  if (r.nearest != nullptr) std::fill_n(r.nearest, n, no_vertex);
}

// Paths from some vertices by a heap (E. W. Dijkstra, 1959). potential: of Johnson's algorithm, or null.
template <class I>
void dijkstra(const Edges<I>& edges, const GraphCall& c, int64_t first, int64_t last, const double* potential,
              const Row& r) {
  using Entry = std::pair<double, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<bool> done(static_cast<size_t>(c.n));
  for (int64_t s = first; s < last; ++s) {
    const int64_t v = c.starts[s];
    r.distances[v] = 0;
    if (r.nearest != nullptr) r.nearest[v] = static_cast<int32_t>(v);
    heap.emplace(0, static_cast<int32_t>(v));
  }
  while (!heap.empty()) {
    const auto [distance, v] = heap.top();
    heap.pop();
    if (done[static_cast<size_t>(v)]) continue;
    done[static_cast<size_t>(v)] = true;
    const int32_t from = v;
    const double so_far = distance;
    edges.from(from, [&](int64_t w, double weight) {
      if (potential != nullptr) weight = std::max(weight + potential[from] - potential[w], 0.0);
      const double length = so_far + weight;
      if (length >= r.distances[w] || length > c.limit) return true;
      r.distances[w] = length;
      if (r.before != nullptr) r.before[w] = from;
      if (r.nearest != nullptr) r.nearest[w] = r.nearest[from];
      heap.emplace(length, static_cast<int32_t>(w));
      return true;
    });
  }
}

template <class I>
void from_all(const GraphCall& c, const double* potential) {
  const Edges<I> edges(c);
  if (c.min_only) {
    const Row r = row_of(c, 0);
    clear(r, c.n);
    return dijkstra(edges, c, 0, c.sources, potential, r);
  }
  parallel_ranges(c.sources, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      const Row r = row_of(c, s);
      clear(r, c.n);
      dijkstra(edges, c, s, s + 1, potential, r);
      if (potential == nullptr) continue;
      const double base = potential[c.starts[s]];
      for (int64_t w = 0; w < c.n; ++w) r.distances[w] += potential[w] - base;
    }
  });
}

// Shortens paths by all edges until none is shorter (R. Bellman, 1958). Returns false if a cycle is negative.
template <class I>
bool relax(const Edges<I>& edges, int64_t n, double* distances, int32_t* before) {
  for (int64_t round = 0; round <= n; ++round) {
    bool changed = false;
    for (int64_t v = 0; v < n; ++v) {
      if (distances[v] == inf) continue;
      edges.from(v, [&](int64_t w, double weight) {
        const double length = distances[v] + weight;
        if (!(length < distances[w])) return true;
        // Rounding may make a cycle of weight 0 look negative.
        if (round > 0 && distances[w] - length <= 1e-15 * std::abs(length)) return true;
        distances[w] = length;
        if (before != nullptr) before[w] = static_cast<int32_t>(v);
        changed = true;
        return true;
      });
    }
    if (!changed) return true;
  }
  return false;
}

template <class I>
void bellman_ford(const GraphCall& c) {
  const Edges<I> edges(c);
  std::atomic<bool> failed{false};
  parallel_ranges(c.sources, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      const Row r = row_of(c, s);
      clear(r, c.n);
      r.distances[c.starts[s]] = 0;
      if (!relax(edges, c.n, r.distances, r.before)) failed = true;
    }
  });
  *c.failed = failed;
}

// D. B. Johnson, Efficient algorithms for shortest paths in sparse networks, J. ACM 24, 1977.
template <class I>
void johnson(const GraphCall& c) {
  std::vector<double> potential(static_cast<size_t>(c.n), 0.0);
  *c.failed = !relax(Edges<I>(c), c.n, potential.data(), nullptr);
  if (!*c.failed) from_all<I>(c, potential.data());
}

// R. W. Floyd, Algorithm 97: shortest path, Comm. ACM 5, 1962.
template <class I>
void floyd_warshall(const GraphCall& c) {
  const Edges<I> edges(c);
  const int64_t n = c.n;
  for (int64_t i = 0; i < n; ++i) {
    const Row r = row_of(c, i);
    clear(r, n);
    edges.from(i, [&](int64_t j, double weight) {
      if (weight >= r.distances[j]) return true;
      r.distances[j] = weight;
      if (r.before != nullptr) r.before[j] = static_cast<int32_t>(i);
      return true;
    });
    if (r.distances[i] >= 0) {
      r.distances[i] = 0;
      if (r.before != nullptr) r.before[i] = no_vertex;
    }
  }
  for (int64_t k = 0; k < n; ++k) {
    const Row via = row_of(c, k);
    parallel_ranges(n, std::max<int64_t>(1, serial_elements / std::max<int64_t>(n, 1)),
                    [&](int64_t first, int64_t last) {
                      for (int64_t i = first; i < last; ++i) {
                        const Row r = row_of(c, i);
                        const double to_k = r.distances[k];
                        if (to_k == inf || i == k) continue;
                        for (int64_t j = 0; j < n; ++j) {
                          const double length = to_k + via.distances[j];
                          if (!(length < r.distances[j])) continue;
                          r.distances[j] = length;
                          if (r.before != nullptr) r.before[j] = via.before[j];
                        }
                      }
                    });
  }
  *c.failed = false;
  for (int64_t i = 0; i < n; ++i) {
    if (row_of(c, i).distances[i] < 0) *c.failed = true;
  }
}

}  // namespace

void graph_paths(const GraphCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    switch (c.kind) {
      case GraphKind::dijkstra:
        return from_all<I>(c, nullptr);
      case GraphKind::bellman_ford:
        return bellman_ford<I>(c);
      case GraphKind::johnson:
        return johnson<I>(c);
      default:
        return floyd_warshall<I>(c);
    }
  });
}

}  // namespace arr::host
