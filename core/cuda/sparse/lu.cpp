// SPDX-License-Identifier: MIT
// Factors of sparse matrices by cuDSS: LU, and L L' and L D L' of Hermitian ones.
#include <limits>
#include <map>
#include <vector>

#include "backend/linalg.h"
#include "backend/sparse.h"
#include "cuda/device/scratch.h"
#include "cuda/sparse/calls.h"
#include "cuda/sparse/plans.h"

namespace arr::cuda {

namespace {

// A device's handle of cuDSS, whose stream is that of the call which has the lock.
struct DssHandle {
  std::mutex mutex;
  cudssHandle_t handle = nullptr;
};

DssHandle& handle_of(int32_t device) {
  static auto* mutex = new std::mutex;
  static auto* all = new std::map<int32_t, DssHandle>;
  const std::lock_guard lock(*mutex);
  return (*all)[device];
}

void check_dss(Device& d, cudssStatus_t r, const char* function, const Stream& s) {
  if (r == CUDSS_STATUS_SUCCESS) return;
  static constexpr const char* names[] = {"SUCCESS",        "NOT_INITIALIZED", "ALLOC_FAILED",
                                          "INVALID_VALUE",  "NOT_SUPPORTED",   "EXECUTION_FAILED",
                                          "INTERNAL_ERROR", "IR_FAILED"};
  // cuDSS hides the driver's error; a poisoned context returns it again.
  const CUresult state = driver().cuStreamQuery(s.handle);
  if (state != CUDA_ERROR_NOT_READY) d.check(state, function, &s);
  const bool known = r > 0 && r < static_cast<int>(std::size(names));
  fail(r == CUDSS_STATUS_ALLOC_FAILED    ? ARR_E_MEMORY
       : r == CUDSS_STATUS_NOT_SUPPORTED ? ARR_E_UNSUPPORTED
                                         : ARR_E_DEVICE,
       function, ": CUDSS_STATUS_", known ? names[r] : "unknown", " (", r, ")");
}

template <auto Destroy>
struct DssEnd {
  template <class T>
  void operator()(T* x) const {
    (cudss().*Destroy)(x);
  }
};
using DssConfig = std::unique_ptr<cudssConfig, DssEnd<&Cudss::cudssConfigDestroy>>;
using DssMatrix = std::unique_ptr<cudssMatrix, DssEnd<&Cudss::cudssMatrixDestroy>>;

// The handle for one call, with its lock and stream.
class DssCall {
 public:
  DssCall(Device& device, Stream& stream)
      : d(device), s(stream), of_(handle_of(device.index)), lock_(of_.mutex) {
    if (of_.handle == nullptr) check(cudss().cudssCreate(&of_.handle), "cudssCreate");
    check(cudss().cudssSetStream(of_.handle, s.handle), "cudssSetStream");
  }
  void check(cudssStatus_t r, const char* function) const { check_dss(d, r, function, s); }
  [[nodiscard]] cudssHandle_t handle() const { return of_.handle; }
  [[nodiscard]] DssHandle& of() const { return of_; }
  [[nodiscard]] DssMatrix dense(int64_t rows, int64_t columns, const void* values, cudaDataType type) const {
    cudssMatrix_t fresh = nullptr;
    check(cudss().cudssMatrixCreateDn(&fresh, rows, columns, rows, values, type, CUDSS_LAYOUT_COL_MAJOR),
          "cudssMatrixCreateDn");
    return DssMatrix(fresh);
  }

  Device& d;
  Stream& s;

 private:
  DssHandle& of_;
  const std::lock_guard<std::mutex> lock_;
};

// cuDSS's data for one matrix.
class DssData {
 public:
  DssData() = default;
  ~DssData() { reset(); }
  DssData(const DssData&) = delete;
  DssData& operator=(const DssData&) = delete;
  void create(const DssCall& call) {
    of_ = &call.of();
    call.check(cudss().cudssDataCreate(of_->handle, &data_), "cudssDataCreate");
  }
  void reset() noexcept {
    if (data_ == nullptr) return;
    const std::lock_guard lock(of_->mutex);
    cudss().cudssDataDestroy(of_->handle, data_);
    data_ = nullptr;
  }
  // For a device that is gone, and its memory with it.
  void forget() noexcept { data_ = nullptr; }
  [[nodiscard]] cudssData_t get() const { return data_; }
  template <class T>
  T number(const DssCall& call, cudssDataParam_t what) const {
    T x = 0;
    size_t written = 0;
    call.check(cudss().cudssDataGet(of_->handle, data_, what, &x, sizeof x, &written), "cudssDataGet");
    return x;
  }

 private:
  DssHandle* of_ = nullptr;
  cudssData_t data_ = nullptr;
};

class DssLu final : public SparseLu {
 public:
  // Factors. The arrays of the call live as long as this.
  DssLu(Device& d, const SparseLuCall& c, Stream& s);
  ~DssLu() override;
  void solve(Device& d, const SparseLuSolveCall& c, Stream& s) const;

 private:
  void configure(const DssCall& call, DType dtype);
  template <class T>
  void set(const DssCall& call, cudssConfigParam_t what, T value) const {
    call.check(cudss().cudssConfigSet(config_.get(), what, &value, sizeof value), "cudssConfigSet");
  }
  void check_factors(const DssCall& call);

  const SparseLuOptions::Hermitian hermitian_;
  const int32_t device_;
  DssConfig config_;
  DssMatrix matrix_;
  DssData data_;
  std::vector<int> order_;  // of columns, for other values of the same elements
  CUevent last_ = nullptr;  // after the last solve: solves of several streams share cuDSS's memory
};

void DssLu::configure(const DssCall& call, DType dtype) {
  cudssConfig_t fresh = nullptr;
  call.check(cudss().cudssConfigCreate(&fresh), "cudssConfigCreate");
  config_.reset(fresh);
  set(call, CUDSS_CONFIG_DETERMINISTIC_MODE, 1);
  // Pivots of 0 alone are replaced, and counted: with cuDSS's own limit, factors of another matrix come out.
  const bool narrow = real_type(dtype) == DType::float32_;
  set(call, CUDSS_CONFIG_PIVOT_EPSILON,
      narrow ? double{std::numeric_limits<float>::min()} : std::numeric_limits<double>::min());
}

cudssMatrixType_t type_of(const SparseLuCall& c) {
  const bool real = real_type(c.dtype) == c.dtype;
  switch (c.options.hermitian) {
    case SparseLuOptions::Hermitian::definite:
      return real ? CUDSS_MTYPE_SPD : CUDSS_MTYPE_HPD;
    case SparseLuOptions::Hermitian::any:
      return real ? CUDSS_MTYPE_SYMMETRIC : CUDSS_MTYPE_HERMITIAN;
    default:
      return CUDSS_MTYPE_GENERAL;
  }
}

cudssMatrixViewType_t view_of(const SparseLuOptions& options) {
  if (options.hermitian == SparseLuOptions::Hermitian::none) return CUDSS_MVIEW_FULL;
  return options.upper ? CUDSS_MVIEW_UPPER : CUDSS_MVIEW_LOWER;
}

DssLu::DssLu(Device& d, const SparseLuCall& c, Stream& s)
    : hermitian_(c.options.hermitian), device_(d.index) {
  const DssCall call(d, s);
  const Cudss& lib = cudss();
  const cudaDataType type = data_type(c.dtype);
  configure(call, c.dtype);
  data_.create(call);
  cudssMatrix_t fresh = nullptr;
  call.check(
      lib.cudssMatrixCreateCsr(&fresh, c.n, c.n, c.nnz, c.pointers, nullptr, c.indices, c.data, CUDA_R_32I,
                               CUDA_R_32I, type, type_of(c), view_of(c.options), CUDSS_BASE_ZERO),
      "cudssMatrixCreateCsr");
  matrix_.reset(fresh);
  order_.resize(static_cast<size_t>(c.n));
  const size_t bytes = order_.size() * sizeof(int);
  if (c.like != nullptr) {
    const auto& like = static_cast<const DssLu&>(*c.like).order_;
    call.check(lib.cudssDataSet(call.handle(), data_.get(), CUDSS_DATA_USER_PERM, like.data(), bytes),
               "cudssDataSet");
  }
  const DssMatrix x = call.dense(c.n, 1, nullptr, type), b = call.dense(c.n, 1, nullptr, type);
  for (const int phase : {CUDSS_PHASE_ANALYSIS, CUDSS_PHASE_FACTORIZATION}) {
    call.check(
        lib.cudssExecute(call.handle(), phase, config_.get(), data_.get(), matrix_.get(), x.get(), b.get()),
        "cudssExecute");
  }
  check_factors(call);
  size_t written = 0;
  call.check(lib.cudssDataGet(call.handle(), data_.get(), CUDSS_DATA_PERM_REORDER_COL, order_.data(), bytes,
                              &written),
             "cudssDataGet");
  nnz = data_.number<int64_t>(call, CUDSS_DATA_LU_NNZ);
  last_ = d.take_event();
}

void DssLu::check_factors(const DssCall& call) {
  const int info = data_.number<int>(call, CUDSS_DATA_INFO);
  const int zeros = data_.number<int>(call, CUDSS_DATA_NPIVOTS);
  if (info == 0 && zeros == 0) return;
  using Hermitian = SparseLuOptions::Hermitian;
  fail(ARR_E_LINALG, "argument a: ",
       hermitian_ == Hermitian::definite ? "is not positive definite: "
       : hermitian_ == Hermitian::any    ? "has no factors L D L' by cuDSS; use arr_sparse_lu: "
                                         : "is singular, or needs more exchanges of rows than cuDSS tries: ",
       info != 0 ? text("its info is ", info) : text(zeros, " pivots are 0"));
}

DssLu::~DssLu() {
  Device* d = Device::find(device_);
  if (d == nullptr || d->lost()) {
    data_.forget();
    return;
  }
  const Current current(*d, std::nothrow);
  d->note(driver().cuEventSynchronize(last_), "cuEventSynchronize");
  d->give_event(last_);
  data_.reset();
}

void DssLu::solve(Device& d, const SparseLuSolveCall& c, Stream& s) const {
  const cudaDataType type = data_type(c.dtype);
  const int64_t bytes = checked::mul(c.n * c.columns, item_size(c.dtype), "the right-hand sides");
  const Scratch copied(d, s, bytes);
  d.check(
      driver().cuMemcpyDtoDAsync_v2(reinterpret_cast<CUdeviceptr>(copied.data()),
                                    reinterpret_cast<CUdeviceptr>(c.x), static_cast<size_t>(bytes), s.handle),
      "cuMemcpyDtoDAsync", &s);
  const DssCall call(d, s);
  d.check(driver().cuStreamWaitEvent(s.handle, last_, 0), "cuStreamWaitEvent", &s);
  set(call, CUDSS_CONFIG_SOLVE_MODE,
      c.op == LinalgOp::none        ? CUDSS_SOLVE_MODE_NORMAL
      : c.op == LinalgOp::transpose ? CUDSS_SOLVE_MODE_TRANSPOSE
                                    : CUDSS_SOLVE_MODE_CONJUGATE_TRANSPOSE);
  const DssMatrix x = call.dense(c.n, c.columns, c.x, type),
                  b = call.dense(c.n, c.columns, copied.data(), type);
  s.last_work.store("sparse solve by cuDSS", std::memory_order_relaxed);
  call.check(cudss().cudssExecute(call.handle(), CUDSS_PHASE_SOLVE, config_.get(), data_.get(), matrix_.get(),
                                  x.get(), b.get()),
             "cudssExecute");
  d.check(driver().cuEventRecord(last_, s.handle), "cuEventRecord", &s);
}

void refuse_captures(const Stream& s) {
  if (!s.capturing.load(std::memory_order_acquire)) return;
  fail(ARR_E_UNSUPPORTED, "work of cuDSS is not captured into graphs: it may wait for the device");
}

}  // namespace

void sparse_lu(Device& d, const SparseLuCall& c, Stream& s) {
  cudss();  // throws the reason before any work
  refuse_captures(s);
  *c.out = std::make_shared<DssLu>(d, c, s);
}

void sparse_lu_solve(Device& d, const SparseLuSolveCall& c, Stream& s) {
  refuse_captures(s);
  static_cast<const DssLu&>(*c.lu).solve(d, c, s);
}

}  // namespace arr::cuda
