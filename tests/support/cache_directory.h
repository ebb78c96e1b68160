// SPDX-License-Identifier: MIT
// A cache directory for each test alone.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace arr::test {

namespace fs = std::filesystem;

class CacheDirectory : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/arr-cache-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    root_ = path;
    before_ = getenv("ARR_CACHE_DIR") != nullptr ? getenv("ARR_CACHE_DIR") : "";
    use(root_ / "cache");
  }
  void TearDown() override {
    before_.empty() ? unsetenv("ARR_CACHE_DIR") : setenv("ARR_CACHE_DIR", before_.c_str(), 1);
    for (const char* name : {"ARR_CACHE_BYTES", "ARR_CACHE_SHARED"}) unsetenv(name);
    fs::permissions(root_, fs::perms::owner_all);
    fs::remove_all(root_);
  }
  static void use(const fs::path& path) { setenv("ARR_CACHE_DIR", path.c_str(), 1); }
  [[nodiscard]] fs::path folder(const char* name) const { return root_ / "cache" / name; }

  fs::path root_;
  std::string before_;
};

}  // namespace arr::test
