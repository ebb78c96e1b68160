// SPDX-License-Identifier: MIT
// random_vectors.h: random vectors whose elements depend on each other.
#include "ops/random/vectors.h"

#include "capi/src/random/generators.h"

using namespace arr::capi;

namespace {

arr::NormalMethod method_argument(int32_t method) {
  if (method < ARR_NORMAL_CHOLESKY || method > ARR_NORMAL_SVD)
    arr::fail(ARR_E_ARGUMENT, "argument method: ", method, ", expected one of ARR_NORMAL_...");
  return static_cast<arr::NormalMethod>(method);
}

}  // namespace

arr_status arr_random_multinomial(arr_generator generator, const arr_value* n, arr_array pvals, int32_t ndim,
                                  const int64_t* shape, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_multinomial", out, [&] {
    const Used g(generator);
    Operands draws;
    draws.add(n, "n");
    auto p = array(pvals, "pvals");
    auto s = stream(stream_handle);
    return arr::random_multinomial(*g, draws.inputs()[0], *p, optional_shape(ndim, shape), s.get());
  });
}

arr_status arr_random_multinomial_into(arr_array dst, arr_generator generator, const arr_value* n,
                                       arr_array pvals, arr_stream stream_handle) {
  return guard("arr_random_multinomial_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    Operands draws;
    draws.add(n, "n");
    auto p = array(pvals, "pvals");
    auto s = stream(stream_handle);
    arr::random_multinomial_into(*to, *g, draws.inputs()[0], *p, s.get());
  });
}

arr_status arr_random_dirichlet(arr_generator generator, arr_array alpha, int32_t ndim, const int64_t* shape,
                                arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_dirichlet", out, [&] {
    const Used g(generator);
    auto a = array(alpha, "alpha");
    auto s = stream(stream_handle);
    return arr::random_dirichlet(*g, *a, optional_shape(ndim, shape), s.get());
  });
}

arr_status arr_random_dirichlet_into(arr_array dst, arr_generator generator, arr_array alpha,
                                     arr_stream stream_handle) {
  return guard("arr_random_dirichlet_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto a = array(alpha, "alpha");
    auto s = stream(stream_handle);
    arr::random_dirichlet_into(*to, *g, *a, s.get());
  });
}

arr_status arr_random_multivariate_normal(arr_generator generator, arr_array mean, arr_array covariance,
                                          int32_t method, int32_t ndim, const int64_t* shape,
                                          arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_multivariate_normal", out, [&] {
    const Used g(generator);
    auto m = array(mean, "mean");
    auto c = array(covariance, "covariance");
    auto s = stream(stream_handle);
    return arr::random_multivariate_normal(*g, *m, *c, method_argument(method), optional_shape(ndim, shape),
                                           s.get());
  });
}

arr_status arr_random_multivariate_normal_into(arr_array dst, arr_generator generator, arr_array mean,
                                               arr_array covariance, int32_t method,
                                               arr_stream stream_handle) {
  return guard("arr_random_multivariate_normal_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto m = array(mean, "mean");
    auto c = array(covariance, "covariance");
    auto s = stream(stream_handle);
    arr::random_multivariate_normal_into(*to, *g, *m, *c, method_argument(method), s.get());
  });
}

arr_status arr_random_multivariate_hypergeometric(arr_generator generator, arr_array colors,
                                                  const arr_value* nsample, int32_t ndim,
                                                  const int64_t* shape, arr_stream stream_handle,
                                                  arr_array* out) {
  return make_array("arr_random_multivariate_hypergeometric", out, [&] {
    const Used g(generator);
    auto c = array(colors, "colors");
    Operands draws;
    draws.add(nsample, "nsample");
    auto s = stream(stream_handle);
    return arr::random_multivariate_hypergeometric(*g, *c, draws.inputs()[0], optional_shape(ndim, shape),
                                                   s.get());
  });
}

arr_status arr_random_multivariate_hypergeometric_into(arr_array dst, arr_generator generator,
                                                       arr_array colors, const arr_value* nsample,
                                                       arr_stream stream_handle) {
  return guard("arr_random_multivariate_hypergeometric_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto c = array(colors, "colors");
    Operands draws;
    draws.add(nsample, "nsample");
    auto s = stream(stream_handle);
    arr::random_multivariate_hypergeometric_into(*to, *g, *c, draws.inputs()[0], s.get());
  });
}
