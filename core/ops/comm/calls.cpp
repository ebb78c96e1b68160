// SPDX-License-Identifier: MIT
// Checks the arguments of collective operations and messages.
#include "ops/comm/calls.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// In the order of CommKind.
constexpr const char* call_names[] = {
    "arr_comm_barrier",    "arr_comm_broadcast",  "arr_comm_reduce",  "arr_comm_all_reduce",
    "arr_comm_gather",     "arr_comm_all_gather", "arr_comm_scatter", "arr_comm_reduce_scatter",
    "arr_comm_all_to_all", "arr_comm_send",       "arr_comm_recv"};

void check_device(const CommPlace& at, const Array& a, const char* argument) {
  if (a.device() == at.device) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": is on ", device_text(a.device()), ", the communicator on ",
       device_text(at.device));
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

// An array that is divided, or a part, with that axis first.
struct Divided {
  const char* argument = nullptr;  // its name in errors
  Ref<Array> rows;                 // empty where the rank has none
  int32_t axis = 0;
  std::string shape;  // the caller's

  [[nodiscard]] int64_t extent() const { return rows->layout.shape[0]; }
  // Throws if another array differs along other axes.
  void check_rest(const Divided& part) const {
    Layout l = part.rows->layout;
    l.shape[0] = extent();
    if (l.same_shape(rows->layout)) return;
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", shape, ", expected ", part.shape, " as ",
         part.argument, " except along axis ", axis);
  }
  void check_extent(int64_t expected, const char* why) const {
    if (extent() == expected) return;
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", shape, ", expected ", expected, " indices of axis ",
         axis, ", ", why);
  }
};
// An array without axes is one with a single index.
Divided divided(const Array& a, int32_t axis, const char* argument) {
  const Ref<Array> some = a.layout.ndim == 0 ? expand_axis(a, 0) : a.share();
  const int32_t k = normalize_axis(some->layout.ndim, axis);
  return {argument, move_axis(*some, k, 0), k, a.layout.text()};
}
// The same of an array that only root needs.
Divided divided_at(const CommPlace& at, int32_t root, const Array* a, int32_t axis, const char* argument) {
  check_rank(at, root, "root");
  if (at.rank != root) return {};
  if (a == nullptr) fail(ARR_E_HANDLE, "argument ", argument, ": NULL, expected an array on root");
  return divided(*a, axis, argument);
}

void check_ncounts(const CommPlace& at, Counts given) {
  if (given.size() == static_cast<size_t>(at.size)) return;
  fail(ARR_E_ARGUMENT, "argument ncounts: ", given.size(), ", expected 0 or the number of ranks, ", at.size);
}

// The sum of counts that a caller gives.
int64_t sum_of(Counts given, const char* argument) {
  int64_t sum = 0;
  for (size_t r = 0; r < given.size(); ++r) {
    if (given[r] < 0) fail(ARR_E_ARGUMENT, "argument ", argument, "[", r, "]: ", given[r], " is negative");
    sum = checked::add(sum, given[r], argument);
  }
  return sum;
}

// The counts of all ranks: those given, or as many as this rank's part has. `whole` may be empty.
std::vector<int64_t> counts_of(const CommPlace& at, const Divided& part, const Divided& whole, Counts given) {
  std::vector<int64_t> counts(given.begin(), given.end());
  if (given.empty()) counts.assign(static_cast<size_t>(at.size), part.extent());
  check_ncounts(at, counts);
  const int64_t sum = sum_of(counts, "counts");
  part.check_extent(counts[static_cast<size_t>(at.rank)], "the count of this rank");
  if (!whole.rows) return counts;
  whole.check_extent(sum, "the sum of those of all parts");
  whole.check_rest(part);
  return counts;
}

// The counts of the parts of an array: those given, or equal ones.
std::vector<int64_t> parts_of(const CommPlace& at, const Divided& whole, Counts given, const char* counts) {
  if (!given.empty()) {
    check_ncounts(at, given);
    whole.check_extent(sum_of(given, counts), "the sum of those of all parts");
    return {given.begin(), given.end()};
  }
  const int64_t each = whole.extent() / at.size;
  whole.check_extent(each * at.size, "a multiple of the number of ranks");
  return std::vector<int64_t>(static_cast<size_t>(at.size), each);
}

CommCall call_of(CommKind kind, const Array* dst, const Array* src, Stream* stream) {
  if (stream != nullptr && stream->capturing() && kind != CommKind::barrier) {
    fail(ARR_E_ARGUMENT, "argument stream: its work is being captured, but a graph has no other ranks");
  }
  CommCall c;
  c.kind = kind;
  if (src != nullptr) c.src = src->share();
  if (dst != nullptr) c.dst = dst->share();
  c.stream = Ref<Stream>::share(stream);
  return c;
}

}  // namespace

void check_rank(const CommPlace& at, int32_t rank, const char* argument) {
  if (rank >= 0 && rank < at.size) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": ", rank, ", expected a rank, 0 to ", at.size - 1);
}

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

const char* comm_call_name(CommKind kind) noexcept { return call_names[static_cast<size_t>(kind)]; }

std::string ranks_text(const std::vector<int32_t>& ranks) {
  constexpr size_t shown = 8;
  std::string out = ranks.size() == 1 ? "rank" : "ranks";
  for (size_t i = 0; i < std::min(ranks.size(), shown); ++i) out += text(i == 0 ? " " : ", ", ranks[i]);
  if (ranks.size() > shown) out += text(" and ", ranks.size() - shown, " more");
  return out;
}

Ref<Array> part_of(const Array& a, Counts counts, int32_t rank) {
  int64_t from = 0;
  for (int32_t r = 0; r < rank; ++r) from += counts[static_cast<size_t>(r)];
  return slice_axis(a, 0, from, from + counts[static_cast<size_t>(rank)]);
}

bool all_equal(Counts counts) {
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
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

CommCall all_gather_call(const CommPlace& at, const Array& dst, const Array& src, const Parts& by,
                         Stream* stream) {
  check_pair(at, dst, src, false);
  const Divided whole = divided(dst, by.axis, "dst"), part = divided(src, by.axis, "src");
  CommCall c = call_of(CommKind::all_gather, whole.rows.get(), part.rows.get(), stream);
  c.recv_counts = counts_of(at, part, whole, by.counts);
  return c;
}

CommCall gather_call(const CommPlace& at, const Array* dst, const Array& src, const Parts& by, int32_t root,
                     Stream* stream) {
  const Divided whole = divided_at(at, root, dst, by.axis, "dst"), part = divided(src, by.axis, "src");
  check_device(at, src, "src");
  if (whole.rows) check_pair(at, *dst, src, false);
  CommCall c = call_of(CommKind::gather, whole.rows.get(), part.rows.get(), stream);
  c.root = root;
  c.recv_counts = counts_of(at, part, whole, by.counts);
  return c;
}

CommCall scatter_call(const CommPlace& at, const Array& dst, const Array* src, const Parts& by, int32_t root,
                      Stream* stream) {
  const Divided whole = divided_at(at, root, src, by.axis, "src"), part = divided(dst, by.axis, "dst");
  check_target(at, dst);
  if (whole.rows) check_pair(at, dst, *src, false);
  CommCall c = call_of(CommKind::scatter, part.rows.get(), whole.rows.get(), stream);
  c.root = root;
  c.send_counts = counts_of(at, part, whole, by.counts);
  return c;
}

CommCall reduce_scatter_call(const CommPlace& at, const Array& dst, const Array& src, const Parts& by,
                             const ReductionInfo& reduction, Stream* stream) {
  check_pair(at, dst, src, false);
  const Divided whole = divided(src, by.axis, "src"), part = divided(dst, by.axis, "dst");
  CommCall c = call_of(CommKind::reduce_scatter, part.rows.get(), whole.rows.get(), stream);
  c.by = combination_of(reduction, src.dtype);
  c.send_counts = counts_of(at, part, whole, by.counts);
  return c;
}

CommCall all_to_all_call(const CommPlace& at, const Array& dst, const Array& src, int32_t axis, Counts send,
                         Counts recv, Stream* stream) {
  check_pair(at, dst, src, false);
  const Divided to = divided(dst, axis, "dst"), from = divided(src, axis, "src");
  to.check_rest(from);
  CommCall c = call_of(CommKind::all_to_all, to.rows.get(), from.rows.get(), stream);
  c.send_counts = parts_of(at, from, send, "send_counts");
  c.recv_counts = parts_of(at, to, recv, "recv_counts");
  const auto own = static_cast<size_t>(at.rank);
  if (c.send_counts[own] == c.recv_counts[own]) return c;
  fail(ARR_E_SHAPE, "argument recv_counts: rank ", at.rank, " gets ", c.recv_counts[own],
       " of itself, expected ", c.send_counts[own], " as send_counts");
}

CommCall send_call(const CommPlace& at, const Array& src, int32_t receiver, Stream* stream) {
  check_rank(at, receiver, "receiver");
  check_device(at, src, "src");
  CommCall c = call_of(CommKind::send, nullptr, &src, stream);
  c.root = receiver;
  return c;
}

CommCall recv_call(const CommPlace& at, const Array& dst, int32_t sender, Stream* stream) {
  check_rank(at, sender, "sender");
  check_target(at, dst);
  CommCall c = call_of(CommKind::recv, &dst, nullptr, stream);
  c.root = sender;
  return c;
}

std::vector<CommCall> send_recv_calls(const CommPlace& at, const Array& dst, const Array& src, int32_t sender,
                                      int32_t receiver, Stream* stream) {
  check_pair(at, dst, src, false);
  std::vector<CommCall> calls;
  if (sender != -1) calls.push_back(recv_call(at, dst, sender, stream));
  if (receiver != -1) calls.push_back(send_call(at, src, receiver, stream));
  return calls;
}

}  // namespace arr
