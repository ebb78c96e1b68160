// SPDX-License-Identifier: MIT
// The host memory that a process may use, by the machine, its control groups and its resource limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arr {

inline constexpr int64_t no_memory_limit = INT64_MAX;

// The lowest limit of the memory control groups that a process is in, including enclosing ones. membership:
// the text of /proc/self/cgroup; root: where the file systems of version 1 and 2 are mounted, /sys/fs/cgroup.
int64_t cgroup_memory_limit(std::string_view membership, const std::string& root);

// The machine's memory or the control group's limit, whichever is less; read once.
int64_t physical_memory();

// The total number of bytes that host arrays may use; `ours`: the bytes that they use now. Memory in other
// use by the process or by other processes is not available.
int64_t available_memory(int64_t ours) noexcept;

}  // namespace arr
