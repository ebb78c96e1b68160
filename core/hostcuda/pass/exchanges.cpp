// SPDX-License-Identifier: MIT
#include "exchanges.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "divergence.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr size_t max_accesses = 256;  // of a kernel; above, comparing all pairs would take long
constexpr int64_t warp = 32;

// The shared variable that a pointer leads to; null for other memory and for the shim's own variables.
const Value* shared_object(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(object))
    if (intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address) object = intrinsic->getArgOperand(0);
  if (const auto* global = dyn_cast<GlobalVariable>(object))
    return global->isThreadLocal() && !global->getName().contains("arr_") ? object : nullptr;
  const auto* argument = dyn_cast<Argument>(object);
  return argument != nullptr && argument->getArgNo() == dynamic_shared ? object : nullptr;
}

class Exchanges {
 public:
  explicit Exchanges(Function& function)
      : function_(function),
        dominators_(function),
        loops_(dominators_),
        assumptions_(function),
        library_impl_(Triple(function.getParent()->getTargetTriple())),
        library_(library_impl_),
        evolution_(function, library_, assumptions_, dominators_, loops_),
        divergence_(function) {
    divergence_.compute();
    find_guards();
  }

  void run() {
    bound_indices(true);
    find_accesses();
    if (accesses_.size() <= max_accesses)
      for (const Access& first : accesses_)
        for (const Access* second : reached(first))
          if (is_exchange(first, *second)) warn(first, *second);
    bound_indices(false);
  }

 private:
  // An address, as the sum of what differs between threads and what does not.
  struct Access {
    Instruction* at;
    const Value* object;
    const SCEV *varying, *common;
    bool writes;
  };
  struct Parts {
    const SCEV *varying, *common;
  };

  // A thread's index is below 1024: so an index of 64 bits made of it is the same whether it is signed or
  // not.
  void bound_indices(bool on) const {
    MDNode* range = MDBuilder(function_.getContext()).createRange(APInt(32, 0), APInt(32, 1024));
    for (BasicBlock& block : function_)
      for (Instruction& instruction : block)
        if (marker_of(instruction) == Marker::thread_index)
          instruction.setMetadata(LLVMContext::MD_range, on ? range : nullptr);
  }

  void find_accesses() {
    for (BasicBlock& block : function_)
      for (Instruction& instruction : block) {
        const auto* load = dyn_cast<LoadInst>(&instruction);
        const auto* store = dyn_cast<StoreInst>(&instruction);
        if ((load == nullptr || load->isAtomic()) && (store == nullptr || store->isAtomic())) continue;
        Value* pointer = getLoadStorePointerOperand(&instruction);
        const Value* object = shared_object(pointer);
        if (object == nullptr) continue;
        const SCEV* offset = evolution_.removePointerBase(evolution_.getSCEV(pointer));
        const Parts parts = split(with_one_index(offset));
        accesses_.push_back({&instruction, object, parts.varying, parts.common, store != nullptr});
      }
  }

  // The same expression with one call for each coordinate of the thread.
  const SCEV* with_one_index(const SCEV* s) {
    ValueToSCEVMapTy to;
    visit_all(s, [&](const SCEV* part) {
      const auto* unknown = dyn_cast<SCEVUnknown>(part);
      auto* call = unknown != nullptr ? dyn_cast<CallInst>(unknown->getValue()) : nullptr;
      if (call == nullptr || marker_of(*call) != Marker::thread_index) return;
      CallInst*& known = index_[axis_of(*call)];
      if (known == nullptr) known = call;
      if (known != call) to[call] = evolution_.getSCEV(known);
    });
    return to.empty() ? s : SCEVParameterRewriter::rewrite(s, evolution_, to);
  }
  template <class Visit>
  static void visit_all(const SCEV* s, const Visit& visit) {
    SCEVExprContains(s, [&](const SCEV* part) {
      visit(part);
      return false;
    });
  }

  bool varies(const SCEV* s) const {
    return SCEVExprContains(s, [&](const SCEV* part) {
      const auto* unknown = dyn_cast<SCEVUnknown>(part);
      return unknown != nullptr && divergence_.differs(unknown->getValue());
    });
  }

  Parts split(const SCEV* s) {
    const SCEV* zero = evolution_.getZero(s->getType());
    if (!varies(s)) return {zero, s};
    if (const auto* sum = dyn_cast<SCEVAddExpr>(s)) {
      Parts all{zero, zero};
      for (const SCEV* term : sum->operands()) {
        const Parts one = split(term);
        all = {evolution_.getAddExpr(all.varying, one.varying),
               evolution_.getAddExpr(all.common, one.common)};
      }
      return all;
    }
    const auto* loop = dyn_cast<SCEVAddRecExpr>(s);
    if (loop == nullptr || !loop->isAffine() || varies(loop->getStepRecurrence(evolution_))) return {s, zero};
    const Parts start = split(loop->getStart());
    const SCEV* steps = evolution_.getAddRecExpr(zero, loop->getStepRecurrence(evolution_), loop->getLoop(),
                                                 SCEV::FlagAnyWrap);
    return {start.varying, evolution_.getAddExpr(start.common, steps)};
  }

  void find_guards() {
    PostDominatorTree joins(function_);
    for (BasicBlock& block : function_) {
      if (!divergence_.branch_differs(block)) continue;
      const auto* node = joins.getNode(&block);
      BasicBlock* join =
          node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
      for (BasicBlock* inside : Divergence::influenced(&block, join)) guards_[inside].push_back(&block);
    }
  }
  // The conditions under which a thread comes to this access.
  std::set<const Value*> conditions(const Access& access) const {
    std::set<const Value*> found;
    if (const auto guards = guards_.find(access.at->getParent()); guards != guards_.end())
      for (const BasicBlock* block : guards->second) {
        const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
        found.insert(branch != nullptr ? branch->getCondition() : nullptr);
      }
    return found;
  }
  // A comparison with what the launch gives, such as the size of an array.
  bool is_bound(const Value* condition) const {
    const auto* compare = dyn_cast_or_null<ICmpInst>(condition);
    if (compare == nullptr || compare->isEquality()) return false;
    const Value *x = compare->getOperand(0), *y = compare->getOperand(1);
    const Value* limit = divergence_.differs(x) ? y : x;
    return !divergence_.differs(limit) && !isa<Constant>(limit);
  }
  // True if the same threads come to both accesses: all, or those within a bound. Another guard may choose
  // one thread for each pair.
  bool are_for_all(const Access& a, const Access& b) const {
    const std::set<const Value*> of_both = conditions(a);
    return of_both == conditions(b) &&
           std::all_of(of_both.begin(), of_both.end(), [&](const Value* c) { return is_bound(c); });
  }
  // If so, those below a limit.
  bool is_below_limit(const Access& access) const {
    const auto found = guards_.find(access.at->getParent());
    if (found == guards_.end()) return true;
    return std::all_of(found->second.begin(), found->second.end(), [&](const BasicBlock* block) {
      const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      const auto* compare = branch != nullptr ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
      if (compare == nullptr || compare->isEquality()) return false;
      const auto* call = dyn_cast<CallInst>(compare->getOperand(0));
      return call != nullptr && marker_of(*call) == Marker::thread_index &&
             !divergence_.differs(compare->getOperand(1));
    });
  }

  // The accesses to the same variable that a thread comes to before its next barrier.
  std::vector<const Access*> reached(const Access& from) const {
    std::vector<const Access*> found;
    std::set<const BasicBlock*> seen;
    std::vector<std::pair<const BasicBlock*, BasicBlock::const_iterator>> work{
        {from.at->getParent(), std::next(from.at->getIterator())}};
    while (!work.empty()) {
      const auto [block, begin] = work.back();
      work.pop_back();
      bool cut = false;
      for (auto it = begin; it != block->end() && !cut; ++it) {
        cut = is_cut(marker_of(*it));
        for (const Access& access : accesses_)
          if (access.at == &*it && access.object == from.object) found.push_back(&access);
      }
      if (cut) continue;
      for (const BasicBlock* next : successors(block))
        if (seen.insert(next).second) work.emplace_back(next, next->begin());
    }
    return found;
  }

  // A sum of constants and counters of loops: what else is common to the threads may choose between buffers.
  static bool is_plain(const SCEV* s) {
    return !SCEVExprContains(s, [](const SCEV* part) {
      return !isa<SCEVConstant>(part) && !isa<SCEVAddExpr>(part) && !isa<SCEVMulExpr>(part) &&
             !isa<SCEVAddRecExpr>(part);
    });
  }

  // As t + n in 32 bits, whose parts cannot be told apart where the sum may wrap.
  bool has_common_unknown(const SCEV* s) const {
    return SCEVExprContains(s, [&](const SCEV* part) {
      const auto* unknown = dyn_cast<SCEVUnknown>(part);
      return unknown != nullptr && !divergence_.differs(unknown->getValue());
    });
  }

  bool is_exchange(const Access& a, const Access& b) {
    if (!a.writes && !b.writes) return false;
    if (a.writes && b.writes) return false;
    if (a.varying->getType() != b.varying->getType()) return false;
    if (a.varying->isZero() || b.varying->isZero()) return false;  // one value for all, or a buffer's
    if (a.varying == b.varying) return is_below_limit(a) && is_below_limit(b) && are_neighbours(a, b);
    if (!are_for_all(a, b)) return false;
    if (has_common_unknown(a.varying) || has_common_unknown(b.varying)) return false;
    return is_plain(a.common) && is_plain(b.common) && !are_in_different_rows(a, b) &&
           !is_own(a.writes ? b : a);
  }

  // Such as two buffers, s[2][64]: constants choose the row, and the thread's index an element of it.
  bool are_in_different_rows(const Access& a, const Access& b) const {
    const auto* global = dyn_cast<GlobalVariable>(a.object);
    const auto* rows = global != nullptr ? dyn_cast<ArrayType>(global->getValueType()) : nullptr;
    const auto *at = dyn_cast<SCEVConstant>(a.common), *bt = dyn_cast<SCEVConstant>(b.common);
    if (rows == nullptr || !rows->getElementType()->isArrayTy() || at == nullptr || bt == nullptr)
      return false;
    const auto row = static_cast<int64_t>(
        function_.getParent()->getDataLayout().getTypeAllocSize(rows->getElementType()).getFixedValue());
    if (stride_of(a.varying) >= row || stride_of(b.varying) >= row) return false;
    return at->getAPInt().getSExtValue() / row != bt->getAPInt().getSExtValue() / row;
  }

  // True if a thread reads here what it wrote itself.
  bool is_own(const Access& read) const {
    for (const Access& write : accesses_)
      if (write.writes && write.object == read.object && write.varying == read.varying &&
          write.common == read.common && dominators_.dominates(write.at, read.at))
        return true;
    return false;
  }

  // The elements of threads of one warp, `distance` apart, where both threads come here.
  bool are_neighbours(const Access& a, const Access& b) {
    const auto* apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(b.common, a.common));
    if (apart == nullptr || apart->isZero()) return false;
    const int64_t stride = stride_of(a.varying);
    const int64_t bytes = apart->getAPInt().getSExtValue();
    if (stride == 0 || bytes % stride != 0) return false;
    const int64_t distance = bytes < 0 ? -bytes / stride : bytes / stride;
    if (distance >= warp) return false;
    const CallInst* x = index_[0];
    if (x == nullptr) return true;
    const SCEV* thread = evolution_.getSCEV(const_cast<CallInst*>(x));
    const SCEV* limit = evolution_.getConstant(thread->getType(), static_cast<uint64_t>(distance));
    return !evolution_.isKnownPredicateAt(ICmpInst::ICMP_ULT, thread, limit, b.at) &&
           !evolution_.isKnownPredicateAt(ICmpInst::ICMP_SLT, thread, limit, b.at);
  }

  // The smallest factor in a sum, in bytes.
  static int64_t stride_of(const SCEV* s) {
    if (const auto* sum = dyn_cast<SCEVAddExpr>(s)) {
      int64_t min_stride = 0;
      for (const SCEV* term : sum->operands()) {
        const int64_t one = stride_of(term);
        if (min_stride == 0 || (one != 0 && one < min_stride)) min_stride = one;
      }
      return min_stride;
    }
    if (const auto* product = dyn_cast<SCEVMulExpr>(s))
      if (const auto* factor = dyn_cast<SCEVConstant>(product->getOperand(0))) {
        const int64_t value = factor->getAPInt().getSExtValue();
        return value < 0 ? -value : value;
      }
    return 1;
  }

  static std::string location_text(const Instruction& at) {
    const DILocation* location = at.getDebugLoc().get();
    if (location == nullptr) return "";
    return (location->getFilename() + ":" + Twine(location->getLine())).str();
  }

  // "s" of "k(float*)::s".
  static std::string variable_name(const Value& object) {
    if (isa<Argument>(object)) return "extern __shared__ memory";
    std::string name = demangle(object.getName().str());
    const size_t last = name.rfind("::");
    return "__shared__ " + (last == std::string::npos ? name : name.substr(last + 2));
  }

  void warn(const Access& first, const Access& second) {
    if (!told_.insert(first.object).second) return;
    const Access &write = first.writes ? first : second, &read = first.writes ? second : first;
    const std::string here = location_text(*read.at), there = location_text(*write.at);
    errs() << (here.empty() ? "" : here + ": ") << "warning: " << variable_name(*first.object)
           << ": threads of a warp read here what others write" << (there.empty() ? "" : " at " + there)
           << ", with no barrier between; warps do not run in step: use __syncwarp()\n";
  }

  Function& function_;
  DominatorTree dominators_;
  LoopInfo loops_;
  AssumptionCache assumptions_;
  TargetLibraryInfoImpl library_impl_;
  TargetLibraryInfo library_;
  ScalarEvolution evolution_;
  Divergence divergence_;
  std::vector<Access> accesses_;
  std::map<const BasicBlock*, std::vector<BasicBlock*>> guards_;  // branches that differ, of each block
  CallInst* index_[3] = {};
  std::set<const Value*> told_;
};

}  // namespace

void warn_of_exchanges(Function& function) { Exchanges(function).run(); }

}  // namespace arr_fission
