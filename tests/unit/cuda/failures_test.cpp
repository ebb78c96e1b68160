// SPDX-License-Identifier: MIT
// Failures of the driver in work of every kind, and what a lost device says.
#include "cuda/driver/errors.h"
#include "failing.h"

namespace arr::cuda_test {
namespace {

// A bit of everything.
class Everything final : public Work {
 public:
  int32_t steps() override {
    if (int32_t r = prepare()) return r;
    if (int32_t r = compute()) return r;
    if (int32_t r = order()) return r;
    if (int32_t r = raw()) return r;
    if (int32_t r = forks()) return r;
    if (int32_t r = host_memory()) return r;
    if (int32_t r = other_memory()) return r;
    if (int32_t r = shared_memory()) return r;
    MemoryStats stats;
    ARR_STEP(cuda().memory->stats(0, &stats, &error));
    ARR_STEP(cuda().device->sync(0, &error));
    ARR_STEP(cuda().memory->trim(0, &error));
    return ARR_OK;
  }
  void give_back() override {
    BackendError e;
    cuda().pool->set_allocator(0, AllocatorKind::pool, nullptr, &e);
    if (capturing) cuda().graph->capture_end(0, stream, &graph, &e);
    if (graph != nullptr) cuda().graph->release(0, graph, stream, &e);
    if (branch != nullptr) cuda().stream->destroy(0, branch, &e);
    if (kernel_module != nullptr) cuda().kernels->module_destroy(0, kernel_module, &e);
    for (void* event : {event_a, event_b, event_c, event_d}) {
      if (event != nullptr) cuda().stream->event_destroy(0, event, &e);
    }
    give_back_memory();
    if (locked != nullptr) cuda().pinned->release(0, locked, &e);
    if (registered) cuda().pinned->unregister_memory(0, page, &e);
    if (stream != nullptr) cuda().stream->destroy(0, stream, &e);
  }

 private:
  int32_t prepare() {
    if (int32_t r = take(400000, nullptr, &a)) return r;
    if (int32_t r = take(400000, nullptr, &b)) return r;
    ARR_STEP(cuda().stream->create(0, 0, &stream, &error));
    ARR_STEP(cuda().stream->event_create(0, 0, &event_a, &error));
    ARR_STEP(cuda().stream->event_create(0, 1, &event_b, &error));
    ARR_STEP(cuda().stream->event_create(0, 4, &event_c, &error));
    std::vector<float> host(100000, 1.0F);
    ARR_STEP(cuda().memory->copy_from_host(0, a, host.data(), 400000, nullptr, &error));
    return ARR_OK;
  }
  int32_t order() {
    ARR_STEP(cuda().stream->event_record(0, event_a, stream, &error));
    ARR_STEP(cuda().stream->wait_event(0, nullptr, event_a, &error));
    ARR_STEP(cuda().stream->wait_stream(0, stream, nullptr, &error));
    ARR_STEP(cuda().stream->event_sync(0, event_a, &error));
    int32_t done = 0;
    ARR_STEP(cuda().stream->event_query(0, event_a, &done, &error));
    ARR_STEP(cuda().stream->query(0, stream, &done, &error));
    std::vector<float> host(100000);
    ARR_STEP(cuda().memory->copy_on_device(0, b, a, 400000, stream, &error));
    ARR_STEP(cuda().memory->copy_to_host(0, host.data(), b, 400000, stream, &error));
    return ARR_OK;
  }
  int32_t compute() { return compute(stream); }
  int32_t compute(void* on) {
    if (int32_t r = negate(a, b, 100000, on)) return r;
    if (int32_t r = sum(a, b, 100000, on)) return r;
    const double half = 0.5;
    QuantileCall median;
    median.dtype = DType::float32_;
    median.rows = median.nq = 1;
    median.n = 20000;  // shared by several blocks
    median.data = a;
    median.q = &half;
    median.out = b;
    ARR_STEP(cuda().statistics->quantiles(0, &median, on, &error));
    SortCall first;
    first.dtype = DType::float32_;
    first.rows = 1;
    first.n = 5000;
    first.keys = a;
    first.sorted = b;
    first.extent = SortExtent::first;
    first.count = 10;
    ARR_STEP(cuda().sorting->sort(0, &first, on, &error));
    return square(a, b, on);
  }
  // A capture of two streams.
  int32_t forks() {
    ARR_STEP(cuda().stream->create(0, 0, &branch, &error));
    ARR_STEP(cuda().graph->capture_begin(0, stream, &error));
    capturing = true;
    ARR_STEP(cuda().stream->event_record(0, event_a, stream, &error));
    ARR_STEP(cuda().graph->capture_join(0, branch, event_a, stream, &error));
    if (int32_t r = compute(branch)) return r;
    std::vector<float> host(1000, 2.0F);
    ARR_STEP(cuda().memory->copy_from_host(0, a, host.data(), 4000, stream, &error));
    ARR_STEP(cuda().stream->wait_stream(0, stream, branch, &error));
    ARR_STEP(cuda().stream->wait_stream(0, nullptr, branch, &error));  // runs after the earlier work
    capturing = false;
    ARR_STEP(cuda().graph->capture_end(0, stream, &graph, &error));
    ARR_STEP(cuda().graph->launch(0, graph, stream, &error));
    return ARR_OK;
  }
  int32_t raw() {
    std::string log;
    const char* source = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }";
    ARR_STEP(create_module(source, {}, &kernel_module, &log, &error));
    void* kernel = nullptr;
    ARR_STEP(cuda().kernels->module_kernel(0, kernel_module, "k", &kernel, &error));
    const LaunchConfig config{.block = {32, 1, 1}, .shared_bytes = 100000};
    void* args[] = {&a};
    ARR_STEP(cuda().kernels->launch(0, kernel, &config, 1, args, stream, &error));
    return ARR_OK;
  }
  int32_t host_memory() {
    ARR_STEP(cuda().pinned->allocate(0, 4096, pinned::mapped, &locked, &error));
    int32_t yes = 0;
    ARR_STEP(cuda().pinned->is_pinned(0, locked, &yes, &error));
    void* there = nullptr;
    ARR_STEP(cuda().pinned->device_address(0, locked, &there, &error));
    ARR_STEP(cuda().pinned->release(0, locked, &error));
    locked = nullptr;
    ARR_STEP(cuda().pinned->register_memory(0, page, sizeof page, 0, &error));
    registered = true;
    ARR_STEP(cuda().pinned->unregister_memory(0, page, &error));
    registered = false;
    return ARR_OK;
  }
  int32_t other_memory() {
    for (AllocatorKind kind : {AllocatorKind::stream_ordered, AllocatorKind::managed, AllocatorKind::direct,
                               AllocatorKind::pool}) {
      ARR_STEP(cuda().pool->set_allocator(0, kind, nullptr, &error));
      void* p = nullptr;
      if (int32_t r = take(70000, stream, &p)) return r;
      if (kind != AllocatorKind::managed) continue;
      int32_t yes = 0;
      ARR_STEP(cuda().managed->is_managed(0, p, &yes, &error));
      ARR_STEP(cuda().managed->prefetch(0, p, 70000, -1, stream, &error));
      ARR_STEP(cuda().managed->advise(0, p, 70000, 3, 0, &error));
    }
    return ARR_OK;
  }
  int32_t shared_memory() {
    IpcHandle handle;
    int64_t offset = 0, bytes = 0;
    void* there = nullptr;
    ARR_STEP(cuda().ipc->export_memory(0, a, &handle, &offset, &error));
    ARR_STEP(cuda().ipc->import_memory(0, &handle, &there, &bytes, &error));
    ARR_STEP(cuda().ipc->close_memory(0, there, &error));
    ARR_STEP(cuda().ipc->export_event(0, event_c, &handle, &error));
    ARR_STEP(cuda().ipc->import_event(0, &handle, &event_d, &error));
    return ARR_OK;
  }
  char page[64] = {};
  void* locked = nullptr;
  bool registered = false, capturing = false;
  void *a = nullptr, *b = nullptr, *stream = nullptr, *branch = nullptr, *graph = nullptr, *event_a = nullptr,
       *event_b = nullptr, *event_c = nullptr, *event_d = nullptr, *kernel_module = nullptr;
};

TEST(CudaFailures, EveryDriverCallMayFail) {
  FailureRules rules;
  rules.min_cases = 150;
  // A probe of memory and one of parameters do without; what closes or ends something does so all the same.
  rules.silent = [](const std::string& f) {
    return f == "cuCtxGetCurrent" || f == "cuFuncGetParamInfo" || f == "cuLaunchHostFunc";
  };
  // These codes mean that there are no more parameters, that memory or an event is not shared or unknown, or
  // that memory is not the driver's or not mapped.
  rules.answers = [](const std::string& f, int32_t code, int64_t) {
    return code == cuda::CUDA_ERROR_INVALID_VALUE &&
           (f == "cuFuncGetParamInfo" || f.starts_with("cuIpc") || f == "cuPointerGetAttribute" ||
            f == "cuMemHostGetDevicePointer_v2");
  };
  every_call_may_fail(everything, rules);
}

TEST_F(CudaTest, ALostDeviceSaysSoAtOnceAndReleasesWork) {
  void* p = nullptr;
  ARR_WORKS(cuda().memory->allocate(0, 100, nullptr, &p, &error));
  const int64_t n = 25, stride = 4;
  const Operand operands[] = {{p, &stride, {}}, {p, &stride, {}}};
  const DType types[] = {DType::float32_};
  ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 1, &n, operands};
  ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
  arr_fake_cuda_fail("cuStreamSynchronize", 1, cuda::CUDA_ERROR_ILLEGAL_ADDRESS, 0);
  BackendError e;
  EXPECT_EQ(cuda().stream->sync(0, nullptr, &e), ARR_E_DEVICE);
  EXPECT_NE(e.text.find("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), std::string::npos) << e.text;
  EXPECT_NE(e.text.find("enqueued last on the stream: negative(in0); the device is lost"), std::string::npos)
      << e.text;
  int64_t calls = arr_fake_cuda_calls("cuCtxGetCurrent");
  EXPECT_EQ(cuda().stream->sync(0, nullptr, &e), ARR_E_LOST);
  EXPECT_EQ(e.text,
            "CUDA device 0 is lost: cuStreamSynchronize returned CUDA_ERROR_ILLEGAL_ADDRESS (700): an "
            "illegal memory access was encountered");
  EXPECT_EQ(arr_fake_cuda_calls("cuCtxGetCurrent"), calls);
  EXPECT_EQ(cuda().memory->release(0, p, 100, nullptr, &e), ARR_OK);
  std::string name;
  EXPECT_EQ(cuda().device->name(0, &name, &e), ARR_E_LOST);
}

}  // namespace

std::unique_ptr<Work> everything() { return std::make_unique<Everything>(); }

}  // namespace arr::cuda_test
