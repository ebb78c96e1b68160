// SPDX-License-Identifier: MIT
// Work of the host: reading and combining at chosen places. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct ExpandCall;
struct MarkCall;
struct ScatterCall;
struct SelectCall;

namespace host {

void expand(const ExpandCall& call);
void mark(const MarkCall& call);
void scatter(const ScatterCall& call);
void select(const SelectCall& call);

}  // namespace host

}  // namespace arr
