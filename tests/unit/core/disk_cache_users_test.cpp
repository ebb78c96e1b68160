// SPDX-License-Identifier: MIT
// The cache on disk among several users: directories of others, a directory for all, programs with more
// rights.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk_cache_test.h"

namespace arr::test {
namespace {

// Several users, which only root can be.
class DiskCacheOfRoot : public DiskCacheTest {
 protected:
  static constexpr uid_t nobody = 65534;
  void SetUp() override {
    DiskCacheTest::SetUp();
    if (geteuid() != 0) GTEST_SKIP() << "only root can make directories of other users";
    fs::permissions(root_, fs::perms::all);
  }
  // Runs a body as another user; true where it gives true.
  template <class Body>
  static bool as_nobody(Body&& body) {
    const pid_t child = fork();
    if (child == 0) _exit(setuid(nobody) == 0 && body() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
  }
};

TEST_F(DiskCacheOfRoot, DirectoryOfAnotherIsNotUsed) {
  put("planted");
  EXPECT_TRUE(as_nobody([&] { return get() == std::nullopt && !DiskCache("things").reason().empty(); }));
  use(root_ / "own");
  EXPECT_TRUE(as_nobody([&] {
    put("image");
    return get() == "image";
  }));
  EXPECT_EQ(get(), std::nullopt);  // nor is that of nobody by root
}

TEST_F(DiskCacheOfRoot, ReadOnlyDirectoryIsRead) {
  use(root_ / "own");
  EXPECT_TRUE(as_nobody([&] {
    put("image");
    return chmod((root_ / "own" / "things").c_str(), 0500) == 0;
  }));
  EXPECT_TRUE(as_nobody([&] {
    DiskCache("things").put(CacheKey("another"), "image");
    return get() == "image" && DiskCache("things").get(CacheKey("another")) == std::nullopt;
  }));
}

TEST_F(DiskCacheOfRoot, SharedDirectoryIsReadAndNeverWritten) {
  use(root_ / "shared");
  put("of the machine");
  const fs::path all = root_ / "shared", inside = all / "things";
  for (const fs::path& path : {all, inside}) ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  ASSERT_EQ(chmod((inside / DiskCache::entry_name(key_)).c_str(), 0644), 0);
  setenv("ARR_CACHE_SHARED", all.c_str(), 1);
  use(root_ / "own");
  EXPECT_TRUE(as_nobody([&] {
    if (get() != "of the machine") return false;
    DiskCache("things").put(CacheKey("another"), "image");
    return true;
  }));
  EXPECT_FALSE(fs::exists(inside / DiskCache::entry_name(CacheKey("another"))));
  ASSERT_EQ(chmod(inside.c_str(), 0775), 0);
  EXPECT_TRUE(as_nobody([&] { return get() == std::nullopt; }));  // others could have written it
  ASSERT_EQ(chmod(inside.c_str(), 0755), 0);
  ASSERT_EQ(chown(all.c_str(), nobody, nobody), 0);
  EXPECT_TRUE(as_nobody([&] { return get() == std::nullopt; }));  // not root's
}

// Run by the next test as a program with more rights than its user.
TEST_F(DiskCacheTest, DISABLED_NothingIsKept) {
  EXPECT_NE(DiskCache("things").reason(), "");
  put("image");
  EXPECT_EQ(get(), std::nullopt);
}

TEST_F(DiskCacheOfRoot, OffInProgramsWithMoreRightsThanTheirUser) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "LeakSanitizer cannot look into a program with more rights";
#endif
  const fs::path program = root_ / "program";
  fs::copy_file("/proc/self/exe", program);
  ASSERT_EQ(chown(program.c_str(), nobody, nobody), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    execl(program.c_str(), "program", "--gtest_also_run_disabled_tests", "--gtest_brief=1",
          "--gtest_filter=DiskCacheTest.DISABLED_NothingIsKept", nullptr);
    _exit(2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace arr::test
