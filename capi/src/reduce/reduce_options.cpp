// SPDX-License-Identifier: MIT
// reduce_options.h: reductions by number, with options.
#include "arr/reduce_options.h"

#include "capi/src/reduce/arguments.h"

using namespace arr::capi;

arr_status arr_reduction_find(const char* name, int32_t* reduction) {
  return guard("arr_reduction_find", [&] {
    check_pointer(name, "name");
    check_pointer(reduction, "reduction");
    const arr::ReductionInfo* found = arr::reduction_find(name);
    if (found == nullptr || found->form == arr::ReduceForm::HIDDEN) {
      arr::fail(ARR_E_ARGUMENT, "argument name: \"", name, "\" is not the name of a reduction");
    }
    *reduction = found->number;
  });
}

arr_status arr_reduction_info(int32_t index, int32_t* reduction, const char** name, int64_t* dtypes,
                              const char** doc) {
  return guard("arr_reduction_info", [&] {
    int32_t count = 0;
    for (const arr::ReductionInfo& r : arr::all_reductions()) {
      if (r.form == arr::ReduceForm::HIDDEN || count++ != index) continue;
      if (reduction != nullptr) *reduction = r.number;
      if (name != nullptr) *name = r.name;
      if (doc != nullptr) *doc = r.doc;
      if (dtypes == nullptr) return;
      *dtypes = 0;
      for (const arr::DTypeInfo& d : arr::dtype_table) {
        if (d.bytes != 0 && arr::in_domain(r.domain, d.dtype)) {
          *dtypes |= int64_t{1} << static_cast<int32_t>(d.dtype);
        }
      }
      return;
    }
    arr::fail(ARR_E_ARGUMENT, "argument index: ", index, ", there are ", count, " reductions");
  });
}

arr_status arr_reduce(int32_t reduction, arr_array a, int32_t naxes, const int32_t* axes, bool keepdims,
                      const arr_reduce_options* options, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_reduce", out, [&] {
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    return arr::reduce(r, *x, mask_of(*x, naxes, axes), keepdims, o.core, s.get());
  });
}

arr_status arr_reduce_into(arr_array dst, int32_t reduction, arr_array a, int32_t naxes, const int32_t* axes,
                           bool keepdims, const arr_reduce_options* options, arr_stream stream_handle) {
  return guard("arr_reduce_into", [&] {
    auto to = array(dst, "dst");
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    arr::reduce_into(*to, r, *x, mask_of(*x, naxes, axes), keepdims, o.core, s.get());
  });
}
