// SPDX-License-Identifier: MIT
// The fixture of the tests of the cache on disk: an entry in a directory of the test.
#pragma once

#include <optional>
#include <string>

#include "base/disk_cache.h"
#include "cache_directory.h"

namespace arr::test {

class DiskCacheTest : public CacheDirectory {
 protected:
  static CacheKey key_of(const char* text) { return CacheKey(text); }
  [[nodiscard]] fs::path folder() const { return CacheDirectory::folder("things"); }
  [[nodiscard]] fs::path entry() const { return folder() / DiskCache::entry_name(key_); }
  std::optional<std::string> get() const { return DiskCache("things").get(key_); }
  void put(const std::string& image) const { DiskCache("things").put(key_, image); }

  CacheKey key_ = CacheKey("a key");
};

}  // namespace arr::test
