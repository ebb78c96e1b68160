// SPDX-License-Identifier: MIT
// Products of sparse matrices over ranks. Messages are in flight while each rank multiplies what it has.
#include "ops/sparse/products.h"
#include "expr/op_numbers.h"
#include "ops/comm/together.h"
#include "ops/dist_sparse/dist_sparse.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/indexing/take.h"
#include "ops/sorting/segments.h"

namespace arr {

namespace {

// The layout of a product, after a check of the operand.
Layout divided_shape(const DistSparse& a, const Mode& mode, const Array& x) {
  return product_shape(mode.transposed ? *a.blocks.own_turned : *a.blocks.own, x);
}

// Rows of a matrix like x, or a vector.
Ref<Array> rows_like(const Array& x, int64_t rows, Stream* stream) {
  int64_t shape[2] = {rows, x.layout.ndim == 2 ? x.layout.shape[1] : 1};
  return empty(x.dtype, {shape, static_cast<size_t>(x.layout.ndim)}, Order::C, x.device(), stream);
}

// y[rows[i]] += values[i]. y: contiguous; no row occurs twice.
void add_rows(const Array& y, const Array& rows, const Array& values, Stream* stream) {
  const int64_t all = y.layout.size();
  if (values.layout.size() == 0) return;
  const Ref<Array> to = reshape(y, {&all, 1}, Order::C, stream);
  Ref<Array> at = rows.share();
  if (y.layout.ndim == 2) {
    const int64_t k = y.layout.shape[1];
    const Ref<Array> column = index_vector(k, y.device(), stream), row = expand_axis(rows, 1);
    at = ravel(*compute({row.get(), column.get()}, stream,
                        [&](ProgramBuilder& b, const int32_t* in) {
                          return b.op(op::add, b.op(op::multiply, in[0], integer(b, k)), in[1]);
                        }),
               stream);
  }
  const Ref<Array> old = take_known(*to, *at, 0, stream), more = ravel(values, stream);
  scatter_unique(*to, *at, *apply(op::add, {old.get(), more.get()}, stream), stream);
}

// The product with the matrix, or with its transpose, by own(), which makes that with this rank's own block.
using OwnProduct = std::function<Ref<Array>(const Sparse&, const Array&)>;
Ref<Array> product(const DistSparse& a, bool transposed, const Array& x, const OwnProduct& own,
                   Stream* stream) {
  const DistSparse::Plan& plan = *a.plan;
  const DistSparse::Blocks& by = a.blocks;
  Ref<Array> y;
  if (!transposed) {
    const Ref<Array> out = take_known(x, *plan.sent_at, 0, stream),
                     in = rows_like(x, by.rest->extents.columns, stream);
    exchange_segments(a.comm(), *out, plan.sent, *in, plan.received, stream, [&] { y = own(*by.own, x); });
    if (!plan.received.empty()) add_rows(*y, *a.rest_rows, *matmul(*by.rest, *in, stream), stream);
    return y;
  }
  const Ref<Array> out = matmul(*by.rest_turned, *take_known(x, *a.rest_rows, 0, stream), stream);
  const Ref<Array> in = rows_like(x, plan.sent_at->layout.shape[0], stream);
  exchange_segments(a.comm(), *out, plan.received, *in, plan.sent, stream,
                    [&] { y = own(*by.own_turned, x); });
  for (const Segment& s : plan.sent) {
    add_rows(*y, *slice_axis(*plan.sent_at, 0, s.from, s.to), *slice_axis(*in, 0, s.from, s.to), stream);
  }
  return y;
}

class DistSparseOperator final : public LinearOperator {
 public:
  explicit DistSparseOperator(Ref<DistSparse> a)
      : LinearOperator(a->extents(), a->dtype(), a->device(), a->ranks), a_(std::move(a)) {}
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return matmul(*a_, mode, x, stream);
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    const DType both = promote(dtype, d);
    if (both == dtype) return share();
    const auto converted = [&](const Sparse& part) { return astype(part, both, Casting::same_kind, stream); };
    const DistSparse::Blocks blocks(converted(*a_->blocks.own), converted(*a_->blocks.rest));
    return make<DistSparseOperator>(
        make<DistSparse>(a_->ranks, a_->plan, a_->rest_rows, a_->whole_nnz, blocks));
  }

 private:
  Ref<DistSparse> a_;
};

}  // namespace

void exchange_segments(Comm& comm, const Array& out, const std::vector<Segment>& sent, const Array& in,
                       const std::vector<Segment>& received, Stream* stream,
                       const std::function<void()>& work) {
  std::vector<CommCall> calls;
  calls.reserve(sent.size() + received.size());
  for (const Segment& s : received) {
    calls.push_back(recv_call(comm.place(), *slice_axis(in, 0, s.from, s.to), s.rank, stream));
  }
  for (const Segment& s : sent) {
    calls.push_back(send_call(comm.place(), *slice_axis(out, 0, s.from, s.to), s.rank, stream));
  }
  comm.run_beside(std::move(calls), work);
}

Ref<Array> matmul(const DistSparse& a, const Mode& mode, const Array& x, Stream* stream) {
  static_cast<void>(divided_shape(a, mode, x));
  Ref<Array> y;
  lead(&a.comm(), [&] {
    const DType d = promote(a.dtype(), x.dtype);
    const bool turns = mode.conjugated && is_complex(a.dtype());
    const Ref<Array> given =
        contiguous(*as_type(turns ? *conjugate(x, stream) : x, d, stream), Order::C, stream);
    y = product(
        a, mode.transposed, *given,
        [&](const Sparse& own, const Array& in) { return matmul(own, in, stream); }, stream);
    if (turns) y = conjugate(*y, stream);
  });
  return y;
}

void matmul_into(const Array& dst, const DistSparse& a, const Mode& mode, const Array& x, Stream* stream) {
  check_destination(dst, divided_shape(a, mode, x));
  check_devices(a.device(), dst.device());
  const DType d = promote(a.dtype(), x.dtype);
  if (!can_cast(d, dst.dtype, Casting::same_kind)) {
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", the result is ", name(d),
         ", which does not cast to it with the same_kind rule");
  }
  const bool turns = mode.conjugated && is_complex(a.dtype());
  if (turns || !dst.contiguous || !can_write_directly(dst, d, x)) {
    return write_result(dst, *matmul(a, mode, x, stream), stream);
  }
  lead(&a.comm(), [&] {
    const Ref<Array> given = contiguous(*as_type(x, d, stream), Order::C, stream);
    product(
        a, mode.transposed, *given,
        [&](const Sparse& own, const Array& in) {
          matmul_into(dst, own, in, {}, stream);
          return dst.share();
        },
        stream);
  });
}

Ref<LinearOperator> linop_of(const DistSparse& a) { return make<DistSparseOperator>(a.share()); }

}  // namespace arr
