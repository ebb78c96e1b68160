// SPDX-License-Identifier: MIT
// scan.h: a body per row of scans.def.
#include "arr/scan.h"

#include "capi/src/arguments.h"
#include "capi/src/entry.h"
#include "expr/reduction_numbers.h"
#include "ops/reduce/scan.h"

using namespace arr::capi;
using arr::ScanOptions;

namespace {

arr_status scan(const char* function, ScanOptions options, arr_array a, int32_t axis, arr_dtype dtype,
                arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    options.dtype = optional_dtype(dtype);
    return arr::scan(options, *x, axis, s.get());
  });
}

arr_status scan_into(const char* function, ScanOptions options, arr_array dst, arr_array a, int32_t axis,
                     arr_dtype dtype, arr_stream stream_handle) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    options.dtype = optional_dtype(dtype);
    arr::scan_into(*to, options, *x, axis, s.get());
  });
}

constexpr bool KEEP = false, SKIP = true;

}  // namespace

#define ARR_BODIES_PLAIN(name, by, nan)                                                                  \
  arr_status arr_##name(arr_array a, int32_t axis, arr_dtype dtype, arr_stream stream, arr_array* out) { \
    return scan("arr_" #name, {arr::reduction::by, nan}, a, axis, dtype, stream, out);                   \
  }                                                                                                      \
  arr_status arr_##name##_into(arr_array dst, arr_array a, int32_t axis, arr_dtype dtype,                \
                               arr_stream stream) {                                                      \
    return scan_into("arr_" #name "_into", {arr::reduction::by, nan}, dst, a, axis, dtype, stream);      \
  }
#define ARR_BODIES_INITIAL(name, by, nan)                                                                    \
  arr_status arr_##name(arr_array a, int32_t axis, arr_dtype dtype, bool include_initial, arr_stream stream, \
                        arr_array* out) {                                                                    \
    const ScanOptions options = {arr::reduction::by, nan, include_initial, false};                           \
    return scan("arr_" #name, options, a, axis, dtype, stream, out);                                         \
  }                                                                                                          \
  arr_status arr_##name##_into(arr_array dst, arr_array a, int32_t axis, arr_dtype dtype,                    \
                               bool include_initial, arr_stream stream) {                                    \
    const ScanOptions options = {arr::reduction::by, nan, include_initial, false};                           \
    return scan_into("arr_" #name "_into", options, dst, a, axis, dtype, stream);                            \
  }
#define ARR_SCAN(name, by, nan, form, ...) ARR_BODIES_##form(name, by, nan)
#include "table/scans.def"
#undef ARR_SCAN
