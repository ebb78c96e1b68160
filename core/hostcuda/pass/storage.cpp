// SPDX-License-Identifier: MIT
#include "storage.h"

#include <llvm/IR/Module.h>

#include "../shim/abi.h"

namespace arr_fission {

using namespace llvm;

void Storage::reserve_common(IRBuilder<>& b) {
  for (const auto& [slot, per_thread] : pieces_.slots)
    if (!per_thread) uniform_[slot] = b.CreateAlloca(slot->getAllocatedType(), nullptr, "fission.uniform");
}

void Storage::reserve(IRBuilder<>& b, unsigned threads) {
  constexpr uint64_t max_stack_bytes = 32768;
  const DataLayout& layout = function_.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const auto& [slot, per_thread] : pieces_.slots)
    if (per_thread) bytes += threads * layout.getTypeAllocSize(slot->getAllocatedType());
  if (bytes > max_stack_bytes) return reserve(b, b.getInt32(threads));
  reserve_common(b);
  for (const auto& [slot, per_thread] : pieces_.slots) {
    if (!per_thread) continue;
    AllocaInst* array =
        b.CreateAlloca(ArrayType::get(slot->getAllocatedType(), threads), nullptr, "fission.strip");
    array->setAlignment(Align(64));
    arrays_[slot] = array;
  }
}

BasicBlock* Storage::end_all(BasicBlock* at, Value* threads) {
  LLVMContext& context = function_.getContext();
  BasicBlock* loop = BasicBlock::Create(context, "fission.end_all", &function_);
  BasicBlock* after = BasicBlock::Create(context, "fission.ended", &function_);
  BranchInst::Create(loop, at);
  IRBuilder<> b(loop);
  PHINode* t = b.CreatePHI(b.getInt64Ty(), 2);
  t->addIncoming(b.getInt64(0), at);
  b.CreateStore(b.getInt32(arr_host::piece_ended), b.CreateGEP(b.getInt32Ty(), next_, t));
  Value* following = b.CreateAdd(t, b.getInt64(1), "", true, true);
  t->addIncoming(following, loop);
  b.CreateCondBr(b.CreateICmpULT(following, b.CreateZExt(threads, b.getInt64Ty())), loop, after);
  return after;
}

// All arrays with an element per thread are one piece of memory of the worker, a cache line aligned each.
void Storage::reserve(IRBuilder<>& b, Value* threads) {
  reserve_common(b);
  const DataLayout& layout = function_.getParent()->getDataLayout();
  Type* wide = b.getInt64Ty();
  Value* n = b.CreateZExt(threads, wide);
  std::vector<std::pair<AllocaInst*, Value*>> arrays;
  Value* total = ConstantInt::get(wide, 0);
  const auto each_thread = [&](uint64_t each) {
    Value* offset = total;
    Value* bytes = b.CreateAnd(b.CreateAdd(b.CreateMul(n, b.getInt64(each)), b.getInt64(63)), ~63ull);
    total = b.CreateAdd(total, bytes);
    return offset;
  };
  for (const auto& [slot, per_thread] : pieces_.slots)
    if (per_thread) arrays.emplace_back(slot, each_thread(layout.getTypeAllocSize(slot->getAllocatedType())));
  Value *next = nullptr, *live = nullptr;
  if (pieces_.masked) {
    next = each_thread(4);
    live = each_thread(4);
  }
  if (arrays.empty() && !pieces_.masked) return;
  CallInst* base = b.CreateCall(function_.getParent()->getFunction("arr_fission_context"),
                                {function_.getArg(worker), total});
  base->addRetAttr(Attribute::NoAlias);
  base->addRetAttr(Attribute::getWithAlignment(function_.getContext(), Align(64)));
  for (auto& [slot, offset] : arrays) arrays_[slot] = b.CreateGEP(b.getInt8Ty(), base, offset);
  if (!pieces_.masked) return;
  next_ = b.CreateGEP(b.getInt8Ty(), base, next);
  live_ = b.CreateGEP(b.getInt8Ty(), base, live);
}

Storage::Used Storage::read_common(const std::vector<BasicBlock*>& blocks, IRBuilder<>& before) {
  Used used;
  for (BasicBlock* at : blocks)
    for (Instruction& instruction : *at)
      for (Value* operand : instruction.operands())
        if (auto* slot = dyn_cast<AllocaInst>(operand); slot != nullptr && pieces_.slots.count(slot) != 0)
          used.any.insert(slot);
  for (AllocaInst* slot : used.any)
    if (!pieces_.slots.at(slot))
      used.incoming[slot] = before.CreateLoad(slot->getAllocatedType(), uniform_[slot]);
  return used;
}

void Storage::map(const Used& used, Value* thread, BasicBlock& top, IRBuilder<>& body,
                  ValueToValueMapTy& values) {
  for (AllocaInst* slot : used.any) {
    Type* type = slot->getAllocatedType();
    if (pieces_.slots.at(slot)) {
      values[slot] = body.CreateGEP(type, arrays_[slot], thread);
    } else {
      IRBuilder<> at_top(&top, top.begin());
      AllocaInst* local = at_top.CreateAlloca(type, nullptr, "fission.local");
      body.CreateStore(used.incoming.at(slot), local);
      values[slot] = local;
      local_[local] = slot;
    }
  }
}

void Storage::keep_common(StoreInst& store) {
  if (const auto local = local_.find(store.getPointerOperand()); local != local_.end())
    new StoreInst(store.getValueOperand(), uniform_[local->second], store.getNextNode()->getIterator());
}

}  // namespace arr_fission
