// SPDX-License-Identifier: MIT
// The part of the seam that only the low-level interface needs: details of memory, streams and devices. The
// rules are those of backend.h. Apart from it, so that what changes here is compiled where it is used.
#pragma once

#include "backend/backend.h"
#include "backend/texture.h"
#include "base/log.h"
#include "base/origins.h"

namespace arr {

// What a pool has done. A hit was served from memory that it had, a miss made it ask the system.
struct PoolStats {
  int64_t in_use = 0;         // bytes given out
  int64_t reserved = 0;       // bytes had from the system: in use and kept
  int64_t peak = 0;           // most bytes in use so far
  int64_t peak_reserved = 0;  // most bytes had from the system so far
  int64_t limit = 0;          // most bytes in use allowed, 0: none
  int64_t allocations = 0, releases = 0, hits = 0, misses = 0;
  int64_t free_blocks = 0;   // pieces kept for reuse
  int64_t largest_free = 0;  // bytes of the largest of them
};

// Requests of one size class.
struct PoolClass {
  int64_t largest = 0;      // bytes of the largest request
  int64_t allocations = 0;  // so far
  int64_t blocks = 0;       // given out
  int64_t bytes = 0;        // of them
};

enum class CopyKind : int32_t { from_host = 0, to_host = 1, on_device = 2 };

// As the public ARR_PINNED_...
namespace pinned {
inline constexpr int32_t mapped = 1, write_combined = 2, read_only = 4;
}

// Limits of a device, as the public ARR_LIMIT_...; the numbers are the driver's CU_LIMIT_...
namespace limit {
inline constexpr int32_t stack_bytes = 0, printf_bytes = 1, heap_bytes = 2, sync_depth = 3,
                         pending_launches = 4, l2_fetch_bytes = 5, persisting_l2_bytes = 6, count = 7;
}

// What a device is; -1 where it has no such thing.
struct DeviceProperties {
  int64_t compute_major = -1, compute_minor = -1;  // CUDA's compute capability
  int64_t multiprocessors = -1;                    // of the host: its processors
  int64_t warp_size = -1, threads_per_block = -1, threads_per_multiprocessor = -1;
  int64_t shared_bytes_per_block = -1, shared_bytes_per_block_optin = -1, registers_per_block = -1;
  int64_t clock_khz = -1, memory_clock_khz = -1, memory_bus_bits = -1, l2_bytes = -1;
  int64_t memory_bytes = -1;
  int64_t integrated = -1, managed_memory = -1, memory_pools = -1, cooperative_launch = -1;
};

// What the driver of another process opens memory or an event by.
struct IpcHandle {
  char bytes[64] = {};
};

// What the end of a capture says where its origin is not behind all of the work.
inline constexpr const char* unjoined_capture =
    "argument stream: has not waited for all the work of a stream that joined its capture; record an event "
    "behind that work and let this stream wait for it";

struct CacheStore;  // base/disk_cache.h

struct LowLevel {
  int64_t struct_size;

  // Where the module's lines go, told before anything else; nullptr where the backend is linked in.
  void (*log_to)(const LogSink* sink);
  // Where compiled kernels are kept besides; the same.
  void (*cache_to)(const CacheStore* store);
  // Where pools raise the pressure (base/pressure.h); the same.
  void (*pressure_to)(std::atomic<int32_t>* pressure);

  // The pool. Classes with no allocations so far are left out; *count tells all, also beyond the capacity.
  int32_t (*pool_stats)(int32_t device, PoolStats* stats, BackendError*);
  int32_t (*pool_classes)(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count,
                          BackendError*);
  int32_t (*pool_reset_peak)(int32_t device, BackendError*);

  // Where new blocks come from; functions: of AllocatorKind::external only. ARR_E_UNSUPPORTED where the
  // device has no such allocation. Blocks that are out go back to where they came from.
  int32_t (*allocator_set)(int32_t device, AllocatorKind kind, const ExternalFunctions* functions,
                           BackendError*);
  int32_t (*allocator_get)(int32_t device, AllocatorKind* kind, BackendError*);

  // Bytes between addresses, in stream order; does not wait. Host memory must stay until the stream has
  // come by.
  int32_t (*copy_bytes)(int32_t device, void* to, const void* from, int64_t bytes, CopyKind kind,
                        void* stream, BackendError*);
  // Bytes from another device of the type, in the order of the stream, which is of `device`; does not wait,
  // and does not go through memory of the host where the two reach each other. nullptr where there is one
  // device.
  int32_t (*copy_from_peer)(int32_t device, void* to, int32_t peer, const void* from, int64_t bytes,
                            void* stream, BackendError*);
  int32_t (*set_bytes)(int32_t device, void* to, uint8_t value, int64_t bytes, void* stream, BackendError*);

  // Page-locked memory of the host, which every device of the type can use. flags: of pinned::, for what
  // is registered no write_combined, for new memory no read_only. ARR_E_MEMORY where no more can be locked.
  int32_t (*host_allocate)(int32_t device, int64_t bytes, int32_t flags, void** data, BackendError*);
  int32_t (*host_release)(int32_t device, void* data, BackendError*);
  int32_t (*host_register)(int32_t device, void* data, int64_t bytes, int32_t flags, BackendError*);
  int32_t (*host_unregister)(int32_t device, void* data, BackendError*);
  int32_t (*host_pinned)(int32_t device, const void* data, int32_t* yes, BackendError*);
  int32_t (*host_on_device)(int32_t device, void* data, void** address, BackendError*);

  // Which device of the type the memory at an address is of, by the driver's word; -1: of none.
  int32_t (*memory_device)(const void* data, int32_t* device, BackendError*);

  // Managed memory; bytes from `data` on. target: a device of the type, or -1 for the host; advice: as the
  // public ARR_ADVISE_... ARR_E_ARGUMENT where the memory is not managed.
  int32_t (*memory_managed)(int32_t device, const void* data, int32_t* yes, BackendError*);
  int32_t (*memory_prefetch)(int32_t device, void* data, int64_t bytes, int32_t target, void* stream,
                             BackendError*);
  int32_t (*memory_advise)(int32_t device, void* data, int64_t bytes, int32_t advice, int32_t target,
                           BackendError*);

  // Memory that processes share. offset: of `data` in what the handle opens. import: where it lies here and
  // how much there is from there on, until close.
  int32_t (*ipc_export)(int32_t device, const void* data, IpcHandle* handle, int64_t* offset, BackendError*);
  int32_t (*ipc_import)(int32_t device, const IpcHandle* handle, void** base, int64_t* bytes, BackendError*);
  int32_t (*ipc_close)(int32_t device, void* base, BackendError*);
  // Likewise events; an imported one ends by event_destroy.
  int32_t (*ipc_export_event)(int32_t device, void* event, IpcHandle* handle, BackendError*);
  int32_t (*ipc_import_event)(int32_t device, const IpcHandle* handle, void** event, BackendError*);

  // Devices. attribute: by the driver's name; ids: nothing where there is none.
  int32_t (*device_properties)(int32_t device, DeviceProperties* properties, BackendError*);
  int32_t (*device_attribute)(int32_t device, const std::string* name, int64_t* value, BackendError*);
  int32_t (*device_ids)(int32_t device, std::string* pci, std::string* uuid, BackendError*);
  int32_t (*peer_possible)(int32_t device, int32_t peer, int32_t* yes, BackendError*);
  int32_t (*peer_access)(int32_t device, int32_t peer, int32_t enable, BackendError*);

  // Of limit::, value 0 or more. ARR_E_UNSUPPORTED where the device has no such limit.
  int32_t (*device_limit)(int32_t device, int32_t limit, int64_t* value, BackendError*);
  int32_t (*device_set_limit)(int32_t device, int32_t limit, int64_t value, BackendError*);

  // Tells a profiler that watches the process where to begin (1) and to end (0).
  int32_t (*profiler)(int32_t device, int32_t on, BackendError*);

  // Streams. A lower number is a higher priority. The function runs behind the stream's work so far, and what
  // comes later behind it; it may call nothing of the library.
  int32_t (*priority_range)(int32_t device, int32_t* least, int32_t* greatest, BackendError*);
  int32_t (*stream_create_priority)(int32_t device, int32_t flags, int32_t priority, void** stream,
                                    BackendError*);
  int32_t (*stream_details)(int32_t device, void* stream, int32_t* flags, int32_t* priority,
                            int32_t* capturing, BackendError*);
  // Graphs. From begin to end work in the stream is kept instead of run. What the backend took from the pool
  // for it stays with the graph; the caller sees to arrays. release: `stream` is where it was launched last.
  int32_t (*capture_begin)(int32_t device, void* stream, BackendError*);
  // From now on the work of another stream is kept with that of `origin`, behind an event of the capture. The
  // caller keeps both until the end. Streams of a capture order each other as others do; who is not of it
  // waits by stream_wait_stream for what a stream of it did before.
  int32_t (*capture_join)(int32_t device, void* stream, void* event, void* origin, BackendError*);
  // In the stream where it began, which comes then behind what the others did before the capture.
  // ARR_E_ARGUMENT where it is not behind all of their work in it. On failure the capture has ended.
  int32_t (*capture_end)(int32_t device, void* stream, void** graph, BackendError*);
  // Ends the capture and puts its work in the place of a graph's, which was launched last in `last`; `stream`
  // comes then behind that. On failure the graph is as it was, and the capture has ended.
  int32_t (*graph_update)(int32_t device, void* graph, void* stream, void* last, BackendError*);
  int32_t (*graph_native)(int32_t device, void* graph, void** native, void** executable, BackendError*);
  int32_t (*graph_upload)(int32_t device, void* graph, void* stream, BackendError*);
  int32_t (*graph_launch)(int32_t device, void* graph, void* stream, BackendError*);
  int32_t (*graph_dot)(int32_t device, void* graph, const char* path, BackendError*);
  int32_t (*graph_release)(int32_t device, void* graph, void* stream, BackendError*);
  int32_t (*host_function)(int32_t device, void* stream, void (*function)(void*), void* ctx, BackendError*);

  // Textures. copy: all texels from or to dense memory of the device, row-major. release: after all that was
  // enqueued in `stream` so far. object: what kernels are given.
  int32_t (*texels_create)(int32_t device, const TexelsFormat* format, void** texels, BackendError*);
  int32_t (*texels_copy)(int32_t device, void* texels, void* dense, int32_t to_texels, void* stream,
                         BackendError*);
  int32_t (*texels_release)(int32_t device, void* texels, void* stream, BackendError*);
  int32_t (*texture_create)(int32_t device, const TextureCall* call, void** texture, uint64_t* object,
                            BackendError*);
  int32_t (*texture_release)(int32_t device, void* texture, void* stream, BackendError*);

  // The vendor's libraries by the public ARR_LIBRARY_...; ARR_E_UNSUPPORTED where a device has none.
  int32_t (*library_function)(int32_t library, const char* name, void** function, BackendError*);
  int32_t (*library_version)(int32_t library, int32_t version[3], BackendError*);
  // The folder of the vendor's toolkit; empty where there is none.
  int32_t (*library_toolkit)(std::string* path, BackendError*);
  // What the stream's own calls work with; nobody else enqueues in the stream while it is used.
  int32_t (*library_handle)(int32_t device, int32_t library, void* stream, void** handle, BackendError*);
};

// As the public ARR_LIBRARY_...
namespace library {
inline constexpr int32_t driver = 0, nvrtc = 1, nvjitlink = 2, cublas = 3, cusolver = 4, cufft = 5, count = 6;
}

}  // namespace arr
