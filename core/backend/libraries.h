// SPDX-License-Identifier: MIT
// The vendor's libraries by the public ARR_LIBRARY_...
#pragma once

#include <cstdint>
#include <string>

#include "backend/error.h"

namespace arr {

// The same numbers as the public ARR_LIBRARY_...
namespace library {
inline constexpr int32_t driver = 0, nvrtc = 1, nvjitlink = 2, cublas = 3, cusolver = 4, cufft = 5,
                         cusparse = 6, curand = 7, count = 8;
}

struct LibraryApi {
  int32_t (*function)(int32_t library, const char* name, void** function, BackendError*);
  int32_t (*version)(int32_t library, int32_t version[3], BackendError*);
  // The folder of the vendor's toolkit; empty if there is none.
  int32_t (*toolkit)(std::string* path, BackendError*);
  // The handle that the stream's own calls use; the caller must not enqueue other work in the stream
  // meanwhile.
  int32_t (*handle)(int32_t device, int32_t library, void* stream, void** handle, BackendError*);
};

}  // namespace arr
