// SPDX-License-Identifier: MIT
// Expressions and their input arrays as arguments.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "capi/src/entry.h"
#include "ops/expression/expression.h"

namespace arr::capi {

template <>
struct KindOf<Expression> {
  static constexpr Kind kind = Kind::expr;
};

// NULL: none.
inline Pinned<Expression> optional_expression(arr_expr e, const char* argument) {
  return e == nullptr ? Pinned<Expression>(0, nullptr) : lookup<Expression>(e, argument);
}

// The arrays of a list of handles, kept alive as long as this object. Errors call the length `count` and the
// list `list`.
class InputArrays {
 public:
  InputArrays(int32_t n, const arr_array* in, const char* count = "nin", const char* list = "in",
              int32_t min_inputs = 1) {
    if (n < min_inputs || n > Expression::max_inputs) {
      fail(ARR_E_ARGUMENT, "argument ", count, ": ", n, ", expected ", min_inputs, " to ",
           Expression::max_inputs);
    }
    if (n > 0) check_pointer(in, list);
    if (static_cast<size_t>(n) > few_.arrays.size()) {
      many_arrays_.resize(static_cast<size_t>(n));
      many_names_.resize(static_cast<size_t>(n));
      arrays_ = many_arrays_.data();
      names_ = many_names_.data();
    }
    for (int32_t i = 0; i < n; ++i) {
      Object* o = handles().pin(bits(in[i]), Kind::array);
      if (o == nullptr) {
        unpin();
        bad_handle(list, Kind::array, bits(in[i]));
      }
      names_[count_] = bits(in[i]);
      arrays_[count_++] = static_cast<Array*>(o);
    }
  }
  InputArrays(const InputArrays&) = delete;
  InputArrays& operator=(const InputArrays&) = delete;
  ~InputArrays() { unpin(); }
  [[nodiscard]] std::span<const Array* const> list() const { return {arrays_, count_}; }

 private:
  void unpin() noexcept {
    for (size_t i = 0; i < count_; ++i) handles().unpin(names_[i]);
    count_ = 0;
  }
  // Those of one loop are listed without an allocation.
  struct {
    std::array<const Array*, Program::max_inputs> arrays;
    std::array<uint64_t, Program::max_inputs> names;
  } few_;
  std::vector<const Array*> many_arrays_;
  std::vector<uint64_t> many_names_;
  const Array** arrays_ = few_.arrays.data();
  uint64_t* names_ = few_.names.data();
  size_t count_ = 0;
};

// The arrays and numbers of a list, the arrays kept alive as long as this object.
class InputValues {
 public:
  InputValues(int32_t n, const arr_value* in) : InputValues() {  // so that the destructor runs if this throws
    if (n < 1 || n > Expression::max_inputs) {
      fail(ARR_E_ARGUMENT, "argument nin: ", n, ", expected 1 to ", Expression::max_inputs);
    }
    check_pointer(in, "in");
    inputs_.reserve(static_cast<size_t>(n));
    pinned_.reserve(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) {
      uint64_t name = 0;
      inputs_.push_back(pin_operand(&in[i], "in", &name));
      pinned_.push_back(name);
    }
  }
  InputValues(const InputValues&) = delete;
  InputValues& operator=(const InputValues&) = delete;
  ~InputValues() {
    for (size_t i = 0; i < pinned_.size(); ++i) {
      if (inputs_[i].array != nullptr) handles().unpin(pinned_[i]);
    }
  }
  [[nodiscard]] std::span<const Input> list() const { return inputs_; }

 private:
  InputValues() = default;
  std::vector<Input> inputs_;
  std::vector<uint64_t> pinned_;
};

}  // namespace arr::capi
