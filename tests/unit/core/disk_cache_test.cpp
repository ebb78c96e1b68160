// SPDX-License-Identifier: MIT
// The cache on disk: hits, damage, places that must not be trusted, sizes.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "disk_cache_test.h"

namespace arr::test {
namespace {

TEST_F(DiskCacheTest, WhatWasPutIsGot) {
  EXPECT_EQ(get(), std::nullopt);
  put("image");
  EXPECT_EQ(get(), "image");
  EXPECT_EQ(DiskCache("things").get(CacheKey("another key")), std::nullopt);
  put(std::string(100000, 'x'));
  EXPECT_EQ(get()->size(), 100000u);
  size_t files = 0;
  for (const auto& file : fs::directory_iterator(folder())) {
    files++;
    EXPECT_EQ(file.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_EQ(files, 1u);  // no temporary file stays
  EXPECT_EQ(fs::status(folder()).permissions(), fs::perms::owner_all);
}

TEST_F(DiskCacheTest, DamageIsAMissAndIsRemoved) {
  put("the image's bytes");
  std::ifstream in(entry(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto write = [&](const std::string& bytes) { std::ofstream(entry(), std::ios::binary) << bytes; };
  for (size_t n = 0; n < whole.size(); n++) {
    write(whole.substr(0, n));
    EXPECT_EQ(get(), std::nullopt) << "cut to " << n;
    EXPECT_FALSE(fs::exists(entry()));
  }
  for (size_t n = 0; n < whole.size(); n++) {
    std::string flipped = whole;
    flipped[n] = static_cast<char>(flipped[n] ^ 4);
    put("x");  // with the right permissions
    write(flipped);
    EXPECT_EQ(get(), std::nullopt) << "byte " << n;
  }
  put("x");
  write(whole + "more");
  EXPECT_EQ(get(), std::nullopt);
  put("x");
  write(whole);
  EXPECT_EQ(get(), "the image's bytes");
}

TEST_F(DiskCacheTest, EntryOfAnotherNameIsAMiss) {
  put("image");
  const CacheKey other = CacheKey("another key");
  fs::rename(entry(), folder() / DiskCache::entry_name(other));
  EXPECT_EQ(DiskCache("things").get(other), std::nullopt);
}

TEST_F(DiskCacheTest, DirectoryWritableByOthersIsNotUsed) {
  put("image");
  for (const fs::path& path : {root_ / "cache", folder()})
    for (mode_t mode : {0777u, 0770u, 0702u}) {
      ASSERT_EQ(chmod(path.c_str(), mode), 0);
      EXPECT_EQ(get(), std::nullopt);
      EXPECT_NE(DiskCache("things").reason().find("owned or writable by others"), std::string::npos);
      put("planted");
      ASSERT_EQ(chmod(path.c_str(), 0700), 0);
      EXPECT_EQ(get(), "image");
    }
}

TEST_F(DiskCacheTest, SymbolicLinksAreRefused) {
  put("image");
  fs::rename(root_ / "cache", root_ / "real");
  fs::create_directory_symlink(root_ / "real", root_ / "cache");
  EXPECT_EQ(get(), std::nullopt);
  EXPECT_NE(DiskCache("things").reason().find("a symbolic link or no directory"), std::string::npos);
  fs::remove(root_ / "cache");
  fs::create_directory_symlink(root_ / "nowhere", root_ / "cache");
  EXPECT_EQ(get(), std::nullopt);
  fs::remove(root_ / "cache");
  fs::rename(root_ / "real", root_ / "cache");
  fs::rename(folder(), root_ / "real");
  fs::create_directory_symlink(root_ / "real", folder());
  EXPECT_EQ(get(), std::nullopt);
  fs::remove(folder());
  fs::rename(root_ / "real", folder());
  EXPECT_EQ(get(), "image");
  fs::rename(entry(), root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere", entry());
  EXPECT_EQ(get(), std::nullopt);
}

TEST_F(DiskCacheTest, EntriesThatAreNoPlainFileOfOurs) {
  put("image");
  fs::create_hard_link(entry(), root_ / "second");
  EXPECT_EQ(get(), std::nullopt);  // a hard link
  put("image");
  ASSERT_EQ(chmod(entry().c_str(), 0666), 0);
  EXPECT_EQ(get(), std::nullopt);  // writable by others
  ASSERT_EQ(mkfifo(entry().c_str(), 0600), 0);
  EXPECT_EQ(get(), std::nullopt);  // a pipe, which must not be waited for
  fs::create_directory(entry());
  EXPECT_EQ(get(), std::nullopt);
  fs::remove_all(entry());
  put("image");
  EXPECT_EQ(get(), "image");
}

TEST_F(DiskCacheTest, PlacesThatCannotBe) {
  use("relative/path");
  EXPECT_NE(DiskCache("things").reason().find("not an absolute path"), std::string::npos);
  use("/proc/no-such-place");
  EXPECT_NE(DiskCache("things").reason(), "");
  put("image");
  EXPECT_EQ(get(), std::nullopt);
  std::ofstream(root_ / "file") << "x";
  use(root_ / "file");
  EXPECT_NE(DiskCache("things").reason().find("a symbolic link or no directory"), std::string::npos);
}

TEST_F(DiskCacheTest, DirectoryRemovedWhileInUse) {
  const DiskCache cache("things");
  fs::remove_all(root_ / "cache");
  cache.put(key_, "image");
  EXPECT_EQ(cache.get(key_), std::nullopt);
}

TEST_F(DiskCacheTest, NewFilesDoNotDependOnTheMask) {
  const mode_t before = umask(0);
  put("image");
  umask(before);
  EXPECT_EQ(get(), "image");
  EXPECT_EQ(fs::status(folder()).permissions(), fs::perms::owner_all);
}

TEST_F(DiskCacheTest, ManyProcessesWriteAndReadOneEntry) {
  const std::string image(200000, 'i');
  std::vector<pid_t> children;
  for (int c = 0; c < 16; c++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int bad = 0;
      for (int round = 0; round < 50; round++) {
        put(image);
        const auto got = get();
        if (got.has_value() && *got != image) bad = 1;
        if (!got.has_value()) bad = 2;
      }
      _exit(bad);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(get(), image);
}

// Writing fails after every possible number of bytes: a full disk.
TEST_F(DiskCacheTest, WritesThatFailLeaveNothing) {
  put("x");
  fs::remove(entry());
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (rlim_t limit = 0; limit < 150; ++limit) {
    const rlimit less = {limit, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
    put("an image of some bytes");
    setrlimit(RLIMIT_FSIZE, &old);
    if (fs::exists(entry())) break;
    EXPECT_TRUE(fs::is_empty(folder())) << limit;
  }
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(get(), "an image of some bytes");  // at last it fitted, and is whole
}

TEST_F(DiskCacheTest, KilledWhileWriting) {
  const std::string image(1 << 20, 'k');
  for (int round = 0; round < 200; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) put(image);
    }
    usleep(static_cast<useconds_t>(round % 20) * 500);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto got = get();
    ASSERT_TRUE(!got || *got == image) << round;
  }
  put(image);
  EXPECT_EQ(get(), image);
}

TEST_F(DiskCacheTest, LongestUnusedGoFirst) {
  setenv("ARR_CACHE_BYTES", "64K", 1);
  put("the one in use");
  const std::string image(4000, 'i');
  for (int i = 0; i < 60; ++i) {
    DiskCache("things").put(CacheKey(std::to_string(i)), image);
    EXPECT_EQ(get(), "the one in use") << i;
    EXPECT_LE(cache_size("things").bytes, int64_t{66} << 10);
  }
  EXPECT_EQ(DiskCache("things").get(CacheKey("0")), std::nullopt);
  EXPECT_EQ(DiskCache("things").get(CacheKey("59")), image);
  cache_clear("things");
  EXPECT_EQ(cache_size("things").entries, 0);
}

TEST_F(DiskCacheTest, HundredThousandEntries) {
  put("x");
  fs::remove(entry());
  for (int i = 0; i < 100000; ++i) {
    std::ofstream(folder() / (std::to_string(i) + ".image")) << "0123456789";
  }
  setenv("ARR_CACHE_BYTES", "100K", 1);
  put(std::string(2000, 'x'));
  EXPECT_LE(cache_size("things").bytes, 100 << 10);
  EXPECT_EQ(get(), std::string(2000, 'x'));
}

TEST_F(DiskCacheTest, SizesThatKeepNothing) {
  for (const char* limit : {"0", "10"}) {
    setenv("ARR_CACHE_BYTES", limit, 1);
    put("image");
    EXPECT_EQ(get(), std::nullopt);
  }
  EXPECT_EQ(DiskCache("things").reason(), "");
  for (const char* limit : {"many", "50%", "-1"}) {
    setenv("ARR_CACHE_BYTES", limit, 1);
    put("image");
    EXPECT_EQ(get(), std::nullopt);
    EXPECT_NE(DiskCache("things").reason().find("is not a number of bytes"), std::string::npos);
    EXPECT_EQ(cache_size("things").limit, 0);
  }
}

// 64 MiB is the most of one entry, its header and key included: more is not written, and not read where it
// lies there, whole and right.
TEST_F(DiskCacheTest, LargestEntry) {
  constexpr size_t max_bytes = 64 << 20;
  put("");
  std::ifstream in(entry(), std::ios::binary);
  const std::string empty{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto write = [&](const std::string& image) {
    const Digest name = key_.digest();
    Sha256 hash;
    hash.add({reinterpret_cast<const char*>(name.data()), name.size()});
    hash.add(image);
    const Digest digest = hash.finish();
    const uint64_t bytes = image.size();
    std::string whole = empty;
    std::memcpy(&whole[24], &bytes, sizeof bytes);
    std::memcpy(&whole[32], digest.data(), digest.size());
    put("x");  // with the right permissions
    std::ofstream(entry(), std::ios::binary) << whole << image;
  };
  std::string image(max_bytes - empty.size(), 'L');
  write(image);
  EXPECT_TRUE(get() == image);
  fs::remove(entry());
  put(image);
  EXPECT_EQ(fs::file_size(entry()), max_bytes);
  EXPECT_TRUE(get() == image);
  image += 'L';
  put(image);
  EXPECT_EQ(fs::file_size(entry()), max_bytes) << "what was there stays";
  write(image);
  EXPECT_EQ(fs::file_size(entry()), max_bytes + 1);
  EXPECT_TRUE(get() == std::nullopt);
  EXPECT_FALSE(fs::exists(entry()));
}

TEST_F(DiskCacheTest, NoHome) {
  const std::string home = getenv("HOME") != nullptr ? getenv("HOME") : "";
  for (const char* name : {"ARR_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
  EXPECT_NE(DiskCache("things").reason().find("neither ARR_CACHE_DIR nor HOME"), std::string::npos);
  EXPECT_EQ(cache_directory(), "");
  put("image");
  EXPECT_EQ(get(), std::nullopt);
  setenv("HOME", root_.c_str(), 1);
  put("image");
  EXPECT_EQ(get(), "image");
  EXPECT_TRUE(fs::exists(root_ / ".cache" / "arr" / "things"));
  home.empty() ? unsetenv("HOME") : setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace arr::test
