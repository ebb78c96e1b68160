// SPDX-License-Identifier: MIT
// Recording: the creation of nodes, their references, and their end.
#include <algorithm>
#include <array>
#include <utility>

#include "ops/engine/fuse/graph.h"

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

// True if the step has an operand in the array's memory; an operand that is a value has no array.
bool reads(const Step& step, const Array& a) {
  return std::any_of(step.sources.begin(), step.sources.end(), [&](const Source& s) {
    const Array* read = s.whole ? s.whole.get() : s.array.get();
    return read != nullptr && may_share_memory(*read, a);
  });
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
  if (recording->unlink(*this) && !step.used) count_skipped();
}

void Node::materialize() { recording->materialize(*this); }
void Node::cancel() noexcept { recording->cancel(*this); }

bool Node::is_window(const Array& a) const noexcept {
  return a.data == data && a.dtype == dtype && a.layout.same_shape(layout) &&
         std::equal(layout.strides, layout.strides + layout.ndim, a.layout.strides);
}

Recording::Recording(int32_t flags) : flags_(flags) { add_recorder(*this); }
Recording::~Recording() { remove_recorder(*this); }

bool Recording::unlink(Node& node) noexcept {
  const std::lock_guard lock(mutex_);
  if (!node.linked) return false;
  (node.before == nullptr ? first_ : node.before->after) = node.after;
  (node.after == nullptr ? last_ : node.after->before) = node.before;
  node.linked = false;
  --count_;
  return true;
}

void Recording::cancel(Node& node) noexcept {
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
  // Only recordings make pending values.
  Ref<Node> node = Ref<Node>::adopt(static_cast<Node*>(pending.detach()));
  if (node->recording.get() == this && node->is_window(a) && node->layout.same_shape(shape)) return node;
  node->materialize();
  return nullptr;
}

Ref<Node> Recording::not_waiting(std::span<const Source> sources) {
  for (const Source& s : sources) {
    if (s.node && s.node->state != Node::State::waiting) return s.node;
  }
  return nullptr;
}

// Adds up the operands' bounds; where the sums are too large, takes those of all that is recorded, or else
// counts exactly. Where the count is too large as well, the operands are stored.
void Recording::estimate_size(Node& node) {
  std::vector<Source>& sources = node.step.sources;
  auto add_up = [&](bool stored) {
    node.inputs = 0;
    node.steps = own_steps(*node.step.program);
    for (const Source& s : sources) {
      const bool inner = s.node && !stored;
      node.inputs += inner ? s.node->inputs : 1;
      node.steps += inner ? s.node->steps : 0;
    }
    return fits(node.inputs, node.steps);
  };
  bounds_.add(node.step, false);
  bool values = add_up(false);
  if (!values && fits(bounds_.inputs(), bounds_.steps())) {
    node.inputs = bounds_.inputs();
    node.steps = bounds_.steps();
    values = true;
  }
  if (!values) values = count_exactly(node);
  if (values) {  // an operand that is a value needs no array
    for (Source& s : sources) {
      if (s.node) s.array = nullptr;
    }
    return;
  }
  add_up(true);
  bounds_.add(node.step, true);  // its own steps count twice, which is no harm
}

// False where the step and the values that it reads fit in no program.
bool Recording::count_exactly(Node& node) {
  std::array<Ref<Array>, Program::max_inputs> arrays;
  std::vector<Source>& sources = node.step.sources;
  for (size_t k = 0; k < sources.size(); ++k) {
    if (sources[k].node) arrays[k] = std::exchange(sources[k].array, nullptr);
  }
  Group exact(++marks_);
  if (exact.add(node.step)) {
    node.inputs = static_cast<int32_t>(exact.inputs());
    node.steps = static_cast<int32_t>(exact.steps());
    return true;
  }
  for (size_t k = 0; k < sources.size(); ++k) {
    if (arrays[k]) sources[k].array = std::move(arrays[k]);
  }
  return false;
}

// With mutex_ held.
void Recording::link(Node& node) noexcept {
  node.before = last_;
  (last_ == nullptr ? first_ : last_->after) = &node;
  last_ = &node;
  node.linked = true;
  ++count_;
}

bool Recording::deferrable(std::span<const Input> inputs) const {
  return !has_ramp(inputs) && std::all_of(inputs.begin(), inputs.end(), [&](const Input& in) {
    const Array* read = in.table != nullptr ? in.table : in.array;
    return read == nullptr || deferrable(*read->buffer);
  });
}

void Recording::prepare(const Queue& q) {
  bool full = false, elsewhere = false;
  {
    const std::lock_guard lock(mutex_);
    full = count_ >= most_nodes;
    elsewhere = first_ != nullptr && stream_.get() != q.stream;
  }
  if (full || elsewhere) run_readers(nullptr);
}

Step Recording::step_of(const Program& program, std::span<const Input> inputs, const Layout& shape) {
  Step step{&program, 0, std::vector<Source>(inputs.size())};
  for (size_t k = 0; k < inputs.size(); ++k) {
    step.sources[k].scalar = inputs[k].scalar;
    if (inputs[k].table != nullptr) {  // read whole, so from memory
      arr::materialize(*inputs[k].table->buffer);
      step.sources[k].whole = share(*inputs[k].table);
      if (inputs[k].array != nullptr) step.sources[k].array = share(*inputs[k].array);
      continue;
    }
    if (inputs[k].array == nullptr) continue;
    step.sources[k].array = share(*inputs[k].array);
    step.sources[k].node = value_of(*inputs[k].array, shape);
  }
  return step;
}

// Makes the nodes the pending values of the results. Former pending values of that memory are overwritten.
bool Recording::add(std::span<const Ref<Node>> nodes, std::span<const Array* const> results, const Queue& q) {
  // Released after the lock.
  Ref<Stream> before;
  std::array<Ref<Pending>, Program::max_outputs> overwritten;
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
        if (first_ == nullptr) bounds_.clear();
        for (size_t k = 0; k < nodes.size(); ++k) {
          estimate_size(*nodes[k]);
          if (reads(nodes[k]->step, *results[k])) return false;
        }
        // Nothing throws from here on.
        for (size_t k = 0; k < nodes.size(); ++k) {
          link(*nodes[k]);
          overwritten[k] = results[k]->buffer->set_pending(Ref<Node>(nodes[k]));
          if (overwritten[k]) static_cast<Node*>(overwritten[k].get())->memory = nullptr;
        }
        break;
      }
    }
    // Another thread runs it. Once it has run, the operand is read from memory.
    busy->materialize();
    for (const Ref<Node>& n : nodes) {
      for (Source& s : n->step.sources) {
        if (s.node.get() == busy.get()) s.node = nullptr;
      }
    }
  }
  count_recorded(static_cast<int64_t>(nodes.size()));
  return true;
}

bool Recording::record(std::span<const Array* const> results, const Program& program,
                       std::span<const Input> inputs, const Queue& q) {
  if (!deferrable(inputs)) return false;
  prepare(q);
  Step step = step_of(program, inputs, results.front()->layout);
  if (results.size() == 1) {
    const Ref<Node> one[] = {make<Node>(*this, std::move(step), *results.front())};
    return add(one, results, q);
  }
  std::vector<Ref<Node>> nodes;
  nodes.reserve(results.size());
  for (; step.output + 1 < static_cast<int32_t>(results.size()); ++step.output) {
    nodes.push_back(make<Node>(*this, step, *results[nodes.size()]));
  }
  nodes.push_back(make<Node>(*this, std::move(step), *results.back()));
  return add(nodes, results, q);
}

bool Recording::record_write(const Array& dst, const Program& program, std::span<const Input> inputs,
                             const Queue& q) {
  // Only for all of the memory, and where no code outside of libarr knows its address.
  int64_t bytes = 0;
  if (!checked::mul(dst.layout.size(), dst.item(), &bytes) || bytes != dst.buffer->bytes()) return false;
  if (!deferrable(*dst.buffer) || dst.buffer->foreign() || !deferrable(inputs)) return false;
  // The pending value of dst may be an operand; otherwise it is overwritten.
  const Ref<Pending> old = dst.buffer->pending();
  const auto* node = static_cast<const Node*>(old.get());
  if (node != nullptr && node->recording.get() != this) return false;
  prepare(q);
  run_recorders(dst.buffer.get());
  const Array* one[] = {&dst};
  const Ref<Node> made[] = {make<Node>(*this, step_of(program, inputs, dst.layout), dst)};
  return add(made, one, q);
}

void Recording::inline_recorded(const Layout& shape, const Queue& q, bool by_order, Inlined* out) {
  const Program& program = *out->program_;
  const std::span<const Input> inputs = out->inputs_;
  if ((by_order && (flags_ & fuse_reorder) == 0) || program.outputs.size() != 1) return;
  Step root = step_of(program, inputs, shape);
  if (std::none_of(root.sources.begin(), root.sources.end(),
                   [](const Source& s) { return s.node.get() != nullptr; })) {
    return;
  }
  Group group(0);
  std::vector<Ref<Array>> arrays;
  std::unique_lock run(run_);  // until the work is enqueued: what it reads must not change
  {
    const std::lock_guard lock(mutex_);
    if (stream_.get() != q.stream || not_waiting(root.sources)) return;
    group = Group(++marks_);
    for (Source& s : root.sources) {
      // A value that is needed a second time is worth storing.
      if (s.node && s.node->inlined) return;
      if (s.node) arrays.push_back(std::exchange(s.array, nullptr));
    }
    if (!group.add(root) || !group.needs().empty() || !group.reads_memory()) return;
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
