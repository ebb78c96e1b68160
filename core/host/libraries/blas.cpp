// SPDX-License-Identifier: MIT
// Opens a BLAS library, and keeps OpenBLAS's threads and memory within the limits of the process.
#include "host/libraries/blas.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/dynamic_library.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/log.h"
#include "base/thread_limit.h"
#include "host/libraries/blas_variants.h"

namespace arr::host {

namespace {

// Sets an environment variable for the duration of a scope.
class SetVariable {
 public:
  SetVariable(const char* name, const char* value) : name_(name) {
    if (const char* given = std::getenv(name)) before_ = given;
    set_ = setenv(name, value, 1) == 0;
  }
  ~SetVariable() {
    if (set_) before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_);
  }
  SetVariable(const SetVariable&) = delete;
  SetVariable& operator=(const SetVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
  bool set_ = false;
};

// OpenBLAS 0.3.21 selects its slowest kernels on processors that it does not know. While it loads, an
// environment variable selects the kernels of the best instruction set that it has; a user's setting is kept.
void name_core([[maybe_unused]] std::optional<SetVariable>* variable) {
  constexpr const char* name = "OPENBLAS_CORETYPE";
  if (std::getenv(name) != nullptr) return;
#if defined(__x86_64__)
  const char* core = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0
                         ? "SKYLAKEX"
                     : __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 ? "HASWELL"
                                                                                                 : nullptr;
  if (core != nullptr) variable->emplace(name, core);
#endif
}

// The buffer that OpenBLAS maps for each thread, OpenBLAS itself, the stack of a thread, and what malloc of
// glibc reserves at a thread's first allocation.
constexpr size_t mib = size_t{1} << 20, buffer_bytes = 128 * mib, library_bytes = 64 * mib,
                 stack_bytes = 8 * mib, arena_bytes = 64 * mib;

// Returns true if the process may use this much more address space, in pieces of `piece` bytes and one of
// `rest`.
bool room_for(int64_t pieces, size_t piece, size_t rest) {
  std::vector<std::pair<void*, size_t>> mapped;
  mapped.reserve(static_cast<size_t>(pieces) + 1);
  bool all = true;
  const auto map = [&](size_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    all = at != MAP_FAILED;
    if (all) mapped.emplace_back(at, bytes);
  };
  if (rest != 0) map(rest);
  for (int64_t i = 0; i < pieces && all; ++i) map(piece);
  for (const auto& [at, bytes] : mapped) munmap(at, bytes);
  return all;
}

// OpenBLAS starts its threads while it loads and aborts if that fails, and it retries failed allocations
// without end. So threads and memory are tried first.
bool threads_fit() {
  const int64_t n = thread_limit();
  return !forked() && n > 1 && room_for(n, buffer_bytes + stack_bytes, library_bytes) &&
         threads_start(static_cast<int>(n) - 1);
}

// The paths to try, in order.
std::vector<std::string> paths(std::string* report) {
  const std::string given = library_path("ARR_BLAS", "", report);
  if (!given.empty()) return {given};
  return {std::begin(blas_paths), std::end(blas_paths)};
}

// Opens a library with at most `max_threads` threads; returns nullptr with a line in the report.
void* open_with_threads(const std::string& path, int max_threads, std::string* report) {
  std::optional<SetVariable> core, threads;
  name_core(&core);
  if (max_threads < static_cast<int>(std::thread::hardware_concurrency())) {
    threads.emplace("OPENBLAS_NUM_THREADS", std::to_string(max_threads).c_str());
  }
  std::string why;
  void* library = open_dynamic_library(path, &why);
  if (library == nullptr) *report += why + "\n";
  return library;
}

Blas open_library() {
  Blas b;
  const std::vector<std::string> tried = paths(&b.report);
  if (!room_for(1, buffer_bytes, library_bytes)) {
    fail(ARR_E_MEMORY, "OpenBLAS needs ", (buffer_bytes + library_bytes) / mib,
         " MiB of address space, more than the process has left");
  }
  note_use();
  const bool single = thread_limit() > 1 && !threads_fit();
  const int max_threads = single ? 1 : thread_limit();
  for (const std::string& path : tried) {
    void* library = open_with_threads(path, max_threads, &b.report);
    if (library == nullptr) continue;
    const std::string missing = read_blas(library, &b);
    if (!missing.empty()) {
      b.report += text(path, ": no function ", missing, "\n");
      continue;
    }
    // OpenBLAS has read the environment.
    if (b.name != "OpenBLAS") b.set_threads(max_threads);
    if (single) b.report += b.name + ": one thread, for the process has no room for more\n";
    b.report +=
        text(path, ": ", b.config.empty() ? b.name : b.config, b.wide ? " (64-bit integers)" : "", "\n");
    return b;
  }
  return b;
}

// The number of OneThread objects, and the number of threads that calls had before the first.
struct Singles {
  ProcessMutex mutex;
  int users = 0, before = 1;
};
Singles& singles() {
  static auto* s = new Singles;
  return *s;
}

// State shared by all BlasUse objects. OpenBLAS's fork handler ends its threads whatever they are doing, and
// would wait for such a thread without end, so no thread may be in a call of OpenBLAS at a fork.
struct Uses {
  std::atomic<int64_t> threads{0};  // number of threads that may be in calls
  std::atomic<int64_t> buffers{0};  // number for which there was memory
  std::atomic<bool> forking{false}, forked{false};
  ProcessMutex mutex;
};
Uses& uses() {
  static auto* u = new Uses;
  return *u;
}

// The number of threads of a call that is not within a OneThread.
int usual_threads() {
  const std::lock_guard lock(singles().mutex);
  return singles().users > 0 ? singles().before : blas_library().get_threads();
}

constexpr std::chrono::milliseconds fork_waits{1000}, others_wait{500};

// Waits until done() is true or a time limit; the other thread may itself wait for a lock of this one.
template <class Done>
void wait_until(const Done& done, std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (!done() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void before_fork() noexcept {
  Uses& u = uses();
  u.forking.store(true, std::memory_order_seq_cst);
  wait_until([&] { return u.threads.load(std::memory_order_seq_cst) == 0; }, fork_waits);
}
void after_fork() noexcept {
  uses().forked.store(true, std::memory_order_relaxed);
  uses().forking.store(false, std::memory_order_release);
}
// The child does not have the other threads, so none of them is in a call.
void in_child() noexcept {
  uses().threads.store(0, std::memory_order_relaxed);
  after_fork();
}

// Handlers run in reverse order of registration, so this one runs before OpenBLAS's own.
void watch_blas_forks() {
  uses();  // created now: a fork handler must not allocate
  if (pthread_atfork(before_fork, after_fork, in_child) != 0) throw std::bad_alloc();
}

// OpenBLAS restarts its threads when it needs them. A child must have none, and a process at its limit of
// threads would be aborted.
void mind_fork(const Blas& b) {
  Uses& u = uses();
  const std::lock_guard lock(u.mutex);
  if (!u.forked.load(std::memory_order_relaxed)) return;
  const bool has = !forked() && threads_start(b.get_threads() - 1);
  if (!has) {
    if (b.threads == nullptr) return b.set_threads(1);
    *b.threads = 1;
  }
  u.forked.store(false, std::memory_order_relaxed);
}

}  // namespace

BlasUse::BlasUse(int64_t threads) : threads_(threads) {
  const Blas& b = blas();
  Uses& u = uses();
  int64_t now = u.threads.fetch_add(threads_, std::memory_order_seq_cst) + threads_;
  if (u.forking.load(std::memory_order_seq_cst)) [[unlikely]] {
    u.threads.fetch_sub(threads_, std::memory_order_seq_cst);
    wait_until([&] { return !u.forking.load(std::memory_order_acquire); }, others_wait);
    now = u.threads.fetch_add(threads_, std::memory_order_seq_cst) + threads_;
  }
  if (u.forked.load(std::memory_order_relaxed)) [[unlikely]]
    mind_fork(b);
  if (now > u.buffers.load(std::memory_order_relaxed)) [[unlikely]]
    find_room(now);
}

// A thread of OpenBLAS allocates its buffer some time after it has started, so there must be room for those
// buffers too.
void BlasUse::find_room(int64_t all) {
  Uses& u = uses();
  const std::lock_guard lock(u.mutex);
  const int64_t late = usual_threads() - 1;
  const auto fits = [&](int64_t n) {
    const int64_t there = u.buffers.load(std::memory_order_relaxed);
    // The first is that of the thread that opened OpenBLAS, which has allocated memory before.
    const size_t first = there == 0 ? buffer_bytes : 0;
    const int64_t more = n - there + late - (there == 0 ? 1 : 0);
    if (n > there && !room_for(more, buffer_bytes + arena_bytes, first)) return false;
    u.buffers.store(std::max(n, there), std::memory_order_relaxed);
    return true;
  };
  if (fits(all)) return;
  const int64_t others = threads_ - 1;
  u.threads.fetch_sub(others, std::memory_order_relaxed);
  threads_ = 1;
  serial_.emplace();
  if (fits(all - others)) return;
  u.threads.fetch_sub(1, std::memory_order_release);
  fail(ARR_E_MEMORY, "OpenBLAS needs a buffer of ", buffer_bytes / mib,
       " MiB for each thread that calls it, and the process has no address space left for one");
}

BlasUse::~BlasUse() { uses().threads.fetch_sub(threads_, std::memory_order_release); }

OneThread::OneThread() {
  const Blas& b = blas();
  const std::lock_guard lock(singles().mutex);
  if (singles().users++ != 0 || forked()) return;  // a child has one in any case
  singles().before = b.get_threads();
  b.set_threads(1);
}
OneThread::~OneThread() {
  const std::lock_guard lock(singles().mutex);
  if (--singles().users == 0 && !forked()) blas_library().set_threads(singles().before);
}

namespace {

// Applies a new limit of threads: at once, or if calls use one thread now, when they end.
void limit_blas(int n) {
  const Blas& b = blas_library();
  const std::lock_guard lock(singles().mutex);
  if (forked()) return;
  const int now = singles().users > 0 ? singles().before : b.get_threads();
  if (n > now && (!room_for(n - now, buffer_bytes + stack_bytes, 0) || !threads_start(n - 1))) {
    return log_line(log_level::warning, b.name, " keeps ", now, " threads: the process has no room for ", n);
  }
  if (singles().users > 0) {
    singles().before = n;
  } else {
    b.set_threads(n);
  }
}

}  // namespace

const Blas& blas_library() {
  static std::atomic<const Blas*> known{nullptr};
  if (const Blas* b = known.load(std::memory_order_acquire)) return *b;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const Blas* b = known.load(std::memory_order_relaxed)) return *b;
  auto b = std::make_unique<Blas>(open_library());
  log_lines(log_level::info, b->report);
  if (b->found()) watch_blas_forks();
  known.store(b.get(), std::memory_order_release);
  if (b->found()) watch_thread_limit(limit_blas);
  return *b.release();  // used until the process ends
}

const Blas& blas() {
  const Blas& b = blas_library();
  if (!b.found()) {
    fail(ARR_E_UNAVAILABLE, "no BLAS works here: ", one_line(b.report),
         "; install OpenBLAS (Debian: libopenblas0-pthread), or name a library in ARR_BLAS");
  }
  return b;
}

}  // namespace arr::host
