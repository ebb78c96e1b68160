// SPDX-License-Identifier: MIT
// Products over semirings, as the reductions of segments of terms: one segment for each element of a result.
#include "ops/sparse/semiring.h"

#include <algorithm>

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/ordered.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/products.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// About as many terms are made at a time, if they are those of several columns.
constexpr int64_t terms_at_once = int64_t{1} << 22;

// The types of a semiring's terms.
struct Typed {
  const Semiring& by;
  DType x, y;
  ReduceTypes types;
  Typed(const Semiring& semiring, DType left, DType right) : by(semiring), x(left), y(right) {
    check_arity(by.op, 2);
    if (!makes_scans(by.reduction)) {
      fail(
          ARR_E_UNSUPPORTED, "argument reduction: ", by.reduction.name,
          " of products; expected one that combines pairs of terms, such as sum, prod, min, max, any or all");
    }
    ProgramBuilder b;
    types = reduce_types(by.reduction, b.dtype(b.op(by.op.number, b.input(x), b.input(y))), DType::none);
  }
  // The terms as the reduction combines them.
  [[nodiscard]] BoundProgram program() const {
    ProgramBuilder b;
    const int32_t left = b.input(x), right = b.input(y);
    b.output(reduce_map(b, by.reduction, types, b.op(by.op.number, left, right)));
    return b.finish();
  }
  [[nodiscard]] SegmentsCall call(int64_t count, int64_t elements) const {
    SegmentsCall c;
    c.reduction = &by.reduction;
    c.acc = c.out = types.acc;
    c.count = count;
    c.elements = elements;
    return c;
  }
};

// The semiring for which backends may have calls; ordinary if it is another one, or for these types.
SparseSemiring known(const Typed& t) {
  struct Row {
    int32_t reduction, op;
    SparseSemiring semiring;
  };
  constexpr Row rows[] = {{reduction::sum, op::multiply, SparseSemiring::sum_multiply},
                          {reduction::min, op::add, SparseSemiring::min_add},
                          {reduction::max, op::add, SparseSemiring::max_add},
                          {reduction::min, op::multiply, SparseSemiring::min_multiply},
                          {reduction::max, op::multiply, SparseSemiring::max_multiply},
                          {reduction::min, op::maximum, SparseSemiring::min_maximum},
                          {reduction::max, op::minimum, SparseSemiring::max_minimum},
                          {reduction::any, op::logical_and, SparseSemiring::any_and}};
  const std::array<OperandType, 2> given{{{t.x, false}, {t.y, false}}};
  const DType d = t.types.out;
  if (is_mixed(t.by.op, given) || t.types.acc != d) return SparseSemiring::ordinary;
  const Signature s = resolve(t.by.op, given);
  if (s.operand != d || s.result != d) return SparseSemiring::ordinary;
  const bool number =
      d == DType::float32_ || d == DType::float64_ || d == DType::int32_ || d == DType::int64_;
  for (const Row& row : rows) {
    if (row.reduction != t.by.reduction.number || row.op != t.by.op.number) continue;
    const bool has = row.semiring == SparseSemiring::any_and ? d == DType::bool_ : number;
    return has ? row.semiring : SparseSemiring::ordinary;
  }
  return SparseSemiring::ordinary;
}

// Canonical, in csr, whose order is found at most once for a matrix.
Ref<Sparse> canonical_rows(const Sparse& a, Stream* stream) {
  return sum_duplicates(a, stream)->rows(stream);
}

// The reduction of each segment of terms that begins at one of the starts and ends at the next.
Ref<Array> reduced(const Typed& t, const Array& terms, const Array& starts, Stream* stream) {
  const int64_t count = starts.layout.shape[0], n = terms.layout.shape[0], shape[2] = {count, 2};
  const Ref<Array> bounds = empty(DType::int64_, shape, Order::C, terms.device(), stream);
  const Ref<Array> begins = index_axis(*bounds, 1, 0), ends = index_axis(*bounds, 1, 1);
  assign(*begins, starts, stream);
  if (count > 1) {
    assign(*slice_axis(*ends, 0, 0, count - 1), *slice_axis(starts, 0, 1, count), stream);
  }
  fill(*slice_axis(*ends, 0, count - 1, count), scalar_of(n), stream);
  Ref<Array> out = vector_like(terms, t.types.acc, count, stream);
  enqueue_segments(t.call(count, n), terms, 0, bounds.get(), nullptr, *out, stream);
  return as_type(*out, t.types.out, stream);
}

Ref<Sparse> without_elements(const Sparse& like, const Extents& e, DType d, bool wide, Stream* stream) {
  const Ref<Array> keys = vector_like(*like.data, DType::int64_, 0, stream);
  return from_sorted_keys(SparseFormat::csr, e, {keys, vector_like(*like.data, d, 0, stream)}, wide, stream);
}

// The product with an array: the terms of some columns at a time, row by row of a.
Ref<Array> composed(const Typed& t, const Sparse& a, const Array& x, const Layout& shape, Stream* stream) {
  const int64_t rows = a.lines(), nnz = a.nnz();
  const bool vector = shape.ndim == 1;
  const int64_t columns = vector ? 1 : shape.shape[1], all[2] = {rows, columns};
  const Ref<Array> out = empty(t.types.acc, all, Order::C, a.device(), stream);
  const Scalar identity = reduce_identity(t.by.reduction, t.types.acc);
  if (nnz == 0) {
    fill(*out, identity, stream);
  } else if (columns != 0) {
    const Ref<Array> bounds = segment_bounds(*a.outer, nnz, stream), data = expand_axis(*a.data, 1);
    const Ref<Array> from = vector ? expand_axis(x, 1) : x.share();
    const BoundProgram program = t.program();
    const int64_t width = std::clamp<int64_t>(terms_at_once / nnz, 1, columns);
    for (int64_t first = 0; first < columns; first += width) {
      const int64_t end = std::min(first + width, columns), part[2] = {nnz + 1, end - first};
      const Ref<Array> terms = empty(t.types.acc, part, Order::C, a.device(), stream);
      fill(*slice_axis(*terms, 0, nnz, nnz + 1), identity, stream);
      const Ref<Array> there = take_known(*slice_axis(*from, 1, first, end), *a.inner, 0, stream);
      run_into(*slice_axis(*terms, 0, 0, nnz), program, std::array<const Array*, 2>{data.get(), there.get()},
               stream);
      enqueue_segments(t.call(rows, nnz + 1), *terms, 0, bounds.get(), nullptr,
                       *slice_axis(*out, 1, first, end), stream);
    }
  }
  const Ref<Array> result = as_type(*out, t.types.out, stream);
  return vector ? index_axis(*result, 1, 0) : result;
}

// The product without a mask: all terms, sorted by row and column.
Ref<Sparse> sorted_product(const Typed& t, const Sparse& a, const Sparse& b, const Extents& e, bool wide,
                           Stream* stream) {
  const LineElements terms = elements_of_lines(*b.outer, *a.inner, stream);
  if (terms.at->layout.shape[0] == 0) return without_elements(a, e, t.types.out, wide, stream);
  const Ref<Array> row = take_known(*rows_of(a, stream), *terms.from, 0, stream);
  const Ref<Array> column = take_known(*b.inner, *terms.at, 0, stream);
  const SortedVector keys = sort_vector(*key_of(*row, *column, e.columns, stream), true, stream);
  const Ref<Array> x = take_known(*a.data, *take_known(*terms.from, *keys.indices, 0, stream), 0, stream);
  const Ref<Array> y = take_known(*b.data, *take_known(*terms.at, *keys.indices, 0, stream), 0, stream);
  const Ref<Array> values = run(t.program(), std::array<const Array*, 2>{x.get(), y.get()}, stream);
  const Ref<Array> starts = flatnonzero(*segment_heads(*keys.elements, false, stream), stream);
  return from_sorted_keys(
      SparseFormat::csr, e,
      {take_known(*keys.elements, *starts, 0, stream), reduced(t, *values, *starts, stream)}, wide, stream);
}

// The product of the mask's elements: each one looks for its column in the rows of b that its row of a names.
Ref<Sparse> masked_product(const Typed& t, const Sparse& a, const Sparse& b, const Sparse& mask, bool wide,
                           Stream* stream) {
  const Extents& e = mask.extents;
  const auto nothing = [&] { return without_elements(a, e, t.types.out, wide, stream); };
  if (mask.nnz() == 0 || a.nnz() == 0 || b.nnz() == 0) return nothing();
  const LineElements terms = elements_of_lines(*a.outer, *rows_of(mask, stream), stream);
  if (terms.at->layout.shape[0] == 0) return nothing();
  const Ref<Array> keys = key_of(*take_known(*a.inner, *terms.at, 0, stream),
                                 *take_known(*mask.inner, *terms.from, 0, stream), e.columns, stream);
  const Ref<Array> have = keys_of(b, stream);
  const Ref<Array> at = compute({searchsorted(*have, *keys, false, nullptr, stream).get()}, stream,
                                [&](ProgramBuilder& p, const int32_t* in) {
                                  return p.op(op::minimum, in[0], integer(p, b.nnz() - 1));
                                });
  const Ref<Array> stored = apply(op::equal, {take_known(*have, *at, 0, stream).get(), keys.get()}, stream);
  const Ref<Array> which = flatnonzero(*stored, stream);
  if (which->layout.shape[0] == 0) return nothing();
  const Ref<Array> x = take_known(*a.data, *take_known(*terms.at, *which, 0, stream), 0, stream);
  const Ref<Array> y = take_known(*b.data, *take_known(*at, *which, 0, stream), 0, stream);
  const Ref<Array> values = run(t.program(), std::array<const Array*, 2>{x.get(), y.get()}, stream);
  const Ref<Array> element = take_known(*terms.from, *which, 0, stream);
  const Ref<Array> starts = flatnonzero(*segment_heads(*element, false, stream), stream);
  const Ref<Array> kept = take_known(*element, *starts, 0, stream);
  return from_sorted_keys(
      SparseFormat::csr, e,
      {take_known(*keys_of(mask, stream), *kept, 0, stream), reduced(t, *values, *starts, stream)}, wide,
      stream);
}

Ref<Sparse> without_mask(const Sparse& a, const Sparse& mask, Stream* stream) {
  const Ref<Array> keys = keys_of(a, stream), masked = keys_of(mask, stream);
  const auto search = [&](bool right) { return searchsorted(*masked, *keys, right, nullptr, stream); };
  return keep(a, *apply(op::equal, {search(false).get(), search(true).get()}, stream), stream);
}

void check_mask(const Mask& mask, Device device, const Extents& e) {
  if (mask.of == nullptr) {
    if (mask.complement) fail(ARR_E_ARGUMENT, "argument complement: true, expected false without a mask");
    return;
  }
  check_devices(device, mask.of->device());
  const Extents& given = mask.of->extents;
  if (given.rows == e.rows && given.columns == e.columns) return;
  fail(ARR_E_SHAPE, "argument mask: shape (", given.rows, ",", given.columns,
       "), expected that of the product, (", e.rows, ",", e.columns, ")");
}

}  // namespace

Ref<Array> segment_bounds(const Array& pointers, int64_t elements, Stream* stream) {
  const int64_t n = pointers.layout.shape[0] - 1, shape[2] = {n, 2};
  const Ref<Array> begins = slice_axis(pointers, 0, 0, n), ends = slice_axis(pointers, 0, 1, n + 1);
  Ref<Array> bounds = empty(DType::int64_, shape, Order::C, pointers.device(), stream);
  const auto put = [&](int64_t column, const Array& wanted, int64_t rest) {
    const Array* in[3] = {begins.get(), ends.get(), &wanted};
    run_into(*index_axis(*bounds, 1, column),
             program_of({begins.get(), ends.get(), &wanted},
                        [&](ProgramBuilder& b, const int32_t* x) {
                          const int32_t has = b.op(op::less, x[0], x[1]);
                          return b.op(op::where, has, b.cast(x[2], DType::int64_), integer(b, rest));
                        }),
             in, stream);
  };
  put(0, *begins, elements);
  put(1, *ends, elements + 1);
  return bounds;
}

Ref<Array> semiring_matmul(const Semiring& by, const Sparse& given, const Array& x, Stream* stream) {
  const Layout shape = product_shape(given, x);
  const Typed t(by, given.dtype(), x.dtype);
  const SparseSemiring semiring = known(t);
  if (semiring == SparseSemiring::sum_multiply || semiring == SparseSemiring::any_and) {
    return matmul(given, x, stream);
  }
  const Ref<Sparse> a = canonical_rows(given, stream);
  if (semiring == SparseSemiring::ordinary || !api<SparseApi>(a->device()).semirings) {
    return composed(t, *a, x, shape, stream);
  }
  const DType d = t.types.out;
  Ref<Array> out = empty(d, shape.dims(), Order::C, a->device(), stream);
  if (shape.size() == 0) return out;
  rows_into(*out, *a, *as_type(*a->data, d, stream), *contiguous(*as_type(x, d, stream), Order::C, stream), 0,
            stream, semiring);
  return out;
}

Ref<Sparse> semiring_product(const Semiring& by, const Sparse& a, const Sparse& b, const Mask& mask,
                             Stream* stream) {
  const Extents e = product_extents(a, b);
  const Typed t(by, a.dtype(), b.dtype());
  check_mask(mask, a.device(), e);
  const bool wide = a.index_type() == DType::int64_ || b.index_type() == DType::int64_;
  const Ref<Sparse> left = canonical_rows(a, stream), right = canonical_rows(b, stream);
  if (left->nnz() == 0 || right->nnz() == 0) return without_elements(*left, e, t.types.out, wide, stream);
  const Ref<Sparse> at = mask.of != nullptr ? canonical_rows(*mask.of, stream) : Ref<Sparse>{};
  const bool all = !at || (mask.complement && at->nnz() == 0);
  const SparseSemiring semiring = known(t);
  const SparseApi& calls = api<SparseApi>(a.device());
  const bool by_rows = calls.semirings && calls.gemm != nullptr && e.columns <= max_row_columns;
  if (by_rows && semiring != SparseSemiring::ordinary && (all || at->nnz() != 0)) {
    const Mask some{all ? nullptr : at.get(), mask.complement};
    return product_by_rows(*left, *right, t.types.out, wide, semiring, some, stream);
  }
  if (all) return sorted_product(t, *left, *right, e, wide, stream);
  if (mask.complement) {
    return without_mask(*sorted_product(t, *left, *right, e, wide, stream), *at, stream);
  }
  return masked_product(t, *left, *right, *at, wide, stream);
}

Ref<Sparse> sampled_matmul(const Sparse& given, const Array& x, const Array& y, Stream* stream) {
  const auto check = [&](const Array& z, const char* argument, int32_t axis, int64_t extent) {
    check_devices(given.device(), z.device());
    if (z.layout.ndim == 2 && z.layout.shape[axis] == extent) return;
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", z.layout.text(), ", expected ",
         axis == 0 ? "(" : "(k,", extent, axis == 0 ? ",k)" : ")");
  };
  check(x, "x", 0, given.extents.rows);
  check(y, "y", 1, given.extents.columns);
  const int64_t terms = x.layout.shape[1];
  if (y.layout.shape[0] != terms) {
    fail(ARR_E_SHAPE, "argument y: ", y.layout.shape[0], " rows, expected the number of columns of x, ",
         terms);
  }
  const Ref<Sparse> pattern = sum_duplicates(given, stream);
  const DType d = promote(x.dtype, y.dtype);
  const bool adds = d != DType::bool_;
  const ReductionInfo& r = *reduction_info(adds ? reduction::sum : reduction::any);
  const ReduceTypes types = reduce_types(r, d, adds ? d : DType::none);
  // On the host some rows of x and y at a time stay in the cache.
  const int64_t at_once = given.device().type == ARR_HOST ? int64_t{1} << 19 : terms_at_once;
  const int64_t nnz = pattern->nnz(), width = std::clamp<int64_t>(at_once / std::max<int64_t>(terms, 1), 1,
                                                                  std::max<int64_t>(nnz, 1));
  const Ref<Array> values = vector_like(*pattern->data, d, nnz, stream);
  const Ref<Array> row = rows_of(*pattern, stream), column = columns_of(*pattern, stream);
  const Ref<Array> left = as_type(x, d, stream), right = as_type(*move_axis(y, 1, 0), d, stream);
  for (int64_t first = 0; first < nnz; first += width) {
    const int64_t end = std::min(first + width, nnz);
    const Ref<Array> u = take_known(*left, *slice_axis(*row, 0, first, end), 0, stream);
    const Ref<Array> v = take_known(*right, *slice_axis(*column, 0, first, end), 0, stream);
    const BoundProgram p = program_of({u.get(), v.get()}, [&](ProgramBuilder& b, const int32_t* in) {
      return reduce_map(b, r, types, b.op(op::multiply, in[0], in[1]));
    });
    const Inputs inputs(p, {u.get(), v.get()});
    map_reduce_into(*slice_axis(*values, 0, first, end), r, types, *p.program, inputs.all(), 2, false,
                    stream);
  }
  return pattern->with_data(values);
}

}  // namespace arr
