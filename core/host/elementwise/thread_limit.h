// SPDX-License-Identifier: MIT
// Applies the limit of threads to oneTBB.
#pragma once

namespace arr::host {

// Applies the limit of base/thread_limit.h to loops from now on.
void follow_thread_limit();

}  // namespace arr::host
