// SPDX-License-Identifier: MIT
// How much memory of the host a process may have: the machine's, its control group's, its resource limits'.
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

// Bytes that arrays of the host may take in all, with the `ours` that they have now: what the rest of the
// process uses and what others of the machine have taken is not among them.
int64_t available_memory(int64_t ours) noexcept;

}  // namespace arr
