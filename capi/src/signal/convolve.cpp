// SPDX-License-Identifier: MIT
// signal.h: convolutions and correlations.
#include "arr/signal.h"
#include "capi/src/arguments.h"

using namespace arr::capi;

arr_status arr_convolve(arr_array a, arr_array v, int32_t mode, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_convolve", out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::convolve(*x, *y, convolve_mode(mode), s.get());
  });
}

arr_status arr_correlate(arr_array a, arr_array v, int32_t mode, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_correlate", out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::correlate(*x, *y, convolve_mode(mode), s.get());
  });
}

namespace {

arr_status convolved(const char* function, arr_array a, arr_array v, int32_t mode, int32_t naxes,
                     const int32_t* axes, bool blocks, arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::fftconvolve(*x, *y, convolve_mode(mode), arr::axis_mask(x->layout.ndim, naxes, axes), blocks,
                            s.get());
  });
}

}  // namespace

arr_status arr_fftconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t* axes,
                           arr_stream stream, arr_array* out) {
  return convolved("arr_fftconvolve", a, v, mode, naxes, axes, false, stream, out);
}

arr_status arr_oaconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t* axes,
                          arr_stream stream, arr_array* out) {
  return convolved("arr_oaconvolve", a, v, mode, naxes, axes, true, stream, out);
}
