// SPDX-License-Identifier: MIT
// Work of cuSPARSE with a matrix in rows: descriptors, analyses and buffers, which are kept with the matrix.
#pragma once

#include <memory>

#include "array/dtype.h"
#include "backend/sparse_plans.h"
#include "cuda/device/data_type.h"
#include "cuda/device/library_handles.h"
#include "cuda/device/stream_memory.h"

namespace arr::cuda {

// Throws for a failed call of cuSPARSE, with the driver's error.
void check_sparse(Device& d, cusparseStatus_t r, const char* function, const Stream& s);

// A matrix of rows x inner elements, its values, and `columns` columns of two dense matrices in rows of ld
// elements.
struct SparseWork {
  enum class Kind : int32_t { product, triangular };
  Kind kind = Kind::product;
  DType dtype = DType::none, index_type = DType::none;
  bool lower = false, unit = false;  // of a triangular solve
  int64_t rows = 0, inner = 0, nnz = 0, columns = 0, ld = 0;
  const void* pointers = nullptr;
  const void* indices = nullptr;
  friend bool operator==(const SparseWork&, const SparseWork&) = default;
};
// The operands, which differ between calls of the same work. to = a from, or to = a^-1 from.
struct SparseOperands {
  const void* data = nullptr;
  const void* from = nullptr;
  void* to = nullptr;
};

template <auto Destroy>
struct SparseEnd {
  template <class T>
  void operator()(T* x) const {
    (cusparse().*Destroy)(x);
  }
};

class CusparsePlan final : public SparsePlan {
 public:
  // Describes and analyses; enqueues in s.
  CusparsePlan(Device& d, Stream& s, const SparseWork& of, const SparseOperands& first);
  ~CusparsePlan() override;
  // In the plan's stream, by one thread at a time. same_data: the values are those of the call before.
  void run(Device& d, Stream& s, const SparseOperands& now, bool same_data);

  const SparseWork work;
  [[nodiscard]] bool belongs_to(const Stream& s) const { return buffer_ && buffer_->belongs_to(s); }
  // False if cuSPARSE does not have this work.
  [[nodiscard]] bool offered() const noexcept { return offered_; }
  void refuse() noexcept { offered_ = false; }

 private:
  template <class F>
  void call(Device& d, Stream& s, const char* function, F&& f);
  void describe(Device& d, Stream& s, const SparseOperands& first);
  void describe_triangle(Device& d, Stream& s);
  template <class Sized, class Prepared>
  void prepare(Device& d, Stream& s, const char* sizing, const char* preparing, Sized&& sized,
               Prepared&& prepared);
  void prepare_product(Device& d, Stream& s);
  void prepare_solve(Device& d, Stream& s);
  void update(Device& d, Stream& s, const SparseOperands& now);
  cusparseStatus_t compute(cusparseHandle_t handle);

  const bool vector_;
  bool offered_ = true;
  int32_t device_;
  std::unique_ptr<StreamMemory> buffer_;
  std::unique_ptr<cusparseSpMatDescr, SparseEnd<&Cusparse::cusparseDestroySpMat>> a_;
  std::unique_ptr<cusparseDnVecDescr, SparseEnd<&Cusparse::cusparseDestroyDnVec>> from_, to_;
  std::unique_ptr<cusparseDnMatDescr, SparseEnd<&Cusparse::cusparseDestroyDnMat>> from_all_, to_all_;
  std::unique_ptr<cusparseSpSVDescr, SparseEnd<&Cusparse::cusparseSpSV_destroyDescr>> solve_;
  std::unique_ptr<cusparseSpSMDescr, SparseEnd<&Cusparse::cusparseSpSM_destroyDescr>> solve_all_;
};

// Runs the work by a kept plan, or by a new one, which is then kept. False if cuSPARSE
// does not have the work; then nothing is enqueued. The stream is not captured.
bool run_by_plan(Device& d, Stream& s, const SparseWork& work, const SparseOperands& now, bool same_data,
                 const std::shared_ptr<SparsePlans>& kept);

}  // namespace arr::cuda
