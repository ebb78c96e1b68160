// SPDX-License-Identifier: MIT
#include "markers.h"

#include <llvm/ADT/StringSwitch.h>

namespace arr_fission {

using namespace llvm;

namespace {

StringRef callee_name(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr ? callee->getName() : StringRef();
}

}  // namespace

bool is_kernel(const Function& function) {
  return !function.isDeclaration() && function.getName().contains(kernel_mark);
}

Marker marker_of(const Instruction& instruction) {
  StringRef name = callee_name(instruction);
  if (!name.consume_front("arr_fission_")) return Marker::none;
  return StringSwitch<Marker>(name)
      .Cases("thread_x", "thread_y", "thread_z", Marker::thread_index)
      .Cases("block_x", "block_y", "block_z", Marker::block_index)
      .Cases("block_dim_x", "block_dim_y", "block_dim_z", Marker::block_dim)
      .Cases("grid_dim_x", "grid_dim_y", "grid_dim_z", Marker::grid_dim)
      .Case("dynamic", Marker::dynamic_shared)
      .Case("worker", Marker::worker)
      .Case("lanes", Marker::lanes)
      .Case("group", Marker::group)
      .Case("cut_phase", Marker::cut_phase)
      .Case("cut_warp", Marker::cut_warp)
      .Case("cut_block", Marker::cut_block)
      .Case("interchange", Marker::interchange)
      .Case("narrow", Marker::narrow)
      .Case("yield", Marker::yield)
      .Case("tile", Marker::tile)
      .Default(Marker::none);
}

unsigned axis_of(const Instruction& instruction) {
  return static_cast<unsigned>(callee_name(instruction).back() - 'x');
}

bool waits(const Function& function) {
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block) {
      const Marker marker = marker_of(instruction);
      if (is_cut(marker) || marker == Marker::lanes || marker == Marker::group) return true;
    }
  return false;
}

bool holds_marker(const Function& function) {
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block)
      if (marker_of(instruction) != Marker::none) return true;
  return false;
}

}  // namespace arr_fission
