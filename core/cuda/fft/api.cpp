// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/fft.h"
#include "cuda/device/entry.h"
#include "cuda/fft/calls.h"
#include "cuda/fft/plans.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

int32_t fft_plan(int32_t device, const FftCall* c, std::shared_ptr<PlanSet>* book, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    plan_fft(call.device, *c, book, call.stream);
  });
}

}  // namespace

const FftApi fft_api = {
    .fft = entry<fft, FftCall>,
    .fused = entry<fft_fused, FusedFftCall>,
    .cosine = nullptr,
    .plan = fft_plan,
    .plan_effort = fft_plan_effort,
    .wisdom = fft_wisdom,
    .wisdom_import = fft_wisdom_import,
    .cache_stats = fft_cache_stats,
    .cache_limit = fft_cache_limit,
    .cache_clear = fft_cache_clear,
    .cache_plans = fft_cache_plans,
    .cache_drop = fft_cache_drop,
};

}  // namespace arr::cuda
