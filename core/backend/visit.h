// SPDX-License-Identifier: MIT
// A call struct's description of itself.
//
// Each call struct has a function visit(v, call), which describes the call's work, its memory, and each
// pointer of the struct with the length of the array that it points to. Visitors copy calls that run later
// (host), record what ran (trace) and draw graphs, so a new call needs no change in any of them. Programs are
// not visited, because they are never freed.
#pragma once

#include <cstdint>

#include "array/dtype.h"

namespace arr {

struct Operand;

// A visitor derives from this and hides the functions that it needs.
struct CallVisitor {
  // name() -> std::string: a readable name of the work. Called only by visitors that need it.
  template <class Name>
  void name(Name&& /*name*/) {}
  // The iteration space: n extents to which the call points.
  void shape(const int64_t*& /*extents*/, int32_t /*n*/) {}
  // The iteration space of a call that does not store its extents.
  void extents(const int64_t* /*extents*/, int32_t /*n*/) {}
  // n numbers that the call points at, such as strides.
  template <class T>
  void numbers(const T*& /*numbers*/, int64_t /*n*/) {}
  // n operands that the call points at, each with `ndim` strides.
  void operands(const Operand*& /*operands*/, int64_t /*n*/, int32_t /*ndim*/) {}
  // Memory that is read or written: the elements of an operand over a shape.
  void memory(const Operand& /*operand*/, DType /*dtype*/, int32_t /*ndim*/, const int64_t* /*shape*/) {}
  // bytes() -> int64_t: bytes read or written besides those of operands.
  template <class Bytes>
  void bytes(Bytes&& /*bytes*/) {}
};

}  // namespace arr
