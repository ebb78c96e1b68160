// SPDX-License-Identifier: MIT
// Ranks in one process. Each posts its calls; the thread that completes a set of them runs it for all.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ops/comm/combine.h"
#include "ops/comm/comm.h"
#include "runtime/recorders.h"

namespace arr {

namespace {

class LocalComm;

// A call of a rank, until it has been run.
using Clock = std::chrono::steady_clock;

struct Posted {
  CommCall call;
  Clock::time_point since = Clock::now();
  int32_t rank = 0;
  bool done = false;
  std::optional<Error> failure;
};
using Ticket = std::shared_ptr<Posted>;

// The end of a time limit; 0 is no limit: a year, because larger numbers overflow the clock.
Clock::time_point deadline(Clock::time_point since, double seconds) {
  constexpr double year = 3e7;
  const std::chrono::duration<double> limit(seconds == 0 ? year : std::min(seconds, year));
  return since + std::chrono::duration_cast<Clock::duration>(limit);
}

// Ranks that make a new communicator together: who has come, and what they get.
struct Meeting {
  struct Member {
    int32_t rank, color, key;
    Ref<Comm> made;
  };
  std::vector<Member> members;
  size_t expected = 0;
  bool done = false;
  std::optional<Error> failure;
};

// Takes the fronts of queues that all have one.
std::vector<Ticket> take_fronts(std::vector<std::deque<Ticket>>* queues) {
  std::vector<Ticket> all;
  all.reserve(queues->size());
  for (auto& q : *queues) {
    all.push_back(std::move(q.front()));
    q.pop_front();
  }
  return all;
}

std::string ranks_text(const std::vector<int32_t>& ranks) {
  constexpr size_t shown = 8;
  std::string out = ranks.size() == 1 ? "rank" : "ranks";
  for (size_t i = 0; i < std::min(ranks.size(), shown); ++i) out += text(i == 0 ? " " : ", ", ranks[i]);
  if (ranks.size() > shown) out += text(" and ", ranks.size() - shown, " more");
  return out;
}

// The state that the ranks of a communicator share.
class LocalRanks {
 public:
  explicit LocalRanks(std::span<const Device> devices)
      : devices_(devices.begin(), devices.end()), collectives_(devices.size()), gone_(devices.size()) {}

  [[nodiscard]] int32_t size() const noexcept { return static_cast<int32_t>(devices_.size()); }
  [[nodiscard]] const std::vector<Device>& devices() const noexcept { return devices_; }

  Ticket post(int32_t rank, CommCall call);
  // True if it is done, or wait() would give it up.
  bool done(const Posted& posted, Clock::time_point until);
  void wait(const Posted& posted, double timeout);
  // Meets the ranks that are not excluded; the last one divides them.
  Ref<Comm> meet(int32_t rank, std::vector<int32_t> excluded, int32_t color, int32_t key, double timeout);

  bool failed();
  void fail_all(const std::string& why);
  void leave(int32_t rank);

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Pair = std::pair<int32_t, int32_t>;  // sender, receiver

  void check_alive() const;
  void fail_all(const Lock& held, const std::string& why);
  void run_matches(Lock* held, const Pair* message);
  void run(Lock* held, const std::vector<Ticket>& set);
  void divide(Meeting* m) const;
  [[nodiscard]] std::string awaited(const Posted& posted) const;

  const std::vector<Device> devices_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<Ticket>> collectives_;  // for each rank, in the order of its calls
  size_t present_ = 0;                           // number of ranks with a collective call
  bool running_ = false;                         // a thread runs collective calls
  std::map<Pair, std::deque<Ticket>> sends_, recvs_;
  std::map<std::vector<int32_t>, std::shared_ptr<Meeting>> meetings_;  // by the excluded ranks
  std::vector<bool> gone_;
  bool any_gone_ = false;
  std::string failure_;
};

class LocalComm final : public Comm {
 public:
  LocalComm(std::shared_ptr<LocalRanks> ranks, int32_t rank)
      : Comm(ARR_COMM_LOCAL, {rank, ranks->size(), ranks->devices()[static_cast<size_t>(rank)]}, 600),
        ranks_(std::move(ranks)) {}

  bool failed() override { return ranks_->failed(); }
  void end_all() override { ranks_->fail_all(text("rank ", place().rank, " has called arr_comm_abort")); }

 protected:
  ~LocalComm() override { ranks_->leave(place().rank); }

  void start(std::vector<CommCall> calls) override {
    started_.reserve(started_.size() + calls.size());
    for (CommCall& c : calls) {
      // In this thread, whose recordings these may be.
      if (c.src) materialize(*c.src->buffer);
      if (c.dst) materialize_for_write(*c.dst->buffer);
      started_.push_back(ranks_->post(place().rank, std::move(c)));
    }
  }
  void finish() override {
    const std::vector<Ticket> all = std::exchange(started_, {});
    for (const Ticket& t : all) ranks_->wait(*t, timeout());
    for (const Ticket& t : all) {
      if (t->failure) throw Error(*t->failure);
    }
  }
  bool finished() override {
    return std::all_of(started_.begin(), started_.end(),
                       [&](const Ticket& t) { return ranks_->done(*t, deadline(t->since, timeout())); });
  }
  Ref<Comm> make_split(int32_t color, int32_t key) override {
    return ranks_->meet(place().rank, {}, color, key, timeout());
  }
  Ref<Comm> make_shrunk(const std::vector<int32_t>& excluded) override {
    started_.clear();
    std::vector<int32_t> sorted = excluded;
    std::sort(sorted.begin(), sorted.end());
    return ranks_->meet(place().rank, std::move(sorted), 0, place().rank, timeout());
  }

 private:
  std::shared_ptr<LocalRanks> ranks_;
  std::vector<Ticket> started_;
};

void LocalRanks::check_alive() const {
  if (!failure_.empty()) fail(ARR_E_LOST, "the communicator has failed: ", failure_);
}

bool LocalRanks::failed() {
  const Lock lock(mutex_);
  return !failure_.empty();
}

bool LocalRanks::done(const Posted& posted, Clock::time_point until) {
  const Lock lock(mutex_);
  return posted.done || Clock::now() >= until;
}

void LocalRanks::fail_all(const std::string& why) { fail_all(Lock(mutex_), why); }

void LocalRanks::fail_all(const Lock&, const std::string& why) {
  if (!failure_.empty()) return;
  failure_ = why;
  const Error error(ARR_E_LOST, text("the communicator has failed: ", why));
  const auto end = [&](std::deque<Ticket>& queue) {
    for (const Ticket& t : queue) {
      t->failure = error;
      t->done = true;
    }
    queue.clear();
  };
  for (auto& q : collectives_) end(q);
  for (auto* messages : {&sends_, &recvs_}) {
    for (auto& q : *messages) end(q.second);
    messages->clear();
  }
  present_ = 0;
  const auto all = meetings_.find({});  // those of shrink go on
  if (all != meetings_.end()) {
    all->second->failure = error;
    all->second->done = true;
    meetings_.erase(all);
  }
  changed_.notify_all();
}

// Fails the other ranks' calls if they wait for this one.
void LocalRanks::leave(int32_t rank) {
  const Lock lock(mutex_);
  gone_[static_cast<size_t>(rank)] = any_gone_ = true;
  bool waits = present_ != 0 || meetings_.contains({});
  for (const auto* messages : {&sends_, &recvs_}) {
    for (const auto& [pair, queue] : *messages) {
      waits = waits || (!queue.empty() && (pair.first == rank || pair.second == rank));
    }
  }
  if (waits) fail_all(lock, text("rank ", rank, " has released it"));
}

Ticket LocalRanks::post(int32_t rank, CommCall call) {
  auto ticket = std::make_shared<Posted>();
  ticket->rank = rank;
  ticket->call = std::move(call);
  const CommCall& c = ticket->call;
  Lock lock(mutex_);
  check_alive();
  const bool message = c.kind == CommKind::send || c.kind == CommKind::recv;
  for (int32_t r = 0; any_gone_ && r < size(); ++r) {
    if (gone_[static_cast<size_t>(r)] && (!message || r == c.root)) {
      fail_all(lock, text("rank ", r, " has released it"));
      check_alive();
    }
  }
  if (message) {
    const Pair pair = c.kind == CommKind::send ? Pair{rank, c.root} : Pair{c.root, rank};
    (c.kind == CommKind::send ? sends_ : recvs_)[pair].push_back(ticket);
    run_matches(&lock, &pair);
  } else {
    auto& queue = collectives_[static_cast<size_t>(rank)];
    queue.push_back(ticket);
    if (queue.size() == 1) ++present_;
    run_matches(&lock, nullptr);
  }
  return ticket;
}

void LocalRanks::run_matches(Lock* held, const Pair* message) {
  if (message != nullptr) {
    auto &sends = sends_[*message], &recvs = recvs_[*message];
    if (sends.empty() || recvs.empty()) return;
    std::vector<Ticket> set = {std::move(sends.front()), std::move(recvs.front())};
    sends.pop_front();
    recvs.pop_front();
    run(held, set);
    return;
  }
  while (!running_ && present_ == collectives_.size()) {
    running_ = true;
    std::vector<Ticket> set = take_fronts(&collectives_);
    present_ = static_cast<size_t>(
        std::count_if(collectives_.begin(), collectives_.end(), [](const auto& q) { return !q.empty(); }));
    run(held, set);
    running_ = false;
  }
}

void LocalRanks::run(Lock* held, const std::vector<Ticket>& set) {
  std::vector<const CommCall*> calls;
  std::optional<Error> failure;
  held->unlock();
  try {
    for (const Ticket& t : set) calls.push_back(&t->call);
    combine_calls(calls);
  } catch (const Error& e) {
    failure = e;
  } catch (const std::bad_alloc&) {
    failure = Error(ARR_E_MEMORY, "out of memory");
  }
  held->lock();
  for (const Ticket& t : set) {
    t->failure = failure;
    t->done = true;
  }
  changed_.notify_all();
}

void LocalRanks::wait(const Posted& posted, double timeout) {
  Lock lock(mutex_);
  if (changed_.wait_until(lock, deadline(posted.since, timeout), [&] { return posted.done; })) return;
  fail_all(lock, text("rank ", posted.rank, " of ", size(), " waited ", timeout, " s in ",
                      comm_call_name(posted.call.kind), " for ", awaited(posted)));
  // A thread that is running it right now finishes first: it uses this rank's arrays.
  changed_.wait(lock, [&] { return posted.done; });
}

// The ranks that have not come, and what those in another call do.
std::string LocalRanks::awaited(const Posted& posted) const {
  const CommCall& c = posted.call;
  if (c.kind == CommKind::send) return text("rank ", c.root, " to receive");
  if (c.kind == CommKind::recv) return text("rank ", c.root, " to send");
  std::vector<int32_t> missing;
  for (int32_t r = 0; r < size(); ++r) {
    if (collectives_[static_cast<size_t>(r)].empty()) missing.push_back(r);
  }
  return ranks_text(missing) + " to call a collective operation";
}

// Members of one colour form a communicator, in the order of their keys, then of their ranks.
void LocalRanks::divide(Meeting* m) const {
  using Member = Meeting::Member;
  std::sort(m->members.begin(), m->members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.color, a.key, a.rank) < std::tie(b.color, b.key, b.rank);
  });
  for (auto from = m->members.begin(); from != m->members.end();) {
    const auto to =
        std::find_if(from, m->members.end(), [&](const Member& x) { return x.color != from->color; });
    std::vector<Device> devices;
    for (auto x = from; x != to; ++x) devices.push_back(devices_[static_cast<size_t>(x->rank)]);
    std::vector<Ref<Comm>> made = local_comms(devices);
    for (size_t i = 0; from != to; ++from, ++i) from->made = std::move(made[i]);
  }
}

Ref<Comm> LocalRanks::meet(int32_t rank, std::vector<int32_t> excluded, int32_t color, int32_t key,
                           double timeout) {
  Lock lock(mutex_);
  const bool shrinks = !excluded.empty();
  if (!shrinks) check_alive();
  for (int32_t r = 0; r < size(); ++r) {
    if (gone_[static_cast<size_t>(r)] && !std::binary_search(excluded.begin(), excluded.end(), r)) {
      fail(ARR_E_LOST, "rank ", r, " has released the communicator");
    }
  }
  std::shared_ptr<Meeting>& place = meetings_[excluded];
  if (!place) place = std::make_shared<Meeting>();
  const std::shared_ptr<Meeting> m = place;
  m->expected = devices_.size() - excluded.size();
  m->members.push_back({rank, color, key, nullptr});
  if (m->members.size() == m->expected) {
    meetings_.erase(excluded);
    divide(m.get());
    m->done = true;
    changed_.notify_all();
  } else if (!changed_.wait_until(lock, deadline(Clock::now(), timeout), [&] { return m->done; })) {
    const std::string why =
        text("rank ", rank, " of ", size(), " waited ", timeout, " s to make a communicator with ",
             m->expected, " ranks, of which ", m->members.size(), " came");
    meetings_.erase(excluded);
    m->failure = Error(ARR_E_LOST, why);
    m->done = true;
    if (!shrinks) fail_all(lock, why);
    changed_.notify_all();
  }
  if (m->failure) throw Error(*m->failure);
  for (Meeting::Member& x : m->members) {
    if (x.rank == rank) return std::move(x.made);
  }
  return nullptr;
}

}  // namespace

std::vector<Ref<Comm>> local_comms(std::span<const Device> devices) {
  const auto ranks = std::make_shared<LocalRanks>(devices);
  std::vector<Ref<Comm>> out;
  out.reserve(devices.size());
  for (int32_t r = 0; r < ranks->size(); ++r) out.push_back(make<LocalComm>(ranks, r));
  return out;
}

}  // namespace arr
