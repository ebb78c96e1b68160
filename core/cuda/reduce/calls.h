// SPDX-License-Identifier: MIT
// Work of the CUDA backend: reductions, scans, segments and row pipelines. A function enqueues in the stream
// of its call.
#pragma once

#include <string>

namespace arr {

struct BlocksCall;
struct ReduceCall;
struct ScanCall;
struct SegmentsCall;

namespace cuda {

class Device;
struct Stream;

void reduce(Device& d, const ReduceCall& c, Stream& s);
void scan(Device& d, const ScanCall& c, Stream& s);
void segments(Device& d, const SegmentsCall& c, Stream& s);
void blocks(Device& d, const BlocksCall& c, Stream& s);

// The kernels that reduce() and scan() would launch, without the functions that all kernels share.
std::string reduction_text(const ReduceCall& c);
std::string scan_text(const ScanCall& c);

}  // namespace cuda

}  // namespace arr
