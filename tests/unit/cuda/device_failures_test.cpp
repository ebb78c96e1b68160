// SPDX-License-Identifier: MIT
// Failures of the driver in calls of devices, streams with priorities, graphs, functions of
// the host, textures and surfaces, handles of the vendor's libraries.
#include "cuda/driver/errors.h"
#include "failing.h"

namespace arr::cuda_test {
namespace {

class DeviceWork final : public Work {
 public:
  int32_t steps() override {
    if (int32_t r = devices()) return r;
    if (int32_t r = take(400000, nullptr, &a_)) return r;
    if (int32_t r = take(400000, nullptr, &b_)) return r;
    ARR_STEP(cuda().stream->create_with_priority(0, 1, -1, &stream_, &error));
    int32_t flags = 0, priority = 0, capturing = 0;
    ARR_STEP(cuda().stream->details(0, stream_, &flags, &priority, &capturing, &error));
    ARR_STEP(cuda().memory->set_bytes(0, a_, 0, 400000, stream_, &error));
    if (int32_t r = graphs()) return r;
    if (int32_t r = textures()) return r;
    void* handle = nullptr;
    ARR_STEP(cuda().libraries->handle(0, library::cublas, stream_, &handle, &error));
    ARR_STEP(cuda().libraries->handle(0, library::cusolver, stream_, &handle, &error));
    ARR_STEP(cuda().stream->host_function(
        0, stream_, [](void*) {}, nullptr, &error));
    ARR_STEP(cuda().stream->sync(0, stream_, &error));
    return ARR_OK;
  }
  void give_back() override {
    BackendError e;
    void* other = nullptr;
    if (capturing_ && cuda().graph->capture_end(0, stream_, &other, &e) == ARR_OK) {
      cuda().graph->release(0, other, stream_, &e);
    }
    if (graph_ != nullptr) cuda().graph->release(0, graph_, stream_, &e);
    for (void* t : {texture_, surface_}) {
      if (t != nullptr) cuda().texture->release(0, t, stream_, &e);
    }
    if (texels_ != nullptr) cuda().texture->texels_release(0, texels_, stream_, &e);
    give_back_memory();
    if (stream_ != nullptr) cuda().stream->destroy(0, stream_, &e);
  }

 private:
  int32_t devices() {
    DeviceProperties p;
    ARR_STEP(cuda().device->properties(0, &p, &error));
    std::string pci, uuid;
    ARR_STEP(cuda().device->ids(0, &pci, &uuid, &error));
    int64_t bytes = 0;
    ARR_STEP(cuda().device->limit(0, limit::stack_bytes, &bytes, &error));
    ARR_STEP(cuda().device->set_limit(0, limit::stack_bytes, bytes, &error));
    int32_t least = 0, greatest = 0;
    ARR_STEP(cuda().stream->priority_range(0, &least, &greatest, &error));
    ARR_STEP(cuda().device->profiler(0, 1, &error));
    ARR_STEP(cuda().device->profiler(0, 0, &error));
    return ARR_OK;
  }
  // A few calls that need memory, counters and a handle of the graph's own.
  int32_t captured() {
    ARR_STEP(cuda().graph->capture_begin(0, stream_, &error));
    capturing_ = true;
    if (int32_t r = negate(a_, b_, 100000, stream_)) return r;
    if (int32_t r = sum(a_, b_, 100000, stream_)) return r;
    return square(a_, b_, stream_);
  }
  int32_t graphs() {
    if (int32_t r = captured()) return r;
    capturing_ = false;
    ARR_STEP(cuda().graph->capture_end(0, stream_, &graph_, &error));
    ARR_STEP(cuda().graph->upload(0, graph_, stream_, &error));
    ARR_STEP(cuda().graph->launch(0, graph_, stream_, &error));
    if (int32_t r = captured()) return r;
    capturing_ = false;
    ARR_STEP(cuda().graph->update(0, graph_, stream_, stream_, &error));
    ARR_STEP(cuda().graph->launch(0, graph_, stream_, &error));
    ARR_STEP(cuda().graph->dot(0, graph_, "/dev/null", &error));
    return ARR_OK;
  }
  int32_t textures() {
    TexelsFormat format;
    format.dtype = DType::float32_;
    format.ndim = 2;
    format.extent[0] = format.extent[1] = 16;
    format.surface = true;
    ARR_STEP(cuda().texture->texels_create(0, &format, &texels_, &error));
    ARR_STEP(cuda().texture->texels_copy(0, texels_, a_, 1, stream_, &error));
    TextureCall call;
    call.format = format;
    call.texels = texels_;
    uint64_t object = 0;
    ARR_STEP(cuda().texture->create(0, &call, &texture_, &object, &error));
    call.surface = true;
    ARR_STEP(cuda().texture->create(0, &call, &surface_, &object, &error));
    ARR_STEP(cuda().texture->texels_copy(0, texels_, b_, 0, stream_, &error));
    for (void** t : {&texture_, &surface_}) {
      ARR_STEP(cuda().texture->release(0, std::exchange(*t, nullptr), stream_, &error));
    }
    ARR_STEP(cuda().texture->texels_release(0, std::exchange(texels_, nullptr), stream_, &error));
    ARR_STEP(cuda().memory->trim(0, &error));  // which destroys them
    return ARR_OK;
  }
  void *a_ = nullptr, *b_ = nullptr, *stream_ = nullptr, *graph_ = nullptr, *texels_ = nullptr,
       *texture_ = nullptr, *surface_ = nullptr;
  bool capturing_ = false;
};

TEST(CudaFailures, EveryDriverCallOfDevicesStreamsAndGraphsMayFail) {
  FailureRules rules;
  rules.min_cases = 250;
  // A graph that cannot be changed is made anew. Events here are those of what was given back: what has none
  // waits for the stream. A capture ends whatever the context.
  rules.silent = [](const std::string& f) {
    return f == "cuCtxGetCurrent" || f == "cuGraphExecUpdate_v2" || f == "cuEventCreate" ||
           f == "cuEventRecord" || f == "cuEventQuery";
  };
  // These codes mean that the device does not accept the limit, and that the file does not exist.
  rules.answers = [](const std::string& f, int32_t code, int64_t) {
    return code == cuda::CUDA_ERROR_INVALID_VALUE && (f == "cuCtxSetLimit" || f == "cuGraphDebugDotPrint");
  };
  every_call_may_fail(device_work, rules);
}

}  // namespace

std::unique_ptr<Work> device_work() { return std::make_unique<DeviceWork>(); }

}  // namespace arr::cuda_test
