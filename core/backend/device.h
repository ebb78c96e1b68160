// SPDX-License-Identifier: MIT
// Devices of a backend: probing, names, properties, limits, peers.
#pragma once

#include <cstdint>
#include <string>

#include "backend/error.h"

namespace arr {

// Limits of a device, as the public ARR_LIMIT_...; the numbers are the driver's CU_LIMIT_...
namespace limit {
inline constexpr int32_t stack_bytes = 0, printf_bytes = 1, heap_bytes = 2, sync_depth = 3,
                         pending_launches = 4, l2_fetch_bytes = 5, persisting_l2_bytes = 6, count = 7;
}

// Properties of a device; -1 for those that it does not have.
struct DeviceProperties {
  int64_t compute_major = -1, compute_minor = -1;  // CUDA's compute capability
  int64_t multiprocessors = -1;                    // for the host: number of processors
  int64_t warp_size = -1, threads_per_block = -1, threads_per_multiprocessor = -1;
  int64_t shared_bytes_per_block = -1, shared_bytes_per_block_optin = -1, registers_per_block = -1;
  int64_t clock_khz = -1, memory_clock_khz = -1, memory_bus_bits = -1, l2_bytes = -1;
  int64_t memory_bytes = -1;
  int64_t integrated = -1, managed_memory = -1, memory_pools = -1, cooperative_launch = -1;
};

struct DeviceApi {
  // Loads the required libraries and reports a line per attempt; returns ARR_OK if the device type works.
  int32_t (*probe)(std::string* report, BackendError*);
  int32_t (*count)(int32_t* count, BackendError*);
  int32_t (*name)(int32_t device, std::string* name, BackendError*);
  int32_t (*sync)(int32_t device, BackendError*);

  // attribute: by the driver's name; ids: empty if there are none.
  int32_t (*properties)(int32_t device, DeviceProperties* properties, BackendError*);
  int32_t (*attribute)(int32_t device, const std::string* name, int64_t* value, BackendError*);
  int32_t (*ids)(int32_t device, std::string* pci, std::string* uuid, BackendError*);
  int32_t (*peer_possible)(int32_t device, int32_t peer, int32_t* yes, BackendError*);
  int32_t (*peer_access)(int32_t device, int32_t peer, int32_t enable, BackendError*);

  // Reads a limit::, value >= 0. ARR_E_UNSUPPORTED if the device has no such limit.
  int32_t (*limit)(int32_t device, int32_t limit, int64_t* value, BackendError*);
  int32_t (*set_limit)(int32_t device, int32_t limit, int64_t value, BackendError*);

  // Starts (1) and stops (0) a profiler that is attached to the process.
  int32_t (*profiler)(int32_t device, int32_t on, BackendError*);
};

}  // namespace arr
