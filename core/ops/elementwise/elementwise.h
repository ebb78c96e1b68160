// SPDX-License-Identifier: MIT
// Element-wise work: eager ops and programs over arrays that broadcast.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "array/array.h"
#include "backend/operand.h"
#include "expr/program.h"
#include "runtime/streams.h"

namespace arr {

// An operand of an eager op: an array, or a scalar that may be a plain number (weak).
struct Input {
  const Array* array = nullptr;
  Scalar scalar;
  bool weak = false;
  // The vector whose address and length are in `scalar`; with `array`: the array whose memory op::load reads.
  const Array* table = nullptr;
  // int64 numbers that are computed, not read: the first is `scalar`, and these are the increments along the
  // axes. They broadcast like an array, but do not count for the result's shape.
  const Layout* ramp = nullptr;
};
// 0, 1, 2, ... over the elements of a shape in row-major order, and numbers that grow along one axis.
Layout ramp_of(const Layout& shape);
Layout ramp_along(const Layout& shape, int32_t axis);
Input ramp_input(const Layout& ramp, int64_t first);
// A program's constants, which are its last inputs.
void add_constants(const BoundProgram& p, std::vector<Input>* inputs);
// A contiguous vector for the look-ups of a program, which may read all of it whatever the call's shape.
Input table_input(const Array& vector);
// The begin of op::load of a program: the element of `view`, which broadcasts like an operand. It reads
// the memory of `whole`.
Input load_base_input(const Array& view, const Array& whole);
inline bool has_ramp(std::span<const Input> inputs) {
  for (const Input& in : inputs) {
    if (in.ramp != nullptr) return true;
  }
  return false;
}

struct UfuncOptions {
  DType dtype = DType::none;  // of the op's result, which is computed so; none: by promotion
  Casting casting = Casting::same_kind;
  Order order = Order::K;
  const Array* where =
      nullptr;  // of bool: only these elements are computed, the others 0 or left as they are
};

// An eager call's operands: the types of its program's inputs, and scalars of these types.
struct Fitted {
  std::array<Input, 3> inputs;
  std::array<DType, 3> dtypes{};
  size_t count = 0;
  Signature signature;
  DType loop = DType::none;  // operands are cast to it first, see op_in(); none: by their types
  [[nodiscard]] std::span<const Input> all() const { return {inputs.data(), count}; }
  [[nodiscard]] std::span<const DType> types() const { return {dtypes.data(), count}; }
};
// asked: of the op's result; none: by promotion.
void fit(const OpInfo& op, std::span<const Input> given, DType asked, Casting casting, Fitted* out);
inline void fit(const OpInfo& op, std::span<const Input> given, Fitted* out) {
  fit(op, given, DType::none, Casting::same_kind, out);
}

// A new array op(inputs...), in the stream of a call or the device's default.
Ref<Array> elementwise(const OpInfo& op, std::span<const Input> inputs, const UfuncOptions& options,
                       Stream* stream);
// dst[...] = op(inputs...), cast within `casting`. dst may be an operand or overlap them.
void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs, Stream* stream);
void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs,
                      const UfuncOptions& options, Stream* stream);
// The two results of a pair, in one pass.
std::vector<Ref<Array>> elementwise_pair(const PairInfo& pair, std::span<const Input> inputs,
                                         const UfuncOptions& options, Stream* stream);
// The same into arrays, each cast within `casting`; both may be or overlap operands.
void elementwise_pair_into(const Array& first, const Array& second, const PairInfo& pair,
                           std::span<const Input> inputs, const UfuncOptions& options, Stream* stream);
// op(a[i], b[j]) for all i and j: the shape of a, then that of b.
Ref<Array> elementwise_outer(const OpInfo& op, const Array& a, const Array& b, const UfuncOptions& options,
                             Stream* stream);
void elementwise_outer_into(const Array& dst, const OpInfo& op, const Array& a, const Array& b,
                            const UfuncOptions& options, Stream* stream);

// Runs a program of one output for arrays that broadcast, and scalars of just the inputs' dtypes; the new
// array has the output's dtype.
Ref<Array> run(const Program& program, std::span<const Input> inputs, Order order, Stream* stream);
void run_into(const Array& dst, const Program& program, std::span<const Input> inputs, Stream* stream);

// The same for a program of several outputs: an array for each.
std::vector<Ref<Array>> run_many(const Program& program, std::span<const Input> inputs, Order order,
                                 Stream* stream);
// The outputs of a program into arrays of the shape that its inputs broadcast to and of the outputs' types;
// none shares memory with another, nor with an input that another output reads.
void run_all_into(std::span<const Array* const> dsts, const Program& program, std::span<const Input> inputs,
                  Stream* stream);
void materialize_all(std::span<const Input> inputs);
// Enqueues a program for materialized operands. Its outputs have the shape that they broadcast to; an output
// overlaps an operand exactly or not at all.
void enqueue(std::span<const Array* const> dsts, const Program& program, std::span<const Input> inputs,
             const Queue& q);
// The source text that a backend would compile to run the program on these operands.
std::string program_text(const Program& program, std::span<const Input> inputs, const Backend& backend);

// The shape that the arrays among the inputs broadcast to; only shape and ndim are set.
void common_shape(std::span<const Input> inputs, Layout* out);
// Strides of `a` as seen from the shape `to`, which it broadcasts to.
void broadcast_strides(const Layout& a, const Layout& to, int64_t* strides);
// A result of that shape, for Order::K in the order of its operands.
Layout result_layout(const Layout& shape, std::span<const Input> inputs, int64_t item, Order order);
// The inputs as a backend's operands, the arrays with `strides` in order. Returns the number of strides used.
int32_t place_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], Operand* operands);
// The same, and marks the operands as used in q.
int32_t set_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], const Queue& q,
                     Operand* operands);

// The device of all arrays among the inputs; throws where there are several devices or no array.
Device common_device(std::span<const Input> inputs);
// The reason why dst may not be written, or nullptr.
const char* write_obstacle(const Array& dst) noexcept;
// Throws where dst may not be written.
void check_writable(const Array& dst);

}  // namespace arr
