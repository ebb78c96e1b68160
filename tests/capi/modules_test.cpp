// SPDX-License-Identifier: MIT
// Modules through the C API, on the host and over the fake CUDA: sources, files, images, linking, variables,
// and every refusal with its line.
#include "modules.h"

namespace arr_test {
namespace {

constexpr const char* scale_source = R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template <class T> __global__ void fill(T* x, T v) { x[threadIdx.x] = v; }
)";

TEST_P(Modules, SourceWithNamesGivenAndAskedForLater) {
  const char* names[] = {"fill<int>"};
  arr_module_options o{};
  o.nnames = 1;
  o.names = names;
  arr_module m = load(scale_source, o);
  for (const char* name : {"fill<int>", "fill<float>"}) {
    const bool whole = std::strcmp(name, "fill<int>") == 0;
    arr_array a = zeros(whole ? ARR_INT32 : ARR_FLOAT32, 8);
    arr_kernel k = kernel(m, name);
    EXPECT_EQ(launch(k, 1, 8, {of(a), whole ? of(7) : of(2.5F)}), ARR_OK) << arr_last_error();
    if (whole) {
      EXPECT_EQ(get<int32_t>(a, 8), std::vector<int32_t>(8, 7));
    } else {
      EXPECT_EQ(get<float>(a, 8), std::vector<float>(8, 2.5F));
    }
    EXPECT_EQ(arr_release(a), ARR_OK);
    EXPECT_EQ(arr_kernel_release(k), ARR_OK);
  }
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(Modules, OptionsReachTheCompiler) {
  const Folder folder;
  Folder inner;
  inner.put("value.cuh", "#pragma once\n__device__ inline int value() { return 40; }\n");
  const char* source =
      "#include \"value.cuh\"\n#include <value.cuh>\nextern \"C\" __global__ void k(int* o) {\n"
      "  *o = value() + N + FLAG + (__cplusplus >= 202002L ? 100 : 0);\n}\n";
  const char* paths[] = {folder.path.c_str(), inner.path.c_str()};
  const char* defines[] = {"N=2", "FLAG"};
  const char* more[] = {"--fmad=false"};
  arr_module_options o{};
  o.ninclude_paths = 2;
  o.include_paths = paths;
  o.ndefines = 2;
  o.defines = defines;
  o.noptions = 1;
  o.options = more;
  o.standard = 20;
  o.lineinfo = 1;
  o.fast_math = 1;
  arr_module m = load(source, o);
  EXPECT_EQ(run_k(m), 143);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  o.debug = 1;
  o.lineinfo = 0;
  o.standard = 0;
  m = load(source, o);
  EXPECT_EQ(run_k(m), 43);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

// As with a toolkit's folder among the include paths: the host has these headers' content itself.
TEST_P(Modules, HeadersOfCudaInAnIncludePath) {
  Folder folder;
  for (const char* name : {"cuda_fp16.h", "cooperative_groups.h", "cuda_runtime.h"}) {
    folder.put(name, "#error not for the host\n");
  }
  const char* source =
      "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n"
      "extern \"C\" __global__ void k(int* o) {\n"
      "  *o = (int)__half2float(__float2half(7)) + (int)cooperative_groups::this_thread_block().size();\n}\n";
  const char* paths[] = {folder.path.c_str()};
  arr_module_options o{};
  o.ninclude_paths = 1;
  o.include_paths = paths;
  arr_module m = load(source, o);
  EXPECT_EQ(run_k(m), 8);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(Modules, Files) {
  Folder folder;
  folder.put("mine.cuh", "struct Pair { int a, b; };\n");
  const std::string path = folder.put(
      "kernel file.cu",
      "#include \"mine.cuh\"\nextern \"C\" __global__ void k(int* o) { Pair p{1, 2}; *o = p.a + p.b; }\n");
  arr_module m = nullptr;
  ASSERT_EQ(arr_module_load_file(path.c_str(), &device, nullptr, &m), ARR_OK) << arr_last_error();
  EXPECT_EQ(run_k(m), 3);
  EXPECT_EQ(arr_module_release(m), ARR_OK);

  const std::string bad =
      folder.put("bad.cu", "extern \"C\" __global__ void k(int* o) {\n  *o = wrong_name;\n}\n");
  m = nullptr;
  EXPECT_EQ(arr_module_load_file(bad.c_str(), &device, nullptr, &m), ARR_E_COMPILE);
  EXPECT_EQ(m, nullptr);
  EXPECT_NE(said().find(bad + ":2"), std::string::npos) << said();
  EXPECT_NE(said().find("[*o = wrong_name;]"), std::string::npos) << said();
  EXPECT_EQ(arr_module_load_file((folder.path + "/none.cu").c_str(), &device, nullptr, &m), ARR_E_IO);
  EXPECT_EQ(arr_module_load_file(folder.path.c_str(), &device, nullptr, &m), ARR_E_IO);
}

TEST_P(Modules, ErrorsHaveCompilerCommandLogAndLine) {
  const char* source = "extern \"C\" __global__ void k(float* x) {\n  x[0] = unknown_name;  // here\n}\n";
  arr_module m = nullptr;
  arr_module_options o{};
  o.struct_size = sizeof o;
  const char* defines[] = {"MINE=7"};
  o.ndefines = 1;
  o.defines = defines;
  EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_E_COMPILE);
  EXPECT_NE(said().find("unknown_name"), std::string::npos) << said();
  EXPECT_NE(said().find("[x[0] = unknown_name;  // here]"), std::string::npos) << said();
  const std::string log = log_of(nullptr);
  EXPECT_NE(log.find(host() ? "-O3" : "NVRTC 13."), std::string::npos) << log;
  EXPECT_NE(log.find("MINE"), std::string::npos) << log;
  EXPECT_NE(log.find("unknown_name"), std::string::npos) << log;
}

TEST_P(Modules, ImagesOfEachKind) {
  struct {
    int32_t kind;
    const char* text;
  } const kinds[] = {{ARR_IMAGE_PTX, "PTX"},
                     {ARR_IMAGE_CUBIN, "a cubin"},
                     {ARR_IMAGE_LTOIR, "LTO-IR"},
                     {ARR_IMAGE_FATBIN, "a fatbin"}};
  for (const auto& kind : kinds) {
    const char* source = "extern \"C\" __global__ void k(int* o) { *o = 11; }";
    const std::vector<char> bytes = kind.kind == ARR_IMAGE_FATBIN ? fatbin(source) : image(source, kind.kind);
    for (int32_t said_kind : {ARR_IMAGE_AUTO, kind.kind}) {
      arr_module_options o{};
      o.struct_size = sizeof o;
      o.kind = said_kind;
      arr_module m = nullptr;
      const arr_status status =
          arr_module_load(bytes.data(), static_cast<int64_t>(bytes.size()), &device, &o, &m);
      if (host() && kind.kind == ARR_IMAGE_PTX) {  // the fake's is no module
        EXPECT_EQ(status, ARR_E_COMPILE);
        EXPECT_EQ(said().find("kernel.ptx:"), 0U) << said();
        EXPECT_NE(said().find("expected '.address_size'"), std::string::npos) << said();
        continue;
      }
      if (host()) {
        const bool fat = kind.kind == ARR_IMAGE_FATBIN;  // the fake's is none of the toolkit
        EXPECT_EQ(status, fat ? ARR_E_ARGUMENT : ARR_E_UNSUPPORTED);
        EXPECT_EQ(said(), std::string("argument image: kernel.cu is ") + kind.text +
                              (fat ? " that is cut off or damaged"
                                   : ", which runs on GPUs only; the host takes CUDA C++ source and PTX"));
        continue;
      }
      ASSERT_EQ(status, ARR_OK) << arr_last_error();
      EXPECT_EQ(run_k(m), 11);
      arr_kernel k = nullptr;
      EXPECT_EQ(arr_module_kernel(m, "none", &k), ARR_E_ARGUMENT);
      EXPECT_EQ(said().find("argument name: the module has no kernel none; of images"), 0U) << said();
      EXPECT_EQ(arr_module_release(m), ARR_OK);
    }
    if (host()) continue;
    arr_module_options o{};
    o.struct_size = sizeof o;
    const bool is_ptx = kind.kind == ARR_IMAGE_PTX;
    o.kind = is_ptx ? ARR_IMAGE_FATBIN : ARR_IMAGE_PTX;
    arr_module m = nullptr;
    EXPECT_EQ(arr_module_load(bytes.data(), static_cast<int64_t>(bytes.size()), &device, &o, &m),
              ARR_E_ARGUMENT);
    EXPECT_EQ(said(), std::string("argument image: kernel.cu is ") + kind.text + ", but its kind says " +
                          (is_ptx ? "a fatbin" : "PTX"));
    const char* defines[] = {"N"};
    o.kind = ARR_IMAGE_AUTO;
    o.ndefines = 1;
    o.defines = defines;
    EXPECT_EQ(arr_module_load(bytes.data(), static_cast<int64_t>(bytes.size()), &device, &o, &m),
              ARR_E_ARGUMENT);
    EXPECT_EQ(said().find("argument options: defines is for source, the image is "), 0U) << said();
  }
}

TEST_P(Modules, WhatIsNoImageIsRefused) {
  std::string elf(64, '\0');
  elf.replace(0, 4, "\177ELF");
  elf[18] = 62;
  struct {
    std::string bytes;
    const char* why;
  } const cases[] = {
      {elf,
       "argument image: kernel.cu is an object of a processor (ELF machine 62), expected CUDA C++ source, "
       "PTX, a cubin, a fatbin or LTO-IR"},
      {std::string("\0\1\2\3abc", 7),
       "argument image: kernel.cu is neither text nor a known image (cubin, fatbin, LTO-IR)"},
      {std::string("\xB1\x43\x62\x46zzzz", 8),
       "argument image: kernel.cu is the wrapper of a fatbin inside of a program, expected the fatbin that "
       "it "
       "points at"},
      {"", "argument image: kernel.cu is empty"},
  };
  for (const auto& c : cases) {
    arr_module m = nullptr;
    EXPECT_EQ(arr_module_load(c.bytes.data(), static_cast<int64_t>(c.bytes.size()), &device, nullptr, &m),
              ARR_E_ARGUMENT);
    EXPECT_EQ(said(), c.why);
    EXPECT_EQ(m, nullptr);
  }
  if (host()) return;
  const char* ptx = "// a comment\n/* another */ .version 8.0\n.target sm_90\nnonsense\n";
  arr_module m = nullptr;
  EXPECT_EQ(arr_module_load(ptx, -1, &device, nullptr, &m), ARR_E_COMPILE);
  EXPECT_EQ(said().find("ptxas application ptx input, line 1"), 0U) << said();
  EXPECT_NE(log_of(nullptr).find("ptxas"), std::string::npos);
}

constexpr const char* variables = R"(
__constant__ int table[4] = {1, 2, 3, 4};
namespace phys { __device__ double total = 0.5; }
extern "C" __global__ void k(int* o) { *o = table[0] + table[3]; phys::total += 1; }
)";

TEST_P(Modules, Variables) {
  arr_module m = load(variables);
  void* address = nullptr;
  int64_t bytes = 0;
  ASSERT_EQ(arr_module_global(m, "table", &address, &bytes), ARR_OK) << arr_last_error();
  EXPECT_NE(address, nullptr);
  EXPECT_EQ(bytes, 16);
  EXPECT_EQ(run_k(m), 5);

  const int64_t four = 4;
  arr_array table = nullptr, total = nullptr;
  ASSERT_EQ(arr_module_global_array(m, "table", ARR_INT32, 1, &four, &table), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(table, 4), (std::vector<int32_t>{1, 2, 3, 4}));
  arr_array fresh = zeros(ARR_INT32, 4), sum = nullptr;
  ASSERT_EQ(arr_add_into(table, table, table, nullptr), ARR_OK) << arr_last_error();
  EXPECT_EQ(run_k(m), 10);
  ASSERT_EQ(arr_assign(table, fresh, nullptr), ARR_OK) << arr_last_error();
  EXPECT_EQ(run_k(m), 0);
  ASSERT_EQ(arr_module_global_array(m, "phys::total", ARR_FLOAT64, 0, nullptr, &total), ARR_OK)
      << arr_last_error();
  // The arrays keep the module alive.
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  EXPECT_EQ(get<double>(total, 1)[0], 3.5);
  ASSERT_EQ(arr_add(table, table, nullptr, &sum), ARR_OK);
  for (arr_array a : {table, total, fresh, sum}) EXPECT_EQ(arr_release(a), ARR_OK);
}

// A second compilation would have variables of its own: nothing may see those.
TEST_P(Modules, VariablesAreTheSameForEveryKernel) {
  const char* source =
      "__device__ int shared_value = 1;\n__global__ void plain(int* o) { *o = ++shared_value; }\n"
      "template <int N> __global__ void t(int* o) { *o = shared_value += N; }\n";
  arr_module m = load(source);
  EXPECT_EQ(run_k(m, "plain"), 2);
  EXPECT_EQ(run_k(m, "plain"), 3);
  arr_kernel k = nullptr;
  EXPECT_EQ(arr_module_kernel(m, "t<5>", &k), ARR_E_ARGUMENT);
  EXPECT_NE(said().find("__constant__ variables every"), std::string::npos) << said();
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const char* names[] = {"t<5>", "plain"};
  arr_module_options o{};
  o.nnames = 2;
  o.names = names;
  m = load(source, o);
  EXPECT_EQ(run_k(m, "plain"), 2);
  EXPECT_EQ(run_k(m, "t<5>"), 7);
  EXPECT_EQ(run_k(m, "plain"), 8);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(Modules, VariablesRefused) {
  arr_module m = load(variables);
  void* address = nullptr;
  int64_t bytes = -7;
  EXPECT_EQ(arr_module_global(m, "nothing", &address, &bytes), ARR_E_ARGUMENT);
  EXPECT_NE(said().find("nothing"), std::string::npos);
  EXPECT_EQ(bytes, -7);
  const int64_t five = 5, huge = int64_t{1} << 61;
  arr_array a = nullptr;
  EXPECT_EQ(arr_module_global_array(m, "table", ARR_INT32, 1, &five, &a), ARR_E_SHAPE);
  EXPECT_EQ(said(), "argument shape: 20 bytes, the variable table has 16");
  EXPECT_EQ(arr_module_global_array(m, "table", ARR_INT32, 1, &huge, &a), ARR_E_SHAPE);
  EXPECT_EQ(arr_module_global_array(m, "table", 99, 1, &five, &a), ARR_E_DTYPE);
  EXPECT_EQ(arr_module_global_array(m, nullptr, ARR_INT32, 1, &five, &a), ARR_E_ARGUMENT);
  EXPECT_EQ(a, nullptr);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(Modules, LinksUnits) {
  Folder folder;
  const std::string file = folder.put("third.cu",
                                      "extern __device__ int offset;\n#define STEP 5\n"
                                      "__device__ int third(int x) { return x + STEP + offset; }\n");
  const char* first =
      "extern __device__ int second(int);\nextern __device__ int third(int);\n#define STEP 1000\n"
      "extern \"C\" __global__ void k(int* o) { *o = third(second(1)); }\n";
  const char* second =
      "#ifdef STEP\n#error macros of another unit\n#endif\n__device__ int offset = 100;\n"
      "__device__ int second(int x) { return x * 10; }\n";
  const arr_module_input inputs[] = {{first, -1, ARR_IMAGE_SOURCE, 0, "first.cu"},
                                     {second, -1, ARR_IMAGE_AUTO, 0, nullptr},
                                     {nullptr, 0, ARR_IMAGE_AUTO, 0, file.c_str()}};
  arr_module m = nullptr;
  ASSERT_EQ(arr_module_link(3, inputs, &device, nullptr, &m), ARR_OK) << arr_last_error() << log_of(nullptr);
  EXPECT_EQ(run_k(m), 115);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  m = nullptr;
  EXPECT_EQ(arr_module_link(1, inputs, &device, nullptr, &m), ARR_E_COMPILE) << arr_last_error();
  EXPECT_NE((said() + log_of(nullptr)).find("undefined symbol"), std::string::npos) << said();
  EXPECT_EQ(m, nullptr);
  EXPECT_EQ(arr_module_link(0, inputs, &device, nullptr, &m), ARR_E_ARGUMENT);
  const arr_module_input empty{nullptr, 0, 0, 0, nullptr};
  EXPECT_EQ(arr_module_link(1, &empty, &device, nullptr, &m), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument inputs[0]: data and name are NULL, expected bytes or a path");
}

TEST_P(Modules, LinksImagesWithSource) {
  if (host()) GTEST_SKIP() << "images are for GPUs";
  const std::vector<char> part = image("__device__ int twice(int x) { return 2 * x; }", ARR_IMAGE_LTOIR);
  const char* source =
      "extern __device__ int twice(int);\ntemplate <int N> __global__ void t(int* o) { *o = twice(N); }\n"
      "extern \"C\" __global__ void k(int* o) { *o = twice(4); }\n";
  const arr_module_input inputs[] = {
      {part.data(), static_cast<int64_t>(part.size()), ARR_IMAGE_LTOIR, 0, "part"},
      {source, -1, ARR_IMAGE_SOURCE, 0, "whole.cu"}};
  arr_module m = nullptr;
  ASSERT_EQ(arr_module_link(2, inputs, &device, nullptr, &m), ARR_OK) << arr_last_error() << log_of(nullptr);
  EXPECT_EQ(run_k(m), 8);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const std::vector<char> fat = fatbin("__device__ int twice(int x) { return 3 * x; }");
  const arr_module_input with_fatbin[] = {
      {fat.data(), static_cast<int64_t>(fat.size()), ARR_IMAGE_FATBIN, 0, "part"}, inputs[1]};
  ASSERT_EQ(arr_module_link(2, with_fatbin, &device, nullptr, &m), ARR_OK)
      << arr_last_error() << log_of(nullptr);
  EXPECT_EQ(run_k(m), 12);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const char* names[] = {"t<21>"};
  arr_module_options o{};
  o.struct_size = sizeof o;
  o.nnames = 1;
  o.names = names;
  ASSERT_EQ(arr_module_link(2, inputs, &device, &o, &m), ARR_OK) << arr_last_error() << log_of(nullptr);
  EXPECT_EQ(run_k(m, "t<21>"), 42);
  arr_kernel k = nullptr;
  EXPECT_EQ(arr_module_kernel(m, "t<5>", &k), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(Modules, OptionsRefused) {
  const auto refused = [&](arr_module_options o, const std::string& why, arr_status status = ARR_E_ARGUMENT) {
    arr_module m = nullptr;
    EXPECT_EQ(arr_module_load(scale_source, -1, &device, &o, &m), status) << why;
    EXPECT_EQ(said(), why);
    EXPECT_EQ(m, nullptr);
  };
  arr_module_options o{};
  refused(o, "argument options: struct_size is 0, expected " + std::to_string(sizeof o));
  o.struct_size = sizeof o;
  const arr_module_options good = o;
  o.kind = 17;
  refused(o, "argument options: kind 17, expected one of ARR_IMAGE_...");
  o = good;
  o.standard = 3;
  refused(o, "argument options: standard is 3, expected 11, 14, 17, 20 or 0");
  o = good;
  o.debug = 2;
  refused(o, "argument options: debug is 2, expected 0 or 1");
  o = good;
  o.nnames = 1;
  refused(o, "argument options: names is NULL, nnames is 1");
  o = good;
  o.ndefines = -1;
  refused(o, "argument options: ndefines is -1, expected 0 or more");
  o = good;
  o.max_registers = -1;
  refused(o, "argument options: max_registers is -1, expected 0 or more");
  o.max_registers = 32;
  if (host()) {
    refused(o, "argument options: max_registers is 32, the host's compiler has no such limit",
            ARR_E_UNSUPPORTED);
  }
  int64_t size = 0;
  EXPECT_EQ(arr_module_image(scale_source, -1, ARR_IMAGE_FATBIN, &device, &good, 0, nullptr, &size),
            ARR_E_ARGUMENT);
  EXPECT_EQ(arr_module_image(scale_source, -1, ARR_IMAGE_PTX, &device, &good, 0, nullptr, &size),
            host() ? ARR_E_UNSUPPORTED : ARR_OK);
}

ARR_ON_DEVICES(Modules);

}  // namespace
}  // namespace arr_test
