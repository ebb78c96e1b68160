// SPDX-License-Identifier: MIT
// The work of the CUDA backend: a function per call, which enqueues in the call's stream.
#pragma once

#include <memory>
#include <string>

#include "backend/operand.h"
#include "cuda/device/device.h"

namespace arr {

// backend/<family>.h
struct BlocksCall;
struct ElementwiseCall;
struct FftCall;
struct FusedFftCall;
struct LinalgCall;
struct MatmulCall;
struct QuantileCall;
struct ReduceCall;
struct ScanCall;
struct ScatterCall;
struct SegmentsCall;
struct SortCall;
class PlanSet;

}  // namespace arr

namespace arr::cuda {

void elementwise(Device& d, const ElementwiseCall& c, Stream& s);
void reduce(Device& d, const ReduceCall& c, Stream& s);
void blocks(Device& d, const BlocksCall& c, Stream& s);
void scan(Device& d, const ScanCall& c, Stream& s);
void quantiles(Device& d, const QuantileCall& c, Stream& s);
void sort(Device& d, const SortCall& c, Stream& s);
void segments(Device& d, const SegmentsCall& c, Stream& s);
void scatter(Device& d, const ScatterCall& c, Stream& s);
void matmul(Device& d, const MatmulCall& c, Stream& s);
void linalg(Device& d, const LinalgCall& c, Stream& s);

// The stream's handle of cuBLAS; the caller holds the stream's lock, for a handle is one thread's at a time.
cublasHandle_t blas_handle(Stream& s);
// Its cuSOLVER, made on first use; under the same lock.
Solver solver_handle(Stream& s);
// Throws for a failed call of cuBLAS or cuBLASLt, with the driver's error.
void check_blas(Device& d, cublasStatus_t r, const char* function, Stream& s, const char* status = nullptr);
// The workspace size of cuBLAS and cuBLASLt that NVIDIA recommends for the architecture.
int64_t blas_workspace(const Device& d);
void fft(Device& d, const FftCall& c, Stream& s);
void fft_fused(Device& d, const FusedFftCall& c, Stream& s);
void plan_fft(Device& d, const FftCall& c, std::shared_ptr<PlanSet>* book, Stream& s);

// The kernel that elementwise() would launch, without the functions that all kernels share.
std::string elementwise_text(const ElementwiseCall& c);
std::string reduction_text(const ReduceCall& c);
std::string scan_text(const ScanCall& c);

// Bytes that operand strides reach from the first element, as an upper bound of any offset.
int64_t reach(int32_t ndim, const int64_t* shape, const int64_t* strides);
inline constexpr int64_t int32_most = 0x7fffffff;
// Returns whether neighbours in memory belong to different rows: a kept dimension has the least stride.
bool kept_runs_fastest(const Operand& o, int32_t nkept, int32_t ndim, const int64_t* shape);

// A block of the pool for the work that is enqueued in this scope.
class Scratch {
 public:
  Scratch(Device& d, Stream& s, int64_t bytes)
      : device_(d), stream_(s), bytes_(bytes), block_(d.pool.allocate(bytes, s)) {}
  ~Scratch() { device_.pool.release(block_, bytes_, stream_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] void* data() const { return reinterpret_cast<void*>(block_); }

 private:
  Device& device_;
  Stream& stream_;
  int64_t bytes_;
  CUdeviceptr block_;
};

// The stream's cuBLAS for one function, with a workspace of the pool and the stream's lock. Users may have
// the handle too (arr_library_handle): afterwards it has cuBLAS's own workspace again.
class BlasCall {
 public:
  BlasCall(Device& d, Stream& s);
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;
  [[nodiscard]] cublasHandle_t handle() const { return handle_; }

 private:
  Stream& stream_;
  const Scratch workspace_;
  const std::lock_guard<std::mutex> lock_;
  cublasHandle_t handle_;
};

}  // namespace arr::cuda
