// SPDX-License-Identifier: MIT
#include "fission.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <set>

#include "block_runs.h"
#include "bounds.h"
#include "common_steps.h"
#include "exchanges.h"
#include "interchange.h"
#include "live_values.h"

namespace arr_fission {

using namespace llvm;

namespace {

// More pieces than this are more code than it is worth: each holds a copy of what follows it.
constexpr size_t max_cuts = 256;

std::string obstacle(const Function& function) {
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block) {
      const auto* array = dyn_cast<AllocaInst>(&instruction);
      if (array != nullptr && !array->isStaticAlloca()) return "an array of variable size";
      if (marker_of(instruction) == Marker::yield) return "__nanosleep";
      if (marker_of(instruction) == Marker::tile) return "a tile of several warps";
      if (isa<InvokeInst>(instruction) || isa<IndirectBrInst>(instruction)) return "a computed jump";
    }
  return "";
}

void lower_coordinates(Function& function) {
  for (BasicBlock& block : function)
    for (Instruction& instruction : make_early_inc_range(block)) {
      int argument = -1;
      switch (marker_of(instruction)) {
        case Marker::block_index:
          argument = block_index + static_cast<int>(axis_of(instruction));
          break;
        case Marker::block_dim:
          argument = block_dim + static_cast<int>(axis_of(instruction));
          break;
        case Marker::grid_dim:
          argument = grid_dim + static_cast<int>(axis_of(instruction));
          break;
        case Marker::dynamic_shared:
          argument = dynamic_shared;
          break;
        case Marker::worker:
          argument = worker;
          break;
        default:
          continue;
      }
      instruction.replaceAllUsesWith(function.getArg(static_cast<unsigned>(argument)));
      instruction.eraseFromParent();
    }
}

// Code that does not come back (a failed assertion) is led to where its alternative goes on, so that it does
// not look like a thread's early end.
void join_dead_ends(Function& function) {
  for (BasicBlock& block : function) {
    BasicBlock* before = block.getSinglePredecessor();
    if (!isa<UnreachableInst>(block.getTerminator()) || before == nullptr) continue;
    auto* branch = dyn_cast<BranchInst>(before->getTerminator());
    if (branch == nullptr || !branch->isConditional()) continue;
    BasicBlock* other = branch->getSuccessor(branch->getSuccessor(0) == &block ? 1 : 0);
    if (other == &block || isa<UnreachableInst>(other->getTerminator())) continue;
    for (PHINode& phi : other->phis()) phi.addIncoming(PoisonValue::get(phi.getType()), &block);
    block.getTerminator()->eraseFromParent();
    BranchInst::Create(other, &block);
  }
}

void join_returns(Function& function) {
  std::vector<ReturnInst*> returns;
  for (BasicBlock& block : function)
    if (auto* end = dyn_cast<ReturnInst>(block.getTerminator())) returns.push_back(end);
  if (returns.size() < 2) return;
  BasicBlock* exit = BasicBlock::Create(function.getContext(), "fission.return", &function);
  ReturnInst::Create(function.getContext(), exit);
  for (ReturnInst* end : returns) {
    BranchInst::Create(exit, end->getIterator());
    end->eraseFromParent();
  }
}

// Shared memory and a thread's own arrays: one block runs on one OS thread.
bool is_block_local(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* global = dyn_cast<GlobalVariable>(object)) return global->isThreadLocal();
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(object))
    return intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address;
  if (const auto* argument = dyn_cast<Argument>(object)) return argument->getArgNo() == dynamic_shared;
  return isa<AllocaInst>(object);
}

// Makes plain accesses of atomics that no other OS thread can see. They keep threads of the block apart, so
// they are marked as not to be reordered between threads.
void lower_block_atomics(Function& function) {
  for (BasicBlock& block : function)
    for (Instruction& instruction : make_early_inc_range(block)) {
      auto* update = dyn_cast<AtomicRMWInst>(&instruction);
      auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
      if (update == nullptr && exchange == nullptr) continue;
      if (!is_block_local(update != nullptr ? update->getPointerOperand() : exchange->getPointerOperand()))
        continue;
      Instruction* before = BinaryOperator::CreateNot(
          ConstantInt::get(Type::getInt32Ty(function.getContext()), 0), "", instruction.getIterator());
      Instruction* after = instruction.getNextNode();
      if (update != nullptr)
        lowerAtomicRMWInst(update);
      else
        lowerAtomicCmpXchgInst(exchange);
      for (Instruction* at = before->getNextNode(); at != nullptr && at != after; at = at->getNextNode())
        if (at->mayReadOrWriteMemory())
          at->setMetadata("fission.ordered", MDNode::get(function.getContext(), {}));
      before->eraseFromParent();
    }
}

unsigned constant_operand(const CallInst& call, unsigned i) {
  const auto* value = dyn_cast<ConstantInt>(call.getArgOperand(i));
  return value != nullptr ? static_cast<unsigned>(value->getZExtValue()) : 0;
}

// Numbers follow the order of the code, since the piece of the lowest number runs first where threads are at
// different ones; what follows a warp function comes before all else, so that every lane has read its
// neighbours' values before one goes on to write the next.
void split_at_cuts(Function& function, Pieces& pieces) {
  std::vector<CallInst*> calls;
  ReversePostOrderTraversal<Function*> order(&function);
  for (BasicBlock* block : order)
    for (Instruction& instruction : *block)
      if (is_cut(marker_of(instruction))) calls.push_back(cast<CallInst>(&instruction));
  for (CallInst* call : calls) {
    Cut cut{};
    cut.kind = marker_of(*call);
    if (cut.kind == Marker::cut_warp) {
      IRBuilder<> top(function.getContext());
      top.SetInsertPoint(function.getEntryBlock().getTerminator());
      if (pieces.masks == nullptr) pieces.masks = top.CreateAlloca(top.getInt32Ty(), nullptr, "fission.mask");
      new StoreInst(call->getArgOperand(0), pieces.masks, call->getIterator());
    }
    const unsigned first = cut.kind == Marker::cut_warp ? 1 : 0;
    if (call->arg_size() >= first + 2) {
      cut.operation = constant_operand(*call, first);
      cut.line = constant_operand(*call, first + 1);
    }
    cut.at = call->getParent()->splitBasicBlock(call, "fission.at");
    cut.after = cut.at->splitBasicBlock(call->getNextNode(), "fission.after");
    call->eraseFromParent();
    pieces.cuts.push_back(cut);
  }
  int region = 1;
  for (bool warps : {true, false})
    for (Cut& cut : pieces.cuts)
      if ((cut.kind == Marker::cut_warp) == warps) cut.region = region++;
}

// Not all threads would get there: then an interchange is not worth what asking each thread costs.
void drop_divergent_interchanges(Function& function, const Divergence& divergence) {
  PostDominatorTree joins(function);
  std::set<BasicBlock*> divergent;
  for (BasicBlock& block : function) {
    if (!divergence.branch_differs(block)) continue;
    const auto* node = joins.getNode(&block);
    BasicBlock* join = node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    divergent.merge(Divergence::influenced(&block, join));
  }
  for (BasicBlock* block : divergent)
    for (Instruction& instruction : make_early_inc_range(*block))
      if (marker_of(instruction) == Marker::interchange) instruction.eraseFromParent();
}

void find_divergent_cuts(Function& function, Divergence& divergence, Pieces& pieces) {
  PostDominatorTree joins(function);
  for (BasicBlock& block : function) {
    if (!divergence.branch_differs(block)) continue;
    const auto* node = joins.getNode(&block);
    BasicBlock* join = node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    const std::set<BasicBlock*> between = Divergence::influenced(&block, join);
    for (Cut& cut : pieces.cuts)
      if (between.count(cut.at) != 0) cut.divergent = pieces.masked = true;
  }
}

// If every thread reaches every cut, all lanes take part in each warp function.
void drop_masks(Pieces& pieces) {
  if (pieces.masked || pieces.masks == nullptr) return;
  for (User* user : make_early_inc_range(pieces.masks->users())) cast<Instruction>(user)->eraseFromParent();
  pieces.masks->eraseFromParent();
  pieces.masks = nullptr;
}

// A value that is the same for all threads may still differ in time: where warps pass a loop's rendezvous on
// their own, or threads go round a cut in it, they are in different rounds at once. Not so in a loop that was
// interchanged, whose threads go through it together.
void find_values_that_differ_in_time(Function& function, Divergence& divergence, const Pieces& pieces) {
  if (!pieces.masked) return;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  const auto is_apart = [&](const Loop& loop) {
    for (const Cut& cut : pieces.cuts)
      if (loop.contains(cut.at) &&
          (cut.kind == Marker::cut_warp ||
           (cut.divergent && !(cut.kind == Marker::interchange && loop.isInnermost()))))
        return true;
    return false;
  };
  for (BasicBlock& block : function)
    for (Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop())
      if (is_apart(*loop))
        for (Instruction& instruction : block)
          if (!instruction.getType()->isVoidTy()) divergence.mark(&instruction);
}

}  // namespace

std::string cut_kernel(Function& function, Pieces& pieces) {
  EliminateUnreachableBlocks(function);
  if (std::string reason = obstacle(function); !reason.empty()) return reason;
  lower_coordinates(function);
  Bounds(function).mark_sums();
  warn_of_exchanges(function);
  join_dead_ends(function);
  join_returns(function);
  lower_block_atomics(function);
  BasicBlock& entry = function.getEntryBlock();
  entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "fission.first");
  const bool sums = sees_sums_only(function);
  pieces.ranges = take_guards(function);
  pieces.alone = !waits(function);
  Divergence divergence(function, pieces.alone);
  interchange(function, divergence, pieces.alone);
  divergence.compute();
  drop_divergent_interchanges(function, divergence);
  share_steps(function, divergence);
  split_at_cuts(function, pieces);
  if (pieces.cuts.size() > max_cuts) return "more than 256 barriers and warp functions";
  divergence.compute();
  find_divergent_cuts(function, divergence, pieces);
  find_values_that_differ_in_time(function, divergence, pieces);
  drop_masks(pieces);
  carry_values(function, divergence, pieces);
  if (pieces.alone) pieces.strips = choose_strips(function, pieces);
  pieces.joins = sums && keeps_nothing(pieces);
  return "";
}

}  // namespace arr_fission
