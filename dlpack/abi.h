// SPDX-License-Identifier: MIT
// The binary layout of DLPack tensors (dmlc/dlpack 1.x and the unversioned struct before it), declared anew
// under names of our own so that it meets no other declaration. Plain integers instead of enums: a foreign
// struct may hold any value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arr::dlpack {

inline constexpr int32_t device_cpu = 1, device_cuda = 2, device_cuda_host = 3, device_cuda_managed = 13;
inline constexpr uint64_t flag_read_only = 1, flag_is_copied = 2;
inline constexpr uint32_t version_major = 1;
// The lowest minor version that has everything we write.
inline constexpr uint32_t version_minor = 0;
// From this minor version on only tensors without dimensions may leave out their strides.
inline constexpr uint32_t strides_minor = 2;

struct TensorDevice {
  int32_t type, id;
};

struct TensorType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  TensorDevice device;
  int32_t ndim;
  TensorType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements
  uint64_t byte_offset;
};

// The unversioned struct.
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

struct Version {
  uint32_t major, minor;
};

// Everything up to the flags stays where it is in all versions.
struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  uint64_t flags;
  Tensor tensor;
};

static_assert(sizeof(void*) == 8, "DLPack's offsets below are those of 64-bit systems");
static_assert(sizeof(Tensor) == 48 && alignof(Tensor) == 8);
static_assert(offsetof(Tensor, device) == 8 && offsetof(Tensor, ndim) == 16 && offsetof(Tensor, dtype) == 20);
static_assert(offsetof(Tensor, shape) == 24 && offsetof(Tensor, strides) == 32);
static_assert(offsetof(Tensor, byte_offset) == 40);
static_assert(sizeof(Managed) == 64 && offsetof(Managed, context) == 48 && offsetof(Managed, deleter) == 56);
static_assert(sizeof(ManagedVersioned) == 80 && offsetof(ManagedVersioned, context) == 8);
static_assert(offsetof(ManagedVersioned, deleter) == 16 && offsetof(ManagedVersioned, flags) == 24);
static_assert(offsetof(ManagedVersioned, tensor) == 32);

}  // namespace arr::dlpack
