// SPDX-License-Identifier: MIT
// A GPU: its primary context, limits, streams and state. Devices are opened on first use and live as long
// as the process.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "cuda/device/libraries.h"
#include "cuda/device/pool.h"
#include "cuda/driver/errors.h"

namespace arr::cuda {

class Device;
struct Stream;

// What belongs to work that is captured into a graph, from its begin to the end of the graph.
struct Capture {
  struct Block {
    CUdeviceptr at;
    int64_t bytes;
  };
  // A stream of the capture, where it began first. The branches of a graph run side by side, so that each
  // stream's work has a handle of cuBLAS and counters of its own. While work is captured the stream has them,
  // and its own are here.
  struct Member {
    Stream* stream = nullptr;  // until the capture ends
    cublasHandle_t blas = nullptr;
    CUdeviceptr tickets = 0;
  };
  std::mutex mutex;  // of what follows, while work is captured
  std::vector<Member> members;
  std::vector<Block> scratch;  // given back by what was captured: in use as long as it may run
  size_t allocated = 0;        // blocks taken while work is captured; scratch has room for them
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
  // Kept for the stream, made on first use; all guarded by `mutex`.
  std::mutex mutex;
  cublasHandle_t blas = nullptr;
  Solver solver;
  CUdeviceptr tickets = 0;             // zeroed counters of reductions that split rows, ticket_bytes
  Capture* capture = nullptr;          // while the stream's work is captured
  CUevent before = nullptr;            // then: behind what it did before
  std::atomic<bool> capturing{false};  // whether there is one; to ask without the lock
};
// Calls f(capture) where the stream's work is captured; false where it is not.
template <class F>
bool with_capture(Stream& s, F&& f) {
  if (!s.capturing.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(s.mutex);
  if (s.capture == nullptr) return false;
  const std::lock_guard shared(s.capture->mutex);
  f(*s.capture);
  return true;
}
// The waiter's later work comes behind what is in `first` now. What is captured runs when its graph is
// launched: who is not of the same capture waits for what came before it.
void wait_stream(Device& d, Stream& waiter, Stream& first);
// For what has no meaning while nothing runs.
inline void refuse_capture(const Stream& s) {
  if (s.capturing.load(std::memory_order_acquire)) {
    fail(ARR_E_ARGUMENT,
         "argument stream: its work is being captured into a graph, and nothing of it has run");
  }
}
inline constexpr int64_t ticket_bytes = 4096;

// What the driver made for textures; one is not 0.
struct TextureThing {
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
  std::atomic<int32_t> captures{0};  // streams whose work is captured now

  // The device of an index, opened and not lost; ARR_E_LOST, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE.
  static Device& get(int32_t index);
  // As get, for releases: also when lost, nullptr when it was never opened by this process.
  static Device* find(int32_t index) noexcept;

  Stream& stream(void* given) { return given == nullptr ? *default_ : *static_cast<Stream*>(given); }
  Stream* add_stream(CUstream handle, bool owned);
  void remove_stream(Stream* s) noexcept;

  // ARR_OK results pass; others throw with the driver's name for the error. One that has poisoned the
  // context marks the device lost. `after`: the stream whose work may have been what failed.
  void check(CUresult r, const char* function, const Stream* after = nullptr) {
    if (r != CUDA_SUCCESS) raise(r, function, after);
  }
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  // For releases, whose failures nobody hears of: only notes a lost device.
  void note(CUresult r, const char* function) noexcept;

  // Modules of kernels that may still run: unloaded by the next call that waits for the device anyway.
  void bury(CUmodule m) noexcept;
  void unload_buried();
  // Texels and textures that work in `s` may still use: destroyed once it has run, by the next call that
  // makes some or waits for the device. destroy_buried: those whose work has run; or all, and waits for them.
  void bury(const TextureThing& thing, Stream& s) noexcept;
  void destroy_buried(bool wait = false);

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
  std::vector<CUmodule> buried_;
  struct Grave {
    TextureThing thing;
    CUevent event = nullptr;  // behind the work; nullptr: nobody knows when that ends
  };
  void destroy(const TextureThing& thing) noexcept;
  std::vector<Grave> graves_;
};

// Makes a device's primary context current for the time of a call; it is pushed only when it is not. On a
// thread that has none, device 0's stays.
class Current {
 public:
  explicit Current(Device& d);
  // For releases: where it does not work, what follows fails and is noted.
  Current(Device& d, const std::nothrow_t&) noexcept;
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
};

// A device and a stream of it, current: what every call begins with.
struct Call {
  Device& device;
  Stream& stream;
  Current current;
  Call(int32_t index, void* given)
      : device(Device::get(index)), stream(device.stream(given)), current(device) {}
  // For what ends something that must not go on.
  Call(int32_t index, void* given, const std::nothrow_t&)
      : device(Device::get(index)), stream(device.stream(given)), current(device, std::nothrow) {}
};

// "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected", in the driver's words.
std::string error_text(CUresult r);

}  // namespace arr::cuda
