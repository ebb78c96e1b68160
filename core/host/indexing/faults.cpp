// SPDX-License-Identifier: MIT
// Error words of work that runs later: a step of the stream after the call checks them.
#include "backend/fault.h"

#include <memory>

#include "backend/indexing.h"
#include "host/device/streams.h"
#include "host/indexing/calls.h"

namespace arr::host {

namespace {

struct Slot {
  uint64_t word = 0;  // first member, so that its address is the slot's
  FaultCall fault;

  // A graph may run again, so the word is reset to 0.
  void look() {
    const uint64_t seen = std::exchange(word, 0);
    if (seen != 0) throw Error(ARR_E_ARGUMENT, late_fault_text(fault, seen));
  }
};

}  // namespace

int32_t fault_begin(int32_t /*device*/, const FaultCall* fault, void* /*stream*/, void** word,
                    BackendError* e) {
  return translate_exceptions(e, [&] { *word = &(new Slot{0, *fault})->word; });
}

int32_t fault_end(int32_t /*device*/, void* word, int32_t enqueued, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const std::shared_ptr<Slot> slot(static_cast<Slot*>(word));
    if (enqueued == 0) return;
    Stream& s = stream_of(stream);
    if (s.immediate()) return slot->look();
    s.add({"check of indices", [slot] { slot->look(); }});
  });
}

}  // namespace arr::host
