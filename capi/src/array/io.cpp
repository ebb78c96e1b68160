// SPDX-License-Identifier: MIT
// io.h: .npy files.
#include "capi/src/entry.h"
#include "io/npy.h"

arr_status arr_load_npy(const char* path, int64_t length, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return arr::capi::make_array("arr_load_npy", out, [&] {
    std::string_view name = arr::capi::string_argument(path, length, "path");
    auto s = arr::capi::stream(stream);
    return arr::io::load_npy(name, arr::device_from(device), s.get());
  });
}

arr_status arr_save_npy(arr_array a, const char* path, int64_t length, arr_stream stream) {
  return arr::capi::guard("arr_save_npy", [&] {
    auto x = arr::capi::array(a, "a");
    std::string_view name = arr::capi::string_argument(path, length, "path");
    auto s = arr::capi::stream(stream);
    arr::io::save_npy(*x, name, s.get());
  });
}
