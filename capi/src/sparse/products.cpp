// SPDX-License-Identifier: MIT
// sparse_products.h: products over semirings, of a mask's elements, and with an expression.
#include "arr/sparse_products.h"

#include "capi/src/arguments.h"
#include "capi/src/expression/arguments.h"
#include "capi/src/reduce/arguments.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/products.h"
#include "ops/sparse/semiring.h"

using namespace arr::capi;
using arr::Sparse;

arr_status arr_sparse_semiring_matmul(int32_t reduction, int32_t op, arr_sparse a, arr_array x,
                                      arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_semiring_matmul", out, [&] {
    const arr::Semiring by{reduction_argument(reduction), ufunc_argument(op)};
    auto left = sparse(a, "a");
    auto right = array(x, "x");
    auto s = stream(stream_handle);
    return arr::semiring_matmul(by, *left, *right, s.get());
  });
}

arr_status arr_sparse_semiring_product(int32_t reduction, int32_t op, arr_sparse a, arr_sparse b,
                                       arr_sparse mask, bool complement, arr_stream stream_handle,
                                       arr_sparse* out) {
  return binary_matrix("arr_sparse_semiring_product", a, b, stream_handle, out,
                       [&](const Sparse& x, const Sparse& y, arr::Stream* s) {
                         const arr::Semiring by{reduction_argument(reduction), ufunc_argument(op)};
                         const Matrices at(1, &mask, "mask", Matrices::Of::matrices_and_gaps);
                         return arr::semiring_product(by, x, y, {at.all()[0], complement}, s);
                       });
}

arr_status arr_sparse_sampled_matmul(arr_sparse pattern, arr_array x, arr_array y, arr_stream stream_handle,
                                     arr_sparse* out) {
  return make_matrix("arr_sparse_sampled_matmul", out, [&] {
    auto at = sparse(pattern, "pattern");
    auto left = array(x, "x"), right = array(y, "y");
    auto s = stream(stream_handle);
    return arr::sampled_matmul(*at, *left, *right, s.get());
  });
}

arr_status arr_sparse_matmul_expr(arr_sparse a, arr_array x, arr_expr e, int32_t node, int32_t nin,
                                  const arr_array* in, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_matmul_expr", out, [&] {
    auto left = sparse(a, "a");
    auto right = array(x, "x");
    auto expr = lookup<arr::Expression>(e, "e");
    auto s = stream(stream_handle);
    if (nin >= arr::Expression::max_inputs) {
      arr::fail(ARR_E_ARGUMENT, "argument nin: ", nin, ", expected 0 to ", arr::Expression::max_inputs - 1);
    }
    InputArrays inputs(nin, in, "nin", "in", 0);
    return arr::matmul_expr(*left, *right, *expr, node, inputs.list(), s.get());
  });
}
