// SPDX-License-Identifier: MIT
// Programs: typed scalar expressions, the form in which all element-wise work reaches a backend. An eager op
// is a program with one op, a fused expression one with several; a reduction maps its input by a program.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "expr/ops.h"

namespace arr {

// Bits of one scalar, as in memory (little end first).
struct Scalar {
  DType dtype = DType::none;
  uint64_t lo = 0, hi = 0;
  friend bool operator==(const Scalar&, const Scalar&) = default;
};
// From and to the C++ type of the dtype.
template <class T>
Scalar scalar_bits(DType d, const T& value) {
  Scalar s;
  s.dtype = d;
  __builtin_memcpy(&s.lo, &value, sizeof(T) < 8 ? sizeof(T) : 8);
  if constexpr (sizeof(T) == 16) __builtin_memcpy(&s.hi, reinterpret_cast<const char*>(&value) + 8, 8);
  return s;
}
template <class T>
T scalar_value(const Scalar& s) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &s.lo, sizeof(T) < 8 ? sizeof(T) : 8);
  if constexpr (sizeof(T) == 16) __builtin_memcpy(reinterpret_cast<char*>(&value) + 8, &s.hi, 8);
  return value;
}
// The scalar converted to another dtype by the rules of arr_cast.
Scalar convert(const Scalar& s, DType to);
// A weak scalar as `to`. An integer must fit (NumPy's OverflowError), and a number with an imaginary part
// needs a complex dtype or bool (NumPy's TypeError).
Scalar fit_plain(const Scalar& s, DType to);
// Replaces the dtype of a weak integer operand of an EXACT op by int64 or uint64 if the number does not fit
// in the dtype of the other operand, so that comparisons are right for every number.
void resolve_weak_scalars(const OpInfo& op, std::span<OperandType> types,
                          std::span<const Scalar* const> scalars);
Scalar scalar_of(double x);
Scalar scalar_of(int64_t x);

struct Node {
  enum class Kind : uint8_t { input, op, cast } kind = Kind::input;
  DType dtype = DType::none;       // dtype of the value
  DType compute = DType::none;     // op: T of the formula; cast: dtype of the source
  int32_t op = 0;                  // op: its number
  int32_t args[3] = {-1, -1, -1};  // op, cast: nodes before this one;  input: args[0] is its index
  friend bool operator==(const Node&, const Node&) = default;
};

// 128 bits that identify a program's structure; equal keys mean equal programs.
struct ProgramKey {
  uint64_t lo = 0, hi = 0;
  friend bool operator==(const ProgramKey&, const ProgramKey&) = default;
};

// Immutable once built. Nodes are in the order of evaluation; outputs are indices of nodes. Values of 16-bit
// floats are only loaded, cast and stored: every op has a separate dtype of computation.
class Program {
 public:
  static constexpr int32_t max_inputs = 16, max_outputs = 4, max_nodes = 256;
  std::vector<Node> nodes;
  std::vector<DType> inputs;     // dtype of each input operand: arrays first, then immediate scalars
  std::vector<int32_t> outputs;  // nodes; their dtypes are the outputs' dtypes
  uint32_t load_bases = 0;  // bit k: input k is the base address of an op::load; it has strides like an array
  uint32_t faults = 0;      // bit k: input k has an error word for op::index_check
  ProgramKey key;

  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // A backend's compiled form of this program, made once and kept. slot: the backend's device type.
  struct Attachment {
    virtual ~Attachment() = default;
  };
  template <class Make>
  const Attachment* attach(int32_t slot, Make&& build) const {
    std::atomic<Attachment*>& a = attached_[static_cast<size_t>(slot)];
    Attachment* found = a.load(std::memory_order_acquire);
    if (found != nullptr) return found;
    std::unique_ptr<Attachment> fresh = build();
    if (a.compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel)) return fresh.release();
    return found;
  }

 private:
  mutable std::atomic<Attachment*> attached_[4] = {};
};

// A program and the scalars for its last inputs. Values of constants are operands, not structure, so another
// constant needs no other kernel.
struct BoundProgram {
  const Program* program = nullptr;  // interned: never freed, equal structures are one object
  std::vector<Scalar> immediates;
};

// A program of any length, which is not interned; see divide() in passes.h.
struct WholeProgram {
  std::unique_ptr<Program> program;
  std::vector<Scalar> immediates;
};

// Builds a program node by node; equal nodes are created once.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(size_t max_nodes = Program::max_nodes) : max_nodes_(max_nodes) {}
  int32_t input(DType dtype);  // adds the next array operand
  // A constant. weak: it takes the dtype of the other operand (NEP 50).
  int32_t scalar(const Scalar& value, bool weak);
  int32_t cast(int32_t node, DType to);
  // Resolves types, inserts casts, computes 16-bit floats in float32 and rounds.
  int32_t op(int32_t number, std::span<const int32_t> args);
  int32_t op(int32_t number, std::same_as<int32_t> auto... args) { return op(number, std::array{args...}); }
  // A look-up or a random number of dtype t. The first argument may be a node of input(DType::table_), a
  // vector or a stream; the others are cast.
  int32_t step(int32_t number, DType t, std::span<const int32_t> args);
  int32_t step(int32_t number, DType t, std::same_as<int32_t> auto... args) {
    return step(number, t, std::array{args...});
  }
  // Appends the steps of a program with other inputs. Returns the node of the output.
  int32_t append(const Program& program, int32_t output, std::span<const int32_t> inputs);
  void output(int32_t node);
  [[nodiscard]] DType dtype(int32_t node) const { return nodes_.at(static_cast<size_t>(node)).node.dtype; }
  BoundProgram finish();
  WholeProgram finish_whole();

 private:
  struct Building {
    Node node;
    bool weak = false;
    int32_t scalar = -1;  // index into scalars_
  };
  int32_t push(const Building& b);
  // Applies rules that hold for every value (simplify.cpp): returns a node with the same value, or -1.
  [[nodiscard]] int32_t simplified(const Node& n) const;
  [[nodiscard]] int32_t uncast(int32_t node, DType to);
  [[nodiscard]] bool is_number(int32_t node, int32_t number) const;
  int32_t as_type(int32_t node, DType to);  // casts; weak scalars get another dtype with a range check
  // An EXACT op of a signed and an unsigned integer that no integer type holds.
  int32_t compare_mixed(int32_t number, int32_t x, int32_t y);
  std::vector<Building> nodes_;
  std::vector<Scalar> scalars_;
  std::vector<int32_t> outputs_;
  int32_t inputs_ = 0;
  size_t max_nodes_;
};
// The program of this structure that is kept forever. Throws ARR_E_UNSUPPORTED if it has too many inputs.
const Program* intern(std::unique_ptr<Program> program);

// The node of an element as the reduction combines it: after the casts and the row's `map`.
int32_t reduce_map(ProgramBuilder& builder, const ReductionInfo& reduction, const ReduceTypes& types,
                   int32_t node);
// The same as a program of one input, which is never freed.
const BoundProgram& reduce_map(const ReductionInfo& reduction, DType in);
// The identity of a reduction, combined after the map. ARR_E_ARGUMENT if it has none.
Scalar reduce_identity(const ReductionInfo& reduction, DType acc);

// The program's formula in one line: "sqrt(add(multiply(in0, in0), in1))". A value that is used more than
// once has a name: "v1 = exp(in0); multiply(v1, v1)".
std::string describe(const Program& program);
// The program as readable text, a line per value, with the values of constants and the cost per element.
// axes: of the index operands, which follow the arrays.
std::string explain(const BoundProgram& bound, std::span<const int32_t> axes);
// The reduction or scan of a program's output.
struct ReductionStage {
  const ReductionInfo* reduction = nullptr;
  ReduceTypes types;
  bool scan = false;
  Scalar initial;  // not used without a dtype
};
std::string explain(const BoundProgram& bound, std::span<const int32_t> axes, const ReductionStage& stage);

// The number of the op if a program is just op(in0, in1), all of one dtype; otherwise 0.
int32_t only_op(const Program& program) noexcept;

// The number of different programs in this process.
int64_t interned_programs() noexcept;

// An op whose operands are first cast to the dtype `loop`, except those with a fixed dtype; none: by their
// dtypes.
int32_t op_in(ProgramBuilder& builder, const OpInfo& op, std::span<const int32_t> args, DType loop);

// Programs of one op, or of one cast (number 0), cached by op and operand dtypes and never freed. Operands
// are inputs in order, computed in the dtype `loop` as by op_in(); the result is cast to `out`.
const Program& single_op(const OpInfo& op, std::span<const DType> operands, DType out,
                         DType loop = DType::none);
// The same for arrays, by the rules of dtypes. out: none selects the promoted dtype. asked: the dtype of the
// op's result before it is cast to `out`. Throws ARR_E_DTYPE, naming `argument`, if the result cannot be cast
// to `out`.
const Program& eager_op(const OpInfo& op, std::span<const DType> operands, DType out, Casting casting,
                        const char* argument, DType asked = DType::none);
// The two outputs of a pair, with the dtypes of the ops' results.
const Program& single_pair(const PairInfo& pair, std::span<const DType> operands, DType loop = DType::none);
const Program& single_cast(DType from, DType to);

}  // namespace arr
