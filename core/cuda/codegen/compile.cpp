// SPDX-License-Identifier: MIT
// Calls of NVRTC, and the loading of its images.
#include "cuda/codegen/compile.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>
#include <set>
#include <string_view>

#include "base/environment.h"
#include "base/log.h"
#include "base/saved_source.h"
#include "bessel_text.h"
#include "bit_generators_text.h"
#include "complex_text.h"
#include "cuda/codegen/compile_cache.h"
#include "device_text.h"
#include "elementary_text.h"
#include "libm_text.h"
#include "lookup_text.h"
#include "math_text.h"
#include "random_text.h"
#include "rejection_text.h"
#include "scalar_text.h"
#include "special_text.h"

namespace arr::cuda {

namespace {

// ARR_E_COMPILE: the input is at fault.
arr_status status_of(nvrtcResult r) {
  switch (r) {
    case NVRTC_ERROR_OUT_OF_MEMORY:
      return ARR_E_MEMORY;
    case NVRTC_ERROR_INVALID_INPUT:
    case NVRTC_ERROR_INVALID_OPTION:
    case NVRTC_ERROR_COMPILATION:
    case NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
      return ARR_E_COMPILE;
    default:
      return ARR_E_DEVICE;
  }
}

void check(const Nvrtc& n, nvrtcResult r, const char* function) {
  if (r != NVRTC_SUCCESS) fail(status_of(r), function, ": ", n.nvrtcGetErrorString(r));
}

// A program of NVRTC for the duration of one compilation.
class Program {
 public:
  Program(const Nvrtc& n, const std::string& source, const char* file) : n_(n) {
    check(n, n.nvrtcCreateProgram(&program_, source.c_str(), file, 0, nullptr, nullptr),
          "nvrtcCreateProgram");
  }
  ~Program() { n_.nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  operator nvrtcProgram() const { return program_; }

 private:
  const Nvrtc& n_;
  nvrtcProgram program_ = nullptr;
};

std::string program_log(const Nvrtc& n, nvrtcProgram p) {
  size_t bytes = 0;
  if (n.nvrtcGetProgramLogSize(p, &bytes) != NVRTC_SUCCESS || bytes <= 1) return {};
  std::string log(bytes, '\0');
  if (n.nvrtcGetProgramLog(p, log.data()) != NVRTC_SUCCESS) return {};
  log.resize(std::min(log.find('\0'), log.size()));
  return log;
}

// "NVRTC 13.0 (/usr/local/cuda/lib64/libnvrtc.so.13): kernel.cu -arch=sm_90 ..."
std::string command_line(const Nvrtc& n, const char* file, std::span<const std::string> options) {
  std::string line = text("NVRTC ", n.major, ".", n.minor, " (", n.path, "): ", file);
  for (const std::string& o : options) line += text(" ", o);
  return line;
}

// ARR_CUDA_DEBUG: code for cuda-gdb, of libarr's own kernels too.
std::vector<std::string> with_debugging(std::span<const std::string> options) {
  std::vector<std::string> all(options.begin(), options.end());
  if (!environment_flag("ARR_CUDA_DEBUG")) return all;
  const auto ensure = [&](const char* option, const char* shorter) {
    const bool there =
        std::any_of(all.begin(), all.end(), [&](auto& o) { return o == option || o == shorter; });
    if (!there) all.emplace_back(option);
  };
  ensure("--device-debug", "-G");
  ensure("--generate-line-info", "-lineinfo");
  return all;
}

// NVRTC's functions for a program's image of a kind.
struct Getter {
  const char *size_name, *name;
  nvrtcResult (*size)(nvrtcProgram, size_t*);
  nvrtcResult (*get)(nvrtcProgram, char*);
};
Getter getter(const Nvrtc& n, ImageKind kind) {
  if (kind == ImageKind::ptx) return {"nvrtcGetPTXSize", "nvrtcGetPTX", n.nvrtcGetPTXSize, n.nvrtcGetPTX};
  if (kind == ImageKind::cubin) {
    return {"nvrtcGetCUBINSize", "nvrtcGetCUBIN", n.nvrtcGetCUBINSize, n.nvrtcGetCUBIN};
  }
  if (n.nvrtcGetLTOIRSize == nullptr || n.nvrtcGetLTOIR == nullptr) {
    fail(ARR_E_UNAVAILABLE, "NVRTC ", n.major, ".", n.minor, " cannot make LTO-IR; 12.0 and later can");
  }
  return {"nvrtcGetLTOIRSize", "nvrtcGetLTOIR", n.nvrtcGetLTOIRSize, n.nvrtcGetLTOIR};
}

bool wants_ptx(std::span<const std::string> options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& o) {
    return o.find("arch") != std::string::npos && o.find("compute_") != std::string::npos;
  });
}

}  // namespace

std::string first_error(const std::string& log) {
  size_t from = 0;
  std::string first;
  while (from < log.size()) {
    size_t to = std::min(log.find('\n', from), log.size());
    std::string line = log.substr(from, to - from);
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && !line.empty()) first = line;
    from = to + 1;
  }
  return first.empty() ? "the compiler gave no reason" : first;
}

namespace {

Compiled compile_anew(const Nvrtc& n, const std::string& source, const char* file,
                      std::span<const std::string> options, std::span<const std::string> names,
                      std::string* log, ImageKind want) {
  const Program program(n, source, file);
  for (const std::string& name : names) {
    check(n, n.nvrtcAddNameExpression(program, name.c_str()), "nvrtcAddNameExpression");
  }
  std::vector<const char*> list;
  for (const std::string& o : options) list.push_back(o.c_str());
  const std::string command = command_line(n, file, options);
  const std::string saved = save_source(command, source, ".cu");
  nvrtcResult r = n.nvrtcCompileProgram(program, static_cast<int>(list.size()), list.data());
  Compiled c;
  c.log = program_log(n, program);
  if (log != nullptr) *log = (r == NVRTC_SUCCESS ? c.log : command + "\n" + c.log) + saved;
  if (r != NVRTC_SUCCESS) {
    if (r == NVRTC_ERROR_COMPILATION || !c.log.empty()) fail(ARR_E_COMPILE, first_error(c.log));
    check(n, r, "nvrtcCompileProgram");
  }
  for (const std::string& name : names) {
    const char* lowered = nullptr;
    check(n, n.nvrtcGetLoweredName(program, name.c_str(), &lowered), "nvrtcGetLoweredName");
    c.lowered.emplace_back(lowered);
  }
  const Getter g = getter(n, want);
  size_t bytes = 0;
  check(n, g.size(program, &bytes), g.size_name);
  c.kind = want;
  c.image.resize(bytes);
  check(n, g.get(program, c.image.data()), g.name);
  return c;
}

}  // namespace

Compiled compile(const Nvrtc& n, const std::string& source, const char* file,
                 std::span<const std::string> options, std::span<const std::string> names, std::string* log,
                 ImageKind want) {
  const std::vector<std::string> all = with_debugging(options);
  if (want == ImageKind::automatic) want = wants_ptx(all) ? ImageKind::ptx : ImageKind::cubin;
  const CompileCacheEntry entry(n, source, file, all, names, want);
  if (std::optional<Compiled> c = entry.find()) {
    if (log != nullptr) *log = c->log;
    return std::move(*c);
  }
  const auto begin = std::chrono::steady_clock::now();
  Compiled c = compile_anew(n, source, file, all, names, log, want);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  log_line(log_level::debug, "NVRTC: ", file, " is compiled, ", source.size(), " bytes in ", took.count(),
           " ms");
  const std::string why = entry.store(c);
  if (log != nullptr) *log += entry.warning() + why;
  return c;
}

std::string arch_option(const Nvrtc& n, int arch) {
  int count = 0;
  check(n, n.nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> archs(static_cast<size_t>(std::max(count, 0)));
  if (count > 0) check(n, n.nvrtcGetSupportedArchs(archs.data()), "nvrtcGetSupportedArchs");
  if (std::find(archs.begin(), archs.end(), arch) != archs.end()) {
    return text(environment_flag("ARR_CUDA_PTX") ? "-arch=compute_" : "-arch=sm_", arch);
  }
  // For a device newer than NVRTC, PTX for the newest device that it knows is compiled by the driver.
  int best = 0;
  for (int a : archs) best = a < arch ? std::max(best, a) : best;
  if (best == 0) {
    fail(ARR_E_UNAVAILABLE, "NVRTC ", n.major, ".", n.minor, " has no code for compute capability ",
         arch / 10, ".", arch % 10);
  }
  return text("-arch=compute_", best);
}

std::vector<std::string> generated_options(const Nvrtc& n, int arch) {
  std::vector<std::string> options = {
      arch_option(n, arch), "-std=c++17", "--fmad=false", "-prec-div=true", "-prec-sqrt=true",
      "-ftz=false",         "-w"};
  // Removes declarations that no generated kernel uses, which takes a tenth off the compile time.
  if (n.major >= 13) options.emplace_back("--minimal");
  return options;
}

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Names of the functions that a header defines: in lines that begin with ARR_FN, the word before the
// first parenthesis. Never destroyed, because kernels may still be compiled at exit.
const std::set<std::string_view>& functions_of(std::string_view header) {
  auto names = std::make_unique<std::set<std::string_view>>();
  for (const std::string_view mark : {"\nARR_FN ", "\nARR_LARGE_FN "}) {
    for (size_t at = header.find(mark); at != std::string_view::npos; at = header.find(mark, at + 1)) {
      size_t end = header.find('(', at), begin = end;
      while (is_word(header[begin - 1])) --begin;
      names->insert(header.substr(begin, end - begin));
    }
  }
  return *names.release();
}

// Returns true if the kernels call a function of the header.
bool calls(const std::string& kernels, const std::set<std::string_view>& functions) {
  for (size_t at = kernels.find("arr_"); at != std::string::npos; at = kernels.find("arr_", at + 1)) {
    size_t end = at;
    while (end < kernels.size() && is_word(kernels[end])) ++end;
    if (functions.count({kernels.data() + at, end - at}) != 0) return true;
  }
  return false;
}

}  // namespace

std::string translation_unit(const std::string& kernels, const std::string& name) {
  static const auto& elementary = functions_of({elementary_text, elementary_text_size});
  std::string unit = text("namespace ", name, " {\n");
  unit.append(scalar_text, scalar_text_size);
  unit.append(libm_text, libm_text_size);
  unit.append(math_text, math_text_size);
  // The less text, the shorter the compilation.
  static const auto& bessel = functions_of({bessel_text, bessel_text_size});
  static const auto& special = functions_of({special_text, special_text_size});
  static const auto& lookup = functions_of({lookup_text, lookup_text_size});
  static const auto& random = functions_of({random_text, random_text_size});
  static const auto& rejection = functions_of({rejection_text, rejection_text_size});
  static const auto& generators = functions_of({bit_generators_text, bit_generators_text_size});
  const bool numbers = kernels.find("arr_cplx<") != std::string::npos;
  const bool rejects = calls(kernels, rejection), makes = calls(kernels, generators);
  const bool draws = rejects || makes || calls(kernels, random);
  const bool waves = calls(kernels, bessel), other = rejects || calls(kernels, special);
  if (numbers || waves || other || calls(kernels, elementary)) {
    unit.append(elementary_text, elementary_text_size);
  }
  if (numbers) unit.append(complex_text, complex_text_size);
  if (waves) unit.append(bessel_text, bessel_text_size);
  if (other) unit.append(special_text, special_text_size);
  if (draws || calls(kernels, lookup)) unit.append(lookup_text, lookup_text_size);
  if (draws) unit.append(random_text, random_text_size);
  if (makes) unit.append(bit_generators_text, bit_generators_text_size);
  if (rejects) unit.append(rejection_text, rejection_text_size);
  unit.append(device_text, device_text_size);
  return unit + kernels + "}\n";
}

Loaded load_generated(Device& d, const std::string& source, const char* name) {
  const Nvrtc& n = nvrtc();
  Compiled c;
  try {
    c = compile(n, translation_unit(source), "arr.cu", generated_options(n, d.limits.arch), {}, nullptr);
  } catch (const Error& e) {
    // The library wrote the text, so a kernel that does not compile is an internal error.
    if (e.status() != ARR_E_COMPILE) throw;
    fail(ARR_E_INTERNAL, "the generated kernel for ", name, " does not compile: ", e.text());
  }
  Loaded l;
  d.check(driver().cuModuleLoadData(&l.module, c.image.data()), "cuModuleLoadData");
  CUresult r = driver().cuModuleGetFunction(&l.function, l.module, "arr_kernel");
  if (r != CUDA_SUCCESS) d.note(driver().cuModuleUnload(l.module), "cuModuleUnload");
  d.check(r, "cuModuleGetFunction");
  return l;
}

}  // namespace arr::cuda
