// SPDX-License-Identifier: MIT
// The parts of einsum(): subscripts as labels, and the order of contractions.
#pragma once

#include <bitset>
#include <string_view>
#include <vector>

#include "ops/linalg/contract.h"

namespace arr {

// Letters are labels 0 .. 51, dimensions under an ellipsis 52 + their number from the right.
inline constexpr int32_t first_ellipsis_label = 52;
using LabelSet = std::bitset<first_ellipsis_label + static_cast<size_t>(max_ndim)>;

struct Subscripts {
  std::vector<Labels> inputs;  // of every axis of every operand; a label may be there more than once
  Labels out;
};
// NumPy's form "ij,jk->ik": spaces anywhere, an ellipsis per operand, without "->" the labels that are there
// once in the order of the alphabet.
Subscripts parse_subscripts(std::string_view text, std::span<const Array* const> operands);

// Extents of labels; operands of extent 1 broadcast.
using Extents = std::vector<int64_t>;

// The order of contractions of pairs.
struct Contractions {
  struct Step {
    int32_t a, b;  // positions in the list of remaining operands, a < b; the result is appended
  };
  std::vector<Step> steps;
  double cost = 0;
};
// By the smallest growth of what is stored at each step, or, of few operands, the cheapest of all.
Contractions greedy_order(std::vector<LabelSet> operands, const LabelSet& out, const Extents& extents);
Contractions optimal_order(const std::vector<LabelSet>& operands, const LabelSet& out,
                           const Extents& extents);
inline constexpr size_t max_optimal_operands = 12;  // operands

// Multiplications and additions of one pass over all labels of several operands.
double pass_cost(const LabelSet& all, const LabelSet& out, size_t operands, const Extents& extents);

}  // namespace arr
