// SPDX-License-Identifier: MIT
// The order of einsum's contractions. Greedy: at each step the pair whose result grows least beyond its
// operands (D. G. A. Smith, J. Gray: opt_einsum, J. Open Source Software 3, 2018). Optimal: the dynamic
// programme over sets of operands (R. N. C. Pfeifer, J. Haegeman, F. Verstraete: Faster identification of
// optimal contraction sequences for tensor networks, Phys. Rev. E 90, 2014), without its cuts by cost.
#include <algorithm>
#include <limits>

#include "ops/linalg/einsum.h"

namespace arr {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double size_of(const LabelSet& labels, const Extents& extents) {
  double n = 1;
  for (size_t l = 0; l < labels.size(); ++l) {
    if (labels[l]) n *= static_cast<double>(extents[l]);
  }
  return n;
}

// Labels of a that another operand or the result has.
LabelSet needed(const LabelSet& a, const LabelSet& others, const LabelSet& out) { return a & (others | out); }

// For each operand or result, by number: its index in the list of remaining operands.
using Positions = std::vector<int32_t>;

// Converts steps by numbers of operands (results are numbered after these) to indices in the shrinking list.
std::vector<Contractions::Step> as_positions(const std::vector<Contractions::Step>& by_number,
                                             size_t operands) {
  Positions list;
  for (size_t i = 0; i < operands; ++i) list.push_back(static_cast<int32_t>(i));
  std::vector<Contractions::Step> out;
  auto fresh = static_cast<int32_t>(operands);
  for (const Contractions::Step& s : by_number) {
    auto at = [&](int32_t number) {
      return static_cast<int32_t>(std::find(list.begin(), list.end(), number) - list.begin());
    };
    const int32_t x = std::min(at(s.a), at(s.b)), y = std::max(at(s.a), at(s.b));
    out.push_back({x, y});
    list.erase(list.begin() + y);
    list.erase(list.begin() + x);
    list.push_back(fresh++);
  }
  return out;
}

// For each set of operands, a bit mask: the labels of its contraction, and the cheapest order.
class Optimal {
 public:
  Optimal(const std::vector<LabelSet>& operands, const LabelSet& out, const Extents& extents)
      : n_(operands.size()),
        extents_(extents),
        labels_(size_t{1} << n_),
        cost_(labels_.size(), infinite),
        split_(labels_.size()) {
    std::vector<LabelSet> all(labels_.size());
    for (size_t set = 1; set < all.size(); ++set) {
      const size_t low = set & -set;
      all[set] = all[set ^ low] | operands[static_cast<size_t>(__builtin_ctzll(low))];
    }
    const size_t full = all.size() - 1;
    for (size_t set = 1; set < all.size(); ++set) {
      labels_[set] = (set & (set - 1)) == 0 ? all[set] : needed(all[set], all[full ^ set], out);
    }
    for (size_t i = 0; i < n_; ++i) cost_[size_t{1} << i] = 0;
    for (size_t set = 1; set < all.size(); ++set) {
      if ((set & (set - 1)) != 0) divide(set);
    }
  }
  [[nodiscard]] double cost() const { return cost_.back(); }
  // Appends the steps that contract a set. Returns the number of its result.
  int32_t steps(size_t set, int32_t* fresh, std::vector<Contractions::Step>* out) const {
    if ((set & (set - 1)) == 0) return __builtin_ctzll(set);
    const int32_t x = steps(split_[set], fresh, out), y = steps(set ^ split_[set], fresh, out);
    out->push_back({x, y});
    return (*fresh)++;
  }
  [[nodiscard]] size_t everything() const { return labels_.size() - 1; }

 private:
  void divide(size_t set) {
    for (size_t x = (set - 1) & set; x > (set ^ x); x = (x - 1) & set) {
      const size_t y = set ^ x;
      const double here = pass_cost(labels_[x] | labels_[y], labels_[set], 2, extents_);
      const double total = cost_[x] + cost_[y] + here;
      if (total >= cost_[set]) continue;
      cost_[set] = total;
      split_[set] = x;
    }
  }
  size_t n_;
  const Extents& extents_;
  std::vector<LabelSet> labels_;
  std::vector<double> cost_;
  std::vector<size_t> split_;
};

}  // namespace

double pass_cost(const LabelSet& all, const LabelSet& out, size_t operands, const Extents& extents) {
  const bool sums = (all & ~out).any();
  return size_of(all, extents) * static_cast<double>(operands - 1 + (sums ? 1 : 0));
}

Contractions greedy_order(std::vector<LabelSet> operands, const LabelSet& out, const Extents& extents) {
  Contractions order;
  while (operands.size() > 1) {
    double best = infinite;
    bool best_shares = false;
    Contractions::Step step{0, 1};
    LabelSet made;
    for (size_t i = 0; i < operands.size(); ++i) {
      for (size_t j = i + 1; j < operands.size(); ++j) {
        LabelSet others;
        for (size_t k = 0; k < operands.size(); ++k) {
          if (k != i && k != j) others |= operands[k];
        }
        const LabelSet result = needed(operands[i] | operands[j], others, out);
        const bool shares = (operands[i] & operands[j]).any();
        const double growth =
            size_of(result, extents) - size_of(operands[i], extents) - size_of(operands[j], extents);
        // Products of operands without common labels come last.
        const bool better = shares != best_shares ? shares : growth < best;
        if (best != infinite && !better) continue;
        best = growth;
        best_shares = shares;
        step = {static_cast<int32_t>(i), static_cast<int32_t>(j)};
        made = result;
      }
    }
    const LabelSet both = operands[static_cast<size_t>(step.a)] | operands[static_cast<size_t>(step.b)];
    order.cost += pass_cost(both, made, 2, extents);
    order.steps.push_back(step);
    operands.erase(operands.begin() + step.b);
    operands.erase(operands.begin() + step.a);
    operands.push_back(made);
  }
  return order;
}

Contractions optimal_order(const std::vector<LabelSet>& operands, const LabelSet& out,
                           const Extents& extents) {
  if (operands.size() < 2) return {};
  const Optimal all(operands, out, extents);
  // Infinite costs cannot be compared.
  if (all.cost() == infinite) return greedy_order(operands, out, extents);
  std::vector<Contractions::Step> steps;
  auto fresh = static_cast<int32_t>(operands.size());
  all.steps(all.everything(), &fresh, &steps);
  return {as_positions(steps, operands.size()), all.cost()};
}

}  // namespace arr
