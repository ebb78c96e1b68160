// SPDX-License-Identifier: MIT
// memory.h: allocators.
#include "backend/pool.h"
#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/devices.h"

using namespace arr::capi;
using arr::AllocatorKind;

namespace {

static_assert(static_cast<int32_t>(AllocatorKind::pool) == ARR_ALLOCATOR_POOL &&
              static_cast<int32_t>(AllocatorKind::stream_ordered) == ARR_ALLOCATOR_STREAM_ORDERED &&
              static_cast<int32_t>(AllocatorKind::managed) == ARR_ALLOCATOR_MANAGED &&
              static_cast<int32_t>(AllocatorKind::direct) == ARR_ALLOCATOR_DIRECT &&
              static_cast<int32_t>(AllocatorKind::external) == ARR_ALLOCATOR_EXTERNAL);

void set(const arr_device* device, AllocatorKind kind, const arr::ExternalFunctions* functions) {
  const arr::Device d = arr::device_from(device);
  arr::fuse_flush();  // earlier operations use the earlier allocator
  arr::call(arr::api<arr::PoolApi>(d).set_allocator, d.index, kind, functions);
}

}  // namespace

arr_status arr_memory_set_allocator(const arr_device* device, int32_t kind) {
  return guard("arr_memory_set_allocator", [&] {
    if (kind == ARR_ALLOCATOR_EXTERNAL) {
      arr::fail(ARR_E_ARGUMENT,
                "argument kind: ARR_ALLOCATOR_EXTERNAL needs arr_memory_set_allocator_functions");
    }
    if (kind < ARR_ALLOCATOR_POOL || kind > ARR_ALLOCATOR_EXTERNAL) {
      arr::fail(ARR_E_ARGUMENT, "argument kind: ", kind, ", expected one of ARR_ALLOCATOR_...");
    }
    set(device, static_cast<AllocatorKind>(kind), nullptr);
  });
}

arr_status arr_memory_set_allocator_functions(
    const arr_device* device,
    int32_t (*allocate)(void* ctx, int64_t bytes, int32_t device_index, void* stream, void** data),
    void (*release)(void* ctx, void* data, int64_t bytes, int32_t device_index, void* stream),
    void (*drop)(void* ctx), void* ctx) {
  return guard("arr_memory_set_allocator_functions", [&] {
    if (allocate == nullptr) arr::fail(ARR_E_ARGUMENT, "argument allocate: NULL");
    if (release == nullptr) arr::fail(ARR_E_ARGUMENT, "argument release: NULL");
    const arr::ExternalFunctions functions{allocate, release, drop, ctx};
    set(device, AllocatorKind::external, &functions);
  });
}

arr_status arr_memory_allocator(const arr_device* device, int32_t* kind) {
  return guard("arr_memory_allocator", [&] {
    check_pointer(kind, "kind");
    const arr::Device d = arr::device_from(device);
    AllocatorKind now{};
    arr::call(arr::api<arr::PoolApi>(d).allocator, d.index, &now);
    *kind = static_cast<int32_t>(now);
  });
}
