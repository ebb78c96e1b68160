// SPDX-License-Identifier: MIT
// Deferred element-wise work. In a recording scope, and outside of one if the result is large, an op is
// recorded, and its result is allocated but not computed. Results that are needed run later, in as few
// programs as possible. Any use of a result's memory first runs the operations on which it depends
// (runtime/recorders.h), so values are the same as if each op ran at once.
#pragma once

#include <mutex>
#include <vector>

#include "arr/fuse.h"
#include "ops/elementwise/elementwise.h"

namespace arr {

namespace fuse {
class Recording;
}

inline constexpr int32_t fuse_shared = ARR_FUSE_SHARED, fuse_reorder = ARR_FUSE_REORDER,
                         fuse_small = ARR_FUSE_SMALL;

// Scopes of one thread nest; only the outermost has an effect.
void fuse_begin(int32_t flags);
void fuse_end();
// Runs all operations that this thread has recorded.
void fuse_flush();

// Selects the devices whose operations are recorded outside of scopes: ARR_FUSE_NOWHERE, ARR_FUSE_ON_HOST (on
// a host that runs calls at once), ARR_FUSE_EVERYWHERE.
void set_automatic_fusion(int32_t devices);
int32_t automatic_fusion();  // the devices that were set, or ARR_FUSE

struct FuseCounts {
  int64_t recorded = 0;  // number of recorded operations
  int64_t programs = 0;  // number of programs that ran instead
  int64_t skipped = 0;   // number of operations whose results were never needed
};
FuseCounts fuse_counts() noexcept;      // counts of the process
int32_t fuse_depth() noexcept;          // scopes open on this thread
fuse::Recording* recording() noexcept;  // the recording of this thread's scope, or nullptr

// True if this thread has a scope. Costs a single load if no thread has one.
inline bool fusing() noexcept {
  return recorders.load(std::memory_order_relaxed) != 0 && recording() != nullptr;
}

// The least bytes of a result for which an op is recorded outside of scopes.
inline constexpr int64_t automatic_bytes = int64_t{1} << 18;

// True if an op with such a result may be recorded.
inline bool may_record(const Array& result) noexcept {
  return result.layout.size() >= automatic_bytes / result.item() || fusing();
}

// Records a program with new results of one nonempty shape. Returns false if the thread has no scope and
// nothing is recorded outside of scopes, if code outside of the library may change or free an operand's
// memory, or if running the program at once takes less time. Throws if an operand was recorded and has
// failed.
bool record(std::span<const Array* const> results, const Program& program, std::span<const Input> inputs,
            const Queue& q);

// Records a write of all of an array's memory, which none of the operands reads.
bool record_write(const Array& dst, const Program& program, std::span<const Input> inputs, const Queue& q);

// True if accumulation in that dtype depends on the order of the elements.
inline bool depends_on_order(DType acc) { return !is_integer_or_bool(acc); }

// True if this thread's scope lets inlined operations change the order of combination.
bool fuse_reorders() noexcept;

// A program about to run. Recorded operations that compute its operands are inlined if that saves a pass over
// memory; every other operand is computed first. Until it is destroyed no other thread can write the memory
// that it reads.
class Inlined {
 public:
  // shape: that to which the operands broadcast. by_order: the result depends on the order in which elements
  // are combined, which inlining can change; nothing is inlined then unless the scope has fuse_reorder.
  Inlined(const Program& program, std::span<const Input> inputs, const Layout& shape, const Queue& q,
          bool by_order);
  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] std::span<const Input> inputs() const { return inputs_; }
  [[nodiscard]] bool changed() const { return static_cast<bool>(lock_); }  // an operation was inlined

 private:
  friend class fuse::Recording;
  const Program* program_;
  std::span<const Input> inputs_;
  std::vector<Input> own_;
  std::vector<Ref<Array>> kept_;
  Ref<Recorder> recording_;
  std::unique_lock<std::mutex> lock_;  // last member, so that the others are released first
};

}  // namespace arr
