// SPDX-License-Identifier: MIT
// random.h: random bits and integers, permutations and choices.
#include "ops/random/random.h"

#include "base/renaming.h"
#include "capi/src/random/generators.h"
#include "ops/random/order.h"

using namespace arr::capi;

// ------------------------------------------------------------------------------------ bits and integers

arr_status arr_random_bits(arr_generator generator, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                           const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_bits", out, [&] {
    const Used g(generator);
    if (ndim < 0) arr::fail(ARR_E_ARGUMENT, "argument ndim: ", ndim, " is negative");
    auto s = stream(stream_handle);
    return arr::random_bits(*g, shape_of(dtype, ndim, shape, device), s.get());
  });
}

arr_status arr_random_bits_into(arr_array dst, arr_generator generator, arr_stream stream_handle) {
  return guard("arr_random_bits_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_bits_into(*to, *g, s.get());
  });
}

arr_status arr_random_integers(arr_generator generator, const arr_value* low, const arr_value* high,
                               bool endpoint, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                               const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_integers", out, [&] {
    const Used g(generator);
    Operands bounds;
    bounds.add(low, "low");
    bounds.add(high, "high");
    auto s = stream(stream_handle);
    return arr::random_integers(*g, bounds.inputs()[0], bounds.inputs()[1], endpoint,
                                shape_of(dtype, ndim, shape, device), s.get());
  });
}

arr_status arr_random_integers_into(arr_array dst, arr_generator generator, const arr_value* low,
                                    const arr_value* high, bool endpoint, arr_stream stream_handle) {
  return guard("arr_random_integers_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    Operands bounds;
    bounds.add(low, "low");
    bounds.add(high, "high");
    auto s = stream(stream_handle);
    arr::random_integers_into(*to, *g, bounds.inputs()[0], bounds.inputs()[1], endpoint, s.get());
  });
}

// ------------------------------------------------------------------------------------ order and choice

arr_status arr_random_permutation(arr_generator generator, int64_t n, int64_t count, arr_dtype dtype,
                                  const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_permutation", out, [&] {
    const Used g(generator);
    auto s = stream(stream_handle);
    const arr::DType d = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::random_permutation(*g, n, count, d, arr::device_from(device), s.get());
  });
}

arr_status arr_random_permutation_into(arr_array dst, arr_generator generator, int64_t n,
                                       arr_stream stream_handle) {
  return guard("arr_random_permutation_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_permutation_into(*to, *g, n, s.get());
  });
}

arr_status arr_random_permuted(arr_generator generator, arr_array a, int32_t axis, bool independent,
                               arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_permuted", out, [&] {
    const Used g(generator);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::random_permuted(*g, *x, axis, independent, s.get());
  });
}

arr_status arr_random_permuted_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                    bool independent, arr_stream stream_handle) {
  return guard("arr_random_permuted_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::random_permuted_into(*to, *g, *x, axis, independent, s.get());
  });
}

arr_status arr_random_shuffle(arr_array a, arr_generator generator, int32_t axis, bool independent,
                              arr_stream stream_handle) {
  return guard("arr_random_shuffle", [&] {
    auto x = array(a, "a");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_shuffle(*x, *g, axis, independent, s.get());
  });
}

arr_status arr_random_choice(arr_generator generator, int64_t n, bool replace, arr_array weights,
                             int32_t ndim, const int64_t* shape, const arr_device* device,
                             arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_choice", out, [&] {
    const Used g(generator);
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::random_choice(*g, {n, replace, w.get()}, shape_argument(ndim, shape),
                              arr::device_from(device), s.get());
  });
}

arr_status arr_random_choice_into(arr_array dst, arr_generator generator, int64_t n, bool replace,
                                  arr_array weights, arr_stream stream_handle) {
  return guard("arr_random_choice_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    arr::random_choice_into(*to, *g, {n, replace, w.get()}, s.get());
  });
}

arr_status arr_random_sample(arr_generator generator, arr_array a, int32_t axis, bool replace,
                             arr_array weights, int32_t ndim, const int64_t* shape, arr_stream stream_handle,
                             arr_array* out) {
  return make_array("arr_random_sample", out, [&] {
    const Used g(generator);
    auto x = array(a, "a");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    const arr::Shape wanted = shape_argument(ndim, shape);
    return arr::renaming({{"n", "a"}},
                         [&] { return arr::random_sample(*g, *x, axis, replace, w.get(), wanted, s.get()); });
  });
}

arr_status arr_random_sample_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                  bool replace, arr_array weights, arr_stream stream_handle) {
  return guard("arr_random_sample_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto x = array(a, "a");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    arr::renaming({{"n", "a"}},
                  [&] { arr::random_sample_into(*to, *g, *x, axis, replace, w.get(), s.get()); });
  });
}
