// SPDX-License-Identifier: MIT
// Factors L L' and L D L' of Hermitian sparse matrices, by the backend.
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/take.h"
#include "ops/linalg/lapack_call.h"
#include "ops/reduce/reduce.h"
#include "ops/sparse/factor.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

Ref<SparseFactor> factorize(const Sparse& given, const SparseCholeskyOptions& options,
                            const SparseFactor* like, Stream* stream) {
  using Kind = SparseFactor::Kind;
  const int64_t n = check_square(given);
  if (const SparseApi& offered = api<SparseApi>(given.device()); offered.cholesky == nullptr) {
    check_offered(offered.scatters ? nullptr : offered.lu, given.device());
    using Hermitian = SparseLuOptions::Hermitian;
    SparseLuOptions by_lu;
    by_lu.hermitian = options.definite ? Hermitian::definite : Hermitian::any;
    by_lu.upper = options.upper;
    return factorize_by_lu(options.definite ? Kind::cholesky : Kind::ldl, given, by_lu, like, stream);
  }
  const DType d = lapack_type(given.dtype(), "a");
  Ref<SparseFactor> f =
      make<SparseFactor>(options.definite ? Kind::cholesky : Kind::ldl, n, d, given.device());
  f->cholesky_options = options;
  if (like != nullptr) check_alike(*like, n, d);
  if (n > INT32_MAX - 1) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", n, " columns, expected less than 2^31 - 1 for a factorization");
  }
  f->perm_r = f->perm_c = empty(DType::int32_, {&n, 1}, Order::C, f->device, stream);
  if (n == 0) return f;
  const SparseFormat format = options.upper ? SparseFormat::csr : SparseFormat::csc;
  const Ref<Sparse> a = sum_duplicates(*convert(*typed(given, d, stream), format, stream), stream);
  const Ref<Array> pointers = as_type(*a->outer, DType::int64_, stream),
                   indices = as_type(*a->inner, DType::int32_, stream);
  SparseCholeskyCall c;
  c.dtype = d;
  c.n = n;
  c.pointers = reinterpret_cast<const int64_t*>(pointers->data);
  c.indices = reinterpret_cast<const int32_t*>(indices->data);
  c.data = a->data->data;
  c.options = options;
  if (like != nullptr) c.like = like->cholesky;
  c.perm = reinterpret_cast<int32_t*>(f->perm_r->data);
  int64_t failed = n;
  double pivot = 0;
  c.failed = &failed;
  c.pivot = &pivot;
  c.out = &f->cholesky;
  const Queue q = queue_for(f->device, stream);
  for (const Array* in : std::initializer_list<const Array*>{pointers.get(), indices.get(), a->data.get()}) {
    use_to_read(*in->buffer, q);
  }
  use(*f->perm_r->buffer, q);
  call(api<SparseApi>(q).cholesky, q.index(), &c, q.handle());
  if (failed == n) return f;
  fail(ARR_E_LINALG, "argument a: ", options.definite ? "is not positive definite" : "has no factors L D L'",
       ": the pivot of column ", failed, " is ", pivot,
       options.definite ? ", expected a positive one" : ", about 0; use arr_sparse_lu");
}

}  // namespace

Ref<SparseFactor> sparse_cholesky(const Sparse& a, const SparseCholeskyOptions& options, Stream* stream) {
  return factorize(a, options, nullptr, stream);
}

Ref<SparseFactor> refactor_cholesky(const SparseFactor& f, const Sparse& a, Stream* stream) {
  return factorize(a, f.cholesky_options, &f, stream);
}

void solve_by_cholesky(const SparseFactor& f, const Array& x, LinalgOp op, Stream* stream) {
  SparseCholeskySolveCall c;
  c.dtype = f.dtype;
  c.n = f.n;
  c.columns = x.layout.shape[1];
  c.conjugate = op == LinalgOp::transpose && is_complex(f.dtype);  // a is its own adjoint
  c.factors = f.cholesky;
  c.x = x.data;
  const Queue q = queue_for(f.device, stream);
  use(*x.buffer, q);
  enqueue(q, api<SparseApi>(q).cholesky_solve, c);
}

CholeskyParts cholesky_parts(const SparseFactor& f, Stream* stream) {
  int64_t count = 0;
  const int64_t lines = f.n + 1;
  SparseCholeskyPartsCall c;
  c.dtype = f.dtype;
  c.factors = f.cholesky;
  c.count = &count;
  const Queue q = queue_for(f.device, stream);
  if (f.cholesky != nullptr) call(api<SparseApi>(q).cholesky_parts, q.index(), &c, q.handle());
  const auto made = [&](DType d, int64_t n) { return empty(d, {&n, 1}, Order::C, f.device, stream); };
  const Ref<Array> pointers = made(DType::int64_, lines), indices = made(DType::int32_, count),
                   data = made(f.dtype, count), diagonal = made(f.dtype, f.n);
  c.pointers = reinterpret_cast<int64_t*>(pointers->data);
  c.indices = reinterpret_cast<int32_t*>(indices->data);
  c.data = data->data;
  c.diagonal = diagonal->data;
  for (const auto* out : {&pointers, &indices, &data, &diagonal}) use(*(*out)->buffer, q);
  if (f.cholesky != nullptr) {
    call(api<SparseApi>(q).cholesky_parts, q.index(), &c, q.handle());
  } else {
    fill(*pointers, scalar_of(int64_t{0}), stream);
  }
  const Extents e{f.n, f.n};
  return {make_sparse(SparseFormat::csc, e, {data, pointers, indices}, true, false, stream), diagonal};
}

SparseFactorParts parts_of_cholesky(const SparseFactor& f, Stream* stream) {
  const auto [unit, diagonal] = cholesky_parts(f, stream);
  const bool definite = f.kind == SparseFactor::Kind::cholesky;
  // The columns of L times sqrt(D), or the rows of L' times D.
  const Ref<Array> by = definite ? apply(op::sqrt, {diagonal.get()}, stream) : diagonal;
  const Ref<Array> columns = columns_of(*unit, stream), each = take_known(*by, *columns, 0, stream),
                   scaled = apply(op::multiply, {unit->data.get(), each.get()}, stream);
  const Ref<Sparse> upper =
      unit->with_data(is_complex(f.dtype) ? apply(op::conjugate, {scaled.get()}, stream) : scaled);
  return {definite ? unit->with_data(scaled) : unit, convert(*upper->transpose(), SparseFormat::csc, stream)};
}

}  // namespace arr
