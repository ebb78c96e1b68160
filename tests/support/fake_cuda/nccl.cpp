// SPDX-License-Identifier: MIT
// The fake NCCL: ranks are threads of this process, or several of one thread; they find each other by the id.
// A call is in progress until all of its ranks have made it; then each rank's stream has the work. The order
// of combination is that of ranks.
#include <algorithm>
#include <cstring>
#include <deque>
#include <type_traits>
#include <utility>

#include "math/scalar.h"
#include "state.h"

namespace arr::fake {
namespace {

enum class Work { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, recv };

struct World;
struct Rank {
  std::shared_ptr<World> world;
  int rank = 0;
  Context* context = nullptr;
  int64_t waiting = 0;  // calls that other ranks have not made
  ncclResult_t error = ncclSuccess;
  uint64_t collectives = 0;
  std::shared_ptr<Queue> last;  // the stream of the last call whose work it has
  int64_t asked = 0;            // how often the state has been asked since
  ncclComm_t* given = nullptr;  // where its handle goes once all have come, if it is made of another one
};
struct Call {
  Work work;
  const void* src;
  void* dst;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer;
  Rank* rank = nullptr;  // may be gone when the work runs
  Stream* stream = nullptr;
  Context* context = nullptr;
  int own = 0;
  size_t ranks = 0;
};
// The calls of all ranks that run together.
struct Set {
  std::vector<Call> calls;
  std::vector<std::pair<std::shared_ptr<Queue>, uint64_t>> before;  // what comes before in their streams
  bool begun = false;
};
struct World {
  explicit World(int size) : ranks(static_cast<size_t>(size)) {}
  std::vector<Rank*> ranks;  // nullptr: not there yet, or gone
  size_t came = 0;
  std::map<uint64_t, std::vector<Call>> collectives;  // by the number of the call
  std::map<std::pair<int, int>, std::deque<Call>> sends, recvs;
  std::map<std::vector<int>, std::shared_ptr<World>> smaller;  // by the ranks that are left out

  [[nodiscard]] bool complete() const { return came == ranks.size(); }
};

struct Group {
  int depth = 0;
  std::vector<Call> calls;
};
thread_local Group group;

std::map<std::string, std::shared_ptr<World>>& worlds() {
  static auto* all = new std::map<std::string, std::shared_ptr<World>>;
  return *all;
}

Rank& rank_of(ncclComm_t comm) { return *reinterpret_cast<Rank*>(comm); }
ncclComm_t handle(Rank* rank) { return reinterpret_cast<ncclComm_t>(rank); }

size_t bytes_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    default:
      return 8;
  }
}

// Integers wrap; 16-bit floats are rounded once.
template <class T>
T combined(T a, T b, ncclRedOp_t op) {
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    if (op == ncclSum) return static_cast<T>(x + y);
    if (op == ncclProd) return static_cast<T>(x * y);
    return op == ncclMax ? std::max(a, b) : std::min(a, b);
  } else {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto x = arr_cast<Wide>(a), y = arr_cast<Wide>(b);
    if (op == ncclSum) return arr_cast<T>(x + y);
    if (op == ncclProd) return arr_cast<T>(x * y);
    return op == ncclMax ? (x < y ? b : a) : (y < x ? b : a);
  }
}
template <class T>
void combine(void* to, const void* from, size_t n, ncclRedOp_t op) {
  auto* a = static_cast<T*>(to);
  const auto* b = static_cast<const T*>(from);
  for (size_t i = 0; i < n; ++i) a[i] = combined(a[i], b[i], op);
}

void combine(void* to, const void* from, size_t n, ncclDataType_t type, ncclRedOp_t op) {
  switch (type) {
    case ncclInt8:
      return combine<int8_t>(to, from, n, op);
    case ncclUint8:
      return combine<uint8_t>(to, from, n, op);
    case ncclInt32:
      return combine<int32_t>(to, from, n, op);
    case ncclUint32:
      return combine<uint32_t>(to, from, n, op);
    case ncclInt64:
      return combine<int64_t>(to, from, n, op);
    case ncclUint64:
      return combine<uint64_t>(to, from, n, op);
    case ncclFloat16:
      return combine<arr_half>(to, from, n, op);
    case ncclBfloat16:
      return combine<arr_bfloat>(to, from, n, op);
    case ncclFloat32:
      return combine<float>(to, from, n, op);
    default:
      return combine<double>(to, from, n, op);
  }
}

bool there(const Call& c, const void* p, size_t bytes) {
  return bytes == 0 || on_device(*c.context, reinterpret_cast<uintptr_t>(p), bytes);
}

// The bytes that a rank reads and writes.
size_t source_bytes(const Call& c) {
  const size_t all = c.count * bytes_of(c.type);
  if (c.work == Work::recv || (c.work == Work::broadcast && c.peer != c.own)) return 0;
  return c.work == Work::reduce_scatter ? all * c.ranks : all;
}
size_t target_bytes(const Call& c) {
  const size_t all = c.count * bytes_of(c.type);
  if (c.work == Work::send || (c.work == Work::reduce && c.peer != c.own)) return 0;
  return c.work == Work::all_gather ? all * c.ranks : all;
}

// Each rank gets a part of the same bytes, or all of them.
CUresult exchange(const std::vector<Call>& calls) {
  const Call& first = calls[0];
  std::vector<char> all;
  const bool reduces =
      first.work == Work::all_reduce || first.work == Work::reduce || first.work == Work::reduce_scatter;
  for (const Call& c : calls) {
    const size_t n = source_bytes(c);
    if (!there(c, c.src, n) || !there(c, c.dst, target_bytes(c))) return CUDA_ERROR_ILLEGAL_ADDRESS;
    const auto* from = static_cast<const char*>(c.src);
    if (reduces && !all.empty()) {
      combine(all.data(), from, n / bytes_of(c.type), c.type, c.op);
    } else if (n != 0) {
      all.insert(all.end(), from, from + n);
    }
  }
  for (size_t r = 0; r < calls.size(); ++r) {
    const size_t n = target_bytes(calls[r]);
    if (n != 0) std::memcpy(calls[r].dst, all.data() + (first.work == Work::reduce_scatter ? r * n : 0), n);
  }
  return CUDA_SUCCESS;
}

CUresult execute(Set& set) {
  if (set.begun) return CUDA_SUCCESS;
  set.begun = true;
  for (const auto& [queue, until] : set.before) run(*queue, until);
  return exchange(set.calls);
}

// All ranks have called: their streams do it.
void launch(std::vector<Call> calls) {
  const Call& first = calls[0];
  const bool message = first.work == Work::send;
  bool alike = true;
  for (const Call& c : calls) {
    alike = alike && c.count == first.count && c.type == first.type;
    alike = alike && (message || (c.work == first.work && c.op == first.op && c.peer == first.peer));
    --c.rank->waiting;
    c.rank->last = c.stream->queue;
    c.rank->asked = 0;
  }
  if (!alike) {
    for (const Call& c : calls) c.rank->error = ncclInvalidUsage;
    return;
  }
  auto set = std::make_shared<Set>();
  set->calls = std::move(calls);
  for (const Call& c : set->calls) set->before.emplace_back(c.stream->queue, c.stream->queue->queued);
  for (const Call& c : set->calls) enqueue(*c.stream, [set] { return execute(*set); });
}

void post(const Call& c) {
  World& w = *c.rank->world;
  ++c.rank->waiting;
  if (c.work == Work::send || c.work == Work::recv) {
    const bool sends = c.work == Work::send;
    const std::pair<int, int> pair(sends ? c.rank->rank : c.peer, sends ? c.peer : c.rank->rank);
    (sends ? w.sends : w.recvs)[pair].push_back(c);
    auto &from = w.sends[pair], &to = w.recvs[pair];
    if (from.empty() || to.empty()) return;
    std::vector<Call> both = {from.front(), to.front()};
    from.pop_front();
    to.pop_front();
    return launch(std::move(both));
  }
  const uint64_t number = c.rank->collectives++;
  std::vector<Call>& calls = w.collectives[number];
  calls.push_back(c);
  if (calls.size() < w.ranks.size()) return;
  std::sort(calls.begin(), calls.end(),
            [](const Call& a, const Call& b) { return a.rank->rank < b.rank->rank; });
  std::vector<Call> all = std::move(calls);
  w.collectives.erase(number);
  launch(std::move(all));
}

ncclResult_t submit(Call c, ncclComm_t comm, CUstream stream) {
  c.rank = &rank_of(comm);
  c.stream = stream_of(stream);
  c.context = c.rank->context;
  c.own = c.rank->rank;
  c.ranks = c.rank->world->ranks.size();
  const auto size = static_cast<int>(c.ranks);
  if (c.stream == nullptr || c.peer < 0 || c.peer >= size) return ncclInvalidArgument;
  if (c.rank->error != ncclSuccess) return c.rank->error;
  group.calls.push_back(c);
  return ncclSuccess;
}

// The rank is gone: nothing refers to its calls.
void forget(Rank* rank) {
  World& w = *rank->world;
  w.ranks[static_cast<size_t>(rank->rank)] = nullptr;
  const auto own = [&](const Call& c) { return c.rank == rank; };
  for (auto& [number, calls] : w.collectives) std::erase_if(calls, own);
  for (auto* messages : {&w.sends, &w.recvs}) {
    for (auto& [pair, calls] : *messages) std::erase_if(calls, own);
  }
  --live().handles;
  delete rank;
}

// The other ranks learn that one has aborted.
void end_others(Rank& rank) {
  for (Rank* other : rank.world->ranks) {
    if (other != nullptr && other != &rank && other->error == ncclSuccess) other->error = ncclRemoteError;
  }
}

Rank* new_rank(std::shared_ptr<World> world, int number) {
  auto* fresh = new Rank;
  fresh->world = std::move(world);
  fresh->rank = number;
  fresh->context = current();
  ++live().handles;
  World& w = *fresh->world;
  w.ranks[static_cast<size_t>(number)] = fresh;
  ++w.came;
  return fresh;
}

ncclResult_t state_of(const Rank& r) {
  if (r.error != ncclSuccess) return r.error;
  return r.world->complete() && r.waiting == 0 ? ncclSuccess : ncclInProgress;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

ncclResult_t ncclGetVersion(int* version) {
  ARR_FAKE_ENTER(ncclGetVersion);
  *version = 22800;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  static constexpr const char* names[] = {"no error",
                                          "unhandled cuda error",
                                          "unhandled system error",
                                          "internal error",
                                          "invalid argument",
                                          "invalid usage",
                                          "remote process exited or there was a network error",
                                          "in progress"};
  return result >= 0 && result < 8 ? names[result] : "unknown result code";
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  ARR_FAKE_ENTER(ncclGetUniqueId);
  static int64_t next = 0;
  *id = {};
  ++next;
  std::memcpy(id->internal, &next, sizeof next);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  ARR_FAKE_ENTER(ncclCommInitRankConfig);
  if (current() == nullptr) return ncclUnhandledCudaError;
  if (config->magic != 0xcafebeef || config->blocking != 0 || size < 1 || rank < 0 || rank >= size)
    return ncclInvalidArgument;
  const std::string key(id.internal, sizeof id.internal);
  std::shared_ptr<World>& world = worlds()[key];
  if (!world) world = std::make_shared<World>(size);
  if (world->ranks.size() != static_cast<size_t>(size) || world->ranks[static_cast<size_t>(rank)] != nullptr)
    return ncclInvalidUsage;
  Rank* fresh = new_rank(world, rank);
  if (fresh->world->complete()) worlds().erase(key);
  *comm = handle(fresh);
  return fresh->world->complete() ? ncclSuccess : ncclInProgress;
}

ncclResult_t ncclCommShrink(ncclComm_t comm, int* excluded, int count, ncclComm_t* out, ncclConfig_t*,
                            int flags) {
  ARR_FAKE_ENTER(ncclCommShrink);
  Rank& old = rank_of(comm);
  if (old.error != ncclSuccess && flags != ncclShrinkAbort) return old.error;
  const std::vector<int> without(excluded, excluded + count);
  std::shared_ptr<World>& world = old.world->smaller[without];
  const int size = static_cast<int>(old.world->ranks.size()) - count;
  if (!world) world = std::make_shared<World>(size);
  const auto before = std::count_if(without.begin(), without.end(), [&](int r) { return r < old.rank; });
  new_rank(world, old.rank - static_cast<int>(before))->given = out;
  if (!world->complete()) return ncclInProgress;
  for (Rank* r : world->ranks) *r->given = handle(r);
  old.world->smaller.erase(without);
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  ARR_FAKE_ENTER(ncclCommGetAsyncError);
  Rank& r = rank_of(comm);
  if (const auto scripted = static_cast<ncclResult_t>(setting("nccl_error")); scripted != ncclSuccess) {
    r.error = scripted;
  }
  *error = state_of(r);
  // A second question waits for the work, which goes on.
  if (*error == ncclSuccess && r.last != nullptr && r.asked++ > 0) run(*r.last, r.last->done + 1);
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  ARR_FAKE_ENTER(ncclCommAbort);
  end_others(rank_of(comm));
  forget(&rank_of(comm));
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  ARR_FAKE_ENTER(ncclCommDestroy);
  forget(&rank_of(comm));
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ARR_FAKE_ENTER(ncclGroupStart);
  ++group.depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--group.depth == 0) {
    const Inside inside;
    const std::vector<Call> calls = std::exchange(group.calls, {});
    if (const int32_t scripted = enter(Fn::ncclGroupEnd)) return scripted;
    bool waits = false;
    for (const Call& c : calls) post(c);
    for (const Call& c : calls) waits = waits || c.rank->waiting != 0;
    return waits ? ncclInProgress : ncclSuccess;
  }
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* src, void* dst, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, CUstream stream) {
  ARR_FAKE_ENTER(ncclAllReduce);
  return submit({Work::all_reduce, src, dst, count, type, op, 0}, comm, stream);
}
ncclResult_t ncclReduce(const void* src, void* dst, size_t count, ncclDataType_t type, ncclRedOp_t op,
                        int root, ncclComm_t comm, CUstream stream) {
  ARR_FAKE_ENTER(ncclReduce);
  return submit({Work::reduce, src, dst, count, type, op, root}, comm, stream);
}
ncclResult_t ncclBroadcast(const void* src, void* dst, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, CUstream stream) {
  ARR_FAKE_ENTER(ncclBroadcast);
  return submit({Work::broadcast, src, dst, count, type, 0, root}, comm, stream);
}
ncclResult_t ncclAllGather(const void* src, void* dst, size_t count, ncclDataType_t type, ncclComm_t comm,
                           CUstream stream) {
  ARR_FAKE_ENTER(ncclAllGather);
  return submit({Work::all_gather, src, dst, count, type, 0, 0}, comm, stream);
}
ncclResult_t ncclReduceScatter(const void* src, void* dst, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, CUstream stream) {
  ARR_FAKE_ENTER(ncclReduceScatter);
  return submit({Work::reduce_scatter, src, dst, count, type, op, 0}, comm, stream);
}
ncclResult_t ncclSend(const void* src, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      CUstream stream) {
  ARR_FAKE_ENTER(ncclSend);
  return submit({Work::send, src, nullptr, count, type, 0, peer}, comm, stream);
}
ncclResult_t ncclRecv(void* dst, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      CUstream stream) {
  ARR_FAKE_ENTER(ncclRecv);
  return submit({Work::recv, nullptr, dst, count, type, 0, peer}, comm, stream);
}

#pragma GCC visibility pop
}
