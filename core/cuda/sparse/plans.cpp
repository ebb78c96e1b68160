// SPDX-License-Identifier: MIT
// Descriptors, analyses and buffers of cuSPARSE.
#include "cuda/sparse/plans.h"

#include <algorithm>
#include <complex>

namespace arr::cuda {

namespace {

// More plans than this of one pattern are not kept: the oldest goes.
constexpr size_t max_plans = 8;
constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

// Numbers by address, whose first bytes are those of the real type.
struct Factors {
  const void *one, *zero;
};
Factors factors(cudaDataType compute) {
  static constexpr std::complex<double> one{1}, zero{0};
  static constexpr std::complex<float> short_one{1};
  const bool wide = compute == CUDA_R_64F || compute == CUDA_C_64F;
  return {wide ? static_cast<const void*>(&one) : &short_one, &zero};
}

cusparseIndexType_t index_type(DType d) {
  return d == DType::int32_ ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

}  // namespace

void check_sparse(Device& d, cusparseStatus_t r, const char* function, const Stream& s) {
  if (r == CUSPARSE_STATUS_SUCCESS) return;
  // cuSPARSE hides the driver's error; a poisoned context returns it again.
  const CUresult state = driver().cuStreamQuery(s.handle);
  if (state != CUDA_ERROR_NOT_READY) d.check(state, function, &s);
  const bool memory = r == CUSPARSE_STATUS_ALLOC_FAILED || r == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  fail(memory                               ? ARR_E_MEMORY
       : r == CUSPARSE_STATUS_NOT_SUPPORTED ? ARR_E_UNSUPPORTED
                                            : ARR_E_DEVICE,
       function, ": ", cusparse().cusparseGetErrorName(r));
}

CusparsePlan::CusparsePlan(Device& d, Stream& s, const SparseWork& of, const SparseOperands& first)
    : work(of), vector_(of.columns == 1), device_(d.index) {
  try {
    describe(d, s, first);
    work.kind == SparseWork::Kind::product ? prepare_product(d, s) : prepare_solve(d, s);
  } catch (const Error& e) {
    if (e.status() != ARR_E_UNSUPPORTED) throw;
    offered_ = false;
    buffer_ = std::make_unique<StreamMemory>(d, s, 0);
  }
}

CusparsePlan::~CusparsePlan() {
  Device* d = Device::find(device_);
  if (d == nullptr || d->lost()) {
    // The device is gone, and what the analyses have on it.
    static_cast<void>(solve_.release());
    static_cast<void>(solve_all_.release());
    return;
  }
  const Current current(*d, std::nothrow);
  solve_.reset();
  solve_all_.reset();
}

// f(table, handle), with the stream's lock.
template <class F>
void CusparsePlan::call(Device& d, Stream& s, const char* function, F&& f) {
  cusparseStatus_t r = CUSPARSE_STATUS_SUCCESS;
  {
    const std::lock_guard lock(s.mutex);
    r = f(cusparse(), sparse_handle(s));
  }
  check_sparse(d, r, function, s);
}

void CusparsePlan::describe(Device& d, Stream& s, const SparseOperands& first) {
  const Cusparse& c = cusparse();
  const cudaDataType type = data_type(work.dtype);
  const auto writable = [](const void* p) { return const_cast<void*>(p); };
  const auto made = [&](auto& owner, const char* function, auto&& create) {
    typename std::remove_reference_t<decltype(owner)>::pointer fresh = nullptr;
    check_sparse(d, create(&fresh), function, s);
    owner.reset(fresh);
  };
  made(a_, "cusparseCreateCsr", [&](cusparseSpMatDescr_t* out) {
    return c.cusparseCreateCsr(out, work.rows, work.inner, work.nnz, writable(work.pointers),
                               writable(work.indices), writable(first.data), index_type(work.index_type),
                               index_type(work.index_type), CUSPARSE_INDEX_BASE_ZERO, type);
  });
  if (vector_) {
    made(from_, "cusparseCreateDnVec", [&](cusparseDnVecDescr_t* out) {
      return c.cusparseCreateDnVec(out, work.inner, writable(first.from), type);
    });
    made(to_, "cusparseCreateDnVec",
         [&](cusparseDnVecDescr_t* out) { return c.cusparseCreateDnVec(out, work.rows, first.to, type); });
  } else {
    made(from_all_, "cusparseCreateDnMat", [&](cusparseDnMatDescr_t* out) {
      return c.cusparseCreateDnMat(out, work.inner, work.columns, work.ld, writable(first.from), type,
                                   CUSPARSE_ORDER_ROW);
    });
    made(to_all_, "cusparseCreateDnMat", [&](cusparseDnMatDescr_t* out) {
      return c.cusparseCreateDnMat(out, work.rows, work.columns, work.ld, first.to, type, CUSPARSE_ORDER_ROW);
    });
  }
  if (work.kind == SparseWork::Kind::product) return;
  describe_triangle(d, s);
  if (vector_) {
    made(solve_, "cusparseSpSV_createDescr",
         [&](cusparseSpSVDescr_t* out) { return c.cusparseSpSV_createDescr(out); });
  } else {
    made(solve_all_, "cusparseSpSM_createDescr",
         [&](cusparseSpSMDescr_t* out) { return c.cusparseSpSM_createDescr(out); });
  }
}

void CusparsePlan::describe_triangle(Device& d, Stream& s) {
  const auto set = [&](cusparseSpMatAttribute_t attribute, int value) {
    check_sparse(d, cusparse().cusparseSpMatSetAttribute(a_.get(), attribute, &value, sizeof value),
                 "cusparseSpMatSetAttribute", s);
  };
  set(CUSPARSE_SPMAT_FILL_MODE, work.lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER);
  set(CUSPARSE_SPMAT_DIAG_TYPE, work.unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
}

// Gets the buffer of the size that `sized` finds, for `prepared`.
template <class Sized, class Prepared>
void CusparsePlan::prepare(Device& d, Stream& s, const char* sizing, const char* preparing, Sized&& sized,
                           Prepared&& prepared) {
  size_t bytes = 0;
  call(d, s, sizing, [&](const Cusparse& c, cusparseHandle_t h) { return sized(c, h, &bytes); });
  buffer_ = std::make_unique<StreamMemory>(d, s, static_cast<int64_t>(bytes));
  call(d, s, preparing,
       [&](const Cusparse& c, cusparseHandle_t h) { return prepared(c, h, buffer_->data()); });
}

void CusparsePlan::prepare_product(Device& d, Stream& s) {
  const cudaDataType compute = data_type(compute_type(work.dtype));
  const Factors f = factors(compute);
  if (vector_) {
    prepare(
        d, s, "cusparseSpMV_bufferSize", "cusparseSpMV_preprocess",
        [&](const Cusparse& c, cusparseHandle_t h, size_t* bytes) {
          return c.cusparseSpMV_bufferSize(h, plain, f.one, a_.get(), from_.get(), f.zero, to_.get(), compute,
                                           CUSPARSE_SPMV_CSR_ALG2, bytes);
        },
        [&](const Cusparse& c, cusparseHandle_t h, void* buffer) {
          if (c.cusparseSpMV_preprocess == nullptr) return CUSPARSE_STATUS_SUCCESS;  // before CUDA 12.4
          return c.cusparseSpMV_preprocess(h, plain, f.one, a_.get(), from_.get(), f.zero, to_.get(), compute,
                                           CUSPARSE_SPMV_CSR_ALG2, buffer);
        });
  } else {
    prepare(
        d, s, "cusparseSpMM_bufferSize", "cusparseSpMM_preprocess",
        [&](const Cusparse& c, cusparseHandle_t h, size_t* bytes) {
          return c.cusparseSpMM_bufferSize(h, plain, plain, f.one, a_.get(), from_all_.get(), f.zero,
                                           to_all_.get(), compute, CUSPARSE_SPMM_CSR_ALG3, bytes);
        },
        [&](const Cusparse& c, cusparseHandle_t h, void* buffer) {
          return c.cusparseSpMM_preprocess(h, plain, plain, f.one, a_.get(), from_all_.get(), f.zero,
                                           to_all_.get(), compute, CUSPARSE_SPMM_CSR_ALG3, buffer);
        });
  }
}

void CusparsePlan::prepare_solve(Device& d, Stream& s) {
  const cudaDataType compute = data_type(work.dtype);
  const Factors f = factors(compute);
  if (vector_) {
    prepare(
        d, s, "cusparseSpSV_bufferSize", "cusparseSpSV_analysis",
        [&](const Cusparse& c, cusparseHandle_t h, size_t* bytes) {
          return c.cusparseSpSV_bufferSize(h, plain, f.one, a_.get(), from_.get(), to_.get(), compute,
                                           CUSPARSE_SPSV_ALG_DEFAULT, solve_.get(), bytes);
        },
        [&](const Cusparse& c, cusparseHandle_t h, void* buffer) {
          return c.cusparseSpSV_analysis(h, plain, f.one, a_.get(), from_.get(), to_.get(), compute,
                                         CUSPARSE_SPSV_ALG_DEFAULT, solve_.get(), buffer);
        });
  } else {
    prepare(
        d, s, "cusparseSpSM_bufferSize", "cusparseSpSM_analysis",
        [&](const Cusparse& c, cusparseHandle_t h, size_t* bytes) {
          return c.cusparseSpSM_bufferSize(h, plain, plain, f.one, a_.get(), from_all_.get(), to_all_.get(),
                                           compute, CUSPARSE_SPSM_ALG_DEFAULT, solve_all_.get(), bytes);
        },
        [&](const Cusparse& c, cusparseHandle_t h, void* buffer) {
          return c.cusparseSpSM_analysis(h, plain, plain, f.one, a_.get(), from_all_.get(), to_all_.get(),
                                         compute, CUSPARSE_SPSM_ALG_DEFAULT, solve_all_.get(), buffer);
        });
  }
}

// The analysis has copies of the values.
void CusparsePlan::update(Device& d, Stream& s, const SparseOperands& now) {
  const auto values = const_cast<void*>(now.data);
  if (vector_ && cusparse().cusparseSpSV_updateMatrix != nullptr) {
    call(d, s, "cusparseSpSV_updateMatrix", [&](const Cusparse& c, cusparseHandle_t h) {
      return c.cusparseSpSV_updateMatrix(h, solve_.get(), values, CUSPARSE_SPSV_UPDATE_GENERAL);
    });
  } else if (!vector_ && cusparse().cusparseSpSM_updateMatrix != nullptr) {
    call(d, s, "cusparseSpSM_updateMatrix", [&](const Cusparse& c, cusparseHandle_t h) {
      return c.cusparseSpSM_updateMatrix(h, solve_all_.get(), values, CUSPARSE_SPSM_UPDATE_GENERAL);
    });
  } else {
    // Before CUDA 12.4: all again.
    solve_.reset();
    solve_all_.reset();
    describe(d, s, now);
    prepare_solve(d, s);
  }
}

cusparseStatus_t CusparsePlan::compute(cusparseHandle_t h) {
  const Cusparse& c = cusparse();
  const cudaDataType type = data_type(compute_type(work.dtype));
  const Factors f = factors(type);
  void* buffer = buffer_->data();
  if (work.kind == SparseWork::Kind::product) {
    return vector_ ? c.cusparseSpMV(h, plain, f.one, a_.get(), from_.get(), f.zero, to_.get(), type,
                                    CUSPARSE_SPMV_CSR_ALG2, buffer)
                   : c.cusparseSpMM(h, plain, plain, f.one, a_.get(), from_all_.get(), f.zero, to_all_.get(),
                                    type, CUSPARSE_SPMM_CSR_ALG3, buffer);
  }
  return vector_ ? c.cusparseSpSV_solve(h, plain, f.one, a_.get(), from_.get(), to_.get(), type,
                                        CUSPARSE_SPSV_ALG_DEFAULT, solve_.get())
                 : c.cusparseSpSM_solve(h, plain, plain, f.one, a_.get(), from_all_.get(), to_all_.get(),
                                        type, CUSPARSE_SPSM_ALG_DEFAULT, solve_all_.get());
}

void CusparsePlan::run(Device& d, Stream& s, const SparseOperands& now, bool same_data) {
  const bool product = work.kind == SparseWork::Kind::product;
  if (!product && !same_data) update(d, s, now);
  const auto set = [&](const char* function, cusparseStatus_t r) { check_sparse(d, r, function, s); };
  const Cusparse& c = cusparse();
  const auto from = const_cast<void*>(now.from);
  set("cusparseSpMatSetValues", c.cusparseSpMatSetValues(a_.get(), const_cast<void*>(now.data)));
  if (vector_) {
    set("cusparseDnVecSetValues", c.cusparseDnVecSetValues(from_.get(), from));
    set("cusparseDnVecSetValues", c.cusparseDnVecSetValues(to_.get(), now.to));
  } else {
    set("cusparseDnMatSetValues", c.cusparseDnMatSetValues(from_all_.get(), from));
    set("cusparseDnMatSetValues", c.cusparseDnMatSetValues(to_all_.get(), now.to));
  }
  const char* function = product ? (vector_ ? "cusparseSpMV" : "cusparseSpMM")
                                 : (vector_ ? "cusparseSpSV_solve" : "cusparseSpSM_solve");
  s.last_work.store(function, std::memory_order_relaxed);
  call(d, s, function, [&](const Cusparse&, cusparseHandle_t h) { return compute(h); });
}

bool run_by_plan(Device& d, Stream& s, const SparseWork& work, const SparseOperands& now, bool same_data,
                 const std::shared_ptr<SparsePlans>& kept) {
  SparsePlans own;
  SparsePlans& plans = kept != nullptr ? *kept : own;
  // To the end: a plan's values are those of one call at a time.
  const std::lock_guard lock(plans.mutex);
  auto& all = plans.all;
  std::shared_ptr<CusparsePlan> plan;
  for (auto i = all.begin(); i != all.end(); ++i) {
    auto found = std::static_pointer_cast<CusparsePlan>(*i);
    if (found->work != work || !found->belongs_to(s)) continue;
    plan = std::move(found);
    std::rotate(i, i + 1, all.end());
    break;
  }
  const bool fresh = plan == nullptr;
  if (fresh) {
    plan = std::make_shared<CusparsePlan>(d, s, work, now);
    if (all.size() >= max_plans) all.erase(all.begin());
    all.push_back(plan);
  }
  if (!plan->offered()) return false;
  try {
    plan->run(d, s, now, fresh || same_data);
  } catch (const Error& e) {
    if (e.status() == ARR_E_UNSUPPORTED) {
      plan->refuse();
      return false;
    }
    all.pop_back();  // an update that failed leaves values that are not known
    throw;
  }
  return true;
}

}  // namespace arr::cuda
