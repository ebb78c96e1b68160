// SPDX-License-Identifier: MIT
// Calls of the backend's factorizations and solvers.
#include "ops/linalg/lapack_call.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "backend/linalg.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

DType lapack_type(DType d, const char* argument) {
  if (is_half(d)) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(d),
         " has no linear algebra, expected float32 or wider");
  }
  return inexact_type(d);
}

void check_matrices(const Array& a, const char* argument) {
  if (a.layout.ndim >= 2) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), ", expected (..., m, n)");
}

void check_square(const Array& a, const char* argument) {
  check_matrices(a, argument);
  if (rows_of(a) == columns_of(a)) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(),
       ", expected square matrices (..., n, n)");
}

bool row_major(const Array& a) {
  const int32_t n = a.layout.ndim;
  return std::abs(a.layout.strides[n - 1]) < std::abs(a.layout.strides[n - 2]);
}

Ref<Array> matrix_transposed(const Array& a) {
  Layout l = a.layout;
  std::swap(l.shape[l.ndim - 1], l.shape[l.ndim - 2]);
  std::swap(l.strides[l.ndim - 1], l.strides[l.ndim - 2]);
  return a.view(l);
}

Ref<Array> adjoint(const Array& a, Stream* stream) {
  const Ref<Array> turned = matrix_transposed(a);
  return is_complex(a.dtype) ? apply(op::conjugate, {turned.get()}, stream) : turned;
}

Ref<Array> diagonals(const Array& a) {
  Layout l = a.layout;
  const int32_t last = --l.ndim;
  l.shape[last - 1] = std::min(rows_of(a), columns_of(a));
  l.strides[last - 1] = Layout::diagonal_stride(l.shape[last - 1], l.strides[last - 1], l.strides[last]);
  return a.view(l);
}

void add_to_diagonals(const Array& a, double addend, Stream* stream) {
  const Ref<Array> diagonal = diagonals(a);
  const Array* in = diagonal.get();
  run_into(*diagonal,
           program_of({in}, [&](ProgramBuilder& b,
                                const int32_t* x) { return b.op(op::add, x[0], number(b, addend)); }),
           {&in, 1}, stream);
}

Ref<Array> norms_1(const Array& a, Stream* stream) {
  const int32_t ndim = a.layout.ndim;
  const Ref<Array> sizes = apply(op::absolute, {&a}, stream);
  const Ref<Array> sums = reduce(*reduction_info(reduction::sum), *sizes, 1U << (ndim - 2), true, {}, stream);
  return reduce(*reduction_info(reduction::max), *sums, 1U << (ndim - 1), true, {}, stream);
}

namespace {

// row <= column ? x : 0, or row >= column.
BoundProgram triangle_program(DType d, bool upper) {
  ProgramBuilder b;
  const int32_t x = b.input(d), row = b.input(DType::int64_), column = b.input(DType::int64_);
  const int32_t inside = b.op(upper ? op::less_equal : op::greater_equal, row, column);
  b.output(b.op(op::where, inside, x, b.scalar(scalar_of(int64_t{0}), true)));
  return b.finish();
}

struct RowsAndColumns {
  Ref<Array> row, column;
};
RowsAndColumns indices_of(const Array& a, Stream* stream) {
  const int32_t ndim = a.layout.ndim;
  const Ref<Array> numbers = iota(std::max(rows_of(a), columns_of(a)), a.device(), stream);
  return {broadcastable_vector(*slice_axis(*numbers, 0, 0, rows_of(a)), ndim, ndim - 2),
          broadcastable_vector(*slice_axis(*numbers, 0, 0, columns_of(a)), ndim, ndim - 1)};
}

}  // namespace

void clear_triangle(const Array& a, bool upper, Stream* stream) {
  const RowsAndColumns at = indices_of(a, stream);
  const Array* arrays[] = {&a, at.row.get(), at.column.get()};
  run_into(a, triangle_program(a.dtype, upper), arrays, stream);
}

Ref<Array> triangle(const Array& a, bool upper, Stream* stream) {
  const RowsAndColumns at = indices_of(a, stream);
  const Array* arrays[] = {&a, at.row.get(), at.column.get()};
  return run(triangle_program(a.dtype, upper), arrays, stream);
}

LapackCall::LapackCall(LinalgKind kind, DType dtype, Shape batch, Device device, Stream* stream)
    : queue_(queue_for(device, stream)), stream_(stream) {
  call.kind = kind;
  call.dtype = dtype;
  batch_ = Layout::contiguous(batch, 1, Order::C);
  call.nbatch = batch_.ndim;
  call.batch_shape = batch_.shape;
  info_ =
      create(DType::int32_, Layout::contiguous(batch, item_size(DType::int32_), Order::C), device, stream);
  written_.push_back(info_->buffer);
  call.info = reinterpret_cast<int32_t*>(info_->data);
}

MatmulCall::Matrix LapackCall::operand(const Array& a, int64_t* batch_strides) {
  const int32_t lead = batch_.ndim - (a.layout.ndim - 2);
  for (int32_t i = 0; i < batch_.ndim; ++i) {
    batch_strides[i] = i < lead || a.layout.shape[i - lead] == 1 ? 0 : a.layout.strides[i - lead];
  }
  read_.push_back(a.buffer);
  return {a.data, a.layout.strides[a.layout.ndim - 2], a.layout.strides[a.layout.ndim - 1], batch_strides};
}

void LapackCall::read_a(const Array& a) { call.a = operand(a, strides_[0]); }
void LapackCall::read_b(const Array& b) { call.b = operand(b, strides_[1]); }
void LapackCall::read_pivots(const Array& pivots) {
  read_.push_back(pivots.buffer);
  call.pivots = reinterpret_cast<int32_t*>(pivots.data);
}

void LapackCall::read_vectors(const Array& values) {
  read_.push_back(values.buffer);
  call.values = values.data;
}

Ref<Array> LapackCall::matrices(int64_t rows, int64_t columns, DType d) {
  Layout l = batch_;
  if (l.ndim + 2 > max_ndim) fail(ARR_E_SHAPE, "argument a: too many dimensions");
  l.shape[l.ndim] = rows;
  l.shape[l.ndim + 1] = columns;
  l.ndim += 2;
  int32_t axes[max_ndim];
  for (int32_t i = 0; i < l.ndim; ++i) axes[i] = i;
  std::swap(axes[l.ndim - 1], axes[l.ndim - 2]);
  const Layout full = layout_permuted(l.dims(), axes, item_size(d));
  Ref<Array> out = create(d, full, queue_.device, stream_);
  written_.push_back(out->buffer);
  return out;
}

Ref<Array> LapackCall::vectors(int64_t n, DType d) {
  Layout l = batch_;
  l.shape[l.ndim++] = n;
  Ref<Array> out = create(d, Layout::contiguous(l.dims(), item_size(d), Order::C), queue_.device, stream_);
  written_.push_back(out->buffer);
  return out;
}

bool LapackCall::idle() const { return batch_.size() == 0 || call.m == 0 || call.n == 0; }

void LapackCall::run() {
  if (idle()) return;
  for (const Ref<Buffer>& b : read_) use_to_read(*b, queue_);
  for (const Ref<Buffer>& b : written_) use(*b, queue_);
  enqueue(queue_, api<LinalgApi>(queue_).linalg, call);
}

namespace {

std::string failure_text(LinalgKind kind, int32_t info) {
  switch (kind) {
    case LinalgKind::cholesky:
    case LinalgKind::banded_cholesky:
      return text("is not positive definite: its leading minor of order ", info, " is not positive");
    case LinalgKind::triangular:
      return text("is singular: element ", info - 1, " of its diagonal is 0");
    case LinalgKind::svd:
    case LinalgKind::eigh:
    case LinalgKind::eig:
    case LinalgKind::schur:
      if (info < 0) return "contains nan or inf";
      return text("has ", kind == LinalgKind::svd ? "singular values" : "eigenvalues",
                  " that did not converge (", info, ")");
    default:
      return text("is singular: pivot ", info - 1, " is 0");
  }
}

}  // namespace

void LapackCall::handle_failures(OnFailure how, const char* argument,
                                 std::initializer_list<const Array*> results) {
  if (!idle()) arr::handle_failures(*info_, call.kind, how, argument, results, stream_);
}

namespace {

void put_nan(const Array& result, const Array& info, Stream* stream) {
  Layout l = info.layout;
  while (l.ndim < result.layout.ndim) {
    l.shape[l.ndim] = 1;
    l.strides[l.ndim++] = 0;
  }
  const Ref<Array> each = info.view(l);
  run_into(result,
           program_of({&result, each.get()},
                      [](ProgramBuilder& b, const int32_t* in) {
                        const int32_t good = b.op(op::equal, in[1], b.scalar(scalar_of(int64_t{0}), true));
                        const double nan = std::numeric_limits<double>::quiet_NaN();
                        return b.op(op::where, good, in[0], b.scalar(scalar_of(nan), true));
                      }),
           std::array{&result, static_cast<const Array*>(each.get())}, stream);
}

}  // namespace

void handle_failures(const Array& info, LinalgKind kind, OnFailure how, const char* argument,
                     std::initializer_list<const Array*> results, Stream* stream) {
  if (how == OnFailure::nan) {
    for (const Array* r : results) put_nan(*r, info, stream);
    return;
  }
  const Layout& batch = info.layout;
  std::vector<int32_t> numbers(static_cast<size_t>(batch.size()));
  get(info, Order::C, numbers.data(), static_cast<int64_t>(numbers.size() * sizeof(int32_t)), stream);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    int64_t index[max_ndim];
    auto rest = static_cast<int64_t>(i);
    for (int32_t d = batch.ndim; d-- > 0;) {
      index[d] = rest % batch.shape[d];
      rest /= batch.shape[d];
    }
    fail(ARR_E_LINALG, "argument ", argument, ": the matrix ",
         batch.ndim == 0 ? std::string() : text("at ", shape_text(batch.ndim, index), " "),
         failure_text(kind, numbers[i]));
  }
}

}  // namespace arr
