// SPDX-License-Identifier: MIT
// The vendor's libraries for callers that use them directly.
#include <dlfcn.h>
#include "backend/libraries.h"

#include "cuda/device/entries.h"
#include "cuda/device/library_handles.h"
#include "cuda/device/toolkit.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

// Libraries that report each number of their version separately: libraryPropertyType of library_types.h.
template <class F>
void properties(int32_t library, F get, int32_t version[3]) {
  for (int property = 0; property < 3; ++property) {
    if (const auto r = get(property, &version[property]); r != 0) {
      fail(ARR_E_DEVICE, "the version of ", name_of(library), ": status ", r);
    }
  }
}

}  // namespace

namespace {

int32_t library_function(int32_t library, const char* name, void** function, BackendError* e) {
  return translate_exceptions(e, [&] {
    refuse_in_child();
    *function = dlsym(opened(library), name);
    if (*function == nullptr) {
      fail(ARR_E_ARGUMENT, "argument name: ", name_of(library), " has no function ", name);
    }
  });
}

int32_t library_version(int32_t library, int32_t version[3], BackendError* e) {
  return translate_exceptions(e, [&] {
    refuse_in_child();
    version[2] = 0;
    int number = 0;
    switch (library) {
      case library::driver:
        driver().cuDriverGetVersion(&number);
        version[0] = number / 1000;
        version[1] = number % 1000 / 10;
        return;
      case library::nvrtc:
        version[0] = nvrtc().major;
        version[1] = nvrtc().minor;
        return;
      case library::nvjitlink:
        version[0] = static_cast<int32_t>(nvjitlink().major);
        version[1] = static_cast<int32_t>(nvjitlink().minor);
        return;
      case library::cublas:
        return properties(library, cublas().cublasGetProperty, version);
      case library::cusolver:
        return properties(library, cusolver().cusolverGetProperty, version);
      case library::cufft:
        return properties(library, cufft().cufftGetProperty, version);
      case library::cusparse:
        return properties(library, cusparse().cusparseGetProperty, version);
      default:
        return properties(library, curand().property, version);
    }
  });
}

int32_t library_toolkit(std::string* path, BackendError* e) {
  return translate_exceptions(e, [&] { *path = toolkit_folder(); });
}

int32_t library_handle(int32_t device, int32_t library, void* stream, void** handle, BackendError* e) {
  return translate_exceptions(e, [&] {
    if (library != library::cublas && library != library::cusolver) {
      fail(ARR_E_UNSUPPORTED, "argument library: ", name_of(library), " has no handles");
    }
    const Call call(device, stream);
    const std::lock_guard lock(call.stream.mutex);
    if (call.stream.capturing.load(std::memory_order_acquire)) {
      fail(ARR_E_UNSUPPORTED,
           "argument stream: its work is being captured, and works with handles of the graph");
    }
    *handle = library == library::cublas ? static_cast<void*>(blas_handle(call.stream))
                                         : static_cast<void*>(solver_handle(call.stream).handle);
  });
}

}  // namespace

const LibraryApi library_api = {
    .function = library_function,
    .version = library_version,
    .toolkit = library_toolkit,
    .handle = library_handle,
};

}  // namespace arr::cuda
