// SPDX-License-Identifier: MIT
// Limits of memory control groups, and when the growth of a pool is worth a collection.
#include "base/available_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/pressure.h"

namespace arr::test {
namespace {

namespace fs = std::filesystem;

constexpr int64_t mib = int64_t{1} << 20, gib = int64_t{1} << 30;

class Groups : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/arr-groups-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    root_ = path;
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  [[nodiscard]] int64_t limit(std::string_view membership) const {
    return cgroup_memory_limit(membership, root_.string());
  }
  fs::path root_;
};

TEST_F(Groups, TheLeastLimitOfVersion2CountsFromTheGroupToTheRoot) {
  write("a/memory.max", "4294967296\n");
  write("a/b/memory.max", "max\n");
  EXPECT_EQ(limit("0::/a/b\n"), 4 * gib);
  EXPECT_EQ(limit("0::/a\n"), 4 * gib);
  EXPECT_EQ(limit("0::/\n"), no_memory_limit);
  write("a/b/memory.max", "1048576\n");
  EXPECT_EQ(limit("0::/a/b\n"), mib);
  // In a container the path may be one outside of it.
  write("memory.max", "2147483648\n");
  EXPECT_EQ(limit("0::/system.slice/not-here\n"), 2 * gib);
  EXPECT_EQ(limit("0::/a/b\n"), mib);
}

TEST_F(Groups, Version1HasAFolderForTheController) {
  write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("memory/docker/one/memory.limit_in_bytes", "536870912\n");
  const char* const both = "9:name=systemd:/\n4:cpu,memory:/docker/one\n1:memoryless:/\n0::/\n";
  EXPECT_EQ(limit(both), 512 * mib);
  EXPECT_GT(limit("4:memory:/other\n"), int64_t{1} << 60);
  EXPECT_EQ(limit("4:cpu:/docker/one\n"), no_memory_limit);
}

TEST_F(Groups, TextThatSaysNothingIsNoLimit) {
  write("memory.max", "");
  for (const char* text : {"", "\n", "nonsense", "0:", "0::", "0::\n\n", "a:b:c:d\n"}) {
    EXPECT_EQ(limit(text), no_memory_limit) << text;
  }
}

TEST(AvailableMemory, IsSomeOfTheMachines) {
  const int64_t all = physical_memory(), available = available_memory(0);
  EXPECT_GT(available, 0);
  EXPECT_LE(available, all);
}

struct Step {
  int64_t in_use, available, step;
};

TEST(Pressure, StepsAreHalfOfWhatIsInUseWithinTheMachines) {
  const Step table[] = {
      {0, 64 * gib, 256 * mib},
      {400 * mib, 64 * gib, 256 * mib},
      {2 * gib, 64 * gib, gib},
      {20 * gib, 64 * gib, 8 * gib},
      {60 * gib, 64 * gib, 2 * gib},
      {64 * gib, 64 * gib, gib},
      {80 * gib, 64 * gib, gib},
      {0, gib, 128 * mib},
      {900 * mib, gib, 62 * mib},
      {0, 128 * mib, 16 * mib},
      {127 * mib, 128 * mib, 2 * mib},
      {0, 0, mib},
      {5 * gib, 0, mib},
      {0, INT64_MAX / 2, 256 * mib},
  };
  for (const Step& s : table) {
    EXPECT_EQ(PressureMark::step(s.in_use, s.available), s.step) << s.in_use << " of " << s.available;
  }
}

TEST(Pressure, IsReachedAStepAboveTheLeastThatWasInUse) {
  PressureMark mark;
  mark.start(0, 64 * gib);
  EXPECT_FALSE(mark.reached(255 * mib));
  EXPECT_TRUE(mark.reached(256 * mib));
  mark.start(256 * mib, 64 * gib);  // nothing is collected: what is there counts as live
  EXPECT_FALSE(mark.reached(511 * mib));
  EXPECT_TRUE(mark.reached(512 * mib));
  mark.on_release(400 * mib);
  EXPECT_TRUE(mark.reached(512 * mib));
  mark.on_release(100 * mib);  // a collection
  EXPECT_FALSE(mark.reached(355 * mib));
  EXPECT_TRUE(mark.reached(356 * mib));
  mark.on_release(300 * mib);
  EXPECT_TRUE(mark.reached(356 * mib));
}

}  // namespace
}  // namespace arr::test
