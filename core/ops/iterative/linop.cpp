// SPDX-License-Identifier: MIT
// Linear operators of matrices, and their sums, products and powers.
#include "ops/iterative/linop.h"

#include <numeric>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/comm/together.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/products.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/factor.h"
#include "ops/sparse/products.h"
#include "ops/sparse/shape.h"

namespace arr {

namespace {

// Calls product(x) with an operator's elements, conjugated if the mode says so.
template <class Product>
Ref<Array> conjugated(const LinearOperator& a, const Mode& mode, const Array& x, Stream* stream,
                      Product&& product) {
  if (!mode.conjugated || !is_complex(a.dtype)) return product(x);
  return conjugate(*product(*conjugate(x, stream)), stream);
}

class SparseOperator final : public LinearOperator {
 public:
  explicit SparseOperator(Ref<Sparse> a)
      : LinearOperator(a->extents, a->dtype(), a->device()), a_(std::move(a)), turned_(a_->transpose()) {}
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return conjugated(*this, mode, x, stream,
                      [&](const Array& y) { return matmul(mode.transposed ? *turned_ : *a_, y, stream); });
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    const DType both = promote(dtype, d);
    if (both == dtype) return share();
    return make<SparseOperator>(astype(*a_, both, Casting::same_kind, stream));
  }
  Ref<Array> diagonal(Stream* stream) const override { return sparse_diagonal(*a_, 0, stream); }
  Ref<Array> column_sums(Stream* stream) const override {
    const Ref<Sparse> sizes = sparse_unary(*op_info(op::absolute), *sum_duplicates(*a_, stream), stream);
    return sparse_reduce(*reduction_info(reduction::sum), *sizes, 0, DType::none, stream);
  }

 private:
  Ref<Sparse> a_, turned_;
};

class DenseOperator final : public LinearOperator {
 public:
  explicit DenseOperator(Ref<Array> a)
      : LinearOperator({a->layout.shape[0], a->layout.shape[1]}, a->dtype, a->device()), a_(std::move(a)) {}
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return conjugated(*this, mode, x, stream, [&](const Array& y) {
      return matmul(mode.transposed ? *move_axis(*a_, 1, 0) : *a_, y, stream);
    });
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    const DType both = promote(dtype, d);
    if (both == dtype) return share();
    return make<DenseOperator>(as_type(*a_, both, stream));
  }
  Ref<Array> diagonal(Stream* stream) const override {
    return copy(*arr::diagonal(*a_, 0, 0, 1), Order::C, stream);
  }
  Ref<Array> column_sums(Stream* stream) const override {
    const Ref<Array> sizes = apply(op::absolute, {a_.get()}, stream);
    return reduce(*reduction_info(reduction::sum), *sizes, 1, false, {}, stream);
  }

 private:
  Ref<Array> a_;
};

class InverseOperator final : public LinearOperator {
 public:
  explicit InverseOperator(Ref<SparseFactor> f)
      : LinearOperator({f->n, f->n}, f->dtype, f->device), f_(std::move(f)) {}
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return conjugated(*this, mode, x, stream, [&](const Array& y) {
      const Ref<Array> z = solve(*f_, y, mode.transposed ? LinalgOp::transpose : LinalgOp::none, stream);
      return as_type(*z, promote(dtype, y.dtype), stream);
    });
  }

 private:
  Ref<SparseFactor> f_;
};

// No diagonal: the identity.
class DiagonalOperator final : public LinearOperator {
 public:
  DiagonalOperator(int64_t n, DType d, Device where) : LinearOperator({n, n}, d, where) {}
  explicit DiagonalOperator(Ref<Array> d)
      : LinearOperator({d->layout.shape[0], d->layout.shape[0]}, d->dtype, d->device()), d_(std::move(d)) {}
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    if (!d_) return as_type(x, promote(dtype, x.dtype), stream);
    return conjugated(*this, mode, x, stream, [&](const Array& y) {
      const Ref<Array> d = y.layout.ndim == 2 ? expand_axis(*d_, 1) : d_;
      return arr::apply(op::multiply, {d.get(), &y}, stream);
    });
  }

 private:
  Ref<Array> d_;
};

using Among = std::shared_ptr<const Ranks>;

Among ranks_turned(const Among& a, const Mode& mode) {
  if (!a || !mode.transposed) return a;
  return std::make_shared<const Ranks>(Ranks{a->comm, a->columns, a->rows});
}

// Those of an operator made of two, of which one may be of each rank alone: its parts are then as those of
// the other. The vectors between them are the columns of a and the rows of b if they are multiplied.
Among ranks_joined(const LinearOperator& a, const LinearOperator& b, bool product) {
  if (!a.ranks || !b.ranks) return a.ranks ? a.ranks : b.ranks;
  const Ranks &x = *a.ranks, &y = *b.ranks;
  const bool fits = product ? x.columns == y.rows : x.rows == y.rows && x.columns == y.columns;
  if (x.comm.get() != y.comm.get() || !fits) {
    fail(ARR_E_SHAPE, "argument b: its vectors are divided among ranks in another way than those of a");
  }
  return product ? std::make_shared<const Ranks>(Ranks{x.comm, x.rows, y.columns}) : a.ranks;
}

class TurnedOperator final : public LinearOperator {
 public:
  TurnedOperator(Ref<LinearOperator> a, const Mode& mode)
      : LinearOperator(mode.transposed ? Extents{a->extents.columns, a->extents.rows} : a->extents, a->dtype,
                       a->device, ranks_turned(a->ranks, mode)),
        a_(std::move(a)),
        mode_(mode) {}
  bool has_adjoint() const override { return a_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return a_->times(both(mode, mode_), x, stream);
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<TurnedOperator>(a_->in_type(d, stream), mode_);
  }

 private:
  Ref<LinearOperator> a_;
  Mode mode_;
};

class SumOperator final : public LinearOperator {
 public:
  SumOperator(Ref<LinearOperator> a, Ref<LinearOperator> b)
      : LinearOperator(a->extents, promote(a->dtype, b->dtype), a->device, ranks_joined(*a, *b, false)),
        a_(std::move(a)),
        b_(std::move(b)) {}
  bool has_adjoint() const override { return a_->has_adjoint() && b_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return arr::apply(op::add, {a_->times(mode, x, stream).get(), b_->times(mode, x, stream).get()}, stream);
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<SumOperator>(a_->in_type(d, stream), b_->in_type(d, stream));
  }

 private:
  Ref<LinearOperator> a_, b_;
};

class ScaledOperator final : public LinearOperator {
 public:
  ScaledOperator(Ref<LinearOperator> a, const Scalar& alpha, bool weak)
      : LinearOperator(a->extents,
                       weak ? promote_weak(a->dtype, kind(alpha.dtype)) : promote(a->dtype, alpha.dtype),
                       a->device, a->ranks),
        a_(std::move(a)),
        alpha_(alpha),
        weak_(weak) {}
  bool has_adjoint() const override { return a_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    return conjugated(*this, mode, x, stream, [&](const Array& y) {
      const Ref<Array> product = a_->times({mode.transposed, false}, y, stream);
      const Input operands[2] = {{product.get(), {}, false}, {nullptr, alpha_, weak_}};
      return elementwise(*op_info(op::multiply), operands, {}, stream);
    });
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<ScaledOperator>(a_->in_type(d, stream), alpha_, weak_);
  }

 private:
  Ref<LinearOperator> a_;
  Scalar alpha_;
  bool weak_;
};

class ProductOperator final : public LinearOperator {
 public:
  ProductOperator(Ref<LinearOperator> a, Ref<LinearOperator> b)
      : LinearOperator({a->extents.rows, b->extents.columns}, promote(a->dtype, b->dtype), a->device,
                       ranks_joined(*a, *b, true)),
        a_(std::move(a)),
        b_(std::move(b)) {}
  bool has_adjoint() const override { return a_->has_adjoint() && b_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    if (mode.transposed) return b_->times(mode, *a_->times(mode, x, stream), stream);
    return a_->times(mode, *b_->times(mode, x, stream), stream);
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<ProductOperator>(a_->in_type(d, stream), b_->in_type(d, stream));
  }

 private:
  Ref<LinearOperator> a_, b_;
};

class PowerOperator final : public LinearOperator {
 public:
  PowerOperator(Ref<LinearOperator> a, int64_t p)
      : LinearOperator(a->extents, a->dtype, a->device, a->ranks), a_(std::move(a)), p_(p) {}
  bool has_adjoint() const override { return a_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    Ref<Array> y = as_type(x, promote(dtype, x.dtype), stream);
    for (int64_t i = 0; i < p_; ++i) y = a_->times(mode, *y, stream);
    return y;
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<PowerOperator>(a_->in_type(d, stream), p_);
  }

 private:
  Ref<LinearOperator> a_;
  int64_t p_;
};

class DividedOperator final : public LinearOperator {
 public:
  DividedOperator(Ref<LinearOperator> a, std::shared_ptr<const Ranks> among)
      : LinearOperator(a->extents, a->dtype, a->device, std::move(among)), a_(std::move(a)) {}
  bool has_adjoint() const override { return a_->has_adjoint(); }
  Ref<Array> times(const Mode& mode, const Array& x, Stream* stream) const override {
    Ref<Array> out;
    lead_alone(comm(), [&] { out = a_->times(mode, x, stream); });
    return out;
  }
  Ref<LinearOperator> in_type(DType d, Stream* stream) const override {
    return make<DividedOperator>(a_->in_type(d, stream), ranks);
  }

 private:
  Ref<LinearOperator> a_;
};

std::string shape_of(const Extents& e) {
  const int64_t shape[2] = {e.rows, e.columns};
  return shape_text(2, shape);
}

void check_same_device(const LinearOperator& a, const LinearOperator& b) {
  if (a.device == b.device) return;
  fail(ARR_E_ARGUMENT, "the operators are on ", device_text(a.device), " and on ", device_text(b.device));
}

}  // namespace

Ref<Array> conjugate(const Array& x, Stream* stream) {
  if (!is_complex(x.dtype)) return x.share();
  return apply(op::conjugate, {&x}, stream);
}

Extents Ranks::whole() const {
  const auto sum = [](const std::vector<int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), int64_t{0});
  };
  return {sum(rows), sum(columns)};
}

Extents LinearOperator::whole() const { return ranks ? ranks->whole() : extents; }

void check_square(const LinearOperator& a, const char* argument) {
  const Extents e = a.whole();
  if (e.rows != e.columns) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", shape_of(e), ", expected a square operator");
  }
  if (!a.ranks || a.ranks->rows == a.ranks->columns) return;
  fail(ARR_E_SHAPE, "argument ", argument,
       ": its rows and columns are divided among the ranks in different ways");
}

void check_undivided(const LinearOperator& a, const char* argument) {
  if (!a.ranks) return;
  fail(ARR_E_UNSUPPORTED, "argument ", argument,
       ": an operator whose vectors are divided among ranks, expected one "
       "of this rank alone");
}

Ref<LinearOperator> linop_over(const LinearOperator& a, Comm& comm) {
  const auto size = static_cast<size_t>(comm.place().size);
  std::vector<int64_t> all;
  const CommonNumber type{"argument a: the dtype", static_cast<int64_t>(a.dtype)};
  const CommonNumber adjoint{"argument a: having an adjoint", a.has_adjoint() ? 1 : 0};
  lead(&comm, [&] {
    together(comm, {type, adjoint}, false, nullptr, [&] {
      check_undivided(a, "a");
      if (a.device != comm.place().device) {
        fail(ARR_E_ARGUMENT, "argument a: on ", device_text(a.device),
             ", expected the device of the communicator, ", device_text(comm.place().device));
      }
    });
    all = gathered(comm, {a.extents.rows, a.extents.columns}, nullptr);
  });
  auto ranks = std::make_shared<Ranks>();
  ranks->comm = Ref<Comm>::share(&comm);
  for (size_t r = 0; r < size; ++r) {
    ranks->rows.push_back(all[2 * r]);
    ranks->columns.push_back(all[2 * r + 1]);
  }
  return make<DividedOperator>(a.share(), std::move(ranks));
}

Ref<LinearOperator> linop_of(const Sparse& a) { return make<SparseOperator>(a.share()); }

Ref<LinearOperator> linop_of(const Array& a) {
  if (a.layout.ndim != 2)
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected two dimensions");
  return make<DenseOperator>(a.share());
}

Ref<LinearOperator> linop_of(const SparseFactor& f) {
  return make<InverseOperator>(Ref<SparseFactor>::share(const_cast<SparseFactor*>(&f)));
}

Ref<LinearOperator> linop_identity(int64_t n, DType dtype, Device device) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
  return make<DiagonalOperator>(n, dtype, device);
}

Ref<LinearOperator> linop_diagonal(const Array& d) {
  if (d.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument d: shape ", d.layout.text(), ", expected one dimension");
  return make<DiagonalOperator>(d.share());
}

Ref<LinearOperator> linop_jacobi(const Sparse& matrix, Stream* stream) {
  check_square(*linop_of(matrix), "a");
  const Ref<Sparse> a = sum_duplicates(matrix, stream);
  const Ref<Array> row = rows_of(*a, stream), column = columns_of(*a, stream);
  const Ref<Array> there = flatnonzero(*apply(op::equal, {row.get(), column.get()}, stream), stream);
  const DType d = inexact_type(a->dtype());
  const int64_t n = a->extents.rows;
  const Ref<Array> diagonal =
      full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), d), a->device(), stream);
  if (there->layout.shape[0] != 0) {
    scatter_unique(*diagonal, *take_known(*row, *there, 0, stream),
                   *take_known(*as_type(*a->data, d, stream), *there, 0, stream), stream);
  }
  return linop_diagonal(*compute({diagonal.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t one = b.cast(number(b, 1), b.dtype(in[0]));
    const int32_t inverse = b.op(op::divide, one, in[0]);
    return b.op(op::where, b.op(op::equal, in[0], number(b, 0)), one, inverse);
  }));
}

Ref<LinearOperator> linop_turned(const LinearOperator& a, const Mode& mode) {
  if (mode.transposed && !a.has_adjoint())
    fail(ARR_E_UNSUPPORTED, "argument a: the operator has no function rmatvec, hence no adjoint");
  return make<TurnedOperator>(a.share(), mode);
}

Ref<LinearOperator> linop_sum(const LinearOperator& a, const LinearOperator& b) {
  check_same_device(a, b);
  if (a.extents.rows != b.extents.rows || a.extents.columns != b.extents.columns) {
    fail(ARR_E_SHAPE, "argument b: shape ", shape_of(b.extents), ", expected that of a, ",
         shape_of(a.extents));
  }
  return make<SumOperator>(a.share(), b.share());
}

Ref<LinearOperator> linop_scaled(const LinearOperator& a, const Input& alpha) {
  if (alpha.array != nullptr) fail(ARR_E_ARGUMENT, "argument alpha: an array, expected a scalar");
  return make<ScaledOperator>(a.share(), alpha.scalar, alpha.weak);
}

Ref<LinearOperator> linop_product(const LinearOperator& a, const LinearOperator& b) {
  check_same_device(a, b);
  if (a.extents.columns != b.extents.rows) {
    fail(ARR_E_SHAPE, "argument b: ", b.extents.rows, " rows, expected the number of columns of a, ",
         a.extents.columns);
  }
  return make<ProductOperator>(a.share(), b.share());
}

Ref<LinearOperator> linop_power(const LinearOperator& a, int64_t p) {
  check_square(a, "a");
  if (p < 0) fail(ARR_E_ARGUMENT, "argument p: ", p, " is negative");
  return make<PowerOperator>(a.share(), p);
}

Ref<Array> apply(const LinearOperator& a, const Mode& mode, const Array& x, Stream* stream) {
  if (a.device != x.device())
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device), " and on ", device_text(x.device()));
  const int64_t rows = mode.transposed ? a.extents.rows : a.extents.columns;
  if ((x.layout.ndim != 1 && x.layout.ndim != 2) || x.layout.shape[0] != rows) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected (", rows, ") or (", rows, ",k)");
  }
  if (mode.transposed && !a.has_adjoint())
    fail(ARR_E_UNSUPPORTED, "argument a: the operator has no function rmatvec, hence no adjoint");
  return a.times(mode, x, stream);
}

}  // namespace arr
