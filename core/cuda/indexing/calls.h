// SPDX-License-Identifier: MIT
// Work of the CUDA backend: reading and combining at computed indices. A function enqueues in the stream of
// its call.
#pragma once

namespace arr {

struct MaskedScatterCall;
struct PackMaskCall;
struct ScatterCall;
struct CompactCall;

namespace cuda {

class Device;
struct Stream;

void masked_scatter(Device& d, const MaskedScatterCall& c, Stream& s);
void pack_mask(Device& d, const PackMaskCall& c, Stream& s);
void scatter(Device& d, const ScatterCall& c, Stream& s);
void compact(Device& d, const CompactCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
