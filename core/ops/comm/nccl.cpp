// SPDX-License-Identifier: MIT
// Ranks that are GPUs, connected by NCCL. No call of it blocks: this waits, within the time limit, until the
// work of a call is enqueued, for which the other ranks must have made it.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "backend/stream.h"
#include "base/environment.h"
#include "ops/comm/agreement.h"
#include "ops/comm/comm.h"
#include "ops/comm/deadline.h"
#include "ops/comm/nccl_calls.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

constexpr double default_seconds = 600;

// Rank 0's id on all ranks: exchange(its offer) returns that offer on each of them.
template <class Exchange>
Offer shared_id(int32_t rank, Exchange&& exchange) {
  Offer own;
  std::optional<Error> failure;
  if (rank == 0) {
    try {
      nccl_id(own.bytes);
      own.there = 1;
    } catch (const Error& e) {
      failure = e;  // the other ranks wait for an id
      own = refusal(text("rank 0 has no id of NCCL: ", e.text()));
    }
  }
  Offer given = exchange(own);
  if (failure) throw Error(*failure);
  if (given.there == 0) fail(ARR_E_LOST, given.bytes);
  return given;
}

void pause(int64_t turn) {
  constexpr int64_t spins = 256;
  if (turn < spins) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

class NcclComm final : public Comm {
 public:
  NcclComm(const CommPlace& at, void* comm) : Comm(ARR_COMM_NCCL, at, default_seconds), comm_(comm) {}

  // Asks NCCL, which may have seen a failure since the last call.
  bool failed() override {
    try {
      done("arr_comm_info");
    } catch (const Error&) {
      return true;
    }
    return false;
  }
  void end_all() override;
  // Waits until all ranks are there.
  void connect();

 protected:
  ~NcclComm() override;
  void start(std::vector<CommCall> calls) override;
  bool finished() override;
  void finish() override;
  Ref<Comm> make_split(int32_t color, int32_t key) override;
  Ref<Comm> make_shrunk(const std::vector<int32_t>& excluded) override;

 private:
  [[nodiscard]] const CommApi& nccl() const { return api<CommApi>(place().device); }
  [[nodiscard]] int32_t index() const noexcept { return place().device.index; }
  // body(comm), one thread at a time, unless the communicator has failed.
  template <class Body>
  void with_comm(Body&& body);
  bool done(const char* function);
  void wait(const char* function);
  void wait_for_stream(Stream* stream, const char* function);
  [[noreturn]] void lose(const std::string& why);
  [[noreturn]] void lose_waiting(const char* function) {
    lose(text("rank ", place().rank, " of ", place().size, " waited ", timeout(), " s in ", function,
              " for the other ranks"));
  }
  void agree(const CommCall& call);
  void enqueue(const std::vector<CommPiece>& pieces);
  // The bytes of all ranks, in their order.
  std::vector<char> gather(const std::vector<char>& own, const char* function);
  [[nodiscard]] const char* function() const {
    return started_.empty() ? "arr_comm_group_end" : comm_call_name(started_[0]->call().kind);
  }

  std::mutex mutex_;  // guards comm_ and failure_
  void* comm_;        // nullptr once it has been aborted
  std::string failure_;
  std::vector<std::unique_ptr<NcclCall>> started_;
  Deadline end_{0};  // of those
};

NcclComm::~NcclComm() {
  if (comm_ == nullptr) return;
  BackendError error;
  // Work that waits for ranks that are gone would never end.
  const bool ends = failure_.empty() && started_.empty();
  const CommApi& n = nccl();
  static_cast<void>(ends ? n.destroy(index(), comm_, &error) : n.abort(index(), comm_, &error));
}

template <class Body>
void NcclComm::with_comm(Body&& body) {
  const std::lock_guard lock(mutex_);
  if (!failure_.empty()) fail(ARR_E_LOST, "the communicator has failed: ", failure_);
  body(comm_);
}

void NcclComm::end_all() {
  const std::lock_guard lock(mutex_);
  if (comm_ == nullptr) return;
  failure_ = text("rank ", place().rank, " has called arr_comm_abort");
  call(nccl().abort, index(), std::exchange(comm_, nullptr));
}

void NcclComm::lose(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = why;
  fail(ARR_E_LOST, "the communicator has failed: ", failure_);
}

bool NcclComm::done(const char* function) {
  bool yes = false;
  std::string why;
  with_comm([&](void* comm) {
    BackendError error;
    if (nccl().state(index(), comm, &yes, &error) != ARR_OK) why = std::move(error.text);
  });
  if (!why.empty()) lose(text("rank ", place().rank, " of ", place().size, " in ", function, ": ", why));
  return yes;
}

void NcclComm::wait(const char* function) {
  for (int64_t turn = 0; !done(function); ++turn) {
    if (end_.passed()) lose_waiting(function);
    pause(turn);
  }
}

void NcclComm::connect() {
  end_ = Deadline(timeout());
  wait("arr_comm_nccl");
}

// A barrier waits on the host.
void NcclComm::wait_for_stream(Stream* stream, const char* function) {
  const Queue q = queue_for(place().device, stream);
  if (q.stream->capturing()) return;
  for (int64_t turn = 0;; ++turn) {
    int32_t ready = 0;
    call(api<StreamApi>(q).query, q.index(), q.handle(), &ready);
    if (ready != 0) return;
    wait(function);
    if (end_.passed()) lose_waiting(function);
    pause(turn);
  }
}

void NcclComm::enqueue(const std::vector<CommPiece>& pieces) {
  if (pieces.empty()) return;
  with_comm([&](void* comm) {
    try {
      call(nccl().start, index(), comm, pieces.data(), static_cast<int64_t>(pieces.size()));
    } catch (const Error& e) {  // NCCL does not say how much of it the other ranks will see
      failure_ = e.text();
      throw;
    }
  });
}

void NcclComm::start(std::vector<CommCall> calls) {
  with_comm([](void*) {});
  end_ = Deadline(timeout());
  if (checked_mode()) {
    for (const CommCall& c : calls) agree(c);
  }
  std::vector<CommPiece> pieces;
  std::vector<std::unique_ptr<NcclCall>> fresh;
  for (CommCall& c : calls) {
    fresh.push_back(std::make_unique<NcclCall>(std::move(c)));
    fresh.back()->prepare(place());
    fresh.back()->add_pieces(place(), &pieces);
  }
  started_ = std::move(fresh);
  enqueue(pieces);
}

bool NcclComm::finished() {
  try {
    return end_.passed() || done(function());
  } catch (const Error&) {
    return true;  // finish() says so
  }
}

void NcclComm::finish() {
  wait(function());
  for (const auto& c : std::exchange(started_, {})) {
    c->deliver(place());
    const CommCall& made = c->call();
    if (made.kind == CommKind::barrier) wait_for_stream(made.stream.get(), comm_call_name(made.kind));
  }
}

std::vector<char> NcclComm::gather(const std::vector<char>& own, const char* function) {
  const Ref<Array> src = upload(own, DType::uint8_, place().device, nullptr);
  const auto n = static_cast<int64_t>(own.size());
  const int64_t all = n * place().size;
  const Ref<Array> dst = empty(DType::uint8_, {&all, 1}, Order::C, place().device, nullptr);
  const Queue q = queue_for(place().device, nullptr);
  use_to_read(*src->buffer, q);
  use(*dst->buffer, q);
  CommPiece p;
  p.work = CommWork::all_gather;
  p.count = n;
  p.src = src->data;
  p.dst = dst->data;
  enqueue({p});
  wait(function);
  wait_for_stream(nullptr, function);
  return download<char>(*dst, DType::uint8_, nullptr);
}

void NcclComm::agree(const CommCall& call) {
  if (call.kind == CommKind::send || call.kind == CommKind::recv) return;
  check_records(gather(call_record(call, place().size), comm_call_name(call.kind)), place().size);
}

// Ids of all ranks, so that NCCL's own division is not needed, whose handles come late.
Ref<Comm> NcclComm::make_split(int32_t color, int32_t key) {
  struct Member {
    int32_t color, key, rank;
  };
  end_ = Deadline(timeout());
  const Member own{color, key, place().rank};
  std::vector<char> bytes(sizeof own);
  std::memcpy(bytes.data(), &own, sizeof own);
  const std::vector<char> all = gather(bytes, "arr_comm_split");
  std::vector<Member> members;
  for (size_t r = 0; r < static_cast<size_t>(place().size); ++r) {
    Member m{};
    std::memcpy(&m, all.data() + r * sizeof m, sizeof m);
    if (m.color == color) members.push_back(m);
  }
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.key, a.rank) < std::tie(b.key, b.rank);
  });
  CommPlace at{0, static_cast<int32_t>(members.size()), place().device};
  while (members[static_cast<size_t>(at.rank)].rank != place().rank) ++at.rank;
  bytes.assign(comm_id_bytes, 0);
  if (at.rank == 0) nccl_id(bytes.data());
  const std::vector<char> ids = gather(bytes, "arr_comm_split");
  return nccl_comm(at, ids.data() + static_cast<size_t>(members[0].rank) * comm_id_bytes);
}

Ref<Comm> NcclComm::make_shrunk(const std::vector<int32_t>& excluded) {
  CommPlace at = place();
  at.size -= static_cast<int32_t>(excluded.size());
  for (const int32_t r : excluded) at.rank -= r < place().rank ? 1 : 0;
  void* made = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (comm_ == nullptr) fail(ARR_E_LOST, "the communicator has failed: ", failure_);
    call(nccl().shrink, index(), comm_, excluded.data(), static_cast<int32_t>(excluded.size()),
         !failure_.empty(), &made);
  }
  started_.clear();
  Ref<NcclComm> out = make<NcclComm>(at, made);
  out->set_timeout(timeout());
  out->connect();
  return out;
}

}  // namespace

void nccl_id(char* id) { call(api<CommApi>(backend_module(ARR_CUDA)).id, id); }

Ref<Comm> nccl_comm(const CommPlace& at, const char* id) {
  if (at.device.type != ARR_CUDA) {
    fail(ARR_E_ARGUMENT, "argument device: ", device_text(at.device), ", expected a GPU");
  }
  const CommInitCall c{at.size, at.rank, id};
  void* made = nullptr;
  call(api<CommApi>(at.device).init, at.device.index, &c, &made);
  Ref<NcclComm> out = make<NcclComm>(at, made);
  out->connect();
  return out;
}

Ref<Comm> nccl_comm_over(Comm& over, Device device) {
  const Offer given = shared_id(over.place().rank, [&](Offer offer) {
    std::vector<char> bytes(sizeof offer);
    std::memcpy(bytes.data(), &offer, sizeof offer);
    const Ref<Array> all = upload(bytes, DType::uint8_, over.place().device, nullptr);
    over.run(broadcast_call(over.place(), *all, 0, nullptr));
    bytes = download<char>(*all, DType::uint8_, nullptr);
    std::memcpy(&offer, bytes.data(), sizeof offer);
    return offer;
  });
  return nccl_comm({over.place().rank, over.place().size, device}, given.bytes);
}

void nccl_id_by_file(const Rendezvous& at, const std::string& path, char* id) {
  const Offer given = shared_id(at.rank, [&](const Offer& own) { return meet_by_file(at, path, own); });
  std::copy_n(given.bytes, comm_id_bytes, id);
}

void nccl_id_by_tcp(const Rendezvous& at, std::string_view address, std::string_view token, char* id) {
  const Offer given =
      shared_id(at.rank, [&](const Offer& own) { return meet_by_tcp(at, address, token, own); });
  std::copy_n(given.bytes, comm_id_bytes, id);
}

}  // namespace arr
