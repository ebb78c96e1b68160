// SPDX-License-Identifier: MIT
// Work of the host: reading and combining at computed indices. Functions are threaded and return when the
// work is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

#include <cstdint>

namespace arr {

struct BackendError;
struct ExpandCall;
struct FaultCall;
struct MarkCall;
struct PickCall;
struct PlacesCall;
struct RepeatCall;
struct ScatterCall;
struct SelectCall;

namespace host {

void expand(const ExpandCall& call);
void mark(const MarkCall& call);
void pick(const PickCall& call);
void places(const PlacesCall& call);
void repeat(const RepeatCall& call);
void scatter(const ScatterCall& call);
void select(const SelectCall& call);

// Entries of the table: words for faults.
int32_t fault_begin(int32_t device, const FaultCall* fault, void* stream, void** word, BackendError* e);
int32_t fault_end(int32_t device, void* word, int32_t enqueued, void* stream, BackendError* e);

}  // namespace host

}  // namespace arr
