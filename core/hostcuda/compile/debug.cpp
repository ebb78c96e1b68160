// SPDX-License-Identifier: MIT
#include "hostcuda/compile/debug.h"

#include <sys/stat.h>

#include <mutex>
#include <vector>

#include "base/disk_cache.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/fork.h"
#include "hostcuda/source/source.h"

namespace arr::host_kernels {

bool debugging() { return environment_flag("ARR_HOST_DEBUG"); }

std::string keep_source(std::string_view source) {
  constexpr const char* folder = "host-sources";
  if (!DiskCache(folder).reason().empty()) return "";  // which makes the folder
  Sha256 hash;
  hash.add_field(source);
  std::string path = cache_directory() + "/" + folder + "/" + hex(hash.finish()) + "/";
  if (path.find_first_of("\"\\\n") != std::string::npos) return "";  // it will stand in a #line
  mkdir(path.c_str(), 0700);
  try {
    write_file(path + source_file, source);
  } catch (const Error&) {
    return "";
  }
  return path;
}

void keep(std::unique_ptr<PrivateDirectory> directory) {
  using Directories = std::vector<std::unique_ptr<PrivateDirectory>>;
  static auto& mutex = *new ProcessMutex;
  static auto& directories = *new Directories;
  // The directories are removed at exit. Directories of later compilations remain.
  static const std::unique_ptr<Directories, void (*)(Directories*)> end(&directories, [](Directories* all) {
    const std::lock_guard lock(mutex);
    all->clear();
  });
  const std::lock_guard lock(mutex);
  directories.push_back(std::move(directory));
}

}  // namespace arr::host_kernels
