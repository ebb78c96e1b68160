// SPDX-License-Identifier: MIT
// Work of the host: reductions, scans, segments and row pipelines. Functions are threaded and return when the
// work is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct BlocksCall;
struct ReduceCall;
struct ScanCall;
struct SegmentsCall;

namespace host {

void reduce(const ReduceCall& call);
bool same_order(const ReduceCall& a, const ReduceCall& b) noexcept;  // see ReduceApi
void scan(const ScanCall& call);
void segments(const SegmentsCall& call);
void blocks(const BlocksCall& call);

}  // namespace host

}  // namespace arr
