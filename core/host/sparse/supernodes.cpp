// SPDX-License-Identifier: MIT
// The elimination tree, its depth-first order and the numbers of elements of columns (J. W. H. Liu, The role
// of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11, 1990), and blocks of columns
// (C. Ashcraft, R. Grimes, The influence of relaxed supernode partitions on the multifrontal method, ACM TOMS
// 15, 1989).
#include "host/sparse/supernodes.h"
#include "host/sparse/element_types.h"

#include <algorithm>
#include <numeric>

namespace arr::host {

namespace {

using Index = int32_t;
constexpr Index none = -1;

// Calls use(line, index, position) for the elements of the triangle beside the diagonal.
template <class Use>
void each_beside(const Supernodes& s, const Use& use) {
  for (Index j = 0; j < s.n; ++j) {
    for (int64_t p = s.pointers[u(j)]; p < s.pointers[u(j) + 1]; ++p) {
      if (s.indices[u(p)] > j) use(j, s.indices[u(p)], p);
    }
  }
}

Neighbours neighbours_of(const Supernodes& s) {
  Neighbours a;
  a.n = s.n;
  a.pointers.assign(u(s.n) + 1, 0);
  each_beside(s, [&](Index i, Index j, int64_t) {
    ++a.pointers[u(i) + 1];
    ++a.pointers[u(j) + 1];
  });
  std::partial_sum(a.pointers.begin(), a.pointers.end(), a.pointers.begin());
  a.indices.resize(u(a.pointers.back()));
  std::vector<int64_t> next(a.pointers.begin(), a.pointers.end() - 1);
  each_beside(s, [&](Index i, Index j, int64_t) {
    a.indices[u(next[u(i)]++)] = j;
    a.indices[u(next[u(j)]++)] = i;
  });
  return a;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> out(order.size());
  for (size_t k = 0; k < order.size(); ++k) out[u(order[k])] = static_cast<Index>(k);
  return out;
}

// Calls use(k, i) for the elements (k, i) of the permuted matrix below its diagonal, row after row.
template <class Use>
void each_row(const Neighbours& a, const std::vector<Index>& order, const std::vector<Index>& at,
              const Use& use) {
  for (Index k = 0; k < a.n; ++k) {
    const Index row = order[u(k)];
    for (int64_t p = a.pointers[u(row)]; p < a.pointers[u(row) + 1]; ++p) {
      if (at[u(a.indices[u(p)])] < k) use(k, at[u(a.indices[u(p)])]);
    }
  }
}

// The first row below the diagonal in each column of the factor, or none.
std::vector<Index> elimination_tree(const Neighbours& a, const std::vector<Index>& order) {
  std::vector<Index> parent(u(a.n), none), root(u(a.n), none);
  each_row(a, order, inverse(order), [&](Index k, Index i) {
    while (i != none && i < k) {
      const Index next = root[u(i)];
      root[u(i)] = k;
      if (next == none) parent[u(i)] = k;
      i = next;
    }
  });
  return parent;
}

// The columns so that those of each subtree are together, children before parents.
std::vector<Index> depth_first(const std::vector<Index>& parent) {
  const auto n = static_cast<Index>(parent.size());
  std::vector<Index> child(parent.size(), none), sibling(parent.size(), none), out, stack;
  for (Index i = n; i-- > 0;) {
    if (parent[u(i)] == none) continue;
    sibling[u(i)] = child[u(parent[u(i)])];
    child[u(parent[u(i)])] = i;
  }
  out.reserve(parent.size());
  for (Index root = 0; root < n; ++root) {
    if (parent[u(root)] != none) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Index i = stack.back(), down = child[u(i)];
      if (down != none) {
        child[u(i)] = sibling[u(down)];
        stack.push_back(down);
      } else {
        out.push_back(i);
        stack.pop_back();
      }
    }
  }
  return out;
}

// The number of elements of each column of the factor, its diagonal included: row k has those of the paths
// from its elements to k.
std::vector<int64_t> column_counts(const Neighbours& a, const std::vector<Index>& order,
                                   const std::vector<Index>& parent) {
  std::vector<int64_t> counts(u(a.n), 1);
  std::vector<Index> seen(u(a.n), none);
  each_row(a, order, inverse(order), [&](Index k, Index i) {
    seen[u(k)] = k;
    for (; seen[u(i)] != k; i = parent[u(i)]) {
      seen[u(i)] = k;
      ++counts[u(i)];
    }
  });
  return counts;
}

// True if a block of that width may have that share of zeros.
bool few_zeros(int64_t width, double share) {
  if (width <= 4) return share < 0.8;
  if (width <= 16) return share < 0.25;
  return share < (width <= 48 ? 0.1 : 0.05);
}

// Divides columns into blocks: a column is with the one before if it has the same rows below, or if few zeros
// are stored then.
void make_blocks(Supernodes* s, const std::vector<Index>& parent, const std::vector<int64_t>& counts) {
  struct Block {
    Index first, end;
    int64_t elements;  // without zeros
  };
  std::vector<Block> blocks;
  const auto rows_of = [&](const Block& b) { return counts[u(b.end - 1)] - 1; };
  const auto stored = [](int64_t w, int64_t r) { return w * (w + 1) / 2 + w * r; };
  for (Index begin = 0; begin < s->n;) {
    Block b{begin, begin + 1, counts[u(begin)]};
    while (b.end < s->n && parent[u(b.end - 1)] == b.end && counts[u(b.end)] == counts[u(b.end - 1)] - 1) {
      b.elements += counts[u(b.end++)];
    }
    begin = b.end;
    // The block before, if it is a child, and may have become part of a larger one.
    while (!blocks.empty()) {
      const Block& c = blocks.back();
      const Index up = parent[u(c.end - 1)];
      if (up < b.first || up >= b.end) break;
      const int64_t w = b.end - c.first, all = stored(w, rows_of(b)), real = b.elements + c.elements;
      if (!few_zeros(w, static_cast<double>(all - real) / static_cast<double>(all))) break;
      b = {c.first, b.end, real};
      blocks.pop_back();
    }
    blocks.push_back(b);
  }
  s->data_begin.push_back(0);
  for (const Block& b : blocks) {
    s->first.push_back(b.first);
    const int64_t w = b.end - b.first;
    s->data_begin.push_back(checked::add(
        s->data_begin.back(), checked::mul(w, w + rows_of(b), "sparse factors"), "sparse factors"));
  }
  s->first.push_back(s->n);
}

// The elements of the triangle in columns of the factor.
void place_elements(Supernodes* s) {
  const std::vector<Index> at = inverse(s->order);
  s->column_begin.assign(u(s->n) + 1, 0);
  const auto each = [&](const auto& use) {
    for (Index j = 0; j < s->n; ++j) {
      for (int64_t p = s->pointers[u(j)]; p < s->pointers[u(j) + 1]; ++p) {
        if (s->indices[u(p)] >= j) use(at[u(j)], at[u(s->indices[u(p)])], p);
      }
    }
  };
  each([&](Index j, Index i, int64_t) { ++s->column_begin[u(std::min(i, j)) + 1]; });
  std::partial_sum(s->column_begin.begin(), s->column_begin.end(), s->column_begin.begin());
  s->row_of.resize(u(s->column_begin.back()));
  s->source.resize(s->row_of.size());
  std::vector<int64_t> next(s->column_begin.begin(), s->column_begin.end() - 1);
  each([&](Index j, Index i, int64_t p) {
    const auto k = u(next[u(std::min(i, j))]++);
    s->row_of[k] = std::max(i, j);
    s->source[k] = i < j ? ~p : p;
  });
}

// The rows below each block: those of a's elements and of the blocks that are its children.
void find_rows(Supernodes* s) {
  const auto blocks = static_cast<Index>(s->first.size()) - 1;
  std::vector<Index> block_of(u(s->n)), seen(u(s->n), none), child(u(blocks), none), sibling(u(blocks), none);
  for (Index b = 0; b < blocks; ++b) {
    std::fill(block_of.begin() + s->first[u(b)], block_of.begin() + s->first[u(b) + 1], b);
  }
  s->parent.assign(u(blocks), none);
  s->row_begin.push_back(0);
  for (Index b = 0; b < blocks; ++b) {
    const Index end = s->first[u(b) + 1];
    const auto begin = static_cast<int64_t>(s->rows.size());
    const auto add = [&](Index row) {
      if (row < end || seen[u(row)] == b) return;
      seen[u(row)] = b;
      s->rows.push_back(row);
    };
    for (int64_t p = s->column_begin[u(s->first[u(b)])]; p < s->column_begin[u(end)]; ++p) {
      add(s->row_of[u(p)]);
    }
    for (Index c = child[u(b)]; c != none; c = sibling[u(c)]) {
      for (int64_t p = s->row_begin[u(c)]; p < s->row_begin[u(c) + 1]; ++p) add(s->rows[u(p)]);
    }
    std::sort(s->rows.begin() + begin, s->rows.end());
    s->row_begin.push_back(static_cast<int64_t>(s->rows.size()));
    if (static_cast<int64_t>(s->rows.size()) == begin) continue;
    const Index up = block_of[u(s->rows[u(begin)])];
    s->parent[u(b)] = up;
    sibling[u(b)] = child[u(up)];
    child[u(up)] = b;
  }
}

}  // namespace

Supernodes supernodes_of(int32_t n, const int64_t* pointers, const int32_t* indices, bool upper,
                         bool natural) {
  Supernodes s;
  s.n = n;
  s.upper = upper;
  s.natural = natural;
  s.pointers.assign(pointers, pointers + n + 1);
  s.indices.assign(indices, indices + pointers[n]);
  const Neighbours a = neighbours_of(s);
  if (natural) {
    s.order.resize(u(n));
    std::iota(s.order.begin(), s.order.end(), 0);
  } else {
    s.order = minimum_degree(a);
    std::vector<Index> order;
    order.reserve(u(n));
    for (const Index k : depth_first(elimination_tree(a, s.order))) order.push_back(s.order[u(k)]);
    s.order = std::move(order);
  }
  const std::vector<Index> parent = elimination_tree(a, s.order);
  make_blocks(&s, parent, column_counts(a, s.order, parent));
  place_elements(&s);
  find_rows(&s);
  return s;
}

}  // namespace arr::host
