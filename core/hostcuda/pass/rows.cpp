// SPDX-License-Identifier: MIT
#include "rows.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "block_runs.h"
#include "fission.h"

namespace arr_fission {

using namespace llvm;

Strips choose_strips(const Function& function, const Pieces& pieces) {
  Strips strips;
  if (keeps_nothing(pieces)) return strips;
  strips.whole = false;
  const DataLayout& layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  bool arrays = false;
  for (const auto& [slot, per_thread] : pieces.slots) {
    if (!per_thread) continue;
    bytes += layout.getTypeAllocSize(slot->getAllocatedType());
    arrays = arrays || !slot->getAllocatedType()->isSingleValueType();
  }
  // One register of 16 floats has the latency of a sum in each step: several do not wait for each other.
  constexpr unsigned narrowest = 16;
  strips.max_width = bytes <= 4 ? 64 : bytes <= 16 ? 32 : narrowest;
  // Copies of long code are not worth their compilation, nor of what is in memory anyway.
  constexpr unsigned max_instructions = 300;
  if (arrays || function.getInstructionCount() > max_instructions) {
    constexpr uint64_t max_bytes = 16384;  // half of a first-level cache
    strips.max_width =
        static_cast<unsigned>(std::clamp<uint64_t>(max_bytes / std::max<uint64_t>(bytes, 1), 8, 256));
    return strips;
  }
  strips.widths = {strips.max_width};
  if (strips.max_width > narrowest) strips.widths.push_back(narrowest);
  return strips;
}

Rows::Rows(Function& function, const Strips& strips, BasicBlock* from, Value* const first[3],
           Value* const last[3], BasicBlock* done)
    : strips_(strips) {
  LLVMContext& context = function.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, &function); };
  const auto counter = [](BasicBlock* at, BasicBlock* before, Value* start) {
    PHINode* phi = PHINode::Create(start->getType(), 2, "", at);
    phi->addIncoming(start, before);
    return phi;
  };
  const auto latch = [](BasicBlock* at, PHINode* phi, Value* by, Value* limit, BasicBlock* head,
                        BasicBlock* out) {
    IRBuilder<> b(at);
    Value* next = b.CreateAdd(phi, by, "", true, true);
    phi->addIncoming(next, at);
    b.CreateCondBr(b.CreateICmpULT(next, limit), head, out);
  };
  BasicBlock *z_head = block("fission.plane"), *y_head = block("fission.row"),
             *y_latch = block("fission.rowl"), *z_latch = block("fission.planel");
  x_head_ = block("fission.strip");
  x_latch_ = block("fission.stripl");
  Value* one = ConstantInt::get(first[0]->getType(), 1);
  PHINode* z = counter(z_head, from, first[2]);
  PHINode* y = counter(y_head, z_head, first[1]);
  PHINode* x = counter(x_head_, y_head, first[0]);
  x_ = x, y_ = y, z_ = z;
  BranchInst::Create(z_head, from);
  BranchInst::Create(y_head, z_head);
  BranchInst::Create(x_head_, y_head);
  IRBuilder<> b(x_head_);
  left_ = b.CreateSub(last[0], x, "fission.left", true, true);
  Value* step = left_;
  if (!strips_.whole) {
    left_ = b.CreateBinaryIntrinsic(Intrinsic::umin, left_, b.getInt32(strips_.max_width));
    step = left_;
    for (size_t i = strips_.widths.size(); i-- > 0;) {
      Value* width = b.getInt32(strips_.widths[i]);
      step = b.CreateSelect(b.CreateICmpUGE(left_, width), width, step);
    }
  }
  latch(x_latch_, x, step, last[0], x_head_, y_latch);
  latch(y_latch, y, one, last[1], y_head, z_latch);
  latch(z_latch, z, one, last[2], z_head, done);
}

void Rows::enter(const std::vector<BasicBlock*>& starts) {
  BasicBlock* at = x_head_;
  for (size_t i = 0; i + 1 < starts.size(); i++) {
    BasicBlock* next = BasicBlock::Create(at->getContext(), "fission.narrower", at->getParent());
    IRBuilder<> b(at);
    b.CreateCondBr(b.CreateICmpUGE(left_, b.getInt32(strips_.widths[i])), starts[i], next);
    at = next;
  }
  BranchInst::Create(starts.back(), at);
}

Value* Rows::count(unsigned version) const {
  return version < strips_.widths.size() ? ConstantInt::get(x_->getType(), strips_.widths[version]) : left_;
}

}  // namespace arr_fission
