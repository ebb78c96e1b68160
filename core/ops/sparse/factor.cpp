// SPDX-License-Identifier: MIT
// Factors of sparse matrices: LU by the backend, and incomplete ones, which triangular solves use.
#include "ops/sparse/factor.h"

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/take.h"
#include "ops/linalg/lapack_call.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/segments.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

Ref<Array> same_order(int64_t n, Device device, Stream* stream) {
  return as_type(*index_vector(n, device, stream), DType::int32_, stream);
}

// Throws unless these are the elements of the factored matrix.
void check_pattern(const Array& pointers, const Array& indices, const Sparse& was, Stream* stream) {
  const auto differ = [&](const Array& x, const Array& y) {
    const Ref<Array> other = apply(op::not_equal, {&x, &y}, stream);
    return reduce_item(*reduction_info(reduction::any), *other, stream).lo != 0;
  };
  const bool same =
      indices.layout.size() == was.nnz() && !differ(pointers, *was.outer) && !differ(indices, *was.inner);
  if (same) return;
  fail(ARR_E_ARGUMENT, "argument a: its elements are not where those of the factored matrix were");
}

// The elements of a matrix whose columns have that relation to their rows.
Ref<Sparse> where(const Sparse& a, int32_t relation, Stream* stream) {
  const Ref<Array> columns = columns_of(a, stream), rows = rows_of(a, stream);
  return keep(a, *apply(relation, {columns.get(), rows.get()}, stream), stream);
}

}  // namespace

Ref<SparseFactor> factorize_by_lu(SparseFactor::Kind kind, const Sparse& given,
                                  const SparseLuOptions& options, const SparseFactor* like, Stream* stream) {
  const int64_t n = check_square(given);
  const SparseApi& offered = api<SparseApi>(given.device());
  check_offered(offered.lu, given.device());
  const DType d = lapack_type(given.dtype(), "a");
  Ref<SparseFactor> f = make<SparseFactor>(kind, n, d, given.device());
  f->options = options;
  if (like != nullptr) check_alike(*like, n, d);
  if (n > INT32_MAX - 1 || given.nnz() > INT32_MAX) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", n, " columns and ", given.nnz(),
         " elements, expected less than 2^31 for a factorization");
  }
  if (offered.lu_parts != nullptr) {
    f->perm_r = empty(DType::int32_, {&n, 1}, Order::C, f->device, stream);
    f->perm_c = empty(DType::int32_, {&n, 1}, Order::C, f->device, stream);
  }
  if (n == 0) return f;
  const SparseFormat format = offered.scatters ? SparseFormat::csc : SparseFormat::csr;
  Ref<Sparse> a = sum_duplicates(*convert(*typed(given, d, stream), format, stream), stream);
  if (options.hermitian != SparseLuOptions::Hermitian::none) {
    a = where(*a, options.upper ? op::greater_equal : op::less_equal, stream);
  }
  if (a->nnz() == 0) fail(ARR_E_LINALG, "argument a: is singular: it has no elements");
  const Ref<Array> pointers = as_type(*a->outer, DType::int32_, stream),
                   indices = as_type(*a->inner, DType::int32_, stream);
  if (like != nullptr && like->rows) check_pattern(*pointers, *indices, *like->rows, stream);
  if (!offered.scatters) {
    // The caller may change its data later.
    f->rows = a = make<Sparse>(format, a->extents,
                               Sparse::Parts{copy(*a->data, Order::C, stream), pointers, indices}, true);
  }
  SparseLuCall c;
  c.dtype = d;
  c.n = n;
  c.nnz = a->nnz();
  c.pointers = reinterpret_cast<const int32_t*>(pointers->data);
  c.indices = reinterpret_cast<const int32_t*>(indices->data);
  c.data = a->data->data;
  c.options = options;
  if (like != nullptr) c.like = like->lu;
  if (f->perm_r) {
    c.perm_r = reinterpret_cast<int32_t*>(f->perm_r->data);
    c.perm_c = reinterpret_cast<int32_t*>(f->perm_c->data);
  }
  c.out = &f->lu;
  const Queue q = queue_for(f->device, stream);
  for (const Array* in : std::initializer_list<const Array*>{pointers.get(), indices.get(), a->data.get()}) {
    use_to_read(*in->buffer, q);
  }
  for (const auto* out : {&f->perm_r, &f->perm_c}) {
    if (*out) use(*(*out)->buffer, q);
  }
  call(api<SparseApi>(q).lu, q.index(), &c, q.handle());
  return f;
}

namespace {

Ref<SparseFactor> without_fill(SparseFactor::Kind kind, const Sparse& given, Stream* stream) {
  const int64_t n = check_square(given);
  const Device device = given.device();
  check_offered(api<SparseApi>(device).incomplete, device);
  const DType d = lapack_type(given.dtype(), "a");
  Ref<SparseFactor> f = make<SparseFactor>(kind, n, d, device);
  check_lines(n + 1, "a");
  f->perm_r = f->perm_c = same_order(n, device, stream);
  Ref<Sparse> a = sum_duplicates(*convert(*typed(given, d, stream), SparseFormat::csr, stream), stream);
  const bool cholesky = kind == SparseFactor::Kind::ic0;
  if (cholesky) {
    const Ref<Array> columns = columns_of(*a, stream), rows = rows_of(*a, stream);
    a = keep(*a, *apply(op::less_equal, {columns.get(), rows.get()}, stream), stream);
  }
  // The backend's preparations for these elements are the factor's own, as its data are.
  f->rows = make<Sparse>(SparseFormat::csr, a->extents,
                         Sparse::Parts{copy(*a->data, Order::C, stream), a->outer, a->inner}, true);
  if (n == 0) return f;
  const Ref<Array> failed = empty(DType::int64_, {}, Order::C, device, stream);
  SparseIncompleteCall c;
  c.dtype = d;
  c.index_type = a->index_type();
  c.n = n;
  c.cholesky = cholesky;
  c.pointers = a->outer->data;
  c.indices = a->inner->data;
  c.data = f->rows->data->data;
  c.failed = reinterpret_cast<int64_t*>(failed->data);
  const Queue q = queue_for(device, stream);
  for (const auto* in : {&a->outer, &a->inner}) use_to_read(*(*in)->buffer, q);
  use(*f->rows->data->buffer, q);
  use(*failed->buffer, q);
  enqueue(q, api<SparseApi>(q).incomplete, c);
  const auto at = static_cast<int64_t>(item(*failed, {}).lo);
  if (at < n) {
    fail(ARR_E_LINALG, "argument a: has no incomplete factors: pivot ", at,
         cholesky ? " is not positive" : " is 0");
  }
  return f;
}

// Right-hand sides as columns of numbers of the factors' type: of a complex b with real factors, first the
// real parts and then the imaginary ones.
class RightSides {
 public:
  RightSides(const Array& b, DType d, Order order, Stream* stream)
      : stream_(stream), vector_(b.layout.ndim == 1), split_(is_complex(b.dtype) && !is_complex(d)) {
    const Ref<Array> all = vector_ ? expand_axis(b, 1) : b.share();
    k_ = all->layout.shape[1];
    const int64_t shape[2] = {all->layout.shape[0], split_ ? 2 * k_ : k_};
    x = empty(d, shape, order, b.device(), stream);
    if (!split_) {
      assign(*x, *as_type(*all, d, stream), stream);
      return;
    }
    for (int32_t part = 0; part < 2; ++part) {
      assign(*half(part), *as_type(*complex_part(*all, part), d, stream), stream);
    }
  }
  [[nodiscard]] Ref<Array> result() const {
    Ref<Array> all = x;
    if (split_) {
      const int64_t shape[2] = {x->layout.shape[0], k_};
      all = empty(x->dtype == DType::float32_ ? DType::complex64_ : DType::complex128_, shape, Order::C,
                  x->device(), stream_);
      for (int32_t part = 0; part < 2; ++part) assign(*complex_part(*all, part), *half(part), stream_);
    }
    return vector_ ? index_axis(*all, 1, 0) : all;
  }

  Ref<Array> x;

 private:
  [[nodiscard]] Ref<Array> half(int32_t which) const {
    return slice_axis(*x, 1, which * k_, (which + 1) * k_);
  }

  Stream* stream_;
  bool vector_, split_;
  int64_t k_ = 0;
};

void by_lu(const SparseFactor& f, const Array& x, LinalgOp op, Stream* stream) {
  if (f.kind != SparseFactor::Kind::lu && op != LinalgOp::none) {
    // A Hermitian matrix is its own adjoint, and its transpose is its conjugate.
    const bool conjugate = op == LinalgOp::transpose && is_complex(f.dtype);
    if (conjugate) assign(x, *apply(op::conjugate, {&x}, stream), stream);
    by_lu(f, x, LinalgOp::none, stream);
    if (conjugate) assign(x, *apply(op::conjugate, {&x}, stream), stream);
    return;
  }
  SparseLuSolveCall c;
  c.dtype = f.dtype;
  c.n = f.n;
  c.columns = x.layout.shape[1];
  c.op = op;
  c.lu = f.lu;
  c.x = x.data;
  const Queue q = queue_for(f.device, stream);
  use(*x.buffer, q);
  if (f.rows) {
    for (const auto* in : {&f.rows->data, &f.rows->inner, &f.rows->outer}) use_to_read(*(*in)->buffer, q);
  }
  enqueue(q, api<SparseApi>(q).lu_solve, c);
}

void by_triangles(const SparseFactor& f, const Array& x, LinalgOp op, Stream* stream) {
  const bool turned = op != LinalgOp::none, ic = f.kind == SparseFactor::Kind::ic0;
  const auto step = [&](const SparseTriangle& t) { solve_triangular_in_place(*f.rows, x, t, stream); };
  if (ic) {
    // a is its own adjoint, and its transpose is its conjugate.
    const bool conjugate = op == LinalgOp::transpose && is_complex(f.dtype);
    if (conjugate) assign(x, *apply(op::conjugate, {&x}, stream), stream);
    step({true, false, LinalgOp::none, true});
    step({true, false, LinalgOp::adjoint, true});
    if (conjugate) assign(x, *apply(op::conjugate, {&x}, stream), stream);
  } else if (turned) {
    step({false, false, op, true});
    step({true, true, op, true});
  } else {
    step({true, true, op, true});
    step({false, false, op, true});
  }
}

// By factors of a matrix with other orders of rows and columns.
void by_ordered_triangles(const SparseFactor& f, const Array& x, LinalgOp op, Stream* stream) {
  const bool turned = op != LinalgOp::none;
  const auto &before = turned ? f.column_order : f.row_order, &after = turned ? f.perm_r : f.perm_c;
  const Ref<Array> y = take_known(x, *before, 0, stream);
  by_triangles(f, *y, op, stream);
  assign(x, *take_known(*y, *after, 0, stream), stream);
}

SparseFactorParts lu_parts(const SparseFactor& f, Stream* stream) {
  struct Part {
    Ref<Array> pointers, indices, data;
  };
  const auto part = [&](int64_t nnz) {
    const int64_t pointers = f.n + 1;
    return Part{empty(DType::int32_, {&pointers, 1}, Order::C, f.device, stream),
                empty(DType::int32_, {&nnz, 1}, Order::C, f.device, stream),
                empty(f.dtype, {&nnz, 1}, Order::C, f.device, stream)};
  };
  int64_t counts[2] = {};
  SparseLuPartsCall c;
  c.dtype = f.dtype;
  c.n = f.n;
  c.lu = f.lu;
  c.lower.count = &counts[0];
  c.upper.count = &counts[1];
  const Queue q = queue_for(f.device, stream);
  if (f.lu != nullptr) call(api<SparseApi>(q).lu_parts, q.index(), &c, q.handle());
  const Part lower = part(counts[0]), upper = part(counts[1]);
  const auto write_to = [&](const Part& p, SparseLuPartsCall::Part* to) {
    to->pointers = reinterpret_cast<int32_t*>(p.pointers->data);
    to->indices = reinterpret_cast<int32_t*>(p.indices->data);
    to->data = p.data->data;
    for (const auto* out : {&p.pointers, &p.indices, &p.data}) use(*(*out)->buffer, q);
  };
  write_to(lower, &c.lower);
  write_to(upper, &c.upper);
  if (f.lu != nullptr) {
    call(api<SparseApi>(q).lu_parts, q.index(), &c, q.handle());
  } else {
    for (const Part* p : {&lower, &upper}) fill(*p->pointers, scalar_of(int64_t{0}), stream);
  }
  const auto matrix = [&](const Part& p) {
    const Extents e{f.n, f.n};
    return sum_duplicates(
        *make_sparse(SparseFormat::csc, e, {p.data, p.pointers, p.indices}, false, false, stream), stream);
  };
  return {matrix(lower), matrix(upper)};
}

// The diagonal element is the last one of each column of U.
Ref<Array> diagonal_of_upper(const SparseFactor& f, Stream* stream) {
  const Ref<Sparse> upper = lu_parts(f, stream).upper;
  const Ref<Array> ends = slice_axis(*upper->outer, 0, 1, f.n + 1);
  const Ref<Array> last = compute({ends.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::subtract, b.cast(in[0], DType::int64_), integer(b, 1));
  });
  return take_known(*upper->data, *last, 0, stream);
}

}  // namespace

void check_alike(const SparseFactor& like, int64_t n, DType d) {
  if (like.n == n && like.dtype == d) return;
  fail(ARR_E_ARGUMENT, "argument a: ", n, " columns of ", name(d), ", expected ", like.n, " of ",
       name(like.dtype), " as in the factored matrix");
}

Ref<Sparse> typed(const Sparse& a, DType d, Stream* stream) {
  return a.dtype() == d ? a.share() : a.with_data(as_type(*a.data, d, stream));
}

void check_parts(const SparseFactor& f) {
  using Kind = SparseFactor::Kind;
  const SparseApi& offered = api<SparseApi>(f.device);
  const bool hermitian = f.kind == Kind::cholesky || f.kind == Kind::ldl;
  if (hermitian && offered.cholesky_parts != nullptr) return;
  if (!hermitian && (f.kind != Kind::lu || offered.lu_parts != nullptr)) return;
  fail(ARR_E_UNSUPPORTED, "argument factor: ", hermitian ? "Cholesky" : "LU", " factors on ",
       device_text(f.device), ", where only solves with them are offered");
}

Ref<SparseFactor> sparse_lu(const Sparse& a, const SparseLuOptions& options, Stream* stream) {
  return factorize_by_lu(SparseFactor::Kind::lu, a, options, nullptr, stream);
}

Ref<SparseFactor> refactor(const SparseFactor& f, const Sparse& a, Stream* stream) {
  if (f.device != a.device()) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(f.device), " and on ", device_text(a.device()));
  }
  switch (f.kind) {
    case SparseFactor::Kind::ilu0:
      return sparse_ilu0(a, stream);
    case SparseFactor::Kind::ic0:
      return sparse_ic0(a, stream);
    case SparseFactor::Kind::ilut:
      return sparse_ilut(a, f.ilut_options, stream);
    case SparseFactor::Kind::cholesky:
    case SparseFactor::Kind::ldl:
      if (f.lu != nullptr) return factorize_by_lu(f.kind, a, f.options, &f, stream);
      return refactor_cholesky(f, a, stream);
    default:
      return factorize_by_lu(f.kind, a, f.options, &f, stream);
  }
}

Ref<SparseFactor> sparse_ilu0(const Sparse& a, Stream* stream) {
  return without_fill(SparseFactor::Kind::ilu0, a, stream);
}

// Computed on the host, solved with where the matrix is.
Ref<SparseFactor> sparse_ilut(const Sparse& given, const SparseIlutOptions& options, Stream* stream) {
  const int64_t n = check_square(given);
  const Device device = given.device(), host{};
  const DType d = lapack_type(given.dtype(), "a");
  Ref<SparseFactor> f = make<SparseFactor>(SparseFactor::Kind::ilut, n, d, device);
  f->ilut_options = options;
  if (n > INT32_MAX - 1) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", n, " columns, expected less than 2^31 - 1 for a factorization");
  }
  const Ref<Sparse> a = sum_duplicates(*convert(*typed(given, d, stream), SparseFormat::csr, stream), stream);
  const auto on_host = [&](const Array& x, DType type) {
    return contiguous(*to_device(*as_type(x, type, stream), host, stream), Order::C, nullptr);
  };
  const Ref<Array> pointers = on_host(*a->outer, DType::int64_), indices = on_host(*a->inner, DType::int32_),
                   data = on_host(*a->data, d);
  Ref<Array> perms[2];
  for (auto& perm : perms) perm = empty(DType::int32_, {&n, 1}, Order::C, host, nullptr);
  std::shared_ptr<const FactorRows> rows;
  int64_t failed = n;
  SparseIlutCall c;
  c.dtype = d;
  c.n = n;
  c.pointers = reinterpret_cast<const int64_t*>(pointers->data);
  c.indices = reinterpret_cast<const int32_t*>(indices->data);
  c.data = data->data;
  c.options = options;
  c.perm_r = reinterpret_cast<int32_t*>(perms[0]->data);
  c.perm_c = reinterpret_cast<int32_t*>(perms[1]->data);
  c.failed = &failed;
  c.out = &rows;
  const Queue q = queue_for(host, device == host ? stream : nullptr);
  for (const auto* in : {&pointers, &indices, &data}) use_to_read(*(*in)->buffer, q);
  for (const auto& perm : perms) use(*perm->buffer, q);
  call(api<SparseApi>(q).ilut, q.index(), &c, q.handle());
  if (failed < n) {
    fail(ARR_E_LINALG, "argument a: has no incomplete factors: row ", failed,
         " has no pivot: what is left of it is 0 or not finite");
  }
  const auto there = [&](DType type, int64_t count, const void* from) {
    Ref<Array> out = empty(type, {&count, 1}, Order::C, device, stream);
    set(*out, Order::C, from, count * item_size(type), stream);
    return out;
  };
  const auto nnz = static_cast<int64_t>(rows->indices.size());
  f->rows = make_sparse(SparseFormat::csr, {n, n},
                        {there(d, nnz, rows->data()), there(DType::int64_, n + 1, rows->pointers.data()),
                         there(DType::int32_, nnz, rows->indices.data())},
                        true, false, stream);
  f->perm_r = to_device(*perms[0], device, stream);
  f->perm_c = to_device(*perms[1], device, stream);
  f->row_order = inverse_permutation(*as_type(*f->perm_r, DType::int64_, stream), stream);
  f->column_order = inverse_permutation(*as_type(*f->perm_c, DType::int64_, stream), stream);
  return f;
}

Ref<SparseFactor> sparse_ic0(const Sparse& a, Stream* stream) {
  return without_fill(SparseFactor::Kind::ic0, a, stream);
}

Ref<Array> solve(const SparseFactor& f, const Array& b, LinalgOp op, Stream* stream) {
  check_right_side(b, f.n, f.device);
  const bool lu = f.kind == SparseFactor::Kind::lu || f.lu != nullptr;
  const RightSides sides(b, f.dtype, lu ? Order::F : Order::C, stream);
  const auto solve_in_place = lu                                   ? by_lu
                              : f.kind == SparseFactor::Kind::ilut ? by_ordered_triangles
                              : f.rows                             ? by_triangles
                                                                   : solve_by_cholesky;
  if (sides.x->layout.size() != 0) solve_in_place(f, *sides.x, op, stream);
  return sides.result();
}

Ref<Array> sparse_solve(const Sparse& a, const Array& b, Stream* stream) {
  check_right_side(b, check_square(a), a.device());
  const DType d = promote(lapack_type(a.dtype(), "a"), lapack_type(b.dtype, "b"));
  const Ref<SparseFactor> f = sparse_lu(*typed(a, d, stream), {}, stream);
  return solve(*f, b, LinalgOp::none, stream);
}

SparseFactorParts parts_of(const SparseFactor& f, Stream* stream) {
  if (f.kind == SparseFactor::Kind::lu) return lu_parts(f, stream);
  if (!f.rows) return parts_of_cholesky(f, stream);
  const auto in_columns = [&](const Sparse& a) { return convert(a, SparseFormat::csc, stream); };
  if (f.kind == SparseFactor::Kind::ic0) {
    const Ref<Sparse> turned = f.rows->transpose();
    const Ref<Sparse> adjoint =
        is_complex(f.dtype) ? turned->with_data(apply(op::conjugate, {turned->data.get()}, stream)) : turned;
    return {in_columns(*f.rows), adjoint};
  }
  // L's diagonal is stored where U's is.
  const Ref<Sparse> lower = where(*f.rows, op::less_equal, stream);
  const Ref<Array> columns = columns_of(*lower, stream), rows = rows_of(*lower, stream);
  const Ref<Array> ones = compute(
      {columns.get(), rows.get(), lower->data.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::where, b.op(op::equal, in[0], in[1]), number(b, 1), in[2]);
      });
  return {in_columns(*lower->with_data(ones)), in_columns(*where(*f.rows, op::greater_equal, stream))};
}

SparseDeterminant slogdet(const SparseFactor& f, Stream* stream) {
  check_parts(f);
  const bool incomplete = f.kind == SparseFactor::Kind::ilu0 || f.kind == SparseFactor::Kind::ic0 ||
                          f.kind == SparseFactor::Kind::ilut;
  if (incomplete || f.options.equilibrate) {
    fail(ARR_E_UNSUPPORTED, "argument factor: no determinant of incomplete or equilibrated factors");
  }
  const Ref<Array> diagonal =
      f.kind == SparseFactor::Kind::lu ? diagonal_of_upper(f, stream) : cholesky_parts(f, stream).diagonal;
  const Ref<Array> logs = compute({diagonal.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::log, b.op(op::absolute, in[0]));
  });
  const Ref<Array> signs = apply(op::sign, {diagonal.get()}, stream);
  const double turned = f.lu != nullptr ? f.lu->sign : 1;
  const Ref<Array> product = reduce(*reduction_info(reduction::prod), *signs, 1, false, {}, stream);
  return {compute({product.get()}, stream,
                  [&](ProgramBuilder& b, const int32_t* in) {
                    return b.op(op::multiply, in[0], number(b, turned));
                  }),
          reduce(*reduction_info(reduction::sum), *logs, 1, false, {}, stream)};
}

}  // namespace arr
