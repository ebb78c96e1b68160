// SPDX-License-Identifier: MIT
// Plans the programs that compute the requested values, and runs them.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/hash.h"
#include "ops/elementwise/fuse/graph.h"

namespace arr::fuse {

namespace {

// Disjoint sets of numbers; the smallest member represents a set.
class Sets {
 public:
  explicit Sets(size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), 0); }
  int32_t find(int32_t i) {
    while (up_[at(i)] != i) i = up_[at(i)] = up_[at(up_[at(i)])];
    return i;
  }
  void join(int32_t a, int32_t b) {
    a = find(a);
    b = find(b);
    up_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  static size_t at(int32_t i) { return static_cast<size_t>(i); }
  std::vector<int32_t> up_;
};

// The number of runs of recorded operations that the thread is in.
constinit thread_local int32_t runs = 0;
class RunScope {
 public:
  RunScope() noexcept { ++runs; }
  ~RunScope() { --runs; }
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;
};

std::string formula(const Program& p) {
  constexpr size_t max_chars = 160;
  std::string s = describe(p);
  if (s.size() > max_chars) s = s.substr(0, max_chars) + "...";
  return s;
}

// The exception that a run of recorded work threw, as an Error.
Error current_error(const std::string& what) {
  try {
    throw;
  } catch (const Error& e) {
    return {e.status(), text(what, ": ", e.text())};
  } catch (const std::bad_alloc&) {
    return {ARR_E_MEMORY, text(what, ": out of host memory")};
  } catch (const std::length_error&) {
    return {ARR_E_MEMORY, text(what, ": out of host memory: more elements than any memory holds")};
  } catch (const std::exception& e) {
    return {ARR_E_INTERNAL, text(what, ": ", e.what())};
  }
}

// Selects the nodes that are connected to the requested ones by values, in the order of recording.
template <class Wanted>
void choose(Wanted&& wanted, Batch* batch) {
  const std::vector<Ref<Node>>& all = batch->nodes;
  if (std::all_of(all.begin(), all.end(), [&](const Ref<Node>& n) { return wanted(*n); })) {
    for (const Ref<Node>& n : all) batch->chosen.push_back(n.get());
    return;
  }
  Sets sets(all.size());
  std::vector<bool> chosen(all.size(), false);
  for (const Ref<Node>& n : all) {
    for (const Source& s : n->step.sources) {
      if (s.node) sets.join(n->index, s.node->index);
    }
  }
  for (const Ref<Node>& n : all) {
    if (wanted(*n)) chosen[static_cast<size_t>(sets.find(n->index))] = true;
  }
  for (const Ref<Node>& n : all) {
    if (chosen[static_cast<size_t>(sets.find(n->index))]) batch->chosen.push_back(n.get());
  }
}

// Finds the first result that reads an array or a value.
class FirstReaders {
 public:
  FirstReaders() : slots_(64) {}
  // Returns the result that was noted for it before; otherwise notes this one and returns -1.
  int32_t note(const void* what, int32_t result) {
    if (2 * ++used_ > slots_.size()) grow();
    Slot& s = slot(what);
    if (s.what != nullptr) {
      --used_;
      return s.result;
    }
    s = {what, result};
    return -1;
  }

 private:
  struct Slot {
    const void* what = nullptr;
    int32_t result = -1;
  };
  Slot& slot(const void* what) {
    const int32_t bits = std::countr_zero(slots_.size());
    size_t at = hash_slot(reinterpret_cast<uintptr_t>(what), bits);
    while (slots_[at].what != nullptr && slots_[at].what != what) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.what != nullptr) slot(s.what) = s;
    }
  }
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// Results of one shape that read the same arrays, or each other, form one set.
Sets shared_programs(std::span<Node* const> live) {
  Sets sets(live.size());
  if (live.size() < 2) return sets;
  FirstReaders seen;
  std::vector<Step*> below;
  for (size_t i = 0; i < live.size(); ++i) {
    auto meet = [&](const void* what) {
      const int32_t first = seen.note(what, static_cast<int32_t>(i));
      if (first >= 0 && live[static_cast<size_t>(first)]->layout.same_shape(live[i]->layout)) {
        sets.join(first, static_cast<int32_t>(i));
      }
      return first < 0;
    };
    below.assign(1, &live[i]->step);
    meet(&live[i]->step);
    while (!below.empty()) {
      Step* s = below.back();
      below.pop_back();
      for (const Source& source : s->sources) {
        if (source.array) meet(source.array.get());
        if (source.node && meet(&source.node->step)) below.push_back(&source.node->step);
      }
    }
  }
  return sets;
}

}  // namespace

// The nodes connected to the requested ones by values, and jobs for those whose memory still exists. Requires
// run_ and mutex_; if it throws, nothing has changed.
template <class Wanted>
void Recording::plan(Wanted&& wanted, Batch* batch) {
  std::vector<Ref<Node>>& all = batch->nodes;
  all.reserve(count_);
  for (Node* n = first_; n != nullptr; n = n->after) {
    // A node without references is being destroyed, and its thread waits for mutex_.
    if (n->state != Node::State::waiting || !n->try_retain()) continue;
    n->index = static_cast<int32_t>(all.size());
    n->assigned = false;
    n->result = nullptr;
    all.push_back(Ref<Node>::adopt(n));
  }
  batch->chosen.reserve(all.size());
  choose(wanted, batch);
  std::vector<Node*> live;
  live.reserve(batch->chosen.size());
  batch->memory.reserve(batch->chosen.size());
  batch->results.reserve(batch->chosen.size());
  batch->cleared.reserve(batch->chosen.size());
  for (Node* n : batch->chosen) {
    if (n->memory == nullptr || !n->memory->try_retain()) continue;
    batch->memory.push_back(Ref<Buffer>::adopt(n->memory));
    batch->results.push_back(make<Array>(batch->memory.back(), n->data, n->dtype, n->layout));
    n->result = batch->results.back().get();
    live.push_back(n);
  }
  batch->queue = queue_;
  batch->stream = stream_;
  plan_jobs(live, batch);
  for (Node* n : batch->chosen) n->state = Node::State::running;
}

// Results of a set share programs within the limits.
void Recording::plan_jobs(std::span<Node* const> live, Batch* batch) {
  Sets sets = shared_programs(live);
  std::vector<int32_t> order(live.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return sets.find(a) < sets.find(b); });
  int32_t open = -1;  // the set of the last job
  for (int32_t i : order) {
    Node& n = *live[static_cast<size_t>(i)];
    Batch::Job* job = open == sets.find(i) ? &batch->jobs.back() : nullptr;
    if (job == nullptr || job->group.full() || !job->group.add(n.step)) {
      if (job != nullptr) {
        for (Node* stored : job->outputs) stored->assigned = true;
      }
      batch->jobs.push_back({Group(++marks_), {}});
      job = &batch->jobs.back();
      // Reading stored values may need more inputs than a program can have. The step as it was recorded fits.
      if (!job->group.add(n.step) && !job->group.add(n.step, true)) {
        fail(ARR_E_INTERNAL, "a recorded operation fits in no program");
      }
      open = sets.find(i);
    }
    job->group.store(n.step);
    job->outputs.push_back(&n);
  }
}

void Recording::run(Batch::Job& job, Batch* batch) {
  for (Node* n : job.group.needs()) {
    if (n->failure) throw Error(*n->failure);
  }
  const Program* program = nullptr;
  try {
    program = &job.group.program();
    std::vector<Input> inputs;
    std::vector<Ref<Array>> kept;
    job.group.operands(&inputs, &kept);
    std::array<const Array*, Program::max_outputs> results{};
    for (size_t k = 0; k < job.outputs.size(); ++k) results[k] = job.outputs[k]->result;
    enqueue({results.data(), job.outputs.size()}, *program, inputs, batch->queue);
  } catch (...) {
    throw current_error(program == nullptr ? "a recorded operation" : formula(*program));
  }
  count_program();
}

void Recording::finish(const Batch::Job& job, Batch* batch) {
  {
    const std::lock_guard lock(mutex_);
    for (Node* n : job.outputs) {
      n->state = Node::State::done;
      unlink_locked(*n);
    }
    for (Step* s : job.group.all()) s->used = true;
  }
  for (Node* n : job.outputs) batch->cleared.push_back(n->result->buffer->clear_pending());
}

void Recording::mark_failed(const Batch::Job& job, const Error& error) {
  for (Node* n : job.outputs) {
    auto kept = std::make_unique<Error>(error);
    unlink(*n);
    const std::lock_guard lock(mutex_);
    n->state = Node::State::failed;
    n->failure = std::move(kept);
    n->step.used = true;
  }
}

void Recording::run(Batch* batch, std::optional<Error>* error) {
  for (Batch::Job& job : batch->jobs) {
    try {
      run(job, batch);
    } catch (const Error& e) {
      mark_failed(job, e);
      if (!*error) error->emplace(e);
      continue;
    }
    finish(job, batch);
  }
  // Removed from the list under one lock, so that no other thread finds them.
  const std::lock_guard lock(mutex_);
  for (Node* n : batch->chosen) {
    if (unlink_locked(*n) && !n->step.used) count_skipped();
  }
  batch->ran = true;
}

template <class Wanted>
std::optional<Error> Recording::run_wanted(Wanted&& wanted) {
  const RunScope scope;
  Batch batch;  // released after the locks
  std::optional<Error> error;
  const std::lock_guard run_lock(run_);
  {
    const std::lock_guard lock(mutex_);
    plan(wanted, &batch);
  }
  run(&batch, &error);
  return error;
}

void Recording::materialize(Node& node) {
  {
    const std::lock_guard lock(mutex_);
    if (node.state == Node::State::done) return;
  }
  run_wanted([&](const Node& n) { return &n == &node; });
  const std::lock_guard lock(mutex_);
  if (node.state == Node::State::done) return;
  if (node.failure) throw Error(node.failure->status(), text("recorded earlier: ", node.failure->text()));
  arr::fail(ARR_E_MEMORY, "recorded earlier: out of host memory");
}

void Recording::flush() {
  std::optional<Error> error = run_wanted([](const Node&) { return true; });
  {
    const std::lock_guard lock(mutex_);
    if (!error) error = std::move(unreported_);
    unreported_.reset();
  }
  if (error) throw Error(*error);
}

template <class Wanted>
void Recording::run_unrequested(Wanted&& wanted) {
  {
    const std::lock_guard lock(mutex_);
    const Node* n = first_;
    while (n != nullptr && !wanted(*n)) n = n->after;
    if (n == nullptr) return;
  }
  std::optional<Error> error = run_wanted(wanted);
  const std::lock_guard lock(mutex_);
  if (error && !unreported_) unreported_ = std::move(error);
}

void Recording::run_readers(const Buffer* memory) {
  auto reads = [&](const Node& n) {
    return memory == nullptr ||
           std::any_of(n.step.sources.begin(), n.step.sources.end(), [&](const Source& s) {
             const Array* read = s.array ? s.array.get() : s.whole.get();
             const Buffer* b = read != nullptr ? read->buffer.get() : nullptr;
             return b != nullptr && b->data() < memory->data() + memory->bytes() &&
                    memory->data() < b->data() + b->bytes();
           });
  };
  run_unrequested(reads);
}

// Each is one of several arrays, or several are views of one memory.
std::vector<const Buffer*> Recording::unshared_operands() const {
  struct Operand {
    const Array* array;
    int32_t references;  // those of the steps
  };
  std::vector<Operand> operands;
  const auto count = [&](const Array* a) {
    if (a == nullptr) return;
    const auto same =
        std::find_if(operands.begin(), operands.end(), [&](const Operand& o) { return o.array == a; });
    if (same != operands.end()) {
      ++same->references;
    } else {
      operands.push_back({a, 1});
    }
  };
  for (const Node* n = first_; n != nullptr; n = n->after) {
    for (const Source& s : n->step.sources) {
      count(s.array.get());
      count(s.whole.get());
    }
  }
  std::erase_if(operands, [](const Operand& o) { return o.array->references() != o.references; });
  std::vector<const Buffer*> unshared;
  for (const Operand& o : operands) {
    const Buffer* b = o.array->buffer.get();
    const auto views = std::count_if(operands.begin(), operands.end(),
                                     [&](const Operand& v) { return v.array->buffer.get() == b; });
    if (b->references() == views) unshared.push_back(b);
  }
  return unshared;
}

void Recording::release_operands() {
  if (runs != 0) return;  // the thread may hold run_
  std::vector<const Buffer*> unshared;
  {
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr) return;
    unshared = unshared_operands();
  }
  if (unshared.empty()) return;
  run_unrequested([&](const Node& n) {
    return std::any_of(n.step.sources.begin(), n.step.sources.end(), [&](const Source& s) {
      const Array* read = s.whole ? s.whole.get() : s.array.get();
      return read != nullptr &&
             std::find(unshared.begin(), unshared.end(), read->buffer.get()) != unshared.end();
    });
  });
}

}  // namespace arr::fuse
