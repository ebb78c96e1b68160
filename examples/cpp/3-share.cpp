// SPDX-License-Identifier: MIT
// 3-share: a C++ library that makes an array and exports it by DLPack; examples/c/3-share.py passes it to
// NumPy.
#include <arr/arr.hpp>
#include <cstdint>

namespace {
arr::array shared;
}

extern "C" {

// Makes the array 0, 1, ..., n - 1 and returns a DLPack tensor that shares its memory.
struct DLManagedTensorVersioned* share_make(int64_t n) {
  shared = arr::arange(0, n, 1, ARR_FLOAT64);
  struct DLManagedTensorVersioned* tensor = nullptr;
  arr::check(arr_to_dlpack(shared.get(), -1, 0, &tensor));
  return tensor;
}

// The address of the first element.
void* share_data() { return shared.elements<double>().data(); }

// The sum of the elements as they are now.
double share_sum() { return arr::sum(shared).item<double>(); }

// Ends this library's share of the array; NumPy may still hold the memory.
void share_release() { shared = {}; }

}  // extern "C"
