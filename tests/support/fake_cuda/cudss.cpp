// SPDX-License-Identifier: MIT
// The fake cuDSS: dense LU by LAPACK, also of Hermitian matrices, in the order of the handle's stream.
// Factors are of the values at the time of the factorization; a matrix's arrays must be there for each phase.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cusparse.h"

namespace arr::fake {
namespace {

struct DssContext {
  CUstream stream = nullptr;
};
struct DssConfig {
  int mode = 0, deterministic = 0;
  double epsilon = 1e-13;
};
// The results of a factorization, which later work and queries share.
struct DssFactors {
  int n = 0, zeros = 0, info = 0;
  std::vector<char> lu;
  std::vector<int> pivots;
  int64_t nnz = 0;
};
struct DssData {
  std::shared_ptr<DssFactors> factors = std::make_shared<DssFactors>();
  std::vector<int> order;
  CUstream stream = nullptr;
  bool analysed = false, factored = false;
};
struct DssMatrix {
  bool sparse;
  SparseMatrix a;
  DenseOperand x;
  cudssMatrixType_t kind = CUDSS_MTYPE_GENERAL;
  cudssMatrixViewType_t view = CUDSS_MVIEW_FULL;
};

template <class Out, class In>
Out& as(In given) {
  return *reinterpret_cast<Out*>(given);
}

// Runs what is queued, as functions do that wait.
cudssStatus_t finish(CUstream stream) {
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDSS_STATUS_EXECUTION_FAILED;
  run(*s->queue, s->queue->queued);
  return CUDSS_STATUS_SUCCESS;
}

// Makes a column-major matrix of the triangle that its view names; the other one is not read.
template <class T>
void mirror(T* full, size_t n, const DssMatrix& m) {
  const bool conjugated = m.kind == CUDSS_MTYPE_HERMITIAN || m.kind == CUDSS_MTYPE_HPD;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j + 1; i < n; ++i) {
      T &below = full[j * n + i], &above = full[i * n + j];
      T& to = m.view == CUDSS_MVIEW_LOWER ? above : below;
      to = m.view == CUDSS_MVIEW_LOWER ? below : above;
      if constexpr (!std::is_floating_point_v<T>) {
        if (conjugated) to = std::conj(to);
      }
    }
  }
}

template <class T>
CUresult factorize(const DssMatrix& m, DssFactors& f, double epsilon) {
  const SparseMatrix& a = m.a;
  const auto n = static_cast<size_t>(a.rows);
  f.lu.assign(n * n * sizeof(T), 0);
  f.pivots.assign(n, 0);
  f.n = static_cast<int>(n);
  auto* full = reinterpret_cast<T*>(f.lu.data());
  const auto* values = static_cast<const T*>(a.values);
  for (size_t i = 0; i < n; ++i) {
    for (int64_t p = index_at(a.pointers, a.wide, static_cast<int64_t>(i));
         p < index_at(a.pointers, a.wide, static_cast<int64_t>(i) + 1); ++p) {
      full[static_cast<size_t>(index_at(a.indices, a.wide, p)) * n + i] = values[p];
    }
  }
  int info = 0;
  f.info = 0;
  if (m.kind != CUDSS_MTYPE_GENERAL) mirror(full, n, m);
  if (m.kind == CUDSS_MTYPE_SPD || m.kind == CUDSS_MTYPE_HPD) {
    std::vector<T> copy(full, full + n * n);
    if (const CUresult r = lapack<T>("potrf", "L", &f.n, copy.data(), &f.n, &f.info); r != CUDA_SUCCESS)
      return r;
  }
  const CUresult r = lapack<T>("getrf", &f.n, &f.n, full, &f.n, f.pivots.data(), &info);
  f.zeros = 0;
  for (size_t i = 0; i < n; ++i) {
    T& pivot = full[i * n + i];
    if (!(std::abs(pivot) > epsilon)) {
      ++f.zeros;
      pivot = T(1);
    }
  }
  f.nnz = static_cast<int64_t>(n) + a.nnz;
  return r;
}

template <class T>
CUresult solve(const DssFactors& f, const DenseOperand& b, const DenseOperand& x, int mode) {
  if (!there(b.values, b.ld * b.columns * static_cast<int64_t>(sizeof(T))) ||
      !there(x.values, x.ld * x.columns * static_cast<int64_t>(sizeof(T))))
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  std::memcpy(x.values, b.values, static_cast<size_t>(b.ld * b.columns) * sizeof(T));
  const char trans = mode == 0 ? 'N' : mode == 1 ? 'T' : 'C';
  const int columns = static_cast<int>(x.columns);
  int info = 0;
  return lapack<T>("getrs", &trans, &f.n, &columns, f.lu.data(), &f.n, f.pivots.data(), x.values, &f.n,
                   &info);
}

cudssStatus_t analyse(CUstream stream, DssData& d, const SparseMatrix& a) {
  if (!matrix_there(a) || a.rows != a.columns) return CUDSS_STATUS_INVALID_VALUE;
  d.stream = stream;
  if (d.order.empty()) {
    d.order.resize(static_cast<size_t>(a.rows));
    std::iota(d.order.rbegin(), d.order.rend(), 0);
  }
  d.analysed = d.order.size() == static_cast<size_t>(a.rows);
  return d.analysed ? finish(stream) : CUDSS_STATUS_INVALID_VALUE;
}

cudssStatus_t submit_dss(CUstream stream, std::function<CUresult()> work) {
  Stream* s = stream_of(stream);
  if (s == nullptr || s->capture != nullptr) return CUDSS_STATUS_EXECUTION_FAILED;
  enqueue(*s, std::move(work));
  return CUDSS_STATUS_SUCCESS;
}

template <class Out>
cudssStatus_t create(Out* out, auto fresh) {
  *out = reinterpret_cast<Out>(new decltype(fresh)(fresh));
  ++live().descriptions;
  return CUDSS_STATUS_SUCCESS;
}
template <class T, class Given>
cudssStatus_t destroy(Given x) {
  delete &as<T>(x);
  --live().descriptions;
  return CUDSS_STATUS_SUCCESS;
}

template <class T>
cudssStatus_t answer(void* to, size_t bytes, size_t* written, const T& value) {
  if (bytes < sizeof value) return CUDSS_STATUS_INVALID_VALUE;
  std::memcpy(to, &value, sizeof value);
  *written = sizeof value;
  return CUDSS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cudssStatus_t cudssGetProperty(libraryPropertyType property, int* value) {
  ARR_FAKE_ENTER(cudssGetProperty);
  *value = property == 0 ? 1 : 0;
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssCreate(cudssHandle_t* handle) {
  ARR_FAKE_ENTER(cudssCreate);
  if (current() == nullptr) return CUDSS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cudssHandle_t>(new DssContext);
  ++live().handles;
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssDestroy(cudssHandle_t handle) {
  ARR_FAKE_ENTER(cudssDestroy);
  delete &as<DssContext>(handle);
  --live().handles;
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssSetStream(cudssHandle_t handle, cudaStream_t stream) {
  ARR_FAKE_ENTER(cudssSetStream);
  as<DssContext>(handle).stream = stream;
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssConfigCreate(cudssConfig_t* config) {
  ARR_FAKE_ENTER(cudssConfigCreate);
  return create(config, DssConfig{});
}
cudssStatus_t cudssConfigDestroy(cudssConfig_t config) {
  ARR_FAKE_ENTER(cudssConfigDestroy);
  return destroy<DssConfig>(config);
}
cudssStatus_t cudssConfigSet(cudssConfig_t config, cudssConfigParam_t parameter, const void* value,
                             size_t bytes) {
  ARR_FAKE_ENTER(cudssConfigSet);
  auto& c = as<DssConfig>(config);
  const bool number = parameter == CUDSS_CONFIG_PIVOT_EPSILON;
  if (bytes != (number ? sizeof(double) : sizeof(int))) return CUDSS_STATUS_INVALID_VALUE;
  if (number) c.epsilon = *static_cast<const double*>(value);
  if (parameter == CUDSS_CONFIG_SOLVE_MODE) c.mode = *static_cast<const int*>(value);
  if (parameter == CUDSS_CONFIG_DETERMINISTIC_MODE) c.deterministic = *static_cast<const int*>(value);
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssDataCreate(cudssHandle_t handle, cudssData_t* data) {
  ARR_FAKE_ENTER(cudssDataCreate);
  return handle == nullptr ? CUDSS_STATUS_NOT_INITIALIZED : create(data, DssData{});
}
cudssStatus_t cudssDataDestroy(cudssHandle_t handle, cudssData_t data) {
  ARR_FAKE_ENTER(cudssDataDestroy);
  return handle == nullptr ? CUDSS_STATUS_NOT_INITIALIZED : destroy<DssData>(data);
}
cudssStatus_t cudssDataSet(cudssHandle_t handle, cudssData_t data, cudssDataParam_t parameter,
                           const void* value, size_t bytes) {
  ARR_FAKE_ENTER(cudssDataSet);
  const auto* order = static_cast<const int*>(value);
  if (handle == nullptr || parameter != CUDSS_DATA_USER_PERM) return CUDSS_STATUS_NOT_SUPPORTED;
  as<DssData>(data).order.assign(order, order + bytes / sizeof(int));
  return CUDSS_STATUS_SUCCESS;
}
cudssStatus_t cudssDataGet(cudssHandle_t handle, cudssData_t data, cudssDataParam_t parameter, void* value,
                           size_t bytes, size_t* written) {
  ARR_FAKE_ENTER(cudssDataGet);
  const auto& d = as<DssData>(data);
  if (handle == nullptr || !d.factored) return CUDSS_STATUS_INVALID_VALUE;
  if (const cudssStatus_t r = finish(d.stream); r != CUDSS_STATUS_SUCCESS) return r;
  switch (parameter) {
    case CUDSS_DATA_INFO:
      return answer(value, bytes, written, d.factors->info);
    case CUDSS_DATA_NPIVOTS:
      return answer(value, bytes, written, d.factors->zeros);
    case CUDSS_DATA_LU_NNZ:
      return answer(value, bytes, written, d.factors->nnz);
    case CUDSS_DATA_PERM_REORDER_COL:
      *written = d.order.size() * sizeof(int);
      if (bytes < *written) return CUDSS_STATUS_INVALID_VALUE;
      std::memcpy(value, d.order.data(), *written);
      return CUDSS_STATUS_SUCCESS;
    default:
      return CUDSS_STATUS_NOT_SUPPORTED;
  }
}
cudssStatus_t cudssMatrixCreateCsr(cudssMatrix_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
                                   const void* begins, const void* ends, const void* indices,
                                   const void* values, cudaDataType offset_type, cudaDataType index_type,
                                   cudaDataType type, cudssMatrixType_t kind, cudssMatrixViewType_t view,
                                   cudssIndexBase_t base) {
  ARR_FAKE_ENTER(cudssMatrixCreateCsr);
  if (ends != nullptr || offset_type != CUDA_R_32I || index_type != CUDA_R_32I || base != 0 || kind < 0 ||
      kind > CUDSS_MTYPE_HPD || (kind == CUDSS_MTYPE_GENERAL) != (view == CUDSS_MVIEW_FULL))
    return CUDSS_STATUS_NOT_SUPPORTED;
  const SparseMatrix a{rows, columns, nnz, begins, indices, const_cast<void*>(values), false, type};
  return create(matrix, DssMatrix{true, a, {}, kind, view});
}
cudssStatus_t cudssMatrixCreateDn(cudssMatrix_t* matrix, int64_t rows, int64_t columns, int64_t ld,
                                  const void* values, cudaDataType type, cudssLayout_t layout) {
  ARR_FAKE_ENTER(cudssMatrixCreateDn);
  if (layout != CUDSS_LAYOUT_COL_MAJOR || ld != rows) return CUDSS_STATUS_NOT_SUPPORTED;
  return create(matrix, DssMatrix{false, {}, {rows, columns, ld, const_cast<void*>(values), type}});
}
cudssStatus_t cudssMatrixDestroy(cudssMatrix_t matrix) {
  ARR_FAKE_ENTER(cudssMatrixDestroy);
  return destroy<DssMatrix>(matrix);
}
cudssStatus_t cudssExecute(cudssHandle_t handle, int phase, cudssConfig_t config, cudssData_t data,
                           cudssMatrix_t matrix, cudssMatrix_t solution, cudssMatrix_t right) {
  ARR_FAKE_ENTER(cudssExecute);
  const CUstream stream = as<DssContext>(handle).stream;
  auto& d = as<DssData>(data);
  const DssConfig c = as<DssConfig>(config);
  const SparseMatrix a = as<DssMatrix>(matrix).a;
  const DenseOperand x = as<DssMatrix>(solution).x, b = as<DssMatrix>(right).x;
  if (c.deterministic != 1 || x.rows != a.rows || b.rows != a.rows || x.columns != b.columns)
    return CUDSS_STATUS_INVALID_VALUE;
  if (phase == CUDSS_PHASE_ANALYSIS) return analyse(stream, d, a);
  if (phase == CUDSS_PHASE_FACTORIZATION && d.analysed) {
    d.factored = true;
    return submit_dss(stream, [m = as<DssMatrix>(matrix), c, f = d.factors] {
      if (!matrix_there(m.a)) return CUDA_ERROR_ILLEGAL_ADDRESS;
      return by_type(m.a.type, [&](auto sample) { return factorize<decltype(sample)>(m, *f, c.epsilon); });
    });
  }
  if (phase != CUDSS_PHASE_SOLVE || !d.factored) return CUDSS_STATUS_INVALID_VALUE;
  if (as<DssMatrix>(matrix).kind != CUDSS_MTYPE_GENERAL && c.mode != 0) return CUDSS_STATUS_NOT_SUPPORTED;
  return submit_dss(stream, [a, b, x, c, f = d.factors] {
    if (!matrix_there(a)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    return by_type(a.type, [&](auto sample) { return solve<decltype(sample)>(*f, b, x, c.mode); });
  });
}

#pragma GCC visibility pop
}
