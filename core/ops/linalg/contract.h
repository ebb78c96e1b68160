// SPDX-License-Identifier: MIT
// Products of two arrays whose axes have labels, summed over labels that the result does not have: the basis
// of dot, tensordot, inner and einsum.
#pragma once

#include <array>
#include <span>

#include "ops/elementwise/array_ops.h"

namespace arr {

// A list of labels, of which two operands have at most 2 * max_ndim.
class Labels {
 public:
  static constexpr size_t capacity = 2 * static_cast<size_t>(max_ndim);
  Labels() = default;
  Labels(std::initializer_list<int32_t> labels) {
    for (int32_t l : labels) push_back(l);
  }
  [[nodiscard]] const int8_t* begin() const { return all_.data(); }
  [[nodiscard]] const int8_t* end() const { return all_.data() + size_; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] int32_t back() const { return all_[size_ - 1]; }
  int32_t operator[](size_t i) const { return all_[i]; }
  void set(size_t i, int32_t label) { all_[i] = static_cast<int8_t>(label); }
  void clear() { size_ = 0; }
  void push_back(int32_t label) {
    if (size_ == capacity) fail(ARR_E_INTERNAL, "more than ", capacity, " labels");
    set(size_++, label);
  }
  void append(const Labels& more) {
    for (int32_t l : more) push_back(l);
  }

 private:
  size_t size_ = 0;
  std::array<int8_t, capacity> all_;  // labels are below the capacity, or -1
};

// An array whose axes have labels, each at most once.
struct Labelled {
  Ref<Array> array;
  Labels labels;
};

// The product with axes in the order of `out`, whose labels occur in the operands; equal labels have equal
// extents. dtype: of the result, to which both operands are cast; for bool it is the or of ands. If there are
// summed labels and each operand has axes that the other does not have, it is a matrix product, without
// copies where strides allow; otherwise one pass. The result has the memory order that is written without a
// copy.
Ref<Array> contract(const Labelled& a, const Labelled& b, const Labels& out, DType dtype, Stream* stream);

// The product of all operands, summed over labels that `out` does not have, in one pass. At most
// Program::max_inputs - 1 operands.
Ref<Array> multiply_and_sum(std::span<const Labelled> operands, const Labels& out, DType dtype,
                            Stream* stream);

// Permutes the axes to that order, and sums over the others in dtype.
Ref<Array> sum_to(const Labelled& a, const Labels& out, DType dtype, Stream* stream);

// A view whose axes have the labels of `out`, with extent 1 for labels that the operand does not have.
Ref<Array> aligned(const Labelled& a, const Labels& out);

}  // namespace arr
