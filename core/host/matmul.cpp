// SPDX-License-Identifier: MIT
// Matrix products: by OpenBLAS for floats, by loops of our own for integers. Strides go to BLAS as order,
// transposition and leading dimension; a matrix that has none of these forms is packed first.
#include <climits>
#include <optional>

#include "host/blas.h"
#include "host/host.h"
#include "host/loops/table.h"
#include "host/matrices.h"
#include "host/parallel.h"
#include "host/pool.h"

namespace arr::host {

namespace {

struct Matrix {
  char* data = nullptr;
  int64_t rows = 0, cols = 0, row = 0, col = 0;  // extents; strides in bytes
  [[nodiscard]] Matrix transposed() const { return {data, cols, rows, col, row}; }
};

// Rows of contiguous elements, one after the other with a fixed distance.
bool row_major(const Matrix& m, int64_t item) {
  const bool line = m.cols == 1 || m.col == item;
  return line && (m.rows == 1 || (m.row % item == 0 && m.row / item >= m.cols));
}
int64_t leading(const Matrix& m, int64_t item) { return m.rows == 1 ? m.cols : m.row / item; }

// to = from, converted.
void convert_matrix(const Matrix& from, DType from_type, const Matrix& to, DType to_type) {
  const int64_t shape[2] = {to.rows, to.cols}, in[2] = {from.row, from.col}, out[2] = {to.row, to.col};
  const Operand operands[2] = {{from.data, in, {}}, {to.data, out, {}}};
  elementwise({&single_cast(from_type, to_type), 2, shape, operands});
}
void clear(const Matrix& m, DType type) {
  const int64_t shape[2] = {m.rows, m.cols}, out[2] = {m.row, m.col};
  Scalar zero;
  zero.dtype = type;
  const Operand operands[2] = {{nullptr, nullptr, zero}, {m.data, out, {}}};
  elementwise({&single_cast(type, type), 2, shape, operands});
}

// A matrix in a form that the multiplication takes, copied where it has to be.
class Packed {
 public:
  Packed(const Matrix& m, DType type, DType compute, bool may_transpose) : matrix(m) {
    const int64_t item = item_size(compute);
    if (type == compute) {
      if (row_major(m, item)) return;
      transposed = may_transpose && row_major(m.transposed(), item);
      // OpenBLAS has kernels for small matrices, but not for transposed ones.
      const bool small = m.rows * m.cols <= 96 * 96;
      if (transposed && !small) return;
    }
    memory_.emplace(m.rows * m.cols * item);
    matrix = {memory_->data(), m.rows, m.cols, m.cols * item, item};
    if (transposed) {
      load_matrix(type, m.cols, m.rows, m.data, m.col, m.row, memory_->data());
      transposed = false;
    } else {
      convert_matrix(m, type, matrix, compute);
    }
  }
  Matrix matrix;
  bool transposed = false;
  [[nodiscard]] int64_t ld(int64_t item) const {
    return leading(transposed ? matrix.transposed() : matrix, item);
  }

 private:
  std::optional<PoolBlock> memory_;
};

struct Gemm {
  int ta, tb, m, n, k, lda, ldb, ldc;
  const void *a, *b;
  void* c;
};
template <class F, class Real>
void call_real(F gemm, const Gemm& g) {
  gemm(101, g.ta, g.tb, g.m, g.n, g.k, Real(1), static_cast<const Real*>(g.a), g.lda,
       static_cast<const Real*>(g.b), g.ldb, Real(0), static_cast<Real*>(g.c), g.ldc);
}
template <class Real>
void call_complex(Blas::Complex gemm, const Gemm& g) {
  const Real one[2] = {1, 0}, zero[2] = {0, 0};
  gemm(101, g.ta, g.tb, g.m, g.n, g.k, one, g.a, g.lda, g.b, g.ldb, zero, g.c, g.ldc);
}

int blas_size(int64_t n) {
  if (n > INT_MAX)
    fail(ARR_E_UNSUPPORTED, "a matrix of extent or stride ", n, "; OpenBLAS takes at most 2^31 - 1");
  return static_cast<int>(n);
}

void multiply_floats(DType type, const Packed& a, const Packed& b, const Matrix& c) {
  const int64_t item = item_size(type);
  const Gemm g{a.transposed ? 112 : 111,
               b.transposed ? 112 : 111,
               blas_size(c.rows),
               blas_size(c.cols),
               blas_size(a.matrix.cols),
               blas_size(a.ld(item)),
               blas_size(b.ld(item)),
               blas_size(leading(c, item)),
               a.matrix.data,
               b.matrix.data,
               c.data};
  const Blas& library = blas();
  if (type == DType::float32_) {
    call_real<Blas::Real, float>(library.sgemm, g);
  } else if (type == DType::float64_) {
    call_real<Blas::Double, double>(library.dgemm, g);
  } else if (type == DType::complex64_) {
    call_complex<float>(library.cgemm, g);
  } else {
    call_complex<double>(library.zgemm, g);
  }
}

void multiply_integers(DType type, const Packed& a, const Packed& b, const Matrix& c) {
  const int64_t item = item_size(type), k = a.matrix.cols;
  const GemmFn gemm = loops().gemm[static_cast<size_t>(type)];
  const int64_t lda = a.ld(item), ldb = b.ld(item), ldc = leading(c, item);
  clear(c, type);
  const int64_t work = c.cols * k;  // of a row
  const int64_t grain = std::max<int64_t>(32, (int64_t{1} << 20) / std::max<int64_t>(work, 1));
  parallel_ranges(c.rows, grain, [&](int64_t first, int64_t last) {
    gemm(last - first, c.cols, k, a.matrix.data + first * lda * item, lda, b.matrix.data, ldb,
         c.data + first * ldc * item, ldc);
  });
}

bool by_blas(DType d) { return is_floating(d) || is_complex(d); }

void multiply(DType type, Matrix a, Matrix b, Matrix c) {
  const DType compute = compute_type(type);
  const int64_t item = item_size(compute);
  if (c.rows == 0 || c.cols == 0) return;
  if (a.cols == 0) return clear(c, type);
  if (!row_major(c, item_size(type)) && row_major(c.transposed(), item_size(type))) {
    const Matrix left = b.transposed();  // c' = b' a'
    b = a.transposed();
    a = left;
    c = c.transposed();
  }
  const Packed pa(a, type, compute, by_blas(type)), pb(b, type, compute, by_blas(type));
  std::optional<PoolBlock> memory;
  Matrix result = c;
  const bool direct = type == compute && row_major(c, item);
  if (!direct) {
    memory.emplace(c.rows * c.cols * item);
    result = {memory->data(), c.rows, c.cols, c.cols * item, item};
  }
  (by_blas(type) ? multiply_floats : multiply_integers)(compute, pa, pb, result);
  if (!direct) convert_matrix(result, compute, c, type);
}

// The matrices of one batch index.
Matrix at(const MatmulCall& call, const MatmulCall::Matrix& m, int64_t rows, int64_t cols, int64_t index) {
  return {matrix_at(call, m, index), rows, cols, m.row, m.column};
}

}  // namespace

void matmul(const MatmulCall& call) {
  int64_t count = 1;
  for (int32_t d = 0; d < call.nbatch; ++d) count *= call.batch_shape[d];
  auto one = [&](int64_t i) {
    multiply(call.dtype, at(call, call.a, call.m, call.k, i), at(call, call.b, call.k, call.n, i),
             at(call, call.c, call.m, call.n, i));
  };
  if (by_blas(call.dtype)) blas();  // or say why not before anything is done
  // Many small products: each on one thread, for a thread of BLAS would find too little to do.
  constexpr double small = 128.0 * 128 * 128;
  const double work = static_cast<double>(call.m) * static_cast<double>(call.n) * static_cast<double>(call.k);
  if (count == 1 || work > small) {
    for (int64_t i = 0; i < count; ++i) one(i);
    return;
  }
  std::optional<OneThread> single;
  if (by_blas(call.dtype)) single.emplace();
  const auto grain = static_cast<int64_t>(small / std::max(work, 64.0)) + 1;
  parallel_ranges(count, std::min<int64_t>(grain, 4096), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) one(i);
  });
}

}  // namespace arr::host
