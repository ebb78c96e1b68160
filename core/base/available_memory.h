// SPDX-License-Identifier: MIT
// The memory that a process may have on the host, by the machine, its control group and its resource limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arr {

inline constexpr int64_t no_memory_limit = INT64_MAX;

// The least limit of the memory control groups that a process is in and of those around them. membership: the
// text of /proc/self/cgroup; root: where the file systems of version 1 and 2 are, /sys/fs/cgroup.
int64_t cgroup_memory_limit(std::string_view membership, const std::string& root);

// The machine's memory or the control group's limit, whichever is less; read once.
int64_t physical_memory();

// The bytes that arrays of the host may take in all, with the `ours` that they have now. Memory that the rest
// of the process or other processes use is not available.
int64_t available_memory(int64_t ours) noexcept;

}  // namespace arr
