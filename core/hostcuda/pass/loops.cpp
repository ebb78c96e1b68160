// SPDX-License-Identifier: MIT
// Lays the pieces of a kernel out as loops over the threads of a block, or of a run of blocks (block_runs.h):
//
//   piece 0:  for z, y, x: <code up to the next cut>     the x loop is marked free of dependences, since CUDA
//   piece 1:  for z, y, x: ...                           orders threads at barriers only
//
// The choice of the next piece is a plain branch if all threads agree. Otherwise (masked) each thread stores
// its next piece, the x loop skips threads at other pieces, and arr_fission_step chooses the piece to run.
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <set>

#include "../shim/abi.h"
#include "fission.h"
#include "loop_utilities.h"
#include "nest.h"
#include "storage.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr int leaves = -1;  // where a piece may go besides the other pieces: the thread ends

// A piece for all threads at once, for the threads whose `next` it is, or for warps with all threads at it.
// If threads wait for no others, the piece is for a strip of one of the widths, by its number.
using Version = unsigned;
constexpr Version uniform = 0, masked = 1, warp_uniform = 2;

class Layout {
 public:
  Layout(Function& function, const Pieces& pieces)
      : function_(function),
        pieces_(pieces),
        context_(function.getContext()),
        int_(Type::getInt32Ty(context_)),
        storage_(function, pieces),
        first_(function.getEntryBlock().getSingleSuccessor()) {
    size_[0] = function.getArg(run_threads);
    for (unsigned axis = 1; axis < 3; axis++) size_[axis] = function.getArg(block_dim + axis);
    for (unsigned axis = 0; axis < 3; axis++) {
      first_of_[axis] = pieces.ranges.any ? pieces.ranges.first[axis] : number(0);
      last_of_[axis] = pieces.ranges.any ? pieces.ranges.last[axis] : size_[axis];
    }
    entries_.resize(pieces.cuts.size() + 1);
    for (auto& version : starts_) version.resize(entries_.size());
    entries_[0] = first_;
    for (const Cut& cut : pieces.cuts) {
      entries_[static_cast<size_t>(cut.region)] = cut.after;
      cut_at_[cut.at] = &cut;
    }
  }

  void run() {
    std::vector<BasicBlock*> old;
    for (BasicBlock& block : function_) old.push_back(&block);
    prologue();
    while (!work_.empty()) {
      const auto [region, version] = work_.back();
      work_.pop_back();
      piece(region, version);
    }
    if (dispatch_ != nullptr) dispatch();
    locate_calls(function_);
    for (BasicBlock* block : old) block->dropAllReferences();
    for (BasicBlock* block : old) block->eraseFromParent();
    EliminateUnreachableBlocks(function_);
  }

 private:
  BasicBlock* block(const Twine& name) { return BasicBlock::Create(context_, name, &function_); }
  ConstantInt* number(int value) { return ConstantInt::getSigned(cast<IntegerType>(int_), value); }

  void prologue() {
    prologue_ = BasicBlock::Create(context_, "fission.entry", &function_, &function_.getEntryBlock());
    done_ = block("fission.done");
    ReturnInst::Create(context_, done_);
    IRBuilder<> b(prologue_);
    for (unsigned axis = 0; axis < 3; axis++) size_[axis] = clamped_size(b, size_[axis], axis);
    threads_ =
        b.CreateMul(b.CreateMul(size_[0], size_[1], "", true, true), size_[2], "fission.n", true, true);
    chosen_ = b.CreateAlloca(ArrayType::get(int_, 4), nullptr, "fission.chosen");
    if (pieces_.alone && !pieces_.strips.whole)
      storage_.reserve(b, pieces_.strips.max_width);
    else
      storage_.reserve(b, threads_);
    BasicBlock* at = enter_ranges(b);
    if (!pieces_.alone) {
      BranchInst::Create(start(0, uniform), at);
      return;
    }
    rows_.emplace(function_, pieces_.strips, at, first_of_, last_of_, done_);
    std::vector<BasicBlock*> starts;
    for (Version version = 0; version < rows_->versions(); version++) starts.push_back(start(0, version));
    rows_->enter(starts);
  }

  // Behind the computation of which threads there are, if there are any.
  BasicBlock* enter_ranges(IRBuilder<>& b) {
    BasicBlock* begin = block("fission.begin");
    Value* some = pieces_.ranges.any ? compute_ranges(pieces_.ranges, b) : b.getTrue();
    for (unsigned axis = 0; axis < 3; axis++) last_of_[axis] = clamped_size(b, last_of_[axis], axis);
    if (!pieces_.ranges.any) {
      b.CreateBr(begin);
      return begin;
    }
    b.CreateCondBr(some, begin, done_);
    return pieces_.masked ? storage_.end_all(begin, threads_) : begin;
  }

  // Returns the first block of a piece and requests its layout.
  BasicBlock* start(int region, Version version) {
    BasicBlock*& at = starts_[version][static_cast<size_t>(region)];
    if (at == nullptr) {
      at = block("fission.piece" + Twine(region));
      work_.emplace_back(region, version);
    }
    return at;
  }

  // Returns the blocks that run from a piece's entry to the next cuts, and sets the pieces that may follow.
  std::vector<BasicBlock*> blocks_of(int region, std::set<int>& exits) {
    std::vector<BasicBlock*> found, work = {entries_[static_cast<size_t>(region)]};
    std::set<BasicBlock*> seen;
    while (!work.empty()) {
      BasicBlock* at = work.back();
      work.pop_back();
      if (!seen.insert(at).second) continue;
      found.push_back(at);
      if (const auto cut = cut_at_.find(at); cut != cut_at_.end()) {
        exits.insert(cut->second->region);
        continue;
      }
      if (isa<ReturnInst>(at->getTerminator())) exits.insert(leaves);
      work.insert(work.end(), succ_begin(at), succ_end(at));
    }
    return found;
  }

  // True if all threads leave this piece for the same next one.
  bool stay_uniform(const std::set<int>& exits) const {
    for (const Cut& cut : pieces_.cuts)
      if (cut.divergent && exits.count(cut.region) != 0) return false;
    return true;
  }

  // True if the lanes of a warp all leave this piece for the same next one.
  bool stay_warp_uniform(const std::set<int>& exits) const {
    if (exits.size() != 1) return false;
    for (const Cut& cut : pieces_.cuts)
      if (cut.region == *exits.begin())
        return cut.kind == Marker::cut_phase ||
               (cut.kind == Marker::cut_warp && has_full_mask(*cut.at, pieces_.masks));
    return false;
  }

  // The next piece of a thread that leaves this piece by `exit`.
  BasicBlock* exit_block(int exit, bool several, const Nest& nest, MDNode* group) {
    BasicBlock* at = block("fission.exit");
    IRBuilder<> b(at);
    if (!plain_)
      b.CreateStore(number(code_of(exit)), b.CreateGEP(int_, storage_.next(), nest.thread))
          ->setMetadata(LLVMContext::MD_access_group, group);
    else if (several)
      b.CreateStore(number(exit), chosen_);
    b.CreateBr(nest.x_latch);
    return at;
  }

  // The encoding of a thread's state in `next`; see shim/abi.h.
  int code_of(int exit) const {
    if (exit == leaves) return arr_host::piece_ended;
    for (const Cut& cut : pieces_.cuts)
      if (cut.region == exit)
        return exit | (cut.kind == Marker::cut_warp    ? arr_host::piece_waits_in_warp
                       : cut.kind == Marker::cut_block ? arr_host::piece_waits_at_barrier
                                                       : 0);
    return exit;
  }

  void piece(int region, Version version) {
    std::set<int> exits;
    const std::vector<BasicBlock*> blocks = blocks_of(region, exits);
    version_ = version;
    plain_ = pieces_.alone ||
             (version == uniform ? stay_uniform(exits) : version == warp_uniform && stay_warp_uniform(exits));
    BasicBlock* begin = starts_[version][static_cast<size_t>(region)];
    IRBuilder<> before(begin);
    const Storage::Used used = storage_.read_common(blocks, before);
    Value *first[] = {first_of_[0], first_of_[1], first_of_[2]},
          *last[] = {last_of_[0], last_of_[1], last_of_[2]};
    if (!pieces_.alone && version != uniform) {
      const auto field = [&](unsigned i) {
        return before.CreateLoad(int_, before.CreateConstGEP1_32(int_, chosen_, i));
      };
      // Skipping rows does not pay in a block of several rows. Warps are whole only in blocks of one row.
      Value* one_row = version == warp_uniform ? before.getTrue() : before.CreateICmpEQ(threads_, size_[0]);
      first[0] = before.CreateSelect(one_row, field(1), first[0]);
      last[0] = before.CreateSelect(one_row, field(2), last[0]);
    }
    const Nest nest =
        rows_ ? open_strip(function_, begin, *rows_) : open_nest(function_, begin, size_, first);
    before.CreateBr(nest.z_head);
    MDNode* group = MDNode::getDistinct(context_, {});
    enter_body(region, nest, group);
    IRBuilder<> body(nest.body);
    ValueToValueMapTy values;
    storage_.map(used, nest.thread, *prologue_, body, values);
    const std::vector<BasicBlock*> copies = copy_blocks(blocks, region, values);
    body.CreateBr(cast<BasicBlock>(values[blocks[0]]));
    std::map<int, BasicBlock*> out;
    for (int exit : exits) out[exit] = exit_block(exit, exits.size() > 1, nest, group);
    connect(blocks, copies, out);
    for (BasicBlock* at : copies) remap(*at, nest, group, values);
    if (rows_)
      close_strip(nest, rows_->count(version), group);
    else
      close_nest(nest, last, group);
    follow(region, exits, nest);
  }

  void enter_body(int region, const Nest& nest, MDNode* group) {
    IRBuilder<> b(nest.x_head);
    if (rows_ || version_ != masked) {
      b.CreateBr(nest.body);
      return;
    }
    LoadInst* next = b.CreateLoad(int_, b.CreateGEP(int_, storage_.next(), nest.thread));
    next->setMetadata(LLVMContext::MD_access_group, group);
    b.CreateCondBr(b.CreateICmpEQ(next, number(region)), nest.body, nest.x_latch);
  }

  // Ends copies of blocks with a cut or return in the piece's exits, and takes out of phis what cannot come.
  void connect(const std::vector<BasicBlock*>& blocks, const std::vector<BasicBlock*>& copies,
               std::map<int, BasicBlock*>& out) {
    const std::set<BasicBlock*> inside(blocks.begin(), blocks.end());
    for (size_t i = 0; i < blocks.size(); i++) {
      for (PHINode& phi : make_early_inc_range(copies[i]->phis()))
        for (int k = static_cast<int>(phi.getNumIncomingValues()) - 1; k >= 0; k--) {
          BasicBlock* from = phi.getIncomingBlock(static_cast<unsigned>(k));
          if (inside.count(from) == 0 || cut_at_.count(from) != 0)
            phi.removeIncomingValue(static_cast<unsigned>(k), false);
        }
      const auto cut = cut_at_.find(blocks[i]);
      Instruction* end = copies[i]->getTerminator();
      if (cut == cut_at_.end() && !isa<ReturnInst>(end)) continue;
      const int exit = cut != cut_at_.end() ? cut->second->region : leaves;
      end->eraseFromParent();
      BranchInst::Create(out.at(exit), copies[i]);
    }
  }

  void remap(BasicBlock& copy, const Nest& nest, MDNode* group, ValueToValueMapTy& values) {
    for (Instruction& instruction : make_early_inc_range(copy)) {
      auto* mask = dyn_cast<StoreInst>(&instruction);
      if (plain_ && mask != nullptr && mask->getPointerOperand() == pieces_.masks) {
        mask->eraseFromParent();  // all lanes take part
        continue;
      }
      RemapInstruction(&instruction, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      if (auto* store = dyn_cast<StoreInst>(&instruction)) storage_.keep_common(*store);
      if (instruction.mayReadOrWriteMemory() && instruction.getMetadata("fission.ordered") == nullptr)
        instruction.setMetadata(LLVMContext::MD_access_group, group);
      const Marker marker = marker_of(instruction);
      Value* replacement = nullptr;
      if (marker == Marker::thread_index)
        replacement = axis_of(instruction) == 0 ? nest.x : axis_of(instruction) == 1 ? nest.y : nest.z;
      IRBuilder<> b(&instruction);
      if (marker == Marker::lanes)
        replacement = lanes(b, cast<CallInst>(instruction).getArgOperand(0), group);
      if (marker == Marker::group) replacement = group_of(b, nest, group);
      if (marker != Marker::narrow && replacement == nullptr) continue;
      if (replacement != nullptr) instruction.replaceAllUsesWith(replacement);
      instruction.eraseFromParent();
    }
    for (PHINode& phi : make_early_inc_range(copy.phis()))
      if (phi.getNumIncomingValues() == 0) {
        phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
        phi.eraseFromParent();
      }
  }

  // The lanes of a warp that take part: those not ended where threads may end early, else all the block has.
  Value* lanes(IRBuilder<>& b, Value* warp, MDNode* group) {
    if (version_ == warp_uniform) return number(-1);
    if (version_ == masked) {
      LoadInst* live =
          b.CreateLoad(int_, b.CreateGEP(int_, storage_.live(), b.CreateZExt(warp, b.getInt64Ty())));
      live->setMetadata(LLVMContext::MD_access_group, group);
      return live;
    }
    Value* first = b.CreateShl(warp, 5);
    Value* rest = b.CreateSelect(b.CreateICmpULT(first, threads_), b.CreateSub(threads_, first), number(0));
    Value* some = b.CreateSub(b.CreateShl(number(1), b.CreateAnd(rest, 31)), number(1));
    return b.CreateSelect(b.CreateICmpUGE(rest, number(32)), number(-1), some);
  }

  // The value that `release` stored in place of the thread's mask.
  Value* group_of(IRBuilder<>& b, const Nest& nest, MDNode* group) {
    if (version_ == uniform) return lanes(b, b.CreateTrunc(b.CreateLShr(nest.thread, 5), int_), group);
    LoadInst* found = b.CreateLoad(int_, b.CreateGEP(int_, storage_.array(pieces_.masks), nest.thread));
    found->setMetadata(LLVMContext::MD_access_group, group);
    return found;
  }

  // The one piece that follows a warp function's first one in every case: the values have been read.
  int phase_behind(int region, const std::set<int>& exits) const {
    const auto kind = [&](int r) {
      for (const Cut& cut : pieces_.cuts)
        if (cut.region == r) return cut.kind;
      return Marker::none;
    };
    const bool is_phase = exits.size() == 1 && kind(*exits.begin()) == Marker::cut_phase;
    return is_phase && kind(region) == Marker::cut_warp ? *exits.begin() : leaves;
  }

  void follow(int region, const std::set<int>& exits, const Nest& nest) {
    IRBuilder<> b(nest.after);
    const auto to = [&](int exit) {
      return exit != leaves ? start(exit, version_) : rows_ ? rows_->end() : done_;
    };
    if (!plain_) {
      for (int exit : exits) {
        if (exit == leaves) continue;
        start(exit, masked);
        if ((code_of(exit) & arr_host::piece_waits_in_warp) != 0) start(exit, warp_uniform);
      }
      const int phase = version_ == masked ? phase_behind(region, exits) : leaves;
      if (phase == leaves) {
        b.CreateBr(dispatch_block());
      } else {
        Value* alone = b.CreateLoad(int_, b.CreateConstGEP1_32(int_, chosen_, 3));
        b.CreateCondBr(b.CreateIsNotNull(alone), start(phase, masked), dispatch_block());
      }
    } else if (exits.empty()) {
      b.CreateUnreachable();
    } else if (exits.size() == 1) {
      b.CreateBr(to(*exits.begin()));
    } else {
      SwitchInst* choice = b.CreateSwitch(b.CreateLoad(int_, chosen_), to(leaves));
      for (int exit : exits)
        if (exit != leaves) choice->addCase(number(exit), to(exit));
    }
  }

  BasicBlock* dispatch_block() {
    if (dispatch_ == nullptr) dispatch_ = block("fission.dispatch");
    return dispatch_;
  }

  void dispatch() {
    IRBuilder<> b(dispatch_);
    Module& module = *function_.getParent();
    Value* masks =
        pieces_.masks != nullptr ? storage_.array(pieces_.masks) : ConstantPointerNull::get(b.getPtrTy());
    Value* next =
        b.CreateCall(module.getFunction("arr_fission_step"),
                     {function_.getArg(worker), storage_.next(), masks, storage_.live(), threads_,
                      cut_sites(module, pieces_), function_.getArg(block_index),
                      function_.getArg(block_index + 1), function_.getArg(block_index + 2), chosen_});
    Value* whole = b.CreateICmpEQ(b.CreateLoad(int_, b.CreateConstGEP1_32(int_, chosen_, 3)),
                                  number(arr_host::step_whole_warps));
    BasicBlock* const to[] = {block("fission.warp_uniform"), block("fission.masked")};
    b.CreateCondBr(b.CreateAnd(whole, b.CreateICmpEQ(threads_, size_[0])), to[0], to[1]);
    for (const Version version : {warp_uniform, masked}) {
      SwitchInst* choice = SwitchInst::Create(next, done_, 8, to[version == masked ? 1 : 0]);
      for (const Cut& cut : pieces_.cuts)
        if (BasicBlock* at = starts_[version][static_cast<size_t>(cut.region)]; at != nullptr)
          choice->addCase(number(cut.region), at);
    }
  }

  Function& function_;
  const Pieces& pieces_;
  LLVMContext& context_;
  Type* int_;
  Storage storage_;
  BasicBlock *first_, *prologue_ = nullptr, *dispatch_ = nullptr, *done_ = nullptr;
  // chosen_: the next piece, where the last one had several exits, then what arr_fission_step says.
  Value *size_[3] = {}, *first_of_[3] = {}, *last_of_[3] = {}, *threads_ = nullptr, *chosen_ = nullptr;
  std::vector<BasicBlock*> entries_, starts_[3];  // of the pieces: in the old code, in the new per Version
  std::vector<std::pair<int, Version>> work_;     // pieces to be laid out
  std::optional<Rows> rows_;                      // of threads that wait for no others
  Version version_ = uniform;                     // of the piece that is being laid out
  bool plain_ = true;                             // it is followed by plain branches
  std::map<BasicBlock*, const Cut*> cut_at_;
};

}  // namespace

void lay_out(Function& function, const Pieces& pieces) { Layout(function, pieces).run(); }

}  // namespace arr_fission
