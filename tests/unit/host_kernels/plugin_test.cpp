// SPDX-License-Identifier: MIT
// Handling of kernels with which the compiler crashes in the pass.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

class Plugin : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* set = std::getenv("ARR_HOST_FISSION")) before_ = set;
    setenv("ARR_HOST_FISSION", ARR_BROKEN_PLUGIN, 1);
  }
  void TearDown() override {
    if (before_.empty()) {
      unsetenv("ARR_HOST_FISSION");
    } else {
      setenv("ARR_HOST_FISSION", before_.c_str(), 1);
    }
  }

 private:
  std::string before_;
};

TEST_F(Plugin, KernelsRunOnFibersWhereTheCompilerDies) {
  const std::string source =
      "extern \"C\" __global__ void k(int* out) {\n  __shared__ int s[64];\n  s[threadIdx.x] = threadIdx.x;\n"
      "  __syncthreads();\n  out[threadIdx.x] = s[63 - threadIdx.x];\n}\n";
  const Kernel k = make(source, "k");
  int out[64] = {};
  run(k, 1, 64, static_cast<int*>(out));
  for (int i = 0; i < 64; i++) EXPECT_EQ(out[i], 63 - i);
  EXPECT_TRUE(k.on_fibers);
  EXPECT_NE(log(*k.image).find("note: the compiler died with " ARR_BROKEN_PLUGIN
                               ": kernels are compiled without it"),
            std::string::npos)
      << log(*k.image);
}

TEST_F(Plugin, FaultsOfTheSourceAreToldAllTheSame) {
  const Caught caught =
      catch_error([] { make("extern \"C\" __global__ void k() {\n  nothing_of_this_name();\n}\n", "k"); });
  EXPECT_EQ(caught.status, ARR_E_COMPILE);
  EXPECT_NE(caught.text.find("nothing_of_this_name"), std::string::npos) << caught.text;
}

}  // namespace
}  // namespace arr::host_kernels::test
