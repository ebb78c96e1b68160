// SPDX-License-Identifier: MIT
// A cache of cuFFT's plans per device.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "backend/fft.h"
#include "base/plan_cache.h"
#include "cuda/device/device.h"
#include "cuda/fft/callbacks.h"

namespace arr::cuda {

// One side of a transform as cuFFT describes it, in elements: x[b * dist + ((i0 * embed[1] + i1) * embed[2] +
// i2) * stride].
struct FftSide {
  std::array<long long, 3> embed = {1, 1, 1};
  long long stride = 1, dist = 1;
  friend bool operator==(const FftSide&, const FftSide&) = default;
};

struct FftKey {
  cufftType type = 0;
  int rank = 0;
  std::array<long long, 3> n = {1, 1, 1};
  FftSide in, out;
  long long batch = 1;
  // The callbacks in the order of CallbackKind: the program, and the other inputs of its text.
  std::array<const Program*, 2> programs = {};
  std::array<uint64_t, 2> shapes = {};
  [[nodiscard]] std::array<int64_t, 20> words() const {
    auto word = [](const Program* p) { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(p)); };
    return {type,
            rank,
            n[0],
            n[1],
            n[2],
            in.embed[0],
            in.embed[1],
            in.embed[2],
            in.stride,
            in.dist,
            out.embed[0],
            out.embed[1],
            out.embed[2],
            out.stride,
            out.dist,
            batch,
            word(programs[0]),
            word(programs[1]),
            static_cast<int64_t>(shapes[0]),
            static_cast<int64_t>(shapes[1])};
  }
  friend bool operator==(const FftKey&, const FftKey&) = default;
};

// A plan; its work area comes from the pool with each call. Used by one thread at a time.
struct FftPlan {
  // Throws FftRefused if cuFFT does not accept the callbacks.
  FftPlan(Device& d, const FftKey& key, std::unique_ptr<FftCallbacks> callbacks = nullptr);
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  ~FftPlan();
  // direction: cufft_forward, cufft_inverse; ignored for real transforms
  // parameters: of the callbacks, if there are any
  void run(Device& d, void* in, void* out, int direction, Stream& s,
           const FftCallbacks::Parameters* parameters = nullptr) const;

  int64_t bytes = 0;  // bytes of the work area and of the callbacks' memory

 private:
  void refuse(Device& d, cufftResult r, const char* function) const;
  void execute(Device& d, void* in, void* out, int direction, Stream& s) const;
  size_t area_ = 0;
  std::unique_ptr<FftCallbacks> callbacks_;
  int32_t device_;
  cufftHandle handle_ = 0;
  mutable std::mutex mutex_;
};

using FftPlanSet = TypedPlanSet<FftKey, FftPlan>;
using FftPlans = PlanCache<FftKey, FftPlan, HashWords<FftKey>>;
// The cache of a device; never destroyed.
FftPlans& fft_plans(int32_t device);

// Entries of the table of transforms.
int32_t fft_cache_stats(int32_t device, FftCacheStats* stats, BackendError* error);
int32_t fft_cache_limit(int32_t device, int64_t plans, int64_t bytes, BackendError* error);
int32_t fft_cache_clear(int32_t device, BackendError* error);
int32_t fft_cache_plans(int32_t device, std::vector<FftCachePlan>* plans, BackendError* error);
int32_t fft_cache_drop(int32_t device, int64_t id, int32_t* dropped, BackendError* error);
int32_t fft_plan_effort(int32_t device, FftEffort effort, FftEffort* before, BackendError* error);
int32_t fft_wisdom(int32_t device, std::string* text, BackendError* error);
int32_t fft_wisdom_import(int32_t device, const char* text, BackendError* error);

}  // namespace arr::cuda
