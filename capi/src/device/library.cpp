// SPDX-License-Identifier: MIT
#include "arr/library.h"

#include <string>

#include "backend/libraries.h"
#include "capi/src/entry.h"

using namespace arr::capi;

namespace {

#define ARR_SAME(name, public_name) static_assert(arr::library::name == public_name)
ARR_SAME(driver, ARR_LIBRARY_DRIVER);
ARR_SAME(nvrtc, ARR_LIBRARY_NVRTC);
ARR_SAME(nvjitlink, ARR_LIBRARY_NVJITLINK);
ARR_SAME(cublas, ARR_LIBRARY_CUBLAS);
ARR_SAME(cusolver, ARR_LIBRARY_CUSOLVER);
ARR_SAME(cufft, ARR_LIBRARY_CUFFT);
ARR_SAME(cusparse, ARR_LIBRARY_CUSPARSE);
ARR_SAME(curand, ARR_LIBRARY_CURAND);
#undef ARR_SAME

const arr::LibraryApi& libraries_of(const arr::Device& d, int32_t library) {
  if (library < 0 || library >= arr::library::count) {
    arr::fail(ARR_E_ARGUMENT, "argument library: ", library, ", expected one of ARR_LIBRARY_...");
  }
  return arr::api<arr::LibraryApi>(d);
}

}  // namespace

arr_status arr_library_function(const arr_device* device, int32_t library, const char* name, int64_t length,
                                void** function) {
  return guard("arr_library_function", [&] {
    check_pointer(function, "function");
    const arr::Device d = arr::device_from(device);
    const std::string text{string_argument(name, length, "name")};
    arr::call(libraries_of(d, library).function, library, text.c_str(), function);
  });
}

arr_status arr_library_version(const arr_device* device, int32_t library, int32_t* major, int32_t* minor,
                               int32_t* patch) {
  return guard("arr_library_version", [&] {
    check_pointer(major, "major");
    const arr::Device d = arr::device_from(device);
    int32_t version[3] = {};
    arr::call(libraries_of(d, library).version, library, version);
    *major = version[0];
    if (minor != nullptr) *minor = version[1];
    if (patch != nullptr) *patch = version[2];
  });
}

arr_status arr_library_toolkit(const arr_device* device, int64_t capacity, char* path, int64_t* length) {
  return guard("arr_library_toolkit", [&] {
    std::string found;
    arr::call(arr::api<arr::LibraryApi>(arr::device_from(device)).toolkit, &found);
    put_text(found, capacity, path, length);
  });
}

arr_status arr_library_handle(const arr_device* device, int32_t library, arr_stream stream_handle,
                              void** handle) {
  return guard("arr_library_handle", [&] {
    check_pointer(handle, "handle");
    const arr::Device d = arr::device_from(device);
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(d, s.get());
    arr::call(libraries_of(d, library).handle, d.index, library, q.handle(), handle);
  });
}
