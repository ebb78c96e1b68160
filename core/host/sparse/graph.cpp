// SPDX-License-Identifier: MIT
// Components, orders and spanning trees of graphs.
#include "host/sparse/graph.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

// Sets of vertices, each named by its least one.
class Sets {
 public:
  explicit Sets(int64_t n) : parent_(static_cast<size_t>(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int32_t find(int32_t i) {
    while (at(i) != i) {
      at(i) = at(at(i));
      i = at(i);
    }
    return i;
  }
  // Joins the set of that name with another vertex's, and returns the name of both.
  int32_t join_named(int32_t set, int32_t j) {
    if (at(j) == set) return set;
    const int32_t other = find(j);
    if (other == set) return set;
    const int32_t less = std::min(set, other);
    at(std::max(set, other)) = less;
    return less;
  }
  // Returns false if they were in one set.
  bool join(int32_t i, int32_t j) {
    i = find(i);
    j = find(j);
    if (i == j) return false;
    i < j ? at(j) = i : at(i) = j;
    return true;
  }

 private:
  int32_t& at(int32_t i) { return parent_[static_cast<size_t>(i)]; }
  std::vector<int32_t> parent_;
};

// Numbers the names of sets in the order of their first vertices.
void number(const GraphCall& c, std::vector<int32_t>* names) {
  std::vector<int32_t> numbers(static_cast<size_t>(c.n), -1);
  int32_t count = 0;
  for (int64_t i = 0; i < c.n; ++i) {
    int32_t& x = numbers[static_cast<size_t>((*names)[static_cast<size_t>(i)])];
    if (x < 0) x = count++;
    c.vertices[i] = x;
  }
  *c.count = count;
}

template <class I>
void weak(const GraphCall& c) {
  const auto *pointers = static_cast<const I*>(c.pointers), *indices = static_cast<const I*>(c.indices);
  Sets sets(c.n);
  for (int64_t i = 0; i < c.n; ++i) {
    int32_t set = sets.find(static_cast<int32_t>(i));
    for (int64_t p = pointers[i], last = pointers[i + 1]; p < last; ++p) {
      set = sets.join_named(set, static_cast<int32_t>(indices[p]));
    }
  }
  std::vector<int32_t> names(static_cast<size_t>(c.n));
  for (int64_t i = 0; i < c.n; ++i) names[static_cast<size_t>(i)] = sets.find(static_cast<int32_t>(i));
  number(c, &names);
}

// R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972, without recursion.
template <class I>
class StrongComponents {
 public:
  explicit StrongComponents(const GraphCall& c)
      : edges_(c), index_(size(c)), low_(size(c)), position_(size(c)), names_(size(c), -1) {
    for (int64_t i = 0; i < c.n; ++i) {
      if (index_[static_cast<size_t>(i)] == 0) visit(static_cast<int32_t>(i));
    }
    number(c, &names_);
  }

 private:
  static size_t size(const GraphCall& c) { return static_cast<size_t>(c.n); }
  void enter(int32_t v) {
    index_[static_cast<size_t>(v)] = low_[static_cast<size_t>(v)] = ++visited_;
    open_.push_back(v);
    path_.push_back(v);
  }
  void visit(int32_t start) {
    enter(start);
    while (!path_.empty()) {
      const auto v = static_cast<size_t>(path_.back());
      const int64_t w = edges_.next(path_.back(), &position_[v], [](int64_t) { return true; });
      if (w < 0) {
        leave(path_.back());
        continue;
      }
      ++position_[v];
      const auto to = static_cast<size_t>(w);
      if (index_[to] == 0) {
        enter(static_cast<int32_t>(w));
      } else if (names_[to] < 0) {
        low_[v] = std::min(low_[v], index_[to]);
      }
    }
  }
  void leave(int32_t vertex) {
    const auto v = static_cast<size_t>(vertex);
    path_.pop_back();
    if (!path_.empty()) {
      int32_t& above = low_[static_cast<size_t>(path_.back())];
      above = std::min(above, low_[v]);
    }
    if (low_[v] != index_[v]) return;
    for (int32_t w = -1; w != vertex;) {
      w = open_.back();
      open_.pop_back();
      names_[static_cast<size_t>(w)] = vertex;
    }
  }

  Edges<I> edges_;
  std::vector<int32_t> index_, low_;
  std::vector<int64_t> position_;  // in the edges of each vertex
  std::vector<int32_t> names_;     // the first vertex that was visited, of complete components
  std::vector<int32_t> open_, path_;
  int32_t visited_ = 0;
};

template <class I>
void breadth_first(const GraphCall& c) {
  const Edges<I> edges(c);
  std::vector<char> seen(static_cast<size_t>(c.n));
  int64_t count = 0;
  c.vertices[count++] = static_cast<int32_t>(c.start);
  seen[static_cast<size_t>(c.start)] = 1;
  for (int64_t done = 0; done < count; ++done) {
    const int32_t v = c.vertices[done];
    edges.vertices(v, [&](int32_t w) {
      if (seen[static_cast<size_t>(w)] != 0) return;
      seen[static_cast<size_t>(w)] = 1;
      c.before[w] = v;
      c.vertices[count++] = w;
    });
  }
  *c.count = count;
}

template <class I>
void depth_first(const GraphCall& c) {
  const Edges<I> edges(c);
  std::vector<bool> seen(static_cast<size_t>(c.n));
  std::vector<int64_t> position(static_cast<size_t>(c.n)), path{c.start};
  int64_t count = 0;
  const auto enter = [&](int64_t v) {
    seen[static_cast<size_t>(v)] = true;
    c.vertices[count++] = static_cast<int32_t>(v);
  };
  enter(c.start);
  while (!path.empty()) {
    const int64_t v = path.back();
    const int64_t w = edges.next(v, &position[static_cast<size_t>(v)],
                                 [&](int64_t j) { return !seen[static_cast<size_t>(j)]; });
    if (w < 0) {
      path.pop_back();
      continue;
    }
    c.before[w] = static_cast<int32_t>(v);
    enter(w);
    path.push_back(w);
  }
  *c.count = count;
}

// E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969: by levels from a vertex
// of least degree, the neighbours of each vertex by degree.
template <class I>
void cuthill_mckee(const GraphCall& c) {
  const Edges<I> edges(c);
  std::vector<int64_t> degree(static_cast<size_t>(c.n));
  for (int64_t i = 0; i < c.n; ++i) {
    edges.from(i, [&](int64_t, double) { return ++degree[static_cast<size_t>(i)], true; });
  }
  const auto less = [&](int32_t i, int32_t j) {
    return degree[static_cast<size_t>(i)] < degree[static_cast<size_t>(j)];
  };
  std::vector<int32_t> by_degree(static_cast<size_t>(c.n));
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::stable_sort(by_degree.begin(), by_degree.end(), less);
  std::vector<bool> seen(static_cast<size_t>(c.n));
  int64_t count = 0;
  const auto enter = [&](int64_t v) {
    if (seen[static_cast<size_t>(v)]) return;
    seen[static_cast<size_t>(v)] = true;
    c.vertices[count++] = static_cast<int32_t>(v);
  };
  int64_t done = 0;
  for (const int32_t seed : by_degree) {
    enter(seed);
    for (; done < count; ++done) {
      const int64_t first = count;
      edges.from(c.vertices[done], [&](int64_t w, double) { return enter(w), true; });
      std::stable_sort(c.vertices + first, c.vertices + count, less);
    }
  }
  std::reverse(c.vertices, c.vertices + c.n);
}

// J. B. Kruskal, On the shortest spanning subtree of a graph, Proc. AMS 7, 1956; the first of equal edges.
template <class I>
void spanning_tree(const GraphCall& c) {
  const auto *pointers = static_cast<const I*>(c.pointers), *indices = static_cast<const I*>(c.indices);
  std::vector<int64_t> by_weight(static_cast<size_t>(c.nnz));
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [&](int64_t p, int64_t q) { return c.weights[p] < c.weights[q]; });
  std::vector<int32_t> row(static_cast<size_t>(c.nnz));
  for (int64_t i = 0; i < c.n; ++i) {
    std::fill(row.begin() + pointers[i], row.begin() + pointers[i + 1], static_cast<int32_t>(i));
  }
  Sets sets(c.n);
  for (const int64_t p : by_weight) {
    c.mask[p] = sets.join(row[static_cast<size_t>(p)], static_cast<int32_t>(indices[p]));
  }
}

}  // namespace

void sparse_graph(const GraphCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    switch (c.kind) {
      case GraphKind::weak:
        return weak<I>(c);
      case GraphKind::strong:
        StrongComponents<I>{c};
        return;
      case GraphKind::breadth_first:
        return breadth_first<I>(c);
      case GraphKind::depth_first:
        return depth_first<I>(c);
      case GraphKind::cuthill_mckee:
        return cuthill_mckee<I>(c);
      case GraphKind::spanning_tree:
        return spanning_tree<I>(c);
      default:
        return graph_paths(c);
    }
  });
}

}  // namespace arr::host
