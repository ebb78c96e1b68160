// SPDX-License-Identifier: MIT
// The limit of threads, carried out by oneTBB.
#pragma once

namespace arr::host {

// Loops keep to the limit of base/thread_limit.h from now on.
void follow_thread_limit();

}  // namespace arr::host
