// SPDX-License-Identifier: MIT
// gemm.h: matrix products with a bias and an activation function.
#include "ops/linalg/gemm.h"

#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

namespace {

arr::Epilogue epilogue(const arr_value* alpha, const arr_value* beta, const arr::Array* c,
                       int32_t activation) {
  const int32_t which = activation & ~ARR_ACTIVATION_FAST;
  if (which < ARR_ACTIVATION_NONE || which > ARR_ACTIVATION_TANH) {
    arr::fail(ARR_E_ARGUMENT, "argument activation: ", activation, ", expected one of ARR_ACTIVATION_...");
  }
  return {factor_argument(alpha, "alpha"), factor_argument(beta, "beta"), c,
          static_cast<arr::Activation>(which), which != activation};
}

}  // namespace

arr_status arr_gemm(arr_array a, arr_array b, const arr_value* alpha, const arr_value* beta, arr_array c,
                    int32_t activation, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_gemm", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto added = optional_array(c, "c");
    auto s = stream(stream_handle);
    return arr::gemm(*x, *y, epilogue(alpha, beta, added.get(), activation), s.get());
  });
}

arr_status arr_gemm_into(arr_array dst, arr_array a, arr_array b, const arr_value* alpha,
                         const arr_value* beta, arr_array c, int32_t activation, arr_stream stream_handle) {
  return guard("arr_gemm_into", [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto added = optional_array(c, "c");
    auto s = stream(stream_handle);
    arr::gemm_into(*to, *x, *y, epilogue(alpha, beta, added.get(), activation), s.get());
  });
}
