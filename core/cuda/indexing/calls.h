// SPDX-License-Identifier: MIT
// Work of the CUDA backend: reading and combining at computed indices. A function enqueues in the stream of
// its call.
#pragma once

namespace arr {

struct ExpandCall;
struct MarkCall;
struct ScatterCall;
struct SelectCall;

namespace cuda {

class Device;
struct Stream;

void expand(Device& d, const ExpandCall& c, Stream& s);
void mark(Device& d, const MarkCall& c, Stream& s);
void scatter(Device& d, const ScatterCall& c, Stream& s);
void select(Device& d, const SelectCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
