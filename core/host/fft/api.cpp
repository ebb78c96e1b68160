// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/fft.h"

#include "host/device/streams.h"
#include "host/fft/calls.h"
#include "host/fft/plans.h"
#include "host/tables.h"

namespace arr::host {

namespace {

int32_t fft_plan(int32_t, const FftCall* call, std::shared_ptr<PlanSet>* book, BackendError* e) {
  return translate_exceptions(e, [&] { plan_fft(*call, book); });
}
int32_t fft_cache_stats(int32_t, FftCacheStats* stats, BackendError* e) {
  return translate_exceptions(e, [&] { *stats = fft_plans().stats(); });
}
int32_t fft_cache_limit(int32_t, int64_t plans, int64_t bytes, BackendError* e) {
  return translate_exceptions(e, [&] { fft_plans().limit(plans, bytes); });
}
int32_t fft_cache_clear(int32_t, BackendError* e) {
  return translate_exceptions(e, [] { fft_plans().clear(); });
}
int32_t fft_cache_plans(int32_t, std::vector<FftCachePlan>* plans, BackendError* e) {
  return translate_exceptions(e, [&] { *plans = fft_plans().list(); });
}
int32_t fft_cache_drop(int32_t, int64_t id, int32_t* dropped, BackendError* e) {
  return translate_exceptions(e, [&] { *dropped = fft_plans().drop(id) ? 1 : 0; });
}
int32_t fft_plan_effort(int32_t, FftEffort effort, FftEffort* before, BackendError* e) {
  return translate_exceptions(e, [&] { *before = fft_plans().effort(effort); });
}
int32_t fft_wisdom(int32_t, std::string* text, BackendError* e) {
  return translate_exceptions(e, [&] { *text = fftw_wisdom(); });
}
int32_t fft_wisdom_import(int32_t, const char* text, BackendError* e) {
  return translate_exceptions(e, [&] {
    if (text == nullptr) return fftw_forget_wisdom();
    fftw_import_wisdom(text);
    fft_plans().clear();  // which was made with less effort
  });
}

}  // namespace

const FftApi fft_api = {
    .fft = entry<fft, FftCall>,
    .fused = nullptr,
    .cosine = entry<cosine, CosineCall>,
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

}  // namespace arr::host
