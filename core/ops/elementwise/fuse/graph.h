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
  Ref<Array> array;  // an array in memory, or the stored value of `node`
  Ref<Node> node;    // the value of another program; with `array`, its result in memory
  Scalar scalar;     // used if there is neither
  Ref<Array> whole;  // the array that a look-up reads; `array` is then its base address, or nullptr
};

// The operands of a program. Those of most calls are stored in the object, because allocating memory would
// cost a call on a small array a tenth of its time.
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
  std::vector<Source> many_;  // all operands, if they do not fit in the object
};

// One result of a program.
struct Step {
  const Program* program = nullptr;
  int32_t output = 0;  // index of the program's output
  Sources sources;
  // State for the last Group that was built; guarded by the recording's mutex.
  uint64_t mark = 0;
  int32_t index = -1;
  bool used = false;  // it was part of a program that has run
};
int32_t own_steps(const Program& p) noexcept;  // number of nodes except inputs

// A result that is not computed yet. Its buffer holds a reference, and so do the nodes that need its value. A
// node that nobody needs any more is destroyed, and releases its operands.
class Node final : public Pending {
 public:
  // Its operands are set later.
  Node(Recording& of, const Program& program, int32_t output, size_t operands, const Array& result);
  ~Node() override;
  // Memory of destroyed nodes, kept for the thread's next ones.
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;
  void materialize() override;
  void cancel() noexcept override;

  // True if the array is exactly this result.
  [[nodiscard]] bool is_window(const Array& a) const noexcept;

  const Ref<Recording> recording;  // first member, so that it is destroyed last
  Step step;
  const DType dtype;
  const Layout layout;
  char* const data;

  // The remaining members are guarded by the recording's mutex. The destructor reads them without it: every
  // thread that changed them had a reference.
  enum class State : uint8_t { waiting, running, done, failed } state = State::waiting;
  Buffer* memory;                 // nullptr once the memory is released
  int32_t inputs = 0, steps = 0;  // upper bounds for the programs that compute it
  bool inlined = false;           // it was part of a program that did not store it
  std::unique_ptr<Error> failure;
  Node *before = nullptr, *after = nullptr;  // in order of recording
  bool linked = false;
  // State of the plan that is being made.
  int32_t index = -1;
  const Array* result = nullptr;
  bool assigned = false;  // an earlier program of the plan stores it
};

// A program that is being built: steps, their operands in memory and scalars, and the steps to store.
class Group {
 public:
  explicit Group(uint64_t mark) : mark_(mark) {}
  // Adds a step and all steps that it needs. Returns false, with nothing changed, if a limit is exceeded.
  // again: recomputes values that earlier programs store.
  bool add(Step& step, bool again = false);
  // Makes the step's value, which is in the group, an output.
  void store(const Step& step) { outputs_.push_back(step.index); }
  [[nodiscard]] bool full() const { return outputs_.size() == static_cast<size_t>(Program::max_outputs); }
  [[nodiscard]] bool empty() const { return outputs_.empty(); }
  [[nodiscard]] bool reads_memory() const;
  [[nodiscard]] size_t inputs() const { return leaves_.size(); }
  [[nodiscard]] size_t steps() const { return weight_; }
  [[nodiscard]] std::span<Step* const> all() const { return steps_; }
  // Nodes of earlier programs whose values are read from memory.
  [[nodiscard]] std::span<Node* const> needs() const { return needs_; }

  // Looks programs up by structure, so that a repeated program is built once.
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
  size_t weight_ = 0;           // the steps of all programs
  std::vector<Step*> steps_;    // in an order in which they can run
  std::vector<int32_t> codes_;  // operands of the steps in order: a leaf, or ~index of an earlier step
  std::vector<int32_t> outputs_;
  std::vector<Leaf> leaves_;
  std::vector<Node*> needs_;
};

// Upper bounds of any program of the recorded steps: all steps, and the distinct operands that they read.
// Updating them costs less than visiting the operands of each new step.
class Bounds {
 public:
  // stored: operands that are values of other steps are read from memory.
  void add(const Step& step, bool stored);
  void clear() { *this = {}; }
  [[nodiscard]] int32_t inputs() const { return inputs_; }
  [[nodiscard]] int32_t steps() const { return steps_; }

 private:
  struct Leaf {
    const Array *array, *whole;  // used only for comparison
    Scalar scalar;
  };
  int32_t inputs_ = 0, steps_ = 0;
  Leaf leaves_[Program::max_inputs];  // the first inputs_ operands; more_ has the others
};

// The work of one run: programs in order, and everything that must be released after the locks.
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
  std::vector<Node*> chosen;     // the nodes to run
  bool ran = false;              // nodes that have run or failed, and no longer need their operands
  std::vector<Ref<Buffer>> memory;
  std::vector<Ref<Array>> results;
  std::vector<Ref<Pending>> cleared;
  std::vector<Job> jobs;
  Ref<Stream> stream;
  Queue queue;
};

class Recording final : public Recorder {
 public:
  // A flag beside those of scopes: of operations outside of scopes. Such a recording is in the list of
  // recorders only while it has operations, so that other calls pay for it only then.
  static constexpr int32_t automatic = 1 << 16;
  explicit Recording(int32_t flags);
  [[nodiscard]] bool reorders() const { return (flags_ & fuse_reorder) != 0; }
  ~Recording() override;

  bool record(std::span<const Array* const> results, const Program& program, std::span<const Input> inputs,
              const Queue& q);
  bool record_write(const Array& dst, const Program& program, std::span<const Input> inputs, const Queue& q);
  void inline_recorded(const Layout& shape, const Queue& q, bool by_order, Inlined* out);
  void flush();
  void materialize(Node& node);
  void before_write(const Buffer* memory) override { run_readers(memory); }
  void release_operands() override;
  bool unlink(Node& node) noexcept;  // false if it has run
  void cancel(Node& node) noexcept;

 private:
  [[nodiscard]] bool deferrable(const Buffer& memory) const;
  [[nodiscard]] bool deferrable(std::span<const Input> inputs) const;
  // True for results that take less time to compute than to record.
  [[nodiscard]] bool too_small(std::span<const Array* const> results, const Queue& q) const;
  // True if too much is recorded, or if the recorded work is for another stream. Requires mutex_.
  [[nodiscard]] bool must_run_before(const Queue& q) const;
  // The memory of operands to which only recorded steps refer. Requires mutex_.
  [[nodiscard]] std::vector<const Buffer*> unshared_operands() const;
  void list();             // adds itself to the recorders. Requires mutex_
  void unlist() noexcept;  // requires mutex_, or that no other thread has a reference
  Step step_of(const Program& program, std::span<const Input> inputs, const Layout& shape);
  // fresh: the results' memory is new. Returns false if an operand would have to be read from the memory of a
  // result.
  bool add(std::span<Ref<Node>> nodes, std::span<const Array* const> results, std::span<const Input> inputs,
           bool fresh, const Queue& q);
  // Finds the recorded values of the operands; nullptr for the others. Returns the pending value that must
  // run first, if any, and its operand in *which. ready: a mask of operands that are in memory. Requires
  // mutex_.
  Ref<Pending> find_values(std::span<const Input> inputs, const Layout& shape, uint64_t ready, Node** found,
                           size_t* which);
  // Sets a node's operands. Requires mutex_.
  void connect(Node& node, std::span<const Input> inputs, Node* const* found);
  // Returns the recorded value of an array if it can be part of a program of that shape; otherwise nullptr,
  // and the array must be computed first.
  Ref<Node> value_of(const Array& a, const Layout& shape);
  Ref<Node> not_waiting(std::span<const Source> sources);  // requires mutex_
  // Requires mutex_.
  void link(Node& node) noexcept;
  bool unlink_locked(Node& node) noexcept;
  void lose_memory(Node& node) noexcept;
  void estimate_size(Node& node, std::span<const Input> inputs);
  bool count_exactly(Node& node);
  // Plans the programs for some nodes and all nodes connected to them.
  template <class Wanted>
  void plan(Wanted&& wanted, Batch* batch);
  void plan_jobs(std::span<Node* const> live, Batch* batch);
  void run(Batch* batch, std::optional<Error>* error);
  void run(Batch::Job& job, Batch* batch);
  void finish(const Batch::Job& job, Batch* batch);
  void mark_failed(const Batch::Job& job, const Error& error);
  template <class Wanted>
  std::optional<Error> run_wanted(Wanted&& wanted);
  // Runs the selected operations. The caller did not request their values, so an error is kept
  // for flush().
  template <class Wanted>
  void run_unrequested(Wanted&& wanted);
  void run_readers(const Buffer* memory);  // those that read the memory

  const int32_t flags_;
  bool listed_ = false;  // it is in the list of recorders
  std::mutex run_;       // held while a batch runs
  std::mutex mutex_;     // guards the graph; held briefly. Locked after run_ if both are
  Node *first_ = nullptr, *last_ = nullptr;
  size_t count_ = 0;
  std::array<Node*, 64>
      recent_{};   // nodes by buffer: finds the value of an operand without the buffer's lock
  Bounds bounds_;  // bounds of all nodes recorded since the graph was last empty
  uint64_t marks_ = 0;
  std::optional<Error> unreported_;
  Ref<Stream> stream_;  // the stream in which all of it will run
  Queue queue_;
};

// Adds to the counts of the process.
void count_recorded(int64_t n) noexcept;
void count_program() noexcept;
void count_skipped() noexcept;

}  // namespace arr::fuse
