// SPDX-License-Identifier: MIT
// Upper bounds of the sums that kernels make their indices of.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>

namespace arr_fission {

class Bounds {
 public:
  static constexpr uint64_t max = 0x7fffffff;

  explicit Bounds(llvm::Function& function);

  // Nothing when the value may be negative, or may be large.
  [[nodiscard]] std::optional<uint64_t> of(const llvm::Value* value) const;

  // blockIdx.x * blockDim.x + threadIdx.x is known to fit an int: only then is it affine once it is widened
  // to an address, so that neighbouring threads are seen to touch neighbouring elements.
  void mark_sums() const;

 private:
  llvm::Function& function_;
  bool narrow_ = false;
};

}  // namespace arr_fission
