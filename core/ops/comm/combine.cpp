// SPDX-License-Identifier: MIT
// Runs collective operations as assignments and element-wise operations.
#include "ops/comm/combine.h"

#include "ops/elementwise/array_ops.h"
#include "runtime/recorders.h"

namespace arr {

namespace {

using Calls = std::span<const CommCall* const>;

// The values where the destination is.
Ref<Array> beside(const Array& a, const Array& dst, Stream* stream) {
  return a.device() == dst.device() ? a.share() : to_device(a, dst.device(), stream);
}

void check_equal_counts(const CommCall& a, const CommCall& b, size_t rank) {
  if (a.send_counts == b.send_counts && a.recv_counts == b.recv_counts) return;
  fail(ARR_E_SHAPE, "argument counts: those of rank 0 and rank ", rank, " differ");
}

void check_alike(const Array& a, const Array& b, size_t rank, bool parts) {
  Layout l = b.layout;
  if (parts && l.ndim > 0 && a.layout.ndim > 0) l.shape[0] = a.layout.shape[0];
  if (a.dtype == b.dtype && a.layout.same_shape(l)) return;
  fail(a.dtype == b.dtype ? ARR_E_SHAPE : ARR_E_DTYPE, "the array of rank 0 is ", name(a.dtype), " of shape ",
       a.layout.text(), ", that of rank ", rank, " ", name(b.dtype), " of shape ", b.layout.text());
}

// All ranks have made the same call.
void check_set(Calls calls) {
  const CommCall& first = *calls[0];
  const bool parts = !first.send_counts.empty() || !first.recv_counts.empty();
  for (size_t r = 1; r < calls.size(); ++r) {
    const CommCall& c = *calls[r];
    if (c.kind != first.kind) {
      fail(ARR_E_ARGUMENT, "rank 0 has called ", comm_call_name(first.kind), ", rank ", r, " ",
           comm_call_name(c.kind));
    }
    if (c.root != first.root)
      fail(ARR_E_ARGUMENT, "argument root: ", first.root, " on rank 0, ", c.root, " on rank ", r);
    if (c.by.op != first.by.op || c.by.mean != first.by.mean) {
      fail(ARR_E_ARGUMENT, "argument reduction: those of rank 0 and rank ", r, " differ");
    }
    if (c.kind == CommKind::barrier) continue;
    check_alike(first.any(), c.any(), r, parts);
    if (c.kind != CommKind::all_to_all && parts) check_equal_counts(first, c, r);
  }
}

void check_all_to_all(Calls calls) {
  for (size_t from = 0; from < calls.size(); ++from) {
    for (size_t to = 0; to < calls.size(); ++to) {
      const int64_t sent = calls[from]->send_counts[to], expected = calls[to]->recv_counts[from];
      if (sent == expected) continue;
      fail(ARR_E_SHAPE, "argument send_counts: rank ", from, " sends ", sent, " to rank ", to,
           ", which expects ", expected);
    }
  }
}

void copy(const Array& dst, const Array& src, Stream* stream) {
  if (same_window(dst, src)) return;
  assign(dst, src, stream);
  materialize(*dst.buffer);  // now, not in a recording of this thread
}

void exchange(Calls calls) {
  const auto n = static_cast<int32_t>(calls.size());
  for (int32_t to = 0; to < n; ++to) {
    const CommCall& c = *calls[static_cast<size_t>(to)];
    for (int32_t from = 0; from < n; ++from) {
      const CommCall& other = *calls[static_cast<size_t>(from)];
      copy(*part_of(*c.dst, c.recv_counts, from), *part_of(*other.src, other.send_counts, to),
           c.stream.get());
    }
  }
}

void reduce_to(Calls calls, const CommCall& to) {
  std::vector<const Array*> arrays;
  for (const CommCall* c : calls) arrays.push_back(c->src.get());
  combine_into(*to.dst, to.by, arrays, to.stream.get());
}

void reduce_parts(Calls calls) {
  for (size_t r = 0; r < calls.size(); ++r) {
    const CommCall& to = *calls[r];
    std::vector<Ref<Array>> parts;
    std::vector<const Array*> arrays;
    for (const CommCall* c : calls) {
      parts.push_back(part_of(*c->src, to.send_counts, static_cast<int32_t>(r)));
      arrays.push_back(parts.back().get());
    }
    combine_into(*to.dst, to.by, arrays, to.stream.get());
  }
}

void gather_to(Calls calls, const CommCall& to) {
  for (size_t r = 0; r < calls.size(); ++r) {
    copy(*part_of(*to.dst, to.recv_counts, static_cast<int32_t>(r)), *calls[r]->src, to.stream.get());
  }
}

}  // namespace

void combine_into(const Array& dst, const Combination& by, std::span<const Array* const> arrays,
                  Stream* stream) {
  if (arrays.size() == 1) return copy(dst, *arrays[0], stream);
  // A later operand must not be overwritten by the first results.
  for (size_t r = 2; r < arrays.size(); ++r) {
    if (!may_share_memory(dst, *arrays[r])) continue;
    const Ref<Array> other = empty_like(dst, dst.dtype, Order::K, stream);
    combine_into(*other, by, arrays, stream);
    return copy(dst, *other, stream);
  }
  Ref<Array> first = beside(*arrays[0], dst, stream);
  for (size_t r = 1; r < arrays.size(); ++r) {
    const Ref<Array> next = beside(*arrays[r], dst, stream);
    const Input both[] = {{first.get(), {}, false}, {next.get(), {}, false}};
    elementwise_into(dst, *by.op, both, stream);
    first = dst.share();
  }
  if (by.mean) divide_by_ranks(dst, static_cast<int32_t>(arrays.size()), stream);
  materialize(*dst.buffer);
}

void divide_by_ranks(const Array& dst, int32_t ranks, Stream* stream) {
  const Input quotient[] = {{&dst, {}, false}, {nullptr, scalar_of(static_cast<double>(ranks)), true}};
  elementwise_into(dst, *op_find("divide"), quotient, stream);
  materialize(*dst.buffer);
}

void check_calls(Calls calls) {
  check_set(calls);
  if (calls[0]->kind == CommKind::all_to_all) check_all_to_all(calls);
}

void combine_calls(Calls calls) {
  const CommCall& first = *calls[0];
  if (first.kind == CommKind::send) {
    const CommCall& to = *calls[1];
    if (first.src->dtype != to.dst->dtype || !first.src->layout.same_shape(to.dst->layout)) {
      fail(first.src->dtype != to.dst->dtype ? ARR_E_DTYPE : ARR_E_SHAPE, "rank ", to.root, " sends ",
           name(first.src->dtype), " of shape ", first.src->layout.text(), ", rank ", first.root,
           " receives ", name(to.dst->dtype), " of shape ", to.dst->layout.text());
    }
    return copy(*to.dst, *first.src, to.stream.get());
  }
  check_calls(calls);
  const CommCall& root = *calls[static_cast<size_t>(first.root)];
  switch (first.kind) {
    case CommKind::broadcast:
      for (const CommCall* c : calls) {
        if (c->dst) copy(*c->dst, *root.src, c->stream.get());
      }
      break;
    case CommKind::reduce:
      return reduce_to(calls, root);
    case CommKind::all_reduce:
      reduce_to(calls, first);
      for (const CommCall* c : calls) copy(*c->dst, *first.dst, c->stream.get());
      break;
    case CommKind::gather:
      return gather_to(calls, root);
    case CommKind::all_gather:
      for (const CommCall* c : calls) gather_to(calls, *c);
      break;
    case CommKind::scatter:
      for (size_t r = 0; r < calls.size(); ++r) {
        copy(*calls[r]->dst, *part_of(*root.src, root.send_counts, static_cast<int32_t>(r)),
             calls[r]->stream.get());
      }
      break;
    case CommKind::reduce_scatter:
      return reduce_parts(calls);
    case CommKind::all_to_all:
      return exchange(calls);
    default:
      break;  // a barrier has nothing to do
  }
}

}  // namespace arr
