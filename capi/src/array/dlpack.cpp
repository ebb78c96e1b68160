// SPDX-License-Identifier: MIT
// arr/dlpack.h: interchange by DLPack.
#include "arr/dlpack.h"

#include "capi/src/entry.h"
#include "dlpack/dlpack.h"

using namespace arr::capi;
namespace dlpack = arr::dlpack;

namespace {

// Ownership of the tensor is taken last, so that it stays with the caller on failure.
void publish_import(dlpack::Import import, void* tensor, arr_array* out) {
  arr::Buffer& memory = *import.array->buffer;
  arr_array handle = nullptr;
  publish<arr::Array>(std::move(import.array), &handle);
  arr::own(memory, import.drop, tensor);
  *out = handle;
}

}  // namespace

arr_status arr_to_dlpack(arr_array a, int64_t consumer_stream, int32_t flags,
                         struct DLManagedTensorVersioned** out) {
  return guard("arr_to_dlpack", [&] {
    check_pointer(out, "out");
    auto x = array(a, "a");
    check_flags(flags, ARR_DLPACK_COPY);
    *out = reinterpret_cast<struct DLManagedTensorVersioned*>(
        dlpack::to_versioned(*x, consumer_stream, flags != 0));
  });
}

arr_status arr_to_dlpack_legacy(arr_array a, int64_t consumer_stream, int32_t flags,
                                struct DLManagedTensor** out) {
  return guard("arr_to_dlpack_legacy", [&] {
    check_pointer(out, "out");
    auto x = array(a, "a");
    check_flags(flags, ARR_DLPACK_COPY);
    *out = reinterpret_cast<struct DLManagedTensor*>(dlpack::to_legacy(*x, consumer_stream, flags != 0));
  });
}

arr_status arr_from_dlpack(struct DLManagedTensorVersioned* t, int64_t ready_stream, arr_array* out) {
  return guard("arr_from_dlpack", [&] {
    check_pointer(out, "out");
    publish_import(dlpack::from_versioned(reinterpret_cast<dlpack::ManagedVersioned*>(t), ready_stream), t,
                   out);
  });
}

arr_status arr_from_dlpack_legacy(struct DLManagedTensor* t, int64_t ready_stream, int32_t flags,
                                  arr_array* out) {
  return guard("arr_from_dlpack_legacy", [&] {
    check_pointer(out, "out");
    check_flags(flags, ARR_DLPACK_READONLY);
    publish_import(dlpack::from_legacy(reinterpret_cast<dlpack::Managed*>(t), ready_stream, flags != 0), t,
                   out);
  });
}
