// SPDX-License-Identifier: MIT
// Ranks that are processes, connected by an MPI.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/environment.h"
#include "base/fork.h"
#include "ops/comm/agreement.h"
#include "ops/comm/comm.h"
#include "ops/comm/deadline.h"
#include "ops/comm/mpi_calls.h"

namespace arr {

namespace {

using InFlight = std::vector<std::unique_ptr<MpiCall>>;

bool wait_until(const Mpi& m, MpiRequest* r, const Deadline& end) {
  constexpr int spins = 256;  // then the processor goes to other threads between two tests
  if (!end.limited()) r->wait(m);
  for (int64_t n = 0; !r->test(m); ++n) {
    if (n < spins) continue;
    if (end.passed()) return false;
    std::this_thread::yield();
  }
  return true;
}

// Tests the requests of a started group while the program computes: an MPI moves data in its calls only.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      calls_ = nullptr;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  void begin(const Mpi& m, InFlight* calls) {
    const std::lock_guard lock(mutex_);
    calls_ = calls;
    if (!thread_.joinable()) thread_ = std::thread([this, &m] { work(m); });
    changed_.notify_all();
  }
  // Afterwards the thread does not use the calls.
  void end() {
    const std::lock_guard lock(mutex_);
    calls_ = nullptr;
  }

 private:
  void work(const Mpi& m) {
    constexpr std::chrono::microseconds pause{20};
    std::unique_lock lock(mutex_);
    while (!ends_) {
      if (calls_ == nullptr || all_done(m)) {
        calls_ = nullptr;
        changed_.wait(lock);
      } else {
        changed_.wait_for(lock, pause);
      }
    }
  }
  bool all_done(const Mpi& m) {
    bool done = true;
    for (const auto& c : *calls_) {
      for (MpiRequest& r : c->requests()) done = r.test(m) && done;
    }
    return done;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  InFlight* calls_ = nullptr;
  bool ends_ = false;
};

// A communicator of MPI that the next call frees: its last handle may be released by any thread.
struct Released {
  MpiHandle comm = 0;
  Released* next = nullptr;
};
std::atomic<Released*> released{nullptr};

void release_later(Released* one) noexcept {
  one->next = released.load();
  while (!released.compare_exchange_weak(one->next, one)) {
  }
}
void free_released(const Mpi& m) {
  if (released.load(std::memory_order_relaxed) == nullptr) [[likely]]
    return;
  Released* in_order = nullptr;
  for (Released* r = released.exchange(nullptr); r != nullptr;) {
    Released* next = std::exchange(r->next, in_order);
    in_order = std::exchange(r, next);
  }
  while (in_order != nullptr) {
    const std::unique_ptr<Released> one(std::exchange(in_order, in_order->next));
    m.MPI_Comm_free(&one->comm);
  }
}

// Calls that did not end: MPI may still write to their arrays.
void keep(InFlight calls) {
  static auto& mutex = *new ProcessMutex;
  static auto& all = *new InFlight;
  const std::lock_guard lock(mutex);
  for (auto& c : calls) all.push_back(std::move(c));
}

class MpiComm final : public Comm {
 public:
  // Takes over the communicator, which no one else uses.
  MpiComm(const Mpi& m, std::unique_ptr<Released> comm, const CommPlace& at)
      : Comm(ARR_COMM_MPI, at, 0), m_(m), comm_(std::move(comm)) {
    int level = 0;
    mpi_check(m, m.MPI_Query_thread(&level));
    threads_ = level == m.thread_multiple;
  }

  bool failed() override { return failed_.load(); }
  // MPICH's MPI_Abort of a communicator with open requests may not return; all MPIs end the whole job.
  void end_all() override {
    mpi_check_alive(m_);
    mpi_check(m_, m_.MPI_Abort(m_.comm_world, 1));
  }

 protected:
  ~MpiComm() override;
  void run_one(CommCall call) override;
  void start(std::vector<CommCall> calls) override;
  void proceed() override {
    if (threads_) progress_.begin(m_, &started_);
  }
  bool finished() override;
  void finish() override;
  Ref<Comm> make_split(int32_t color, int32_t key) override;
  Ref<Comm> make_shrunk(const std::vector<int32_t>& excluded) override;

 private:
  [[nodiscard]] MpiRank rank() const { return {m_, comm_->comm, place()}; }
  void check_usable();
  void agree(const CommCall& call);
  [[noreturn]] void lose(const std::string& why);
  [[nodiscard]] std::string waited(const char* function, const CommCall* call) const;

  const Mpi& m_;
  std::unique_ptr<Released> comm_;
  InFlight started_;
  Deadline end_{0};  // of those
  Progress progress_;
  bool threads_ = false;  // the program's threads may call MPI at the same time
  std::atomic<bool> failed_{false};
  std::string failure_;
};

MpiComm::~MpiComm() {
  progress_.end();
  if (!started_.empty()) failed_ = true;
  if (!failed_) {
    release_later(comm_.release());
    return;
  }
  mpi_give_up();
  try {
    keep(std::move(started_));
  } catch (...) {
    for (auto& c : started_) static_cast<void>(c.release());
  }
}

void MpiComm::check_usable() {
  if (failed_) fail(ARR_E_LOST, "the communicator has failed: ", failure_);
  mpi_check_alive(m_);
  free_released(m_);
}

std::string MpiComm::waited(const char* function, const CommCall* call) const {
  std::string why =
      text("rank ", place().rank, " of ", place().size, " waited ", timeout(), " s in ", function, " for ");
  const bool message = call != nullptr && (call->kind == CommKind::send || call->kind == CommKind::recv);
  if (!message) return why + "the other ranks";
  return why + text("rank ", call->root, call->kind == CommKind::send ? " to receive" : " to send");
}

void MpiComm::lose(const std::string& why) {
  failure_ = why;
  failed_ = true;
  mpi_give_up();
  keep(std::exchange(started_, {}));
  fail(ARR_E_LOST, "the communicator has failed: ", why);
}

void MpiComm::run_one(CommCall call) {
  if (timeout() > 0 || checked_mode()) return Comm::run_one(std::move(call));
  check_usable();
  MpiCall c(std::move(call));
  const MpiRank to = rank();
  c.prepare(to);
  c.run(to);
  c.deliver(to);
}

void MpiComm::start(std::vector<CommCall> calls) {
  check_usable();
  end_ = Deadline(timeout());
  const MpiRank to = rank();
  InFlight ready;  // a call that fails here has not begun, so that none waits for it
  for (const CommCall& call : calls) {
    if (checked_mode()) agree(call);
  }
  for (CommCall& call : calls) {
    ready.push_back(std::make_unique<MpiCall>(std::move(call)));
    ready.back()->prepare(to);
  }
  started_.reserve(ready.size());
  for (auto& one : ready) {
    started_.push_back(std::move(one));
    try {
      started_.back()->start(to);
    } catch (...) {
      if (started_.back()->requests().empty()) started_.pop_back();
      throw;
    }
  }
}

bool MpiComm::finished() {
  progress_.end();
  for (const auto& c : started_) {
    for (MpiRequest& r : c->requests()) {
      if (r.test(m_)) continue;
      proceed();
      return end_.passed();
    }
  }
  return true;
}

void MpiComm::finish() {
  progress_.end();
  const Deadline end(timeout());
  for (const auto& c : started_) {
    for (MpiRequest& r : c->requests()) {
      if (!wait_until(m_, &r, end)) lose(waited(comm_call_name(c->kind()), &c->call()));
    }
  }
  for (const auto& c : std::exchange(started_, {})) c->deliver(rank());
}

// ----------------------------------------------------------------------------------------- ARR_CHECK

// Compares the calls of all ranks, as ranks of one process do without being asked.
void MpiComm::agree(const CommCall& call) {
  if (call.kind == CommKind::send || call.kind == CommKind::recv) return;
  auto sent = std::make_shared<std::vector<char>>(call_record(call, place().size));
  const size_t bytes = sent->size();
  auto all = std::make_shared<std::vector<char>>(static_cast<size_t>(place().size) * bytes);
  MpiRequest r;
  const int size = static_cast<int>(bytes);
  mpi_check(
      m_, m_.MPI_Iallgather(sent->data(), size, m_.byte, all->data(), size, m_.byte, comm_->comm, &r.handle));
  if (!wait_until(m_, &r, Deadline(timeout()))) {
    static_cast<void>(new auto(std::pair(sent, all)));  // MPI may still use them
    lose(waited(comm_call_name(call.kind), &call));
  }
  r.check(m_, place().rank);
  check_records(*all, place().size);
}

// --------------------------------------------------------------------------- making communicators

Ref<Comm> adopt(const Mpi& m, MpiHandle handle, Device device) {
  auto comm = std::make_unique<Released>();
  comm->comm = handle;
  mpi_check(m, m.MPI_Comm_set_errhandler(handle, m.errors_return));
  CommPlace at;
  at.device = device;
  mpi_check(m, m.MPI_Comm_rank(handle, &at.rank));
  mpi_check(m, m.MPI_Comm_size(handle, &at.size));
  return make<MpiComm>(m, std::move(comm), at);
}

Ref<Comm> duplicate_of(const Mpi& m, MpiHandle comm, Device device) {
  free_released(m);
  MpiHandle out = 0;
  mpi_check(m, m.MPI_Comm_dup(comm, &out));
  return adopt(m, out, device);
}

// MPI_Comm_split cannot be limited in time: it begins once all ranks are there.
Ref<Comm> MpiComm::make_split(int32_t color, int32_t key) {
  check_usable();
  if (timeout() > 0) {
    MpiRequest r;
    mpi_check(m_, m_.MPI_Ibarrier(comm_->comm, &r.handle));
    if (!wait_until(m_, &r, Deadline(timeout()))) lose(waited("arr_comm_split", nullptr));
    r.check(m_, place().rank);
  }
  MpiHandle out = 0;
  mpi_check(m_, m_.MPI_Comm_split(comm_->comm, color, key, &out));
  return adopt(m_, out, place().device);
}

Ref<Comm> MpiComm::make_shrunk(const std::vector<int32_t>& excluded) {
  mpi_check_alive(m_);
  progress_.end();
  if (!started_.empty()) mpi_give_up();
  keep(std::exchange(started_, {}));
  constexpr int tag = 1;
  MpiHandle all = 0, group = 0, out = 0;
  mpi_check(m_, m_.MPI_Comm_group(comm_->comm, &all));
  const int code = m_.MPI_Group_excl(all, static_cast<int>(excluded.size()), excluded.data(), &group);
  m_.MPI_Group_free(&all);
  mpi_check(m_, code);
  const int made = m_.MPI_Comm_create_group(comm_->comm, group, tag, &out);
  m_.MPI_Group_free(&group);
  mpi_check(m_, made);
  return adopt(m_, out, place().device);
}

void check_initialized(const Mpi& m) {
  int initialized = 0;
  mpi_check(m, m.MPI_Initialized(&initialized));
  if (initialized == 0)
    fail(ARR_E_ARGUMENT, "argument comm: MPI is not initialised, expected MPI_Init before");
  mpi_check_alive(m);
}

}  // namespace

Ref<Comm> mpi_world(Device device) {
  const Mpi& m = mpi();
  mpi_initialize(m);
  mpi_check_alive(m);
  return duplicate_of(m, m.comm_world, device);
}

Ref<Comm> mpi_comm(int64_t comm, Device device) {
  const Mpi& m = mpi();
  check_initialized(m);
  const MpiHandle given = m.clean(static_cast<MpiHandle>(comm));
  if (given == 0 || given == m.clean(m.comm_null)) {
    fail(ARR_E_HANDLE, "argument comm: MPI_COMM_NULL, expected a communicator");
  }
  int inter = 0;
  mpi_check(m, m.MPI_Comm_test_inter(given, &inter));
  if (inter != 0) fail(ARR_E_ARGUMENT, "argument comm: connects two groups of ranks, expected one group");
  return duplicate_of(m, given, device);
}

Ref<Comm> mpi_comm_from_fortran(int32_t comm, Device device) {
  const Mpi& m = mpi();
  check_initialized(m);
  const auto convert = m.MPI_Comm_f2c != nullptr ? m.MPI_Comm_f2c : m.MPI_Comm_fromint;
  // In the MPICH family the numbers are the same.
  const MpiHandle given = convert != nullptr ? convert(comm) : static_cast<uint32_t>(comm);
  return mpi_comm(static_cast<int64_t>(given), device);
}

}  // namespace arr
