// SPDX-License-Identifier: MIT
// Checks the arguments of collective operations and messages.
#include "ops/comm/calls.h"

#include <string_view>

#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// In the order of CommKind.
constexpr const char* call_names[] = {
    "arr_comm_barrier",    "arr_comm_broadcast",  "arr_comm_reduce",  "arr_comm_all_reduce",
    "arr_comm_gather",     "arr_comm_all_gather", "arr_comm_scatter", "arr_comm_reduce_scatter",
    "arr_comm_all_to_all", "arr_comm_send",       "arr_comm_recv"};

// Reductions that combine two elements to one of the same type, and need nothing else.
Combination combination_of(const ReductionInfo& by, DType d) {
  Combination c;
  c.mean = std::string_view(by.name) == "mean";
  c.op = op_find(c.mean ? "add" : by.ufunc);
  const bool plain =
      by.kind == ReduceKind::VALUE && by.map == ReduceMap::NONE && std::string_view(by.finish) == "a";
  if (c.op == nullptr || !(plain || c.mean)) {
    fail(ARR_E_ARGUMENT, "argument reduction: ", by.name,
         " does not combine ranks, expected sum, prod, min, max, ",
         "nanmin, nanmax, mean, any, all or the reduction of a bitwise or logical operation");
  }
  const OperandType both[] = {{d}, {d}};
  if (!in_domain(by.domain, d) || (c.mean && is_integer_or_bool(d)) || resolve(*c.op, both).result != d) {
    fail(ARR_E_DTYPE, "argument reduction: ", by.name, " of ", name(d), " elements is not ", name(d));
  }
  return c;
}

void check_device(const CommPlace& at, const Array& a, const char* argument) {
  if (a.device() == at.device) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": is on ", device_text(a.device()), ", the communicator on ",
       device_text(at.device));
}

void check_rank(const CommPlace& at, int32_t rank, const char* argument) {
  if (rank >= 0 && rank < at.size) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": ", rank, ", expected a rank, 0 to ", at.size - 1);
}

void check_target(const CommPlace& at, const Array& dst, const char* argument = "dst") {
  check_device(at, dst, argument);
  check_writable(dst);
}

// dst may be src itself, but not a part of it.
void check_pair(const CommPlace& at, const Array& dst, const Array& src, bool in_place) {
  check_device(at, src, "src");
  check_target(at, dst);
  if (dst.dtype != src.dtype) {
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", expected ", name(src.dtype), " as src");
  }
  if (!may_share_memory(dst, src) || (in_place && same_window(dst, src))) return;
  fail(ARR_E_ARGUMENT, "argument dst: shares memory with src, expected ", in_place ? "src itself or " : "",
       "other memory");
}

void check_same_shape(const Array& dst, const Array& src) {
  if (dst.layout.same_shape(src.layout)) return;
  fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", expected ", src.layout.text(), " as src");
}

// An array without axes is one with a single index.
Ref<Array> with_rows(const Array& a) { return a.layout.ndim == 0 ? expand_axis(a, 0) : a.share(); }

// The extent of this rank's part is its count, or each rank has as many. Returns the counts of all ranks.
std::vector<int64_t> counts_of(const CommPlace& at, const Array& part, const char* argument, Counts given) {
  const int64_t extent = part.layout.shape[0];
  if (given.empty()) return std::vector<int64_t>(static_cast<size_t>(at.size), extent);
  if (given.size() != static_cast<size_t>(at.size)) {
    fail(ARR_E_ARGUMENT, "argument ncounts: ", given.size(), ", expected 0 or the number of ranks, ",
         at.size);
  }
  for (size_t r = 0; r < given.size(); ++r) {
    if (given[r] < 0) fail(ARR_E_ARGUMENT, "argument counts[", r, "]: ", given[r], " is negative");
  }
  if (extent != given[static_cast<size_t>(at.rank)]) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", part.layout.text(), ", expected ",
         given[static_cast<size_t>(at.rank)], " indices of the first axis, the count of rank ", at.rank);
  }
  return {given.begin(), given.end()};
}

// The same of an array that is divided.
std::vector<int64_t> parts_of(const CommPlace& at, const Array& whole, const char* argument, Counts given,
                              const char* counts) {
  const int64_t extent = whole.layout.shape[0];
  if (given.empty() && extent % at.size == 0) {
    return std::vector<int64_t>(static_cast<size_t>(at.size), extent / at.size);
  }
  if (given.size() != static_cast<size_t>(at.size)) {
    fail(given.empty() ? ARR_E_SHAPE : ARR_E_ARGUMENT, "argument ", argument, ": ", extent,
         " indices of the first axis and ", given.size(),
         " counts, expected a multiple of the number of ranks, ", at.size, ", or a count for each");
  }
  int64_t sum = 0;
  for (const int64_t n : given) {
    if (n < 0) fail(ARR_E_ARGUMENT, "argument ", counts, ": ", n, " is negative");
    if (__builtin_add_overflow(sum, n, &sum))
      fail(ARR_E_SHAPE, "argument ", counts, ": their sum is above 2^63 - 1");
  }
  if (sum != extent)
    fail(ARR_E_SHAPE, "argument ", argument, ": ", extent, " indices of the first axis, expected ", sum,
         ", the sum of ", counts);
  return {given.begin(), given.end()};
}

// The array has as many indices of the first axis as the parts have together; its other axes are those of a
// part.
void check_whole(const Array& whole, const char* argument, const std::vector<int64_t>& counts,
                 const Array& part) {
  int64_t sum = 0;
  for (const int64_t n : counts) {
    if (__builtin_add_overflow(sum, n, &sum))
      fail(ARR_E_SHAPE, "argument counts: their sum is above 2^63 - 1");
  }
  Layout expected = part.layout;
  expected.shape[0] = sum;
  if (whole.layout.same_shape(expected)) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", whole.layout.text(), ", expected ", expected.text());
}

// The argument that only root needs; without axes it is as an array of one index.
Ref<Array> whole_at(const CommPlace& at, int32_t root, const Array* whole, const char* argument) {
  check_rank(at, root, "root");
  if (at.rank != root) return nullptr;
  if (whole == nullptr) fail(ARR_E_HANDLE, "argument ", argument, ": NULL, expected an array on root");
  return with_rows(*whole);
}

CommCall call_of(CommKind kind, const Array* dst, const Array* src, Stream* stream) {
  CommCall c;
  c.kind = kind;
  if (src != nullptr) c.src = src->share();
  if (dst != nullptr) c.dst = dst->share();
  c.stream = Ref<Stream>::share(stream);
  return c;
}

}  // namespace

const char* comm_call_name(CommKind kind) noexcept { return call_names[static_cast<size_t>(kind)]; }

Ref<Array> part_of(const Array& a, Counts counts, int32_t rank) {
  int64_t from = 0;
  for (int32_t r = 0; r < rank; ++r) from += counts[static_cast<size_t>(r)];
  return slice_axis(a, 0, from, from + counts[static_cast<size_t>(rank)]);
}

CommCall barrier_call(Stream* stream) { return call_of(CommKind::barrier, nullptr, nullptr, stream); }

CommCall broadcast_call(const CommPlace& at, const Array& a, int32_t root, Stream* stream) {
  check_rank(at, root, "root");
  const bool reads = at.rank == root;
  if (reads) check_device(at, a, "a");
  if (!reads) check_target(at, a, "a");
  CommCall c = call_of(CommKind::broadcast, reads ? nullptr : &a, reads ? &a : nullptr, stream);
  c.root = root;
  return c;
}

CommCall all_reduce_call(const CommPlace& at, const Array& dst, const Array& src, const ReductionInfo& by,
                         Stream* stream) {
  check_pair(at, dst, src, true);
  check_same_shape(dst, src);
  CommCall c = call_of(CommKind::all_reduce, &dst, &src, stream);
  c.by = combination_of(by, src.dtype);
  return c;
}

CommCall reduce_call(const CommPlace& at, const Array* dst, const Array& src, const ReductionInfo& by,
                     int32_t root, Stream* stream) {
  check_rank(at, root, "root");
  const bool gets = at.rank == root;
  if (gets && dst == nullptr) fail(ARR_E_HANDLE, "argument dst: NULL, expected an array on root");
  if (gets) {
    check_pair(at, *dst, src, true);
    check_same_shape(*dst, src);
  }
  check_device(at, src, "src");
  CommCall c = call_of(CommKind::reduce, gets ? dst : nullptr, &src, stream);
  c.by = combination_of(by, src.dtype);
  c.root = root;
  return c;
}

CommCall all_gather_call(const CommPlace& at, const Array& dst, const Array& src, Counts counts,
                         Stream* stream) {
  const Ref<Array> whole = with_rows(dst), part = with_rows(src);
  check_pair(at, *whole, *part, false);
  CommCall c = call_of(CommKind::all_gather, whole.get(), part.get(), stream);
  c.recv_counts = counts_of(at, *part, "src", counts);
  check_whole(*whole, "dst", c.recv_counts, *part);
  return c;
}

CommCall gather_call(const CommPlace& at, const Array* dst, const Array& src, Counts counts, int32_t root,
                     Stream* stream) {
  const Ref<Array> whole = whole_at(at, root, dst, "dst"), part = with_rows(src);
  check_device(at, *part, "src");
  if (whole) check_pair(at, *whole, *part, false);
  CommCall c = call_of(CommKind::gather, whole.get(), part.get(), stream);
  c.root = root;
  c.recv_counts = counts_of(at, *part, "src", counts);
  if (whole) check_whole(*whole, "dst", c.recv_counts, *part);
  return c;
}

CommCall scatter_call(const CommPlace& at, const Array& dst, const Array* src, Counts counts, int32_t root,
                      Stream* stream) {
  const Ref<Array> whole = whole_at(at, root, src, "src"), part = with_rows(dst);
  check_target(at, *part);
  if (whole) check_pair(at, *part, *whole, false);
  CommCall c = call_of(CommKind::scatter, part.get(), whole.get(), stream);
  c.root = root;
  c.send_counts = counts_of(at, *part, "dst", counts);
  if (whole) check_whole(*whole, "src", c.send_counts, *part);
  return c;
}

CommCall reduce_scatter_call(const CommPlace& at, const Array& dst, const Array& src, Counts counts,
                             const ReductionInfo& by, Stream* stream) {
  const Ref<Array> whole = with_rows(src), part = with_rows(dst);
  check_pair(at, *part, *whole, false);
  CommCall c = call_of(CommKind::reduce_scatter, part.get(), whole.get(), stream);
  c.by = combination_of(by, src.dtype);
  c.send_counts = counts_of(at, *part, "dst", counts);
  check_whole(*whole, "src", c.send_counts, *part);
  return c;
}

CommCall all_to_all_call(const CommPlace& at, const Array& dst, const Array& src, Counts send, Counts recv,
                         Stream* stream) {
  const Ref<Array> to = with_rows(dst), from = with_rows(src);
  check_pair(at, *to, *from, false);
  CommCall c = call_of(CommKind::all_to_all, to.get(), from.get(), stream);
  c.send_counts = parts_of(at, *from, "src", send, "send_counts");
  c.recv_counts = parts_of(at, *to, "dst", recv, "recv_counts");
  Layout l = from->layout;
  l.shape[0] = to->layout.shape[0];
  if (!l.same_shape(to->layout)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", to->layout.text(), ", expected ", l.text(),
         " as src except for the first axis");
  }
  const auto own = static_cast<size_t>(at.rank);
  if (c.send_counts[own] == c.recv_counts[own]) return c;
  fail(ARR_E_SHAPE, "argument recv_counts: rank ", at.rank, " gets ", c.recv_counts[own],
       " of itself, expected ", c.send_counts[own], " as send_counts");
}

CommCall send_call(const CommPlace& at, const Array& src, int32_t dest, Stream* stream) {
  check_rank(at, dest, "dest");
  check_device(at, src, "src");
  CommCall c = call_of(CommKind::send, nullptr, &src, stream);
  c.root = dest;
  return c;
}

CommCall recv_call(const CommPlace& at, const Array& dst, int32_t source, Stream* stream) {
  check_rank(at, source, "source");
  check_target(at, dst);
  CommCall c = call_of(CommKind::recv, &dst, nullptr, stream);
  c.root = source;
  return c;
}

std::vector<CommCall> send_recv_calls(const CommPlace& at, const Array& dst, const Array& src, int32_t source,
                                      int32_t dest, Stream* stream) {
  check_pair(at, dst, src, false);
  std::vector<CommCall> calls;
  if (source != -1) calls.push_back(recv_call(at, dst, source, stream));
  if (dest != -1) calls.push_back(send_call(at, src, dest, stream));
  return calls;
}

}  // namespace arr
