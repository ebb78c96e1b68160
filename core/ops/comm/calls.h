// SPDX-License-Identifier: MIT
// Collective operations and messages as values: checked arguments of one rank, for any engine.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "array/array.h"
#include "expr/ops.h"
#include "runtime/streams.h"

namespace arr {

enum class CommKind : int32_t {
  barrier,
  broadcast,
  reduce,
  all_reduce,
  gather,
  all_gather,
  scatter,
  reduce_scatter,
  all_to_all,
  send,
  recv
};
const char* comm_call_name(CommKind kind) noexcept;         // "arr_comm_broadcast"
std::string ranks_text(const std::vector<int32_t>& ranks);  // "ranks 1, 4"

// The operation of a reduction across ranks on the elements of two of them.
struct Combination {
  const OpInfo* op = nullptr;
  bool mean = false;  // the result is divided by the number of ranks
};

// One rank's call. Arrays are those of the caller, of any layout.
struct CommCall {
  CommKind kind = CommKind::barrier;
  Ref<Array> src, dst;  // empty where the rank has none
  Combination by;       // of reductions
  int32_t root = 0;     // the rank that has or gets the whole; the other rank of a message
  // Along the first axis, for each rank: what it gets of src, and what dst gets from it. Arrays that are
  // divided have the divided axis first.
  std::vector<int64_t> send_counts, recv_counts;
  Ref<Stream> stream;  // empty: the default stream

  [[nodiscard]] const Array& any() const { return src ? *src : *dst; }  // not of a barrier
};

// The caller's rank, and where its arrays are.
struct CommPlace {
  int32_t rank = 0, size = 1;
  Device device;
};

// Throws unless it is a rank.
void check_rank(const CommPlace& at, int32_t rank, const char* argument);
// Throws if it does not combine two elements to one of the same type.
Combination combination_of(const ReductionInfo& by, DType d);

// Arguments as the public functions have them; counts are empty where parts are equally large. Each throws
// the error of a wrong argument.
CommCall barrier_call(Stream* stream);
CommCall broadcast_call(const CommPlace& at, const Array& a, int32_t root, Stream* stream);
CommCall all_reduce_call(const CommPlace& at, const Array& dst, const Array& src, const ReductionInfo& by,
                         Stream* stream);
CommCall reduce_call(const CommPlace& at, const Array* dst, const Array& src, const ReductionInfo& by,
                     int32_t root, Stream* stream);
using Counts = std::span<const int64_t>;
// The division of an array among the ranks.
struct Parts {
  int32_t axis = 0;
  Counts counts;
};
CommCall all_gather_call(const CommPlace& at, const Array& dst, const Array& src, const Parts& by,
                         Stream* stream);
CommCall gather_call(const CommPlace& at, const Array* dst, const Array& src, const Parts& by, int32_t root,
                     Stream* stream);
CommCall scatter_call(const CommPlace& at, const Array& dst, const Array* src, const Parts& by, int32_t root,
                      Stream* stream);
CommCall reduce_scatter_call(const CommPlace& at, const Array& dst, const Array& src, const Parts& by,
                             const ReductionInfo& reduction, Stream* stream);
CommCall all_to_all_call(const CommPlace& at, const Array& dst, const Array& src, int32_t axis, Counts send,
                         Counts recv, Stream* stream);
CommCall send_call(const CommPlace& at, const Array& src, int32_t receiver, Stream* stream);
CommCall recv_call(const CommPlace& at, const Array& dst, int32_t sender, Stream* stream);
// The calls of arr_comm_send_recv; they may be in flight together.
std::vector<CommCall> send_recv_calls(const CommPlace& at, const Array& dst, const Array& src, int32_t sender,
                                      int32_t receiver, Stream* stream);

// The halo of a part in a grid of ranks; see arr_comm_exchange_halo.
struct Halo {
  std::span<const int32_t> axes, grid;
  std::span<const int64_t> widths;
  std::span<const int32_t> periodic;  // empty: no axis
};
// A send and a receive for each neighbour, in the same order of directions on each rank.
std::vector<CommCall> halo_calls(const CommPlace& at, const Array& a, const Halo& halo, Stream* stream);

// The layers of a halo along some axes, and the rank in a direction of the grid, which is -1, 0 or 1 along
// each of them; sign -1: in the opposite one. It is -1 where there is none.
struct HaloWidths {
  std::span<const int32_t> axes;
  std::span<const int64_t> widths;
};
using HaloDirection = std::vector<int32_t>;
using HaloNeighbour = std::function<int32_t(const HaloDirection&, int32_t sign)>;
std::vector<CommCall> halo_calls(const CommPlace& at, const Array& a, const HaloWidths& halo,
                                 const HaloNeighbour& neighbour, Stream* stream);

bool all_equal(Counts counts);
// Part `rank` of an array that is divided by counts along its first axis, as a view.
Ref<Array> part_of(const Array& a, Counts counts, int32_t rank);

}  // namespace arr
