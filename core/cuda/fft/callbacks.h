// SPDX-License-Identifier: MIT
// Programs as load and store callbacks of a plan of cuFFT: their LTO-IR, and device memory with a call's
// parameters for them (decision 0022).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cuda/codegen/kernels.h"
#include "cuda/fft/emit_callback.h"

namespace arr::cuda {

// A callback of a plan, as text and compiled.
struct FftCallback {
  std::string name;  // name of its function
  std::vector<char> image;
  cufftXtCallbackType type = 0;
};
FftCallback make_callback(int arch, const Program& p, const ElementwiseShape& s, CallbackKind kind);

// cuFFT refused a plan with callbacks, for other reasons than memory or the device.
struct FftRefused : Error {
  using Error::Error;
};

// The reason why this process has none, or nullptr.
const char* no_callbacks();

// The callbacks of a plan. Its calls run one after the other, in any streams, because each overwrites the
// parameters of the call before. The plan serialises them.
class FftCallbacks {
 public:
  // The parameters of a call; nullptr for a kind that the plan does not have.
  using Parameters = std::array<Arguments*, 2>;
  // In the order of CallbackKind; a callback without an image does not exist. words: number of parameters of
  // each.
  FftCallbacks(Device& d, std::array<FftCallback, 2> callbacks, const std::array<int32_t, 2>& words);
  FftCallbacks(const FftCallbacks&) = delete;
  FftCallbacks& operator=(const FftCallbacks&) = delete;
  ~FftCallbacks();

  // Called between cufftCreate and the creation of the plan, which reads names and images again.
  cufftResult set(cufftHandle plan) const;
  [[nodiscard]] int64_t bytes() const { return bytes_; }

  // Orders the work that a call enqueues between construction and destruction after that of earlier calls.
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
  std::array<int64_t, 2> offsets_{};  // offset in the memory
  int64_t bytes_ = 0;
  CUdeviceptr memory_ = 0;
  CUevent event_ = nullptr;  // recorded after the last call
  bool used_ = false;
};

}  // namespace arr::cuda
