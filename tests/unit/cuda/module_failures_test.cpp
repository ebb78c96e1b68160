// SPDX-License-Identifier: MIT
// Failures of the driver in modules and kernels, between two devices and in times; and that no function of
// the driver is left out of the work that fails.
#include "cuda/driver/errors.h"
#include "failing.h"

namespace arr::cuda_test {
namespace {

constexpr const char* source =
    "__device__ int total[4]; extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }";

class ModuleWork final : public Work {
 public:
  ModuleWork() { arr_fake_cuda_set("devices", 2); }
  int32_t steps() override {
    if (int32_t r = peers()) return r;
    if (int32_t r = take(4096, nullptr, &a_)) return r;
    ARR_STEP(cuda().memory->allocate(1, 4096, nullptr, &there_, &error));
    ARR_STEP(cuda().memory->copy_from_peer(1, there_, 0, a_, 4096, nullptr, &error));
    ARR_STEP(cuda().stream->create(0, 0, &stream_, &error));
    if (int32_t r = modules()) return r;
    if (int32_t r = launches()) return r;
    if (int32_t r = times()) return r;
    ARR_STEP(cuda().kernels->module_destroy(0, std::exchange(ptx_, nullptr), &error));
    ARR_STEP(cuda().memory->trim(0, &error));  // which unloads it
    return ARR_OK;
  }
  void give_back() override {
    BackendError e;
    if (peered_) cuda().device->peer_access(0, 1, 0, &e);
    if (there_ != nullptr) cuda().memory->release(1, there_, 4096, nullptr, &e);
    for (void* m : {module_, ptx_}) {
      if (m != nullptr) cuda().kernels->module_destroy(0, m, &e);
    }
    for (void* event : {start_, stop_}) {
      if (event != nullptr) cuda().stream->event_destroy(0, event, &e);
    }
    give_back_memory();
    if (stream_ != nullptr) cuda().stream->destroy(0, stream_, &e);
  }

 private:
  int32_t peers() {
    int32_t yes = 0;
    ARR_STEP(cuda().device->peer_possible(0, 1, &yes, &error));
    ARR_STEP(cuda().device->peer_access(0, 1, 1, &error));
    peered_ = true;
    ARR_STEP(cuda().device->peer_access(0, 1, 0, &error));
    peered_ = false;
    return ARR_OK;
  }
  // From source, and from PTX, which the driver compiles.
  int32_t modules() {
    std::string log, image;
    ARR_STEP(create_module(source, {}, &module_, &log, &error));
    void* address = nullptr;
    int64_t bytes = 0;
    ARR_STEP(cuda().kernels->module_global(0, module_, "total", &address, &bytes, &error));
    ModuleCall from;
    from.units.push_back({ImageKind::source, source, "kernel.cu"});
    ARR_STEP(cuda().kernels->module_image(0, &from, ImageKind::ptx, &image, &log, &error));
    ModuleCall ptx;
    ptx.units.push_back({ImageKind::ptx, image, "kernel.ptx"});
    ARR_STEP(cuda().kernels->module_create(0, &ptx, &ptx_, &log, &error));
    return ARR_OK;
  }
  int32_t launches() {
    void* kernel = nullptr;
    ARR_STEP(cuda().kernels->module_kernel(0, module_, "k", &kernel, &error));
    int32_t threads = 0, blocks = 0;
    int64_t value = 0;
    ARR_STEP(cuda().kernels->occupancy(0, kernel, 32, 0, &blocks, &error));
    ARR_STEP(cuda().kernels->block_size(0, kernel, 0, 0, &threads, &blocks, &error));
    ARR_STEP(cuda().kernels->attribute(0, kernel, 0, &value, &error));
    ARR_STEP(cuda().kernels->set_attribute(0, kernel, 8, 4096, &error));
    void* args[] = {&a_};
    const LaunchConfig together{.block = {32, 1, 1}, .cooperative = true};
    ARR_STEP(cuda().kernels->launch(0, kernel, &together, 1, args, stream_, &error));
    return ARR_OK;
  }
  int32_t times() {
    double milliseconds = 0;
    ARR_STEP(cuda().stream->event_create(0, 1, &start_, &error));
    ARR_STEP(cuda().stream->event_create(0, 1, &stop_, &error));
    ARR_STEP(cuda().stream->event_record(0, start_, stream_, &error));
    ARR_STEP(cuda().stream->event_record(0, stop_, stream_, &error));
    ARR_STEP(cuda().stream->event_sync(0, stop_, &error));
    ARR_STEP(cuda().stream->event_elapsed(0, start_, stop_, &milliseconds, &error));
    int32_t on = 0;
    ARR_STEP(cuda().memory->device_of(a_, &on, &error));
    return ARR_OK;
  }
  void *a_ = nullptr, *there_ = nullptr, *stream_ = nullptr, *module_ = nullptr, *ptx_ = nullptr,
       *start_ = nullptr, *stop_ = nullptr;
  bool peered_ = false;
};

TEST(CudaFailures, EveryDriverCallOfModulesMayFail) {
  FailureRules rules;
  rules.min_cases = 150;
  rules.silent = [](const std::string& f) {
    return f == "cuCtxGetCurrent" || f == "cuFuncGetParamInfo" || f == "cuPointerGetAttribute";
  };
  // These codes mean that there are no more parameters, that memory is not the driver's, that a kernel has no
  // such attribute (the last one requested), and that a stop event has not been reached, which is the
  // caller's mistake. A copy between devices also works without peer access, so it requests that (the second
  // call) and goes on.
  rules.answers = [](const std::string& f, int32_t code, int64_t call) {
    if (f == "cuCtxEnablePeerAccess" && call == 2) return true;
    if (code == cuda::CUDA_ERROR_NOT_READY) return f == "cuEventElapsedTime";
    return code == cuda::CUDA_ERROR_INVALID_VALUE &&
           (f == "cuFuncGetParamInfo" || f == "cuPointerGetAttribute" || f == "cuFuncSetAttribute" ||
            (f == "cuFuncGetAttribute" && call > 2));
  };
  every_call_may_fail(module_work, rules);
}

// So that a function that is new in driver_api.def cannot do without its failures.
TEST(CudaFailures, NoFunctionOfTheDriverIsLeftOut) {
  std::map<std::string, int64_t> calls;
  for (const MakeWork& make : {MakeWork(everything), MakeWork(device_work), MakeWork(module_work)}) {
    for (const auto& [function, n] : calls_of(make)) {
      ASSERT_GE(n, 0) << "the work fails without any scripted failure";
      calls[function] += n;
    }
  }
  EXPECT_GT(calls.size(), 90U);
  for (const auto& [function, n] : calls) {
    // The texts of what has failed, and what follows where a device could not be opened: called in such
    // cases.
    if (function.starts_with("cuGetError") || function == "cuDevicePrimaryCtxRelease_v2") continue;
    EXPECT_GT(n, 0) << function << " is never called, so never fails";
  }
}

}  // namespace

std::unique_ptr<Work> module_work() { return std::make_unique<ModuleWork>(); }

}  // namespace arr::cuda_test
