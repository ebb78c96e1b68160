// SPDX-License-Identifier: MIT
// The cache on disk: hits, damage, and places that must not be trusted.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "host/kernels/cache.h"
#include "host/kernels/sha256.h"
#include "support.h"

namespace arr::host_kernels::test {
namespace {

namespace fs = std::filesystem;

TEST(Sha256, StandardVectors) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  Sha256 a, b;
  a.add_field("ab"), a.add_field("c");
  b.add_field("a"), b.add_field("bc");
  EXPECT_NE(hex(a.finish()), hex(b.finish()));
}

// A cache directory of this test alone.
class DiskCacheTest : public testing::Test {
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
    fs::permissions(root_, fs::perms::owner_all);
    fs::remove_all(root_);
  }
  static void use(const fs::path& path) { setenv("ARR_CACHE_DIR", path.c_str(), 1); }
  [[nodiscard]] fs::path folder() const { return root_ / "cache" / "host-kernels"; }
  [[nodiscard]] fs::path entry() const { return folder() / (hex(key_) + ".image"); }
  std::optional<std::string> get() const { return DiskCache().get(key_); }
  void put(const std::string& image) const { DiskCache().put(key_, image); }

  fs::path root_;
  std::string before_;
  Digest key_ = sha256("a key");
};

TEST_F(DiskCacheTest, WhatWasPutIsGot) {
  EXPECT_EQ(get(), std::nullopt);
  put("image");
  EXPECT_EQ(get(), "image");
  EXPECT_EQ(DiskCache().get(sha256("another key")), std::nullopt);
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
  const Digest other = sha256("another key");
  fs::rename(entry(), folder() / (hex(other) + ".image"));
  EXPECT_EQ(DiskCache().get(other), std::nullopt);
}

TEST_F(DiskCacheTest, DirectoryWritableByOthersIsNotUsed) {
  put("image");
  for (const fs::path& path : {root_ / "cache", folder()})
    for (mode_t mode : {0777u, 0770u, 0702u}) {
      ASSERT_EQ(chmod(path.c_str(), mode), 0);
      EXPECT_EQ(get(), std::nullopt);
      EXPECT_NE(DiskCache().reason().find("owned or writable by others"), std::string::npos);
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
  EXPECT_NE(DiskCache().reason().find("a symbolic link or no directory"), std::string::npos);
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
  EXPECT_NE(DiskCache().reason().find("not an absolute path"), std::string::npos);
  use("/proc/no-such-place");
  EXPECT_NE(DiskCache().reason(), "");
  put("image");
  EXPECT_EQ(get(), std::nullopt);
  std::ofstream(root_ / "file") << "x";
  use(root_ / "file");
  EXPECT_NE(DiskCache().reason().find("a symbolic link or no directory"), std::string::npos);
}

TEST_F(DiskCacheTest, DirectoryRemovedWhileInUse) {
  const DiskCache cache;
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

// compile(): the first time with the compiler, then from memory, in another process from disk.
TEST_F(DiskCacheTest, CompileUsesIt) {
  const std::string source = "__global__ void k(int* o) { *o = 123; }\n// " + root_.string() + "\n";
  const uint64_t compiled = counters().compiled;
  const auto first = compile(source, {});
  EXPECT_EQ(counters().compiled, compiled + 1);
  EXPECT_EQ(compile(source, {}), first);
  EXPECT_EQ(counters().compiled, compiled + 1);
  compile(source + " ", {});  // any change of the text is another image
  EXPECT_EQ(counters().compiled, compiled + 2);
  compile(source, {{"-DX"}, {}});
  EXPECT_EQ(counters().compiled, compiled + 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 3);
}

TEST_F(DiskCacheTest, DamagedEntryIsCompiledAgain) {
  const std::string source =
      "__device__ int state;\n__global__ void k(int* o) { *o = 321; }\n// " + root_.string();
  const pid_t child = fork();  // so that this process' memory does not know it
  ASSERT_GE(child, 0);
  if (child == 0) {
    compile(source, {});
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  const fs::path file = fs::directory_iterator(folder())->path();
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).seekp(2000) << "damage";
  const uint64_t compiled = counters().compiled, hits = counters().disk_hits;
  int value = 0;
  run(kernel(compile(source, {}), "k"), 1, 1, &value);
  EXPECT_EQ(value, 321);
  EXPECT_EQ(counters().compiled, compiled + 1);
  EXPECT_EQ(counters().disk_hits, hits);
}

TEST_F(DiskCacheTest, UntrustedDirectoryStillCompilesAndSaysSo) {
  put("x");
  ASSERT_EQ(chmod((root_ / "cache").c_str(), 0777), 0);
  const std::string source = "__global__ void k(int* o) { *o = 5; }\n// untrusted " + root_.string();
  const auto image = compile(source, {});
  EXPECT_NE(log(*image).find("warning: kernels are not kept: cache directory"), std::string::npos)
      << log(*image);
  int value = 0;
  run(kernel(image, "k"), 1, 1, &value);
  EXPECT_EQ(value, 5);
}

TEST_F(DiskCacheTest, SixteenThreadsCompileOnce) {
  const std::string source = "__global__ void k(int* o) { *o = 6; }\n// once " + root_.string();
  const uint64_t compiled = counters().compiled;
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Image>> images(16);
  for (size_t t = 0; t < 16; t++) threads.emplace_back([&, t] { images[t] = compile(source, {}); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters().compiled, compiled + 1);
  for (const auto& image : images) EXPECT_EQ(image, images[0]);
}

}  // namespace
}  // namespace arr::host_kernels::test
