// SPDX-License-Identifier: MIT
// Fused expressions: an untyped graph that users build, typed and compiled for each set of operand dtypes.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "ops/elementwise.h"

namespace arr {

class Expression : public Object {
 public:
  int32_t input(int32_t index);
  int32_t constant(const Scalar& value, bool weak);
  int32_t op(int32_t number, std::span<const int32_t> args);
  int32_t cast(int32_t arg, DType dtype);

  // The typed program of a node for arrays of these dtypes, converted to `out` unless that is none.
  BoundProgram compile(int32_t node, std::span<const DType> inputs, DType out) const;

 private:
  struct Vertex {
    enum class Kind : uint8_t { input, constant, op, cast } kind = Kind::input;
    int32_t number = 0;  // input: its index; op: the op
    int32_t args[3] = {-1, -1, -1};
    Scalar value;  // constant; cast: its dtype
    bool weak = false;
  };
  int32_t push(const Vertex& v);
  void check_node(int32_t node, const char* argument) const;  // with mutex_ held
  BoundProgram build(int32_t node, std::span<const DType> inputs, DType out) const;

  mutable std::mutex mutex_;
  std::vector<Vertex> vertices_;
  mutable std::map<std::vector<int32_t>, BoundProgram> compiled_;
};

Ref<Array> run(const Expression& e, int32_t node, std::span<const Array* const> inputs, Stream* stream);
void run_into(const Array& dst, const Expression& e, int32_t node, std::span<const Array* const> inputs,
              Stream* stream);

}  // namespace arr
