// SPDX-License-Identifier: MIT
#include "base/available_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <new>

namespace arr {

namespace {

// The contents of a small file of the kernel; empty if it cannot be read.
std::string read_small(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char bytes[4096];
  const ssize_t n = read(file, bytes, sizeof bytes);
  close(file);
  return n > 0 ? std::string(bytes, static_cast<size_t>(n)) : std::string();
}

// The number at the start of a text; `otherwise` if there is none, as for "max".
int64_t number(std::string_view text, int64_t otherwise) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : otherwise;
}

// The lowest limit of a control group and of the groups that contain it. In a container, the paths in /proc
// may be those of the machine outside, and only the root is visible.
int64_t min_limit(const std::string& root, std::string path, const char* file) {
  int64_t lowest = no_memory_limit;
  for (;;) {
    while (path.ends_with('/')) path.pop_back();
    lowest = std::min(lowest, number(read_small((root + path + file).c_str()), no_memory_limit));
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return lowest;
    path.resize(slash);
  }
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

// The part of a resource limit that is left for arrays. The process uses `used` bytes of it, of which `ours`
// are arrays.
int64_t left_by(decltype(RLIMIT_AS) resource, int64_t used, int64_t ours) {
  rlimit r{};
  if (getrlimit(resource, &r) != 0 || r.rlim_cur >= static_cast<rlim_t>(no_memory_limit))
    return no_memory_limit;
  return static_cast<int64_t>(r.rlim_cur) - std::max(used - ours, int64_t{0});
}

// The process in bytes: address space, private resident pages, and writable data.
struct Used {
  int64_t space = 0, own = 0, data = 0;
};
Used used_by_process() {
  const std::string text = read_small("/proc/self/statm");
  const int64_t page = sysconf(_SC_PAGESIZE);
  int64_t field[6] = {};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int64_t& f : field) {
    while (at != end && *at == ' ') ++at;
    at = std::from_chars(at, end, f).ptr;
  }
  return {field[0] * page, (field[1] - field[2]) * page, field[5] * page};
}

// The memory of the machine that the kernel can provide without swapping.
int64_t free_of_machine() {
  const std::string text = read_small("/proc/meminfo");
  constexpr std::string_view name = "MemAvailable:";
  const size_t at = text.find(name);
  if (at == std::string::npos) return no_memory_limit;
  const int64_t kib = number(std::string_view(text).substr(at + name.size()), -1);
  return kib < 0 ? no_memory_limit : kib * 1024;
}

}  // namespace

int64_t cgroup_memory_limit(std::string_view membership, const std::string& root) {
  int64_t lowest = no_memory_limit;
  while (!membership.empty()) {
    const size_t end = membership.find('\n');
    const std::string_view line = membership.substr(0, end);
    membership.remove_prefix(end == std::string_view::npos ? membership.size() : end + 1);
    // "number:controllers:path"; version 2 has no controllers.
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    if (controllers.empty()) {
      lowest = std::min(lowest, min_limit(root, path, "/memory.max"));
    } else if (has_word(controllers, "memory")) {
      lowest = std::min(lowest, min_limit(root + "/memory", path, "/memory.limit_in_bytes"));
    }
  }
  return lowest;
}

int64_t physical_memory() {
  static const int64_t bytes =
      std::min(static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE),
               cgroup_memory_limit(read_small("/proc/self/cgroup"), "/sys/fs/cgroup"));
  return bytes;
}

namespace {

int64_t available(int64_t ours) {
  const Used used = used_by_process();
  int64_t available = physical_memory() - std::max(used.own - ours, int64_t{0});
  available = std::min(available, left_by(RLIMIT_AS, used.space, ours));
  available = std::min(available, left_by(RLIMIT_DATA, used.data, ours));
  const int64_t free = free_of_machine();
  if (free != no_memory_limit) available = std::min(available, ours + free);
  return std::max(available, int64_t{0});
}

}  // namespace

int64_t available_memory(int64_t ours) noexcept {
  try {
    return available(ours);
  } catch (const std::bad_alloc&) {  // less time than reading a number takes
    return ours;
  }
}

}  // namespace arr
