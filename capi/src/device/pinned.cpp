// SPDX-License-Identifier: MIT
// memory.h: page-locked host memory.
#include "runtime/pinned.h"

#include "capi/src/device/pool_stats.h"
#include "capi/src/entry.h"
#include "runtime/devices.h"
#include "runtime/recorders.h"

using namespace arr::capi;

namespace {

static_assert(arr::pinned::mapped == ARR_PINNED_MAPPED && arr::pinned::read_only == ARR_PINNED_READ_ONLY &&
              arr::pinned::write_combined == ARR_PINNED_WRITE_COMBINED);

}  // namespace

arr_status arr_pinned_create(arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                             int32_t flags, arr_array* out) {
  return make_array("arr_pinned_create", out, [&] {
    constexpr int32_t own = ARR_PINNED_REQUIRED | ARR_PINNED_ZEROED;  // the other flags are the driver's
    check_flags(flags, ARR_PINNED_MAPPED | ARR_PINNED_WRITE_COMBINED | own);
    if ((flags & ARR_PINNED_REQUIRED) != 0) arr::backend(ARR_CUDA);  // throws if no GPU works
    arr::Ref<arr::Array> a = arr::empty_pinned(arr::dtype_from(dtype), shape_argument(ndim, shape),
                                               arr::order_from(order), flags & ~own);
    if ((flags & ARR_PINNED_ZEROED) != 0) arr::fill(*a, arr::scalar_of(int64_t{0}), nullptr);
    return a;
  });
}

arr_status arr_is_pinned(arr_array a, bool* pinned) {
  return guard("arr_is_pinned", [&] {
    check_pointer(pinned, "pinned");
    auto of = array(a, "a");
    const bool asks = of->device().type == ARR_HOST && of->buffer->data() != nullptr;
    *pinned = asks && arr::is_pinned(of->data);
  });
}

arr_status arr_pinned_device_data(arr_array a, const arr_device* device, void** data) {
  return guard("arr_pinned_device_data", [&] {
    check_pointer(data, "data");
    auto of = array(a, "a");
    const arr_device first{ARR_CUDA, 0};
    const arr::Device d = arr::device_from(device == nullptr ? &first : device);
    if (d.type != ARR_CUDA) arr::fail(ARR_E_ARGUMENT, "argument device: the host, expected a CUDA device");
    if (of->device().type != ARR_HOST || of->layout.size() == 0) {
      arr::fail(ARR_E_ARGUMENT, "argument a: an array ",
                of->device().type != ARR_HOST ? "on a GPU" : "without elements",
                ", expected one on the host with elements");
    }
    arr::expose_address(*of->buffer);  // a kernel may read it and write it
    *data = arr::pinned_on_device(of->data, d);
  });
}

arr_status arr_pinned_register(void* data, int64_t bytes, int32_t flags) {
  return guard("arr_pinned_register", [&] {
    check_pointer(data, "data");
    if (bytes < 1) arr::fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, ", expected 1 or more");
    check_flags(flags, ARR_PINNED_MAPPED | ARR_PINNED_READ_ONLY);
    arr::pin(data, bytes, flags);
  });
}

arr_status arr_pinned_unregister(void* data) {
  return guard("arr_pinned_unregister", [&] {
    check_pointer(data, "data");
    arr::unpin(data);
  });
}

arr_status arr_pinned_info(arr_memory_pool_stats* stats) {
  return guard("arr_pinned_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    *stats = pool_stats_of(arr::pinned_stats());
  });
}

arr_status arr_pinned_limit(int64_t bytes) {
  return guard("arr_pinned_limit", [&] {
    if (bytes < 0) arr::fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, " is negative");
    arr::pinned_limit(bytes);
  });
}

arr_status arr_pinned_set_allocator_functions(
    int32_t (*allocate)(void* ctx, int64_t bytes, int32_t device_index, void* stream, void** data),
    void (*release)(void* ctx, void* data, int64_t bytes, int32_t device_index, void* stream),
    void (*drop)(void* ctx), void* ctx) {
  return guard("arr_pinned_set_allocator_functions", [&] {
    if (allocate != nullptr && release == nullptr) arr::fail(ARR_E_ARGUMENT, "argument release: NULL");
    const arr::ExternalFunctions functions{allocate, release, drop, ctx};
    arr::set_pinned_functions(allocate != nullptr ? &functions : nullptr);
  });
}

arr_status arr_pinned_trim(void) {
  return guard("arr_pinned_trim", [&] { arr::pinned_trim(); });
}
