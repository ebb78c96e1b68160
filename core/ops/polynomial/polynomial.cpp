// SPDX-License-Identifier: MIT
// Polynomials: several steps of Horner's rule in one pass, powers as running products.
#include "ops/polynomial/polynomial.h"

#include <algorithm>
#include <complex>
#include <tuple>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

void same_device(const Array& a, const Array& b) {
  const Input both[2] = {{&a, {}, false}, {&b, {}, false}};
  common_device(both);
}

// A view of a with more axes of extent 1 at its end.
Ref<Array> widened(const Array& a, int32_t axes) {
  Layout l = a.layout;
  if (l.ndim + axes > max_ndim) fail(ARR_E_SHAPE, "argument x: too many dimensions");
  for (int32_t i = 0; i < axes; ++i) {
    l.shape[l.ndim] = 1;
    l.strides[l.ndim++] = 0;
  }
  return a.view(l);
}

// True if the roots are closed under conjugation, with multiplicity; reads them.
bool in_conjugate_pairs(const Array& roots, Stream* stream) {
  auto z = download<std::complex<double>>(roots, DType::complex128_, stream);
  std::vector<std::complex<double>> w(z);
  for (std::complex<double>& x : w) x = std::conj(x);
  auto before = [](const std::complex<double>& x, const std::complex<double>& y) {
    return std::tuple(x.real(), x.imag()) < std::tuple(y.real(), y.imag());
  };
  for (const std::complex<double>& x : z) {
    if (x != x) return false;  // nan has no order
  }
  std::sort(z.begin(), z.end(), before);
  std::sort(w.begin(), w.end(), before);
  return z == w;
}

// Steps of Horner's rule in one pass; each has one operand besides x and the value so far.
constexpr int64_t steps_at_once = 12;

// Highest power first, along the first axis of c.
Ref<Array> horner(const Array& c, const Array& x, DType d, Stream* stream) {
  const int64_t n = c.layout.shape[0];
  Ref<Array> value;
  for (int64_t i = 0; i < n; i += steps_at_once) {
    const int64_t count = std::min(steps_at_once, n - i);
    ProgramBuilder b;
    std::vector<Ref<Array>> terms;
    std::vector<const Array*> arrays{&x};
    const int32_t at = b.cast(b.input(x.dtype), d);
    int32_t sum = -1;
    if (value) {
      arrays.push_back(value.get());
      sum = b.input(d);
    }
    for (int64_t k = i; k < i + count; ++k) {
      terms.push_back(index_axis(c, 0, k));
      arrays.push_back(terms.back().get());
      const int32_t term = b.cast(b.input(c.dtype), d);
      // The first coefficient is multiplied by x too, so that nan in x gives nan in the result.
      const int32_t before = sum < 0
                                 ? b.op(op::multiply, at, b.cast(b.scalar(scalar_of(int64_t{0}), true), d))
                                 : b.op(op::multiply, sum, at);
      sum = b.op(op::add, before, term);
    }
    b.output(b.cast(sum, d));
    value = run(b.finish(), arrays, stream);
  }
  return value;
}

}  // namespace

void check_coefficients(const Array& a, const char* argument) {
  if (a.layout.ndim == 1 && a.layout.shape[0] > 0) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(),
       ", expected one dimension and one element or more");
}

int64_t edge_above(const Array& v, double tol, bool last, Stream* stream) {
  const int64_t n = v.layout.shape[0];
  if (n == 0) return -1;
  const Ref<Array> at = index_vector(n, v.device(), stream);
  const ReductionInfo& by = *reduction_info(last ? reduction::max : reduction::min);
  const BoundProgram p = program_of({&v, at.get()}, [&](ProgramBuilder& b, const int32_t* in) {
    // nan is not treated as 0.
    const int32_t zero =
        tol == 0 ? b.op(op::equal, in[0], b.scalar(scalar_of(int64_t{0}), true))
                 : b.op(op::less_equal, b.op(op::absolute, in[0]), b.scalar(scalar_of(tol), true));
    return b.op(op::where, zero, b.scalar(scalar_of(last ? int64_t{-1} : n), true), in[1]);
  });
  const Array* arrays[2] = {&v, at.get()};
  const Scalar found =
      map_reduce_item(by, resolve(by, DType::int64_), *p.program, Inputs(p, arrays).all(), stream);
  const auto index = static_cast<int64_t>(found.lo);
  return index == n ? -1 : index;
}

Ref<Array> poly(const Array& roots, Stream* stream) {
  if (roots.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument roots: shape ", roots.layout.text(), ", expected one dimension");
  const int64_t n = roots.layout.shape[0], size = checked::add(n, 1, "the number of coefficients");
  const DType d = inexact_type(roots.dtype);
  Scalar zero;
  zero.dtype = d;
  Ref<Array> out = full(d, {&size, 1}, Order::C, zero, roots.device(), stream);
  fill(*slice_axis(*out, 0, 0, 1), scalar_of(int64_t{1}), stream);
  // Multiplies by (x - root): each coefficient minus root times the next higher one.
  for (int64_t i = 0; i < n; ++i) {
    const Ref<Array> root = slice_axis(roots, 0, i, i + 1), high = slice_axis(*out, 0, 0, i + 1),
                     low = slice_axis(*out, 0, 1, i + 2);
    const BoundProgram p =
        program_of({low.get(), high.get(), root.get()}, [d](ProgramBuilder& b, const int32_t* in) {
          return b.cast(b.op(op::subtract, in[0], b.op(op::multiply, in[1], b.cast(in[2], d))), d);
        });
    const Array* arrays[3] = {low.get(), high.get(), root.get()};
    run_into(*low, p, arrays, stream);
  }
  if (!is_complex(d) || !in_conjugate_pairs(roots, stream)) return out;
  return copy(*complex_part(*out, 0), Order::C, stream);
}

Ref<Array> poly_combine(int32_t op, const Array& a, const Array& b, Stream* stream) {
  check_coefficients(a, "a");
  check_coefficients(b, "b");
  same_device(a, b);
  const int64_t m = a.layout.shape[0], n = b.layout.shape[0], size = std::max(m, n),
                high = size - std::min(m, n);
  const DType d = promote(a.dtype, b.dtype);
  if (d == DType::bool_ && op == op::subtract)
    fail(ARR_E_DTYPE, "argument a: subtract is not defined for bool");
  Ref<Array> out = empty(d, {&size, 1}, Order::C, a.device(), stream);
  const Ref<Array> x = slice_axis(a, 0, std::max<int64_t>(m - n, 0), m),
                   y = slice_axis(b, 0, std::max<int64_t>(n - m, 0), n);
  const Input both[2] = {{x.get(), {}, false}, {y.get(), {}, false}};
  elementwise_into(*slice_axis(*out, 0, high, size), *op_info(op), both, stream);
  if (high == 0) return out;
  const Ref<Array> top = slice_axis(*out, 0, 0, high);
  if (m > n) {
    assign(*top, *slice_axis(a, 0, 0, high), stream);
    return out;
  }
  Scalar zero;
  zero.dtype = d;
  const Ref<Array> rest = slice_axis(b, 0, 0, high);
  const Input from_zero[2] = {{nullptr, zero, false}, {rest.get(), {}, false}};
  elementwise_into(*top, *op_info(op), from_zero, stream);
  return out;
}

Ref<Array> polymul(const Array& a, const Array& b, Stream* stream) {
  check_coefficients(a, "a");
  check_coefficients(b, "b");
  same_device(a, b);
  return convolve(*without_leading_zeros(a, stream), *without_leading_zeros(b, stream), ConvolveMode::full,
                  stream);
}

Ref<Array> polyval(const Array& p, const Array& x, Stream* stream) {
  if (p.layout.ndim < 1) fail(ARR_E_SHAPE, "argument p: shape (), expected one dimension or more");
  same_device(p, x);
  const DType d = promote(p.dtype, x.dtype);
  if (p.layout.shape[0] > 0) {
    return renaming({{"x", "x"}, {any_argument, "p"}}, [&] { return horner(p, x, d, stream); });
  }
  Scalar zero;
  zero.dtype = x.dtype;
  return full(x.dtype, x.layout.dims(), Order::C, zero, x.device(), stream);
}

Ref<Array> polyval_series(const Array& x, const Array& c, bool tensor, Stream* stream) {
  if (c.layout.ndim < 1 || c.layout.shape[0] == 0) {
    fail(ARR_E_SHAPE, "argument c: shape ", c.layout.text(), ", expected one coefficient or more");
  }
  same_device(x, c);
  const Ref<Array> series = reversed(tensor ? *widened(c, x.layout.ndim) : c, 0);
  return renaming({{"x", "x"}, {any_argument, "c"}},
                  [&] { return horner(*series, x, promote(inexact_type(c.dtype), x.dtype), stream); });
}

Ref<Array> polyval_roots(const Array& x, const Array& roots, bool tensor, Stream* stream) {
  if (roots.layout.ndim < 1) fail(ARR_E_SHAPE, "argument roots: shape (), expected one dimension or more");
  if (!tensor && x.layout.ndim >= roots.layout.ndim) {
    fail(ARR_E_SHAPE, "argument x: ", x.layout.ndim, " dimensions, expected fewer than the roots' ",
         roots.layout.ndim, " if tensor is false");
  }
  same_device(x, roots);
  const Ref<Array> r = tensor ? widened(roots, x.layout.ndim) : roots.share();
  const DType d = promote(inexact_type(roots.dtype), x.dtype);
  const ReductionInfo& by = *reduction_info(reduction::prod);
  const ReduceTypes types = resolve(by, d);
  const BoundProgram p = program_of({&x, r.get()}, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::subtract, b.cast(in[0], types.acc), b.cast(in[1], types.acc)), types.acc);
  });
  const Array* arrays[2] = {&x, r.get()};
  return renaming({{"y", "roots"}}, [&] {
    return map_reduce(by, types, *p.program, Inputs(p, arrays).all(), 1, false, stream);
  });
}

Ref<Array> polycompanion(const Array& c, Stream* stream) {
  const Array* one = &c;
  const Ref<Array> series = as_series({&one, 1}, true, stream)[0];
  const int64_t n = series->layout.shape[0] - 1;
  if (n < 1) fail(ARR_E_ARGUMENT, "argument c: a constant, expected a polynomial of degree 1 or more");
  Ref<Array> out = eye(n, n, -1, series->dtype, Order::C, c.device(), stream);
  const Ref<Array> column = index_axis(*out, -1, n - 1);
  const Ref<Array> low = slice_axis(*series, 0, 0, n), high = slice_axis(*series, 0, n, n + 1);
  const BoundProgram p =
      program_of({column.get(), low.get(), high.get()}, [&](ProgramBuilder& b, const int32_t* in) {
        return b.cast(b.op(op::subtract, in[0], b.op(op::divide, in[1], in[2])), series->dtype);
      });
  const Array* arrays[3] = {column.get(), low.get(), high.get()};
  run_into(*column, p, arrays, stream);
  return out;
}

Ref<Array> trimseq(const Array& c, Stream* stream) {
  if (c.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument c: shape ", c.layout.text(), ", expected one dimension");
  const int64_t n = c.layout.shape[0];
  return slice_axis(c, 0, 0, std::min(n, std::max<int64_t>(edge_above(c, 0, true, stream), 0) + 1));
}

Ref<Array> trimcoef(const Array& c, double tol, Stream* stream) {
  check_coefficients(c, "c");
  if (!(tol >= 0)) fail(ARR_E_ARGUMENT, "argument tol: ", tol, ", expected 0 or more");
  const Ref<Array> series = as_type(c, inexact_type(c.dtype), stream);
  const int64_t last = edge_above(*series, tol, true, stream);
  if (last >= 0) return copy(*slice_axis(*series, 0, 0, last + 1), Order::C, stream);
  const int64_t one = 1;
  Scalar zero;
  zero.dtype = series->dtype;
  return full(series->dtype, {&one, 1}, Order::C, zero, c.device(), stream);
}

std::vector<Ref<Array>> as_series(std::span<const Array* const> all, bool trim, Stream* stream) {
  if (all.empty()) fail(ARR_E_ARGUMENT, "argument n: 0, expected one array or more");
  DType d = inexact_type(all[0]->dtype);
  for (const Array* a : all) {
    if (a->layout.ndim > 1 || a->layout.size() == 0) {
      fail(ARR_E_SHAPE, "argument arrays: shape ", a->layout.text(),
           ", expected at most one dimension and one element or more");
    }
    d = promote(d, inexact_type(a->dtype));
  }
  std::vector<Ref<Array>> out;
  for (const Array* a : all) {
    const int64_t one = 1;
    const Ref<Array> v = a->layout.ndim == 0 ? reshape(*a, {&one, 1}, Order::C, stream) : a->share();
    out.push_back(astype(trim ? *trimseq(*v, stream) : *v, d, Casting::unsafe, Order::C, stream));
  }
  return out;
}

}  // namespace arr
