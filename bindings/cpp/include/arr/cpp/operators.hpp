/* SPDX-License-Identifier: MIT */
/* operators.hpp - operators of arrays and numbers. Each is the function of its name: comparisons are arrays
 * of bool. */
#ifndef ARR_CPP_OPERATORS_HPP
#define ARR_CPP_OPERATORS_HPP
#include <arr/cpp/functions_generated.hpp>

namespace arr {

inline array operator+(const operand& x, const operand& y) { return add(x, y); }
inline array operator-(const operand& x, const operand& y) { return subtract(x, y); }
inline array operator*(const operand& x, const operand& y) { return multiply(x, y); }
inline array operator/(const operand& x, const operand& y) { return divide(x, y); }
/** The remainder has the sign of y, as in Python; fmod has that of x, as in C. */
inline array operator%(const operand& x, const operand& y) { return remainder(x, y); }
inline array operator&(const operand& x, const operand& y) { return bitwise_and(x, y); }
inline array operator|(const operand& x, const operand& y) { return bitwise_or(x, y); }
inline array operator^(const operand& x, const operand& y) { return bitwise_xor(x, y); }
inline array operator<<(const operand& x, const operand& y) { return left_shift(x, y); }
inline array operator>>(const operand& x, const operand& y) { return right_shift(x, y); }
inline array operator==(const operand& x, const operand& y) { return equal(x, y); }
inline array operator!=(const operand& x, const operand& y) { return not_equal(x, y); }
inline array operator<(const operand& x, const operand& y) { return less(x, y); }
inline array operator<=(const operand& x, const operand& y) { return less_equal(x, y); }
inline array operator>(const operand& x, const operand& y) { return greater(x, y); }
inline array operator>=(const operand& x, const operand& y) { return greater_equal(x, y); }
inline array operator-(const array& x) { return negative(x); }
inline array operator+(const array& x) { return positive(x); }
inline array operator~(const array& x) { return invert(x); }

}  // namespace arr
#endif
