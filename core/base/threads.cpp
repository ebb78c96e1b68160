// SPDX-License-Identifier: MIT
#include "base/threads.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "base/environment.h"
#include "base/fork.h"
#include "base/log.h"
#include "base/thread_limit.h"

namespace arr {

namespace {

thread_local int serial_scopes = 0;

void* wait_for_mutex(void* mutex) {
  const std::lock_guard lock(*static_cast<std::mutex*>(mutex));
  return nullptr;
}

// Milliseconds after which the system is tried again. 0: threads have started; `serial_by_limit`: the limit
// is one thread.
constexpr int64_t never = 0, at_once = -1, serial_by_limit = INT64_MAX;
std::atomic<int64_t> ask_again{at_once};

int64_t now() noexcept {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

bool ask() noexcept {
  // Never destroyed, and in static storage: memory may have run out.
  alignas(ProcessMutex) static unsigned char storage[sizeof(ProcessMutex)];
  static auto& mutex = *new (storage) ProcessMutex;
  // Does not wait for another thread in here: in a child created before the fork handlers were installed,
  // that thread does not exist.
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) return false;
  if (ask_again.load(std::memory_order_relaxed) == never) return true;
  note_use();
  const int others = thread_limit() - 1;
  if (others <= 0) {
    ask_again.store(serial_by_limit, std::memory_order_release);
    return false;
  }
  constexpr int64_t pause = 1000;
  const bool started = threads_start(others);
  ask_again.store(started ? never : now() + pause, std::memory_order_release);
  if (!started) {
    log_line(log_level::warning, "the system lets no ", others, " threads be started: loops run on one");
  }
  return started;
}

// ARR_THREADS, or the number of processors that the process may use.
int initial_limit() {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::string given = environment("ARR_THREADS");
  if (given.empty()) return processors;
  int n = 0;
  const auto [end, problem] = std::from_chars(given.data(), given.data() + given.size(), n);
  if (problem == std::errc() && end == given.data() + given.size() && n >= 1 && n <= max_thread_limit)
    return n;
  log_line(log_level::warning, "ARR_THREADS: ", given, " is no number from 1 to ", max_thread_limit,
           ", and is ignored");
  return processors;
}

std::atomic<int> limit{0};  // 0: not known yet

// The functions that apply the limit; a change calls them one after the other.
struct Watchers {
  ProcessMutex mutex;
  std::array<void (*)(int), 4> changed{};
  size_t count = 0;
};
Watchers& watchers() {
  static auto& all = *new Watchers;
  return all;
}

}  // namespace

int thread_limit() noexcept {
  const int known = limit.load(std::memory_order_acquire);
  if (known != 0) return known;
  int found = 1;
  try {
    found = initial_limit();
  } catch (const std::bad_alloc&) {
    return found;  // tries again
  }
  int expected = 0;
  limit.compare_exchange_strong(expected, found, std::memory_order_acq_rel);
  return limit.load(std::memory_order_acquire);
}

void set_thread_limit(int n) {
  const int next = n == 0 ? initial_limit() : n;
  Watchers& all = watchers();
  const std::lock_guard lock(all.mutex);
  // These may fail for lack of memory; the limit then stays as before.
  for (size_t i = 0; i < all.count; ++i) all.changed.at(i)(next);
  limit.store(next, std::memory_order_release);
  ask_again.store(next == 1 ? serial_by_limit : at_once, std::memory_order_release);
}

void watch_thread_limit(void (*changed)(int)) {
  Watchers& all = watchers();
  const std::lock_guard lock(all.mutex);
  all.changed.at(all.count) = changed;
  ++all.count;
}

bool threads_start(int n) noexcept {
  std::mutex held;
  std::vector<pthread_t> started;
  try {
    started.reserve(static_cast<size_t>(n));
  } catch (const std::bad_alloc&) {
    return false;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread must not receive the program's signals
  {
    const std::lock_guard lock(held);
    pthread_t one;
    while (static_cast<int>(started.size()) < n &&
           pthread_create(&one, nullptr, wait_for_mutex, &held) == 0) {
      started.push_back(one);
    }
  }
  for (const pthread_t one : started) pthread_join(one, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return static_cast<int>(started.size()) == n;
}

bool threads_available() noexcept {
  if (serial_scopes != 0 || forked()) return false;
  const int64_t when = ask_again.load(std::memory_order_acquire);
  if (when == never) return true;
  return (when == at_once || now() >= when) && ask();
}

SerialScope::SerialScope() noexcept { ++serial_scopes; }
SerialScope::~SerialScope() { --serial_scopes; }

}  // namespace arr
