// SPDX-License-Identifier: MIT
// Reductions of sparse matrices: the stored elements of each line are reduced, and then 0 joins them if not
// all elements are stored.
#include "ops/reduce/reduce.h"
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/ordered.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/products.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The reductions of sparse matrices. zero: the op that combines a result with an element that is not stored;
// 0: such an element changes nothing. adds: the elements are added, after the row's map.
struct Supported {
  int32_t reduction, zero;
  bool adds = false;
};
constexpr Supported supported[] = {
    {reduction::sum, 0, true},           {reduction::mean, 0, true},
    {reduction::nansum, 0, true},        {reduction::any, 0},
    {reduction::count_nonzero, 0, true}, {reduction::sum_abs, 0, true},
    {reduction::sum_squares, 0, true},   {reduction::max_abs, 0},
    {reduction::bitwise_or_reduce, 0},   {reduction::bitwise_xor_reduce, 0},
    {reduction::logical_xor_reduce, 0},  {reduction::prod, op::multiply},
    {reduction::nanprod, op::multiply},  {reduction::min, op::minimum},
    {reduction::max, op::maximum},       {reduction::nanmin, op::fmin},
    {reduction::nanmax, op::fmax},       {reduction::min_abs, op::minimum},
    {reduction::all, op::logical_and},   {reduction::bitwise_and_reduce, op::bitwise_and},
};

const Supported& supported_row(const ReductionInfo& r) {
  for (const Supported& s : supported) {
    if (s.reduction == r.number) return s;
  }
  fail(ARR_E_UNSUPPORTED, "argument reduction: ", r.name,
       " of sparse matrices; convert with arr_sparse_to_dense");
}

// The stored elements as the reduction combines them.
Ref<Array> mapped(const ReductionInfo& r, const ReduceTypes& types, const Array& data, Stream* stream) {
  const bool as_it_is = r.map == ReduceMap::NONE && r.acc != ReduceAcc::COUNT && data.dtype == types.acc;
  if (as_it_is) return data.share();
  return compute({&data}, stream,
                 [&](ProgramBuilder& b, const int32_t* in) { return reduce_map(b, r, types, in[0]); });
}

// values[i] = op(values[i], 0) where a line has an element that is not stored.
void combine_with_zero(int32_t op, const Array& values, const Array& full, Stream* stream) {
  const Array* in[2] = {&values, &full};
  run_into(values,
           program_of({&values, &full},
                      [&](ProgramBuilder& b, const int32_t* x) {
                        const int32_t zero = b.scalar(convert(scalar_of(int64_t{0}), values.dtype), false);
                        return b.cast(b.op(op::where, x[1], x[0], b.op(op, x[0], zero)), values.dtype);
                      }),
           in, stream);
}

// The reduction of the stored elements of each segment; of lines without any 0.
Ref<Array> reduce_segments(const ReductionInfo& r, const Supported& by, const Array& data, const Sparse& a,
                           Stream* stream) {
  const int64_t n = a.lines();
  Ref<Array> out =
      full(data.dtype, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), data.dtype), a.device(), stream);
  const Ref<Array> begins = slice_axis(*a.outer, 0, 0, n), ends = slice_axis(*a.outer, 0, 1, n + 1);
  const Ref<Array> lines = flatnonzero(*apply(op::less, {begins.get(), ends.get()}, stream), stream);
  const int64_t count = lines->layout.shape[0], shape[2] = {count, 2};
  if (count == 0) return out;
  const Ref<Array> bounds = empty(DType::int64_, shape, Order::C, a.device(), stream);
  const Ref<Array> first = index_axis(*bounds, 1, 0), end = index_axis(*bounds, 1, 1);
  assign(*first, *take_known(*begins, *lines, 0, stream), stream);
  assign(*end, *take_known(*ends, *lines, 0, stream), stream);
  const Ref<Array> values = vector_like(data, data.dtype, count, stream);
  SegmentsCall c;
  c.reduction = &r;
  c.acc = c.out = data.dtype;
  c.count = count;
  c.elements = a.nnz();
  enqueue_segments(c, data, 0, bounds.get(), nullptr, *values, stream);
  if (by.zero != 0) {
    const Ref<Array> whole =
        compute({end.get(), first.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
          return b.op(op::equal, b.op(op::subtract, in[0], in[1]), integer(b, a.width()));
        });
    combine_with_zero(by.zero, *values, *whole, stream);
  }
  scatter_unique(*out, *lines, *values, stream);
  return out;
}

// The same of all elements, as a vector of one.
Ref<Array> reduce_all(const ReductionInfo& r, const Supported& by, const Array& data, int64_t total,
                      Stream* stream) {
  const int64_t one = 1, n = data.layout.shape[0];
  Ref<Array> out = vector_like(data, data.dtype, one, stream);
  if (n == 0) {
    fill(*out, convert(scalar_of(int64_t{0}), data.dtype), stream);
    return out;
  }
  const Ref<Array> bounds = upload(std::vector<int64_t>{0, n}, DType::int64_, data.device(), stream);
  SegmentsCall c;
  c.reduction = &r;
  c.acc = c.out = data.dtype;
  c.count = 1;
  c.elements = n;
  enqueue_segments(c, data, 0, bounds.get(), nullptr, *out, stream);
  if (by.zero != 0 && n < total) {
    const Ref<Array> whole =
        full(DType::bool_, {&one, 1}, Order::C, {DType::bool_, 0, 0}, data.device(), stream);
    combine_with_zero(by.zero, *out, *whole, stream);
  }
  return out;
}

// Sums of rows or columns: the elements are added where their indices say, or as a product with ones.
Ref<Array> sums_of(const Sparse& a, Ref<Array> data, int32_t axis, Stream* stream) {
  const DType d = data->dtype;
  const bool by_lines = a.format == (axis == 0 ? SparseFormat::csc : SparseFormat::csr);
  if (!by_lines && api<SparseApi>(a.device()).scatters) {
    const bool inner = a.compressed() || axis == 0;
    return sums_at(*data, inner ? *a.inner : *a.outer, axis == 0 ? a.extents.columns : a.extents.rows,
                   stream);
  }
  const int64_t n = axis == 0 ? a.extents.rows : a.extents.columns;
  const Ref<Array> ones = full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{1}), d), a.device(), stream);
  const Ref<Sparse> of = a.with_data(std::move(data));
  return axis == 0 ? matmul(*ones, *of, stream) : matmul(*of, *ones, stream);
}

}  // namespace

Ref<Array> sparse_reduce(const ReductionInfo& r, const Sparse& given, int32_t axis, DType dtype,
                         Stream* stream) {
  const Supported& by = supported_row(r);
  const bool mean = r.number == reduction::mean;
  const ReductionInfo& inner = mean ? *reduction_info(reduction::sum) : r;
  const ReduceTypes types = reduce_types(r, given.dtype(), dtype, "dtype");
  if (axis != axis_none) axis = normalize_axis(2, axis);
  const int64_t total = given.extents.rows * given.extents.columns;
  const int64_t width = axis == axis_none ? total : axis == 0 ? given.extents.rows : given.extents.columns;
  if (width == 0) {  // of no elements, as a dense array
    const uint32_t axes = axis == axis_none ? 3 : 1U << axis;
    ReduceOptions options;
    options.dtype = dtype;
    return reduce(r, *to_dense(given, Order::C, stream), axes, false, options, stream);
  }
  // A product with 1 changes a complex number that is inf.
  const bool multiplies = by.adds && axis != axis_none && !is_complex(types.acc);
  const bool linear = r.number == reduction::sum || mean;
  const SparseFormat format = axis == 0 ? SparseFormat::csc : SparseFormat::csr;
  Ref<Sparse> a = given.share();
  if (!linear || given.dtype() == DType::bool_) a = sum_duplicates(*a, stream);
  if (axis != axis_none && !multiplies) a = convert(*a, format, stream);
  const Ref<Array> data = mapped(r, types, *a->data, stream);
  Ref<Array> out = axis == axis_none ? reduce_all(inner, by, *data, width, stream)
                   : multiplies      ? sums_of(*a, data, axis, stream)
                                     : reduce_segments(inner, by, *data, *a, stream);
  if (mean) {
    out = compute({out.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::divide, in[0], number(b, static_cast<double>(width)));
    });
  }
  out = as_type(*out, types.out, stream);
  return axis == axis_none ? index_axis(*out, 0, 0) : out;
}

}  // namespace arr
