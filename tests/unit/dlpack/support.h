// SPDX-License-Identifier: MIT
// Exported tensors as tests hold them, and foreign tensors with sensible fields to start from.
#pragma once

#include <vector>

#include "arr/dlpack.h"
#include "foreign.h"
#include "support/handle.h"

namespace arr_test {

// A tensor that libarr exported; deleted once, at the latest at the end.
class Exported {
 public:
  Exported() = default;
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;
  ~Exported() { reset(); }
  arr_status take(arr_array a, bool as_versioned, int32_t flags = 0, int64_t stream = -1) {
    versioned = as_versioned;
    arr_status s = 0;
    if (versioned) {
      s = arr_to_dlpack(a, stream, flags, reinterpret_cast<DLManagedTensorVersioned**>(&tensor));
    } else {
      s = arr_to_dlpack_legacy(a, stream, flags, reinterpret_cast<DLManagedTensor**>(&tensor));
    }
    if (s == ARR_OK) foreign_read(tensor, versioned, &fields);
    return s;
  }
  void reset() {
    if (tensor != nullptr) foreign_delete(std::exchange(tensor, nullptr), versioned);
  }
  [[nodiscard]] Ints shape() const { return {fields.shape, fields.shape + fields.ndim}; }
  [[nodiscard]] Ints strides() const { return {fields.strides, fields.strides + fields.ndim}; }
  template <class T>
  [[nodiscard]] T& at(const Ints& index) const {
    auto* first = reinterpret_cast<T*>(static_cast<char*>(fields.data) + fields.byte_offset);
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i) offset += index[i] * fields.strides[i];
    return first[offset];
  }

  void* tensor = nullptr;
  bool versioned = true;
  foreign_fields fields{};
};

// A float64 tensor over six numbers, row-major (2,3), to be changed by a test.
struct Tensor {
  double values[6] = {0, 1, 2, 3, 4, 5};
  Ints shape{2, 3}, strides{3, 1};
  foreign_fields fields{1, 1, 0, 0, values, 1, 0, 2, 2, 64, 1, shape.data(), strides.data(), 0};
  foreign_owner owner{};

  Tensor() = default;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  void set(const Ints& new_shape, const Ints& new_strides) {
    shape = new_shape;
    strides = new_strides;
    fields.ndim = static_cast<int32_t>(shape.size());
    fields.shape = shape.data();
    fields.strides = strides.data();
  }
};

inline arr_status import(void* tensor, bool versioned, Handle* out, int32_t legacy_flags = 0) {
  if (versioned) return arr_from_dlpack(static_cast<DLManagedTensorVersioned*>(tensor), -1, out->out());
  return arr_from_dlpack_legacy(static_cast<DLManagedTensor*>(tensor), -1, legacy_flags, out->out());
}

// Returns whether the array refuses writes.
inline arr_status try_write(arr_array a) {
  arr_value v{};
  arr_value_i32(&v, 1);
  return arr_fill(a, &v, nullptr);
}

}  // namespace arr_test
