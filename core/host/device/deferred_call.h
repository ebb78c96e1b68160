// SPDX-License-Identifier: MIT
// Calls of the seam as values of their own, for work that runs after its caller has returned.
#pragma once

#include <deque>
#include <vector>

#include "backend/linalg.h"
#include "backend/row_pipeline.h"
#include "backend/segments.h"
#include "backend/sorting.h"

namespace arr::host {

// A call with copies of all that it points at but programs, which live for ever, and the operands' memory,
// which stays until its stream has come by.
template <class Call>
class Kept {
 public:
  explicit Kept(const Call& call) : call_(call) { own(call_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() = default;
  [[nodiscard]] const Call& call() const { return call_; }

 private:
  template <class T>
  static const T* copy(std::deque<std::vector<T>>& to, const T* from, int64_t n) {
    return from == nullptr ? nullptr : to.emplace_back(from, from + n).data();
  }
  void own(const int64_t** numbers, int32_t n) { *numbers = copy(numbers_, *numbers, n); }
  void own(const Operand** operands, size_t n, int32_t ndim) {
    *operands = copy(operands_, *operands, static_cast<int64_t>(n));
    for (Operand& o : operands_.back()) own(&o.strides, ndim);
  }

  void own(ElementwiseCall& c) {
    own(&c.shape, c.ndim);
    own(&c.operands, c.program->inputs.size() + c.program->outputs.size(), c.ndim);
  }
  void own(ReduceCall& c) {
    own(&c.shape, c.ndim);
    own(&c.operands, c.map->inputs.size(), c.ndim);
    own(&c.output.strides, c.nkept);
    own(&c.index_strides, c.ndim - c.nkept);
  }
  void own(ScanCall& c) {
    own(&c.shape, c.ndim);
    own(&c.operands, c.map->inputs.size(), c.ndim);
    own(&c.output.strides, c.ndim);
  }
  void own(SegmentsCall& c) {
    own(&c.shape, c.ndim);
    own(&c.input.strides, c.ndim);
    own(&c.output.strides, c.ndim);
    own(&c.mask.strides, c.ndim);
  }
  void own(ScatterCall& c) {
    own(&c.shape, c.ndim);
    own(&c.operands, c.map->inputs.size(), c.ndim);
    own(&c.target.strides, c.ndim);
  }
  void own(MatmulCall& c) {
    own(&c.batch_shape, c.nbatch);
    for (MatmulCall::Matrix* m : {&c.a, &c.b, &c.c}) own(&m->batch, c.nbatch);
  }
  void own(LinalgCall& c) {
    own(&c.batch_shape, c.nbatch);
    for (MatmulCall::Matrix* m : {&c.a, &c.b}) own(&m->batch, c.nbatch);
  }
  void own(BlocksCall& c) {
    own(&c.shape, c.ndim);
    own(&c.arrays, static_cast<size_t>(c.narrays), c.ndim);
  }
  void own(FftCall&) {}
  void own(CosineCall&) {}
  void own(QuantileCall& c) { c.q = copy(quantiles_, c.q, c.nq); }

  Call call_;
  std::deque<std::vector<int64_t>> numbers_;
  std::deque<std::vector<Operand>> operands_;
  std::deque<std::vector<double>> quantiles_;
};

}  // namespace arr::host
