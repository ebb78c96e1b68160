// SPDX-License-Identifier: MIT
// Dispatch of calls to a backend. While a trace is recorded, each call adds its name, shape and time to it.
#pragma once

#include "runtime/trace.h"

namespace arr {

// A call that a backend enqueues in a stream.
template <class Call>
using Enqueue = int32_t (*)(int32_t device, const Call*, void* stream, BackendError*);

// Enqueues a call: enqueue(q, api<ReduceApi>(q).scan, c).
template <class Call>
void enqueue(const Queue& q, Enqueue<Call> work, const Call& c) {
  if (!tracing()) return call(work, q.index(), &c, q.handle());
  const TraceSpan span(q, describe_work(c));
  call(work, q.index(), &c, q.handle());
}
// Returns false, with nothing enqueued, if the backend declines.
template <class Call>
bool try_enqueue(const Queue& q, Enqueue<Call> work, const Call& c) {
  if (!tracing()) return try_call(work, q.index(), &c, q.handle());
  TraceSpan span(q, describe_work(c));
  if (try_call(work, q.index(), &c, q.handle())) return true;
  span.cancel();
  return false;
}

}  // namespace arr
