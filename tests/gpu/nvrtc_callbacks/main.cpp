// SPDX-License-Identifier: MIT
// Programs as callbacks of cuFFT: the real NVRTC makes LTO-IR of them, in which the real nvJitLink finds the
// function that NVIDIA's header describes, as cuFFT's own wrapper declares it. Argument: the folder of
// cufftXt.h. Exit 77 where one of the libraries is missing.
#include <dlfcn.h>

#include <cstdio>

#include "backend/interface.h"
#include "cuda/fft/callbacks.h"
#include "cuda/kernels/module.h"
#include "expr/op_numbers.h"
#include "expr/ops.h"

namespace arr::cuda {
namespace {

int failures = 0;
std::string headers;

void check(bool good, const std::string& what) {
  std::printf("%s %s\n", good ? "ok  " : "FAIL", what.c_str());
  failures += good ? 0 : 1;
}

// One type of elements: as libarr, as cuFFT's header and as its types of callbacks have it.
struct Element {
  DType dtype;
  const char *type, *load, *store;
};
constexpr Element elements[] = {
    {DType::complex64_, "cufftComplex", "cufftJITCallbackLoadC", "cufftJITCallbackStoreC"},
    {DType::complex128_, "cufftDoubleComplex", "cufftJITCallbackLoadZ", "cufftJITCallbackStoreZ"},
    {DType::float32_, "cufftReal", "cufftJITCallbackLoadR", "cufftJITCallbackStoreR"},
    {DType::float64_, "cufftDoubleReal", "cufftJITCallbackLoadD", "cufftJITCallbackStoreD"}};

// A callback and what it was printed for.
struct Made {
  FftCallback callback;
  const Element* element;
  bool loads;
};

ElementwiseShape shape_of(const Program& p, bool loads, int32_t dims, bool wide,
                          std::initializer_list<size_t> immediates) {
  ElementwiseShape s;
  s.kind = ElementwiseShape::general;
  s.dims = dims;
  s.wide = wide;
  s.access.assign(p.inputs.size() + 1, Access::strided);
  for (const size_t k : immediates) s.access[k] = Access::immediate;
  s.access[loads ? p.inputs.size() : 0] = Access::function_argument;
  return s;
}

// Samples of int16 under a window of float16 and a factor; the index of an element; a logarithm, of whose
// products some are rounded on purpose.
Made load(int arch, const Element& e, int32_t dims, bool wide) {
  ProgramBuilder b;
  const int32_t x = b.input(DType::int16_), u = b.input(DType::float16_), i = b.input(DType::int64_);
  const int32_t f = b.scalar(scalar_of(0.5), true);
  b.output(b.cast(
      b.op(op::log, b.cast(b.op(op::add, b.op(op::multiply, b.op(op::multiply, x, u), f), i), e.dtype)),
      e.dtype));
  const BoundProgram p = b.finish();
  ElementwiseShape s = shape_of(*p.program, true, dims, wide, {3});
  s.access[2] = Access::ramp;
  return {make_callback(arch, *p.program, s, CallbackKind::load), &e, true};
}

// |x| * factor + column, into another type.
Made store(int arch, const Element& e, int32_t dims, bool wide) {
  ProgramBuilder b;
  const int32_t x = b.input(e.dtype), column = b.input(DType::float32_), f = b.scalar(scalar_of(0.5), true);
  b.output(b.cast(b.op(op::add, b.op(op::multiply, b.op(op::absolute, x), f), column), DType::float16_));
  const BoundProgram p = b.finish();
  return {make_callback(arch, *p.program, shape_of(*p.program, false, dims, wide, {2}), CallbackKind::store),
          &e, false};
}

// A text that declares the function as cuFFT does, makes a pointer of the header's type of it and calls it.
std::string declares(const Made& m, const std::string& name) {
  const char* t = m.element->type;
  if (m.loads) {
    return text("extern __device__ ", t, " ", name, "(void*, unsigned long long, void*, void*);\n__device__ ",
                m.element->load, " p_", name, " = ", name, ";\n__device__ void of_", name, "(", t,
                "* x, void* info) { *x = ", name, "(x, 0, info, nullptr); }\n");
  }
  return text("extern __device__ void ", name, "(void*, unsigned long long, ", t,
              ", void*, void*);\n__device__ ", m.element->store, " p_", name, " = ", name,
              ";\n__device__ void of_", name, "(", t, "* x, void* info) { ", name,
              "(x, 0, *x, info, nullptr); }\n");
}

// Links callbacks with a kernel that calls all; what went wrong, or nothing.
std::string link(const std::vector<Made>& all, int arch, const std::string& wrong = "") {
  std::string text_ = "#include <cufftXt.h>\n", calls;
  for (const Made& m : all) {
    const std::string name = m.callback.name + wrong;
    text_ += declares(m, name);
    calls += text("  of_", name, "((", m.element->type, "*)x, info);\n");
  }
  text_ += text("extern \"C\" __global__ void k(void* x, void* info) {\n", calls, "}\n");
  // As cuFFT compiles its own; the header declares functions of the host too.
  const std::vector<std::string> options = {
      "-arch=compute_75", "-std=c++17",  "-dlto", "--relocatable-device-code=true",
      "-default-device",  "-I" + headers};
  const Compiled wrapper = compile(nvrtc(), text_, "wrapper.cu", options, {}, nullptr, ImageKind::ltoir);
  ModuleCall c;
  c.units.push_back({ImageKind::ltoir, {wrapper.image.data(), wrapper.image.size()}, "wrapper"});
  for (const Made& m : all) {
    c.units.push_back(
        {ImageKind::ltoir, {m.callback.image.data(), m.callback.image.size()}, m.callback.name});
  }
  c.link = true;
  std::string log;
  try {
    const auto made = make_image(c, arch, &log);
    return made.bytes.starts_with("\177ELF") ? "" : "no cubin";
  } catch (const Error& e) {
    return e.text() + "\n" + log;
  }
}

void architecture(int arch) {
  const Nvrtc& n = nvrtc();
  const Compiled writes =
      compile(n, translation_unit(emit_write_words()), "arr.cu", generated_options(n, arch), {}, nullptr);
  check(writes.kind == ImageKind::cubin && writes.image.size() > 4,
        text("the kernel of parameters for sm_", arch));
  for (const Element& e : elements) {
    for (const int32_t dims : {0, 1, 3}) {
      const Made l = load(arch, e, dims, dims == 3), s = store(arch, e, dims, dims == 3);
      check(l.callback.image.size() > 4 && std::string_view(l.callback.image.data(), 4) == "\xED\x43\x4E\x7F",
            text("LTO-IR for sm_", arch));
      check(l.callback.type == s.callback.type - 4, "their kinds");
      // Both in one link, as in a plan.
      const std::string said = link({l, s}, arch);
      check(said.empty(), text(e.type, ", ", dims, " dimensions, sm_", arch, " ", said));
    }
  }
  // The error of a function of another name or type.
  const Made l = load(arch, elements[0], 1, false);
  const std::string said = link({l}, arch, "x");
  check(said.find(l.callback.name + "x") != std::string::npos, "another name is not found");
  Made other = l;
  other.loads = false;
  check(!link({other}, arch).empty(), "a load is no store");
  other = store(arch, elements[0], 1, false);
  other.element = &elements[1];
  check(!link({other}, arch).empty(), "one of complex64 is none of complex128");
  // Names follow from texts: two programs in one link do not take each other's functions.
  const Made again = load(arch, elements[0], 1, false), wide = load(arch, elements[0], 1, true);
  check(again.callback.name == l.callback.name && wide.callback.name != l.callback.name, "names");
  check(link({l, wide}, arch).empty(), "two of one signature");
}

// PTX of a link as cuFFT makes it, which is told nothing of rounding.
std::string ptx_of(const std::string& ltoir, int arch) {
  const NvJitLink& l = nvjitlink();
  void* library = opened(library::nvjitlink);
  const auto size =
      reinterpret_cast<decltype(l.nvJitLinkGetLinkedCubinSize)>(dlsym(library, "nvJitLinkGetLinkedPtxSize"));
  const auto get =
      reinterpret_cast<nvJitLinkResult (*)(nvJitLinkHandle, char*)>(dlsym(library, "nvJitLinkGetLinkedPtx"));
  const std::string sm = text("-arch=sm_", arch);
  const char* options[] = {sm.c_str(), "-lto", "-ptx"};
  nvJitLinkHandle handle = nullptr;
  if (l.nvJitLinkCreate(&handle, 3, options) != NVJITLINK_SUCCESS) return {};
  std::string ptx;
  size_t bytes = 0;
  if (l.nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, ltoir.data(), ltoir.size(), "unit") ==
          NVJITLINK_SUCCESS &&
      l.nvJitLinkComplete(handle) == NVJITLINK_SUCCESS && size(handle, &bytes) == NVJITLINK_SUCCESS) {
    ptx.resize(bytes);
    get(handle, ptx.data());
  }
  l.nvJitLinkDestroy(&handle);
  return ptx;
}

// A product and a sum become one step there, whatever NVRTC was told, but not where a product is to be
// rounded.
void rounding() {
  const char* kernel = "extern \"C\" __global__ void k(float* x) { *x = ";
  auto made = [&](const std::string& line) {
    const std::vector<std::string> options = {"-arch=compute_90", "-dlto", "--fmad=false", "-DARR_JOINS"};
    const Compiled c = compile(nvrtc(), translation_unit(text(kernel, line, "; }\n")), "k.cu", options, {},
                               nullptr, ImageKind::ltoir);
    return ptx_of({c.image.data(), c.image.size()}, 90);
  };
  const std::string joined = made("x[1] * x[2] + x[3]"), kept = made("arr_product(x[1], x[2]) + x[3]");
  check(joined.find("fma.rn.f32") != std::string::npos, "a product and a sum are one step");
  check(kept.find("mul.rn.f32") != std::string::npos && kept.find("fma") == std::string::npos,
        "arr_product is rounded");
}

int run() {
  std::string report;
  probe_nvrtc(&report);
  probe_nvjitlink(&report);
  if (report.find("not available") != std::string::npos) {
    std::printf("skipped: %s", report.c_str());
    return 77;
  }
  std::printf("%s", report.c_str());
  for (const int arch : {75, 90, 100}) architecture(arch);
  rounding();
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace arr::cuda

int main(int argc, char** argv) {
  if (argc > 1) arr::cuda::headers = argv[1];
  try {
    return arr::cuda::run();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
}
