// SPDX-License-Identifier: MIT
#include "nest.h"

namespace arr_fission {

using namespace llvm;

Nest open_nest(Function& function, BasicBlock* from, Value* const size[3], Value* first) {
  LLVMContext& context = function.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, &function); };
  Nest nest{block("fission.z"),
            block("fission.y"),
            block("fission.x"),
            block("fission.body"),
            block("fission.xl"),
            block("fission.yl"),
            block("fission.zl"),
            block("fission.after"),
            nullptr,
            nullptr,
            nullptr,
            nullptr};
  Value* zero = ConstantInt::get(Type::getInt32Ty(context), 0);
  const auto head = [&](BasicBlock* at, BasicBlock* before, Value* start) {
    IRBuilder<> b(at);
    PHINode* phi = b.CreatePHI(b.getInt32Ty(), 2);
    phi->addIncoming(start, before);
    return phi;
  };
  nest.z = head(nest.z_head, from, zero);
  IRBuilder<>(nest.z_head).CreateBr(nest.y_head);
  nest.y = head(nest.y_head, nest.z_head, zero);
  IRBuilder<>(nest.y_head).CreateBr(nest.x_head);
  nest.x = head(nest.x_head, nest.y_head, first);
  IRBuilder<> b(nest.x_head);
  Value* row = b.CreateAdd(b.CreateMul(nest.z, size[1], "", true, true), nest.y, "", true, true);
  Value* t = b.CreateAdd(b.CreateMul(row, size[0], "", true, true), nest.x, "fission.t", true, true);
  nest.thread = b.CreateZExt(t, b.getInt64Ty());
  return nest;
}

void close_nest(const Nest& nest, Value* const size[3], Value* last, MDNode* group) {
  const auto latch = [&](BasicBlock* at, PHINode* phi, Value* limit, BasicBlock* head, BasicBlock* out) {
    IRBuilder<> b(at);
    Value* next = b.CreateAdd(phi, b.getInt32(1), "", true, true);
    phi->addIncoming(next, at);
    return b.CreateCondBr(b.CreateICmpULT(next, limit), head, out);
  };
  BranchInst* inner = latch(nest.x_latch, nest.x, last, nest.x_head, nest.y_latch);
  latch(nest.y_latch, nest.y, size[1], nest.y_head, nest.z_latch);
  latch(nest.z_latch, nest.z, size[2], nest.z_head, nest.after);
  LLVMContext& context = inner->getContext();
  Metadata* parallel[] = {MDString::get(context, "llvm.loop.parallel_accesses"), group};
  Metadata* progress[] = {MDString::get(context, "llvm.loop.mustprogress")};
  Metadata* all[] = {nullptr, MDNode::get(context, parallel), MDNode::get(context, progress)};
  MDNode* loop = MDNode::getDistinct(context, all);
  loop->replaceOperandWith(0, loop);
  inner->setMetadata(LLVMContext::MD_loop, loop);
}

}  // namespace arr_fission
