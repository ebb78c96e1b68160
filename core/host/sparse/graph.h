// SPDX-License-Identifier: MIT
// The edges of a graph as its algorithms see them.
#pragma once

#include "backend/sparse_graph.h"

namespace arr::host {

inline constexpr int32_t no_vertex = -9999;  // SciPy's

template <class I>
class Edges {
 public:
  explicit Edges(const GraphCall& c)
      : sides_{{static_cast<const I*>(c.pointers), static_cast<const I*>(c.indices), c.weights},
               {static_cast<const I*>(c.turned_pointers), static_cast<const I*>(c.turned_indices),
                c.turned_weights}},
        count_(c.turned_pointers != nullptr ? 2 : 1) {}

  // Calls use(vertex, weight) for each edge from i, until it returns false.
  template <class Use>
  void from(int64_t i, const Use& use) const {
    for (int s = 0; s < count_; ++s) {
      const Side& side = sides_[s];
      for (int64_t p = side.pointers[i]; p < side.pointers[i + 1]; ++p) {
        if (!use(int64_t{side.indices[p]}, side.weights != nullptr ? side.weights[p] : 1.0)) return;
      }
    }
  }
  // The same for the vertices alone, all of them.
  template <class Use>
  void vertices(int64_t i, const Use& use) const {
    for (int s = 0; s < count_; ++s) {
      const Side& side = sides_[s];
      for (int64_t p = side.pointers[i], last = side.pointers[i + 1]; p < last; ++p) {
        use(static_cast<int32_t>(side.indices[p]));
      }
    }
  }
  // The position of the first edge from i to a vertex that `wanted` accepts, at or after a position.
  template <class Wanted>
  int64_t next(int64_t i, int64_t* position, const Wanted& wanted) const {
    int64_t skipped = 0;
    for (int s = 0; s < count_; ++s) {
      const Side& side = sides_[s];
      const int64_t first = side.pointers[i], length = side.pointers[i + 1] - first;
      for (; *position < skipped + length; ++*position) {
        const int64_t j = side.indices[first + *position - skipped];
        if (wanted(j)) return j;
      }
      skipped += length;
    }
    return -1;
  }

 private:
  struct Side {
    const I *pointers, *indices;
    const double* weights;
  };
  Side sides_[2];
  int count_;
};

void graph_paths(const GraphCall& call);  // the kinds with distances

}  // namespace arr::host
