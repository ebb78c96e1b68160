// SPDX-License-Identifier: MIT
// polynomial.h: polynomials as vectors of coefficients; Vandermonde matrices.
#include "ops/polynomial/polynomial.h"

#include "capi/src/arguments.h"
#include "capi/src/entry.h"
#include "capi/src/linalg/arguments.h"
#include "expr/op_numbers.h"

using namespace arr::capi;
using arr::Array;

arr_status arr_poly(arr_array roots, arr_stream stream, arr_array* out) {
  return unary_call("arr_poly", roots, "roots", stream, out, arr::poly);
}

arr_status arr_roots(arr_array p, arr_stream stream, arr_array* out) {
  return unary_call("arr_roots", p, "p", stream, out, arr::roots);
}

arr_status arr_polyfit(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_polyfit", out, [&] {
    auto at = array(x, "x");
    auto values = array(y, "y");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::polyfit(*at, *values, degree, rcond, w.get(), arr::Covariance::none, s.get()).coefficients;
  });
}

arr_status arr_polyfit_full(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                            arr_stream stream_handle, arr_array* out_coefficients, arr_array* out_residuals,
                            arr_array* out_rank, arr_array* out_s, double* out_rcond) {
  return guard("arr_polyfit_full", [&] {
    check_pointer(out_coefficients, "out_coefficients");
    check_pointer(out_residuals, "out_residuals");
    check_pointer(out_rank, "out_rank");
    check_pointer(out_s, "out_s");
    check_pointer(out_rcond, "out_rcond");
    auto at = array(x, "x");
    auto values = array(y, "y");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    const arr::PolynomialFit all =
        arr::polyfit(*at, *values, degree, rcond, w.get(), arr::Covariance::none, s.get());
    put_all({all.coefficients, all.residuals, all.rank, all.s},
            {out_coefficients, out_residuals, out_rank, out_s});
    *out_rcond = all.rcond;
  });
}

arr_status arr_polyfit_cov(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                           bool scaled, arr_stream stream_handle, arr_array* out_coefficients,
                           arr_array* out_covariance) {
  return guard("arr_polyfit_cov", [&] {
    check_pointer(out_coefficients, "out_coefficients");
    check_pointer(out_covariance, "out_covariance");
    auto at = array(x, "x");
    auto values = array(y, "y");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    const auto how = scaled ? arr::Covariance::scaled : arr::Covariance::unscaled;
    const arr::PolynomialFit all = arr::polyfit(*at, *values, degree, rcond, w.get(), how, s.get());
    put_all({all.coefficients, all.covariance}, {out_coefficients, out_covariance});
  });
}

arr_status arr_polyadd(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return binary_call("arr_polyadd", a, "a", b, "b", stream, out,
                     [](const Array& x, const Array& y, arr::Stream* s) {
                       return arr::poly_combine(arr::op::add, x, y, s);
                     });
}

arr_status arr_polysub(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return binary_call("arr_polysub", a, "a", b, "b", stream, out,
                     [](const Array& x, const Array& y, arr::Stream* s) {
                       return arr::poly_combine(arr::op::subtract, x, y, s);
                     });
}

arr_status arr_polymul(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return binary_call("arr_polymul", a, "a", b, "b", stream, out, arr::polymul);
}

arr_status arr_polyval(arr_array p, arr_array x, arr_stream stream, arr_array* out) {
  return binary_call("arr_polyval", p, "p", x, "x", stream, out, arr::polyval);
}

arr_status arr_polyder(arr_array p, int64_t m, arr_stream stream, arr_array* out) {
  return unary_call("arr_polyder", p, "p", stream, out,
                    [&](const Array& a, arr::Stream* s) { return arr::polyder(a, m, s); });
}

arr_status arr_polyint(arr_array p, int64_t m, arr_array k, arr_stream stream, arr_array* out) {
  return unary_call("arr_polyint", p, "p", stream, out, [&](const Array& a, arr::Stream* s) {
    auto constants = optional_array(k, "k");
    return arr::polyint(a, m, constants.get(), s);
  });
}

arr_status arr_polydiv(arr_array u, arr_array v, arr_stream stream_handle, arr_array* out_quotient,
                       arr_array* out_remainder) {
  return guard("arr_polydiv", [&] {
    check_pointer(out_quotient, "out_quotient");
    check_pointer(out_remainder, "out_remainder");
    auto a = array(u, "u");
    auto b = array(v, "v");
    auto s = stream(stream_handle);
    const arr::PolynomialQuotient both = arr::polydiv(*a, *b, s.get());
    put_all({both.quotient, both.remainder}, {out_quotient, out_remainder});
  });
}

arr_status arr_polypow(arr_array p, int64_t n, arr_stream stream, arr_array* out) {
  return unary_call("arr_polypow", p, "p", stream, out,
                    [&](const Array& a, arr::Stream* s) { return arr::polypow(a, n, s); });
}

arr_status arr_polytrim(arr_array p, arr_stream stream, arr_array* out) {
  return unary_call("arr_polytrim", p, "p", stream, out, arr::without_leading_zeros);
}

arr_status arr_polydegree(arr_array p, arr_stream stream_handle, int64_t* out) {
  return guard("arr_polydegree", [&] {
    check_pointer(out, "out");
    auto a = array(p, "p");
    auto s = stream(stream_handle);
    *out = arr::polynomial_degree(*a, s.get());
  });
}

arr_status arr_polynomial_val(arr_array x, arr_array c, bool tensor, arr_stream stream, arr_array* out) {
  return binary_call("arr_polynomial_val", x, "x", c, "c", stream, out,
                     [&](const Array& at, const Array& series, arr::Stream* s) {
                       return arr::polyval_series(at, series, tensor, s);
                     });
}

arr_status arr_polyvalfromroots(arr_array x, arr_array roots, bool tensor, arr_stream stream,
                                arr_array* out) {
  return binary_call(
      "arr_polyvalfromroots", x, "x", roots, "roots", stream, out,
      [&](const Array& at, const Array& r, arr::Stream* s) { return arr::polyval_roots(at, r, tensor, s); });
}

arr_status arr_polyvander(arr_array x, int64_t degree, arr_stream stream, arr_array* out) {
  return unary_call("arr_polyvander", x, "x", stream, out,
                    [&](const Array& a, arr::Stream* s) { return arr::polyvander(a, degree, s); });
}

arr_status arr_polycompanion(arr_array c, arr_stream stream, arr_array* out) {
  return unary_call("arr_polycompanion", c, "c", stream, out, arr::polycompanion);
}

arr_status arr_trimseq(arr_array c, arr_stream stream, arr_array* out) {
  return unary_call("arr_trimseq", c, "c", stream, out, arr::trimseq);
}

arr_status arr_trimcoef(arr_array c, double tol, arr_stream stream, arr_array* out) {
  return unary_call("arr_trimcoef", c, "c", stream, out,
                    [&](const Array& a, arr::Stream* s) { return arr::trimcoef(a, tol, s); });
}

arr_status arr_as_series(int32_t n, const arr_array* arrays, bool trim, arr_stream stream_handle,
                         int32_t nout, arr_array* out) {
  return guard("arr_as_series", [&] {
    const Arrays all(n, arrays, "arrays");
    if (nout != n) arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", n);
    check_pointer(out, "out");
    auto s = stream(stream_handle);
    publish_all(arr::as_series(all.all(), trim, s.get()), out);
  });
}

arr_status arr_vander(arr_array x, int64_t columns, bool increasing, arr_stream stream, arr_array* out) {
  return unary_call("arr_vander", x, "x", stream, out,
                    [&](const Array& a, arr::Stream* s) { return arr::vander(a, columns, increasing, s); });
}
