// SPDX-License-Identifier: MIT
// Calls as values, with copies of everything that they point to, for work that runs after its caller has
// returned.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backend/operand.h"
#include "backend/visit.h"

namespace arr::host {

// A call with copies of everything that it points to, except programs, which are never freed, and the memory
// of operands, which stays valid until its stream has passed the call.
template <class Call>
class DeferredCall {
 public:
  explicit DeferredCall(const Call& call) : call_(call) { visit(copies_, call_); }
  DeferredCall(const DeferredCall&) = delete;
  DeferredCall& operator=(const DeferredCall&) = delete;
  ~DeferredCall() = default;
  [[nodiscard]] const Call& call() const { return call_; }
  // The work's name, for drawings of graphs.
  [[nodiscard]] const std::string& name() const { return copies_.title; }

 private:
  struct Copies : CallVisitor {
    template <class Name>
    void name(Name&& name) {
      title = name();
    }
    void shape(const int64_t*& extents, int32_t n) { numbers(extents, n); }
    template <class T>
    void numbers(const T*& numbers, int64_t n) {
      if (numbers == nullptr) return;
      auto copy = std::make_shared<std::vector<T>>(numbers, numbers + n);
      numbers = copy->data();
      memory_.push_back(std::move(copy));
    }
    void operands(const Operand*& operands, int64_t n, int32_t ndim) {
      auto copy = std::make_shared<std::vector<Operand>>(operands, operands + n);
      for (Operand& o : *copy) numbers(o.strides, ndim);
      operands = copy->data();
      memory_.push_back(std::move(copy));
    }
    std::string title;

   private:
    std::vector<std::shared_ptr<void>> memory_;
  };

  Call call_;
  Copies copies_;
};

}  // namespace arr::host
