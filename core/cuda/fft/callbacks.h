// SPDX-License-Identifier: MIT
// Programs as load and store callbacks of a plan of cuFFT: their LTO-IR, and the device memory that holds
// a call's parameters for them (decision 0022).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cuda/codegen/kernels.h"
#include "cuda/fft/emit_callback.h"

namespace arr::cuda {

// A callback of a plan, printed and compiled.
struct FftCallback {
  std::string name;  // of its function
  std::vector<char> image;
  cufftXtCallbackType type = 0;
};
FftCallback make_callback(int arch, const Program& p, const ElementwiseShape& s, CallbackKind kind);

// cuFFT's refusal of a plan with callbacks, for other reasons than memory or the device.
struct FftRefused : Error {
  using Error::Error;
};

// Why there are none in this process, or nullptr.
const char* no_callbacks();

// The callbacks of a plan. Its calls come one after the other in whatever streams, for each writes its
// parameters over those of the call before it. The plan guards this.
class FftCallbacks {
 public:
  // The parameters of a call; of a kind that the plan does not have nullptr.
  using Parameters = std::array<Arguments*, 2>;
  // In the order of CallbackKind; without an image there is none. words: of the parameters of each.
  FftCallbacks(Device& d, std::array<FftCallback, 2> callbacks, const std::array<int32_t, 2>& words);
  FftCallbacks(const FftCallbacks&) = delete;
  FftCallbacks& operator=(const FftCallbacks&) = delete;
  ~FftCallbacks();

  // Between cufftCreate and the making of the plan, which reads names and images again.
  cufftResult set(cufftHandle plan) const;
  [[nodiscard]] int64_t bytes() const { return bytes_; }

  // The work that a call enqueues between construction and destruction runs after that of earlier calls.
  class Use {
   public:
    Use(FftCallbacks& of, Device& d, const Parameters& parameters, Stream& s);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    FftCallbacks& of_;
    Device& device_;
    Stream& stream_;
  };

  void finish(Device& d) noexcept;  // waits for the last call
  // The driver's result for a new event: CUDA_SUCCESS, or the device's error.
  [[nodiscard]] CUresult state() const { return driver().cuEventQuery(event_); }

 private:
  void write(Device& d, const Parameters& parameters, Stream& s);
  void mark(Device& d, Stream& s) noexcept;
  int32_t device_;
  std::array<FftCallback, 2> callbacks_;
  std::array<int64_t, 2> places_{};  // in the memory
  int64_t bytes_ = 0;
  CUdeviceptr memory_ = 0;
  CUevent event_ = nullptr;  // recorded after the last call
  bool used_ = false;
};

}  // namespace arr::cuda
