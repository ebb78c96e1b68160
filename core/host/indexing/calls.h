// SPDX-License-Identifier: MIT
// Work of the host: reading and combining at computed indices. Functions are threaded and return when the
// work is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

#include <cstdint>

namespace arr {

struct BackendError;
struct MaskedScatterCall;
struct FaultCall;
struct PackMaskCall;
struct SmallCompactCall;
struct TakePutCall;
struct RepeatCall;
struct ScatterCall;
struct CompactCall;

namespace host {

void masked_scatter(const MaskedScatterCall& call);
void pack_mask(const PackMaskCall& call);
void small_compact(const SmallCompactCall& call);
void take_put(const TakePutCall& call);
void repeat(const RepeatCall& call);
void scatter(const ScatterCall& call);
void compact(const CompactCall& call);

// Entries of the table: words for faults.
int32_t fault_begin(int32_t device, const FaultCall* fault, void* stream, void** word, BackendError* e);
int32_t fault_end(int32_t device, void* word, int32_t enqueued, void* stream, BackendError* e);

}  // namespace host

}  // namespace arr
