// SPDX-License-Identifier: MIT
// signal.h: window functions.
#include "ops/signal/windows.h"

#include "capi/src/arguments.h"

using namespace arr::capi;

namespace {

arr_status window(const char* function, arr::Window w, int64_t n, double beta, arr_dtype dtype,
                  const arr_device* device, arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto s = stream(stream_handle);
    return arr::window(w, n, beta, {optional_dtype(dtype), arr::device_from(device), s.get()});
  });
}

}  // namespace

arr_status arr_bartlett(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return window("arr_bartlett", arr::Window::bartlett, n, 0, dtype, device, stream, out);
}

arr_status arr_blackman(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return window("arr_blackman", arr::Window::blackman, n, 0, dtype, device, stream, out);
}

arr_status arr_hamming(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                       arr_array* out) {
  return window("arr_hamming", arr::Window::hamming, n, 0, dtype, device, stream, out);
}

arr_status arr_hanning(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                       arr_array* out) {
  return window("arr_hanning", arr::Window::hanning, n, 0, dtype, device, stream, out);
}

arr_status arr_kaiser(int64_t n, double beta, arr_dtype dtype, const arr_device* device, arr_stream stream,
                      arr_array* out) {
  return window("arr_kaiser", arr::Window::kaiser, n, beta, dtype, device, stream, out);
}
