// SPDX-License-Identifier: MIT
// Error words of calls, and the errors that are reported from them.
#include "ops/elementwise/deferred_errors.h"

#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "backend/indexing.h"
#include "base/call_name.h"
#include "base/fork.h"
#include "base/per_thread.h"
#include "expr/op_numbers.h"
#include "runtime/devices.h"

namespace arr {

const FaultNote* fault_note(const char* argument, int32_t axis, bool is_unsigned, IndexRange range) {
  struct Last {
    const FaultNote* note = nullptr;
  };
  struct All {
    ProcessMutex mutex;
    std::deque<FaultNote> notes;  // at most functions times axes
  };
  const FaultNote wanted = {calling_thread.call_name, argument, axis, is_unsigned, range};
  Last& last = per_thread<Last>();
  if (last.note != nullptr && *last.note == wanted) return last.note;
  static auto* all = new All;
  const std::lock_guard lock(all->mutex);
  for (const FaultNote& n : all->notes) {
    if (n == wanted) return last.note = &n;
  }
  return last.note = &all->notes.emplace_back(wanted);
}

const FaultNote* index_note(const char* argument, int32_t axis, DType index, Bounds bounds) {
  if (!raises(bounds)) return nullptr;
  const bool is_unsigned = kind(index) == DKind::UINT;
  const IndexRange range = bounds == Bounds::from_one ? IndexRange::from_one
                           : is_unsigned              ? IndexRange::from_zero
                                                      : IndexRange::from_end;
  return fault_note(argument, axis, is_unsigned, range);
}

Bounds bounds_from(int32_t number) {
  if (number < ARR_BOUNDS_RAISE || number > ARR_BOUNDS_FROM_ONE) {
    fail(ARR_E_ARGUMENT, "argument bounds: ", number, ", expected an ARR_BOUNDS_...");
  }
  return static_cast<Bounds>(number);
}

int32_t position_op(Bounds bounds) {
  switch (bounds) {
    case Bounds::wrap:
      return op::index_wrap;
    case Bounds::clip:
      return op::index_clip;
    case Bounds::from_one:
      return op::index_from_one;
    default:
      return op::index_check;
  }
}

Input extent_input(int64_t extent, const FaultNote* note) {
  Input in;
  in.scalar = {DType::table_, reinterpret_cast<uintptr_t>(note), static_cast<uint64_t>(extent)};
  return in;
}

void DeferredErrors::attach_words(Operand* operands) {
  here_ = queue_.synchronous && !queue_.stream->capturing();
  for (size_t k = 0; k < program_.inputs.size(); ++k) {
    Scalar& s = operands[k].value;
    if ((program_.faults >> k & 1U) == 0 || s.lo == 0) continue;
    const auto at = static_cast<size_t>(count_);
    calls_[at] = {reinterpret_cast<const FaultNote*>(s.lo), static_cast<int64_t>(s.hi)};
    if (here_) {
      own_[at] = 0;
      words_[at] = &own_[at];
    } else {
      call(api<IndexingApi>(queue_).fault_begin, queue_.index(), &calls_[at], queue_.handle(), &words_[at]);
    }
    s.lo = reinterpret_cast<uintptr_t>(words_[at]);
    ++count_;
  }
}

void DeferredErrors::end(bool enqueued) {
  const auto n = static_cast<size_t>(std::exchange(count_, 0));
  for (size_t k = 0; k < n; ++k) {
    if (!here_) {
      BackendError error;
      const int32_t status = api<IndexingApi>(queue_).fault_end(queue_.index(), words_[k], enqueued ? 1 : 0,
                                                                queue_.handle(), &error);
      if (enqueued && status != ARR_OK) throw Error(status, std::move(error.text));
    } else if (enqueued && own_[k] != 0) {
      const bool late = std::strcmp(calls_[k].note->call, calling_thread.call_name) != 0;
      throw Error(ARR_E_ARGUMENT,
                  late ? late_fault_text(calls_[k], own_[k]) : fault_text(calls_[k], own_[k]));
    }
  }
}

}  // namespace arr
