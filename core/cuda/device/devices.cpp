// SPDX-License-Identifier: MIT
// Devices: their number, names, properties, limits and peers.
#include "backend/device.h"

#include <atomic>
#include <cctype>
#include <cstdio>

#include "base/log.h"
#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

struct Attribute {
  const char* name;
  CUdevice_attribute number;
};
constexpr Attribute attributes[] = {
#define ARR_CUDA_ATTRIBUTE(name, number) {#name, number},
#include "cuda/device/attributes.def"
#undef ARR_CUDA_ATTRIBUTE
};

void require(CUresult r, const char* function) {
  if (r != CUDA_SUCCESS) fail(status_of(r), function, ": ", error_text(r));
}

CUdevice ordinal(int32_t index) {
  CUdevice d = 0;
  require(driver().cuDeviceGet(&d, Device::get(index).index), "cuDeviceGet");
  return d;
}

// -1 where the driver is too old to know the attribute.
int64_t attribute(CUdevice d, CUdevice_attribute number) {
  int value = -1;
  CUresult r = driver().cuDeviceGetAttribute(&value, number, d);
  if (r == CUDA_ERROR_INVALID_VALUE) return -1;
  require(r, "cuDeviceGetAttribute");
  return value;
}

const Attribute* find_attribute(const std::string& name) {
  for (const Attribute& a : attributes) {
    size_t i = 0;
    while (i < name.size() && a.name[i] == std::toupper(static_cast<unsigned char>(name[i]))) ++i;
    if (i == name.size() && a.name[i] == 0) return &a;
  }
  return nullptr;
}

// The public numbers are the driver's.
static_assert(limit::stack_bytes == CU_LIMIT_STACK_SIZE && limit::printf_bytes == CU_LIMIT_PRINTF_FIFO_SIZE);
static_assert(limit::heap_bytes == CU_LIMIT_MALLOC_HEAP_SIZE &&
              limit::sync_depth == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH);
static_assert(limit::pending_launches == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
static_assert(limit::l2_fetch_bytes == CU_LIMIT_MAX_L2_FETCH_GRANULARITY &&
              limit::persisting_l2_bytes == CU_LIMIT_PERSISTING_L2_CACHE_SIZE);

constexpr const char* limit_names[limit::count] = {
    "bytes of stack of a thread", "bytes of printf's buffer", "bytes of malloc's heap",
    "depth of waits in kernels",  "launches of kernels",      "bytes that the L2 cache fetches",
    "bytes kept in the L2 cache"};

// Refuses the call if the driver lacks the function.
void require_function(bool has, const char* function) {
  if (!has) fail(ARR_E_UNSUPPORTED, function, ": the CUDA driver is too old to have it");
}

// Remembers the pairs of devices for which peer access has been decided, by the user or by the first copy.
// Returns true to the first caller.
bool decide(int32_t device, int32_t peer) noexcept {
  static std::atomic<uint64_t> decided[64];  // one for each device
  const uint64_t bit = uint64_t{1} << peer;
  return (decided[device].fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}

// A copy between devices goes through the host, inside the driver, until one device may access the other's
// memory. If that is refused, the copy is slower but correct.
void reach(const Device& d, CUdevice here, const Device& peer, CUdevice there) {
  if (!decide(d.index, peer.index)) return;
  int can = 0;
  require(driver().cuDeviceCanAccessPeer(&can, here, there), "cuDeviceCanAccessPeer");
  const bool reaches = can != 0 && driver().cuCtxEnablePeerAccess(peer.context, 0) == CUDA_SUCCESS;
  log_line(log_level::info, "copies from cuda:", peer.index, " to cuda:", d.index,
           reaches ? " go straight across" : " go by way of the host");
}

}  // namespace

namespace {

int32_t device_count(int32_t* count, BackendError* error) {
  return translate_exceptions(error, [&] {
    refuse_in_child();
    int n = 0;
    CUresult r = driver().cuDeviceGetCount(&n);
    if (r != CUDA_SUCCESS && r != CUDA_ERROR_NO_DEVICE) {
      fail(status_of(r), "cuDeviceGetCount: ", error_text(r));
    }
    *count = r == CUDA_SUCCESS ? n : 0;
  });
}

int32_t device_name(int32_t device, std::string* name, BackendError* error) {
  return translate_exceptions(error, [&] { *name = Device::get(device).name; });
}

int32_t device_sync(int32_t device, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    call.device.check(driver().cuCtxSynchronize(), "cuCtxSynchronize", &call.stream);
    call.device.collect_deferred_textures(true);
    call.device.collect_deferred_modules();
    call.device.error_flags.report(nullptr, true);
  });
}

int32_t device_properties(int32_t device, DeviceProperties* p, BackendError* e) {
  return translate_exceptions(e, [&] {
    const CUdevice d = ordinal(device);
    const auto get = [&](const char* name) { return attribute(d, find_attribute(name)->number); };
    p->compute_major = get("COMPUTE_CAPABILITY_MAJOR");
    p->compute_minor = get("COMPUTE_CAPABILITY_MINOR");
    p->multiprocessors = get("MULTIPROCESSOR_COUNT");
    p->warp_size = get("WARP_SIZE");
    p->threads_per_block = get("MAX_THREADS_PER_BLOCK");
    p->threads_per_multiprocessor = get("MAX_THREADS_PER_MULTIPROCESSOR");
    p->shared_bytes_per_block = get("MAX_SHARED_MEMORY_PER_BLOCK");
    p->shared_bytes_per_block_optin = get("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN");
    p->registers_per_block = get("MAX_REGISTERS_PER_BLOCK");
    p->clock_khz = get("CLOCK_RATE");
    p->memory_clock_khz = get("MEMORY_CLOCK_RATE");
    p->memory_bus_bits = get("GLOBAL_MEMORY_BUS_WIDTH");
    p->l2_bytes = get("L2_CACHE_SIZE");
    p->integrated = get("INTEGRATED");
    p->managed_memory = get("MANAGED_MEMORY");
    p->memory_pools = get("MEMORY_POOLS_SUPPORTED");
    p->cooperative_launch = get("COOPERATIVE_LAUNCH");
    size_t total = 0;
    require(driver().cuDeviceTotalMem_v2(&total, d), "cuDeviceTotalMem");
    p->memory_bytes = static_cast<int64_t>(total);
  });
}

int32_t device_attribute(int32_t device, const std::string* name, int64_t* value, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Attribute* a = find_attribute(*name);
    if (a == nullptr)
      fail(ARR_E_ARGUMENT, "argument name: \"", *name, "\" is not an attribute of the driver");
    *value = attribute(ordinal(device), a->number);
  });
}

int32_t device_ids(int32_t device, std::string* pci, std::string* uuid, BackendError* e) {
  return translate_exceptions(e, [&] {
    const CUdevice d = ordinal(device);
    char text_id[64] = {};
    require(driver().cuDeviceGetPCIBusId(text_id, sizeof text_id, d), "cuDeviceGetPCIBusId");
    *pci = text_id;
    if (driver().cuDeviceGetUuid_v2 == nullptr) return;
    CUuuid id{};
    require(driver().cuDeviceGetUuid_v2(&id, d), "cuDeviceGetUuid");
    *uuid = "GPU-";
    for (size_t i = 0; i < sizeof id.bytes; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) *uuid += '-';
      char hex[3];
      snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(static_cast<unsigned char>(id.bytes[i])));
      *uuid += hex;
    }
  });
}

int32_t peer_possible(int32_t device, int32_t peer, int32_t* yes, BackendError* e) {
  return translate_exceptions(e, [&] {
    int can = 0;
    if (device != peer) {
      require(driver().cuDeviceCanAccessPeer(&can, ordinal(device), ordinal(peer)), "cuDeviceCanAccessPeer");
    }
    *yes = can;
  });
}

int32_t peer_access(int32_t device, int32_t peer, int32_t enable, BackendError* e) {
  return translate_exceptions(e, [&] {
    if (device == peer) fail(ARR_E_ARGUMENT, "argument peer: is the device itself");
    const Call call(device, nullptr);
    CUcontext other = Device::get(peer).context;
    (void)decide(device, peer);
    CUresult r =
        enable != 0 ? driver().cuCtxEnablePeerAccess(other, 0) : driver().cuCtxDisablePeerAccess(other);
    // Peer access is already as requested.
    if (r == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED || r == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) return;
    call.device.check(r, enable != 0 ? "cuCtxEnablePeerAccess" : "cuCtxDisablePeerAccess");
  });
}

int32_t device_limit(int32_t device, int32_t limit, int64_t* value, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    require_function(driver().cuCtxGetLimit != nullptr, "cuCtxGetLimit");
    size_t got = 0;
    const CUresult r = driver().cuCtxGetLimit(&got, limit);
    if (r == CUDA_ERROR_UNSUPPORTED_LIMIT)
      fail(ARR_E_UNSUPPORTED, "argument limit: the device has none for ", limit_names[limit]);
    call.device.check(r, "cuCtxGetLimit");
    *value = static_cast<int64_t>(got);
  });
}

int32_t device_set_limit(int32_t device, int32_t limit, int64_t value, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    require_function(driver().cuCtxSetLimit != nullptr, "cuCtxSetLimit");
    const CUresult r = driver().cuCtxSetLimit(limit, static_cast<size_t>(value));
    if (r == CUDA_ERROR_UNSUPPORTED_LIMIT)
      fail(ARR_E_UNSUPPORTED, "argument limit: the device has none for ", limit_names[limit]);
    if (r == CUDA_ERROR_INVALID_VALUE) {
      fail(ARR_E_ARGUMENT, "argument value: ", value, " ", limit_names[limit],
           ", which the driver refuses, or no longer changes");
    }
    call.device.check(r, "cuCtxSetLimit");
  });
}

int32_t profiler(int32_t device, int32_t on, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    const char* name = on != 0 ? "cuProfilerStart" : "cuProfilerStop";
    auto* function = on != 0 ? driver().cuProfilerStart : driver().cuProfilerStop;
    require_function(function != nullptr, name);
    call.device.check(function(), name);
  });
}

}  // namespace

int32_t copy_from_peer(int32_t device, void* to, int32_t peer, const void* from, int64_t bytes, void* stream,
                       BackendError* e) {
  return translate_exceptions(e, [&] {
    Device& other = Device::get(peer);
    const Call call(device, stream);
    if (bytes == 0) return;
    reach(call.device, ordinal(device), other, ordinal(peer));
    call.device.check(driver().cuMemcpyPeerAsync(reinterpret_cast<CUdeviceptr>(to), call.device.context,
                                                 reinterpret_cast<CUdeviceptr>(from), other.context,
                                                 static_cast<size_t>(bytes), call.stream.handle),
                      "cuMemcpyPeerAsync", &call.stream);
  });
}

const DeviceApi device_api = {
    .probe = probe,
    .count = device_count,
    .name = device_name,
    .sync = device_sync,
    .properties = device_properties,
    .attribute = device_attribute,
    .ids = device_ids,
    .peer_possible = peer_possible,
    .peer_access = peer_access,
    .limit = device_limit,
    .set_limit = device_set_limit,
    .profiler = profiler,
};

}  // namespace arr::cuda
