// SPDX-License-Identifier: MIT
// distributions.h: random numbers by the rows of core/table/distributions.def, and by a distribution's
// number.
#include "capi/src/random/arguments.h"

using namespace arr::capi;

namespace {

struct Target {
  arr_dtype dtype;
  int32_t ndim;
  const int64_t* shape;
  const arr_device* device;
};

arr_status draw(const char* function, arr_generator generator, int32_t distribution,
                std::initializer_list<const arr_value*> values, std::string_view parameters, const Target& t,
                arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    const Used g(generator);
    const Given given(values.begin(), values.size(), parameters);
    auto s = stream(stream_handle);
    const arr::RandomShape shape = shape_of(t.dtype, t.ndim, t.shape, t.device);
    return given.naming([&] { return arr::random(*g, distribution, given.all(), shape, s.get()); });
  });
}

arr_status draw_into(const char* function, arr_array dst, arr_generator generator, int32_t distribution,
                     std::initializer_list<const arr_value*> values, std::string_view parameters,
                     arr_stream stream_handle) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    const Given given(values.begin(), values.size(), parameters);
    auto s = stream(stream_handle);
    given.naming([&] { arr::random_into(*to, *g, distribution, given.all(), s.get()); });
  });
}

}  // namespace

arr_status arr_random_draw(arr_generator generator, int32_t distribution, int32_t nparameters,
                           const arr_value* parameters, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                           const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_draw", out, [&] {
    const Used g(generator);
    const Given given(nparameters, parameters);
    auto s = stream(stream_handle);
    const arr::RandomShape target = shape_of(dtype, ndim, shape, device);
    return by_number([&] { return arr::random(*g, distribution, given.all(), target, s.get()); });
  });
}

arr_status arr_random_draw_into(arr_array dst, arr_generator generator, int32_t distribution,
                                int32_t nparameters, const arr_value* parameters, arr_stream stream_handle) {
  return guard("arr_random_draw_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    const Given given(nparameters, parameters);
    auto s = stream(stream_handle);
    by_number([&] { arr::random_into(*to, *g, distribution, given.all(), s.get()); });
  });
}

#define ARR_PARAMETERS_0
#define ARR_PARAMETERS_1 const arr_value *a,
#define ARR_PARAMETERS_2 ARR_PARAMETERS_1 const arr_value *b,
#define ARR_PARAMETERS_3 ARR_PARAMETERS_2 const arr_value *c,
#define ARR_GIVEN_0
#define ARR_GIVEN_1 a
#define ARR_GIVEN_2 a, b
#define ARR_GIVEN_3 a, b, c
#define ARR_DISTRIBUTION(number, name, n, family, parameters, doc, cupy, ...)                             \
  arr_status arr_random_##name(arr_generator generator, ARR_PARAMETERS_##n arr_dtype dtype, int32_t ndim, \
                               const int64_t* shape, const arr_device* device, arr_stream stream,         \
                               arr_array* out) {                                                          \
    return draw("arr_random_" #name, generator, number, {ARR_GIVEN_##n}, parameters,                      \
                {dtype, ndim, shape, device}, stream, out);                                               \
  }                                                                                                       \
  arr_status arr_random_##name##_into(arr_array dst, arr_generator generator,                             \
                                      ARR_PARAMETERS_##n arr_stream stream) {                             \
    return draw_into("arr_random_" #name "_into", dst, generator, number, {ARR_GIVEN_##n}, parameters,    \
                     stream);                                                                             \
  }
#include "table/distributions.def"
#undef ARR_DISTRIBUTION
