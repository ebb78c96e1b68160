// SPDX-License-Identifier: MIT
// Headers that a source includes: those that are nowhere, and the names and spellings of CUDA's.
#include <filesystem>

#include "hostcuda/source/source.h"
#include "support.h"

namespace arr::host_kernels::test {
namespace {

std::string error_of(const std::string& lines) {
  const Caught c = catch_error([&] { compile(lines + "\n__global__ void k(int* o) { *o = 1; }\n", {}); });
  EXPECT_TRUE(c.text.empty() || c.status == ARR_E_COMPILE) << lines;
  return c.text;
}

std::string not_found(int line, const std::string& name) {
  return text("kernel.cu:", line, ": ",
              by_pass() ? "'" + name + "' file not found" : name + ": No such file or directory");
}

// Also those that are called much like CUDA's.
TEST(HostKernelHeaders, Missing) {
  for (const char* name : {"mine.cuh",
                           "no/such/header.h",
                           "cuda_runtime_x.h",
                           "cuda_fp16_x.h",
                           "cuda_fp8.cuh",
                           "curand_kernal.h",
                           "crt/none.h",
                           "sm_99.h",
                           "cooperative_groups/none.h",
                           "cooperative_groups.cuh",
                           "cuda/none",
                           "cuda/std/none",
                           "cuda/atomics",
                           "thrust/none.h",
                           "cub/none.cuh",
                           "cub/block/block.cuh",
                           "cupy/none.cuh",
                           "cuComplex",
                           "texture_fetch.h",
                           "assert",
                           "mma.cuh"}) {
    EXPECT_EQ(error_of(text("#include <", name, ">")), not_found(1, name));
    EXPECT_EQ(error_of(text("#include \"", name, "\"")), not_found(1, name));
  }
  for (const char* line :
       {"#  include<none.h>  // <x>", "#include /* a comment */ <none.h>", "#include \"none.h\" // <x>"})
    EXPECT_EQ(error_of(line), not_found(1, "none.h")) << line;
  const int line_of_macro = by_pass() ? 2 : 1;  // g++ tells where the name is
  for (const char* name : {"none.h", "cuda/none"})
    EXPECT_EQ(error_of(text("#define HEADER <", name, ">\n#include HEADER")), not_found(line_of_macro, name));
  EXPECT_EQ(error_of("#if 0\n#include <none.h>\n#include \"none.h\"\n#endif"), "");
  for (const char* line :
       {"#include", "#include <", "#include <>", "#include \"\"", "#include <none.h", "#include NONE"})
    EXPECT_EQ(error_of(line).find("kernel.cu:1: "), 0U) << line;
}

TEST(HostKernelHeaders, EachSpelling) {
  std::string all;
  for (const char* name :
       {"cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.hpp", "cooperative_groups.h",
        "cooperative_groups/reduce.h", "curand_kernel.h", "cuda/std/type_traits", "cuda/atomic",
        "thrust/complex.h", "thrust/detail/config.h", "crt/sm_90_rt.h", "sm_20_intrinsics.h",
        "common_functions.h", "driver_functions.h", "cub/cub.cuh", "stdint.h", "cstdint", "vector"})
    all += text("#include <", name, ">\n#include \"", name, "\"  // <x>\n#define HEADER \"", name,
                "\"\n#include HEADER\n#undef HEADER\n#include \\\n<", name, ">\n");
  EXPECT_EQ(error_of(all), "");
  // They have what they have in any spelling.
  for (const char* lines :
       {"#include <cuda_fp16.h>", "#include \"cuda_fp16.h\"", "#define H <cuda_fp16.h>\n#include H",
        "#define A \"cuda_fp16.h\"\n#define H A\n#include H", "#include \\\n<cuda_fp16.h>"})
    EXPECT_EQ(error_of(std::string(lines) + "\n__device__ half twice(half x) { return x + x; }"), "")
        << lines;
}

// NVRTC has these without a header, and with those of the C library.
TEST(HostKernelHeaders, TypesWithout) {
  std::string parameters;
  for (const char* type :
       {"size_t", "ptrdiff_t", "clock_t", "wchar_t", "cudaStream_t", "cudaEvent_t", "cudaGraph_t",
        "cudaError_t", "cudaError", "cudaMemcpyKind", "cudaRoundMode", "cudaPitchedPtr", "cudaExtent",
        "cudaPos", "cudaTextureObject_t", "cudaSurfaceObject_t"})
    parameters += std::string(", ") + type;
  for (const char* header : {"", "#include <stdint.h>\n", "#include <math.h>\n", "#include <vector>\n",
                             "#include <cuda_runtime.h>\n"})
    EXPECT_EQ(catch_error([&] {
                compile(
                    std::string(header) + "__global__ void k(int* o" + parameters + ") { *o = cudaSuccess; }",
                    {});
              }).text,
              "")
        << header;
}

// The names that the token pass knows are all that the toolkit has of these folders and beginnings.
TEST(HostKernelHeaders, OfTheToolkit) {
  namespace fs = std::filesystem;
  int found = 0;
  for (const char* root : {"/usr/local/cuda/include", "/usr/local/cuda/include/cccl"})
    for (const char* folder : {"", "crt", "cooperative_groups", "cuda", "cuda/std", "cub", "cub/block",
                               "cub/device", "cub/warp", "thrust", "thrust/iterator"}) {
      const fs::path path = fs::path(root) / folder;
      if (!fs::is_directory(path)) continue;
      for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
        const std::string name = (fs::path(folder) / entry.path().filename()).string();
        const auto begins = [&](const char* with) { return name.rfind(with, 0) == 0; };
        const bool other = begins("cuda_gl") || begins("cuda_egl") || begins("cuda_occ") ||
                           begins("cuda_prof") || begins("cuda_std") || begins("cuda_vdpau");
        const bool ours = folder[0] != 0 || begins("cuda_") || begins("curand") || begins("sm_");
        if (!entry.is_regular_file() || !ours || other) continue;
        EXPECT_TRUE(is_header_of_ours(name)) << name;
        found++;
      }
    }
  if (found == 0) GTEST_SKIP() << "no toolkit here";
}

}  // namespace
}  // namespace arr::host_kernels::test
