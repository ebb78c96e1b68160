// SPDX-License-Identifier: MIT
// Matrix products: by BLAS for floats, by our own loops for integers, for stacks of small matrices, and
// without BLAS. Strides are passed to BLAS as order, transposition and leading dimension; other matrices are
// packed first.
#include <algorithm>
#include <atomic>
#include <optional>

#include "backend/elementwise.h"
#include "backend/operand.h"
#include "host/device/pool_block.h"
#include "host/elementwise/calls.h"
#include "host/elementwise/parallel.h"
#include "host/libraries/blas.h"
#include "host/linalg/calls.h"
#include "host/linalg/gemv.h"
#include "host/linalg/matrices.h"
#include "host/linalg/small_stack.h"
#include "host/linalg/tiles.h"
#include "host/loops/linalg/small_matrices.h"
#include "host/loops/table.h"

namespace arr::host {

namespace {

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

// A matrix in a form that the multiplication accepts; a copy if necessary.
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

// The method for the products of a call: BLAS or our own loops, whether threads share a product, and whether
// the second matrix is the transpose of the first.
struct Method {
  bool own = false;
  PrefetchNext next;
  bool split = false, symmetric = false;
};

bool is_transpose(const Matrix& a, const Matrix& b) {
  return a.data == b.data && a.rows == b.cols && a.cols == b.rows && a.row == b.col && a.col == b.row;
}

template <class T>
bool fits(const MatmulCall& call, int64_t count) {
  const int64_t lanes = small_loops<T>().lanes, item = sizeof(T);
  if (call.k > small_max_k || call.m < 6 || call.n < 2 * lanes) return false;
  if (call.n % lanes != 0 && call.n < 8 * lanes) return false;
  // OpenBLAS's kernels for small matrices are as fast, but do not prefetch the next matrix.
  const int64_t work = call.m * call.n * call.k;
  constexpr int64_t large = 96 * 96 * 96, middle = 40 * 40 * 40, cached = 4 << 20;
  const int64_t bytes = (call.m * call.k + call.k * call.n + call.m * call.n) * item;
  return work >= large || (work >= middle && count >= cached / bytes);
}
bool own_loops(const MatmulCall& call, int64_t count) {
  const DType compute = compute_type(call.dtype);
  if (compute == DType::float32_) return fits<float>(call, count);
  return compute == DType::float64_ && fits<double>(call, count);
}

// The memory of a matrix, if its gaps are small.
PrefetchRange prefetch_range_of(const Matrix& m, int64_t item) {
  if (m.row < item || m.col < item) return {};
  const int64_t bytes = (m.rows - 1) * m.row + (m.cols - 1) * m.col + item;
  if (bytes > 2 * m.rows * m.cols * item) return {};
  return {m.data, m.data + bytes};
}

template <class T>
void multiply_small(const Packed& a, const Packed& b, const Matrix& c, const PrefetchNext& next) {
  constexpr int64_t item = sizeof(T);
  small_loops<T>().multiply({c.rows, c.cols, a.matrix.cols, reinterpret_cast<const T*>(a.matrix.data),
                             a.matrix.row / item, a.matrix.col / item,
                             reinterpret_cast<const T*>(b.matrix.data), b.matrix.row / item,
                             reinterpret_cast<T*>(c.data), c.row / item, next});
}

void multiply_by_blas(DType type, const Gemm& g) {
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

// Bytes of a matrix, read once, that are worth a thread.
constexpr int64_t split_bytes = int64_t{1} << 18;

Tiles tiles_of(DType type, const Gemm& g, bool symmetric) {
  const ProductShape shape{g.m, g.n, g.k};
  if (symmetric) return square_tiles(shape);
  const bool small = blas().small_kernels && !is_complex(type) && g.ta == 111 && g.tb == 111;
  return small && small_tiles_pay(shape) ? small_tiles(shape) : equal_tiles(shape);
}

// Computes a product in tiles, which our threads share: a thread of BLAS that the system has stopped would
// stop the others. symmetric: b is the transpose of a, and the tiles above the diagonal are copied.
void multiply_tiles(DType type, const Gemm& g, const Matrix& a, const Matrix& b, const Matrix& c,
                    bool symmetric) {
  const Tiles tiles = tiles_of(type, g, symmetric);
  const int64_t across = Tiles::parts(c.cols, tiles.cols);
  parallel_ranges(Tiles::parts(c.rows, tiles.rows) * across, 1, [&](int64_t first, int64_t last) {
    for (int64_t tile = first; tile < last; ++tile) {
      const int64_t i = tile / across * tiles.rows, j = tile % across * tiles.cols;
      if (symmetric && j > i) continue;
      const int64_t rows = std::min(tiles.rows, c.rows - i), cols = std::min(tiles.cols, c.cols - j);
      Gemm part = g;
      part.m = static_cast<int>(rows);
      part.n = static_cast<int>(cols);
      part.a = a.data + i * a.row;
      part.b = b.data + j * b.col;
      part.c = c.data + i * c.row + j * c.col;
      multiply_by_blas(type, part);
      if (!symmetric || i == j) continue;
      const Matrix lower{c.data + i * c.row + j * c.col, rows, cols, c.row, c.col};
      convert_matrix(lower.transposed(), type, {c.data + j * c.row + i * c.col, cols, rows, c.row, c.col},
                     type);
    }
  });
}

void multiply_floats(DType type, const Packed& a, const Packed& b, const Matrix& c, const Method& way) {
  if (way.own && !b.transposed) {
    return type == DType::float32_ ? multiply_small<float>(a, b, c, way.next)
                                   : multiply_small<double>(a, b, c, way.next);
  }
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
  if (!way.split) return multiply_by_blas(type, g);
  multiply_tiles(type, g, a.matrix, b.matrix, c, way.symmetric);
}

// c = a b of a matrix and a column. Returns false if BLAS does not take their strides.
bool multiply_column(DType type, const Matrix& a, const Matrix& b, const Matrix& c, bool split) {
  if (!split || a.rows * a.cols * item_size(type) <= split_bytes) return gemv(type, a, b, c);
  // One part for each thread: narrow parts of rows that lie across memory are slow to read.
  const int64_t parts = std::min(concurrency(), a.rows * a.cols * item_size(type) / split_bytes);
  const int64_t part = a.rows < 64 * parts ? Tiles::parts(a.rows, parts) : part_of(a.rows, parts);
  std::atomic<bool> done{true};
  parallel_ranges(Tiles::parts(a.rows, part), 1, [&](int64_t first_part, int64_t last_part) {
    const int64_t first = first_part * part, count = std::min(last_part * part, a.rows) - first;
    const Matrix from{a.data + first * a.row, count, a.cols, a.row, a.col};
    if (!gemv(type, from, b, {c.data + first * c.row, count, 1, c.row, c.col})) done = false;
  });
  return done;
}

void multiply_by_loops(DType type, const Packed& a, const Packed& b, const Matrix& c) {
  const int64_t item = item_size(type), k = a.matrix.cols;
  const GemmFn gemm = loops().gemm[static_cast<size_t>(type)];
  const int64_t lda = a.ld(item), ldb = b.ld(item), ldc = leading(c, item);
  clear(c, type);
  const int64_t work = c.cols * k;  // work for a row
  const int64_t grain = std::max<int64_t>(32, (int64_t{1} << 20) / std::max<int64_t>(work, 1));
  parallel_ranges(c.rows, grain, [&](int64_t first, int64_t last) {
    gemm(last - first, c.cols, k, a.matrix.data + first * lda * item, lda, b.matrix.data, ldb,
         c.data + first * ldc * item, ldc);
  });
}

// Opens BLAS; throws if memory is short. Without BLAS the host's own loops are used.
bool by_blas(DType d) { return (is_floating(d) || is_complex(d)) && blas_library().found(); }

void multiply(DType type, Matrix a, Matrix b, Matrix c, const Method& way) {
  const DType compute = compute_type(type);
  const int64_t item = item_size(compute);
  if (c.rows == 0 || c.cols == 0) return;
  if (a.cols == 0) return clear(c, type);
  const bool library = by_blas(type);
  if (library && type == compute && (c.cols == 1 || c.rows == 1)) {
    const bool done = c.cols == 1
                          ? multiply_column(type, a, b, c, way.split)
                          : multiply_column(type, b.transposed(), a.transposed(), c.transposed(), way.split);
    if (done) return;
  }
  if (!row_major(c, item_size(type)) && row_major(c.transposed(), item_size(type))) {
    const Matrix left = b.transposed();  // c' = b' a'
    b = a.transposed();
    a = left;
    c = c.transposed();
  }
  const Packed pa(a, type, compute, library), pb(b, type, compute, library);
  std::optional<PoolBlock> memory;
  Matrix result = c;
  const bool direct = type == compute && row_major(c, item);
  if (!direct) {
    memory.emplace(c.rows * c.cols * item);
    result = {memory->data(), c.rows, c.cols, c.cols * item, item};
  }
  if (library) {
    multiply_floats(compute, pa, pb, result, way);
  } else {
    multiply_by_loops(compute, pa, pb, result);
  }
  if (!direct) convert_matrix(result, compute, c, type);
}

// The matrices of one batch index.
Matrix at(const MatmulCall& call, const MatmulCall::Matrix& m, int64_t rows, int64_t cols, int64_t index) {
  return {matrix_at(call, m, index), rows, cols, m.row, m.column};
}
Matrix a_of(const MatmulCall& call, int64_t i) { return at(call, call.a, call.m, call.k, i); }
Matrix b_of(const MatmulCall& call, int64_t i) { return at(call, call.b, call.k, call.n, i); }
Matrix c_of(const MatmulCall& call, int64_t i) { return at(call, call.c, call.m, call.n, i); }

PrefetchNext prefetch_next(const MatmulCall& call, int64_t i) {
  const int64_t item = item_size(call.dtype);
  return {prefetch_range_of(a_of(call, i), item), prefetch_range_of(b_of(call, i), item),
          prefetch_range_of(c_of(call, i), item)};
}

// Returns whether a stack's matrices are one matrix with `extent` rows (or columns) of each after the other.
bool is_one_matrix(int64_t extent, int64_t step, int64_t next) {
  return extent == 1 || next == extent * step;
}

// A stack times one matrix is one product of all rows, one matrix times a stack one of all columns.
MatmulCall folded(MatmulCall call) {
  if (call.nbatch != 1) return call;
  const int64_t count = call.batch_shape[0];
  const int64_t a = call.a.batch[0], b = call.b.batch[0], c = call.c.batch[0];
  if (b == 0 && is_one_matrix(call.m, call.a.row, a) && is_one_matrix(call.m, call.c.row, c)) {
    if (call.m == 1) call.a.row = a, call.c.row = c;
    call.m *= count;
    call.nbatch = 0;
  } else if (a == 0 && is_one_matrix(call.n, call.b.column, b) && is_one_matrix(call.n, call.c.column, c)) {
    if (call.n == 1) call.b.column = b, call.c.column = c;
    call.n *= count;
    call.nbatch = 0;
  }
  return call;
}

void multiply_each(const MatmulCall& call) {
  int64_t count = 1;
  for (int32_t d = 0; d < call.nbatch; ++d) count *= call.batch_shape[d];
  auto one = [&](int64_t i, const Method& way) {
    multiply(call.dtype, a_of(call, i), b_of(call, i), c_of(call, i), way);
  };
  std::optional<BlasUse> use;
  const bool library = by_blas(call.dtype);
  // Many small products: each on one thread, because they are too small for BLAS's threads.
  constexpr double small = 128.0 * 128 * 128;
  const double work = static_cast<double>(call.m) * static_cast<double>(call.n) * static_cast<double>(call.k);
  const bool one_by_one = count == 1 || work > small;
  std::optional<OneThread> single;
  if (library) use.emplace(concurrency());
  // BLAS itself uses one thread for less work.
  constexpr double single_work = 1 << 12;
  if (library && (!one_by_one || work >= single_work)) single.emplace();
  if (one_by_one) {
    for (int64_t i = 0; i < count; ++i) {
      one(i,
          {.own = false, .next = {}, .split = true, .symmetric = is_transpose(a_of(call, i), b_of(call, i))});
    }
    return;
  }
  const auto grain = static_cast<int64_t>(small / std::max(work, 64.0)) + 1;
  const bool own = library && own_loops(call, count);
  parallel_ranges(count, std::min<int64_t>(grain, 4096), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      one(i, {.own = own,
              .next = own && i + 1 < last ? prefetch_next(call, i + 1) : PrefetchNext{},
              .split = false});
  });
}

}  // namespace

void matmul(const MatmulCall& call) {
  if (!multiply_small_stack(call)) multiply_each(folded(call));
}

}  // namespace arr::host
