// SPDX-License-Identifier: MIT
// histogram.h: counts of values.
#include "arr/histogram.h"

#include "ops/histogram.h"
#include "seam.h"

using namespace arr::capi;

arr_status arr_bincount(arr_array x, arr_array weights, int64_t minlength, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_bincount", out, [&] {
    auto counted = array(x, "x");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::bincount(*counted, w.get(), minlength, s.get());
  });
}
