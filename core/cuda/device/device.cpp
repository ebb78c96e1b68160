// SPDX-License-Identifier: MIT
// Opening devices, their contexts and limits, and the meaning of driver errors.
#include "cuda/device/device.h"

#include "base/log.h"
#include "base/memory_limit.h"
#include "cuda/device/stream_memory.h"

namespace arr::cuda {

namespace {

constexpr int32_t max_devices = 64;
std::atomic<Device*> devices[max_devices];
std::mutex opening;

int attribute(const Driver& d, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  if (CUresult r = d.cuDeviceGetAttribute(&value, which, device); r != CUDA_SUCCESS) {
    fail(status_of(r), "cuDeviceGetAttribute: ", error_text(r));
  }
  return value;
}

Limits limits_of(const Driver& d, CUdevice device) {
  Limits l;
  l.threads_per_block = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  l.shared_bytes = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  l.shared_bytes_optin = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  l.multiprocessors = attribute(d, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  l.arch = 10 * attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
           attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  for (int i = 0; i < 3; ++i) {
    l.grid[i] = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i);
    l.block[i] = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i);
  }
  return l;
}

// Releases a primary context unless opening the device succeeded.
struct Retained {
  const Driver& driver;
  CUdevice device;
  bool keep = false;
  ~Retained() {
    if (!keep) driver.cuDevicePrimaryCtxRelease_v2(device);
  }
};

}  // namespace

std::string error_text(CUresult r) {
  const char *name = nullptr, *meaning = nullptr;
  driver().cuGetErrorName(r, &name);
  driver().cuGetErrorString(r, &meaning);
  return text(name != nullptr ? name : "unknown error", " (", r, ")", meaning != nullptr ? ": " : "",
              meaning != nullptr ? meaning : "");
}

Device* Device::open(int32_t index) {
  const Driver& d = driver();
  auto require = [](CUresult r, const char* function) {
    if (r != CUDA_SUCCESS) fail(status_of(r), function, ": ", error_text(r));
  };
  int count = 0;
  require(d.cuDeviceGetCount(&count), "cuDeviceGetCount");
  if (index < 0 || index >= count || index >= max_devices) {
    fail(ARR_E_ARGUMENT, "argument device: CUDA device ", index, " does not exist, there are ", count);
  }
  CUdevice ordinal = 0;
  require(d.cuDeviceGet(&ordinal, index), "cuDeviceGet");
  std::unique_ptr<Device> fresh(new Device(index));
  char text_name[256] = {};
  require(d.cuDeviceGetName(text_name, sizeof text_name - 1, ordinal), "cuDeviceGetName");
  fresh->name = text_name;
  fresh->limits = limits_of(d, ordinal);
  require(d.cuDevicePrimaryCtxRetain(&fresh->context, ordinal), "cuDevicePrimaryCtxRetain");
  Retained retained{d, ordinal};
  {
    const Current current(*fresh);
    size_t free_bytes = 0, total = 0;
    require(d.cuMemGetInfo_v2(&free_bytes, &total), "cuMemGetInfo");
    fresh->pool.set_total(static_cast<int64_t>(total));
    fresh->pool.set_limit(memory_limit_from_environment(static_cast<int64_t>(total)));
    CUstream handle = nullptr;
    require(d.cuStreamCreate(&handle, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    fresh->default_ = std::make_unique<Stream>();
    fresh->default_->device = fresh.get();
    fresh->default_->handle = handle;
    fresh->pool.add(fresh->default_.get());
  }
  retained.keep = true;
  return fresh.release();
}

Device& Device::get(int32_t index) {
  refuse_in_child();
  Device* d = find(index);
  if (d == nullptr) {
    const std::lock_guard lock(opening);
    d = find(index);
    if (d == nullptr) {
      d = open(index);
      devices[index].store(d, std::memory_order_release);
    }
  }
  if (d->lost()) fail(ARR_E_LOST, "CUDA device ", index, " is lost: ", d->lost_reason_);
  return *d;
}

Device* Device::find(int32_t index) noexcept {
  if (index < 0 || index >= max_devices || driver_initialized_before_fork()) return nullptr;
  return devices[index].load(std::memory_order_acquire);
}

Stream* Device::add_stream(CUstream handle, bool owned) {
  auto s = std::make_unique<Stream>();
  s->device = this;
  s->handle = handle;
  s->owned = owned;
  pool.add(s.get());
  return s.release();
}

void Device::remove_stream(Stream* s) noexcept {
  error_flags.forget(*s);
  if (s->blas != nullptr) cublas().cublasDestroy_v2(s->blas);
  if (s->solver.handle != nullptr) {
    cusolver().cusolverDnDestroyParams(s->solver.params);
    cusolver().cusolverDnDestroy(s->solver.handle);
  }
  if (s->sparse != nullptr) cusparse().cusparseDestroy(s->sparse);
  StreamMemory::leave(*s);
  if (s->tickets != 0) pool.adopt(s->tickets, ticket_bytes, *s);
  pool.remove(s);
  if (!lost()) {
    if (s->owned) note(driver().cuStreamDestroy_v2(s->handle), "cuStreamDestroy");
  }
  delete s;
}

void Device::raise(CUresult r, const char* function, const Stream* after) {
  std::string what = text(function, ": ", error_text(r));
  if (poisons(r)) {
    mark_lost(r, function);
    const char* last = after == nullptr ? nullptr : after->last_work.load(std::memory_order_relaxed);
    if (last != nullptr) what += text("; enqueued last on the stream: ", last);
    what += "; the device is lost";
  }
  fail(status_of(r), what);
}

void Device::note(CUresult r, const char* function) noexcept {
  if (poisons(r)) mark_lost(r, function);
}

void Device::mark_lost(CUresult r, const char* function) noexcept {
  const std::lock_guard lock(mutex_);
  if (lost()) return;
  try {
    lost_reason_ = text(function, " returned ", error_text(r));
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): lost without a reason
  }
  lost_.store(true, std::memory_order_release);
  log_line(log_level::warning, "CUDA device ", index, " is lost: ", lost_reason_);
}

void Device::defer_release(CUmodule m) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    deferred_modules_.push_back(m);
  } catch (const std::bad_alloc&) {
    // Without memory to remember the module: unloads it now, or leaves it loaded if a capture forbids to
    // wait.
    if (captures.load() != 0) return;
    const Current current(*this, std::nothrow);
    note(driver().cuCtxSynchronize(), "cuCtxSynchronize");
    note(driver().cuModuleUnload(m), "cuModuleUnload");
  }
}

void Device::collect_deferred_modules() {
  std::vector<CUmodule> modules;
  {
    const std::lock_guard lock(mutex_);
    modules.swap(deferred_modules_);
  }
  if (modules.empty()) return;
  CUresult worst = driver().cuCtxSynchronize();
  for (CUmodule m : modules) {
    CUresult r = driver().cuModuleUnload(m);
    worst = worst == CUDA_SUCCESS ? r : worst;
  }
  check(worst, "cuModuleUnload");
}

void Device::destroy(const TextureObjects& objects) noexcept {
  if (objects.texture != 0) note(driver().cuTexObjectDestroy(objects.texture), "cuTexObjectDestroy");
  if (objects.surface != 0) note(driver().cuSurfObjectDestroy(objects.surface), "cuSurfObjectDestroy");
  if (objects.array != nullptr) note(driver().cuArrayDestroy(objects.array), "cuArrayDestroy");
}

void Device::defer_release(const TextureObjects& objects, Stream& s) noexcept {
  DeferredRelease deferred{objects};
  try {
    {
      const std::lock_guard own(s.mutex);
      if (s.capture == nullptr) {  // a capture keeps the objects that its work uses
        CUevent event = take_event();
        const CUresult r = driver().cuEventRecord(event, s.handle);
        note(r, "cuEventRecord");
        if (r == CUDA_SUCCESS) {
          deferred.event = event;
        } else {
          give_event(event);
        }
      }
    }
    const std::lock_guard lock(mutex_);
    deferred_textures_.push_back(deferred);
  } catch (...) {  // out of memory: the release cannot be deferred
    if (deferred.event != nullptr) give_event(deferred.event);
    note(driver().cuCtxSynchronize(), "cuCtxSynchronize");
    destroy(objects);
  }
}

void Device::collect_deferred_textures(bool wait) {
  std::vector<DeferredRelease> done;
  {
    const std::lock_guard lock(mutex_);
    if (deferred_textures_.empty()) return;
    done.reserve(deferred_textures_.size());
    std::erase_if(deferred_textures_, [&](const DeferredRelease& g) {
      const bool over = wait || (g.event != nullptr && driver().cuEventQuery(g.event) == CUDA_SUCCESS);
      if (over) done.push_back(g);
      return over;
    });
  }
  const CUresult r = wait ? driver().cuCtxSynchronize() : CUDA_SUCCESS;
  for (const DeferredRelease& g : done) {
    if (g.event != nullptr) give_event(g.event);
    destroy(g.objects);
  }
  check(r, "cuCtxSynchronize");
}

CUevent Device::take_event() {
  {
    const std::lock_guard lock(mutex_);
    if (!events_.empty()) {
      CUevent e = events_.back();
      events_.pop_back();
      return e;
    }
  }
  CUevent e = nullptr;
  check(driver().cuEventCreate(&e, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  return e;
}

void Device::give_event(CUevent e) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    events_.push_back(e);
  } catch (const std::bad_alloc&) {
    driver().cuEventDestroy_v2(e);
  }
}

namespace {

// A thread without a context keeps device 0's, which the CUDA runtime would make current as well. No context
// of other code is hidden, and the next call makes one driver call instead of three.
bool restores(CUcontext before, const Device& d) { return before != nullptr || d.index != 0; }

}  // namespace

Current::Current(Device& d) {
  CUcontext now = nullptr;
  d.check(driver().cuCtxGetCurrent(&now), "cuCtxGetCurrent");
  if (now == d.context) return;
  d.check(driver().cuCtxPushCurrent_v2(d.context), "cuCtxPushCurrent");
  pushed_ = restores(now, d);
}

Current::Current(Device& d, const std::nothrow_t&) noexcept {
  CUcontext now = nullptr;
  if (driver().cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == d.context) return;
  CUresult r = driver().cuCtxPushCurrent_v2(d.context);
  d.note(r, "cuCtxPushCurrent");
  pushed_ = r == CUDA_SUCCESS && restores(now, d);
}

Current::~Current() {
  CUcontext popped = nullptr;
  if (pushed_) driver().cuCtxPopCurrent_v2(&popped);
}

}  // namespace arr::cuda
