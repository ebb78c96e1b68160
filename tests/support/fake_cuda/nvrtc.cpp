// SPDX-License-Identifier: MIT
// The fake NVRTC, whose images are source texts, and the fake nvJitLink, which puts several into one.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "real_nvrtc.h"
#include "state.h"

namespace arr::fake {
namespace {

struct Nvrtc {
  Program program;
  std::string log;
  std::map<std::string, std::string> lowered_names;
  bool compiled = false;
};

constexpr std::array<int, 8> archs = {75, 80, 86, 89, 90, 100, 103, 120};

// NVRTC's answer to -arch=sm_N for an N that it does not know, or 0.
nvrtcResult check_arch(const Program& p, std::string* log) {
  for (const std::string& o : p.options) {
    size_t at = o.find("arch=");
    if (at == std::string::npos) continue;
    int arch = std::atoi(o.c_str() + o.find('_') + 1);
    if (std::find(archs.begin(), archs.end(), arch) != archs.end()) continue;
    *log = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  return NVRTC_SUCCESS;
}

nvrtcResult copy_out(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

Nvrtc& of(nvrtcProgram p) { return *reinterpret_cast<Nvrtc*>(p); }

nvrtcResult image_size(nvrtcProgram program, Form form, size_t* bytes) {
  if (!of(program).compiled) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = pack(of(program).program, form).size() + 1;
  return NVRTC_SUCCESS;
}

struct Linker {
  Program program;
  std::string log, cubin;
  bool lto = false;
};
Linker& of(nvJitLinkHandle h) { return *reinterpret_cast<Linker*>(h); }

nvJitLinkResult copy_log(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVJITLINK_SUCCESS;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

nvrtcResult nvrtcVersion(int* major, int* minor) {
  ARR_FAKE_ENTER(nvrtcVersion);
  *major = 13;
  // Images on the disk belong to a version: those of another format or of the toolkit's NVRTC are not taken.
  constexpr int real = 100;
  *minor = image_format + (uses_real_nvrtc() ? real : 0);
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
    case NVRTC_SUCCESS:
      return "NVRTC_SUCCESS";
    case NVRTC_ERROR_OUT_OF_MEMORY:
      return "NVRTC_ERROR_OUT_OF_MEMORY";
    case NVRTC_ERROR_INVALID_OPTION:
      return "NVRTC_ERROR_INVALID_OPTION";
    case NVRTC_ERROR_COMPILATION:
      return "NVRTC_ERROR_COMPILATION";
    default:
      return "NVRTC_ERROR unknown";
  }
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  ARR_FAKE_ENTER(nvrtcGetNumSupportedArchs);
  *count = static_cast<int>(archs.size());
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* out) {
  ARR_FAKE_ENTER(nvrtcGetSupportedArchs);
  std::copy(archs.begin(), archs.end(), out);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int,
                               const char* const*, const char* const*) {
  ARR_FAKE_ENTER(nvrtcCreateProgram);
  auto* n = new Nvrtc;
  n->program.units = {{name != nullptr ? name : "default_program", source}};
  ++live().handles;
  *program = reinterpret_cast<nvrtcProgram>(n);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  ARR_FAKE_ENTER(nvrtcDestroyProgram);
  if (*program == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  delete reinterpret_cast<Nvrtc*>(*program);
  --live().handles;
  *program = nullptr;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  ARR_FAKE_ENTER(nvrtcAddNameExpression);
  of(program).program.names.emplace_back(expression);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int noptions, const char* const* options) {
  ARR_FAKE_ENTER(nvrtcCompileProgram);
  Nvrtc& n = of(program);
  n.program.options.assign(options, options + noptions);
  if (nvrtcResult r = check_arch(n.program, &n.log); r != NVRTC_SUCCESS) return r;
  const bool relocatable =
      std::find(n.program.options.begin(), n.program.options.end(), "-dlto") != n.program.options.end();
  if (uses_real_nvrtc() && !relocatable) {
    const nvrtcResult result = compile_to_ptx(&n.program, &n.log, &n.lowered_names);
    if (result != NVRTC_SUCCESS) return result;
  }
  try {
    auto image = build(n.program);
    if (n.program.units.front().ptx) {
      n.compiled = true;
      return NVRTC_SUCCESS;
    }
    for (const std::string& name : n.program.names) {
      if (!relocatable) arr::host_kernels::kernel(image, name);
      n.lowered_names[name] = lowered(name);
    }
    n.log = arr::host_kernels::log(*image);
  } catch (const arr::host_kernels::CompileError& e) {
    n.log = e.text() + "\n" + e.log;
    return NVRTC_ERROR_COMPILATION;
  } catch (const std::exception& e) {
    // Definitions of another unit are missing when this one is loaded alone.
    if (!relocatable || std::strstr(e.what(), "undefined symbol") == nullptr) {
      n.log = std::string("error: ") + e.what() + "\n";
      return NVRTC_ERROR_COMPILATION;
    }
    for (const std::string& name : n.program.names) n.lowered_names[name] = lowered(name);
  }
  n.compiled = true;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  ARR_FAKE_ENTER(nvrtcGetProgramLogSize);
  *bytes = of(program).log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  ARR_FAKE_ENTER(nvrtcGetProgramLog);
  return copy_out(of(program).log, log);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  ARR_FAKE_ENTER(nvrtcGetCUBINSize);
  return image_size(program, Form::cubin, bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
  ARR_FAKE_ENTER(nvrtcGetCUBIN);
  return copy_out(pack(of(program).program, Form::cubin), image);
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  ARR_FAKE_ENTER(nvrtcGetPTXSize);
  return image_size(program, Form::ptx, bytes);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* image) {
  ARR_FAKE_ENTER(nvrtcGetPTX);
  return copy_out(pack(of(program).program, Form::ptx), image);
}
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* bytes) {
  ARR_FAKE_ENTER(nvrtcGetLTOIRSize);
  return image_size(program, Form::ltoir, bytes);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* image) {
  ARR_FAKE_ENTER(nvrtcGetLTOIR);
  return copy_out(pack(of(program).program, Form::ltoir), image);
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  ARR_FAKE_ENTER(nvrtcGetLoweredName);
  auto& names = of(program).lowered_names;
  auto at = names.find(expression);
  if (at == names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = at->second.c_str();
  return NVRTC_SUCCESS;
}

nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  ARR_FAKE_ENTER(nvJitLinkVersion);
  *major = 13;
  *minor = 0;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t noptions, const char** options) {
  ARR_FAKE_ENTER(nvJitLinkCreate);
  bool arch = false;
  auto l = std::make_unique<Linker>();
  for (uint32_t i = 0; i < noptions; ++i) {
    const std::string_view o = options[i];
    arch = arch || o.starts_with("-arch=sm_");
    l->lto = l->lto || o == "-lto";
    if (!o.starts_with("-arch=") && o != "-lto" && o != "-g" && o != "-lineinfo" &&
        !o.starts_with("-maxrregcount=")) {
      return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    }
  }
  if (!arch) return 2;  // NVJITLINK_ERROR_MISSING_ARCH
  ++live().handles;
  *handle = reinterpret_cast<nvJitLinkHandle>(l.release());
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
  ARR_FAKE_ENTER(nvJitLinkDestroy);
  if (*handle == nullptr) return NVJITLINK_ERROR_INVALID_INPUT;
  delete &of(*handle);
  *handle = nullptr;
  --live().handles;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType kind, const void* data,
                                 size_t bytes, const char* name) {
  ARR_FAKE_ENTER(nvJitLinkAddData);
  Linker& l = of(handle);
  if (kind == NVJITLINK_INPUT_LIBRARY) {  // of which nothing is ever used here
    if (!std::string_view(static_cast<const char*>(data), bytes).starts_with("!<arch>\n")) {
      return NVJITLINK_ERROR_INVALID_INPUT;
    }
    l.log += std::string("library ") + name + "\n";
    return NVJITLINK_SUCCESS;
  }
  constexpr Form forms[] = {Form::cubin, Form::ptx, Form::ltoir, Form::fatbin};
  Program p;
  if (!unpack(static_cast<const char*>(data), &p) || kind < 1 || kind > 4 || p.form != forms[kind - 1]) {
    l.log += std::string("error: ") + name + " is not of its kind\n";
    return NVJITLINK_ERROR_INVALID_INPUT;
  }
  if (p.form == Form::ltoir && !l.lto) {
    l.log += std::string("error: ") + name + " needs -lto\n";
    return NVJITLINK_ERROR_INVALID_INPUT;
  }
  for (Unit& u : p.units) l.program.units.push_back(std::move(u));
  l.program.options = p.options;
  l.program.names.insert(l.program.names.end(), p.names.begin(), p.names.end());
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  ARR_FAKE_ENTER(nvJitLinkComplete);
  Linker& l = of(handle);
  try {
    // Names given to one unit must not leave out the others' kernels, which are found by their own names.
    Program all = l.program;
    all.names.clear();
    build(all);
  } catch (const std::exception& e) {
    l.log += std::string("error   : ") + e.what() + "\n";
    return NVJITLINK_ERROR_INTERNAL;
  }
  l.cubin = pack(l.program, Form::cubin);
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* bytes) {
  ARR_FAKE_ENTER(nvJitLinkGetLinkedCubinSize);
  *bytes = of(handle).cubin.size() + 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin) {
  ARR_FAKE_ENTER(nvJitLinkGetLinkedCubin);
  return copy_log(of(handle).cubin, static_cast<char*>(cubin));
}
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* bytes) {
  ARR_FAKE_ENTER(nvJitLinkGetErrorLogSize);
  *bytes = of(handle).log.size() + 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log) {
  ARR_FAKE_ENTER(nvJitLinkGetErrorLog);
  return copy_log(of(handle).log, log);
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle, size_t* bytes) {
  ARR_FAKE_ENTER(nvJitLinkGetInfoLogSize);
  *bytes = 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle, char* log) {
  ARR_FAKE_ENTER(nvJitLinkGetInfoLog);
  *log = '\0';
  return NVJITLINK_SUCCESS;
}

#pragma GCC visibility pop
}

// Every function of the tables is here, with its types.
namespace arr::fake {
#define ARR_CUDA_FN(symbol, need, params) \
  static_assert(std::is_same_v<decltype(&::symbol), CUresult(*) params>);
#define ARR_NVRTC_FN(symbol, need, result, params) \
  static_assert(std::is_same_v<decltype(&::symbol), result(*) params>);
#define ARR_NVJITLINK_FN(symbol, need, result, params) \
  static_assert(std::is_same_v<decltype(&::symbol), result(*) params>);
#include "cuda/driver/nvjitlink_api.def"
#include "cuda/driver/nvrtc_api.def"
#undef ARR_NVJITLINK_FN
#undef ARR_CUDA_FN
#undef ARR_NVRTC_FN
}  // namespace arr::fake
