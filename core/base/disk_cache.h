// SPDX-License-Identifier: MIT
// Compiled images on disk. What is found there is code that will be run, so a directory or file that anyone
// but this user can write is not used.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/kernels/sha256.h"

namespace arr::host_kernels {

class DiskCache {
 public:
  // $ARR_CACHE_DIR, else $XDG_CACHE_HOME/arr, else $HOME/.cache/arr; in it the folder host-kernels. Without a
  // usable one the cache stays empty and `reason` says why.
  DiskCache();
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  [[nodiscard]] std::optional<std::string> get(const Digest& key) const;
  void put(const Digest& key, std::string_view image) const;
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  int directory_ = -1;
  std::string reason_;
};

}  // namespace arr::host_kernels
