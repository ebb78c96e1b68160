// SPDX-License-Identifier: MIT
// Parts that the host backend's tests share: programs evaluated one element at a time in the plainest way,
// and comparison of results.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "backend/elementwise.h"
#include "expr/program.h"

namespace arr::test {

inline constexpr DType all_dtypes[] = {
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) DType::name##_,
#include "table/dtypes.def"
#undef ARR_DTYPE
};

// One element as bits, and back.
inline Scalar load(const void* p, DType d) {
  Scalar s;
  s.dtype = d;
  std::memcpy(&s.lo, p, static_cast<size_t>(item_size(d)));
  return s;
}
inline void store(const Scalar& s, void* p) {
  std::memcpy(p, &s.lo, static_cast<size_t>(item_size(s.dtype)));
}

// One op of ops.def on scalars of its computing type, by its formula.
Scalar apply(int32_t op, DType compute, const Scalar* operands, DType result);
// A whole program for one element.
std::vector<Scalar> evaluate(const Program& program, const std::vector<Scalar>& inputs);
// Largest error that the table allows any op of the program, in units in the last place.
int allowed_ulp(const Program& program);

// Equal bits, or both nan, or within `ulp` units in the last place of the larger part.
bool same(const Scalar& a, const Scalar& b, int ulp, long double cancelled = 0);
// Returns the largest operand of ops that subtract nearly equal numbers: the error is a part of its last
// place.
long double cancelled(const Program& program, const std::vector<Scalar>& inputs);
std::string show(const Scalar& s);
long double real_part(const Scalar& s);
long double imaginary_part(const Scalar& s);

// n contiguous elements: limits, signed zeros, nan, infinities, subnormals first, then random ones.
std::vector<char> values(DType d, int64_t n, uint32_t seed);

// Layouts of the elements of a shape. apart: rows with gaps between them. row, column, point: broadcast from
// the last axis, the first, one element; scalar: no memory but a value.
enum class Form { c, f, apart, stepped, reversed, row, column, point, scalar };
inline constexpr Form input_forms[] = {Form::c,   Form::f,      Form::apart, Form::stepped, Form::reversed,
                                       Form::row, Form::column, Form::point, Form::scalar};
inline constexpr Form output_forms[] = {Form::c, Form::f, Form::apart, Form::stepped, Form::reversed};

// Memory laid out in some form.
struct Block {
  std::vector<char> memory;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  [[nodiscard]] const char* at(const std::vector<int64_t>& index) const {
    int64_t o = offset;
    for (size_t d = 0; d < index.size(); ++d) o += index[d] * strides[d];
    return memory.data() + o;
  }
  [[nodiscard]] char* first() { return memory.data() + offset; }
};
Block make_block(const std::vector<int64_t>& shape, DType d, Form form, uint32_t seed);
// The next index of a shape in C order; false after the last.
bool next(std::vector<int64_t>* index, const std::vector<int64_t>& shape);

}  // namespace arr::test
