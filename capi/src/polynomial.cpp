// SPDX-License-Identifier: MIT
// polynomial.h: polynomials as vectors of coefficients; Vandermonde matrices.
#include "ops/polynomial.h"

#include "arguments.h"
#include "seam.h"

using namespace arr::capi;
using arr::Array;

arr_status arr_poly(arr_array roots, arr_stream stream, arr_array* out) {
  return of_one("arr_poly", roots, "roots", stream, out, arr::poly);
}

arr_status arr_roots(arr_array p, arr_stream stream, arr_array* out) {
  return of_one("arr_roots", p, "p", stream, out, arr::roots);
}

arr_status arr_polyfit(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_polyfit", out, [&] {
    auto at = array(x, "x");
    auto values = array(y, "y");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::polyfit(*at, *values, degree, rcond, w.get(), s.get());
  });
}

arr_status arr_polyadd(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return of_two("arr_polyadd", a, "a", b, "b", stream, out,
                [](const Array& x, const Array& y, arr::Stream* s) {
                  return arr::poly_combine(arr::op::add, x, y, s);
                });
}

arr_status arr_polysub(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return of_two("arr_polysub", a, "a", b, "b", stream, out,
                [](const Array& x, const Array& y, arr::Stream* s) {
                  return arr::poly_combine(arr::op::subtract, x, y, s);
                });
}

arr_status arr_polymul(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return of_two("arr_polymul", a, "a", b, "b", stream, out, arr::polymul);
}

arr_status arr_polyval(arr_array p, arr_array x, arr_stream stream, arr_array* out) {
  return of_two("arr_polyval", p, "p", x, "x", stream, out, arr::polyval);
}

arr_status arr_polynomial_val(arr_array x, arr_array c, int32_t tensor, arr_stream stream, arr_array* out) {
  return of_two("arr_polynomial_val", x, "x", c, "c", stream, out,
                [&](const Array& at, const Array& series, arr::Stream* s) {
                  return arr::polyval_series(at, series, tensor != 0, s);
                });
}

arr_status arr_polyvalfromroots(arr_array x, arr_array roots, int32_t tensor, arr_stream stream,
                                arr_array* out) {
  return of_two("arr_polyvalfromroots", x, "x", roots, "roots", stream, out,
                [&](const Array& at, const Array& r, arr::Stream* s) {
                  return arr::polyval_roots(at, r, tensor != 0, s);
                });
}

arr_status arr_polyvander(arr_array x, int64_t degree, arr_stream stream, arr_array* out) {
  return of_one("arr_polyvander", x, "x", stream, out,
                [&](const Array& a, arr::Stream* s) { return arr::polyvander(a, degree, s); });
}

arr_status arr_polycompanion(arr_array c, arr_stream stream, arr_array* out) {
  return of_one("arr_polycompanion", c, "c", stream, out, arr::polycompanion);
}

arr_status arr_trimseq(arr_array c, arr_stream stream, arr_array* out) {
  return of_one("arr_trimseq", c, "c", stream, out, arr::trimseq);
}

arr_status arr_trimcoef(arr_array c, double tol, arr_stream stream, arr_array* out) {
  return of_one("arr_trimcoef", c, "c", stream, out,
                [&](const Array& a, arr::Stream* s) { return arr::trimcoef(a, tol, s); });
}

arr_status arr_as_series(int32_t n, const arr_array* arrays, int32_t trim, arr_stream stream_handle,
                         int32_t nout, arr_array* out) {
  return guard("arr_as_series", [&] {
    const Arrays all(n, arrays, "arrays");
    if (nout != n) arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", n);
    check_pointer(out, "out");
    auto s = stream(stream_handle);
    publish_all(arr::as_series(all.all(), trim != 0, s.get()), out);
  });
}

arr_status arr_vander(arr_array x, int64_t columns, int32_t increasing, arr_stream stream, arr_array* out) {
  return of_one("arr_vander", x, "x", stream, out,
                [&](const Array& a, arr::Stream* s) { return arr::vander(a, columns, increasing != 0, s); });
}
