// SPDX-License-Identifier: MIT
// Compares the calls of ranks that do not share memory.
#include "ops/comm/agreement.h"

#include <algorithm>
#include <cstring>

#include "ops/comm/combine.h"
#include "runtime/streams.h"

namespace arr {

namespace {

// One rank's call, for the others. The counts of its parts follow.
struct CallRecord {
  CommKind kind;
  int32_t root, op, mean, dtype, ndim, send_counts, recv_counts;
  int64_t shape[max_ndim];
};

CallRecord record_of(const CommCall& c) {
  CallRecord r{};
  r.kind = c.kind;
  r.root = c.root;
  r.op = c.by.op == nullptr ? 0 : c.by.op->number;
  r.mean = c.by.mean ? 1 : 0;
  r.send_counts = static_cast<int32_t>(c.send_counts.size());
  r.recv_counts = static_cast<int32_t>(c.recv_counts.size());
  if (c.kind == CommKind::barrier) return r;
  r.dtype = static_cast<int32_t>(c.any().dtype);
  r.ndim = c.any().layout.ndim;
  std::copy(c.any().layout.shape, c.any().layout.shape + r.ndim, r.shape);
  return r;
}

// The call as its rank has made it, with an array without memory.
CommCall call_from(const CallRecord& r, const int64_t* counts) {
  CommCall c;
  c.kind = r.kind;
  c.root = r.root;
  c.by = {r.op == 0 ? nullptr : op_info(r.op), r.mean != 0};
  c.send_counts.assign(counts, counts + r.send_counts);
  c.recv_counts.assign(counts + r.send_counts, counts + r.send_counts + r.recv_counts);
  if (c.kind == CommKind::barrier) return c;
  const auto d = static_cast<DType>(r.dtype);
  const Layout l = Layout::contiguous({r.shape, static_cast<size_t>(r.ndim)}, item_size(d), Order::C);
  c.src = make<Array>(wrap(nullptr, 0, Device()), nullptr, d, l);
  return c;
}

}  // namespace

std::vector<char> call_record(const CommCall& call, int32_t ranks) {
  std::vector<char> out(sizeof(CallRecord) + 2 * static_cast<size_t>(ranks) * sizeof(int64_t));
  const CallRecord own = record_of(call);
  std::memcpy(out.data(), &own, sizeof own);
  auto* counts = reinterpret_cast<int64_t*>(out.data() + sizeof own);
  std::copy(call.recv_counts.begin(), call.recv_counts.end(),
            std::copy(call.send_counts.begin(), call.send_counts.end(), counts));
  return out;
}

void check_records(const std::vector<char>& all, int32_t ranks) {
  const auto n = static_cast<size_t>(ranks);
  const size_t bytes = all.size() / n;
  std::vector<CommCall> made;
  std::vector<const CommCall*> calls;
  made.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    CallRecord one;
    const char* at = all.data() + i * bytes;
    std::memcpy(&one, at, sizeof one);
    made.push_back(call_from(one, reinterpret_cast<const int64_t*>(at + sizeof one)));
    calls.push_back(&made.back());
  }
  check_calls(calls);
}

}  // namespace arr
