// SPDX-License-Identifier: MIT
// ARR_HOST_DEBUG=1: what gdb and valgrind need of a kernel.
#include <dlfcn.h>

#include "hostcuda/compile/debug.h"
#include "hostcuda/compile/process.h"
#include "support.h"

namespace arr::host_kernels::test {
namespace {

class HostKernelDebug : public testing::Test {
 protected:
  void SetUp() override { setenv("ARR_HOST_DEBUG", "1", 1); }
  void TearDown() override { unsetenv("ARR_HOST_DEBUG"); }
};

constexpr const char* source = R"(extern "C" __global__ void k(int* a, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t * n;
  __syncthreads();
  a[t] = s[63 - t];
}
extern "C" __global__ void plain(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i * n;
})";

TEST_F(HostKernelDebug, TextAndImageLieInFiles) {
  const Kernel k = make(source, "k"), plain = make(source, "plain");
  std::vector<int> a(64), b(64);
  run(k, 1, 64, a.data(), 3);
  run(plain, 2, 32, b.data(), 3);
  for (int i = 0; i < 64; i++) EXPECT_EQ(a[static_cast<size_t>(63 - i)], b[static_cast<size_t>(i)]);

  Dl_info info{};
  ASSERT_NE(dladdr(k.entry, &info), 0);
  const std::string reader = find_program("readelf");
  if (reader.empty()) GTEST_SKIP() << "readelf is not installed";
  const PrivateDirectory directory;
  ASSERT_EQ(run_program({reader, "--debug-dump=decodedline", info.dli_fname}, directory.path("lines")), 0);
  const std::string lines = read_file(directory.path("lines"));
  const std::string folder = keep_source(source);
  ASSERT_NE(folder, "");
  EXPECT_NE(lines.find(folder + "kernel.cu"), std::string::npos) << lines;
  EXPECT_NE(lines.find("kernel.cu"), std::string::npos);
  EXPECT_EQ(read_file(folder + "kernel.cu"), source);
}

TEST_F(HostKernelDebug, ErrorsNameTheSourceAsEver) {
  const Caught c =
      catch_error([] { make("extern \"C\" __global__ void k() {\n  nothing_of_this_name();\n}\n", "k"); });
  EXPECT_EQ(c.text.find("kernel.cu:2: "), 0U) << c.text;
  EXPECT_EQ(c.log.find("host-sources"), std::string::npos) << c.log;
  EXPECT_NE(c.log.find(" -g "), std::string::npos) << c.log;
}

TEST_F(HostKernelDebug, WithChecks) {
  Options options;
  options.check = true;
  const Kernel k = make(source, "k", options);
  std::vector<int> a(64);
  int* p = a.data();
  int n = 1;
  void* args[] = {&p, &n};
  const Extent extents[] = {{reinterpret_cast<const char*>(p), 63 * 4}, {}};
  const Size grid = 1, block = 64;
  EXPECT_EQ(
      catch_error([&] { launch(k, grid.v, block.v, 0, args, 2, extents); }).text,
      "kernel 'k': write of 4 bytes at offset 252 of argument args[0], an array of 252 bytes, in line 6, "
      "block (0,0,0), thread (63,0,0)");
}

}  // namespace
}  // namespace arr::host_kernels::test
