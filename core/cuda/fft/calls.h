// SPDX-License-Identifier: MIT
// Work of the CUDA backend: Fourier transforms. A function enqueues in the stream of its call.
#pragma once

#include <memory>

namespace arr {

struct FftCall;
struct FusedFftCall;
class PlanSet;

namespace cuda {

class Device;
struct Stream;

void fft(Device& d, const FftCall& c, Stream& s);
void fft_fused(Device& d, const FusedFftCall& c, Stream& s);
void plan_fft(Device& d, const FftCall& c, std::shared_ptr<PlanSet>* book, Stream& s);

}  // namespace cuda

}  // namespace arr
