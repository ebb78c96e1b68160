// SPDX-License-Identifier: MIT
// Einstein sums: first diagonals and sums of single operands, then pairs in a good order, or all operands in
// one pass if that costs no more.
#include "ops/linalg/einsum.h"

#include <algorithm>
#include <array>

#include "ops/linalg/products.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// Up to this many operands the cheapest order is found quickly enough.
constexpr size_t max_automatic_operands = 7;
// Number of operands in one program, each of which is an input.
constexpr size_t max_pass_operands = Program::max_inputs;

LabelSet set_of(const Labels& labels) {
  LabelSet s;
  for (int32_t l : labels) s.set(static_cast<size_t>(l));
  return s;
}

struct Problem {
  Subscripts subscripts;
  Extents extents{};
  LabelSet out;
  DType dtype = DType::none;
};

// All axes of a diagonal must have equal extents: nothing broadcasts within an operand.
void check_diagonals(const Labels& labels, const Layout& l, size_t number) {
  for (size_t d = 0; d < labels.size(); ++d) {
    const auto first =
        static_cast<size_t>(std::find(labels.begin(), labels.end(), labels[d]) - labels.begin());
    if (l.shape[d] == l.shape[first]) continue;
    fail(ARR_E_SHAPE, "argument operands: extents ", l.shape[first], " and ", l.shape[d], " of axes ", first,
         " and ", d, " of number ", number, " in ", l.text(), ", expected equal ones for the same label");
  }
}

Extents extents_of(const Subscripts& s, std::span<const Array* const> operands) {
  Extents extents;
  extents.fill(1);
  for (size_t i = 0; i < operands.size(); ++i) {
    check_diagonals(s.inputs[i], operands[i]->layout, i);
    for (size_t d = 0; d < s.inputs[i].size(); ++d) {
      int64_t& known = extents[static_cast<size_t>(s.inputs[i][d])];
      const int64_t n = operands[i]->layout.shape[d];
      if (n == known || n == 1) continue;
      if (known != 1) {
        fail(ARR_E_SHAPE, "argument operands: extent ", n, " of axis ", d, " of number ", i, " in ",
             operands[i]->layout.text(), ", expected ", known, " as before for the same label");
      }
      known = n;
    }
  }
  return extents;
}

Problem problem_of(std::string_view text, std::span<const Array* const> operands) {
  if (operands.empty()) fail(ARR_E_ARGUMENT, "argument n: 0, expected one operand or more");
  std::vector<Input> all;
  all.reserve(operands.size());
  for (const Array* a : operands) all.push_back({a, {}, false});
  common_device(all);
  Problem p;
  p.subscripts = parse_subscripts(text, operands);
  p.extents = extents_of(p.subscripts, operands);
  p.out = set_of(p.subscripts.out);
  p.dtype = operands[0]->dtype;
  for (const Array* a : operands) p.dtype = promote(p.dtype, a->dtype);
  return p;
}

// A view with each label once: axes that only broadcast are removed, repeated labels select a diagonal.
Labelled distinct(const Array& a, const Labels& labels, const Extents& extents) {
  Labelled out;
  Layout l;
  for (size_t d = 0; d < labels.size(); ++d) {
    const int64_t n = a.layout.shape[d], whole = extents[static_cast<size_t>(labels[d])];
    if (n == 1 && whole != 1) continue;
    auto before = std::find(out.labels.begin(), out.labels.end(), labels[d]);
    if (before != out.labels.end()) {
      int64_t& stride = l.strides[before - out.labels.begin()];
      stride = Layout::diagonal_stride(n, stride, a.layout.strides[d]);
      continue;
    }
    out.labels.push_back(labels[d]);
    l.shape[l.ndim] = n;
    l.strides[l.ndim++] = a.layout.strides[d];
  }
  out.array = a.layout.same_strides(l) ? a.share() : a.view(l);
  return out;
}

// Sums over labels that are not in `wanted`.
Labelled reduced(const Labelled& a, const LabelSet& wanted, DType dtype, Stream* stream) {
  Labels kept;
  for (int32_t l : a.labels) {
    if (wanted[static_cast<size_t>(l)]) kept.push_back(l);
  }
  if (kept.size() == a.labels.size()) return a;
  return {sum_to(a, kept, dtype, stream), kept};
}

std::vector<LabelSet> sets_of(const std::vector<Labelled>& operands) {
  std::vector<LabelSet> sets;
  sets.reserve(operands.size());
  for (const Labelled& x : operands) sets.push_back(set_of(x.labels));
  return sets;
}

// The labels that the other operands or the result have.
LabelSet wanted_beside(const std::vector<LabelSet>& sets, size_t i, const LabelSet& out) {
  LabelSet wanted = out;
  for (size_t k = 0; k < sets.size(); ++k) {
    if (k != i) wanted |= sets[k];
  }
  return wanted;
}

Contractions order_of(const std::vector<LabelSet>& sets, const Problem& p, PathMethod method) {
  const size_t n = sets.size();
  if (method == PathMethod::optimal && n > max_optimal_operands) {
    fail(ARR_E_ARGUMENT, "argument method: ARR_EINSUM_OPTIMAL of ", n, " operands, at most ",
         max_optimal_operands);
  }
  const bool optimal =
      method == PathMethod::optimal || (method == PathMethod::automatic && n <= max_automatic_operands);
  return optimal ? optimal_order(sets, p.out, p.extents) : greedy_order(sets, p.out, p.extents);
}

double cost_of_one_pass(const std::vector<LabelSet>& sets, const Problem& p) {
  LabelSet all;
  for (const LabelSet& s : sets) all |= s;
  return pass_cost(all, p.out, sets.size(), p.extents);
}

// True if all operands go in one pass instead of pairwise.
bool in_one_pass(const std::vector<LabelSet>& sets, const Problem& p, PathMethod method,
                 const Contractions& order) {
  if (sets.size() > max_pass_operands || method == PathMethod::greedy || method == PathMethod::optimal)
    return false;
  // A pair is multiplied by contract().
  return method == PathMethod::none || (sets.size() > 2 && cost_of_one_pass(sets, p) <= order.cost);
}

// Result labels that only broadcast in every operand have extent 1 and no axis yet; adds these axes.
Ref<Array> broadcast(const Ref<Array>& x, const Problem& p) {
  Layout shape;
  for (int32_t l : p.subscripts.out) shape.shape[shape.ndim++] = p.extents[static_cast<size_t>(l)];
  return x->layout.same_shape(shape) ? x : x->view(broadcast_to(x->layout, shape.dims()));
}

// A view, because the array may be an operand.
Ref<Array> in_order(const Labelled& x, const Problem& p) {
  return broadcast(aligned(x, p.subscripts.out), p);
}

// The operands of a problem, each summed over the labels that nothing else has.
std::vector<Labelled> prepared(const Problem& p, std::span<const Array* const> operands, Stream* stream) {
  std::vector<Labelled> left;
  left.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    left.push_back(distinct(*operands[i], p.subscripts.inputs[i], p.extents));
  }
  std::vector<LabelSet> sets = sets_of(left);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = reduced(left[i], wanted_beside(sets, i, p.out), p.dtype, stream);
    sets[i] = set_of(left[i].labels);
  }
  return left;
}

// The product of some operands, summed over the labels that neither the remaining ones nor the result have.
Labelled contracted(std::vector<Labelled> some, const std::vector<Labelled>& left, const Problem& p,
                    Stream* stream) {
  const std::vector<LabelSet> others = sets_of(left);
  const LabelSet wanted = wanted_beside(others, others.size(), p.out);
  Labels made = p.subscripts.out;
  if (!left.empty()) {
    made.clear();
    for (const Labelled& x : some) {
      for (int32_t l : x.labels) {
        const bool known = std::find(made.begin(), made.end(), l) != made.end();
        if (wanted[static_cast<size_t>(l)] && !known) made.push_back(l);
      }
    }
  }
  // An operand may now have labels that no other operand and no result has.
  const std::vector<LabelSet> sets = sets_of(some);
  for (size_t i = 0; i < some.size(); ++i) {
    some[i] = reduced(some[i], wanted_beside(sets, i, wanted), p.dtype, stream);
  }
  if (some.size() == 1) return some[0];
  if (some.size() == 2) return {contract(some[0], some[1], made, p.dtype, stream), made};
  return {multiply_and_sum(some, made, p.dtype, stream), made};
}

// Replaces the operands at ascending positions by their product, which is appended.
void contract_step(std::vector<Labelled>* left, std::span<const int32_t> positions, const Problem& p,
                   Stream* stream) {
  std::vector<Labelled> some;
  some.reserve(positions.size());
  for (int32_t i : positions) some.push_back((*left)[static_cast<size_t>(i)]);
  for (size_t i = positions.size(); i-- > 0;) left->erase(left->begin() + positions[i]);
  left->push_back(contracted(std::move(some), *left, p, stream));
}

// The steps of a path for that many operands, each in ascending order.
EinsumSteps checked_steps(EinsumSteps steps, size_t operands) {
  for (size_t i = 0; i < steps.size(); ++i) {
    std::vector<int32_t>& s = steps[i];
    std::sort(s.begin(), s.end());
    if (s.empty()) fail(ARR_E_ARGUMENT, "argument path: step ", i, " is empty");
    if (s.front() < 0 || static_cast<size_t>(s.back()) >= operands) {
      fail(ARR_E_ARGUMENT, "argument path: position ", s.front() < 0 ? s.front() : s.back(), " in step ", i,
           ", expected 0 to ", static_cast<int64_t>(operands) - 1);
    }
    const auto twice = std::adjacent_find(s.begin(), s.end());
    if (twice != s.end())
      fail(ARR_E_ARGUMENT, "argument path: position ", *twice, " is named twice in step ", i);
    if (s.size() > max_pass_operands) {
      fail(ARR_E_ARGUMENT, "argument path: ", s.size(), " operands in step ", i, ", at most ",
           max_pass_operands);
    }
    operands -= s.size() - 1;
  }
  if (operands > 1) {
    fail(ARR_E_ARGUMENT, "argument path: ", operands, " operands are left after the last step, expected one");
  }
  return steps;
}

}  // namespace

Ref<Array> einsum(std::string_view text, std::span<const Array* const> operands, PathMethod method,
                  Stream* stream) {
  const Problem p = problem_of(text, operands);
  std::vector<Labelled> left = prepared(p, operands, stream);
  if (left.size() == 1) return in_order(left[0], p);
  if (left.size() == 2 && method != PathMethod::none) {
    return broadcast(contract(left[0], left[1], p.subscripts.out, p.dtype, stream), p);
  }
  const std::vector<LabelSet> sets = sets_of(left);
  const Contractions order = order_of(sets, p, method);
  if (in_one_pass(sets, p, method, order)) {
    return multiply_and_sum(left, p.subscripts.out, p.dtype, stream);
  }
  for (const Contractions::Step& s : order.steps) contract_step(&left, std::array{s.a, s.b}, p, stream);
  return in_order(left[0], p);
}

Ref<Array> einsum(std::string_view text, std::span<const Array* const> operands, std::string_view path,
                  Stream* stream) {
  const Problem p = problem_of(text, operands);
  const EinsumSteps steps = checked_steps(parse_path(path), operands.size());
  std::vector<Labelled> left = prepared(p, operands, stream);
  for (const std::vector<int32_t>& s : steps) contract_step(&left, s, p, stream);
  return in_order(left[0], p);
}

EinsumPath einsum_path(std::string_view text, std::span<const Array* const> operands, PathMethod method) {
  const Problem p = problem_of(text, operands);
  std::vector<LabelSet> sets;
  sets.reserve(operands.size());
  for (const Labels& l : p.subscripts.inputs) sets.push_back(set_of(l));
  EinsumPath path;
  path.naive = cost_of_one_pass(sets, p);
  const Contractions order = order_of(sets, p, method);
  std::vector<int32_t> all;
  for (size_t i = 0; i < sets.size(); ++i) all.push_back(static_cast<int32_t>(i));
  if (sets.size() < 2 || in_one_pass(sets, p, method, order)) {
    path.steps.push_back(all);
    path.cost = path.naive;
    return path;
  }
  for (const Contractions::Step& s : order.steps) path.steps.push_back({s.a, s.b});
  path.cost = order.cost;
  return path;
}

}  // namespace arr
