// SPDX-License-Identifier: MIT
// Parts that the files of the fake share: scripted failures, counts, settings, memory, streams.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda/driver/api_types.h"
#include "fake_cuda.h"
#include "hostcuda/host_kernels.h"
#include "sharing.h"

namespace arr::fake {

using namespace arr::cuda;

// One lock for everything: the fake is for order and results, not for speed.
std::recursive_mutex& everything();
// Held by every function: the lock, and that this thread is inside of the fake.
class Inside {
 public:
  Inside() : lock_(everything()) { ++depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --depth; }
  static thread_local int32_t depth;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

enum class Fn {
#define ARR_CUDA_FN(symbol, need, params) symbol,
#define ARR_NVRTC_FN(symbol, need, result, params) symbol,
#define ARR_CUBLAS_FN(symbol, need, result, params) symbol,
#define ARR_CUBLASLT_FN(symbol, need, result, params) symbol,
#define ARR_CUSOLVER_FN(symbol, need, result, params) symbol,
#define ARR_CUSPARSE_FN(symbol, need, result, params) symbol,
#define ARR_CUDSS_FN(symbol, need, result, params) symbol,
#define ARR_NCCL_FN(symbol, need, result, params) symbol,
#define ARR_NVJITLINK_FN(symbol, need, result, params) symbol,
#define ARR_CUFFT_FN(symbol, need, result, params) symbol,
#include "cuda/driver/cublas_api.def"
#include "cuda/driver/cublaslt_api.def"
#include "cuda/driver/cudss_api.def"
#include "cuda/driver/cufft_api.def"
#include "cuda/driver/cusolver_api.def"
#include "cuda/driver/cusparse_api.def"
#include "cuda/driver/driver_api.def"
#include "cuda/driver/nccl_api.def"
#include "cuda/driver/nvjitlink_api.def"
#include "cuda/driver/nvrtc_api.def"
#undef ARR_CUDA_FN
#undef ARR_NVRTC_FN
#undef ARR_CUBLAS_FN
#undef ARR_CUBLASLT_FN
#undef ARR_CUSOLVER_FN
#undef ARR_CUSPARSE_FN
#undef ARR_CUDSS_FN
#undef ARR_CUFFT_FN
#undef ARR_NCCL_FN
#undef ARR_NVJITLINK_FN
  count
};

// Counts the call; what a test has scripted for it, or what a poisoned context gives, or 0.
int32_t enter(Fn f);
// As the hardware would: every later call of the driver gives this.
void poison(CUresult r);
int64_t setting(const char* name);

inline constexpr int multiprocessors = 2;  // of a device

struct Context {
  int device = 0;
  int retained = 0;
  std::map<uintptr_t, size_t> memory;                   // allocations by address
  std::set<uintptr_t> managed, pooled;                  // of them: of cuMemAllocManaged, of cuMemAllocAsync
  std::map<uintptr_t, std::unique_ptr<Shared>> shared;  // of them: given to other processes, or theirs
  size_t used = 0;
  std::map<uintptr_t, size_t> globals;  // variables of modules that were asked for
  std::set<CUcontext> peers;
  std::map<CUlimit, size_t> limits;  // that were set
};
Context* current();  // nullptr: none
void push(Context* c);
bool pop(Context** c);
Context* primary(int device);

// An operation of a graph, and those that it comes behind.
struct Node {
  std::function<CUresult()> run;
  std::vector<size_t> after;
};
struct Stream;
// Work that streams do for a graph.
struct Capture {
  std::vector<Stream*> members;  // the first began it; none: it has ended
  std::vector<Node> nodes;
  bool invalid = false;
};

// A queue of work. done and queued count operations since the stream began.
struct Queue {
  std::deque<std::function<CUresult()>> work;
  uint64_t done = 0, queued = 0;
  bool waits = false;  // the last that is done is still in its work
};
// The target of a CUstream. Events outlive streams, so they share the queue.
struct Stream {
  std::shared_ptr<Queue> queue = std::make_shared<Queue>();
  Context* context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<Capture> capture;  // that work goes to
  std::vector<size_t> after;         // then: the nodes that the next one comes behind
};
struct Event {
  std::shared_ptr<Queue> queue;      // nullptr: never recorded, or in a capture
  std::shared_ptr<Capture> capture;  // recorded last in its work, behind the nodes of `after`
  std::vector<size_t> after;
  uint64_t at = 0;
  bool timing = false;
  std::unique_ptr<Shared> mark;                                   // that other processes see
  std::shared_ptr<double> reached = std::make_shared<double>(0);  // seconds
};
// The target of a CUevent: an event that is opened again has two of them.
using EventHandle = std::shared_ptr<Event>;
inline EventHandle& handle_of(CUevent event) { return *reinterpret_cast<EventHandle*>(event); }
inline Event& event_of(CUevent event) { return *handle_of(event); }
// The stream of a handle in the current context (nullptr: the legacy one), or nullptr.
Stream* stream_of(CUstream s);
void enqueue(Stream& s, std::function<CUresult()> operation);
// Work of streams and events in a capture (graphs.cpp).
void add_node(Stream& s, std::function<CUresult()> operation);
CUresult wait_captured(Stream& s, const Event& e);
void leave_capture(Stream& s);
void run(Queue& q, uint64_t until);
void run_all();

// Returns whether bytes at an address are in one allocation of the device.
bool on_device(const Context& c, uintptr_t address, size_t bytes);
bool on_device(uintptr_t address, size_t bytes);  // the current one
Context* owner(uintptr_t address);                // of all contexts; nullptr: none
// The allocation of the current context that an address lies in; 0: none.
uintptr_t allocation(uintptr_t address, size_t* bytes);
// Returns whether any of them are in device memory.
bool touches_device(uintptr_t address, size_t bytes);

// The beginning of an image, with the number of the format: another format has another number.
inline constexpr char image_magic[] = "fake image 4";
inline constexpr int image_format = image_magic[sizeof image_magic - 2] - '0';

// Contents of an image: source texts with their options.
enum class Form { cubin, ptx, ltoir, fatbin };
struct Unit {
  std::string name, source;
  bool ptx = false;  // the source is PTX of the toolkit; see real_nvrtc.h
};
struct Program {
  std::vector<Unit> units;
  std::vector<std::string> options, names;
  Form form = Form::cubin;
};
std::string pack(const Program& p, Form form);
bool unpack(const char* image, Program* p);
// Compiles it by the host kernel back end; throws what that throws.
std::shared_ptr<host_kernels::Image> build(const Program& p);
// The name that a name expression has in a module.
std::string lowered(const std::string& expression);

struct Live {
  int64_t streams = 0, events = 0, modules = 0, handles = 0, captures = 0, graphs = 0, pinned = 0,
          registered = 0, opened = 0, arrays = 0, textures = 0, descriptions = 0;
};
Live& live();

}  // namespace arr::fake

// First line of each function: takes the lock, counts, and returns what is scripted.
#define ARR_FAKE_ENTER(function)           \
  const arr::fake::Inside arr_fake_inside; \
  if (int32_t scripted = arr::fake::enter(arr::fake::Fn::function); scripted) return scripted
#define ARR_FAKE_CONTEXT \
  if (arr::fake::current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT
