// SPDX-License-Identifier: MIT
// The fake cuSPARSE: products and triangular solves by plain loops, in the order of the handle's stream. A
// preparation leaves a mark in its buffer, and an analysis its values, which is what a solve uses: a buffer
// that was not kept and values that were not updated show.
#include "cusparse.h"

#include "math/scalar.h"

namespace arr::fake {
namespace {

constexpr int64_t mark_bytes = 64;

template <class T>
T loaded(T x) {
  return x;
}
float loaded(arr_half x) { return arr_half_to_float(x); }
float loaded(arr_bfloat x) { return arr_bfloat_to_float(x); }
template <class T>
void store(T* to, T x) {
  *to = x;
}
void store(arr_half* to, float x) { *to = arr_half_from_float(x); }
void store(arr_bfloat* to, float x) { *to = arr_bfloat_from_float(x); }

template <class F>
CUresult by_sparse_type(cudaDataType type, F&& f) {
  if (type == CUDA_R_16F) return f(arr_half{});
  if (type == CUDA_R_16BF) return f(arr_bfloat{});
  return by_type(type, std::forward<F>(f));
}

bool marked(const void* buffer, const SparseMatrix& a) {
  return there(buffer, mark_bytes) && std::memcmp(buffer, &a.indices, sizeof a.indices) == 0;
}
void mark(void* buffer, const SparseMatrix& a) { std::memcpy(buffer, &a.indices, sizeof a.indices); }

// The numbers 1 and 0 of the type that is computed in.
bool is_number(const void* x, cudaDataType compute, double number) {
  const auto narrow = static_cast<float>(number);
  return compute == CUDA_R_32F || compute == CUDA_C_32F ? std::memcmp(x, &narrow, sizeof narrow) == 0
                                                        : std::memcmp(x, &number, sizeof number) == 0;
}
cudaDataType compute_of(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}

CUresult multiply(const SparseMatrix& a, const DenseOperand& x, const DenseOperand& y) {
  if (!matrix_there(a) || !dense_there(x) || !dense_there(y)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (setting("run") == 0) return CUDA_SUCCESS;
  return by_sparse_type(a.type, [&](auto sample) {
    using T = decltype(sample);
    const auto *v = static_cast<const T*>(a.values), *from = static_cast<const T*>(x.values);
    auto* to = static_cast<T*>(y.values);
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < y.columns; ++j) {
        decltype(loaded(sample)) sum{};
        for (int64_t p = index_at(a.pointers, a.wide, i); p < index_at(a.pointers, a.wide, i + 1); ++p) {
          sum += loaded(v[p]) * loaded(from[index_at(a.indices, a.wide, p) * x.ld + j]);
        }
        store(to + i * y.ld + j, sum);
      }
    }
    return CUDA_SUCCESS;
  });
}

// A product; x and y of a vector have one column.
cusparseStatus_t product(cusparseHandle_t handle, int ops, const void* alpha, SparseMatrix& a,
                         const DenseOperand& x, const void* beta, const DenseOperand& y, cudaDataType compute,
                         bool algorithm, const void* buffer) {
  const bool valid = handle != nullptr && ops == 0 && algorithm && is_number(alpha, compute, 1) &&
                     is_number(beta, compute, 0) && compute == compute_of(a.type) && x.type == a.type &&
                     y.type == a.type && x.rows == a.columns && y.rows == a.rows && x.columns == y.columns &&
                     there(buffer, mark_bytes);
  const bool kept = a.active == buffer;
  return submit_sparse(handle, valid, [=] {
    if (kept && !marked(buffer, a)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    return multiply(a, x, y);
  });
}

cusparseStatus_t prepared(cusparseHandle_t handle, SparseMatrix& a, void* buffer) {
  a.active = buffer;
  return submit_sparse(handle, there(buffer, mark_bytes), [=] {
    mark(buffer, a);
    return CUDA_SUCCESS;
  });
}

// Triangular solves, of which those of vectors have one column.
CUresult substitute(const SparseMatrix& a, const void* values, const DenseOperand& b, const DenseOperand& x) {
  if (!matrix_there(a) || !dense_there(b) || !dense_there(x)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  return by_type(a.type, [&](auto sample) {
    using T = decltype(sample);
    const auto *v = static_cast<const T*>(values), *from = static_cast<const T*>(b.values);
    auto* to = static_cast<T*>(x.values);
    for (int64_t k = 0; k < a.rows; ++k) {
      const int64_t i = a.lower != 0 ? k : a.rows - 1 - k;
      for (int64_t c = 0; c < x.columns; ++c) {
        T sum = from[i * b.ld + c], pivot{1};
        for (int64_t p = index_at(a.pointers, a.wide, i); p < index_at(a.pointers, a.wide, i + 1); ++p) {
          const int64_t j = index_at(a.indices, a.wide, p);
          if (j == i && a.unit == 0) pivot = v[p];
          if (j != i && (j < i) == (a.lower != 0)) sum -= v[p] * to[j * x.ld + c];
        }
        to[i * x.ld + c] = sum / pivot;
      }
    }
    return CUDA_SUCCESS;
  });
}

cusparseStatus_t put_values(cusparseHandle_t handle, const SolvePlan& plan, const SparseMatrix& a,
                            const void* values) {
  char* buffer = static_cast<char*>(plan.buffer);
  const auto bytes = a.nnz * item_bytes(a.type);
  return submit_sparse(handle, there(buffer, mark_bytes + bytes) && there(values, bytes), [=] {
    mark(buffer, a);
    std::memcpy(buffer + mark_bytes, values, static_cast<size_t>(bytes));
    return CUDA_SUCCESS;
  });
}

struct Analysis {
  SolvePlan plan;
  SparseMatrix matrix;
};

bool solve_fits(const void* alpha, const SparseMatrix& a, const DenseOperand& b, const DenseOperand& x,
                cudaDataType compute, int ops, int algorithm, const void* plan) {
  return ops == 0 && algorithm == 0 && plan != nullptr && is_number(alpha, compute, 1) && compute == a.type &&
         b.type == a.type && x.type == a.type && a.rows == a.columns && b.rows == a.rows &&
         x.rows == a.rows && b.columns == x.columns;
}

cusparseStatus_t analyse(cusparseHandle_t handle, bool valid, const SparseMatrix& a, void* plan,
                         void* buffer) {
  if (!valid) return CUSPARSE_STATUS_INVALID_VALUE;
  auto& kept = *static_cast<Analysis*>(plan);
  kept = {{buffer, a.nnz}, a};
  return put_values(handle, kept.plan, a, a.values);
}

cusparseStatus_t solve(cusparseHandle_t handle, bool valid, const SparseMatrix& a, const DenseOperand& b,
                       const DenseOperand& x, void* plan) {
  if (!valid) return CUSPARSE_STATUS_INVALID_VALUE;
  const Analysis kept = *static_cast<Analysis*>(plan);
  if (kept.plan.buffer == nullptr || kept.matrix.indices != a.indices || kept.matrix.lower != a.lower ||
      kept.matrix.unit != a.unit) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const char* buffer = static_cast<char*>(kept.plan.buffer);
  return submit_sparse(handle, true, [=] {
    if (!marked(buffer, a)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    return substitute(a, buffer + mark_bytes, b, x);
  });
}

template <class Out>
cusparseStatus_t create(Out* out, auto fresh) {
  *out = reinterpret_cast<Out>(new decltype(fresh)(fresh));
  ++live().descriptions;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
cusparseStatus_t destroy(const void* x) {
  delete static_cast<const T*>(x);
  --live().descriptions;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cusparseStatus_t cusparseGetProperty(libraryPropertyType property, int* value) {
  ARR_FAKE_ENTER(cusparseGetProperty);
  *value = property == 0 ? 12 : 6;
  return CUSPARSE_STATUS_SUCCESS;
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  static constexpr const char* names[] = {"CUSPARSE_STATUS_SUCCESS",
                                          "CUSPARSE_STATUS_NOT_INITIALIZED",
                                          "CUSPARSE_STATUS_ALLOC_FAILED",
                                          "CUSPARSE_STATUS_INVALID_VALUE",
                                          "CUSPARSE_STATUS_ARCH_MISMATCH",
                                          "CUSPARSE_STATUS_MAPPING_ERROR",
                                          "CUSPARSE_STATUS_EXECUTION_FAILED",
                                          "CUSPARSE_STATUS_INTERNAL_ERROR",
                                          "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                          "CUSPARSE_STATUS_ZERO_PIVOT",
                                          "CUSPARSE_STATUS_NOT_SUPPORTED",
                                          "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return status >= 0 && status < 12 ? names[status] : "unrecognized error code";
}
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  ARR_FAKE_ENTER(cusparseCreate);
  if (current() == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cusparseHandle_t>(new SparseHandle);
  ++live().handles;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  ARR_FAKE_ENTER(cusparseDestroy);
  delete reinterpret_cast<SparseHandle*>(handle);
  --live().handles;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  ARR_FAKE_ENTER(cusparseSetStream);
  reinterpret_cast<SparseHandle*>(handle)->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* out, int64_t rows, int64_t columns, int64_t nnz,
                                   void* pointers, void* indices, void* values,
                                   cusparseIndexType_t pointer_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  ARR_FAKE_ENTER(cusparseCreateCsr);
  if (rows < 0 || columns < 0 || nnz < 0 || nnz > rows * columns + (int64_t{1} << 20) || base != 0 ||
      pointer_type != index_type || pointers == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool wide = index_type == CUSPARSE_INDEX_64I;
  return create(out, SparseMatrix{rows, columns, nnz, pointers, indices, values, wide, type});
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t a) {
  ARR_FAKE_ENTER(cusparseDestroySpMat);
  return destroy<SparseMatrix>(a);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t a, void* values) {
  ARR_FAKE_ENTER(cusparseSpMatSetValues);
  matrix(a).values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t bytes) {
  ARR_FAKE_ENTER(cusparseSpMatSetAttribute);
  if (bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  const int value = *static_cast<int*>(data);
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) matrix(a).lower = value == CUSPARSE_FILL_MODE_LOWER ? 1 : 0;
  if (attribute == CUSPARSE_SPMAT_DIAG_TYPE) matrix(a).unit = value;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* out, int64_t size, void* values,
                                     cudaDataType type) {
  ARR_FAKE_ENTER(cusparseCreateDnVec);
  return create(out, DenseOperand{size, 1, 1, values, type});
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t x) {
  ARR_FAKE_ENTER(cusparseDestroyDnVec);
  return destroy<DenseOperand>(x);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t x, void* values) {
  ARR_FAKE_ENTER(cusparseDnVecSetValues);
  dense(x).values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* out, int64_t rows, int64_t columns, int64_t ld,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  ARR_FAKE_ENTER(cusparseCreateDnMat);
  if (order != CUSPARSE_ORDER_ROW || ld < columns) return CUSPARSE_STATUS_INVALID_VALUE;
  return create(out, DenseOperand{rows, columns, ld, values, type});
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t x) {
  ARR_FAKE_ENTER(cusparseDestroyDnMat);
  return destroy<DenseOperand>(x);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t x, void* values) {
  ARR_FAKE_ENTER(cusparseDnMatSetValues);
  dense(x).values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

// The parameters of a vector's product, and a matrix's.
#define ARR_FAKE_SPMV                                                                              \
  cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, \
      cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute, \
      cusparseSpMVAlg_t algorithm
#define ARR_FAKE_SPMM                                                                                     \
  cusparseHandle_t handle, cusparseOperation_t a_op, cusparseOperation_t b_op, const void *alpha,         \
      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t x, const void *beta, cusparseDnMatDescr_t y, \
      cudaDataType compute, cusparseSpMMAlg_t algorithm

cusparseStatus_t cusparseSpMV_bufferSize(ARR_FAKE_SPMV, size_t* bytes) {
  ARR_FAKE_ENTER(cusparseSpMV_bufferSize);
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(a), static_cast<void>(compute);
  static_cast<void>(alpha), static_cast<void>(beta), static_cast<void>(op), static_cast<void>(algorithm);
  *bytes = mark_bytes;
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_preprocess(ARR_FAKE_SPMV, void* buffer) {
  ARR_FAKE_ENTER(cusparseSpMV_preprocess);
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(compute), static_cast<void>(op);
  static_cast<void>(alpha), static_cast<void>(beta), static_cast<void>(algorithm);
  return prepared(handle, matrix(a), buffer);
}
cusparseStatus_t cusparseSpMV(ARR_FAKE_SPMV, void* buffer) {
  ARR_FAKE_ENTER(cusparseSpMV);
  return product(handle, op, alpha, matrix(a), dense(x), beta, dense(y), compute,
                 algorithm == CUSPARSE_SPMV_CSR_ALG2, buffer);
}
cusparseStatus_t cusparseSpMM_bufferSize(ARR_FAKE_SPMM, size_t* bytes) {
  ARR_FAKE_ENTER(cusparseSpMM_bufferSize);
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(a), static_cast<void>(compute);
  static_cast<void>(alpha), static_cast<void>(beta), static_cast<void>(algorithm);
  *bytes = mark_bytes + 8;
  return handle == nullptr || a_op != 0 || b_op != 0 ? CUSPARSE_STATUS_NOT_SUPPORTED
                                                     : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_preprocess(ARR_FAKE_SPMM, void* buffer) {
  ARR_FAKE_ENTER(cusparseSpMM_preprocess);
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(compute), static_cast<void>(a_op);
  static_cast<void>(alpha), static_cast<void>(beta), static_cast<void>(algorithm), static_cast<void>(b_op);
  return prepared(handle, matrix(a), buffer);
}
cusparseStatus_t cusparseSpMM(ARR_FAKE_SPMM, void* buffer) {
  ARR_FAKE_ENTER(cusparseSpMM);
  return product(handle, a_op | b_op, alpha, matrix(a), dense(x), beta, dense(y), compute,
                 algorithm == CUSPARSE_SPMM_CSR_ALG3, buffer);
}

// Solves with a vector (SV) and a matrix (SM).
#define ARR_FAKE_SOLVES(V, OPS, ops, Dense)                                                                 \
  cusparseStatus_t cusparseSp##V##_createDescr(cusparseSp##V##Descr_t* out) {                               \
    ARR_FAKE_ENTER(cusparseSp##V##_createDescr);                                                            \
    return create(out, Analysis{});                                                                         \
  }                                                                                                         \
  cusparseStatus_t cusparseSp##V##_destroyDescr(cusparseSp##V##Descr_t plan) {                              \
    ARR_FAKE_ENTER(cusparseSp##V##_destroyDescr);                                                           \
    return destroy<Analysis>(plan);                                                                         \
  }                                                                                                         \
  cusparseStatus_t cusparseSp##V##_bufferSize(                                                              \
      cusparseHandle_t handle, OPS, const void* alpha, cusparseConstSpMatDescr_t a,                         \
      cusparseConst##Dense##Descr_t b, cusparse##Dense##Descr_t x, cudaDataType compute,                    \
      cusparseSp##V##Alg_t algorithm, cusparseSp##V##Descr_t plan, size_t* bytes) {                         \
    ARR_FAKE_ENTER(cusparseSp##V##_bufferSize);                                                             \
    *bytes = static_cast<size_t>(mark_bytes + matrix(a).nnz * item_bytes(matrix(a).type));                  \
    const bool valid = handle != nullptr &&                                                                 \
                       solve_fits(alpha, matrix(a), dense(b), dense(x), compute, ops, algorithm, plan);     \
    return valid ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;                                 \
  }                                                                                                         \
  cusparseStatus_t cusparseSp##V##_analysis(                                                                \
      cusparseHandle_t handle, OPS, const void* alpha, cusparseConstSpMatDescr_t a,                         \
      cusparseConst##Dense##Descr_t b, cusparse##Dense##Descr_t x, cudaDataType compute,                    \
      cusparseSp##V##Alg_t algorithm, cusparseSp##V##Descr_t plan, void* buffer) {                          \
    ARR_FAKE_ENTER(cusparseSp##V##_analysis);                                                               \
    return analyse(handle, solve_fits(alpha, matrix(a), dense(b), dense(x), compute, ops, algorithm, plan), \
                   matrix(a), plan, buffer);                                                                \
  }                                                                                                         \
  cusparseStatus_t cusparseSp##V##_solve(cusparseHandle_t handle, OPS, const void* alpha,                   \
                                         cusparseConstSpMatDescr_t a, cusparseConst##Dense##Descr_t b,      \
                                         cusparse##Dense##Descr_t x, cudaDataType compute,                  \
                                         cusparseSp##V##Alg_t algorithm, cusparseSp##V##Descr_t plan) {     \
    ARR_FAKE_ENTER(cusparseSp##V##_solve);                                                                  \
    return solve(handle, solve_fits(alpha, matrix(a), dense(b), dense(x), compute, ops, algorithm, plan),   \
                 matrix(a), dense(b), dense(x), plan);                                                      \
  }                                                                                                         \
  cusparseStatus_t cusparseSp##V##_updateMatrix(cusparseHandle_t handle, cusparseSp##V##Descr_t plan,       \
                                                void* values, cusparseSp##V##Update_t part) {               \
    ARR_FAKE_ENTER(cusparseSp##V##_updateMatrix);                                                           \
    const auto& kept = *reinterpret_cast<Analysis*>(plan);                                                  \
    if (part != 0 || kept.plan.buffer == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;                     \
    return put_values(handle, kept.plan, kept.matrix, values);                                              \
  }
#define ARR_FAKE_ONE_OP cusparseOperation_t op
#define ARR_FAKE_TWO_OPS cusparseOperation_t a_op, cusparseOperation_t b_op
ARR_FAKE_SOLVES(SV, ARR_FAKE_ONE_OP, op, DnVec)
ARR_FAKE_SOLVES(SM, ARR_FAKE_TWO_OPS, a_op | b_op, DnMat)

#pragma GCC visibility pop
}
