// SPDX-License-Identifier: MIT
// sort.h: sorts, partitions, the largest elements.
#include "arr/sort.h"

#include "capi/src/arguments.h"
#include "ops/sorting/sort.h"

using namespace arr::capi;

namespace {

std::span<const int64_t> kth_argument(int64_t nkth, const int64_t* kth) {
  if (nkth < 0) arr::fail(ARR_E_ARGUMENT, "argument nkth: ", nkth, " is negative");
  if (nkth > 0) check_pointer(kth, "kth");
  return {kth, static_cast<size_t>(nkth)};
}

}  // namespace

arr_status arr_sort(arr_array a, int32_t axis, bool descending, arr_stream stream, arr_array* out) {
  return unary_call("arr_sort", a, "a", stream, out,
                    [&](const arr::Array& x, arr::Stream* s) { return arr::sort(x, axis, descending, s); });
}

arr_status arr_sort_into(arr_array dst, arr_array a, int32_t axis, bool descending,
                         arr_stream stream_handle) {
  return guard("arr_sort_into", [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::sort_into(*to, *x, axis, descending, s.get());
  });
}

arr_status arr_argsort(arr_array a, int32_t axis, bool descending, arr_stream stream, arr_array* out) {
  return unary_call("arr_argsort", a, "a", stream, out, [&](const arr::Array& x, arr::Stream* s) {
    return arr::argsort(x, axis, descending, s);
  });
}

arr_status arr_partition(arr_array a, int64_t nkth, const int64_t* kth, int32_t axis, arr_stream stream,
                         arr_array* out) {
  return unary_call("arr_partition", a, "a", stream, out, [&](const arr::Array& x, arr::Stream* s) {
    return arr::partition(x, kth_argument(nkth, kth), axis, s);
  });
}

arr_status arr_argpartition(arr_array a, int64_t nkth, const int64_t* kth, int32_t axis, arr_stream stream,
                            arr_array* out) {
  return unary_call("arr_argpartition", a, "a", stream, out, [&](const arr::Array& x, arr::Stream* s) {
    return arr::argpartition(x, kth_argument(nkth, kth), axis, s);
  });
}

arr_status arr_lexsort(int32_t n, const arr_array* keys, int32_t axis, arr_stream stream_handle,
                       arr_array* out) {
  return make_array("arr_lexsort", out, [&] {
    const Arrays all(n, keys, "keys");
    auto s = stream(stream_handle);
    return arr::lexsort(all.all(), axis, s.get());
  });
}

arr_status arr_sort_complex(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_sort_complex", a, "a", stream, out,
                    [&](const arr::Array& x, arr::Stream* s) { return arr::sort_complex(x, s); });
}

arr_status arr_topk(arr_array a, int64_t k, int32_t axis, bool largest, arr_stream stream_handle,
                    arr_array* out_values, arr_array* out_indices) {
  return guard("arr_topk", [&] {
    check_pointer(out_values, "out_values");
    check_pointer(out_indices, "out_indices");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    auto both = arr::top_k(*x, k, axis, largest, s.get());
    std::vector<arr::Ref<arr::Array>> all;
    all.push_back(std::move(both.first));
    all.push_back(std::move(both.second));
    arr_array made[2];
    publish_all(std::move(all), made);
    *out_values = made[0];
    *out_indices = made[1];
  });
}
