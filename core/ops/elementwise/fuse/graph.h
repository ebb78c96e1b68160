// SPDX-License-Identifier: MIT
// The recorded operations of a scope: a graph of programs over arrays, from which longer programs are made.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "ops/elementwise/fuse/fuse.h"

namespace arr::fuse {

class Node;
class Recording;

// An operand of a recorded program.
struct Source {
  Ref<Array> array;  // read from memory
  Ref<Node> node;  // the value of another program; with an array too: its result in memory, to keep programs
                   // within their limits
  Scalar scalar;   // where there is neither
  Ref<Array> whole;  // the array that a look-up reads; `array` is then where it begins, or nothing
};

// The operands of a program. Those of most calls lie in the object itself, because separate memory costs
// a call on a small array a tenth.
class Sources {
 public:
  Sources() = default;
  explicit Sources(size_t n) : size_(n) {
    if (n > few_.size()) many_.resize(n);
  }
  [[nodiscard]] size_t size() const noexcept { return size_; }
  [[nodiscard]] Source* data() noexcept { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] const Source* data() const noexcept { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] Source* begin() noexcept { return data(); }
  [[nodiscard]] Source* end() noexcept { return data() + size_; }
  [[nodiscard]] const Source* begin() const noexcept { return data(); }
  [[nodiscard]] const Source* end() const noexcept { return data() + size_; }
  [[nodiscard]] Source& operator[](size_t k) noexcept { return data()[k]; }
  void clear() noexcept {
    for (Source& s : *this) s = {};
    size_ = 0;
    many_.clear();
  }

 private:
  size_t size_ = 0;
  std::array<Source, 3> few_;
  std::vector<Source> many_;  // all of them where they are more
};

// One result of a program.
struct Step {
  const Program* program = nullptr;
  int32_t output = 0;  // which of the program's
  Sources sources;
  // State of the Group that was made last; guarded by the recording's mutex.
  uint64_t mark = 0;
  int32_t place = -1;
  bool used = false;  // it was part of a program that ran
};
int32_t own_steps(const Program& p) noexcept;  // of its nodes except the inputs

// A result that is not computed yet. Its buffer holds a reference, and so do the nodes that need its value: a
// node that can no longer be needed is destroyed, and its operands with it.
class Node final : public Pending {
 public:
  // The operands are still to be set.
  Node(Recording& of, const Program& program, int32_t output, size_t operands, const Array& result);
  ~Node() override;
  // Memory of nodes that have ended is kept for the thread's next ones.
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;
  void materialize() override;
  void cancel() noexcept override;

  // True if the array is just this result.
  [[nodiscard]] bool is_window(const Array& a) const noexcept;

  const Ref<Recording> recording;  // first, so that it is destroyed last
  Step step;
  const DType dtype;
  const Layout layout;
  char* const data;

  // The rest is guarded by the recording's mutex. The destructor reads it without: whoever changed it had a
  // reference.
  enum class State : uint8_t { waiting, running, done, failed } state = State::waiting;
  Buffer* memory;                 // nullptr once the memory is gone
  int32_t inputs = 0, steps = 0;  // upper bounds of the programs that compute it
  bool inlined = false;           // it was part of a program that has not stored it
  std::unique_ptr<Error> failure;
  Node *before = nullptr, *after = nullptr;  // in order of recording
  bool linked = false;
  // State of the plan being made.
  int32_t index = -1;
  const Array* result = nullptr;
  bool assigned = false;  // an earlier program of the plan stores it
};

// A program in the making: steps, the memory and numbers that they read, and which of them are stored.
class Group {
 public:
  explicit Group(uint64_t mark) : mark_(mark) {}
  // Adds a step and all it needs. Returns false and changes nothing where a limit is exceeded. again: values
  // that earlier programs store are computed once more.
  bool add(Step& step, bool again = false);
  // The step's value, which is in the group, is an output.
  void store(const Step& step) { outputs_.push_back(step.place); }
  [[nodiscard]] bool full() const { return outputs_.size() == static_cast<size_t>(Program::max_outputs); }
  [[nodiscard]] bool empty() const { return outputs_.empty(); }
  [[nodiscard]] bool reads_memory() const;
  [[nodiscard]] size_t inputs() const { return leaves_.size(); }
  [[nodiscard]] size_t steps() const { return weight_; }
  [[nodiscard]] std::span<Step* const> all() const { return steps_; }
  // Nodes of earlier programs that are read.
  [[nodiscard]] std::span<Node* const> needs() const { return needs_; }

  // Found again by structure, so that what repeats is built once.
  [[nodiscard]] const Program& program() const;
  void operands(std::vector<Input>* inputs, std::vector<Ref<Array>>* kept) const;

 private:
  struct Leaf {
    Ref<Array> array;
    Scalar scalar;
    Ref<Array> whole;
  };
  [[nodiscard]] bool fits() const;
  void visit(Step& step, bool again);
  int32_t leaf(const Source& source);
  [[nodiscard]] const Program* build() const;
  uint64_t mark_;
  size_t weight_ = 0;           // steps of all programs
  std::vector<Step*> steps_;    // in an order in which they can run
  std::vector<int32_t> codes_;  // operand by operand of the steps: a leaf, or ~ a step before it
  std::vector<int32_t> outputs_;
  std::vector<Leaf> leaves_;
  std::vector<Node*> needs_;
};

// Upper bounds of any program of the recorded steps: all of them, and the different operands that they read.
// They cost less than to follow the operands of each new step.
class Bounds {
 public:
  // stored: operands that are values of other steps are read from memory.
  void add(const Step& step, bool stored);
  void clear() { *this = {}; }
  [[nodiscard]] int32_t inputs() const { return inputs_; }
  [[nodiscard]] int32_t steps() const { return steps_; }

 private:
  struct Leaf {
    const Array *array, *whole;  // only compared
    Scalar scalar;
  };
  int32_t inputs_ = 0, steps_ = 0;
  Leaf leaves_[Program::max_inputs];  // the first inputs_; there are more where inputs_ is larger
};

// The work of one run: programs in order, and everything that must not be released under a lock.
struct Batch {
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (!ran) return;
    for (Node* n : chosen) n->step.sources.clear();
  }
  struct Job {
    Group group;
    std::vector<Node*> outputs;
  };
  std::vector<Ref<Node>> nodes;  // all there were
  std::vector<Node*> chosen;     // those that run
  bool ran = false;              // they have, or have failed, and need their operands no more
  std::vector<Ref<Buffer>> memory;
  std::vector<Ref<Array>> results;
  std::vector<Ref<Pending>> cleared;
  std::vector<Job> jobs;
  Ref<Stream> stream;
  Queue queue;
};

class Recording final : public Recorder {
 public:
  explicit Recording(int32_t flags);
  ~Recording() override;

  bool record(std::span<const Array* const> results, const Program& program, std::span<const Input> inputs,
              const Queue& q);
  bool record_write(const Array& dst, const Program& program, std::span<const Input> inputs, const Queue& q);
  void inline_recorded(const Layout& shape, const Queue& q, bool by_order, Inlined* out);
  void flush();
  void materialize(Node& node);
  void before_write(const Buffer* memory) override { run_readers(memory); }
  bool unlink(Node& node) noexcept;  // false where it has run
  void cancel(Node& node) noexcept;

 private:
  [[nodiscard]] bool deferrable(const Buffer& memory) const;
  [[nodiscard]] bool deferrable(std::span<const Input> inputs) const;
  // True for results that take less time to compute than to record.
  [[nodiscard]] bool too_small(std::span<const Array* const> results, const Queue& q) const;
  // True if there is too much of what is recorded, or if it is for another stream. With mutex_ held.
  [[nodiscard]] bool must_run_before(const Queue& q) const;
  Step step_of(const Program& program, std::span<const Input> inputs, const Layout& shape);
  // fresh: the results' memory is new. Returns false where an operand would have to be read from the memory
  // of a result.
  bool add(std::span<Ref<Node>> nodes, std::span<const Array* const> results, std::span<const Input> inputs,
           bool fresh, const Queue& q);
  // Finds the recorded values that the operands are; nullptr for the others. Returns the pending value that
  // must run first, if there is one, and its operand in *which. ready: a mask of operands that are in memory.
  // With mutex_ held.
  Ref<Pending> find_values(std::span<const Input> inputs, const Layout& shape, uint64_t ready, Node** found,
                           size_t* which);
  // Sets a node's operands. With mutex_ held.
  void connect(Node& node, std::span<const Input> inputs, Node* const* found);
  // The recorded value that an array is, if it can be part of a program of that shape; else nullptr, and the
  // array is materialized.
  Ref<Node> value_of(const Array& a, const Layout& shape);
  Ref<Node> not_waiting(std::span<const Source> sources);  // with mutex_ held
  // With mutex_ held.
  void link(Node& node) noexcept;
  bool unlink_locked(Node& node) noexcept;
  void lose_memory(Node& node) noexcept;
  void estimate_size(Node& node, std::span<const Input> inputs);
  bool count_exactly(Node& node);
  // Plans what some nodes and all connected to them need.
  template <class Wanted>
  void plan(Wanted&& wanted, Batch* batch);
  void plan_jobs(std::span<Node* const> live, Batch* batch);
  void run(Batch* batch, std::optional<Error>* error);
  void run(Batch::Job& job, Batch* batch);
  void finish(const Batch::Job& job, Batch* batch);
  void mark_failed(const Batch::Job& job, const Error& error);
  template <class Wanted>
  std::optional<Error> run_wanted(Wanted&& wanted);
  // Runs what reads the memory. The caller did not ask for these values, so an error is kept for flush().
  void run_readers(const Buffer* memory);

  const int32_t flags_;
  std::mutex run_;    // one batch runs at a time
  std::mutex mutex_;  // of the graph; held for moments. Locked after run_ where both are
  Node *first_ = nullptr, *last_ = nullptr;
  size_t count_ = 0;
  std::array<Node*, 64>
      recent_{};   // by their buffers: finds the value of an operand without the buffer's lock
  Bounds bounds_;  // of all since nothing was recorded
  uint64_t marks_ = 0;
  std::optional<Error> unreported_;
  Ref<Stream> stream_;  // where all of it will run
  Queue queue_;
};

// Adds to the counts of the process.
void count_recorded(int64_t n) noexcept;
void count_program() noexcept;
void count_skipped() noexcept;

}  // namespace arr::fuse
