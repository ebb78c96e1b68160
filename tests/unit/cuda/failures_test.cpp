// SPDX-License-Identifier: MIT
// Every driver function fails at every call of a piece of work, with errors of each kind: the status is
// right, nothing leaks, and the device works on or is lost. Each case is a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "backend_low.h"
#include "cuda/errors.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

#define ARR_STEP(call)                               \
  do {                                               \
    BackendError error;                              \
    if (int32_t status = (call); status != ARR_OK) { \
      text = error.text;                             \
      return status;                                 \
    }                                                \
  } while (0)

// A bit of everything; stops at the first failure, whose status it gives. What was made is given back.
class Work {
 public:
  int32_t run() {
    int32_t r = steps();
    give_back();
    return r;
  }
  int32_t steps() {
    if (int32_t r = prepare()) return r;
    if (int32_t r = compute()) return r;
    if (int32_t r = order()) return r;
    if (int32_t r = raw()) return r;
    if (int32_t r = host_memory()) return r;
    if (int32_t r = other_memory()) return r;
    if (int32_t r = shared_memory()) return r;
    MemoryStats stats;
    ARR_STEP(cuda().memory_stats(0, &stats, &error));
    ARR_STEP(cuda().device_sync(0, &error));
    ARR_STEP(cuda().memory_trim(0, &error));
    return ARR_OK;
  }
  void give_back() {
    BackendError e;
    cuda().low->allocator_set(0, AllocatorKind::pool, nullptr, &e);
    if (kernel_module != nullptr) cuda().module_destroy(0, kernel_module, &e);
    for (void* event : {event_a, event_b, event_c, event_d}) {
      if (event != nullptr) cuda().event_destroy(0, event, &e);
    }
    for (auto& [p, bytes] : blocks) cuda().release(0, p, bytes, nullptr, &e);
    if (locked != nullptr) cuda().low->host_release(0, locked, &e);
    if (registered) cuda().low->host_unregister(0, page, &e);
    if (stream != nullptr) cuda().stream_destroy(0, stream, &e);
  }
  std::string text;

 private:
  int32_t take(int64_t bytes, void* on, void** p) {
    ARR_STEP(cuda().allocate(0, bytes, on, p, &error));
    blocks.emplace_back(*p, bytes);
    return ARR_OK;
  }
  int32_t prepare() {
    if (int32_t r = take(400000, nullptr, &a)) return r;
    if (int32_t r = take(400000, nullptr, &b)) return r;
    ARR_STEP(cuda().stream_create(0, 0, &stream, &error));
    ARR_STEP(cuda().event_create(0, 0, &event_a, &error));
    ARR_STEP(cuda().event_create(0, 1, &event_b, &error));
    ARR_STEP(cuda().event_create(0, 4, &event_c, &error));
    std::vector<float> host(100000, 1.0F);
    ARR_STEP(cuda().copy_from_host(0, a, host.data(), 400000, nullptr, &error));
    return ARR_OK;
  }
  int32_t order() {
    ARR_STEP(cuda().event_record(0, event_a, stream, &error));
    ARR_STEP(cuda().stream_wait_event(0, nullptr, event_a, &error));
    ARR_STEP(cuda().stream_wait_stream(0, stream, nullptr, &error));
    ARR_STEP(cuda().event_sync(0, event_a, &error));
    int32_t done = 0;
    ARR_STEP(cuda().event_query(0, event_a, &done, &error));
    ARR_STEP(cuda().stream_query(0, stream, &done, &error));
    std::vector<float> host(100000);
    ARR_STEP(cuda().copy_on_device(0, b, a, 400000, stream, &error));
    ARR_STEP(cuda().copy_to_host(0, host.data(), b, 400000, stream, &error));
    return ARR_OK;
  }
  int32_t compute() {
    const int64_t n = 100000, stride = 4;
    const Operand operands[] = {{a, &stride, {}}, {b, &stride, {}}};
    const DType types[] = {DType::float32_};
    ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 1, &n, operands};
    ARR_STEP(cuda().elementwise(0, &call, stream, &error));
    ReduceCall sum;
    sum.reduction = reduction_info(1);
    sum.map = &single_cast(DType::float32_, DType::float32_);
    sum.acc = sum.out = DType::float32_;
    sum.ndim = 1;
    sum.shape = &n;
    sum.operands = operands;
    sum.output = {b, nullptr, {}};
    ARR_STEP(cuda().reduce(0, &sum, stream, &error));
    const double half = 0.5;
    QuantileCall median;
    median.dtype = DType::float32_;
    median.rows = median.nq = 1;
    median.n = 20000;  // shared by several blocks
    median.data = a;
    median.q = &half;
    median.out = b;
    ARR_STEP(cuda().quantiles(0, &median, stream, &error));
    MatmulCall mm;
    mm.dtype = DType::float32_;
    mm.m = mm.n = mm.k = 16;
    mm.a = mm.b = {a, 64, 4, nullptr};
    mm.c = {b, 64, 4, nullptr};
    ARR_STEP(cuda().matmul(0, &mm, stream, &error));
    return ARR_OK;
  }
  int32_t raw() {
    std::string log;
    const char* source = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }";
    ARR_STEP(create_module(source, {}, &kernel_module, &log, &error));
    void* kernel = nullptr;
    ARR_STEP(cuda().module_kernel(0, kernel_module, "k", &kernel, &error));
    const LaunchConfig config{.block = {32, 1, 1}, .shared_bytes = 100000};
    void* args[] = {&a};
    ARR_STEP(cuda().kernel_launch(0, kernel, &config, 1, args, stream, &error));
    return ARR_OK;
  }
  int32_t host_memory() {
    const LowLevel& low = *cuda().low;
    ARR_STEP(low.host_allocate(0, 4096, pinned::mapped, &locked, &error));
    int32_t yes = 0;
    ARR_STEP(low.host_pinned(0, locked, &yes, &error));
    void* there = nullptr;
    ARR_STEP(low.host_on_device(0, locked, &there, &error));
    ARR_STEP(low.host_release(0, locked, &error));
    locked = nullptr;
    ARR_STEP(low.host_register(0, page, sizeof page, 0, &error));
    registered = true;
    ARR_STEP(low.host_unregister(0, page, &error));
    registered = false;
    return ARR_OK;
  }
  int32_t other_memory() {
    for (AllocatorKind kind : {AllocatorKind::stream_ordered, AllocatorKind::managed, AllocatorKind::direct,
                               AllocatorKind::pool}) {
      ARR_STEP(cuda().low->allocator_set(0, kind, nullptr, &error));
      void* p = nullptr;
      if (int32_t r = take(70000, stream, &p)) return r;
      if (kind != AllocatorKind::managed) continue;
      int32_t yes = 0;
      ARR_STEP(cuda().low->memory_managed(0, p, &yes, &error));
      ARR_STEP(cuda().low->memory_prefetch(0, p, 70000, -1, stream, &error));
      ARR_STEP(cuda().low->memory_advise(0, p, 70000, 3, 0, &error));
    }
    return ARR_OK;
  }
  int32_t shared_memory() {
    IpcHandle handle;
    int64_t offset = 0, bytes = 0;
    void* there = nullptr;
    ARR_STEP(cuda().low->ipc_export(0, a, &handle, &offset, &error));
    ARR_STEP(cuda().low->ipc_import(0, &handle, &there, &bytes, &error));
    ARR_STEP(cuda().low->ipc_close(0, there, &error));
    ARR_STEP(cuda().low->ipc_export_event(0, event_c, &handle, &error));
    ARR_STEP(cuda().low->ipc_import_event(0, &handle, &event_d, &error));
    return ARR_OK;
  }
  char page[64] = {};
  void* locked = nullptr;
  bool registered = false;
  std::vector<std::pair<void*, int64_t>> blocks;
  void *a = nullptr, *b = nullptr, *stream = nullptr, *event_a = nullptr, *event_b = nullptr,
       *event_c = nullptr, *event_d = nullptr, *kernel_module = nullptr;
};

struct Failure {
  const char* function;
  int64_t call;
  int32_t code;
};

// Runs in a child; gives a text on the first thing that is wrong.
std::string check(const Failure& f) {
  arr_fake_cuda_fail(f.function, f.call, f.code, 0);
  Work first;
  int32_t r = first.run();
  bool lost = cuda::poisons(f.code);
  if (arr_fake_cuda_calls(f.function) < f.call) return "the scripted call never came";
  // The first failure of what gives memory is repaired by trimming.
  bool repaired =
      f.code == cuda::CUDA_ERROR_OUT_OF_MEMORY && std::string(f.function).starts_with("cuMemAlloc");
  // A release reports to nobody; a probe of parameters does without.
  bool silent =
      std::string(f.function).find("Destroy") != std::string::npos ||
      std::string(f.function).starts_with("cuMemFree") || std::string(f.function) == "cuIpcCloseMemHandle" ||
      std::string(f.function) == "cuFuncGetParamInfo" || std::string(f.function) == "cuCtxPopCurrent_v2";
  if (r == ARR_OK && !repaired && !silent) return "no failure was reported";
  if (r != ARR_OK && r != cuda::status_of(f.code) && !(lost && r == ARR_E_LOST)) {
    return text("status ", r, ": ", first.text);
  }
  if (r != ARR_OK && !lost && first.text.find(text("(", f.code, ")")) == std::string::npos &&
      f.code != cuda::CUDA_ERROR_OUT_OF_MEMORY) {
    return "the text does not name the error: " + first.text;
  }
  Work second;
  r = second.run();
  if (!lost) {
    if (r != ARR_OK) return text("the device does not work on: ", second.text);
    BackendError e;
    cuda().device_sync(0, &e);
    cuda().memory_trim(0, &e);
    MemoryStats s;
    if (cuda().memory_stats(0, &s, &e) != ARR_OK || s.in_use != 0 || s.cached != 0) return "memory is held";
    // One stream lives as long as the device. One that the driver refused to destroy is still there.
    bool refused = std::string(f.function) == "cuStreamDestroy_v2";
    if (!refused && arr_fake_cuda_live("streams") > 1) return "a stream leaked";
    return {};
  }
  // A failure while the device was opened leaves no device that could be lost: the driver says it again.
  if (r != ARR_E_LOST && r != cuda::status_of(f.code)) return text("not lost: ", r, " ", second.text);
  return {};
}

std::string in_child(const Failure& f) {
  int out[2];
  if (pipe(out) != 0) return "no pipe";
  pid_t child = fork();
  if (child == 0) {
    std::string why = check(f);
    auto written = write(out[1], why.data(), why.size());
    _exit(written == static_cast<ssize_t>(why.size()) ? 0 : 1);
  }
  close(out[1]);
  std::string why;
  char buffer[4096];
  for (ssize_t n; (n = read(out[0], buffer, sizeof buffer)) > 0;) why.append(buffer, static_cast<size_t>(n));
  close(out[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? why : text("the child died: ", status, " ", why);
}

// A child starts anew: under the thread sanitizer that takes a second, and the hundreds of them too long.
#ifdef __SANITIZE_THREAD__
constexpr bool thinned = true;
#else
constexpr bool thinned = false;
#endif

TEST(CudaFailures, EveryDriverCallMayFail) {
  // How often each function is called, learnt in a child so that this process opens no device.
  int counts[2];
  ASSERT_EQ(pipe(counts), 0);
  const char* functions[] = {
#define ARR_CUDA_FN(symbol, need, params) #symbol,
#include "cuda/driver_api.def"
#undef ARR_CUDA_FN
  };
  if (fork() == 0) {
    Work w;
    int32_t r = w.steps();
    std::map<std::string, int64_t> before;
    for (const char* f : functions) before[f] = arr_fake_cuda_calls(f);
    w.give_back();
    for (const char* f : functions) {
      // Calls of releases, which tell nobody, count only for the functions that nothing else calls.
      int64_t n = r != ARR_OK ? -1 : before[f] != 0 ? before[f] : arr_fake_cuda_calls(f);
      if (write(counts[1], &n, sizeof n) != sizeof n) _exit(1);
    }
    _exit(0);
  }
  int failed = 0, cases = 0;
  for (const char* f : functions) {
    int64_t calls = 0;
    ASSERT_EQ(read(counts[0], &calls, sizeof calls), static_cast<ssize_t>(sizeof calls));
    ASSERT_GE(calls, 0) << "the work fails without any scripted failure";
    std::string name = f;
    // cuInit: loading_test.cpp.
    if (name.starts_with("cuGetError") || name == "cuDriverGetVersion" || name == "cuInit") continue;
    for (int32_t code : {cuda::CUDA_ERROR_INVALID_VALUE, cuda::CUDA_ERROR_OUT_OF_MEMORY,
                         cuda::CUDA_ERROR_ILLEGAL_ADDRESS, cuda::CUDA_ERROR_UNKNOWN}) {
      for (int64_t call : {int64_t{1}, calls / 2 + 1, calls}) {
        if (call > calls || calls == 0) continue;
        if (thinned && (call != calls || !cuda::poisons(code))) continue;
        // That is how this one says that there are no more parameters.
        if (name == "cuFuncGetParamInfo" && code == cuda::CUDA_ERROR_INVALID_VALUE) continue;
        // That is how an old driver says that the device has no such thing.
        if (name == "cuDeviceGetAttribute" && code == cuda::CUDA_ERROR_INVALID_VALUE && call != 1) continue;
        // That is how these say that memory or an event is not shared, or known.
        if (name.starts_with("cuIpc") && code == cuda::CUDA_ERROR_INVALID_VALUE) continue;
        // That is how these say that memory is not the driver's, or not mapped.
        if ((name == "cuPointerGetAttribute" || name == "cuMemHostGetDevicePointer_v2") &&
            code == cuda::CUDA_ERROR_INVALID_VALUE) {
          continue;
        }
        std::string why = in_child({f, call, code});
        EXPECT_EQ(why, "") << f << " fails with " << code << " at call " << call << " of " << calls;
        failed += why.empty() ? 0 : 1;
        ++cases;
        ASSERT_LT(failed, 12);
      }
    }
  }
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  EXPECT_GT(cases, thinned ? 30 : 150);
}

TEST_F(CudaTest, ALostDeviceSaysSoAtOnceAndReleasesWork) {
  void* p = nullptr;
  ARR_WORKS(cuda().allocate(0, 100, nullptr, &p, &error));
  const int64_t n = 25, stride = 4;
  const Operand operands[] = {{p, &stride, {}}, {p, &stride, {}}};
  const DType types[] = {DType::float32_};
  ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 1, &n, operands};
  ARR_WORKS(cuda().elementwise(0, &call, nullptr, &error));
  arr_fake_cuda_fail("cuStreamSynchronize", 1, cuda::CUDA_ERROR_ILLEGAL_ADDRESS, 0);
  BackendError e;
  EXPECT_EQ(cuda().stream_sync(0, nullptr, &e), ARR_E_DEVICE);
  EXPECT_NE(e.text.find("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), std::string::npos) << e.text;
  EXPECT_NE(e.text.find("enqueued last on the stream: negative(in0); the device is lost"), std::string::npos)
      << e.text;
  int64_t calls = arr_fake_cuda_calls("cuCtxGetCurrent");
  EXPECT_EQ(cuda().stream_sync(0, nullptr, &e), ARR_E_LOST);
  EXPECT_EQ(e.text,
            "CUDA device 0 is lost: cuStreamSynchronize gave CUDA_ERROR_ILLEGAL_ADDRESS (700): an "
            "illegal memory access was encountered");
  EXPECT_EQ(arr_fake_cuda_calls("cuCtxGetCurrent"), calls);
  EXPECT_EQ(cuda().release(0, p, 100, nullptr, &e), ARR_OK);
  std::string name;
  EXPECT_EQ(cuda().device_name(0, &name, &e), ARR_E_LOST);
}

}  // namespace
}  // namespace arr::cuda_test
