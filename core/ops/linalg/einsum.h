// SPDX-License-Identifier: MIT
// The parts of einsum(): subscripts as labels, and the order of contractions.
#pragma once

#include <array>
#include <bitset>
#include <string_view>
#include <vector>

#include "ops/linalg/contract.h"

namespace arr {

// Letters are labels 0 .. 51; dimensions of an ellipsis are 52 + their number from the right.
inline constexpr int32_t first_ellipsis_label = 52;
using LabelSet = std::bitset<first_ellipsis_label + static_cast<size_t>(max_ndim)>;

struct Subscripts {
  std::vector<Labels> inputs;  // labels of every axis of every operand; a label may be repeated
  Labels out;
};
// NumPy's syntax "ij,jk->ik": spaces are ignored, one ellipsis per operand. Without "->" the result has the
// labels that occur once, in alphabetical order.
Subscripts parse_subscripts(std::string_view text, std::span<const Array* const> operands);

// For each step the positions of its operands in the list of the remaining ones.
using EinsumSteps = std::vector<std::vector<int32_t>>;
// The text of einsum_path(), "[(1, 2), (0, 1)]", or NumPy's with "einsum_path" in front.
EinsumSteps parse_path(std::string_view text);

// Extents of labels; operands of extent 1 broadcast.
using Extents = std::array<int64_t, LabelSet().size()>;

// The order of contractions of pairs.
struct Contractions {
  struct Step {
    int32_t a, b;  // indices in the list of remaining operands, a < b; the result is appended
  };
  std::vector<Step> steps;
  double cost = 0;
};
// Greedy: the pair with the smallest growth at each step; with few operands the cheapest order.
Contractions greedy_order(std::vector<LabelSet> operands, const LabelSet& out, const Extents& extents);
Contractions optimal_order(const std::vector<LabelSet>& operands, const LabelSet& out,
                           const Extents& extents);
inline constexpr size_t max_optimal_operands = 12;  // number of operands

// Number of multiplications and additions of one pass over all labels of several operands.
double pass_cost(const LabelSet& all, const LabelSet& out, size_t operands, const Extents& extents);

}  // namespace arr
