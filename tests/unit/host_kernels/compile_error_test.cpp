// SPDX-License-Identifier: MIT
// Errors of a source that cannot be compiled: one line with the user's own line number.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

Caught compile_error(const std::string& source, const Options& options = {}) {
  return catch_error([&] { compile(source, options); });
}

std::string undeclared(const std::string& name) {
  return by_pass() ? "use of undeclared identifier '" + name + "'"
                   : "'" + name + "' was not declared in this scope";
}

TEST(HostKernelCompileError, LineOfTheUser) {
  const Caught c = compile_error(
      "// first\nextern \"C\" __global__ void k(float* o) {\n  o[0] = undefined_thing + 1;\n}\n");
  EXPECT_EQ(c.status, ARR_E_COMPILE);
  EXPECT_EQ(c.text, "kernel.cu:3: " + undeclared("undefined_thing"));
  EXPECT_NE(c.log.find("undefined_thing"), std::string::npos);
  EXPECT_GT(c.log.size(), c.text.size());
}

TEST(HostKernelCompileError, LineBehindRewrittenText) {
  const Caught c = compile_error(R"(
#include <cstdint>
#include <cuda_runtime.h>
/* a comment
   of two lines */
__global__ void k(int* o) {
  extern __shared__
      int s[];
  #pragma unroll 4
  for (int i = 0; i < 4; i++) s[i] = i;
  o[0] = s[0] + wrong;
}
)");
  EXPECT_EQ(c.text, "kernel.cu:11: " + undeclared("wrong"));
}

TEST(HostKernelCompileError, InsideATemplate) {
  const auto image =
      compile("template <class T> __global__ void k(T* o) {\n  *o = T::no_such_member;\n}\n", {});
  const Caught c = catch_error([&] { kernel(image, "k<int>"); });
  EXPECT_EQ(c.status, ARR_E_COMPILE);
  EXPECT_EQ(c.text.find("kernel.cu:2: "), 0u) << c.text;
}

struct UnsupportedCase {
  const char *line, *sentence;
};
void PrintTo(const UnsupportedCase& c, std::ostream* out) { *out << c.line; }
class UnsupportedFeature : public testing::TestWithParam<UnsupportedCase> {};

TEST_P(UnsupportedFeature, SentenceAndLine) {
  const std::string line = GetParam().line;
  const bool reference = line.find("<float, 2>") == 7 || line.find("<void, 2>") == 7;
  const bool outside = reference || line.compare(0, 6, "struct") == 0;
  const std::string source = (outside ? "\n" + line + "\n" : "\n\n") + "__global__ void k(int* o) {\n" +
                             (outside ? "" : "  " + line) + "\n}\n";
  const Caught c = compile_error(source);
  EXPECT_EQ(c.status, ARR_E_UNSUPPORTED);
  EXPECT_EQ(c.text, std::string("kernel.cu:") + (outside ? "2" : "4") + ": " + GetParam().sentence);
  // Text that an #if leaves out is no fault.
  const std::string guarded =
      "#ifndef __ARR_HOST__\n" + line + "\n#endif\n__global__ void k(int* o) { *o = 1; }\n";
  EXPECT_EQ(compile_error(guarded).text, "");
}

constexpr UnsupportedCase unsupported_cases[] = {
    {"asm volatile(\"mov.u32 %0, %%pm0;\" : \"=r\"(*o));",
     "inline PTX has no host form (mov.u32); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(\"txq.force_unnormalized_coords.b32 %0, [%1];\" : \"=r\"(*o) : \"l\"(0ll));",
     "inline PTX has no host form (txq.force_unnormalized_coords.b32); guard it with #ifndef __ARR_HOST__ or "
     "run on a GPU"},
    {"__asm__ __volatile__(\"{ .reg .pred p; tcgen05.wait::ld.sync.aligned; }\");",
     "inline PTX has no host form (tcgen05.wait::ld.sync.aligned); guard it with #ifndef __ARR_HOST__ or run "
     "on a GPU"},
    {"__asm(\"bra L;\");",
     "inline PTX has no host form (bra); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(\"addc.u32 %0, %0, 0;\" : \"+r\"(*o));",
     "inline PTX has no host form (addc.u32); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(\"add.f16 %0, %0, %0;\" : \"+h\"(*(short*)o));",
     "inline PTX has no host form (add.f16); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(\"fma.rn.bf16x2 %0, %0, %0, %0;\" : \"+r\"(*o));",
     "inline PTX has no host form (fma.rn.bf16x2); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(\"red.global.add.noftz.f16 [%0], %1;\" : : \"l\"(o), \"h\"((short)*o));",
     "inline PTX has no host form (red.global.add.noftz.f16); guard it with #ifndef __ARR_HOST__ or run on a "
     "GPU"},
    {"asm(\"mov.b128 %0, %1;\" : \"=q\"(*o) : \"q\"(*o));",
     "inline PTX has no host form (operand =q); guard it with #ifndef __ARR_HOST__ or run on a GPU"},
    {"asm(NAME \" %0;\" : \"=r\"(*o));",
     "inline PTX has no host form (a text that a macro makes); guard it with #ifndef __ARR_HOST__ or run on "
     "a GPU"},
    {"texture<float, 2> t;",
     "texture references (texture<>) are gone since CUDA 12; use a cudaTextureObject_t"},
    {"surface<void, 2> s;",
     "surface references (surface<>) are gone since CUDA 12; use a cudaSurfaceObject_t"},
    {"*o = __nvvm_read_ptx_sreg_tid_x();",
     "compiler intrinsic __nvvm_read_ptx_sreg_tid_x has no host form; run on a GPU"},
    {"*o = __nv_popc(1);", "compiler intrinsic __nv_popc has no host form; run on a GPU"},
    {"k<<<1, 2>>>(o);", "kernels cannot launch kernels on the host (<<<)"},
    {"cudaDeviceSynchronize();", "kernels cannot launch kernels on the host (cudaDeviceSynchronize)"},
    {"cudaLaunchDevice(o);", "kernels cannot launch kernels on the host (cudaLaunchDevice)"},
    {"struct __cluster_dims__(2) S;",
     "thread block clusters (__cluster_dims__) have no host form; run on a GPU"},
    {"__cluster_barrier_arrive();",
     "thread block clusters (__cluster_barrier_arrive) have no host form; run on a GPU"},
    {"*o = __clusterDim().x;", "thread block clusters (__clusterDim) have no host form; run on a GPU"},
    {"struct __block_size__((1, 1, 1)) S;",
     "thread block clusters (__block_size__) have no host form; run on a GPU"},
    {"cooperative_groups::this_cluster().sync();",
     "thread block clusters (this_cluster) have no host form; run on a GPU"},
    {"__barrier_sync(1);",
     "named barriers (__barrier_sync) have no host form; use __syncthreads(), or __syncwarp() in a warp"},
    {"__barrier_sync_count(1, 64);",
     "named barriers (__barrier_sync_count) have no host form; use __syncthreads(), or __syncwarp() in a "
     "warp"},
    {"*o = (int)__isConstant(o);",
     "the host keeps __constant__ variables in global memory (__isConstant); guard it with #ifndef "
     "__ARR_HOST__"},
    {"*o = (int)__isGridConstant(o);",
     "on the host parameters are local variables (__isGridConstant); guard it with #ifndef __ARR_HOST__"},
    {"*o = (int)__isClusterShared(o);",
     "thread block clusters (__isClusterShared) have no host form; run on a GPU"},
    {"__brkpt();", "__brkpt has no host form; use a debugger with ARR_HOST_DEBUG=1"},
};
INSTANTIATE_TEST_SUITE_P(Table, UnsupportedFeature, testing::ValuesIn(unsupported_cases),
                         [](const auto& c) { return std::to_string(c.index); });

// A header that is only included is no fault; a name that it would have had is one, on the line that uses it.
struct AbsentCase {
  const char *header, *use, *sentence;
};
void PrintTo(const AbsentCase& c, std::ostream* out) { *out << c.header; }
class AbsentHeader : public testing::TestWithParam<AbsentCase> {};

TEST_P(AbsentHeader, OnlyItsUseIsAFault) {
  const std::string include = std::string("#include <") + GetParam().header + ">\n";
  EXPECT_EQ(compile_error(include + "__global__ void k(int* o) { *o = 1; }\n").text, "");
  const std::string of_header =
      std::string("; the header ") + GetParam().header + " is not read on the host: " + GetParam().sentence;
  const Caught c = compile_error(include + "__global__ void k(int* o) {\n  " + GetParam().use + "\n}\n");
  EXPECT_EQ(c.status, ARR_E_COMPILE);
  EXPECT_EQ(c.text.find("kernel.cu:3: "), 0U) << c.text;
  EXPECT_NE(c.text.find(of_header), std::string::npos) << c.text;
  // A misspelt name of the source is named first, and a missing semicolon is not the header's.
  const Caught misspelt = compile_error(include + "__global__ void k(int* o) { *o = treadIdx.x; }\n");
  EXPECT_EQ(misspelt.status, ARR_E_COMPILE);
  EXPECT_EQ(misspelt.text.find("kernel.cu:2: " + undeclared("treadIdx")), 0U) << misspelt.text;
  EXPECT_NE(misspelt.text.find(of_header), std::string::npos) << misspelt.text;
  EXPECT_EQ(compile_error(include + "__global__ void k(int* o) { *o = 1 }\n").text.find("header"),
            std::string::npos);
}

constexpr AbsentCase absent_cases[] = {
    {"cub/block/block_reduce.cuh", "cub::BlockReduce<int, 32> r;",
     "CUB's device headers (cub/block/block_reduce.cuh) use PTX; use the library's own reductions, scans and "
     "sorts"},
    {"thrust/sort.h", "thrust::sort(o, o);",
     "Thrust (thrust/sort.h) has no host form in kernels; use the library's own functions"},
    {"cuda/functional", "cuda::maximum<int> m;",
     "libcu++ (cuda/functional) has no host form in kernels; use the C++ standard header"},
    {"cuda_fp6.h", "__nv_fp6_e2m3 x;",
     "floating-point types of 8 bits and less (cuda_fp6.h) have no host form in kernels; convert to float "
     "first"},
    {"cuda_fp4.h", "__nv_fp4_e2m1 x;",
     "floating-point types of 8 bits and less (cuda_fp4.h) have no host form in kernels; convert to float "
     "first"},
    {"texture_fetch_functions.h", "*o = texfetch(o);",
     "texture references (texture_fetch_functions.h) are gone since CUDA 12; use a cudaTextureObject_t"},
    {"surface_functions.h", "surfwrite(o);",
     "surface references (surface_functions.h) are gone since CUDA 12; use a cudaSurfaceObject_t"},
};
INSTANTIATE_TEST_SUITE_P(Table, AbsentHeader, testing::ValuesIn(absent_cases),
                         [](const auto& c) { return std::to_string(c.index); });

// Every row of unsupported.def has its case above.
TEST(HostKernelCompileError, TableIsCovered) {
  std::string all;
  for (const UnsupportedCase& c : unsupported_cases) all += std::string(c.line) + "\n";
  for (const AbsentCase& c : absent_cases) all += std::string(c.header) + "\n";
#define X(what, spelling, sentence) EXPECT_NE(all.find(spelling), std::string::npos) << spelling;
#include "hostcuda/source/unsupported.def"
#undef X
}

TEST(HostKernelCompileError, PtxInAMacroCountsWhereItIsUsed) {
  const std::string macro = "#define LANE(x) asm volatile(\"mov.u32 %0, %%pm0;\" : \"=r\"(x))\n";
  EXPECT_EQ(compile_error(macro + "__global__ void k(int* o) { *o = 1; }\n").text, "");
  EXPECT_EQ(compile_error(macro + "__global__ void k(int* o) {\n  LANE(*o);\n}\n").status, ARR_E_UNSUPPORTED);
}

// The same words in comments, strings and names of one's own are no fault.
TEST(HostKernelCompileError, WordsThatAreNotUses) {
  EXPECT_EQ(compile_error(R"(
// asm("...") tex2D<float>(t) k<<<1, 1>>>()
/* #include <cub/cub.cuh>
   wmma */
struct Half { int half; };
__global__ void k(int* o, int half, int asmx) {
  const char* text = "asm volatile tex2D<float>(x) <<<";
  const char* raw = R"xx(asm("") __half <<<)xx";
  Half h{half};
  if (text == raw) *o = h.half + asmx;
  if (text[0] == '"') *o = 1 << 2;
})")
                .text,
            "");
}

TEST(HostKernelCompileError, DynamicSharedThatIsNoArray) {
  const Caught c = compile_error("__global__ void k() {\n  extern __shared__ int s;\n}\n");
  EXPECT_EQ(c.status, ARR_E_COMPILE);
  EXPECT_EQ(c.text,
            "kernel.cu:2: extern __shared__ must declare one array of unknown size, as in extern __shared__ "
            "float s[];");
}

TEST(HostKernelCompileError, TooMuchStaticShared) {
  const Caught c = compile_error(
      "__global__ void k(int* o) {\n  __shared__ int s[20000];\n  s[threadIdx.x] = 1;\n  "
      "__syncthreads();\n  *o = s[*o];\n}\n");
  EXPECT_EQ(c.status, ARR_E_COMPILE);
  EXPECT_EQ(c.text, "kernel 'k': 80000 bytes of static shared memory, the max is 49152");
}

TEST(HostKernelCompileError, KernelThatReturnsAValue) {
  EXPECT_EQ(compile_error("__global__ int k() { return 1; }\n", {{}, {"k"}}).status, ARR_E_ARGUMENT);
}

TEST(HostKernelCompileError, Options) {
  const std::string source = "__global__ void k(int* o) { *o = N + M; }\n";
  EXPECT_EQ(compile_error(
                source, {{"-DN=1", "--define-macro=M=2", "--gpu-architecture=sm_90", "-use_fast_math",
                          "--std=c++17", "--fmad=false", "-arch", "sm_80", "-lineinfo", "-I", "/usr/include"},
                         {}})
                .text,
            "");
  EXPECT_EQ(compile_error(source, {{"--ptx-magic"}, {}}).text,
            "compiler option '--ptx-magic': has no host form");
  EXPECT_EQ(compile_error(source, {{"--ptx-magic"}, {}}).status, ARR_E_UNSUPPORTED);
  EXPECT_EQ(compile_error(source, {{"-D"}, {}}).text, "compiler option -D: has no value");
  EXPECT_EQ(compile_error(source, {{"-std=c++98"}, {}}).text,
            "compiler option -std=c++98: the host takes c++11 to c++20");
  const Kernel k =
      make(source, "k", {{"-D", "N=40", "-DM=2", "-DK", "-DA=1", "-Dargs=x", "-Dr=0", "-UK"}, {}});
  int value = 0;
  run(k, 1, 1, &value);
  EXPECT_EQ(value, 42);
}

TEST(HostKernelCompileError, LockStepWarning) {
  const auto image = compile(R"(
__global__ void k(int* o) {
  volatile __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 32) s[threadIdx.x] += s[threadIdx.x + 32];
  *o = s[0];
})",
                             {});
  EXPECT_NE(log(*image).find("warning: volatile __shared__ without __syncwarp()"), std::string::npos);
}

// Environment of one test, put back at the end.
struct Variable {
  std::string name, old;
  bool had;
  Variable(const char* n, const char* value) : name(n) {
    const char* before = getenv(n);
    had = before != nullptr;
    old = had ? before : "";
    setenv(n, value, 1);
  }
  ~Variable() { had ? setenv(name.c_str(), old.c_str(), 1) : unsetenv(name.c_str()); }
};

TEST(HostKernelCompileError, NoCompiler) {
  const Variable chosen("ARR_HOST_CXX", "/nonexistent/g++");
  const Caught c = compile_error("__global__ void k() {}\n");
  EXPECT_EQ(c.status, ARR_E_UNAVAILABLE);
  EXPECT_EQ(c.text,
            "ARR_HOST_CXX=/nonexistent/g++ is not a g++ >= 9 or clang++ >= 10 (an absolute path, or a name "
            "in PATH)");
  const Variable other("ARR_HOST_CXX", "/bin/true");
  EXPECT_EQ(compile_error("__global__ void k() {}\n").status, ARR_E_UNAVAILABLE);
}

// Accesses cannot be checked with an old clang, which compiles all the same.
TEST(HostKernelCompileError, TooOldForChecks) {
  char folder[] = "/tmp/arr_old_clang_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string compiler = std::string(folder) + "/clang++";
  std::ofstream(compiler) << "#!/bin/sh\n[ $1 = -dumpversion ] && echo 14.0.6 || echo clang version 14.0.6\n";
  chmod(compiler.c_str(), 0700);
  const Variable chosen("ARR_HOST_CXX", compiler.c_str());
  Options options;
  options.check = true;
  EXPECT_EQ(compile_error("__global__ void k() {}\n", options).text,
            "ARR_HOST_CXX=" + compiler +
                " is not a g++ >= 9 or clang++ >= 15, for ARR_CHECK=1 (an absolute path, "
                "or a name in PATH)");
  EXPECT_EQ(compile_error("__global__ void k() {}\n").status, ARR_E_COMPILE);  // it makes nothing
  std::remove(compiler.c_str());
  rmdir(folder);
}

TEST(HostKernelCompileError, NoCompilerInPath) {
  const Variable chosen("ARR_HOST_CXX", "");
  const Variable path("PATH", ".:/nonexistent::relative");
  EXPECT_EQ(compile_error("__global__ void k() {}\n").text,
            "raw kernels on the host need g++ >= 9 or clang++ >= 10: none is in PATH; install one or set "
            "ARR_HOST_CXX");
}

}  // namespace
}  // namespace arr::host_kernels::test
