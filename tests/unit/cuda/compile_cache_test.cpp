// SPDX-License-Identifier: MIT
// NVRTC's results are found on disk; text that includes the user's files is compiled each time.
#include "cuda/codegen/compile_cache.h"

#include <fstream>

#include "cache_directory.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

namespace fs = std::filesystem;

class CompileCache : public arr::test::CacheDirectory {
 protected:
  void SetUp() override {
    CacheDirectory::SetUp();
    arr_fake_cuda_reset();
    arr::cuda::use_disk(true);
  }
  // Returns whether NVRTC was needed.
  bool compiles(const std::string& source, std::vector<std::string> options = {},
                std::vector<std::string> names = {}) {
    const int64_t before = arr_fake_cuda_calls("nvrtcCompileProgram");
    last_ = arr::cuda::compile(arr::cuda::nvrtc(), source, "kernel.cu", options, names, nullptr);
    return arr_fake_cuda_calls("nvrtcCompileProgram") != before;
  }
  arr::cuda::Compiled last_;
};

constexpr const char* scale = "template <class T> __global__ void scale(T* x, T by) { *x *= by; }\n";

TEST_F(CompileCache, SecondTimeFromDisk) {
  EXPECT_TRUE(compiles(scale, {"-DN=4"}, {"scale<float>", "scale<int>"}));
  const arr::cuda::Compiled first = last_;
  EXPECT_EQ(first.lowered.size(), 2U);
  EXPECT_FALSE(compiles(scale, {"-DN=4"}, {"scale<float>", "scale<int>"}));
  EXPECT_EQ(last_.image, first.image);
  EXPECT_EQ(last_.lowered, first.lowered);
  EXPECT_EQ(last_.log, first.log);
}

TEST_F(CompileCache, EverythingThatMakesTheImageCounts) {
  EXPECT_TRUE(compiles(scale, {"-DN=4"}, {"scale<float>"}));
  EXPECT_TRUE(compiles(scale, {"-DN=5"}, {"scale<float>"}));
  EXPECT_TRUE(compiles(scale, {}, {"scale<float>"}));
  EXPECT_TRUE(compiles(scale, {"-DN=4"}, {"scale<int>"}));
  EXPECT_TRUE(compiles(std::string(scale) + "// more", {"-DN=4"}, {"scale<float>"}));
  EXPECT_FALSE(compiles(scale, {"-DN=4"}, {"scale<float>"}));
}

TEST_F(CompileCache, FilesOfTheUserAreNotGuessed) {
  EXPECT_FALSE(arr::cuda::is_cacheable("#include \"mine.h\"\n", {}));
  EXPECT_FALSE(arr::cuda::is_cacheable("int x;\n  #  include \"mine.h\"\n", {}));
  EXPECT_FALSE(arr::cuda::is_cacheable("#include NAME\n", {}));
  EXPECT_TRUE(arr::cuda::is_cacheable("#include <cuda_fp16.h>\n", {}));
  EXPECT_TRUE(arr::cuda::is_cacheable("// we include \"mine.h\" no more\n", {}));
  const std::vector<std::string> path = {"-I/somewhere"}, forced = {"--pre-include=x.h"};
  EXPECT_FALSE(arr::cuda::is_cacheable("#include <cuda_fp16.h>\n", path));
  EXPECT_TRUE(arr::cuda::is_cacheable("int x;\n", path));
  EXPECT_FALSE(arr::cuda::is_cacheable("int x;\n", forced));
}

TEST_F(CompileCache, FailuresAreNotKept) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(compiles("__global__ void k( {"), Error);
    EXPECT_TRUE(fs::is_empty(folder("cuda")) || !fs::exists(folder("cuda")));
  }
}

TEST_F(CompileCache, UntrustedDirectoryStillCompilesAndSaysSo) {
  const auto log = [] {
    std::string said;
    arr::cuda::compile(arr::cuda::nvrtc(), scale, "kernel.cu", {}, {}, &said);
    return said;
  };
  EXPECT_EQ(log().find("warning: kernels are not kept"), std::string::npos);
  fs::permissions(root_ / "cache", fs::perms::others_write, fs::perm_options::add);
  EXPECT_NE(log().find("warning: kernels are not kept: cache directory"), std::string::npos);
  fs::permissions(root_ / "cache", fs::perms::owner_all);
  setenv("ARR_CACHE_BYTES", "many", 1);
  EXPECT_NE(log().find("warning: kernels are not kept: ARR_CACHE_BYTES: \"many\" is not a number of bytes"),
            std::string::npos);
  setenv("ARR_CACHE_BYTES", "0", 1);  // as the user wants it
  EXPECT_EQ(log().find("warning: kernels are not kept"), std::string::npos);
}

TEST_F(CompileCache, DamageIsCompiledAgain) {
  EXPECT_TRUE(compiles(scale, {}, {"scale<float>"}));
  const fs::path file = fs::directory_iterator(folder("cuda"))->path();
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).seekp(200) << "damage";
  EXPECT_TRUE(compiles(scale, {}, {"scale<float>"}));
  EXPECT_FALSE(compiles(scale, {}, {"scale<float>"}));
}

}  // namespace
}  // namespace arr::cuda_test
