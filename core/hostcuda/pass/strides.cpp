// SPDX-License-Identifier: MIT
#include "strides.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr unsigned max_depth = 24;

// Returns the value that is added to a counter in each iteration; null: the phi is not a counter.
Value* added(const PHINode& phi, const Loop& loop) {
  auto* next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (next == nullptr) return nullptr;
  if (next->getOpcode() == Instruction::Add) {
    if (next->getOperand(0) == &phi) return next->getOperand(1);
    if (next->getOperand(1) == &phi) return next->getOperand(0);
  }
  if (auto* address = dyn_cast<GetElementPtrInst>(next);
      address != nullptr && address->getPointerOperand() == &phi && address->getNumIndices() == 1)
    return address->getOperand(1);
  return nullptr;
}

bool is_counter(const PHINode& phi, const Loop& loop) {
  const Value* by = added(phi, loop);
  return by != nullptr && loop.isLoopInvariant(by);
}

// As a loop over the elements of an array does whose stride is the number of threads.
bool jumps(const Loop& loop) {
  for (const PHINode& phi : loop.getHeader()->phis())
    if (is_counter(phi, loop) && !isa<Constant>(added(phi, loop))) return true;
  return false;
}

}  // namespace

// By how much a value grows from a thread to its neighbour; nothing where that is unknown or not a constant.
std::optional<int64_t> Strides::step(const Value* value, const Loop& loop, unsigned depth) const {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !divergence_.differs(value)) return 0;
  if (depth > max_depth) return {};
  if (marker_of(*instruction) == Marker::thread_index) return axis_of(*instruction) == 0 ? 1 : 0;
  const auto of = [&](unsigned i) { return step(instruction->getOperand(i), loop, depth + 1); };
  if (const auto* phi = dyn_cast<PHINode>(instruction)) {
    if (phi->getParent() != loop.getHeader() || !is_counter(*phi, loop)) return {};
    const auto by = step(added(*phi, loop), loop, depth + 1);
    if (!by || *by != 0) return {};
    return step(phi->getIncomingValueForBlock(loop.getLoopPreheader()), loop, depth + 1);
  }
  switch (instruction->getOpcode()) {
    case Instruction::Add:
    case Instruction::Or: {
      const auto a = of(0), b = of(1);
      if (instruction->getOpcode() == Instruction::Or &&
          !cast<PossiblyDisjointInst>(instruction)->isDisjoint())
        return a && b && *a == 0 && *b == 0 ? a : std::nullopt;
      return a && b ? std::optional(*a + *b) : std::nullopt;
    }
    case Instruction::Sub: {
      const auto a = of(0), b = of(1);
      return a && b ? std::optional(*a - *b) : std::nullopt;
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const auto a = of(0), b = of(1);
      if (!a || !b) return {};
      if (*a == 0 && *b == 0) return 0;
      const auto* by = dyn_cast<ConstantInt>(instruction->getOperand(1));
      if (by == nullptr || by->getValue().getSignificantBits() > 16) return {};
      return instruction->getOpcode() == Instruction::Mul ? *a * by->getSExtValue()
                                                          : *a << (by->getZExtValue() & 15);
    }
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
      return of(0);
    case Instruction::GetElementPtr:
      return step_of_address(*instruction, loop, depth);
    default:
      break;
  }
  if (isa<AllocaInst>(instruction) || isa<CallInst>(instruction)) return {};
  for (unsigned i = 0; i < instruction->getNumOperands(); i++)
    if (const auto each = of(i); !each || *each != 0) return {};
  return 0;
}

std::optional<int64_t> Strides::step_of_address(const Instruction& address, const Loop& loop,
                                                unsigned depth) const {
  const DataLayout& layout = function_.getParent()->getDataLayout();
  std::optional<int64_t> sum = step(address.getOperand(0), loop, depth + 1);
  unsigned i = 1;
  for (auto type = gep_type_begin(&address); sum && type != gep_type_end(&address); ++type, ++i) {
    if (type.isStruct()) continue;
    const auto each = step(address.getOperand(i), loop, depth + 1);
    if (!each) return {};
    *sum += *each * static_cast<int64_t>(type.getSequentialElementStride(layout).getFixedValue());
  }
  return sum;
}

// Vectors are loaded and stored as a whole, or as parts of a few whole ones, or all have the same value.
bool Strides::is_contiguous(const Instruction& access, const Loop& loop) const {
  constexpr int64_t max_interleaved = 4;
  const auto by = step(getLoadStorePointerOperand(&access), loop);
  if (!by) return false;
  const auto bytes = static_cast<int64_t>(function_.getParent()->getDataLayout().getTypeStoreSize(
      getLoadStoreType(const_cast<Instruction*>(&access))));
  return *by == 0 ? isa<LoadInst>(access) : std::abs(*by) <= max_interleaved * bytes;
}

// A value goes from iteration to iteration in a way that must keep its order: as a sum of floating-point
// numbers does.
bool Strides::carries_in_order(const Loop& loop) const {
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (is_counter(phi, loop)) continue;
    RecurrenceDescriptor recurrence;
    if (!RecurrenceDescriptor::isReductionPHI(&phi, const_cast<Loop*>(&loop), recurrence) ||
        recurrence.isOrdered() || recurrence.getExactFPMathInst() != nullptr)
      return true;
  }
  return false;
}

bool Strides::are_threads_better_inside(const Loop& loop, bool alone) const {
  unsigned good = 0, bad = 0, bad_stores = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& access : *block) {
      if (!isa<LoadInst>(access) && !isa<StoreInst>(access)) continue;
      const bool is_good = is_contiguous(access, loop);
      (is_good ? good : bad)++;
      if (!is_good && isa<StoreInst>(access)) bad_stores++;
    }
  if (bad == 0) return true;
  if (!alone || jumps(loop)) return good >= bad;
  return bad_stores == 0 && carries_in_order(loop);
}

}  // namespace arr_fission
