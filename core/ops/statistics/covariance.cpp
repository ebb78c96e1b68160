// SPDX-License-Identifier: MIT
// Covariance: the mean is a reduction, centring and weighting are programs, the rest is a matrix product.
#include "ops/statistics/covariance.h"

#include <algorithm>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/matmul.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

constexpr uint32_t observations = 1U << 1;  // the axis, as a mask

void check_dimensions(const Array& a, const char* argument) {
  if (a.layout.ndim <= 2) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": ", a.layout.ndim, " dimensions, expected at most 2");
}

// The array as a matrix, a view; with fewer dimensions it is one row.
Ref<Array> matrix_of(const Array& a) {
  Layout l = a.layout;
  if (l.ndim < 2) {
    l.ndim = 2;
    l.shape[0] = 1;
    l.strides[0] = 0;
    l.shape[1] = a.layout.ndim == 1 ? a.layout.shape[0] : 1;
    l.strides[1] = a.layout.ndim == 1 ? a.layout.strides[0] : 0;
  }
  return a.view(l);
}

Ref<Array> transposed(const Array& a) { return a.view(transpose(a.layout, {})); }

// One row per variable, one column per observation. As in NumPy, y is transposed according to its shape, m
// according to its number of dimensions.
Ref<Array> variables_of(const Array& m, const CovarianceRequest& r, DType d, Stream* stream) {
  check_dimensions(m, "m");
  Ref<Array> x = matrix_of(m);
  if (r.columns && m.layout.ndim != 1) x = transposed(*x);
  if (r.y == nullptr || x->layout.shape[0] == 0) return x;
  check_dimensions(*r.y, "options");
  Ref<Array> y = matrix_of(*r.y);
  if (r.columns && y->layout.shape[0] != 1) y = transposed(*y);
  if (y->layout.shape[1] != x->layout.shape[1]) {
    fail(ARR_E_SHAPE, "argument options: y has ", y->layout.shape[1], " observations, m has ",
         x->layout.shape[1]);
  }
  const Array* both[] = {x.get(), y.get()};
  common_device(std::array{Input{both[0], {}, false}, Input{both[1], {}, false}});
  const int64_t first = x->layout.shape[0];
  const int64_t shape[] = {checked::add(first, y->layout.shape[0], "argument options: y"),
                           x->layout.shape[1]};
  Ref<Array> all = empty(d, shape, Order::C, m.device(), stream);
  assign(*slice_axis(*all, 0, 0, first), *x, stream);
  assign(*slice_axis(*all, 0, first, shape[0]), *y, stream);
  return all;
}

// Weights as float64. Throws if one is negative (or not an integer), for which it waits.
Ref<Array> checked_weights(const Array& w, int64_t n, bool whole, const char* what, Stream* stream) {
  if (w.layout.ndim != 1 || w.layout.shape[0] != n) {
    fail(ARR_E_SHAPE, "argument options: ", what, " of shape ", w.layout.text(), ", expected (", n, ",)");
  }
  if (is_complex(w.dtype))
    fail(ARR_E_DTYPE, "argument options: ", what, " is complex, expected real numbers");
  Ref<Array> real = astype(w, DType::float64_, Casting::unsafe, Order::K, stream);
  const Ref<Array> wrong = compute({real.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t negative = b.op(op::less, in[0], b.scalar(scalar_of(0.0), true));
    if (!whole) return negative;
    return b.op(op::logical_or, negative, b.op(op::not_equal, in[0], b.op(op::rint, in[0])));
  });
  if (reduce_item(*reduction_info(reduction::any), *wrong, stream).lo != 0) {
    fail(ARR_E_ARGUMENT, "argument options: ", what, " has a negative ", whole ? "or fractional " : "",
         "number");
  }
  return real;
}

struct Weights {
  Ref<Array> each;      // weights of observations; nullptr: all 1
  Ref<Array> sum;       // sum of the weights
  Ref<Array> aweights;  // the mean's weights; nullptr: none
};

Weights weights_of(const CovarianceRequest& r, int64_t n, Stream* stream) {
  Weights w;
  if (r.fweights != nullptr) w.each = checked_weights(*r.fweights, n, true, "fweights", stream);
  if (r.aweights != nullptr) {
    w.aweights = checked_weights(*r.aweights, n, false, "aweights", stream);
    w.each =
        w.each.get() == nullptr ? w.aweights : apply(op::multiply, {w.each.get(), w.aweights.get()}, stream);
  }
  if (w.each.get() != nullptr) w.sum = reduce(*reduction_info(reduction::sum), *w.each, 1, false, {}, stream);
  return w;
}

// product / max(number of observations - ddof, 0).
Ref<Array> normalized(const Array& product, const Weights& w, int64_t n, int64_t ddof, Stream* stream) {
  auto number = [](ProgramBuilder& b, double x) { return b.scalar(scalar_of(x), true); };
  if (w.each.get() == nullptr) {
    const auto fact = static_cast<double>(std::max<int64_t>(n - ddof, 0));
    return compute({&product}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.cast(b.op(op::multiply, in[0], number(b, 1 / fact)), product.dtype);
    });
  }
  Ref<Array> squares = w.sum;
  if (w.aweights.get() != nullptr) {
    const Ref<Array> twice = apply(op::multiply, {w.each.get(), w.aweights.get()}, stream);
    squares = reduce(*reduction_info(reduction::sum), *twice, 1, false, {}, stream);
  }
  const Array* arrays[] = {&product, w.sum.get(), squares.get()};
  return compute({arrays[0], arrays[1], arrays[2]}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    int32_t fact = in[1];
    if (ddof != 0) {
      int32_t less = number(b, static_cast<double>(ddof));
      if (w.aweights.get() != nullptr) less = b.op(op::multiply, less, b.op(op::divide, in[2], in[1]));
      fact = b.op(op::subtract, fact, less);
    }
    const int32_t factor = b.op(op::divide, number(b, 1), b.op(op::maximum, fact, number(b, 0)));
    return b.op(op::multiply, in[0], factor);
  });
}

// Divides each variable by a power of 2 near its largest magnitude, so that products of two do not overflow.
Ref<Array> scaled(const Array& x, Stream* stream) {
  if (x.layout.shape[1] == 0) return x.share();
  const Ref<Array> largest = reduce(*reduction_info(reduction::max_abs), x, observations, true, {}, stream);
  return compute({&x, scales_of(*largest, stream).get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::divide, in[0], in[1]), x.dtype);
  });
}

Ref<Array> covariance(const Array& m, const CovarianceRequest& r, bool relative, Stream* stream) {
  DType d = r.dtype;
  if (d == DType::none) {
    d = promote(m.dtype, DType::float64_);
    if (r.y != nullptr) d = promote(d, r.y->dtype);
  }
  if (is_integer_or_bool(d)) {
    fail(ARR_E_DTYPE, "argument options: dtype ", name(d), ", expected a float or complex type");
  }
  if (r.fweights != nullptr || r.aweights != nullptr) d = promote(d, DType::float64_);
  Ref<Array> x = variables_of(m, r, d, stream);
  const int64_t p = x->layout.shape[0], n = x->layout.shape[1];
  const int64_t square[] = {p, p};
  if (p == 0)
    return empty(DType::float64_, square, Order::C, m.device(), stream);  // as in NumPy, whatever d is
  if (x->dtype != d) x = astype(*x, d, Casting::unsafe, Order::K, stream);
  if (relative) x = scaled(*x, stream);
  const Weights w = weights_of(r, n, stream);
  const int32_t along[] = {1};
  const Ref<Array> weights = w.each.get() == nullptr ? Ref<Array>() : weights_along(*x, *w.each, along);
  const Ref<Array> mean = average(*x, weights.get(), observations, true, stream);
  const Ref<Array> apart = apply(op::subtract, {x.get(), mean.get()}, stream);
  Ref<Array> other = apart;
  if (w.each.get() != nullptr) other = apply(op::multiply, {other.get(), w.each.get()}, stream);
  if (is_complex(d)) other = apply(op::conjugate, {other.get()}, stream);
  const Ref<Array> product = matmul(*apart, *transposed(*other), stream);
  Ref<Array> out = normalized(*product, w, n, r.ddof, stream);
  return p == 1 ? out->view(squeeze(out->layout, {}, true)) : out;
}

}  // namespace

Ref<Array> cov(const Array& m, const CovarianceRequest& r, Stream* stream) {
  return covariance(m, r, false, stream);
}

Ref<Array> corrcoef(const Array& x, const CovarianceRequest& r, Stream* stream) {
  const Ref<Array> c = covariance(x, r, true, stream);
  if (c->layout.ndim == 0) return apply(op::divide, {c.get(), c.get()}, stream);
  Layout diagonal;
  diagonal.ndim = 1;
  diagonal.shape[0] = c->layout.shape[0];
  diagonal.strides[0] =
      Layout::diagonal_stride(diagonal.shape[0], c->layout.strides[0], c->layout.strides[1]);
  const Ref<Array> variances = c->view(diagonal);
  const Ref<Array> row = compute({variances.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::sqrt, b.op(op::real, in[0]));
  });
  const Ref<Array> column = broadcastable_vector(*row, 2, 0);
  auto limited = [](ProgramBuilder& b, int32_t node) {
    return b.op(op::clip, node, b.scalar(scalar_of(-1.0), true), b.scalar(scalar_of(1.0), true));
  };
  Ref<Array> out =
      compute({c.get(), column.get(), row.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const int32_t q = b.op(op::divide, b.op(op::divide, in[0], in[1]), in[2]);
        return is_complex(c->dtype) ? q : limited(b, q);
      });
  if (!is_complex(out->dtype)) return out;
  for (int32_t which : {0, 1}) {
    const Ref<Array> half = complex_part(*out, which);
    ProgramBuilder b;
    b.output(limited(b, b.input(half->dtype)));
    const Array* in = half.get();
    run_into(*half, b.finish(), {&in, 1}, stream);
  }
  return out;
}

}  // namespace arr
