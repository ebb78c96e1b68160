// SPDX-License-Identifier: MIT
// Launching: the checks a GPU's driver would make, and blocks handed out to the threads of oneTBB.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/per_thread.h"
#include "hostcuda/compile/image.h"
#include "hostcuda/ptx/source_lines.h"
#include "hostcuda/run/scheduler.h"
#include "hostcuda/run/threads.h"
#include "hostcuda/run/time_limit.h"

namespace arr::host_kernels {
namespace {

using arr_host::Dim;
using arr_host::Worker;

constexpr uint64_t max_threads = 1024;

std::string triple(const uint32_t v[3]) { return text("(", v[0], ",", v[1], ",", v[2], ")"); }

void check_axes(const Kernel& kernel, const char* what, const uint32_t v[3], const uint32_t max[3]) {
  for (int i = 0; i < 3; i++)
    if (v[i] == 0 || v[i] > max[i])
      fail(ARR_E_ARGUMENT, "kernel '", kernel.name, "': ", what, " ", triple(v),
           ", each must be at least 1 and at most ", triple(max));
}

}  // namespace

void check_launch(const Kernel& kernel, const uint32_t grid[3], const uint32_t block[3],
                  uint64_t shared_bytes, void* const* args, int nargs) {
  static constexpr uint32_t max_grid[3] = {0x7fffffff, 65535, 65535}, max_block[3] = {1024, 1024, 64};
  check_axes(kernel, "grid", grid, max_grid);
  check_axes(kernel, "block", block, max_block);
  const uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
  if (threads > max_threads)
    fail(ARR_E_ARGUMENT, "kernel '", kernel.name, "': block ", triple(block), " has ", threads,
         " threads, the max is ", max_threads);
  const uint64_t max_shared = std::min<uint64_t>(kernel.max_shared_bytes, max_shared_bytes);
  if (shared_bytes > max_shared)
    fail(ARR_E_ARGUMENT, "kernel '", kernel.name, "': ", shared_bytes,
         " bytes of dynamic shared memory, the max is ", max_shared);
  if (nargs < 0 || static_cast<size_t>(nargs) != kernel.arg_bytes.size())
    fail(ARR_E_ARGUMENT, "kernel '", kernel.name, "': ", nargs, " arguments, it has ",
         kernel.arg_bytes.size(), " parameters");
  for (int i = 0; i < nargs; i++)
    if (args == nullptr || args[i] == nullptr)
      fail(ARR_E_ARGUMENT, "kernel '", kernel.name, "': argument ", i, " is NULL");
}

int64_t resident_blocks(int64_t threads) {
  constexpr int64_t max_blocks = 32;
  return std::min(max_blocks, static_cast<int64_t>(max_threads) / ((threads + 31) / 32 * 32));
}

namespace {

Worker& this_thread_worker() { return per_thread<Worker>(); }

void* dynamic_shared(Worker& worker, uint64_t bytes) {
  constexpr uint64_t alignment = 128;
  if (worker.dynamic_bytes < bytes) {
    worker.dynamic_shared = std::make_unique<char[]>(bytes + alignment);
    worker.dynamic_bytes = bytes;
  }
  const auto address = reinterpret_cast<uintptr_t>(worker.dynamic_shared.get());
  return reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment);
}

// Runs `work` n times at once, as far as there are threads.
template <class Work>
void on_threads(int n, const Work& work) {
#ifdef __SANITIZE_THREAD__
  // The sanitizer does not see how oneTBB hands work over, so it would report our own accesses.
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < n; i++) others.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads, as while another thread calls exec()
  }
  work();
  for (std::thread& other : others) other.join();
#else
  oneapi::tbb::task_group_context context(oneapi::tbb::task_group_context::isolated);
  context.capture_fp_settings();  // as in host/elementwise/parallel.h
  oneapi::tbb::parallel_for(
      0, n, [&](int) { work(); }, oneapi::tbb::simple_partitioner(), context);
#endif
}

// The function that runs blocks, and what holds it.
struct Code {
  void (*range)(const arr_host::Range*);
  const Object* object;
};

// One launch, shared by the OS threads that run its blocks.
class Launch {
 public:
  Launch(const Kernel& kernel, const Code& code, Dim grid, Dim block, uint64_t shared_bytes,
         void* const* args, const CheckedLaunch* checked)
      : kernel_(kernel),
        checked_(checked),
        code_(code),
        grid_(grid),
        block_(block),
        shared_bytes_(shared_bytes),
        args_(args),
        blocks_(uint64_t{grid.x} * grid.y * grid.z) {}

  // All blocks alive at once, so that they may wait for each other: each on a separate OS thread, which
  // shared memory belongs to.
  void run_cooperative() {
    Grid grid(blocks_);
    meeting_ = &grid;
    if (blocks_ == 1) {
      run_here(0, 1);
      return rethrow();
    }
    std::vector<std::unique_ptr<Worker>> workers;
    for (uint64_t b = 0; b < blocks_; b++) {
      workers.push_back(std::make_unique<Worker>());
      dynamic_shared(*workers.back(), shared_bytes_ + behind());
    }
    std::vector<std::thread> threads;
    threads.reserve(blocks_);
    const auto end = [&](bool run) {
      grid.start(run);
      for (std::thread& thread : threads) thread.join();
    };
    try {
      for (uint64_t b = 0; b < blocks_; b++)
        threads.emplace_back([this, &grid, b, &worker = *workers[b]] { run_one(grid, worker, b); });
    } catch (const std::system_error& error) {
      end(false);
      fail(ARR_E_MEMORY, "kernel '", kernel_.name, "': a thread for each of ", blocks_,
           " blocks of a cooperative launch: ", error.what());
    } catch (...) {
      end(false);
      throw;
    }
    end(true);
    rethrow();
  }

  void run() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    if (!run_here(0, 1)) return rethrow();
    // Worth it only when the rest takes longer than to wake other threads and to move the memory to their
    // caches.
    const double each = std::chrono::duration<double>(Clock::now() - start).count();
    constexpr double worth_sharing = 50e-6;
    const int usable = usable_threads();  // one in a child of fork(), where oneTBB must not be asked
    const int threads = usable > 1 ? std::min(usable, oneapi::tbb::this_task_arena::max_concurrency()) : 1;
    next_ = 1;
    if (blocks_ == 1) return;
    if (threads <= 1 || blocks_ == 2 || each * static_cast<double>(blocks_ - 1) < worth_sharing)
      run_here(1, blocks_);
    else
      share(threads);
    rethrow();
  }

 private:
  // Blocks go out in increasing order, so that a block may wait for results of lower ones.
  void share(int threads) {
    const uint64_t chunk = std::max<uint64_t>(1, blocks_ / (static_cast<uint64_t>(threads) * 8));
    on_threads(threads, [this, chunk] {
      while (!failed_.load(std::memory_order_relaxed)) {
        const uint64_t first = next_.fetch_add(chunk, std::memory_order_relaxed);
        if (first >= blocks_) break;
        run_here(first, std::min(blocks_, first + chunk));
      }
    });
  }

  void run_one(Grid& grid, Worker& worker, uint64_t block) noexcept {
    if (!grid.begin()) return;
    bool good = false;
    try {
      good = run_blocks(worker, block, block + 1);
    } catch (const std::exception&) {
      short_of_memory_.store(true, std::memory_order_relaxed);
    }
    if (!good) return grid.stop();
    grid.end({static_cast<unsigned>(block % grid_.x), static_cast<unsigned>(block / grid_.x % grid_.y),
              static_cast<unsigned>(block / grid_.x / grid_.y)});
  }

  bool run_here(uint64_t first, uint64_t last) { return run_blocks(this_thread_worker(), first, last); }

  // Bytes after dynamic shared memory.
  [[nodiscard]] uint64_t behind() const { return checked_ != nullptr ? Checks::red_zone : 0; }

  bool run_blocks(Worker& worker, uint64_t first, uint64_t last) {
    worker.kernel_name = kernel_.name.c_str();
    worker.block = block_;
    worker.grid = meeting_;
    const arr_host::Range range{grid_, block_, first, last, dynamic_shared(worker, shared_bytes_ + behind()),
                                args_, &worker};
    begin_checks(worker, range.dynamic_shared);
    worker.object = code_.object;
    worker.dynamic = range.dynamic_shared;
    worker.shared_bytes = shared_bytes_;
    make_thread_variables(code_.object->thread_module());
    worker.deadline = deadline_;
    if (run_range(code_.range, range, kernel_.on_fibers)) return true;
    if (worker.stopped_at != nullptr)
      worker.failure = time_limit_text(worker.kernel_name, *code_.object, worker.stopped_at);
    if (worker.checks != nullptr && worker.checks->found())
      worker.failure = worker.checks->describe(worker.kernel_name, worker.block_index, block_);
    worker.failure = with_source_lines(std::move(worker.failure), kernel_.image->recipe.source.text);
    if (worker.short_of_memory) short_of_memory_.store(true, std::memory_order_relaxed);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!worker.failure.empty() && first < failed_first_) {
      failure_ = worker.failure;
      failed_first_ = first;
    }
    failed_.store(true, std::memory_order_relaxed);
    return false;
  }

  void begin_checks(Worker& worker, const void* dynamic) const {
    worker.checks = nullptr;
    if (checked_ == nullptr) return;
    if (worker.checker == nullptr) worker.checker = std::make_unique<Checks>();
    worker.checks = worker.checker.get();
    worker.checks->begin_range(*checked_, dynamic);
  }

  void rethrow() {
    if (short_of_memory_.load(std::memory_order_relaxed)) throw std::bad_alloc();
    if (failed_.load(std::memory_order_relaxed)) throw Error(ARR_E_DEVICE, failure_);
  }

  const Kernel& kernel_;
  const CheckedLaunch* checked_;  // null: accesses are not checked
  Code code_;
  Dim grid_, block_;
  uint64_t shared_bytes_;
  void* const* args_;
  uint64_t blocks_;
  const std::chrono::steady_clock::time_point deadline_ = launch_deadline();
  Grid* meeting_ = nullptr;  // of a cooperative launch
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> failed_{false}, short_of_memory_{false};
  std::mutex mutex_;
  std::string failure_;  // of the lowest blocks that have one
  uint64_t failed_first_ = UINT64_MAX;
};

}  // namespace

void launch(const Kernel& kernel, const uint32_t grid[3], const uint32_t block[3], uint64_t shared_bytes,
            void* const* args, int nargs, const Extent* extents, bool cooperative) {
  check_launch(kernel, grid, block, shared_bytes, args, nargs);
  const auto* entry = static_cast<const arr_host::Entry*>(kernel.entry);
  Code code{kernel.on_fibers ? entry->fiber : entry->loop, kernel.object};
  Image::KernelEntry wide;
  constexpr uint64_t narrow = 0x7fffffffu - 1024u;  // what the loop was compiled for
  const bool is_wide = uint64_t{grid[0]} * block[0] > narrow || uint64_t{grid[1]} * block[1] > narrow;
  if (is_wide && !kernel.on_fibers && !kernel.image->stateful()) {
    wide = wide_kernel(kernel);
    code = {wide.entry().loop, wide.object.get()};
  }
  CheckedLaunch checked;
  if (kernel.checked != nullptr) checked = checked_launch(kernel, shared_bytes, args, extents);
  Launch all(kernel, code, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared_bytes, args,
             kernel.checked != nullptr ? &checked : nullptr);
  cooperative ? all.run_cooperative() : all.run();
}

}  // namespace arr::host_kernels
