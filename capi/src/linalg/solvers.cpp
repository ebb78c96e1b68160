// SPDX-License-Identifier: MIT
// solvers.h: linear equations, inverses, determinants, least squares, equations of matrices.
#include "capi/src/linalg/arguments.h"
#include "ops/linalg/least_squares.h"
#include "ops/linalg/sylvester.h"

using namespace arr::capi;

arr_status arr_solve(arr_array a, arr_array b, int32_t on_failure, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_solve", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::solve(*x, *y, failure_argument(on_failure), s.get());
  });
}

arr_status arr_inv(arr_array a, int32_t on_failure, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_inv", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::inverse(*x, failure_argument(on_failure), s.get());
  });
}

arr_status arr_det(arr_array a, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_det", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::det(*x, s.get());
  });
}

arr_status arr_slogdet(arr_array a, arr_stream stream_handle, arr_array* out_sign, arr_array* out_logdet) {
  return guard("arr_slogdet", [&] {
    check_pointer(out_sign, "out_sign");
    check_pointer(out_logdet, "out_logdet");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    put_all(arr::slogdet(*x, s.get()), {out_sign, out_logdet});
  });
}

arr_status arr_lu_solve(arr_array lu, arr_array pivots, arr_array b, int32_t op, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_lu_solve", out, [&] {
    auto x = array(lu, "lu");
    auto p = array(pivots, "pivots");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::lu_solve(*x, *p, *y, op_argument(op), s.get());
  });
}

arr_status arr_solve_triangular(arr_array a, arr_array b, int32_t flags, int32_t op, int32_t on_failure,
                                arr_stream stream_handle, arr_array* out) {
  return make_array("arr_solve_triangular", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    check_flags(flags, ARR_TRIANGULAR_LOWER | ARR_TRIANGULAR_UNIT_DIAGONAL);
    const arr::TriangularSolve t{(flags & ARR_TRIANGULAR_LOWER) != 0,
                                 (flags & ARR_TRIANGULAR_UNIT_DIAGONAL) != 0, op_argument(op)};
    return arr::solve_triangular(*x, *y, t, failure_argument(on_failure), s.get());
  });
}

arr_status arr_cho_solve(arr_array c, arr_array b, bool lower, arr_stream stream_handle, arr_array* out) {
  return binary_call("arr_cho_solve", c, "c", b, "b", stream_handle, out,
                     [&](const arr::Array& x, const arr::Array& y, arr::Stream* s) {
                       return arr::cho_solve(x, y, lower, s);
                     });
}

arr_status arr_lstsq(arr_array a, arr_array b, double rcond, arr_stream stream_handle, arr_array* out_x,
                     arr_array* out_residuals, arr_array* out_rank, arr_array* out_s) {
  return guard("arr_lstsq", [&] {
    check_pointer(out_x, "out_x");
    check_pointer(out_residuals, "out_residuals");
    check_pointer(out_rank, "out_rank");
    check_pointer(out_s, "out_s");
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    const arr::LeastSquares all = arr::lstsq(*x, *y, rcond, s.get());
    put_all({all.x, all.residuals, all.rank, all.s}, {out_x, out_residuals, out_rank, out_s});
  });
}

arr_status arr_pinv(arr_array a, double rcond, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_pinv", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::pinv(*x, rcond, s.get());
  });
}

arr_status arr_pinv_with(arr_array a, arr_array rcond, arr_stream stream_handle, arr_array* out) {
  return binary_call(
      "arr_pinv_with", a, "a", rcond, "rcond", stream_handle, out,
      [](const arr::Array& x, const arr::Array& limits, arr::Stream* s) { return arr::pinv(x, limits, s); });
}

arr_status arr_matrix_rank(arr_array a, double tol, double rtol, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_matrix_rank", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::matrix_rank(*x, tol, rtol, s.get());
  });
}

arr_status arr_tensorsolve(arr_array a, arr_array b, int32_t naxes, const int32_t* axes,
                           arr_stream stream_handle, arr_array* out) {
  return make_array("arr_tensorsolve", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::tensorsolve(*x, *y, axes_argument(naxes, axes), s.get());
  });
}

arr_status arr_tensorinv(arr_array a, int32_t ind, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_tensorinv", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::tensorinv(*x, ind, s.get());
  });
}

arr_status arr_solve_sylvester(arr_array a, arr_array b, arr_array q, arr_stream stream_handle,
                               arr_array* out) {
  return make_array("arr_solve_sylvester", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto z = array(q, "q");
    auto s = stream(stream_handle);
    return arr::solve_sylvester(*x, *y, *z, s.get());
  });
}

arr_status arr_solve_continuous_lyapunov(arr_array a, arr_array q, arr_stream stream, arr_array* out) {
  return binary_call("arr_solve_continuous_lyapunov", a, "a", q, "q", stream, out,
                     arr::solve_continuous_lyapunov);
}

arr_status arr_solve_discrete_lyapunov(arr_array a, arr_array q, arr_stream stream, arr_array* out) {
  return binary_call("arr_solve_discrete_lyapunov", a, "a", q, "q", stream, out,
                     arr::solve_discrete_lyapunov);
}

arr_status arr_expm(arr_array a, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_expm", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::expm(*x, s.get());
  });
}
