// SPDX-License-Identifier: MIT
// A GPU: its primary context, limits, streams and state. Devices are opened on first use and live as long
// as the process.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "cuda/device/error_flags.h"
#include "cuda/device/libraries.h"
#include "cuda/device/pool.h"
#include "cuda/driver/errors.h"

namespace arr::cuda {

class Device;
struct Stream;
class StreamMemory;

// The resources of work that is captured into a graph, from the begin of the capture to the end of the graph.
struct Capture {
  struct Block {
    CUdeviceptr at;
    int64_t bytes;
  };
  // A stream of the capture; the first is the one in which it began. The branches of a graph run
  // concurrently, so the captured work of each stream has its own cuBLAS handle and counters. During the
  // capture the stream holds these, and its usual ones are here.
  struct Member {
    Stream* stream = nullptr;  // until the capture ends
    cublasHandle_t blas = nullptr;
    CUdeviceptr tickets = 0;
  };
  std::mutex mutex;  // guards the following members during the capture
  std::vector<Member> members;
  std::vector<Block> scratch;  // released during the capture, but in use as long as the graph may run
  size_t allocated = 0;        // blocks allocated during the capture; scratch has capacity for them
  std::vector<std::unique_ptr<char[]>> host;      // host memory that copies read
  std::vector<std::shared_ptr<const void>> kept;  // plans that the work uses
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
};

// The handle of cuSOLVER and the options that its functions take; both or none.
struct Solver {
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
};

// A stream: the driver's handle, the pool's free blocks of it, and what was enqueued last.
struct Stream {
  Device* device = nullptr;
  CUstream handle = nullptr;
  bool owned = true;
  StreamBins bins;
  std::atomic<const char*> last_work{nullptr};  // static text or a kernel's name, for errors
  // Created on first use; guarded by `mutex`.
  std::mutex mutex;
  cublasHandle_t blas = nullptr;
  Solver solver;
  cusparseHandle_t sparse = nullptr;
  CUdeviceptr tickets = 0;             // zeroed counters of reductions that split rows, ticket_bytes
  Capture* capture = nullptr;          // while the stream's work is captured
  CUevent before = nullptr;            // during a capture: recorded after the stream's earlier work
  std::atomic<bool> capturing{false};  // capture != nullptr, readable without the lock
  StreamMemory* memory = nullptr;      // a list (stream_memory.h)
};
// Calls f(capture) if the stream's work is captured; returns whether it is.
template <class F>
bool with_capture(Stream& s, F&& f) {
  if (!s.capturing.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(s.mutex);
  if (s.capture == nullptr) return false;
  const std::lock_guard shared(s.capture->mutex);
  f(*s.capture);
  return true;
}
// Later work of the waiter runs after the work that is in `first` now. Captured work runs when its graph is
// launched, so a waiter outside of the capture waits for the work before the capture.
void wait_stream(Device& d, Stream& waiter, Stream& first);
// Refuses calls that need the stream's results while its work is captured and does not run.
inline void refuse_capture(const Stream& s) {
  if (s.capturing.load(std::memory_order_acquire)) {
    fail(ARR_E_ARGUMENT,
         "argument stream: its work is being captured into a graph, and nothing of it has run");
  }
}
inline constexpr int64_t ticket_bytes = 4096;

// The driver's objects of a texture; one of them is set.
struct TextureObjects {
  CUarray array = nullptr;
  CUtexObject texture = 0;
  CUsurfObject surface = 0;
};

struct Limits {
  int threads_per_block = 0, shared_bytes = 0, shared_bytes_optin = 0, multiprocessors = 0, arch = 0;
  int64_t grid[3] = {}, block[3] = {};
};

class Device {
 public:
  const int32_t index;
  CUcontext context = nullptr;
  std::string name;
  Limits limits;
  Pool pool;
  ErrorFlags error_flags;
  std::atomic<int32_t> captures{0};  // streams whose work is captured now

  // Returns the device of an index, opened and not lost; throws ARR_E_LOST, ARR_E_ARGUMENT,
  // ARR_E_UNAVAILABLE.
  static Device& get(int32_t index);
  // The same for releases: also returns a lost device, and nullptr if this process never opened it.
  static Device* find(int32_t index) noexcept;

  Stream& stream(void* given) { return given == nullptr ? *default_ : *static_cast<Stream*>(given); }
  Stream* add_stream(CUstream handle, bool owned);
  void remove_stream(Stream* s) noexcept;

  // Throws for any result but success, with the driver's name for the error. An error that has poisoned the
  // context marks the device lost. `after` is the stream whose work may have failed.
  void check(CUresult r, const char* function, const Stream* after = nullptr) {
    if (r != CUDA_SUCCESS) raise(r, function, after);
  }
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // For releases, which cannot report failures: only marks a lost device.
  void note(CUresult r, const char* function) noexcept;

  // Modules of kernels that may still run. The next call that waits for the device anyway unloads them.
  void defer_release(CUmodule m) noexcept;
  void collect_deferred_modules();
  // Texels and textures that work in `s` may still use. The next call that creates some or waits for the
  // device destroys those whose work has run. wait: waits for the work of all, and destroys all.
  void defer_release(const TextureObjects& objects, Stream& s) noexcept;
  void collect_deferred_textures(bool wait = false);

  // Events without timing, for ordering between streams.
  CUevent take_event();
  void give_event(CUevent e) noexcept;

 private:
  explicit Device(int32_t i) : index(i), pool(*this) {}
  static Device* open(int32_t index);
  [[noreturn]] void raise(CUresult r, const char* function, const Stream* after);
  void mark_lost(CUresult r, const char* function) noexcept;

  std::unique_ptr<Stream> default_;
  std::atomic<bool> lost_{false};
  std::string lost_reason_;  // written once, before lost_
  std::mutex mutex_;
  std::vector<CUevent> events_;
  std::vector<CUmodule> deferred_modules_;
  struct DeferredRelease {
    TextureObjects objects;
    CUevent event = nullptr;  // recorded after the work; nullptr: its end is unknown
  };
  void destroy(const TextureObjects& objects) noexcept;
  std::vector<DeferredRelease> deferred_textures_;
};

// Makes a device's primary context current during a call; a context that is current already is not pushed. On
// a thread without a context, device 0's stays current.
class Current {
 public:
  explicit Current(Device& d);
  // For releases: if this fails, the calls that follow fail and are noted.
  Current(Device& d, const std::nothrow_t&) noexcept;
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
};

// A device and one of its streams, made current: every call begins with this.
struct Call {
  Device& device;
  Stream& stream;
  Current current;
  Call(int32_t index, void* given)
      : device(Device::get(index)), stream(device.stream(given)), current(device) {}
  // For calls that must end something in any case.
  Call(int32_t index, void* given, const std::nothrow_t&)
      : device(Device::get(index)), stream(device.stream(given)), current(device, std::nothrow) {}
};

// "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected", in the driver's words.
std::string error_text(CUresult r);

}  // namespace arr::cuda
