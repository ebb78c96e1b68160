// SPDX-License-Identifier: MIT
// The loops around a kernel whose threads wait for no others: over the rows of the block, and along a row
// over strips of a few threads, which go through the whole kernel before the next. The values of a strip's
// threads fit in registers where the strip's width is a constant.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Value.h>

#include <vector>

namespace arr_fission {

struct Pieces;

// The widths of strips. `whole`: a row is one strip. Otherwise a strip has one of the `widths`, which are in
// decreasing order and copies of the code are made for, or what is left of the row, but at most `max_width`.
struct Strips {
  bool whole = true;
  std::vector<unsigned> widths;
  unsigned max_width = 0;
};

// By what is kept for each thread of a strip.
Strips choose_strips(const llvm::Function& function, const Pieces& pieces);

class Rows {
 public:
  // From `from` on, over the threads from `first` to `last` along each axis; then to `done`.
  Rows(llvm::Function& function, const Strips& strips, llvm::BasicBlock* from, llvm::Value* const first[3],
       llvm::Value* const last[3], llvm::BasicBlock* done);

  // Sets the blocks that strips of each width, and last all others, begin with.
  void enter(const std::vector<llvm::BasicBlock*>& starts);
  // The block that a strip ends with.
  [[nodiscard]] llvm::BasicBlock* end() const { return x_latch_; }

  // Index of the strip's first thread, and number of threads of a strip of the version's width.
  [[nodiscard]] llvm::Value* x() const { return x_; }
  [[nodiscard]] llvm::Value* y() const { return y_; }
  [[nodiscard]] llvm::Value* z() const { return z_; }
  [[nodiscard]] llvm::Value* count(unsigned version) const;
  [[nodiscard]] unsigned versions() const { return static_cast<unsigned>(strips_.widths.size()) + 1; }

 private:
  const Strips& strips_;
  llvm::BasicBlock *x_head_, *x_latch_;
  llvm::Value *x_, *y_, *z_, *left_ = nullptr;
};

}  // namespace arr_fission
