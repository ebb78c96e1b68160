// SPDX-License-Identifier: MIT
// The module's part of the low-level seam; low.cpp has the table and memory, host_memory.cpp
// page-locked memory, low_libraries.cpp the vendor's libraries, low_devices.cpp the rest.
#pragma once

#include "backend/low.h"

namespace arr::cuda {

int32_t host_allocate(int32_t device, int64_t bytes, int32_t flags, void** data, BackendError* e);
int32_t host_release(int32_t device, void* data, BackendError* e);
int32_t host_register(int32_t device, void* data, int64_t bytes, int32_t flags, BackendError* e);
int32_t host_unregister(int32_t device, void* data, BackendError* e);
int32_t memory_device(const void* data, int32_t* device, BackendError* e);
int32_t host_pinned(int32_t device, const void* data, int32_t* yes, BackendError* e);
int32_t host_on_device(int32_t device, void* data, void** address, BackendError* e);
int32_t memory_managed(int32_t device, const void* data, int32_t* yes, BackendError* e);
int32_t memory_prefetch(int32_t device, void* data, int64_t bytes, int32_t target, void* stream,
                        BackendError* e);
int32_t memory_advise(int32_t device, void* data, int64_t bytes, int32_t advice, int32_t target,
                      BackendError* e);
int32_t ipc_export(int32_t device, const void* data, IpcHandle* handle, int64_t* offset, BackendError* e);
int32_t ipc_import(int32_t device, const IpcHandle* handle, void** base, int64_t* bytes, BackendError* e);
int32_t ipc_export_event(int32_t device, void* event, IpcHandle* handle, BackendError* e);
int32_t ipc_import_event(int32_t device, const IpcHandle* handle, void** event, BackendError* e);
int32_t ipc_close(int32_t device, void* base, BackendError* e);
int32_t device_properties(int32_t device, DeviceProperties* p, BackendError* e);
int32_t device_attribute(int32_t device, const std::string* name, int64_t* value, BackendError* e);
int32_t device_ids(int32_t device, std::string* pci, std::string* uuid, BackendError* e);
int32_t peer_possible(int32_t device, int32_t peer, int32_t* yes, BackendError* e);
int32_t peer_access(int32_t device, int32_t peer, int32_t enable, BackendError* e);
int32_t copy_from_peer(int32_t device, void* to, int32_t peer, const void* from, int64_t bytes, void* stream,
                       BackendError*);
int32_t device_limit(int32_t device, int32_t limit, int64_t* value, BackendError* e);
int32_t device_set_limit(int32_t device, int32_t limit, int64_t value, BackendError* e);
int32_t profiler(int32_t device, int32_t on, BackendError* e);
int32_t priority_range(int32_t device, int32_t* least, int32_t* greatest, BackendError* e);
int32_t stream_create_priority(int32_t device, int32_t flags, int32_t priority, void** stream,
                               BackendError* e);
int32_t stream_details(int32_t device, void* stream, int32_t* flags, int32_t* priority, int32_t* capturing,
                       BackendError* e);
int32_t capture_begin(int32_t device, void* stream, BackendError* e);
int32_t capture_join(int32_t device, void* stream, void* event, void* origin, BackendError* e);
int32_t capture_end(int32_t device, void* stream, void** graph, BackendError* e);
int32_t graph_update(int32_t device, void* graph, void* stream, void* last, BackendError* e);
int32_t graph_native(int32_t device, void* graph, void** native, void** executable, BackendError* e);
int32_t graph_upload(int32_t device, void* graph, void* stream, BackendError* e);
int32_t graph_launch(int32_t device, void* graph, void* stream, BackendError* e);
int32_t graph_dot(int32_t device, void* graph, const char* path, BackendError* e);
int32_t graph_release(int32_t device, void* graph, void* stream, BackendError* e);
int32_t host_function(int32_t device, void* stream, void (*function)(void*), void* ctx, BackendError* e);
int32_t texels_create(int32_t device, const TexelsFormat* format, void** texels, BackendError* e);
int32_t texels_copy(int32_t device, void* texels, void* dense, int32_t to_texels, void* stream,
                    BackendError* e);
int32_t texels_release(int32_t device, void* texels, void* stream, BackendError* e);
int32_t texture_create(int32_t device, const TextureCall* call, void** texture, uint64_t* object,
                       BackendError* e);
int32_t texture_release(int32_t device, void* texture, void* stream, BackendError* e);
int32_t library_function(int32_t library, const char* name, void** function, BackendError* e);
int32_t library_version(int32_t library, int32_t version[3], BackendError* e);
int32_t library_toolkit(std::string* path, BackendError* e);
int32_t library_handle(int32_t device, int32_t library, void* stream, void** handle, BackendError* e);

}  // namespace arr::cuda
