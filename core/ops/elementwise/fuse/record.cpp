// SPDX-License-Identifier: MIT
// Recording: creation and destruction of nodes, and their references.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/hash.h"
#include "base/per_thread.h"
#include "ops/elementwise/fuse/graph.h"

namespace arr::fuse {

namespace {

// Max number of recorded operations; then they run. Outside of scopes, where a program cannot say when they
// run, sooner.
constexpr size_t max_recorded = 512, max_automatic = 64;

// With results of 18,000 bytes, five operations take as long recorded as at once; with 11,000 bytes 81 do
// (two cores with AVX-512).
constexpr int64_t small_bytes = 12288;

bool fits(int32_t inputs, int32_t steps) {
  return inputs <= Program::max_inputs && inputs + steps <= Program::max_nodes;
}

// True if an array is exactly the node's value and has the shape of a program.
bool is_operand(const Node& node, const Array& a, const Layout& shape) {
  return node.is_window(a) && node.layout.same_shape(shape);
}

// The slot of a buffer in the table of recent values.
size_t slot_of(const Buffer* memory) { return hash_slot(reinterpret_cast<uintptr_t>(memory), 6); }

// True if an operand of the step is in the array's memory; an operand that is a value has no array.
bool reads(const Step& step, const Array& a) {
  return std::any_of(step.sources.begin(), step.sources.end(), [&](const Source& s) {
    const Array* read = s.whole ? s.whole.get() : s.array.get();
    return read != nullptr && may_share_memory(*read, a);
  });
}

// Plain data, because nodes may be destroyed while the thread's objects are.
struct Spare {
  void* first;  // a free list: each block holds the address of the next
  int32_t count;
  bool ended;
};
constinit thread_local Spare spare{};
constexpr int32_t max_spare = 128;

}  // namespace

void* Node::operator new(size_t bytes) {
  void* p = spare.first;
  if (p == nullptr) return ::operator new(bytes);
  std::memcpy(&spare.first, p, sizeof p);
  --spare.count;
  return p;
}

void Node::operator delete(void* p) noexcept {
  if (spare.ended || spare.count == max_spare) return ::operator delete(p);
  if (spare.first == nullptr) {
    at_thread_end([] {
      spare.ended = true;
      while (void* last = spare.first) {
        std::memcpy(&spare.first, last, sizeof last);
        ::operator delete(last);
      }
    });
  }
  std::memcpy(p, &spare.first, sizeof p);
  spare.first = p;
  ++spare.count;
}

Node::Node(Recording& of, const Program& program, int32_t output, size_t operands, const Array& result_array)
    : recording(Ref<Recording>::share(&of)),
      step{&program, output, Sources(operands)},
      dtype(result_array.dtype),
      layout(result_array.layout),
      data(result_array.data),
      memory(result_array.buffer.get()) {}

Node::~Node() {
  if (linked && recording->unlink(*this) && !step.used) count_skipped();
}

void Node::materialize() { recording->materialize(*this); }
void Node::cancel() noexcept { recording->cancel(*this); }

bool Node::is_window(const Array& a) const noexcept {
  return a.data == data && a.dtype == dtype && a.layout.same_strides(layout);
}

Recording::Recording(int32_t flags) : flags_(flags) {
  if ((flags & automatic) == 0) list();
}
Recording::~Recording() { unlist(); }

void Recording::list() {
  if (listed_) return;
  add_recorder(*this);
  listed_ = true;
}
void Recording::unlist() noexcept {
  if (listed_) remove_recorder(*this);
  listed_ = false;
}

bool Recording::unlink(Node& node) noexcept {
  const std::lock_guard lock(mutex_);
  return unlink_locked(node);
}

bool Recording::unlink_locked(Node& node) noexcept {
  if (!node.linked) return false;
  (node.before == nullptr ? first_ : node.before->after) = node.after;
  (node.after == nullptr ? last_ : node.after->before) = node.before;
  node.linked = false;
  if (--count_ == 0 && (flags_ & automatic) != 0) unlist();
  Node*& recent = recent_[slot_of(node.memory)];
  if (recent == &node) recent = nullptr;
  return true;
}

void Recording::lose_memory(Node& node) noexcept {
  Node*& recent = recent_[slot_of(node.memory)];
  if (recent == &node) recent = nullptr;
  node.memory = nullptr;
}

void Recording::cancel(Node& node) noexcept {
  const std::lock_guard lock(mutex_);
  lose_memory(node);
}

bool Recording::deferrable(const Buffer& memory) const {
  if (!memory.lasting()) return false;
  return (flags_ & fuse_shared) != 0 ||
         (!memory.foreign() && !memory.exposed.load(std::memory_order_relaxed));
}

Ref<Node> Recording::value_of(const Array& a, const Layout& shape) {
  Ref<Pending> pending = a.buffer->pending();
  if (!pending) return nullptr;
  // Only recording creates pending values.
  Ref<Node> node = Ref<Node>::adopt(static_cast<Node*>(pending.detach()));
  if (node->recording.get() == this && is_operand(*node, a, shape)) return node;
  node->materialize();
  return nullptr;
}

Ref<Node> Recording::not_waiting(std::span<const Source> sources) {
  for (const Source& s : sources) {
    if (s.node && s.node->state != Node::State::waiting) return s.node;
  }
  return nullptr;
}

// Adds up the operands' bounds. If the sums are too large, uses those of everything recorded, or else counts
// exactly. If that is too large as well, the operands are stored.
void Recording::estimate_size(Node& node, std::span<const Input> inputs) {
  Sources& sources = node.step.sources;
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
  if (values) return;
  for (size_t k = 0; k < sources.size(); ++k) {
    if (sources[k].node) sources[k].array = inputs[k].array->share();
  }
  add_up(true);
  bounds_.add(node.step, true);  // counts its own steps twice, which does no harm
}

// False if the step and the values that it reads exceed the limits of a program.
bool Recording::count_exactly(Node& node) {
  Group exact(++marks_);
  if (!exact.add(node.step)) return false;
  node.inputs = static_cast<int32_t>(exact.inputs());
  node.steps = static_cast<int32_t>(exact.steps());
  return true;
}

void Recording::link(Node& node) noexcept {
  node.before = last_;
  (last_ == nullptr ? first_ : last_->after) = &node;
  last_ = &node;
  node.linked = true;
  ++count_;
  recent_[slot_of(node.memory)] = &node;
}

bool Recording::deferrable(std::span<const Input> inputs) const {
  return !has_ramp(inputs) && std::all_of(inputs.begin(), inputs.end(), [&](const Input& in) {
    const Array* read = in.table != nullptr ? in.table : in.array;
    return read == nullptr || deferrable(*read->buffer);
  });
}

bool Recording::too_small(std::span<const Array* const> results, const Queue& q) const {
  if (!q.synchronous || q.stream->capturing() || (flags_ & fuse_small) != 0) return false;
  return std::all_of(results.begin(), results.end(),
                     [](const Array* a) { return a->layout.size() <= small_bytes / a->item(); });
}

bool Recording::must_run_before(const Queue& q) const {
  return count_ >= ((flags_ & automatic) != 0 ? max_automatic : max_recorded) ||
         (first_ != nullptr && stream_.get() != q.stream);
}

Step Recording::step_of(const Program& program, std::span<const Input> inputs, const Layout& shape) {
  Step step{&program, 0, Sources(inputs.size())};
  for (size_t k = 0; k < inputs.size(); ++k) {
    step.sources[k].scalar = inputs[k].scalar;
    if (inputs[k].table != nullptr) {  // read entirely, so from memory
      arr::materialize(*inputs[k].table->buffer);
      step.sources[k].whole = inputs[k].table->share();
      if (inputs[k].array != nullptr) step.sources[k].array = inputs[k].array->share();
      continue;
    }
    if (inputs[k].array == nullptr) continue;
    step.sources[k].array = inputs[k].array->share();
    step.sources[k].node = value_of(*inputs[k].array, shape);
  }
  return step;
}

Ref<Pending> Recording::find_values(std::span<const Input> inputs, const Layout& shape, uint64_t ready,
                                    Node** found, size_t* which) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Array* a = inputs[k].array;
    found[k] = nullptr;
    if (a == nullptr || inputs[k].table != nullptr || (ready >> k & 1) != 0) continue;
    // The caller holds the buffer, and the buffer holds the node of its value.
    Node* node = recent_[slot_of(a->buffer.get())];
    if (node == nullptr || node->memory != a->buffer.get() || node->state != Node::State::waiting ||
        !is_operand(*node, *a, shape)) {
      Ref<Pending> pending = a->buffer->pending();
      if (!pending) continue;
      node = static_cast<Node*>(pending.get());  // only recording creates pending values
      if (node->recording.get() != this || node->state != Node::State::waiting ||
          !is_operand(*node, *a, shape)) {
        *which = k;
        return pending;
      }
    }  // the buffer keeps a reference while the node is pending
    found[k] = node;
  }
  return nullptr;
}

void Recording::connect(Node& node, std::span<const Input> inputs, Node* const* found) {
  Sources& sources = node.step.sources;
  for (size_t k = 0; k < inputs.size(); ++k) {
    Source& s = sources[k];
    s.scalar = inputs[k].scalar;
    if (inputs[k].table != nullptr) s.whole = inputs[k].table->share();
    if (found[k] != nullptr) {
      s.node = Ref<Node>::share(found[k]);
    } else if (inputs[k].array != nullptr) {
      s.array = inputs[k].array->share();
    }
  }
  estimate_size(node, inputs);
}

// Makes the nodes the pending values of the results. Former pending values of that memory are discarded.
bool Recording::add(std::span<Ref<Node>> nodes, std::span<const Array* const> results,
                    std::span<const Input> inputs, bool fresh, const Queue& q) {
  for (const Input& in : inputs) {
    if (in.table != nullptr) arr::materialize(*in.table->buffer);  // read entirely, so from memory
  }
  Node* found[Program::max_inputs];
  uint64_t ready = 0;  // a mask of operands in memory
  for (bool checked = false;; checked = true) {
    // Released after the lock.
    Ref<Stream> before;
    Ref<Pending> overwritten, busy;
    size_t which = 0;
    {
      const std::lock_guard lock(mutex_);
      const bool first_runs = !checked && must_run_before(q);
      if (!first_runs) busy = find_values(inputs, results.front()->layout, ready, found, &which);
      if (!first_runs && !busy) {
        if (stream_.get() != q.stream) {
          before = std::exchange(stream_, Ref<Stream>::share(q.stream));
          queue_ = q;
        }
        list();
        if (first_ == nullptr) bounds_.clear();
        for (const Ref<Node>& n : nodes) connect(*n, inputs, found);
        if (!fresh && reads(nodes.front()->step, *results.front())) return false;
        // No exception from here on.
        for (size_t k = 0; k < nodes.size(); ++k) {
          link(*nodes[k]);
          Buffer& memory = *results[k]->buffer;
          if (fresh) {
            memory.begin_pending(std::move(nodes[k]));
          } else {
            overwritten = memory.set_pending(std::move(nodes[k]));
          }
        }
        if (overwritten) lose_memory(static_cast<Node&>(*overwritten));
        break;
      }
    }
    if (!busy) {
      run_readers(nullptr);
      continue;
    }
    // Another thread runs it, or it has another shape or scope.
    busy->materialize();
    ready |= uint64_t{1} << which;
  }
  count_recorded(static_cast<int64_t>(nodes.size()));
  return true;
}

bool Recording::record(std::span<const Array* const> results, const Program& program,
                       std::span<const Input> inputs, const Queue& q) {
  if (too_small(results, q) || !deferrable(inputs)) return false;
  if (results.size() == 1) {
    Ref<Node> one[] = {make<Node>(*this, program, 0, inputs.size(), *results.front())};
    return add(one, results, inputs, true, q);
  }
  std::vector<Ref<Node>> nodes;
  nodes.reserve(results.size());
  for (size_t k = 0; k < results.size(); ++k) {
    nodes.push_back(make<Node>(*this, program, static_cast<int32_t>(k), inputs.size(), *results[k]));
  }
  return add(nodes, results, inputs, true, q);
}

bool Recording::record_write(const Array& dst, const Program& program, std::span<const Input> inputs,
                             const Queue& q) {
  const Array* one[] = {&dst};
  if (too_small(one, q)) return false;
  // Only for a write to all of the memory, whose address no code outside of libarr knows.
  int64_t bytes = 0;
  if (!checked::mul(dst.layout.size(), dst.item(), &bytes) || bytes != dst.buffer->bytes()) return false;
  if (!deferrable(*dst.buffer) || dst.buffer->foreign() || !deferrable(inputs)) return false;
  // The pending value of dst may be an operand; otherwise it is discarded.
  const Ref<Pending> old = dst.buffer->pending();
  const auto* node = static_cast<const Node*>(old.get());
  if (node != nullptr && node->recording.get() != this) return false;
  run_recorders(dst.buffer.get());
  Ref<Node> made[] = {make<Node>(*this, program, 0, inputs.size(), dst)};
  return add(made, one, inputs, false, q);
}

void Recording::inline_recorded(const Layout& shape, const Queue& q, bool by_order, Inlined* out) {
  const Program& program = *out->program_;
  const std::span<const Input> inputs = out->inputs_;
  if ((by_order && !reorders()) || program.outputs.size() != 1) return;
  {
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr) return;
  }
  Step root = step_of(program, inputs, shape);
  if (std::none_of(root.sources.begin(), root.sources.end(),
                   [](const Source& s) { return s.node.get() != nullptr; })) {
    return;
  }
  Group group(0);
  std::vector<Ref<Array>> arrays;
  std::unique_lock run(run_);  // until the work is enqueued, the memory that it reads must not change
  {
    const std::lock_guard lock(mutex_);
    if (stream_.get() != q.stream || not_waiting(root.sources)) return;
    group = Group(++marks_);
    for (Source& s : root.sources) {
      // A value that is needed twice should be stored.
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
