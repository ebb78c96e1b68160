// SPDX-License-Identifier: MIT
// Copies of matrices in cuSOLVER's layout.
#include "cuda/linalg/solver.h"
#include "array/layout.h"
#include "backend/linalg.h"
#include "backend/matmul.h"
#include "backend/reduce.h"
#include "cuda/elementwise/calls.h"
#include "cuda/reduce/calls.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"

namespace arr::cuda {

void Workspace::reserve(Device& d, Stream& s) {
  if (device_bytes != 0) device.emplace(d, s, static_cast<int64_t>(device_bytes));
  host.resize(host_bytes);
}

namespace {

// Beyond this size cuSOLVER uses the whole device for one matrix.
constexpr int64_t small = 256;
// The most rows and columns of cuSOLVER's batched Jacobi method.
constexpr int64_t max_jacobi = 32;

bool goes_batched(const LinalgCall& c) {
  const int64_t count = c.count();
  if (count == 1 || count > INT32_MAX || c.n > small) return false;
  switch (c.kind) {
    case LinalgKind::lu:
      return c.m == c.n;
    case LinalgKind::qr:
      return c.m <= small;
    case LinalgKind::svd:
      return c.m <= max_jacobi && c.n <= max_jacobi;
    case LinalgKind::solve:
    case LinalgKind::inverse:
    case LinalgKind::lu_solve:
    case LinalgKind::triangular:
    case LinalgKind::cholesky:
      return true;
    case LinalgKind::eigh:
      return cusolver().cusolverDnXsyevBatched != nullptr &&
             cusolver().cusolverDnXsyevBatched_bufferSize != nullptr;
    default:
      return false;
  }
}

// Returns true if cuBLAS alone computes it, without waiting.
bool by_cublas(const LinalgCall& c, bool batched) {
  if (c.kind == LinalgKind::triangular) return true;
  if (c.kind == LinalgKind::qr && c.columns != 0) return false;
  return batched && c.kind != LinalgKind::cholesky && c.kind != LinalgKind::svd && c.kind != LinalgKind::eigh;
}

}  // namespace

Solving::Solving(Device& device, const LinalgCall& call, Stream& stream)
    : d(device),
      c(call),
      s(stream),
      count(call.count()),
      item(item_size(call.dtype)),
      type(data_type(call.dtype)),
      real(data_type(real_type(call.dtype))),
      batched(goes_batched(call)) {
  // Otherwise throws the reason before any work.
  if (by_cublas(c, batched)) {
    cublas();
    return;
  }
  cusolver();
  if (s.capturing.load(std::memory_order_acquire)) {
    fail(ARR_E_UNSUPPORTED, name(c.kind), " is not captured into graphs: cuSOLVER may wait for the device");
  }
}

void Solving::check(cusolverStatus_t r, const char* function) {
  if (r == CUSOLVER_STATUS_SUCCESS) return;
  // cuSOLVER hides the driver's error; a poisoned context returns it again.
  CUresult state = driver().cuStreamQuery(s.handle);
  if (state != CUDA_ERROR_NOT_READY) d.check(state, function, &s);
  fail(r == CUSOLVER_STATUS_ALLOC_FAILED    ? ARR_E_MEMORY
       : r == CUSOLVER_STATUS_NOT_SUPPORTED ? ARR_E_UNSUPPORTED
                                            : ARR_E_DEVICE,
       function, ": cuSOLVER's status ", r);
}

void Solving::map(const Program& program, int32_t ndim, const int64_t* shape,
                  std::span<const Operand> operands) {
  // The output, which is the last operand, determines the order.
  constexpr size_t max_operands = 4;
  const size_t given = operands.size(), inputs = given - 1;
  const int64_t* strides[max_operands] = {};
  for (size_t k = 0; k < given; ++k) {
    const Operand& from = operands[(k + inputs) % given];
    strides[k] = from.strides != nullptr ? from.strides : operands[inputs].strides;
  }
  Iteration it;
  int32_t split = 0;
  collapse(ndim, shape, static_cast<int32_t>(given), strides, 0, &it, &split);
  Operand placed[max_operands];
  for (size_t k = 0; k < given; ++k) {
    placed[k] = operands[k];
    if (placed[k].data != nullptr) placed[k].strides = it.strides[(k + 1) % given];
  }
  elementwise(d, {&program, it.ndim, it.shape, placed}, s);
}

void Solving::copy(const Program& program, int32_t ndim, const int64_t* shape, const Operand& from,
                   const int64_t* to_strides, void* to) {
  const Operand both[] = {from, {to, to_strides, {}}};
  map(program, ndim, shape, both);
}

void Solving::stack(const MatmulCall::Matrix& from, int64_t rows, int64_t columns, bool transposed,
                    DType to_type, void* to) {
  if (from.data == to) return;
  const int64_t bytes = item_size(to_type);
  int64_t shape[max_ndim + 2], in[max_ndim + 2], out[max_ndim + 2];
  int64_t step = rows * columns * bytes;
  for (int32_t i = c.nbatch; i-- > 0;) {
    shape[i] = c.batch_shape[i];
    in[i] = from.batch[i];
    out[i] = step;
    step *= shape[i];
  }
  const int32_t n = c.nbatch;
  shape[n] = columns;
  in[n] = from.column;
  out[n] = transposed ? bytes : rows * bytes;
  shape[n + 1] = rows;
  in[n + 1] = from.row;
  out[n + 1] = transposed ? columns * bytes : bytes;
  copy(single_cast(c.dtype, to_type), n + 2, shape, {from.data, in, {}}, out, to);
}

void Solving::copy_columns(const void* from, int64_t from_columns, void* to, int64_t to_columns, int64_t rows,
                           int64_t columns) {
  const int64_t shape[2] = {count, rows * columns}, in[2] = {rows * from_columns * item, item},
                out[2] = {rows * to_columns * item, item};
  copy(single_cast(c.dtype, c.dtype), 2, shape, {const_cast<void*>(from), in, {}}, out, to);
}

void Solving::transpose(const void* from, int64_t rows, int64_t columns, void* to) {
  const int64_t shape[3] = {count, columns, rows}, in[3] = {rows * columns * item, rows * item, item},
                out[3] = {rows * columns * item, item, columns * item};
  copy(single_cast(c.dtype, c.dtype), 3, shape, {const_cast<void*>(from), in, {}}, out, to);
}

void Solving::adjoint_of_columns(const void* from, int64_t from_columns, void* to, int64_t rows,
                                 int64_t columns) {
  const int64_t shape[3] = {count, rows, columns}, in[3] = {rows * from_columns * item, item, rows * item},
                out[3] = {rows * columns * item, columns * item, item};
  const DType types[] = {c.dtype};
  copy(single_op(*op_info(op::conjugate), types, c.dtype), 3, shape, {const_cast<void*>(from), in, {}}, out,
       to);
}

void Solving::identity(void* to, int64_t n) {
  const Program& program = single_cast(c.dtype, c.dtype);
  const int64_t all[1] = {count * n * n}, whole[1] = {item};
  copy(program, 1, all, {nullptr, nullptr, arr::convert(scalar_of(int64_t{0}), c.dtype)}, whole, to);
  const int64_t diagonals[2] = {count, n}, strides[2] = {n * n * item, (n + 1) * item};
  copy(program, 2, diagonals, {nullptr, nullptr, arr::convert(scalar_of(int64_t{1}), c.dtype)}, strides, to);
}

void Solving::convert(const void* from, DType from_type, void* to, DType to_type, int64_t n) {
  const int64_t shape[1] = {n}, in[1] = {item_size(from_type)}, out[1] = {item_size(to_type)};
  copy(single_cast(from_type, to_type), 1, shape, {const_cast<void*>(from), in, {}}, out, to);
}

Readable::Readable(Solving& x) : ld(x.c.n), x_(x) {
  const LinalgCall& c = x.c;
  const MatmulCall::Matrix& a = c.a;
  auto whole = [&](int64_t bytes) { return bytes % x.item == 0; };
  bool good = (c.n == 1 || (a.row == x.item && whole(a.column) && a.column >= c.n * x.item &&
                            a.column / x.item <= INT32_MAX)) &&
              whole(static_cast<int64_t>(reinterpret_cast<uintptr_t>(a.data))) && a.data != c.x;
  for (int32_t i = 0; i < c.nbatch; ++i) good = good && whole(a.batch[i]);
  if (good) {
    if (c.n != 1) ld = a.column / x.item;
    matrix_ = a;
    return;
  }
  copy_.emplace(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(a, c.n, c.n, false, c.dtype, copy_->data());
  stacked(copy_->data());
}

Readable::Readable(Solving& x, const void* stack) : ld(x.c.n), x_(x) { stacked(stack); }

void Readable::stacked(const void* first) {
  const LinalgCall& c = x_.c;
  matrix_ = {const_cast<void*>(first), x_.item, c.n * x_.item, steps_};
  int64_t step = c.n * c.n * x_.item;
  for (int32_t i = c.nbatch; i-- > 0; step *= c.batch_shape[i]) steps_[i] = step;
}

const void* Readable::at(int64_t i) const {
  const char* p = static_cast<const char*>(matrix_.data);
  for (int32_t k = x_.c.nbatch; k-- > 0; i /= x_.c.batch_shape[k]) {
    p += i % x_.c.batch_shape[k] * matrix_.batch[k];
  }
  return p;
}

namespace {

// A program that tests whether an element is finite.
BoundProgram finite_program(DType type) {
  ProgramBuilder b;
  b.output(b.op(op::isfinite, b.input(type)));
  return b.finish();
}

// A program that selects the input where the bool before it is true, and the number elsewhere.
BoundProgram kept_where(DType type, int64_t otherwise) {
  ProgramBuilder b;
  const int32_t good = b.input(DType::bool_), in = b.input(type);
  b.output(b.op(op::where, good, in, b.scalar(scalar_of(otherwise), true)));
  return b.finish();
}

Operand immediate(const BoundProgram& program) { return {nullptr, nullptr, program.immediates.front()}; }

}  // namespace

Finite::Finite(Solving& x, void* a, DType type, int64_t elements) : x_(x), good_(x.d, x.s, x.count) {
  const int64_t item = item_size(type), shape[2] = {x.count, elements};
  const int64_t matrices[2] = {elements * item, item}, flags[2] = {1, 0};
  const int32_t of_one = x.count == 1 ? 1 : 0;  // extents of 1 are dropped
  const Operand in{a, matrices + of_one, {}};
  ReduceCall all;
  const BoundProgram finite = finite_program(type);
  all.reduction = reduction_info(reduction::all);
  all.map = finite.program;
  all.acc = all.out = DType::bool_;
  all.nkept = 1 - of_one;
  all.ndim = all.nkept + (elements == 1 ? 0 : 1);
  all.shape = shape + of_one;
  all.operands = &in;
  all.output = {good_.data(), flags, {}};
  reduce(x.d, all, x.s);
  const BoundProgram kept = kept_where(type, 0);
  const Operand operands[] = {
      {good_.data(), flags, {}}, {a, matrices, {}}, immediate(kept), {a, matrices, {}}};
  x.map(*kept.program, 2, shape, operands);
}

void Finite::tell() {
  const BoundProgram kept = kept_where(DType::int32_, -1);
  const int64_t flags[1] = {1}, infos[1] = {sizeof(int32_t)};
  const Operand operands[] = {
      {good_.data(), flags, {}}, {x_.c.info, infos, {}}, immediate(kept), {x_.c.info, infos, {}}};
  x_.map(*kept.program, 1, &x_.count, operands);
}

}  // namespace arr::cuda
