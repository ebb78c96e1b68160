// SPDX-License-Identifier: MIT
// Products of a matrix and a vector by BLAS.
#include "host/linalg/gemv.h"

#include <optional>

#include "host/device/pool_block.h"
#include "host/libraries/blas.h"
#include "host/linalg/matrices.h"

namespace arr::host {

namespace {

// A vector as BLAS takes it: with a negative increment the pointer is that of the last element.
struct Vector {
  char* data;
  int increment;
};

std::optional<Vector> vector_of(const Matrix& column, int64_t item) {
  if (column.rows == 1) return Vector{column.data, 1};
  const int64_t step = column.row / item;
  if (step == 0 || column.row % item != 0 || step > INT_MAX || step < -INT_MAX) return {};
  return Vector{step < 0 ? column.data + (column.rows - 1) * column.row : column.data,
                static_cast<int>(step)};
}

struct Gemv {
  int order, m, n, ld;
  const char* a;
  Vector x, y;
};
template <class F, class Real>
void call_real(F f, const Gemv& g) {
  f(g.order, 111, g.m, g.n, Real(1), reinterpret_cast<const Real*>(g.a), g.ld,
    reinterpret_cast<const Real*>(g.x.data), g.x.increment, Real(0), reinterpret_cast<Real*>(g.y.data),
    g.y.increment);
}
template <class Real>
void call_complex(Blas::ComplexVector f, const Gemv& g) {
  const Real one[2] = {1, 0}, zero[2] = {0, 0};
  f(g.order, 111, g.m, g.n, one, g.a, g.ld, g.x.data, g.x.increment, zero, g.y.data, g.y.increment);
}

void call(DType type, const Gemv& g) {
  const Blas& library = blas();
  if (type == DType::float32_) {
    call_real<Blas::RealVector, float>(library.sgemv, g);
  } else if (type == DType::float64_) {
    call_real<Blas::DoubleVector, double>(library.dgemv, g);
  } else if (type == DType::complex64_) {
    call_complex<float>(library.cgemv, g);
  } else {
    call_complex<double>(library.zgemv, g);
  }
}

}  // namespace

bool gemv(DType type, const Matrix& a, const Matrix& b, const Matrix& c) {
  const int64_t item = item_size(type);
  const bool rows = row_major(a, item);
  if (!rows && !row_major(a.transposed(), item)) return false;
  std::optional<Vector> x = vector_of(b, item);
  const std::optional<Vector> y = vector_of(c, item);
  if (!x || !y) return false;
  // OpenBLAS 0.3.21 reads one element past x in complex products with columns.
  std::optional<PoolBlock> padded;
  if (is_complex(type) && !rows) {
    padded.emplace((b.rows + 1) * item);
    load_matrix(type, b.rows, 1, b.data, b.row, b.col, padded->data());
    x = Vector{padded->data(), 1};
  }
  const int64_t ld = leading(rows ? a : a.transposed(), item);
  call(type, {rows ? 101 : 102, blas_size(a.rows), blas_size(a.cols), blas_size(ld), a.data, *x, *y});
  return true;
}

}  // namespace arr::host
