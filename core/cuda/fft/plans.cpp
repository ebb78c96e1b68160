// SPDX-License-Identifier: MIT
// Creates, caches and runs plans of cuFFT.
#include "cuda/fft/plans.h"

#include <map>

#include "cuda/device/scratch.h"

namespace arr::cuda {

namespace {

constexpr int64_t cache_size = 64;  // plans of a device

const char* result_name(cufftResult r) {
  constexpr const char* names[] = {"CUFFT_SUCCESS",       "CUFFT_INVALID_PLAN",  "CUFFT_ALLOC_FAILED",
                                   "CUFFT_INVALID_TYPE",  "CUFFT_INVALID_VALUE", "CUFFT_INTERNAL_ERROR",
                                   "CUFFT_EXEC_FAILED",   "CUFFT_SETUP_FAILED",  "CUFFT_INVALID_SIZE",
                                   "CUFFT_UNALIGNED_DATA"};
  return r >= 0 && r < static_cast<cufftResult>(std::size(names)) ? names[r] : "CUFFT error";
}

void check(cufftResult r, const char* function) {
  if (r == CUFFT_SUCCESS) return;
  fail(r == CUFFT_ALLOC_FAILED    ? ARR_E_MEMORY
       : r == CUFFT_INVALID_SIZE  ? ARR_E_UNSUPPORTED
       : r == CUFFT_NOT_SUPPORTED ? ARR_E_UNSUPPORTED
                                  : ARR_E_DEVICE,
       function, ": ", result_name(r), " (", r, ")");
}

}  // namespace

FftPlan::FftPlan(Device& d, const FftKey& key, std::unique_ptr<FftCallbacks> callbacks)
    : callbacks_(std::move(callbacks)), device_(d.index) {
  const Cufft& c = cufft();
  check(c.cufftCreate(&handle_), "cufftCreate");
  FftKey k = key;  // cuFFT's parameters are not const even if it only reads the arrays
  cufftResult r = c.cufftSetAutoAllocation(handle_, 0);
  const char* function = "cufftSetAutoAllocation";
  bool ours = true;  // whether a failure is unrelated to callbacks
  if (r == CUFFT_SUCCESS && callbacks_ != nullptr) {
    r = callbacks_->set(handle_);
    function = "cufftXtSetJITCallback";
    ours = false;
  }
  if (r == CUFFT_SUCCESS) {
    r = c.cufftMakePlanMany64(handle_, k.rank, k.n.data(), k.in.embed.data(), k.in.stride, k.in.dist,
                              k.out.embed.data(), k.out.stride, k.out.dist, k.type, k.batch, &area_);
    function = "cufftMakePlanMany64";
  }
  if (r != CUFFT_SUCCESS) {
    c.cufftDestroy(handle_);
    if (!ours) refuse(d, r, function);
    check(r, function);
  }
  bytes = static_cast<int64_t>(area_) + (callbacks_ != nullptr ? callbacks_->bytes() : 0);
}

// A failure that is not of memory or the device is attributed to the callbacks; cuFFT does not distinguish
// them.
void FftPlan::refuse(Device& d, cufftResult r, const char* function) const {
  if (r == CUFFT_ALLOC_FAILED) return;
  d.check(callbacks_->state(), function);
  throw FftRefused(ARR_E_UNSUPPORTED, text(function, ": ", result_name(r), " (", r, ")"));
}

FftPlan::~FftPlan() {
  Device* d = Device::find(device_);
  if (d == nullptr || d->lost()) return;
  const Current current(*d, std::nothrow);
  if (callbacks_ != nullptr) callbacks_->finish(*d);
  cufft().cufftDestroy(handle_);
}

void FftPlan::run(Device& d, void* in, void* out, int direction, Stream& s,
                  const FftCallbacks::Parameters* parameters) const {
  const Scratch area(d, s, static_cast<int64_t>(area_));
  const std::lock_guard lock(mutex_);
  const Cufft& c = cufft();
  check(c.cufftSetStream(handle_, s.handle), "cufftSetStream");
  if (area_ > 0) check(c.cufftSetWorkArea(handle_, area.data()), "cufftSetWorkArea");
  if (parameters == nullptr) return execute(d, in, out, direction, s);
  const FftCallbacks::Use use(*callbacks_, d, *parameters, s);
  execute(d, in, out, direction, s);
}

void FftPlan::execute(Device& d, void* in, void* out, int direction, Stream& s) const {
  const cufftResult r = cufft().cufftXtExec(handle_, in, out, direction);
  if (r == CUFFT_SUCCESS) return;
  // cuFFT hides the driver's error; a poisoned context returns it again.
  const CUresult state = driver().cuStreamQuery(s.handle);
  if (state != CUDA_ERROR_NOT_READY) d.check(state, "cufftXtExec", &s);
  check(r, "cufftXtExec");
}

FftPlans& fft_plans(int32_t device) {
  static auto* mutex = new std::mutex;
  static auto* all = new std::map<int32_t, std::unique_ptr<FftPlans>>;
  const std::lock_guard lock(*mutex);
  std::unique_ptr<FftPlans>& plans = (*all)[device];
  if (plans == nullptr) plans = std::make_unique<FftPlans>(cache_size);
  return *plans;
}

int32_t fft_cache_stats(int32_t device, FftCacheStats* stats, BackendError* error) {
  return translate_exceptions(error, [&] {
    const auto c = fft_plans(Device::get(device).index).counts();
    *stats = {c.hits, c.misses, c.entries, c.bytes, c.max_entries, c.max_bytes};
  });
}
int32_t fft_cache_limit(int32_t device, int64_t plans, int64_t bytes, BackendError* error) {
  return translate_exceptions(error, [&] { fft_plans(Device::get(device).index).limit(plans, bytes); });
}
int32_t fft_cache_clear(int32_t device, BackendError* error) {
  return translate_exceptions(error, [&] { fft_plans(Device::get(device).index).clear(); });
}
int32_t fft_cache_plans(int32_t device, std::vector<FftCachePlan>* plans, BackendError* error) {
  return translate_exceptions(error, [&] {
    fft_plans(Device::get(device).index).visit([&](int64_t id, const FftKey& key, const FftPlan& plan) {
      const bool reals = key.type == CUFFT_R2C || key.type == CUFFT_D2Z;
      const bool to_reals = key.type == CUFFT_C2R || key.type == CUFFT_Z2D;
      const bool single = key.type == CUFFT_R2C || key.type == CUFFT_C2R || key.type == CUFFT_C2C;
      FftCachePlan p;
      p.id = id;
      p.kind = reals ? FftKind::r2c : to_reals ? FftKind::c2r : FftKind::forward;
      p.real = single ? DType::float32_ : DType::float64_;
      for (size_t i = 0; i < static_cast<size_t>(key.rank); ++i) p.n[i] = key.n[i];
      p.transforms = key.batch;
      p.bytes = plan.bytes;
      plans->push_back(p);
    });
  });
}
int32_t fft_cache_drop(int32_t device, int64_t id, int32_t* dropped, BackendError* error) {
  return translate_exceptions(error,
                              [&] { *dropped = fft_plans(Device::get(device).index).drop(id) ? 1 : 0; });
}
int32_t fft_plan_effort(int32_t, FftEffort effort, FftEffort* before, BackendError* error) {
  return translate_exceptions(error, [&] {
    if (effort != FftEffort::estimate) {
      fail(ARR_E_UNSUPPORTED, "cuFFT does not measure its plans");
    }
    *before = FftEffort::estimate;
  });
}
int32_t fft_wisdom(int32_t, std::string*, BackendError* error) {
  return translate_exceptions(error, [] { fail(ARR_E_UNSUPPORTED, "cuFFT cannot export wisdom"); });
}
int32_t fft_wisdom_import(int32_t, const char*, BackendError* error) {
  return translate_exceptions(error, [] { fail(ARR_E_UNSUPPORTED, "cuFFT cannot import wisdom"); });
}

}  // namespace arr::cuda
