// SPDX-License-Identifier: MIT
// Ranks in one process. Each posts its calls; the thread that completes a set of them runs it for all.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ops/comm/combine.h"
#include "ops/comm/comm.h"
#include "ops/comm/deadline.h"
#include "runtime/recorders.h"

namespace arr {

namespace {

// A call of a rank, until it has been run.
struct Posted {
  CommCall call;
  Deadline::Clock::time_point since = Deadline::Clock::now();
  int32_t rank = 0;
  bool done = false;
  std::optional<Error> failure;
};
using Ticket = std::shared_ptr<Posted>;

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

constexpr const char* no_memory = "out of memory";  // short, so that a string of it asks for none

// The failure of a body, if it has one.
template <class Body>
std::optional<Error> failure_of(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(ARR_E_MEMORY, no_memory);
  }
  return std::nullopt;
}

// A text that a body makes, also when there is no memory for it.
template <class Body>
std::string reason(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return no_memory;
  }
}

Error lost(const std::string& why) noexcept {
  return {ARR_E_LOST, reason([&] { return text("the communicator has failed: ", why); })};
}

// Ends a call or a meeting.
template <class T>
void complete(T* one, const std::optional<Error>& failure) noexcept {
  try {
    one->failure = failure;
  } catch (const std::bad_alloc&) {
    one->failure.emplace(ARR_E_MEMORY, no_memory);
  }
  one->done = true;
}

// The state that the ranks of a communicator share.
class LocalRanks {
 public:
  explicit LocalRanks(std::span<const Device> devices)
      : devices_(devices.begin(), devices.end()),
        collectives_(devices.size()),
        set_(devices.size()),
        gone_(devices.size()),
        waits_(devices.size()) {}

  [[nodiscard]] int32_t size() const noexcept { return static_cast<int32_t>(devices_.size()); }
  [[nodiscard]] const std::vector<Device>& devices() const noexcept { return devices_; }

  Ticket post(int32_t rank, CommCall call);
  // True if it is done, or wait() would give it up.
  bool done(const Posted& posted, double timeout);
  void wait(const Posted& posted, double timeout);
  // Meets the ranks that are not excluded; the last one divides them.
  Ref<Comm> meet(int32_t rank, const std::vector<int32_t>& excluded, int32_t color, int32_t key,
                 double timeout);

  bool failed();
  void fail_all(std::string why);
  void leave(int32_t rank) noexcept;

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Pair = std::pair<int32_t, int32_t>;  // sender, receiver

  // A call that a rank waits for, or else those that it meets.
  struct Wait {
    const Posted* posted = nullptr;
    const Meeting* meeting = nullptr;
    [[nodiscard]] bool over() const { return posted != nullptr ? posted->done : meeting->done; }
  };

  void check_alive() const;
  void fail_all(const Lock& held, std::string why);
  template <class Condition>
  void end_meetings(const Error& error, Condition&& ends);  // of its excluded ranks
  void run_message(Lock* held, const Pair& pair);
  void run_collectives(Lock* held);
  void run(Lock* held, std::span<const Ticket> set);
  void divide(Meeting* m) const;
  bool wait_until(Lock* held, int32_t rank, const Wait& what, const Deadline& end);
  void check_progress(const Lock& held);
  void check_excluded(int32_t rank, const std::vector<int32_t>& excluded);
  [[nodiscard]] std::string all_wait() const;
  [[nodiscard]] std::string awaited(const Wait& wait) const;
  [[nodiscard]] std::string waited(int32_t rank, double timeout, const Wait& what) const;

  const std::vector<Device> devices_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<Ticket>> collectives_;  // for each rank, in the order of its calls
  std::vector<Ticket> set_;                      // those that a thread runs, one of each rank
  size_t present_ = 0;                           // number of ranks with a collective call
  bool running_ = false;                         // a thread runs collective calls
  std::multimap<Pair, Ticket> sends_, recvs_;    // of one pair in their order
  std::map<std::vector<int32_t>, std::shared_ptr<Meeting>> meetings_;  // by the excluded ranks
  std::vector<bool> gone_;
  size_t ngone_ = 0;
  std::vector<Wait> waits_;  // of each rank
  size_t waiting_ = 0;       // number of ranks in wait_until()
  std::string failure_;
};

class LocalComm final : public Comm {
 public:
  LocalComm(std::shared_ptr<LocalRanks> ranks, int32_t rank)
      : Comm(ARR_COMM_LOCAL, {rank, ranks->size(), ranks->devices()[static_cast<size_t>(rank)]}, 600),
        ranks_(std::move(ranks)) {}

  bool failed() override { return ranks_->failed(); }
  void end_all() override { ranks_->fail_all(text("rank ", place().rank, " has called arr_comm_abort")); }
  void give_up(const char* why) noexcept override {
    ranks_->fail_all(reason([&] { return text("rank ", place().rank, " has failed: ", why); }));
  }

 protected:
  ~LocalComm() override { ranks_->leave(place().rank); }

  void start(std::vector<CommCall> calls) override {
    for (const CommCall& c : calls) {
      // In this thread, whose recordings these may be.
      if (c.src) materialize(*c.src->buffer);
      if (c.dst) materialize_for_write(*c.dst->buffer);
    }
    started_.reserve(calls.size());
    try {
      for (CommCall& c : calls) started_.push_back(ranks_->post(place().rank, std::move(c)));
    } catch (const std::bad_alloc&) {
      if (!started_.empty()) ranks_->fail_all("a rank is out of memory");  // others have some of its calls
      throw;
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
                       [&](const Ticket& t) { return ranks_->done(*t, timeout()); });
  }
  Ref<Comm> make_split(int32_t color, int32_t key) override {
    return ranks_->meet(place().rank, {}, color, key, timeout());
  }
  Ref<Comm> make_shrunk(const std::vector<int32_t>& excluded) override {
    started_.clear();
    std::vector<int32_t> sorted = excluded;
    std::sort(sorted.begin(), sorted.end());
    return ranks_->meet(place().rank, sorted, 0, place().rank, timeout());
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

bool LocalRanks::done(const Posted& posted, double timeout) {
  const Lock lock(mutex_);
  return posted.done || Deadline(timeout, posted.since).passed();
}

void LocalRanks::fail_all(std::string why) { fail_all(Lock(mutex_), std::move(why)); }

void LocalRanks::fail_all(const Lock&, std::string why) {
  if (!failure_.empty()) return;
  const Error error = lost(why);
  failure_ = std::move(why);
  for (auto& queue : collectives_) {
    for (const Ticket& t : queue) complete(t.get(), error);
    queue.clear();
  }
  for (auto* messages : {&sends_, &recvs_}) {
    for (const auto& m : *messages) complete(m.second.get(), error);
    messages->clear();
  }
  present_ = 0;
  end_meetings(error, [](const auto& excluded) { return excluded.empty(); });  // those of shrink go on
  changed_.notify_all();
}

template <class Condition>
void LocalRanks::end_meetings(const Error& error, Condition&& ends) {
  for (auto at = meetings_.begin(); at != meetings_.end();) {
    const auto next = std::next(at);
    if (ends(at->first)) {
      complete(at->second.get(), error);
      meetings_.erase(at);
    }
    at = next;
  }
  changed_.notify_all();
}

// Fails the other ranks' calls if they wait for this one.
void LocalRanks::leave(int32_t rank) noexcept {
  const Lock lock(mutex_);
  gone_[static_cast<size_t>(rank)] = true;
  ++ngone_;
  bool waits = present_ != 0 || meetings_.contains({});
  for (const auto* messages : {&sends_, &recvs_}) {
    for (const auto& m : *messages) waits = waits || m.first.first == rank || m.first.second == rank;
  }
  const std::string why = reason([&] { return text("rank ", rank, " has released it"); });
  if (waits) fail_all(lock, why);
  if (!meetings_.empty()) {
    end_meetings(lost(why), [&](const auto& excluded) {
      return !std::binary_search(excluded.begin(), excluded.end(), rank);
    });
  }
  check_progress(lock);
}

Ticket LocalRanks::post(int32_t rank, CommCall call) {
  auto ticket = std::make_shared<Posted>();
  ticket->rank = rank;
  ticket->call = std::move(call);
  const CommCall& c = ticket->call;
  Lock lock(mutex_);
  check_alive();
  const bool message = c.kind == CommKind::send || c.kind == CommKind::recv;
  for (int32_t r = 0; ngone_ != 0 && r < size(); ++r) {
    if (gone_[static_cast<size_t>(r)] && (!message || r == c.root)) {
      fail_all(lock, text("rank ", r, " has released it"));
      check_alive();
    }
  }
  if (message) {
    const Pair pair = c.kind == CommKind::send ? Pair{rank, c.root} : Pair{c.root, rank};
    (c.kind == CommKind::send ? sends_ : recvs_).emplace(pair, ticket);
    run_message(&lock, pair);
  } else {
    auto& queue = collectives_[static_cast<size_t>(rank)];
    queue.push_back(ticket);
    if (queue.size() == 1) ++present_;
    run_collectives(&lock);
  }
  return ticket;
}

// Nothing from here to the end of a call may fail for want of memory: other ranks would wait for ever.
void LocalRanks::run_message(Lock* held, const Pair& pair) {
  const auto sent = sends_.lower_bound(pair), received = recvs_.lower_bound(pair);
  if (sent == sends_.end() || sent->first != pair) return;
  if (received == recvs_.end() || received->first != pair) return;
  const Ticket set[] = {std::move(sent->second), std::move(received->second)};
  sends_.erase(sent);
  recvs_.erase(received);
  run(held, set);
}

void LocalRanks::run_collectives(Lock* held) {
  while (!running_ && present_ == collectives_.size()) {
    running_ = true;
    for (size_t r = 0; r < set_.size(); ++r) {
      set_[r] = std::move(collectives_[r].front());
      collectives_[r].pop_front();
      if (collectives_[r].empty()) --present_;
    }
    run(held, set_);
    for (Ticket& t : set_) t.reset();
    running_ = false;
  }
}

void LocalRanks::run(Lock* held, std::span<const Ticket> set) {
  held->unlock();
  const std::optional<Error> failure = failure_of([&] {
    std::vector<const CommCall*> calls;
    for (const Ticket& t : set) calls.push_back(&t->call);
    combine_calls(calls);
  });
  held->lock();
  for (const Ticket& t : set) complete(t.get(), failure);
  changed_.notify_all();
}

void LocalRanks::wait(const Posted& posted, double timeout) {
  Lock lock(mutex_);
  const Wait what{&posted, nullptr};
  if (wait_until(&lock, posted.rank, what, Deadline(timeout, posted.since))) return;
  fail_all(lock, reason([&] { return waited(posted.rank, timeout, what); }));
  // A thread that is running it right now finishes first: it uses this rank's arrays.
  changed_.wait(lock, [&] { return posted.done; });
}

bool LocalRanks::wait_until(Lock* held, int32_t rank, const Wait& what, const Deadline& end) {
  if (what.over()) return true;
  waits_[static_cast<size_t>(rank)] = what;
  ++waiting_;
  check_progress(*held);
  const bool over = changed_.wait_until(*held, end.end(), [&] { return what.over(); });
  --waiting_;
  waits_[static_cast<size_t>(rank)] = {};
  return over;
}

// Fails all ranks if each of them waits: a thread that runs calls does not, so none will be done.
void LocalRanks::check_progress(const Lock& held) {
  if (waiting_ == 0 || waiting_ != devices_.size() - ngone_) return;
  for (size_t r = 0; r < waits_.size(); ++r) {
    if (!gone_[r] && waits_[r].over()) return;
  }
  const std::string why = reason([&] { return all_wait(); });
  fail_all(held, why);
  if (!meetings_.empty()) end_meetings(lost(why), [](const auto&) { return true; });
}

std::string LocalRanks::all_wait() const {
  constexpr size_t shown = 4;
  std::string out = "all ranks wait";
  size_t n = 0;
  for (size_t r = 0; r < waits_.size(); ++r) {
    if (!gone_[r] && ++n <= shown) out += text(n == 1 ? ": rank " : ", rank ", r, " ", awaited(waits_[r]));
  }
  return n > shown ? out + text(" and ", n - shown, " more") : out;
}

std::string LocalRanks::waited(int32_t rank, double timeout, const Wait& what) const {
  return text("rank ", rank, " of ", size(), " waited ", timeout, " s ", awaited(what));
}

// The call, and the ranks that have not come.
std::string LocalRanks::awaited(const Wait& wait) const {
  if (wait.posted == nullptr) {
    return text("to make a communicator with ", wait.meeting->expected, " ranks, of which ",
                wait.meeting->members.size(), " came");
  }
  const CommCall& c = wait.posted->call;
  const char* name = comm_call_name(c.kind);
  if (c.kind == CommKind::send) return text("in ", name, " for rank ", c.root, " to receive");
  if (c.kind == CommKind::recv) return text("in ", name, " for rank ", c.root, " to send");
  std::vector<int32_t> missing;
  for (int32_t r = 0; r < size(); ++r) {
    if (collectives_[static_cast<size_t>(r)].empty()) missing.push_back(r);
  }
  return text("in ", name, " for ", ranks_text(missing), " to call a collective operation");
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

// Ranks that shrink the communicator leave out the same ranks: those that differ would wait for each other.
void LocalRanks::check_excluded(int32_t rank, const std::vector<int32_t>& excluded) {
  for (const auto& other : meetings_) {
    const std::vector<int32_t> theirs = other.first;  // the meeting ends below
    if (theirs.empty() || theirs == excluded) continue;
    for (const Meeting::Member& x : other.second->members) {
      if (std::binary_search(excluded.begin(), excluded.end(), x.rank)) continue;
      const Error error(ARR_E_ARGUMENT, text("argument excluded: ", ranks_text(theirs), " on rank ", x.rank,
                                             ", ", ranks_text(excluded), " on rank ", rank));
      end_meetings(error, [&](const auto& which) { return which == theirs || which == excluded; });
      throw Error(error);
    }
  }
}

Ref<Comm> LocalRanks::meet(int32_t rank, const std::vector<int32_t>& excluded, int32_t color, int32_t key,
                           double timeout) {
  Lock lock(mutex_);
  const bool shrinks = !excluded.empty();
  if (!shrinks) check_alive();
  for (int32_t r = 0; r < size(); ++r) {
    if (gone_[static_cast<size_t>(r)] && !std::binary_search(excluded.begin(), excluded.end(), r)) {
      fail(ARR_E_LOST, "rank ", r, " has released the communicator");
    }
  }
  if (shrinks) check_excluded(rank, excluded);
  auto place = meetings_.find(excluded);
  if (place == meetings_.end()) {
    const auto made = std::make_shared<Meeting>();
    made->expected = devices_.size() - excluded.size();
    made->members.reserve(made->expected);
    place = meetings_.emplace(excluded, made).first;
  }
  const std::shared_ptr<Meeting> m = place->second;
  m->members.push_back({rank, color, key, nullptr});
  const Wait what{nullptr, m.get()};
  if (m->members.size() == m->expected) {
    meetings_.erase(place);
    complete(m.get(), failure_of([&] { divide(m.get()); }));
    changed_.notify_all();
  } else if (!wait_until(&lock, rank, what, Deadline(timeout))) {
    const std::string why = reason([&] { return waited(rank, timeout, what); });
    if (!shrinks) fail_all(lock, why);
    end_meetings(Error(ARR_E_LOST, why), [&](const auto& which) { return which == excluded; });
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
