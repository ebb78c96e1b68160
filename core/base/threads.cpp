// SPDX-License-Identifier: MIT
#include "base/threads.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "base/fork.h"
#include "base/log.h"

namespace arr {

namespace {

thread_local int alone = 0;

void* wait_for_mutex(void* mutex) {
  const std::lock_guard lock(*static_cast<std::mutex*>(mutex));
  return nullptr;
}

// Milliseconds after which the system is asked again; 0: threads have started.
constexpr int64_t never = 0, at_once = -1;
std::atomic<int64_t> ask_again{at_once};

int64_t now() noexcept {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

bool ask() noexcept {
  // Never destroyed, and in storage of its own: there may be no memory.
  alignas(ProcessMutex) static unsigned char storage[sizeof(ProcessMutex)];
  static auto& mutex = *new (storage) ProcessMutex;
  // A thread that calls this while another does so gets false: in a child that was made before forks were
  // handled the other thread does not exist.
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) return false;
  if (ask_again.load(std::memory_order_relaxed) == never) return true;
  note_use();
  const auto others = static_cast<int>(std::thread::hardware_concurrency()) - 1;
  constexpr int64_t pause = 1000;
  const bool started = others > 0 && threads_start(others);
  ask_again.store(started ? never : now() + pause, std::memory_order_release);
  if (!started && others > 0) {
    log_line(log_level::warning, "the system lets no ", others, " threads be started: loops run on one");
  }
  return started;
}

}  // namespace

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
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the program's signals are not for them
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

bool threads_are_there() noexcept {
  if (alone != 0 || forked()) return false;
  const int64_t when = ask_again.load(std::memory_order_acquire);
  if (when == never) return true;
  return (when == at_once || now() >= when) && ask();
}

Alone::Alone() noexcept { ++alone; }
Alone::~Alone() { --alone; }

}  // namespace arr
