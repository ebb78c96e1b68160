// SPDX-License-Identifier: MIT
// Decompositions. The backend receives a row-major matrix as its transpose, which suits all but QR and LU.
#include "ops/linalg/decompositions.h"

#include <algorithm>
#include <numeric>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/matmul.h"

namespace arr {

namespace {

// Writes identity matrices.
void fill_identity(const Array& a, Stream* stream) {
  fill(a, scalar_of(int64_t{0}), stream);
  fill(*diagonals(a), scalar_of(int64_t{1}), stream);
}

// Symmetric matrices of which one triangle is read. For real row-major matrices this is the other triangle of
// the transpose, which is the same memory in column-major order.
struct Symmetric {
  Symmetric(const Array& a, DType d, bool asked_lower, Stream* stream)
      : matrix(as_type(a, d, stream)),
        flipped(!is_complex(d) && row_major(*matrix)),
        lower(asked_lower != flipped) {
    if (flipped) matrix = matrix_transposed(*matrix);
  }
  Ref<Array> matrix;
  bool flipped, lower;
};

}  // namespace

Ref<Array> cholesky(const Array& a, bool upper, OnFailure how, Stream* stream) {
  check_square(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  const Symmetric s(a, d, !upper, stream);
  LapackCall job(LinalgKind::cholesky, d, batch_of(a), a.device(), stream);
  job.call.m = job.call.n = rows_of(a);
  job.call.lower = s.lower;
  job.read_a(*s.matrix);
  Ref<Array> x = job.matrices(rows_of(a), rows_of(a), d);
  job.call.x = x->data;
  job.run();
  job.handle_failures(how, "a", {x.get()});
  clear_triangle(*x, !s.lower, stream);
  return s.flipped ? matrix_transposed(*x) : x;
}

std::vector<Ref<Array>> qr(const Array& a, QrMode mode, Stream* stream) {
  check_matrices(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  const int64_t m = rows_of(a), n = columns_of(a), min_mn = std::min(m, n);
  const Ref<Array> typed = as_type(a, d, stream);
  LapackCall job(LinalgKind::qr, d, batch_of(a), a.device(), stream);
  job.call.m = m;
  job.call.n = n;
  job.read_a(*typed);
  const Ref<Array> x = job.matrices(m, n, d), tau = job.vectors(min_mn, d);
  job.call.x = x->data;
  job.call.values = tau->data;
  Ref<Array> q;
  if (mode == QrMode::reduced || mode == QrMode::complete) {
    job.call.columns = mode == QrMode::complete ? m : min_mn;
    q = job.matrices(m, job.call.columns, d);
    job.call.left = q->data;
  }
  job.run();
  if (mode == QrMode::raw) return {matrix_transposed(*x), tau};
  if (job.idle() && q) fill_identity(*q, stream);
  const int32_t rows = a.layout.ndim - 2;
  Ref<Array> r = triangle(*slice_axis(*x, rows, 0, mode == QrMode::complete ? m : min_mn), true, stream);
  if (mode == QrMode::r) return {r};
  return {q, r};
}

Svd svd(const Array& a, bool vectors, bool full, OnFailure how, Stream* stream) {
  check_matrices(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  Ref<Array> x = as_type(a, d, stream);
  const bool flipped = row_major(*x);  // a^T = conj(V) S U^T
  if (flipped) x = matrix_transposed(*x);
  const int64_t m = rows_of(*x), n = columns_of(*x), min_mn = std::min(m, n);
  LapackCall job(LinalgKind::svd, d, batch_of(a), a.device(), stream);
  job.call.m = m;
  job.call.n = n;
  job.call.vectors = vectors;
  job.call.full = full;
  job.read_a(*x);
  Svd out;
  out.s = job.vectors(min_mn, real_type(d));
  job.call.values = out.s->data;
  if (vectors) {
    out.u = job.matrices(m, full ? m : min_mn, d);
    out.vh = job.matrices(full ? n : min_mn, n, d);
    job.call.left = out.u->data;
    job.call.right = out.vh->data;
  }
  job.run();
  if (!vectors) {
    job.handle_failures(how, "a", {out.s.get()});
    return out;
  }
  job.handle_failures(how, "a", {out.s.get(), out.u.get(), out.vh.get()});
  if (job.idle()) {
    fill_identity(*out.u, stream);
    fill_identity(*out.vh, stream);
  }
  if (flipped) {
    std::swap(out.u, out.vh);
    out.u = matrix_transposed(*out.u);
    out.vh = matrix_transposed(*out.vh);
  }
  return out;
}

Ref<Array> svdvals(const Array& a, OnFailure how, Stream* stream) {
  return svd(a, false, false, how, stream).s;
}

Eigen eigh(const Array& a, bool lower, bool vectors, OnFailure how, Stream* stream) {
  check_square(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  Symmetric s(a, d, lower, stream);
  // The host reads only that triangle; a device checks whether the whole matrix is finite.
  if (a.device().type != ARR_HOST) s.matrix = triangle(*s.matrix, !s.lower, stream);
  LapackCall job(LinalgKind::eigh, d, batch_of(a), a.device(), stream);
  job.call.m = job.call.n = rows_of(a);
  job.call.lower = s.lower;
  job.call.vectors = vectors;
  job.read_a(*s.matrix);
  Eigen out;
  out.values = job.vectors(rows_of(a), real_type(d));
  job.call.values = out.values->data;
  if (vectors) {
    out.vectors = job.matrices(rows_of(a), rows_of(a), d);
    job.call.x = out.vectors->data;
  }
  job.run();
  const Array* both[] = {out.values.get(), vectors ? out.vectors.get() : out.values.get()};
  job.handle_failures(how, "a", {both[0], both[1]});
  return out;
}

Eigen eig(const Array& a, bool vectors, OnFailure how, Stream* stream) {
  check_square(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  const DType complex = promote(d, DType::complex64_);
  const Ref<Array> typed = as_type(a, d, stream);
  LapackCall job(LinalgKind::eig, d, batch_of(a), a.device(), stream);
  job.call.m = job.call.n = rows_of(a);
  job.call.vectors = vectors;
  job.read_a(*typed);
  Eigen out;
  out.values = job.vectors(rows_of(a), complex);
  job.call.values = out.values->data;
  if (vectors) {
    out.vectors = job.matrices(rows_of(a), rows_of(a), complex);
    job.call.x = out.vectors->data;
  }
  job.run();
  const Array* both[] = {out.values.get(), vectors ? out.vectors.get() : out.values.get()};
  job.handle_failures(how, "a", {both[0], both[1]});
  return out;
}

SchurForm schur(const Array& a, OnFailure how, Stream* stream) {
  check_square(a, "a");
  const DType d = promote(lapack_type(a.dtype, "a"), DType::complex64_);
  const Ref<Array> typed = as_type(a, d, stream);
  const int64_t n = rows_of(a);
  LapackCall job(LinalgKind::schur, d, batch_of(a), a.device(), stream);
  job.call.m = job.call.n = n;
  job.read_a(*typed);
  SchurForm out{job.matrices(n, n, d), job.matrices(n, n, d)};
  job.call.x = out.t->data;
  job.call.left = out.q->data;
  job.run();
  job.handle_failures(how, "a", {out.t.get(), out.q.get()});
  return out;
}

Polar polar(const Array& a, bool left, OnFailure how, Stream* stream) {
  const Svd f = svd(a, true, false, how, stream);
  const Ref<Array> s = expand_axis(*f.s, left ? -2 : -1);  // times the columns of u, or the rows of vh
  const Ref<Array> scaled = apply(op::multiply, {left ? f.u.get() : f.vh.get(), s.get()}, stream);
  Polar out{matmul(*f.u, *f.vh, stream), {}};
  out.p = left ? matmul(*scaled, *adjoint(*f.u, stream), stream)
               : matmul(*adjoint(*f.vh, stream), *scaled, stream);
  return out;
}

Ldl ldl(const Array& a, bool lower, Stream* stream) {
  check_square(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  const Ref<Array> typed = as_type(a, d, stream);
  LapackCall job(LinalgKind::ldl, d, batch_of(a), a.device(), stream);
  const int64_t n = rows_of(a);
  job.call.m = job.call.n = n;
  job.call.lower = lower;
  job.read_a(*typed);
  Ldl out{job.matrices(n, n, d), job.matrices(n, n, d), job.vectors(n, DType::int32_)};
  job.call.x = out.lu->data;
  job.call.left = out.d->data;
  job.call.pivots = reinterpret_cast<int32_t*>(out.permutation->data);
  job.run();
  return out;
}

LuFactors lu_factor(const Array& a, Stream* stream) {
  check_matrices(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  const Ref<Array> typed = as_type(a, d, stream);
  LapackCall job(LinalgKind::lu, d, batch_of(a), a.device(), stream);
  job.call.m = rows_of(a);
  job.call.n = columns_of(a);
  job.read_a(*typed);
  LuFactors out;
  out.lu = job.matrices(rows_of(a), columns_of(a), d);
  out.pivots = job.vectors(std::min(rows_of(a), columns_of(a)), DType::int32_);
  job.call.x = out.lu->data;
  job.call.pivots = reinterpret_cast<int32_t*>(out.pivots->data);
  job.run();
  const Array* pivots = out.pivots.get();
  run_into(*pivots,
           program_of({pivots},
                      [](ProgramBuilder& b, const int32_t* in) {
                        return b.op(op::subtract, in[0], b.scalar(scalar_of(int64_t{1}), true));
                      }),
           {&pivots, 1}, stream);
  return out;
}

namespace {

// The row permutation of p l u: row i is row order[i] of the product l u.
Ref<Array> permutation(const Array& pivots, int64_t m, DType d, Stream* stream) {
  const int64_t min_mn = pivots.layout.shape[pivots.layout.ndim - 1];
  const int64_t count = min_mn == 0 ? 0 : pivots.layout.size() / min_mn;
  std::vector<int32_t> exchanged(static_cast<size_t>(pivots.layout.size()));
  get(pivots, Order::C, exchanged.data(), static_cast<int64_t>(exchanged.size() * sizeof(int32_t)), stream);
  Layout l = pivots.layout;
  l.shape[l.ndim - 1] = m;
  std::vector<int64_t> order(static_cast<size_t>(l.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i) % std::max<int64_t>(m, 1);
  for (int64_t c = 0; c < count; ++c) {
    for (int64_t i = 0; i < min_mn; ++i) {
      std::swap(order[static_cast<size_t>(c * m + i)],
                order[static_cast<size_t>(c * m + exchanged[static_cast<size_t>(c * min_mn + i)])]);
    }
  }
  const Ref<Array> flat = upload(order, DType::int64_, pivots.device(), stream);
  Ref<Array> shaped = reshape(*flat, l.dims(), Order::C, stream);
  const int32_t before_last = -2;
  shaped = shaped->view(expand_dims(shaped->layout, {&before_last, 1}, shaped->item()));
  const Ref<Array> row =
      broadcastable_vector(*index_vector(m, pivots.device(), stream), l.ndim + 1, l.ndim - 1);
  return compute({row.get(), shaped.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::equal, in[0], in[1]), d);
  });
}

}  // namespace

std::vector<Ref<Array>> lu(const Array& a, Stream* stream) {
  const LuFactors f = lu_factor(a, stream);
  const int64_t m = rows_of(a), n = columns_of(a), min_mn = std::min(m, n);
  const int32_t last = a.layout.ndim - 1;
  Ref<Array> l = triangle(*slice_axis(*f.lu, last, 0, min_mn), false, stream);
  fill(*diagonals(*l), scalar_of(int64_t{1}), stream);
  Ref<Array> u = triangle(*slice_axis(*f.lu, last - 1, 0, min_mn), true, stream);
  return {permutation(*f.pivots, m, real_type(f.lu->dtype), stream), l, u};
}

}  // namespace arr
