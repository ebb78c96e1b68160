/* SPDX-License-Identifier: MIT */
/* node.hpp - the number that a fused lambda computes with: it records what is done to it. */
#ifndef ARR_CPP_NODE_HPP
#define ARR_CPP_NODE_HPP
#include <arr/cpp/index.hpp>

namespace arr {

/** A number of a formula: an operand of the lambda, or a result within. */
class node {
 public:
  node(arr_expr formula, int32_t number) : formula_(formula), number_(number) {}
  static node input(arr_expr formula, int32_t position) {
    int32_t made = 0;
    check(arr_expr_input(formula, position, &made));
    return node(formula, made);
  }
  arr_expr formula() const noexcept { return formula_; }
  int32_t number() const noexcept { return number_; }
  /** Casts the number to the element type of T. */
  template <class T>
  node astype() const {
    int32_t made = 0;
    check(arr_expr_cast(formula_, number_, dtype_of<T>::value, &made));
    return node(formula_, made);
  }
  /** Explains what to write, as a node has no value yet. Templates, so that only their use is an error. */
  template <class T, std::enable_if_t<std::is_same_v<T, double>, int> = 0>
  operator T() const {
    static_assert(detail::never<T>,
                  "a node is no double: in a lambda of arr::fuse write auto x, and sin(x), not std::sin(x)");
    return T();
  }
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  explicit operator T() const {
    static_assert(detail::never<T>,
                  "in a lambda of arr::fuse write where(x > 0, x, y), not if or ?:, and &, not &&");
    return T();
  }

 private:
  arr_expr formula_;
  int32_t number_;
};

namespace detail {

inline int32_t node_number(arr_expr, const node& x) { return x.number(); }
template <class T, std::enable_if_t<!std::is_same_v<T, node>, int> = 0>
int32_t node_number(arr_expr formula, const T& x) {
  const operand value(x);
  int32_t made = 0;
  check(arr_expr_constant(formula, value.get(), &made));
  return made;
}

inline arr_expr formula_of() { return nullptr; }
template <class First, class... Rest>
arr_expr formula_of(const First& first, const Rest&... rest) {
  if constexpr (std::is_same_v<First, node>) {
    return first.formula();
  } else {
    return formula_of(rest...);
  }
}

/** An op of nodes and numbers. */
template <class... Operand>
node apply(int32_t op, const Operand&... operands) {
  const arr_expr formula = formula_of(operands...);
  const int32_t numbers[] = {node_number(formula, operands)...};
  int32_t made = 0;
  check(arr_expr_op(formula, op, static_cast<int32_t>(sizeof...(Operand)), numbers, &made));
  return node(formula, made);
}

/** Enables a function where one of its operands is a node and the others are nodes or numbers. */
template <class... T>
using of_nodes = std::enable_if_t<
    (std::is_same_v<T, node> || ...) && ((std::is_same_v<T, node> || std::is_arithmetic_v<T>)&&...), node>;

}  // namespace detail
}  // namespace arr
#endif
