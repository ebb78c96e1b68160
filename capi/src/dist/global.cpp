// SPDX-License-Identifier: MIT
// dist.h: operations on whole distributed arrays, and files.
#include "capi/src/arguments.h"
#include "capi/src/dist/handles.h"
#include "capi/src/fft/arguments.h"
#include "capi/src/random/arguments.h"
#include "io/dist_npy.h"

using namespace arr::capi;

namespace {

arr::DistFft fft_argument(int32_t naxes, const int32_t* axes, int32_t norm, bool keep) {
  const std::span<const int32_t> given = axes_argument(naxes, axes);
  return {{given.begin(), given.end()}, norm_argument(norm), keep};
}

}  // namespace

arr_status arr_dist_matmul(arr_dist a, arr_dist b, arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_matmul", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a"), y = dist(b, "b");
    return by_ranks_of(*x, [&] { return arr::dist_matmul(*x, *y, s); });
  });
}

arr_status arr_dist_fftn(arr_dist a, int32_t naxes, const int32_t* axes, bool inverse, int32_t norm,
                         bool keep, arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_fftn", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    const arr::DistFft by = fft_argument(naxes, axes, norm, keep);
    return by_ranks_of(*x, [&] { return arr::dist_fft(*x, by, inverse, s); });
  });
}

arr_status arr_dist_rfftn(arr_dist a, int32_t naxes, const int32_t* axes, int32_t norm, bool keep,
                          arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_rfftn", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    const arr::DistFft by = fft_argument(naxes, axes, norm, keep);
    return by_ranks_of(*x, [&] { return arr::dist_rfft(*x, by, s); });
  });
}

arr_status arr_dist_irfftn(arr_dist a, int64_t n, int32_t naxes, const int32_t* axes, int32_t norm, bool keep,
                           arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_irfftn", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    const arr::DistFft by = fft_argument(naxes, axes, norm, keep);
    return by_ranks_of(*x, [&] { return arr::dist_irfft(*x, by, n, s); });
  });
}

arr_status arr_dist_sort(arr_dist a, int32_t axis, arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_sort", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    return by_ranks_of(*x, [&] { return arr::dist_sort(*x, axis, s); });
  });
}

arr_status arr_dist_random_draw(arr_decomposition by, arr_generator generator, int32_t distribution,
                                int32_t nparameters, const arr_value* parameters, arr_dtype dtype,
                                arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_random_draw", stream_handle, out, [&](arr::Stream* s) {
    auto p = decomposition(by);
    if (generator == nullptr) arr::fail(ARR_E_HANDLE, "argument generator: NULL, expected one of this rank");
    const Used g(generator);
    const Given given(nparameters, parameters);
    return by_number(
        [&] { return arr::dist_random(*p, optional_dtype(dtype), *g, distribution, given.all(), s); });
  });
}

arr_status arr_dist_load_npy(arr_decomposition by, const char* path, int64_t length, arr_stream stream_handle,
                             arr_dist* out) {
  return make_dist("arr_dist_load_npy", stream_handle, out, [&](arr::Stream* s) {
    auto p = decomposition(by);
    const std::string_view name = string_argument(path, length, "path");
    arr::Ref<arr::Dist> made;
    by_all_ranks(p->comm(), "decomposition", [&] { made = arr::io::load_npy_parts(*p, name, s); });
    return made;
  });
}

arr_status arr_dist_save_npy(arr_dist a, const char* path, int64_t length, arr_stream stream_handle) {
  return guard("arr_dist_save_npy", [&] {
    auto x = dist(a, "a");
    auto s = stream(stream_handle);
    const std::string_view name = string_argument(path, length, "path");
    by_all_ranks(x->decomposition->comm(), "a", [&] { arr::io::save_npy_parts(*x, name, s.get()); });
  });
}
