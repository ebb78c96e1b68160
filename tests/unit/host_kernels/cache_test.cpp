// SPDX-License-Identifier: MIT
// Compiling by way of the cache on disk.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "cache_directory.h"
#include "support.h"

namespace arr::host_kernels::test {
namespace {

namespace fs = std::filesystem;

class CompileCacheTest : public arr::test::CacheDirectory {
 protected:
  [[nodiscard]] fs::path folder() const { return CacheDirectory::folder("host-kernels"); }
};

// compile(): the first time with the compiler, then from memory, in another process from disk.
TEST_F(CompileCacheTest, CompileUsesIt) {
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

TEST_F(CompileCacheTest, DamagedEntryIsCompiledAgain) {
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

TEST_F(CompileCacheTest, UntrustedDirectoryStillCompilesAndSaysSo) {
  fs::create_directories(folder());
  ASSERT_EQ(chmod((root_ / "cache").c_str(), 0777), 0);
  const std::string source = "__global__ void k(int* o) { *o = 5; }\n// untrusted " + root_.string();
  const auto image = compile(source, {});
  EXPECT_NE(log(*image).find("warning: kernels are not kept: cache directory"), std::string::npos)
      << log(*image);
  int value = 0;
  run(kernel(image, "k"), 1, 1, &value);
  EXPECT_EQ(value, 5);
}

TEST_F(CompileCacheTest, SixteenThreadsCompileOnce) {
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
