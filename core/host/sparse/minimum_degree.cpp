// SPDX-License-Identifier: MIT
// The approximate minimum degree order (P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree
// ordering algorithm, SIAM J. Matrix Anal. Appl. 17, 1996).
//
// The graph of what is left is a quotient graph: an eliminated column is an element, whose variables are the
// columns that it connects to each other. Each variable has a list of elements and a list of other variables.
// Variables with the same lists are one, of their joint size.
#include "host/sparse/minimum_degree.h"
#include "host/sparse/element_types.h"

#include <algorithm>
#include <cmath>

namespace arr::host {

namespace {

class Elimination {
 public:
  explicit Elimination(const Neighbours& a);
  std::vector<int32_t> order();

 private:
  using Index = int32_t;
  static constexpr Index none = -1;
  [[nodiscard]] Index* list(Index i) { return lists_.data() + begin_[u(i)]; }

  void insert(Index i);
  void remove(Index i);
  Index least();
  void join(Index j, Index i);  // j becomes a part of i
  void absorb(Index e);
  void eliminate(Index p);
  void collect(Index p);
  void measure(Index p);
  void shorten(Index p, Index i);
  void find_equal();
  bool equal(Index i, Index j);

  Index n_;
  std::vector<int64_t> begin_;
  std::vector<Index> lists_, elements_, variables_;  // lists: elements, then variables
  std::vector<std::vector<Index>> members_;          // the variables of an element
  std::vector<Index> size_;      // of a variable; 0 if it is eliminated or a part of another
  std::vector<int64_t> weight_;  // of an element: the size of its variables
  std::vector<Index> degree_, head_, next_, before_;
  std::vector<Index> chain_, last_;  // the parts of a variable, one after the other
  std::vector<Index> seen_;          // the variables of the new element have its number
  std::vector<int64_t> stamp_, outside_;
  std::vector<char> dead_;  // elements that are a part of another
  int64_t stamps_ = 0;
  Index left_, least_ = 0;
  std::vector<Index> now_, scratch_;  // the variables of the new element
  std::vector<std::pair<uint32_t, Index>> hashes_;
  std::vector<Index> dense_;
};

Elimination::Elimination(const Neighbours& a)
    : n_(a.n),
      begin_(a.pointers),
      lists_(a.indices),
      elements_(u(n_)),
      variables_(u(n_)),
      members_(u(n_)),
      size_(u(n_), 1),
      weight_(u(n_)),
      degree_(u(n_)),
      head_(u(n_) + 1, none),
      next_(u(n_), none),
      before_(u(n_), none),
      chain_(u(n_), none),
      last_(u(n_)),
      seen_(u(n_), none),
      stamp_(u(n_)),
      outside_(u(n_)),
      dead_(u(n_)),
      left_(n_) {
  // Rows that have almost all columns would make all others look alike; they come last.
  const auto many = std::max<int64_t>(16, static_cast<int64_t>(10 * std::sqrt(static_cast<double>(n_))));
  for (Index i = 0; i < n_; ++i) {
    last_[u(i)] = i;
    if (begin_[u(i) + 1] - begin_[u(i)] <= many) continue;
    dense_.push_back(i);
    size_[u(i)] = 0;
  }
  left_ -= static_cast<Index>(dense_.size());
  for (Index i = 0; i < n_; ++i) {
    if (size_[u(i)] == 0) continue;
    Index* to = list(i);
    for (int64_t p = begin_[u(i)]; p < begin_[u(i) + 1]; ++p) {
      if (size_[u(lists_[u(p)])] != 0) *to++ = lists_[u(p)];
    }
    variables_[u(i)] = degree_[u(i)] = static_cast<Index>(to - list(i));
    insert(i);
  }
}

void Elimination::insert(Index i) {
  const Index d = degree_[u(i)], first = head_[u(d)];
  next_[u(i)] = first;
  before_[u(i)] = none;
  if (first != none) before_[u(first)] = i;
  head_[u(d)] = i;
  least_ = std::min(least_, d);
}

void Elimination::remove(Index i) {
  const Index b = before_[u(i)], e = next_[u(i)];
  (b == none ? head_[u(degree_[u(i)])] : next_[u(b)]) = e;
  if (e != none) before_[u(e)] = b;
}

Elimination::Index Elimination::least() {
  while (head_[u(least_)] == none) ++least_;
  return head_[u(least_)];
}

void Elimination::join(Index j, Index i) {
  chain_[u(last_[u(i)])] = j;
  last_[u(i)] = last_[u(j)];
  size_[u(j)] = 0;
}

void Elimination::absorb(Index e) {
  dead_[u(e)] = 1;
  std::vector<Index>().swap(members_[u(e)]);
}

// The variables of the new element p: those that p is connected to.
void Elimination::collect(Index p) {
  now_.clear();
  seen_[u(p)] = p;
  int64_t weight = 0;
  const auto add = [&](Index i) {
    if (size_[u(i)] == 0 || seen_[u(i)] == p) return;
    seen_[u(i)] = p;
    weight += size_[u(i)];
    now_.push_back(i);
  };
  const Index *elements = list(p), *variables = elements + elements_[u(p)];
  for (Index k = 0; k < elements_[u(p)]; ++k) {
    for (const Index i : members_[u(elements[k])]) add(i);
    absorb(elements[k]);
  }
  for (Index k = 0; k < variables_[u(p)]; ++k) add(variables[k]);
  weight_[u(p)] = weight;
}

// outside_[e]: the size of the variables of e that the new element does not have.
void Elimination::measure(Index /*p*/) {
  ++stamps_;
  for (const Index i : now_) {
    const Index* elements = list(i);
    for (Index k = 0; k < elements_[u(i)]; ++k) {
      const Index e = elements[k];
      if (dead_[u(e)] != 0) continue;
      if (stamp_[u(e)] != stamps_) {
        stamp_[u(e)] = stamps_;
        outside_[u(e)] = weight_[u(e)];
      }
      outside_[u(e)] -= size_[u(i)];
    }
  }
}

// Takes out of a variable's lists what the new element contains, and computes a bound of its degree.
void Elimination::shorten(Index p, Index i) {
  scratch_.clear();
  int64_t outer = 0;
  uint32_t hash = static_cast<uint32_t>(p);
  Index* all = list(i);
  for (Index k = 0; k < elements_[u(i)]; ++k) {
    const Index e = all[k];
    if (dead_[u(e)] != 0) continue;
    if (outside_[u(e)] == 0) {
      absorb(e);
      continue;
    }
    outer += outside_[u(e)];
    hash += static_cast<uint32_t>(e);
    scratch_.push_back(e);
  }
  scratch_.push_back(p);
  const auto elements = static_cast<Index>(scratch_.size());
  for (Index k = elements_[u(i)]; k < elements_[u(i)] + variables_[u(i)]; ++k) {
    const Index v = all[k];
    if (size_[u(v)] == 0 || seen_[u(v)] == p) continue;
    outer += size_[u(v)];
    hash += static_cast<uint32_t>(v);
    scratch_.push_back(v);
  }
  elements_[u(i)] = elements;
  variables_[u(i)] = static_cast<Index>(scratch_.size()) - elements;
  std::copy(scratch_.begin(), scratch_.end(), all);
  if (outer == 0) {  // connected to nothing else: it can be eliminated next
    weight_[u(p)] -= size_[u(i)];
    left_ -= size_[u(i)];
    join(i, p);
    return;
  }
  degree_[u(i)] = static_cast<Index>(std::min<int64_t>(outer, degree_[u(i)]));
  hashes_.emplace_back(hash, i);
}

bool Elimination::equal(Index i, Index j) {
  if (elements_[u(i)] != elements_[u(j)] || variables_[u(i)] != variables_[u(j)]) return false;
  const Index *own = list(j), *end = own + elements_[u(j)] + variables_[u(j)];
  return std::all_of(own, end, [&](Index k) { return stamp_[u(k)] == stamps_; });
}

// Joins variables of the new element that have the same lists.
void Elimination::find_equal() {
  std::sort(hashes_.begin(), hashes_.end());
  for (size_t first = 0; first < hashes_.size(); ++first) {
    const auto [hash, i] = hashes_[first];
    if (size_[u(i)] == 0 || first + 1 == hashes_.size() || hashes_[first + 1].first != hash) continue;
    // stamp_ has numbers of elements and of variables, which differ from each other.
    ++stamps_;
    const Index* own = list(i);
    for (Index k = 0; k < elements_[u(i)] + variables_[u(i)]; ++k) stamp_[u(own[k])] = stamps_;
    for (size_t other = first + 1; other < hashes_.size() && hashes_[other].first == hash; ++other) {
      const Index j = hashes_[other].second;
      if (size_[u(j)] == 0 || !equal(i, j)) continue;
      size_[u(i)] += size_[u(j)];
      join(j, i);
    }
  }
}

void Elimination::eliminate(Index p) {
  remove(p);
  left_ -= size_[u(p)];
  collect(p);
  for (const Index i : now_) remove(i);
  measure(p);
  hashes_.clear();
  for (const Index i : now_) shorten(p, i);
  size_[u(p)] = 0;
  find_equal();
  auto& members = members_[u(p)];
  for (const Index i : now_) {
    if (size_[u(i)] == 0) continue;
    members.push_back(i);
    const int64_t inner = weight_[u(p)] - size_[u(i)], others = left_ - size_[u(i)];
    degree_[u(i)] = static_cast<Index>(std::min(others, degree_[u(i)] + inner));
    insert(i);
  }
  if (members.empty()) dead_[u(p)] = 1;
}

std::vector<int32_t> Elimination::order() {
  std::vector<int32_t> out;
  out.reserve(u(n_));
  while (left_ > 0) {
    const Index p = least();
    eliminate(p);
    for (Index i = p; i != none; i = chain_[u(i)]) out.push_back(i);
  }
  out.insert(out.end(), dense_.begin(), dense_.end());
  return out;
}

}  // namespace

std::vector<int32_t> minimum_degree(const Neighbours& a) { return Elimination(a).order(); }

}  // namespace arr::host
