// SPDX-License-Identifier: MIT
// Products of sparse matrices with arrays and with each other.
#include "ops/sparse/products.h"

#include <algorithm>
#include <complex>
#include <vector>

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/fitted.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

void check_inner(int64_t have, int64_t other, const char* argument) {
  if (have == other) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": ", other, " rows, expected the number of columns, ", have);
}

// A call for the lines of a matrix from `first` on; c has the rest.
void enqueue_product(SparseProductCall c, const Array& out, const Sparse& a, const Array& data,
                     const Array& x, int64_t first, Stream* stream) {
  c.dtype = x.dtype;
  c.index_type = a.index_type();
  c.inner = a.width();
  c.nnz = a.nnz();
  c.data = data.data;
  c.indices = a.inner->data;
  c.pointers = a.outer->data + first * item_size(c.index_type);
  c.x = x.data;
  c.y = out.data;
  const Queue q = queue_for(a.device(), stream);
  for (const Array* in : std::initializer_list<const Array*>{&data, a.inner.get(), a.outer.get(), &x}) {
    use_to_read(*in->buffer, q);
  }
  use(*out.buffer, q);
  enqueue(q, api<SparseApi>(q).product, c);
}

// out = a @ x for x and out of the type of the product, contiguous: by lines of csr, or of csc where the
// backend can scatter; otherwise by the order of rows.
void times_into(const Array& out, const Sparse& given, const Array& x, Stream* stream) {
  if (out.layout.size() == 0) return;
  const bool scatters = given.format == SparseFormat::csc && api<SparseApi>(given.device()).scatters;
  const Ref<Sparse> a = scatters ? given.share() : given.rows(stream);
  SparseProductCall c;
  c.scatters = scatters;
  c.rows = a->lines();
  c.outputs = a->extents.rows;
  c.plans = a->plans();
  c.columns = out.layout.size() / a->extents.rows;
  enqueue_product(c, out, *a, *as_type(*a->data, x.dtype, stream), x, 0, stream);
}

}  // namespace

Ref<Array> sums_at(const Array& data, const Array& indices, int64_t n, Stream* stream) {
  Ref<Array> out = vector_like(data, data.dtype, n, stream);
  if (n == 0) return out;
  SparseProductCall c;
  c.scatters = true;
  c.dtype = data.dtype;
  c.index_type = indices.dtype;
  c.rows = c.nnz = data.layout.shape[0];
  c.inner = c.outputs = n;
  c.columns = 1;
  c.data = data.data;
  c.indices = indices.data;
  c.y = out->data;
  const Queue q = queue_for(data.device(), stream);
  for (const Array* in : {&data, &indices}) use_to_read(*in->buffer, q);
  use(*out->buffer, q);
  enqueue(q, api<SparseApi>(q).product, c);
  return out;
}

namespace {

bool is_number(const std::optional<Factor>& factor, double number) {
  return factor && scalar_value<std::complex<double>>(convert(factor->number, DType::complex128_)) == number;
}

// alpha product + beta dst, as dst's type; without beta if that is 0. product: nullptr if alpha is 0.
BoundProgram scaled_sum(DType product, const Scaling& by, bool reads, bool adds, DType dst) {
  ProgramBuilder b;
  const auto times = [&](const std::optional<Factor>& factor, int32_t x) {
    return factor ? b.op(op::multiply, x, b.scalar(factor->number, factor->weak)) : x;
  };
  int32_t sum = reads ? times(by.alpha, b.input(product)) : -1;
  if (adds) {
    const int32_t old = times(by.beta, b.input(dst));
    sum = reads ? b.op(op::add, sum, old) : old;
  }
  if (!can_cast(b.dtype(sum), dst, Casting::same_kind)) {
    fail(ARR_E_DTYPE, "argument dst: ", name(dst), ", the result is ", name(b.dtype(sum)),
         ", which does not cast to it with the same_kind rule");
  }
  b.output(b.cast(sum, dst));
  return b.finish();
}

// The products of each element of a with the row of b that its column names.
Elements products(const Sparse& a, const Sparse& b, DType d, Stream* stream) {
  const LineElements e = elements_of_lines(*b.outer, *a.inner, stream);
  const Ref<Array> row = take_known(*rows_of(a, stream), *e.from, 0, stream);
  const Ref<Array> column = take_known(*b.inner, *e.at, 0, stream);
  const Ref<Array> x = take_known(*as_type(*a.data, d, stream), *e.from, 0, stream);
  const Ref<Array> y = take_known(*as_type(*b.data, d, stream), *e.at, 0, stream);
  return {row, column, apply(op::multiply, {x.get(), y.get()}, stream)};
}

}  // namespace

void check_devices(Device a, Device b) {
  if (a == b) return;
  fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a), " and on ", device_text(b));
}

Layout product_shape(const Sparse& a, const Array& x) {
  check_devices(a.device(), x.device());
  if (x.layout.ndim != 1 && x.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected one or two dimensions");
  }
  check_inner(a.extents.columns, x.layout.shape[0], "x");
  if (!a.compressed()) check_lines(a.extents.rows, "a");  // its rows are needed
  const int64_t shape[2] = {a.extents.rows, x.layout.ndim == 2 ? x.layout.shape[1] : 1};
  return Layout::contiguous({shape, static_cast<size_t>(x.layout.ndim)},
                            item_size(promote(a.dtype(), x.dtype)), Order::C);
}

Extents product_extents(const Sparse& a, const Sparse& b) {
  check_devices(a.device(), b.device());
  check_inner(a.extents.columns, b.extents.rows, "b");
  checked::mul(a.extents.rows, b.extents.columns, "rows times columns");
  return {a.extents.rows, b.extents.columns};
}

void rows_into(const Array& out, const Sparse& a, const Array& data, const Array& x, int64_t first,
               Stream* stream, SparseSemiring semiring) {
  SparseProductCall c;
  c.semiring = semiring;
  c.rows = c.outputs = out.layout.shape[0];
  c.columns = out.layout.size() / c.rows;
  enqueue_product(c, out, a, data, x, first, stream);
}

Ref<Sparse> product_by_rows(const Sparse& a, const Sparse& b, DType d, bool wide, SparseSemiring semiring,
                            const Mask& mask, Stream* stream) {
  const Extents e{a.extents.rows, b.extents.columns};
  const bool masked = mask.of != nullptr;
  SparseGemmCall c;
  c.semiring = semiring;
  c.dtype = d;
  c.index_type = index_type_for(e, std::max({a.nnz(), b.nnz(), masked ? mask.of->nnz() : 0}), wide);
  const auto index = [&](const Ref<Array>& x) { return as_type(*x, c.index_type, stream); };
  std::vector<Ref<Array>> parts{index(a.outer), index(a.inner), as_type(*a.data, d, stream),
                                index(b.outer), index(b.inner), as_type(*b.data, d, stream)};
  c.rows = e.rows;
  c.inner = a.extents.columns;
  c.columns = e.columns;
  c.a = {parts[0]->data, parts[1]->data, parts[2]->data};
  c.b = {parts[3]->data, parts[4]->data, parts[5]->data};
  if (masked) {
    parts.push_back(index(mask.of->outer));
    parts.push_back(index(mask.of->inner));
    c.mask = {parts[6]->data, parts[7]->data, nullptr};
    c.complement = mask.complement;
  }
  const int64_t bound = masked && !mask.complement ? mask.of->nnz() : e.rows * e.columns;
  Ref<Sparse> out =
      fitted(SparseFormat::csr, e, c, api<SparseApi>(a.device()).gemm, parts, bound, wide, stream);
  return out ? out : product_by_rows(a, b, d, true, semiring, mask, stream);
}

Ref<Array> matmul(const Sparse& a, const Array& x, Stream* stream) {
  const Layout shape = product_shape(a, x);
  const DType d = promote(a.dtype(), x.dtype);
  const Ref<Array> given = contiguous(*as_type(x, d, stream), Order::C, stream);
  Ref<Array> out = create(d, shape, a.device(), stream);
  times_into(*out, a, *given, stream);
  return out;
}

void matmul_into(const Array& dst, const Sparse& a, const Array& x, const Scaling& by, Stream* stream) {
  check_destination(dst, product_shape(a, x));
  check_devices(a.device(), dst.device());
  const DType d = promote(a.dtype(), x.dtype);
  const bool reads = !is_number(by.alpha, 0), adds = by.beta && !is_number(by.beta, 0);
  const bool one = is_number(by.alpha, 1) && by.alpha->weak && (is_floating(d) || is_complex(d));
  const bool plain = reads && !adds && (!by.alpha || one);
  const Ref<Array> given = contiguous(*as_type(x, d, stream), Order::C, stream);
  if (plain && dst.contiguous && can_write_directly(dst, d, *given) && can_write_directly(dst, d, *a.data)) {
    return times_into(dst, a, *given, stream);
  }
  const BoundProgram p = scaled_sum(d, by, reads || !adds, adds, dst.dtype);
  if (!reads && !adds) return fill(dst, convert(scalar_of(int64_t{0}), dst.dtype), stream);
  if (!reads) return run_into(dst, p, std::array{&dst}, stream);
  const Ref<Array> product = matmul(a, *given, stream);
  const Array* both[2] = {product.get(), &dst};
  run_into(dst, p, {both, adds ? size_t{2} : size_t{1}}, stream);
}

Ref<Array> matmul(const Array& x, const Sparse& a, Stream* stream) {
  if (x.layout.ndim != 1 && x.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected one or two dimensions");
  }
  const int64_t columns = x.layout.shape[x.layout.ndim - 1];
  if (columns != a.extents.rows) {
    fail(ARR_E_SHAPE, "argument a: ", a.extents.rows, " rows, expected the number of columns of x, ",
         columns);
  }
  const Ref<Sparse> turned = a.transpose();
  if (x.layout.ndim == 1) return matmul(*turned, x, stream);
  return move_axis(*matmul(*turned, *move_axis(x, 1, 0), stream), 1, 0);
}

Ref<Sparse> matmul(const Sparse& a, const Sparse& b, Stream* stream) {
  const Extents e = product_extents(a, b);
  const DType d = promote(a.dtype(), b.dtype());
  const bool wide = a.index_type() == DType::int64_ || b.index_type() == DType::int64_;
  const Ref<Sparse> left = a.rows(stream), right = b.rows(stream);
  Ref<Sparse> out;
  if (left->nnz() == 0 || right->nnz() == 0) {
    const auto nothing = [&](DType type) { return vector_like(*a.data, type, 0, stream); };
    out = from_sorted_keys(SparseFormat::csr, e, {nothing(DType::int64_), nothing(d)}, wide, stream);
  } else if (api<SparseApi>(a.device()).gemm != nullptr && e.columns <= max_row_columns) {
    return product_by_rows(*left, *right, d, wide, SparseSemiring::ordinary, {}, stream);
  } else {
    out = from_elements(SparseFormat::csr, e, products(*left, *right, d, stream), wide, stream);
  }
  return eliminate_zeros(*out, stream);
}

}  // namespace arr
