// SPDX-License-Identifier: MIT
// search.h: binary search in sorted vectors, interpolation.
#include "arr/search.h"

#include "capi/src/arguments.h"
#include "ops/sorting/search.h"

using namespace arr::capi;

namespace {

std::optional<arr::Scalar> bound(const arr_value* value, const char* argument) {
  if (value == nullptr) return {};
  return scalar_argument(value, argument);
}

}  // namespace

arr_status arr_searchsorted(arr_array a, arr_array v, int32_t side, arr_array sorter,
                            arr_stream stream_handle, arr_array* out) {
  return make_array("arr_searchsorted", out, [&] {
    auto x = array(a, "a"), y = array(v, "v"), order = optional_array(sorter, "sorter");
    if (side != ARR_SEARCH_LEFT && side != ARR_SEARCH_RIGHT)
      arr::fail(ARR_E_ARGUMENT, "argument side: ", side, ", expected one of ARR_SEARCH_...");
    auto s = stream(stream_handle);
    return arr::searchsorted(*x, *y, side == ARR_SEARCH_RIGHT, order.get(), s.get());
  });
}

arr_status arr_digitize(arr_array x, arr_array bins, bool right, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_digitize", out, [&] {
    auto a = array(x, "x"), edges = array(bins, "bins");
    auto s = stream(stream_handle);
    return arr::digitize(*a, *edges, right, s.get());
  });
}

arr_status arr_interp(arr_array x, arr_array xp, arr_array fp, const arr_value* left, const arr_value* right,
                      double period, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_interp", out, [&] {
    auto a = array(x, "x"), at = array(xp, "xp"), f = array(fp, "fp");
    auto s = stream(stream_handle);
    const arr::Interpolation options{bound(left, "left"), bound(right, "right"), period};
    return arr::interp(*a, *at, *f, options, s.get());
  });
}
