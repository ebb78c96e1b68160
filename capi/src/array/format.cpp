// SPDX-License-Identifier: MIT
// arr/array.h: arrays as text.
#include "ops/text/format.h"

#include "capi/src/entry.h"

arr_status arr_format(arr_array a, int32_t edge, int64_t capacity, char* text, int64_t* length) {
  return arr::capi::guard("arr_format", [&] {
    auto x = arr::capi::array(a, "a");
    arr::capi::put_text(arr::format(*x, edge), capacity, text, length);
  });
}

arr_status arr_print(arr_array a) {
  return arr::capi::guard("arr_print",
                          [&] { arr::capi::put_line(arr::format(*arr::capi::array(a, "a"), 0)); });
}
