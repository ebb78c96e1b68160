// SPDX-License-Identifier: MIT
// Compilation and linking of a module's units before the driver sees them, by the real NVRTC and
// nvJitLink: every option reaches the compiler, each kind of image has its magic number, links resolve and
// fail as they should. Exit 77 where one of the libraries is missing.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cuda/kernels/module.h"

namespace arr::cuda {
namespace {

int failures = 0;

void check(bool good, const std::string& what) {
  std::printf("%s %s\n", good ? "ok  " : "FAIL", what.c_str());
  failures += good ? 0 : 1;
}

bool has(const std::string& bytes, const std::string& part) { return bytes.find(part) != std::string::npos; }
bool is_cubin(const std::string& b) {
  return b.size() > 20 && b.starts_with("\177ELF") && static_cast<unsigned char>(b[18]) == 190;
}

ModuleCall source(std::string_view text, const char* name = "kernel.cu") {
  ModuleCall c;
  c.units.push_back({ImageKind::source, text, name});
  return c;
}

constexpr int arch = 90;

template <class Run>
std::string failure(Run&& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.text();
  }
  return "";
}

void options(const std::string& folder) {
  std::ofstream(folder + "/value.cuh") << "#pragma once\n__device__ inline int value() { return 1; }\n";
  ModuleCall c = source(
      "#include <value.cuh>\n#if !defined(FLAG) || N != 4 || __cplusplus < 202002L\n#error options are "
      "missing\n#endif\n"
      "template <class T> __global__ void scale(T* x, T by) { *x *= by + T(value()); }\n"
      "namespace phys { __constant__ float table[4]; }\n"
      "__global__ void plain(float* x) { *x = phys::table[1]; }\n");
  c.include_paths = {folder};
  c.defines = {"FLAG", "N=4"};
  c.standard = 20;
  c.lineinfo = c.fast_math = true;
  c.max_registers = 32;
  c.names = {"scale<float>", "scale<double>"};
  std::string log;
  const Made made = make_image(c, arch, &log);
  check(made.kind == ImageKind::cubin && is_cubin(made.bytes), "all options: a cubin");
  check(made.lowered.at("scale<float>") == "_Z5scaleIfEvPT_S0_", "the lowered name of scale<float>");
  check(has(made.bytes, "_Z5scaleIdEvPT_S0_") && has(made.bytes, "_ZN4phys5tableE"), "names in the image");
  c.lineinfo = c.fast_math = false;
  c.debug = true;
  check(is_cubin(make_image(c, arch, &log).bytes), "for a debugger");
  c.debug = false;
  c.standard = 17;
  const std::string said = failure([&] { make_image(c, arch, &log); });
  check(has(said, "kernel.cu(3): ") && has(said, "options are missing"), "an error has its place: " + said);
  check(has(log, "NVRTC 1") && has(log, "--maxrregcount=32") && has(log, "-DFLAG"),
        "the log has the command line");
  // A source with variables compiles its plain kernels by their names, and does without where that fails.
  ModuleCall v = source(
      "__device__ int n;\n__global__ void one(int* x) { *x = n; }\n#if 0\n__global__ void gone() "
      "{}\n#endif\n");
  v.variables = true;
  v.kernels = {"one", "gone"};
  check(is_cubin(make_image(v, arch, &log).bytes), "a kernel that the preprocessor leaves out");
  v.kernels = {"one"};
  check(make_image(v, arch, &log).lowered.at("one") == "_Z3onePi", "a plain kernel by its name");
}

std::string compiled(const char* text, ImageKind kind) {
  std::vector<std::string> o = {"-arch=sm_90"};
  if (kind == ImageKind::ltoir) o.emplace_back("-dlto");
  if (kind != ImageKind::ltoir) o.emplace_back("-rdc=true");
  const Compiled c = compile(nvrtc(), text, "part.cu", o, {}, nullptr, kind);
  return {c.image.data(), c.image.size()};
}

void links() {
  const char* first =
      "extern __device__ int second(int);\nextern __device__ int offset;\n"
      "extern \"C\" __global__ void k(int* o) { *o = second(1) + offset; }\n"
      "template <int N> __global__ void t(int* o) { *o = second(N); }\n";
  const char* second = "__device__ int offset = 3;\n__device__ int second(int x) { return 10 * x; }\n";
  for (const ImageKind kind : {ImageKind::source, ImageKind::ltoir, ImageKind::ptx, ImageKind::cubin}) {
    const std::string part = kind == ImageKind::source ? second : compiled(second, kind);
    if (kind == ImageKind::ltoir) check(part.starts_with("\xED\x43\x4E\x7F"), "the magic number of LTO-IR");
    if (kind == ImageKind::ptx) check(has(part, ".version"), "PTX text");
    if (kind == ImageKind::cubin) check(is_cubin(part), "a cubin's magic number");
    ModuleCall c = source(first, "first.cu");
    c.units.push_back({kind, part, "second"});
    c.link = true;
    c.names = {"t<7>"};
    c.lineinfo = true;
    c.max_registers = 64;
    std::string log;
    const std::string said = failure([&] {
      const Made made = make_image(c, arch, &log);
      check(is_cubin(made.bytes) && has(made.bytes, made.lowered.at("t<7>")),
            text("source with ", kind == ImageKind::source ? "source" : "an image", " of kind ",
                 static_cast<int>(kind)));
    });
    if (!said.empty()) check(false, said + "\n" + log);
  }
  ModuleCall alone = source(first, "first.cu");
  alone.link = true;
  std::string log;
  const std::string said = failure([&] { make_image(alone, arch, &log); });
  check(has(said + log, "second"), "an undefined function is named: " + said);
  ModuleCall wrong = source(first, "first.cu");
  wrong.units.push_back({ImageKind::cubin, "this is no cubin at all, only text", "wrong.cubin"});
  wrong.link = true;
  check(!failure([&] { make_image(wrong, arch, &log); }).empty(), "what is no image is refused");
  ModuleCall ir;
  const std::string part = compiled("extern \"C\" __global__ void k(int* o) { *o = 1; }", ImageKind::ltoir);
  ir.units.push_back({ImageKind::ltoir, part, "alone.ltoir"});
  check(is_cubin(make_image(ir, arch, &log).bytes), "LTO-IR alone");
}

// Kernels that launch kernels need the toolkit's archive: with it the link succeeds, without it the linker
// names what is missing.
void device_runtime() {
  const char* parent =
      "extern __device__ int depth();\n"
      "__global__ void child(int* o, int n) { o[threadIdx.x] = n + depth(); }\n"
      "extern \"C\" __global__ void parent(int* o) {\n  child<<<1, 32, 0, cudaStreamFireAndForget>>>(o, 5);\n"
      "  if (cudaPeekAtLastError() != cudaSuccess) *o = -1;\n}\n";
  const char* other = "__device__ int depth() { return 24; }\n";
  const std::string ptx = compiled(other, ImageKind::ptx);
  std::string whole = std::string(parent) + other;
  for (const int inputs : {1, 2}) {
    ModuleCall c = source(inputs == 1 ? whole : std::string_view(parent), "parent.cu");
    if (inputs == 2) c.units.push_back({ImageKind::ptx, ptx, "other.ptx"});
    c.link = inputs == 2;
    c.device_runtime = true;
    std::string log;
    const std::string said = failure([&] {
      const Made made = make_image(c, arch, &log);
      check(is_cubin(made.bytes) && has(made.bytes, "parent") && has(made.bytes, "_Z5childPii"),
            text("a kernel that launches a kernel, of ", inputs, " inputs"));
    });
    if (!said.empty()) check(false, said + "\n" + log);
    c.device_runtime = false;
    c.link = true;
    const std::string without = failure([&] { make_image(c, arch, &log); });
    check(has(without + log, "__cudaCDP2"),
          "without the device runtime its functions are missing: " + without);
  }
  setenv("ARR_CUDA_CUDADEVRT", "/nowhere/libcudadevrt.a", 1);
  ModuleCall c = source(whole, "parent.cu");
  c.device_runtime = true;
  std::string log;
  const std::string said = failure([&] { make_image(c, arch, &log); });
  check(has(said, "/nowhere/libcudadevrt.a is no file"), "a missing archive is named: " + said);
  unsetenv("ARR_CUDA_CUDADEVRT");
}

int run() {
  std::string report;
  probe_nvrtc(&report);
  probe_nvjitlink(&report);
  if (has(report, "not available")) {
    std::printf("skipped: %s", report.c_str());
    return 77;
  }
  std::printf("%s", report.c_str());
  char folder[] = "/tmp/arr_nvrtc_link_XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  options(folder);
  std::remove((std::string(folder) + "/value.cuh").c_str());
  std::remove(folder);
  links();
  device_runtime();
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace arr::cuda

int main() {
  try {
    return arr::cuda::run();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
}
