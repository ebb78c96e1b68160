// SPDX-License-Identifier: MIT
// Checks of indices by the work that reads at them: an error word per checked input of a program.
#pragma once

#include "backend/fault.h"
#include "base/uncleared_array.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/index_bounds.h"

namespace arr {

// Describes an index of the running public function, for error texts; it is never freed. `argument` is a
// literal.
const FaultNote* fault_note(const char* argument, int32_t axis, bool is_unsigned, IndexRange range);
// The same of an array of indices into an axis; nullptr if none is an error.
const FaultNote* index_note(const char* argument, int32_t axis, DType index, Bounds bounds);

// The first input of index_check, index_wrap, index_clip and index_from_one. Without a note, indices are not
// checked.
Input extent_input(int64_t extent, const FaultNote* note);

// The out-of-range indices of one call, which its work records in error words in memory. On a host that runs
// calls at once report() throws; otherwise the next call that waits for the stream does.
class DeferredErrors {
 public:
  DeferredErrors(const Program& program, const Queue& q) : program_(program), queue_(q) {}
  DeferredErrors(const DeferredErrors&) = delete;
  DeferredErrors& operator=(const DeferredErrors&) = delete;
  ~DeferredErrors() {
    if (count_ > 0) end(false);
  }
  // Attaches the words to the call's operands, which are those of the program.
  void attach(Operand* operands) {
    if (program_.faults != 0) attach_words(operands);
  }
  // Called after the call was enqueued.
  void report() {
    if (count_ > 0) end(true);
  }

 private:
  void attach_words(Operand* operands);
  void end(bool enqueued);

  const Program& program_;
  const Queue& queue_;
  int32_t count_ = 0;
  bool here_ = false;  // the words are members of this object
  UnclearedArray<FaultCall, Program::max_inputs> calls_;
  uint64_t own_[Program::max_inputs];
  void* words_[Program::max_inputs];
};

}  // namespace arr
