// SPDX-License-Identifier: MIT
// Recording: new nodes, what they may hold on to, and how they go.
#include <algorithm>
#include <utility>

#include "ops/fuse_graph.h"

namespace arr::fuse {

namespace {

constexpr size_t most_nodes = 512;  // recorded at a time; then they run

bool fits(int32_t inputs, int32_t steps) {
  return inputs <= Program::max_inputs && inputs + steps <= Program::max_nodes;
}

// A further reference to an operand.
Ref<Array> share(const Array& a) {
  return Ref<Array>::share(const_cast<Array*>(&a));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

Node::Node(Recording& of, Step what, const Array& result_array)
    : recording(Ref<Recording>::share(&of)),
      step(std::move(what)),
      dtype(result_array.dtype),
      layout(result_array.layout),
      data(result_array.data),
      memory(result_array.buffer.get()) {}

Node::~Node() {
  recording->unlink(*this);
  if (!step.used) count_skipped();
}

void Node::settle() { recording->settle(*this); }
void Node::abandon() noexcept { recording->abandon(*this); }

bool Node::is_window(const Array& a) const noexcept {
  return a.data == data && a.dtype == dtype && a.layout.same_shape(layout) &&
         std::equal(layout.strides, layout.strides + layout.ndim, a.layout.strides);
}

Recording::Recording(int32_t flags) : flags_(flags) { add_recorder(*this); }
Recording::~Recording() { remove_recorder(*this); }

void Recording::unlink(Node& node) noexcept {
  const std::lock_guard lock(mutex_);
  if (!node.linked) return;
  (node.before == nullptr ? first_ : node.before->after) = node.after;
  (node.after == nullptr ? last_ : node.after->before) = node.before;
  node.linked = false;
  --count_;
}

void Recording::abandon(Node& node) noexcept {
  const std::lock_guard lock(mutex_);
  node.memory = nullptr;
}

bool Recording::deferrable(const Buffer& memory) const {
  if (!memory.lasting()) return false;
  return (flags_ & fuse_shared) != 0 ||
         (!memory.foreign() && !memory.exposed.load(std::memory_order_relaxed));
}

Ref<Node> Recording::value_of(const Array& a, const Layout& shape) {
  Ref<Pending> pending = a.buffer->pending();
  if (!pending) return nullptr;
  // Nothing but recordings makes promises.
  Ref<Node> node = Ref<Node>::adopt(static_cast<Node*>(pending.detach()));
  if (node->recording.get() == this && node->is_window(a) && node->layout.same_shape(shape)) return node;
  node->settle();
  return nullptr;
}

Ref<Node> Recording::not_waiting(std::span<const Source> sources) {
  for (const Source& s : sources) {
    if (s.node && s.node->state != Node::State::waiting) return s.node;
  }
  return nullptr;
}

// Bounds by adding up; where they are too large, by counting. Where that does not help either, the operands
// are to be stored.
void Recording::weigh(Node& node) {
  auto add_up = [&] {
    node.inputs = 0;
    node.steps = own_steps(*node.step.program);
    for (const Source& s : node.step.sources) {
      const bool inner = s.node && !s.array;
      node.inputs += inner ? s.node->inputs : 1;
      node.steps += inner ? s.node->steps : 0;
    }
  };
  // An operand that is a value needs no array.
  std::vector<Ref<Array>> arrays(node.step.sources.size());
  for (size_t k = 0; k < arrays.size(); ++k) {
    if (node.step.sources[k].node) arrays[k] = std::exchange(node.step.sources[k].array, nullptr);
  }
  add_up();
  if (fits(node.inputs, node.steps)) return;
  Group exact(++marks_);
  if (exact.add(node.step)) {
    node.inputs = static_cast<int32_t>(exact.inputs());
    node.steps = static_cast<int32_t>(exact.steps());
    return;
  }
  for (size_t k = 0; k < arrays.size(); ++k) {
    if (arrays[k]) node.step.sources[k].array = std::move(arrays[k]);
  }
  add_up();
}

// With mutex_ held; nothing throws from here on.
void Recording::link(std::span<const Ref<Node>> nodes, std::span<const Array* const> results) {
  for (size_t k = 0; k < nodes.size(); ++k) {
    Node& n = *nodes[k];
    n.before = last_;
    (last_ == nullptr ? first_ : last_->after) = &n;
    last_ = &n;
    n.linked = true;
    ++count_;
    results[k]->buffer->promise(Ref<Node>(nodes[k]));
  }
}

bool Recording::record(std::span<const Array* const> results, const Program& program,
                       std::span<const Input> inputs, const Queue& q) {
  for (const Input& in : inputs) {
    if (in.array != nullptr && !deferrable(*in.array->buffer)) return false;
  }
  bool full = false, elsewhere = false;
  {
    const std::lock_guard lock(mutex_);
    full = count_ >= most_nodes;
    elsewhere = first_ != nullptr && stream_.get() != q.stream;
  }
  if (full || elsewhere) run_for_others(nullptr);
  const Layout& shape = results.front()->layout;
  Step step{&program, 0, std::vector<Source>(inputs.size())};
  for (size_t k = 0; k < inputs.size(); ++k) {
    step.sources[k].scalar = inputs[k].scalar;
    if (inputs[k].array == nullptr) continue;
    step.sources[k].array = share(*inputs[k].array);
    step.sources[k].node = value_of(*inputs[k].array, shape);
  }
  std::vector<Ref<Node>> nodes;
  nodes.reserve(results.size());
  for (size_t k = 0; k < results.size(); ++k) {
    step.output = static_cast<int32_t>(k);
    nodes.push_back(make<Node>(*this, k + 1 < results.size() ? step : std::move(step), *results[k]));
  }
  Ref<Stream> before;  // released after the lock
  for (;;) {
    Ref<Node> busy;
    {
      const std::lock_guard lock(mutex_);
      busy = not_waiting(nodes.front()->step.sources);
      if (!busy) {
        if (stream_.get() != q.stream) {
          before = std::exchange(stream_, Ref<Stream>::share(q.stream));
          queue_ = q;
        }
        for (const Ref<Node>& n : nodes) weigh(*n);
        link(nodes, results);
        break;
      }
    }
    // Another thread runs it: then it is memory like any other.
    busy->settle();
    for (const Ref<Node>& n : nodes) {
      for (Source& s : n->step.sources) {
        if (s.node.get() == busy.get()) s.node = nullptr;
      }
    }
  }
  count_recorded(static_cast<int64_t>(results.size()));
  return true;
}

void Recording::take_in(const Layout& shape, const Queue& q, bool by_order, Inlined* out) {
  const Program& program = *out->program_;
  const std::span<const Input> inputs = out->inputs_;
  if ((by_order && (flags_ & fuse_reorder) == 0) || program.outputs.size() != 1) return;
  Step root{&program, 0, std::vector<Source>(inputs.size())};
  bool some = false;
  for (size_t k = 0; k < inputs.size(); ++k) {
    root.sources[k].scalar = inputs[k].scalar;
    if (inputs[k].array == nullptr) continue;
    root.sources[k].array = share(*inputs[k].array);
    root.sources[k].node = value_of(*inputs[k].array, shape);
    some = some || root.sources[k].node;
  }
  if (!some) return;
  Group group(0);
  std::vector<Ref<Array>> arrays;
  std::unique_lock run(run_);  // until the work is enqueued: what it reads must not change
  {
    const std::lock_guard lock(mutex_);
    if (stream_.get() != q.stream || not_waiting(root.sources)) return;
    group = Group(++marks_);
    for (Source& s : root.sources) {
      // What is asked for once more is worth storing.
      if (s.node && s.node->inlined) return;
      if (s.node) arrays.push_back(std::exchange(s.array, nullptr));
    }
    if (!group.add(root) || !group.needs().empty()) return;
    for (Source& s : root.sources) {
      if (s.node) s.node->inlined = true;
    }
    for (Step* s : group.all()) s->used = true;
    group.store(root);
    group.operands(&out->own_, &out->kept_);
  }
  out->program_ = &group.program();
  out->inputs_ = out->own_;
  out->recording_ = Ref<Recorder>::share(this);
  out->lock_ = std::move(run);
}

}  // namespace arr::fuse
