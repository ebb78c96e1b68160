// SPDX-License-Identifier: MIT
// Arguments of functions that draw random numbers.
#pragma once

#include <optional>

#include "capi/src/entry.h"
#include "ops/random/random.h"

namespace arr::capi {
template <>
struct KindOf<arr::Generator> {
  static constexpr Kind kind = Kind::generator;
};
}  // namespace arr::capi

namespace arr::capi {

// A generator, kept alive during a call; NULL selects the process's generator.
class Used {
 public:
  explicit Used(arr_generator g)
      : given_(g != nullptr ? lookup<Generator>(g, "generator") : arr::Pinned<Generator>(0, nullptr)) {}
  Generator& operator*() const { return given_.get() != nullptr ? *given_ : arr::default_generator(); }
  Generator* operator->() const { return &**this; }

 private:
  arr::Pinned<Generator> given_;
};

// The dtype, shape and device of a call's result.
inline arr::RandomShape shape_of(arr_dtype dtype, int32_t ndim, const int64_t* shape,
                                 const arr_device* device) {
  arr::RandomShape s;
  s.dtype = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
  s.ndim = ndim;
  s.shape = shape;
  if (ndim != -1) shape_argument(ndim, shape);
  if (device != nullptr) s.device = arr::device_from(device);
  return s;
}

// The shape argument of a call; empty for ndim -1.
inline std::optional<arr::Shape> optional_shape(int32_t ndim, const int64_t* shape) {
  if (ndim == -1) return {};
  return shape_argument(ndim, shape);
}

}  // namespace arr::capi
