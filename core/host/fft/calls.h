// SPDX-License-Identifier: MIT
// Work of the host: Fourier and cosine transforms. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

#include <memory>

namespace arr {

struct CosineCall;
struct FftCall;
class PlanSet;

namespace host {

void fft(const FftCall& call);
void plan_fft(const FftCall& call, std::shared_ptr<PlanSet>* book);
void cosine(const CosineCall& call);

}  // namespace host

}  // namespace arr
