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
  // The vector whose address and length are in `scalar`; with `array`, the array whose memory op::load reads.
  const Array* table = nullptr;
  // int64 numbers that are computed, not read: the first is `scalar`, and these are the increments along the
  // axes. They broadcast like an array, but do not affect the result's shape.
  const Layout* ramp = nullptr;
};
// The row-major index of each element of a shape; and numbers that grow along one axis.
Layout ramp_of(const Layout& shape);
Layout ramp_along(const Layout& shape, int32_t axis);
Input ramp_input(const Layout& ramp, int64_t first);
// A program's constants, which are its last inputs.
void add_constants(const BoundProgram& p, std::vector<Input>* inputs);
// A contiguous look-up vector of a program, which may read all of it, whatever the call's shape.
Input table_input(const Array& vector);
// The base address of op::load: the element of `view`, which broadcasts like an operand. The load reads the
// memory of `whole`.
Input load_base_input(const Array& view, const Array& whole);
inline bool has_ramp(std::span<const Input> inputs) {
  for (const Input& in : inputs) {
    if (in.ramp != nullptr) return true;
  }
  return false;
}

struct UfuncOptions {
  DType dtype = DType::none;  // the dtype of the op's result and computation; none: by promotion
  Casting casting = Casting::same_kind;
  Order order = Order::K;
  const Array* where = nullptr;  // a mask: other elements are not computed, but are 0 or unchanged
};

// An eager call's operands: the dtypes of its program's inputs, and scalars of these dtypes.
struct Fitted {
  std::array<Input, 3> inputs;
  std::array<DType, 3> dtypes{};
  size_t count = 0;
  Signature signature;
  DType loop = DType::none;  // operands are cast to it first, see op_in(); none: determined by their dtypes
  [[nodiscard]] std::span<const Input> all() const { return {inputs.data(), count}; }
  [[nodiscard]] std::span<const DType> types() const { return {dtypes.data(), count}; }
};
// asked: the dtype of the op's result; none: by promotion.
void fit(const OpInfo& op, std::span<const Input> given, DType asked, Casting casting, Fitted* out);
inline void fit(const OpInfo& op, std::span<const Input> given, Fitted* out) {
  fit(op, given, DType::none, Casting::same_kind, out);
}

// Returns a new array op(inputs...), computed in the call's stream or the device's default stream.
Ref<Array> elementwise(const OpInfo& op, std::span<const Input> inputs, const UfuncOptions& options,
                       Stream* stream);
// dst[...] = op(inputs...), cast by the rule `casting`. dst may be or overlap an operand.
void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs, Stream* stream);
void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs,
                      const UfuncOptions& options, Stream* stream);
// Returns both results of an op with two results, computed in one pass.
std::vector<Ref<Array>> elementwise_pair(const PairInfo& pair, std::span<const Input> inputs,
                                         const UfuncOptions& options, Stream* stream);
// Writes both results into arrays, cast by `casting`; each may be or overlap an operand.
void elementwise_pair_into(const Array& first, const Array& second, const PairInfo& pair,
                           std::span<const Input> inputs, const UfuncOptions& options, Stream* stream);
// op(a[i], b[j]) for all i and j; the shape is that of a followed by that of b.
Ref<Array> elementwise_outer(const OpInfo& op, const Array& a, const Array& b, const UfuncOptions& options,
                             Stream* stream);
void elementwise_outer_into(const Array& dst, const OpInfo& op, const Array& a, const Array& b,
                            const UfuncOptions& options, Stream* stream);

// Runs a program of one output for arrays that broadcast, and scalars that have exactly the inputs' dtypes.
// The new array has the output's dtype.
Ref<Array> run(const Program& program, std::span<const Input> inputs, Order order, Stream* stream);
void run_into(const Array& dst, const Program& program, std::span<const Input> inputs, Stream* stream);

// Runs a program of several outputs; returns an array for each.
std::vector<Ref<Array>> run_many(const Program& program, std::span<const Input> inputs, Order order,
                                 Stream* stream);
// Writes the outputs of a program into arrays of the shape to which its inputs broadcast, and of the outputs'
// dtypes. None shares memory with another, nor with an input that another output reads.
void run_all_into(std::span<const Array* const> dsts, const Program& program, std::span<const Input> inputs,
                  Stream* stream);
void materialize_all(std::span<const Input> inputs);
// Enqueues a program for operands in memory. Its outputs have the broadcast shape; an output overlaps an
// operand exactly or not at all.
void enqueue(std::span<const Array* const> dsts, const Program& program, std::span<const Input> inputs,
             const Queue& q);
// The source text that a backend would compile for the program and these operands.
std::string program_text(const Program& program, std::span<const Input> inputs, const Backend& backend);

// The shape that the arrays among the inputs broadcast to; only shape and ndim are set.
void common_shape(std::span<const Input> inputs, Layout* out);
// The strides of `a` when broadcast to the shape `to`.
void broadcast_strides(const Layout& a, const Layout& to, int64_t* strides);
// A new array of that shape; Order::K selects the memory order of the operands.
Layout result_layout(const Layout& shape, std::span<const Input> inputs, int64_t item, Order order);
// Converts the inputs to a backend's operands, using the arrays' `strides` in order. Returns the number of
// strides used.
int32_t place_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], Operand* operands);
// The same, and records that q uses the operands.
int32_t set_operands(std::span<const Input> inputs, const int64_t (*strides)[max_ndim], const Queue& q,
                     Operand* operands);

// The device of all arrays among the inputs; throws if they are on several devices or there is no array.
Device common_device(std::span<const Input> inputs);
// The reason why dst is not writable, or nullptr.
const char* write_obstacle(const Array& dst) noexcept;
// Throws if dst is not writable.
void check_writable(const Array& dst);

}  // namespace arr
