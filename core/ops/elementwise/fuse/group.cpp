// SPDX-License-Identifier: MIT
// Builds programs from recorded ones.
#include <algorithm>
#include <unordered_map>

#include "base/fork.h"
#include "base/hash.h"
#include "ops/elementwise/fuse/graph.h"

namespace arr::fuse {

namespace {

using Key = std::vector<uint64_t>;

struct KeyHash {
  size_t operator()(const Key& k) const noexcept { return hash_words(k); }
};

// Looks up programs, which are never freed, without building them again.
struct Known {
  static constexpr size_t max_programs = 4096;
  ProcessMutex mutex;
  std::unordered_map<Key, const Program*, KeyHash> programs;
};
Known& known() {
  static auto* k = new Known;
  return *k;
}

}  // namespace

int32_t own_steps(const Program& p) noexcept {
  return static_cast<int32_t>(std::count_if(
      p.nodes.begin(), p.nodes.end(), [](const arr::Node& n) { return n.kind != arr::Node::Kind::input; }));
}

void Bounds::add(const Step& step, bool stored) {
  constexpr int32_t many = Program::max_nodes + 1;  // more than any program has
  steps_ = std::min(many, steps_ + own_steps(*step.program));
  for (const Source& s : step.sources) {
    if (s.node && !stored) continue;
    const int32_t known = std::min(inputs_, Program::max_inputs);
    if (std::any_of(leaves_, leaves_ + known, [&](const Leaf& l) {
          return l.array == s.array.get() && l.whole == s.whole.get() &&
                 (l.array != nullptr || l.scalar == s.scalar);
        })) {
      continue;
    }
    if (known < Program::max_inputs) leaves_[known] = {s.array.get(), s.whole.get(), s.scalar};
    inputs_ = std::min(many, inputs_ + 1);
  }
}

bool Group::fits() const {
  return leaves_.size() <= static_cast<size_t>(Program::max_inputs) &&
         leaves_.size() + weight_ <= static_cast<size_t>(Program::max_nodes);
}

bool Group::reads_memory() const {
  return std::any_of(leaves_.begin(), leaves_.end(), [](const Leaf& l) { return l.array.get() != nullptr; });
}

bool Group::add(Step& step, bool again) {
  if (steps_.empty()) {  // room for most programs
    constexpr size_t usual_steps = 16;
    steps_.reserve(usual_steps);
    codes_.reserve(2 * usual_steps);
    leaves_.reserve(static_cast<size_t>(Program::max_inputs));
  }
  const size_t steps = steps_.size(), codes = codes_.size(), leaves = leaves_.size(), weight = weight_,
               needs = needs_.size();
  visit(step, again);
  if (fits()) return true;
  for (size_t i = steps; i < steps_.size(); ++i) steps_[i]->mark = 0;
  steps_.resize(steps);
  codes_.resize(codes);
  leaves_.resize(leaves);
  needs_.resize(needs);
  weight_ = weight;
  return false;
}

void Group::visit(Step& step, bool again) {
  if (step.mark == mark_ || !fits()) return;
  auto from_memory = [&](const Source& s) {
    return s.node.get() == nullptr ||
           (s.node->step.mark != mark_ && (s.array.get() != nullptr || (s.node->assigned && !again)));
  };
  for (const Source& s : step.sources) {
    if (!from_memory(s)) visit(s.node->step, again);
  }
  // If a limit is exceeded, add() undoes everything.
  if (!fits()) return;
  for (const Source& s : step.sources) codes_.push_back(from_memory(s) ? leaf(s) : ~s.node->step.index);
  step.mark = mark_;
  step.index = static_cast<int32_t>(steps_.size());
  steps_.push_back(&step);
  weight_ += static_cast<size_t>(own_steps(*step.program));
}

int32_t Group::leaf(const Source& source) {
  const Array* a = source.array ? source.array.get() : source.node ? source.node->result : nullptr;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const Array* b = leaves_[i].array.get();
    if ((a == nullptr) != (b == nullptr)) continue;
    // Two look-ups in one vector, or two with one base address, share an input; a single element there is
    // another input.
    if ((source.whole.get() == nullptr) != (leaves_[i].whole.get() == nullptr)) continue;
    const bool same = a == nullptr ? source.scalar == leaves_[i].scalar
                                   : a == b || (a->dtype == b->dtype && same_window(*a, *b));
    if (same) return static_cast<int32_t>(i);
  }
  if (source.node) needs_.push_back(source.node.get());
  leaves_.push_back({a != nullptr ? a->share() : nullptr, source.scalar, source.whole});
  return static_cast<int32_t>(leaves_.size()) - 1;
}

const Program* Group::build() const {
  ProgramBuilder b;
  std::vector<int32_t> inputs, values, args;
  for (const Leaf& l : leaves_)
    inputs.push_back(b.input(l.array && !l.whole ? l.array->dtype : l.scalar.dtype));
  size_t at = 0;
  for (const Step* s : steps_) {
    args.clear();
    for (size_t k = 0; k < s->sources.size(); ++k) {
      const int32_t code = codes_[at++];
      args.push_back(code >= 0 ? inputs[static_cast<size_t>(code)]
                               : values[static_cast<size_t>(-1 - int64_t{code})]);
    }
    values.push_back(b.append(*s->program, s->output, args));
  }
  for (int32_t index : outputs_) b.output(values[static_cast<size_t>(index)]);
  return b.finish().program;
}

const Program& Group::program() const {
  // A group with a single op runs the program with which it was recorded.
  bool alone = steps_.size() == 1 && steps_.front()->program->outputs.size() == 1;
  for (size_t k = 0; alone && k < codes_.size(); ++k) alone = codes_[k] == static_cast<int32_t>(k);
  if (alone) return *steps_.front()->program;
  Key key;
  key.reserve(steps_.size() + codes_.size() + outputs_.size());
  size_t at = 0;
  for (const Step* s : steps_) {
    key.push_back(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(s->program)) ^
                  static_cast<uint64_t>(s->output) << 60);
    for (size_t k = 0; k < s->sources.size(); ++k) key.push_back(static_cast<uint32_t>(codes_[at++]));
  }
  // Marked by a bit that operand codes do not use.
  for (int32_t index : outputs_) key.push_back(uint64_t{1} << 40 | static_cast<uint32_t>(index));
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  auto found = all.programs.find(key);
  if (found != all.programs.end()) return *found->second;
  const Program* fresh = build();
  if (all.programs.size() >= Known::max_programs) all.programs.clear();
  all.programs.emplace(std::move(key), fresh);
  return *fresh;
}

void Group::operands(std::vector<Input>* inputs, std::vector<Ref<Array>>* kept) const {
  inputs->reserve(leaves_.size());
  kept->reserve(leaves_.size());
  for (const Leaf& l : leaves_) {
    inputs->push_back({l.array.get(), l.scalar, false, l.whole.get()});
    if (l.array) kept->push_back(l.array);
    if (l.whole) kept->push_back(l.whole);
  }
}

}  // namespace arr::fuse
