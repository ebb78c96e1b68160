// SPDX-License-Identifier: MIT
#include "host/kernels/run/watch.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/log.h"
#include "host/kernels/compile/debug.h"
#include "host/kernels/compile/line_info.h"
#include "host/kernels/compile/object.h"
#include "host/kernels/run/registers.h"
#include "host/kernels/run/scheduler.h"
#include "host/kernels/run/threads.h"

namespace arr::host_kernels {
namespace {

constexpr int wake_signal = SIGURG;  // which nothing happens by where no one expects it

// Plain data, which a signal handler may read: the worker whose blocks the thread runs.
thread_local Watched* mine = nullptr;

// Seconds; 0: kernels may wait for ever.
double limit() {
  static const double seconds = [] {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0.0;  // they do not see that a stack is left
#else
    constexpr double by_default = 60;
    const std::string text = environment("ARR_HOST_WAIT_LIMIT");
    if (debugging()) return 0.0;
    if (text.empty()) return by_default;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 0 && value < 1e9) return value;
    log_line(log_level::warning, "ARR_HOST_WAIT_LIMIT: ", text,
             " is not a number of seconds, and is ignored");
    return by_default;
#endif
  }();
  return seconds;
}

// Entered on the kernel's stack, as if the kernel had called it where it was interrupted.
[[noreturn]] void leave_kernel() { stop_block(mine->worker, ""); }

// In the image's own code the thread holds no lock and is in no call of the library, so it can be led away.
void on_signal(int, siginfo_t*, void* where) {
  Watched* const w = mine;
  if (w == nullptr) return;
  auto& context = *static_cast<ucontext_t*>(where);
  const uintptr_t at = program_counter(context);
  const bool inside =
      at >= w->code_begin.load(std::memory_order_relaxed) && at < w->code_end.load(std::memory_order_relaxed);
  const int request = w->request.load(std::memory_order_acquire);
  if (!inside) return;  // the next signal may come at a better time, or the thread answers at rest
  if (request == Watched::sample) {
    w->reply(at, mix_registers(context));
  } else if (request == Watched::stop) {
    w->request.store(Watched::none, std::memory_order_relaxed);
    w->stopped_at.store(at, std::memory_order_relaxed);
    lead_to(context, &leave_kernel);
  }
}

// False if the program has a use of its own for the signal.
bool install() {
  struct sigaction old {};
  if (sigaction(wake_signal, nullptr, &old) != 0) return false;
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction == &on_signal;
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return false;
  struct sigaction ours {};
  ours.sa_sigaction = &on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  return sigaction(wake_signal, &ours, nullptr) == 0;
}

using Clock = std::chrono::steady_clock;

// The watching thread's record of a worker's present turn.
struct Record {
  uint64_t turn = 0;
  const void* launch = nullptr;
  Clock::time_point since;
  bool asked = false;
  unsigned repeated = 0;                        // samples in which all was as before at the same place
  std::unordered_map<uint64_t, uint64_t> seen;  // registers by place

  void restart() {
    repeated = 0;
    seen.clear();
  }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - since).count(); }
};

class Watcher {
 public:
  static Watcher& get() {
    static Watcher& all = *new Watcher;  // never destroyed: threads may outlive static objects
    return all;
  }

  void add(Watched& w) {
    const std::lock_guard lock(mutex_);
    workers_.push_back(&w);
  }
  void remove(Watched& w) {
    const std::lock_guard lock(mutex_);
    std::erase(workers_, &w);
    records_.erase(&w);
  }

  // Starts the thread if there is none; it ends when no kernel has run for some time.
  void wake() {
    if (running_.load(std::memory_order_relaxed) || running_.exchange(true)) return;
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {
      running_.store(false);  // as without a limit
    }
  }

 private:
  static constexpr unsigned enough_repeated = 32, most_places = 4096, idle_rounds = 8;

  void run() {
    block_signals();
    const double calm = std::clamp(limit() / 16, 0.002, 2.0), close = std::clamp(limit() / 256, 0.0002, 0.02);
    for (unsigned idle = 0; idle < idle_rounds;) {
      const double pause = suspicious_ ? close : calm;
      std::this_thread::sleep_for(std::chrono::duration<double>(pause));
      const std::lock_guard lock(mutex_);
      suspicious_ = false;
      progress_.clear();
      bool any = false;
      for (Watched* w : workers_) any = look_at(*w) || any;
      idle = any ? 0 : idle + 1;
      if (suspicious_) stop_launches();
    }
    running_.store(false);
  }

  // The program's signals are for the program's threads.
  static void block_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }

  // Returns whether the worker runs blocks.
  bool look_at(Watched& w) {
    Record& record = records_[&w];
    const uint64_t turn = w.turn.load(std::memory_order_acquire);
    if (turn % 2 == 0 || turn != record.turn) {
      if (turn != record.turn) progress_.insert(record.launch);
      record.turn = turn;
      record.launch = w.launch.load(std::memory_order_relaxed);
      record.since = Clock::now();
      record.asked = false;
      record.restart();
      return turn % 2 != 0;
    }
    if (record.seconds() < limit() / 4 || w.sleeps.load(std::memory_order_relaxed)) return true;
    if (!usable_) return true;
    suspicious_ = true;
    if (w.request.load(std::memory_order_acquire) == Watched::none && record.asked) take(w, record);
    ask(w, w.request.load(std::memory_order_relaxed) == Watched::stop ? Watched::stop : Watched::sample);
    record.asked = true;
    return true;
  }

  // A loop that computes has other values in its registers each time; one that waits has not.
  void take(const Watched& w, Record& record) {
    const uint64_t place = w.place.load(std::memory_order_relaxed);
    if (place == 0) return;
    const auto [found, is_new] = record.seen.try_emplace(place, w.registers.load(std::memory_order_relaxed));
    if (is_new ? record.seen.size() > most_places
               : found->second != w.registers.load(std::memory_order_relaxed))
      progress_.insert(record.launch);
    else if (!is_new)
      record.repeated++;
  }

  void ask(Watched& w, Watched::Request what) {
    usable_ = usable_ && install();
    if (!usable_) return;
    w.request.store(what, std::memory_order_release);
    // If the thread has ended since, no one gets the signal, or one that does not mind.
    syscall(SYS_tgkill, getpid(), w.os_thread.load(std::memory_order_relaxed), wake_signal);
  }

  [[nodiscard]] bool waits(const Watched& w, const Record& record) const {
    return w.sleeps.load(std::memory_order_relaxed) ||
           (record.seconds() >= limit() && record.repeated >= enough_repeated);
  }

  // A block may wait for another one of its launch that computes: all must wait, and have been seen to wait
  // since the last of the others ended.
  void stop_launches() {
    for (auto& [w, record] : records_)
      if (progress_.count(record.launch) != 0) {
        record.restart();
        w->request.store(Watched::none, std::memory_order_relaxed);
      }
    for (Watched* w : workers_) {
      const auto record = records_.find(w);
      if (w->turn.load() % 2 == 0 || w->sleeps.load() || !waits(*w, record->second)) continue;
      const void* launch = w->launch.load();
      const bool all = std::all_of(workers_.begin(), workers_.end(), [&](Watched* other) {
        return other->turn.load() % 2 == 0 || other->launch.load() != launch ||
               waits(*other, records_[other]);
      });
      if (!all || w->request.load() == Watched::stop) continue;
      w->places.clear();
      for (const auto& [place, registers] : record->second.seen)
        w->places.push_back(place & ~(~uint64_t{0} << 48));
      ask(*w, Watched::stop);
    }
  }

  ProcessMutex mutex_;
  std::vector<Watched*> workers_;
  std::unordered_map<Watched*, Record> records_;
  std::atomic<bool> running_{false};
  std::set<const void*> progress_;  // launches of which a thread has done something since the last look
  bool suspicious_ = false, usable_ = true;
};

}  // namespace

Watched::Watched(arr_host::Worker& of) : worker(of) { Watcher::get().add(*this); }
Watched::~Watched() { Watcher::get().remove(*this); }

void Watched::reply(uintptr_t at, uint64_t mixed) {
  place.store(at | static_cast<uint64_t>(worker.current) << 48, std::memory_order_relaxed);
  registers.store(mixed, std::memory_order_relaxed);
  request.store(none, std::memory_order_release);
}

// The stack has the registers that calls keep, and the variables of the thread.
void Watched::answer(const void* code) {
  // Signals find a thread that is on no fiber.
  if (!worker.fibers.holds(__builtin_frame_address(0))) return;
  const auto at = reinterpret_cast<uintptr_t>(code) - 1;  // in the call
  if (request.load(std::memory_order_acquire) == stop) {
    request.store(none, std::memory_order_relaxed);
    stopped_at.store(at, std::memory_order_relaxed);
    stop_block(worker, "");
  }
  const auto* const from = static_cast<const uint64_t*>(__builtin_frame_address(0));
  const auto* const end = reinterpret_cast<const uint64_t*>(worker.fibers.end_of(from));
  uint64_t mixed = no_registers;
  for (const uint64_t* word = from; word < end; word++) mixed = mix_register(mixed, *word);
  reply(at, mixed);
}

Watch::Watch(Watched& watched, const void* launch, const Object& object) {
  if (limit() == 0 || usable_threads() == 1) return;
  static thread_local const int id = static_cast<int>(syscall(SYS_gettid));
  watched_ = &watched;
  watched.os_thread.store(id, std::memory_order_relaxed);
  watched.launch.store(launch, std::memory_order_relaxed);
  watched.code_begin.store(object.code_begin(), std::memory_order_relaxed);
  watched.code_end.store(object.code_end(), std::memory_order_relaxed);
  watched.request.store(Watched::none, std::memory_order_relaxed);
  watched.stopped_at.store(0, std::memory_order_relaxed);
  mine = &watched;
  watched.turn.fetch_add(1, std::memory_order_release);
  Watcher::get().wake();
}

Watch::~Watch() {
  if (watched_ == nullptr) return;
  watched_->turn.fetch_add(1, std::memory_order_release);
  mine = nullptr;
}

std::string wait_text(const arr_host::Worker& worker, const Object& object) {
  const uintptr_t at = worker.watched.stopped_at.load(std::memory_order_relaxed);
  if (at == 0) return "";
  // Some instructions are in our own functions, which g++ may call instead of copying them.
  std::vector<uintptr_t> places = {at};
  constexpr size_t most = 16;
  for (const uintptr_t other : worker.watched.places)
    if (places.size() < most) places.push_back(other);
  std::string where;
  for (size_t i = 0; i < places.size() && where.empty() && !object.bytes().empty(); i++)
    where = line_text(object.bytes(), places[i] - object.base());
  return text("kernel '", worker.kernel_name, "': a thread waits", where,
              " for what no other thread does, for ", limit(), " seconds (ARR_HOST_WAIT_LIMIT)");
}

}  // namespace arr::host_kernels
