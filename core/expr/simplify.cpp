// SPDX-License-Identifier: MIT
// Simplifications by the program builder. The rules are exact for every operand, including nan, infinities,
// -0.0 and overflow.
#include "expr/program.h"

#include "expr/op_numbers.h"

namespace arr {

namespace {

// True if every value of `from` is exactly a value of `to` (unlike NumPy's "safe", which includes int64 to
// float64).
bool exact_cast(DType from, DType to) {
  if (!can_cast_safely(from, to)) return false;
  if (!is_integer(from) || is_integer(to)) return true;
  DType real = real_type(to);
  int64_t digits = real == DType::float64_   ? 53
                   : real == DType::float32_ ? 24
                   : real == DType::float16_ ? 11
                                             : 8;
  return 8 * item_size(from) - (kind(from) == DKind::INT ? 1 : 0) <= digits;
}

}  // namespace

// True if the node is a constant of exactly this value in its type; 0 is +0.
bool ProgramBuilder::is_number(int32_t node, int32_t number) const {
  const Building& b = nodes_[static_cast<size_t>(node)];
  if (b.scalar < 0) return false;
  const Scalar& s = scalars_[static_cast<size_t>(b.scalar)];
  return s == convert(scalar_of(int64_t{number}), s.dtype);
}

int32_t ProgramBuilder::uncast(int32_t node, DType to) {
  const Building& b = nodes_[static_cast<size_t>(node)];
  const Node& n = b.node;
  if (b.scalar >= 0 && !b.weak && exact_cast(n.dtype, to)) {
    return scalar(convert(scalars_[static_cast<size_t>(b.scalar)], to), false);
  }
  // A cast to another dtype and back: the first cast was lossless.
  bool back = n.kind == Node::Kind::cast && n.compute == to && exact_cast(to, n.dtype);
  return back ? n.args[0] : -1;
}

int32_t ProgramBuilder::simplified(const Node& n) const {
  const Node& first = nodes_[static_cast<size_t>(n.args[0])].node;
  bool twice = first.kind == Node::Kind::op && first.op == n.op;
  bool whole = is_integer(n.compute), real = whole || kind(n.compute) == DKind::FLOAT;
  int32_t x = n.args[0], y = n.args[1];
  switch (n.op) {
    case op::positive:
      return x;
    case op::negative:
    case op::invert:
    case op::conjugate:
      return twice && first.compute == n.compute ? first.args[0] : -1;
    case op::logical_not:
      // Only for bool: not not 3 is true.
      return twice && first.compute == DType::bool_ ? first.args[0] : -1;
    case op::absolute:
      return twice && real ? x : -1;
    case op::add:
      // x + 0.0 turns -0.0 into 0.0.
      return !whole ? -1 : is_number(y, 0) ? x : is_number(x, 0) ? y : -1;
    case op::subtract:
      return real && is_number(y, 0) ? x : -1;
    case op::multiply:
      // Not for complex: an infinite part times the zero imaginary part of 1 is nan.
      return !real ? -1 : is_number(y, 1) ? x : is_number(x, 1) ? y : -1;
    case op::divide:
      return real && is_number(y, 1) ? x : -1;
    case op::bitwise_or:
    case op::bitwise_xor:
      return is_number(y, 0) ? x : is_number(x, 0) ? y : -1;
    case op::left_shift:
    case op::right_shift:
      return is_number(y, 0) ? x : -1;
    default:
      return -1;
  }
}

}  // namespace arr
