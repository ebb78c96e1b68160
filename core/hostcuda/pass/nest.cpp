// SPDX-License-Identifier: MIT
#include "nest.h"

namespace arr_fission {

using namespace llvm;

namespace {

PHINode* counter(BasicBlock* at, BasicBlock* before, Value* start) {
  PHINode* phi = PHINode::Create(start->getType(), 2, "", at);
  phi->addIncoming(start, before);
  return phi;
}

BranchInst* latch(BasicBlock* at, Value* counter, Value* limit, BasicBlock* head, BasicBlock* out) {
  IRBuilder<> b(at);
  Value* next = b.CreateAdd(counter, b.getInt32(1), "", true, true);
  cast<PHINode>(counter)->addIncoming(next, at);
  return b.CreateCondBr(b.CreateICmpULT(next, limit), head, out);
}

MDNode* option(LLVMContext& context, const char* name) {
  return MDNode::get(context, MDString::get(context, name));
}

// A strip of constant width is to become vectors as a whole, which are registers then: not scalars before.
void mark(BranchInst& branch, MDNode* group, bool is_constant) {
  LLVMContext& context = branch.getContext();
  Metadata* parallel[] = {MDString::get(context, "llvm.loop.parallel_accesses"), group};
  SmallVector<Metadata*, 6> all = {nullptr, MDNode::get(context, parallel),
                                   option(context, "llvm.loop.mustprogress")};
  const auto numbered = [&](const char* name, unsigned value) {
    Metadata* both[] = {MDString::get(context, name),
                        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value))};
    return MDNode::get(context, both);
  };
  // LLVM would take the first thread out of a loop where it does more than others, with a copy of the body
  // for each; TakeOutSingleThreads does that.
  constexpr unsigned max_peeled = 7;
  all.push_back(numbered("llvm.loop.peeled.count", max_peeled));
  if (is_constant) {
    Metadata* behind[] = {MDString::get(context, "llvm.loop.vectorize.followup_vectorized"),
                          numbered("llvm.loop.isvectorized", 1), option(context, "llvm.loop.unroll.full")};
    all.push_back(option(context, "llvm.loop.unroll.disable"));
    all.push_back(MDNode::get(context, behind));
  }
  MDNode* loop = MDNode::getDistinct(context, all);
  loop->replaceOperandWith(0, loop);
  branch.setMetadata(LLVMContext::MD_loop, loop);
}

}  // namespace

Nest open_nest(Function& function, BasicBlock* from, Value* const size[3], Value* const first[3]) {
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
            nullptr,
            nullptr};
  nest.z = counter(nest.z_head, from, first[2]);
  BranchInst::Create(nest.y_head, nest.z_head);
  nest.y = counter(nest.y_head, nest.z_head, first[1]);
  BranchInst::Create(nest.x_head, nest.y_head);
  nest.x = counter(nest.x_head, nest.y_head, first[0]);
  IRBuilder<> b(nest.x_head);
  // In 64 bits, where the sum of a row's beginning and the thread is plainly affine.
  const auto wide = [&](Value* value) { return b.CreateZExt(value, b.getInt64Ty()); };
  Value* row =
      b.CreateAdd(b.CreateMul(wide(nest.z), wide(size[1]), "", true, true), wide(nest.y), "", true, true);
  nest.thread =
      b.CreateAdd(b.CreateMul(row, wide(size[0]), "", true, true), wide(nest.x), "fission.t", true, true);
  return nest;
}

void close_nest(const Nest& nest, Value* const last[3], MDNode* group) {
  BranchInst* inner = latch(nest.x_latch, nest.x, last[0], nest.x_head, nest.y_latch);
  latch(nest.y_latch, nest.y, last[1], nest.y_head, nest.z_latch);
  latch(nest.z_latch, nest.z, last[2], nest.z_head, nest.after);
  mark(*inner, group, false);
}

Nest open_strip(Function& function, BasicBlock* from, const Rows& rows) {
  LLVMContext& context = function.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, &function); };
  Nest nest{};
  nest.z_head = nest.x_head = block("fission.x");
  nest.body = block("fission.body");
  nest.x_latch = block("fission.xl");
  nest.after = block("fission.after");
  nest.z = rows.z(), nest.y = rows.y();
  IRBuilder<> b(nest.x_head);
  nest.lane = counter(nest.x_head, from, b.getInt32(0));
  nest.x = b.CreateAdd(rows.x(), nest.lane, "", true, true);
  nest.thread = b.CreateZExt(nest.lane, b.getInt64Ty());
  return nest;
}

void close_strip(const Nest& nest, Value* count, MDNode* group) {
  mark(*latch(nest.x_latch, nest.lane, count, nest.x_head, nest.after), group, isa<Constant>(count));
}

}  // namespace arr_fission
