// SPDX-License-Identifier: MIT
// A call struct's description of itself, for all that read it.
//
// Each call struct has a function visit(v, call) beside it, which names the call's work, the memory that it
// works on, and each pointer of the struct with the length of what it points at. Copies of calls that run
// later (host), records of what ran (trace) and drawings of graphs are visitors, so that a new call needs no
// line in any of them. Programs are not visited: they live for ever.
#pragma once

#include <cstdint>

#include "array/dtype.h"

namespace arr {

struct Operand;

// A visitor derives from this and hides the functions that it needs.
struct CallVisitor {
  // name() -> std::string: the work, as a person would call it. Called only by visitors that want it.
  template <class Name>
  void name(Name&& /*name*/) {}
  // n extents that the call points at: its iteration space.
  void shape(const int64_t*& /*extents*/, int32_t /*n*/) {}
  // The same of a call that points at none.
  void extents(const int64_t* /*extents*/, int32_t /*n*/) {}
  // n numbers that the call points at, such as strides.
  template <class T>
  void numbers(const T*& /*numbers*/, int64_t /*n*/) {}
  // n operands that the call points at, each with `ndim` strides.
  void operands(const Operand*& /*operands*/, int64_t /*n*/, int32_t /*ndim*/) {}
  // Memory that is read or written: the elements of an operand over a shape.
  void memory(const Operand& /*operand*/, DType /*dtype*/, int32_t /*ndim*/, const int64_t* /*shape*/) {}
  // bytes() -> int64_t: bytes read or written that no operand shows.
  template <class Bytes>
  void bytes(Bytes&& /*bytes*/) {}
};

}  // namespace arr
