// SPDX-License-Identifier: MIT
// The text for a block whose threads wait for each other.
#pragma once

#include <string>

#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {

std::string deadlock_text(const arr_host::Worker&);

}  // namespace arr::host_kernels
