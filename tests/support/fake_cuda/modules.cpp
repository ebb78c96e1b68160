// SPDX-License-Identifier: MIT
// The fake driver's modules and launches, by the host kernel back end, and the fake NVRTC that feeds it.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "base/error.h"
#include "host/kernels/host_kernels.h"
#include "state.h"

namespace arr::fake {
namespace {

constexpr const char magic[] = "fake cubin 1";

struct Function {
  host_kernels::Kernel kernel;
  Context* context = nullptr;
};
struct Module {
  Program program;
  std::shared_ptr<host_kernels::Image> image;
  std::map<std::string, std::unique_ptr<Function>> functions;
  Context* context = nullptr;
};
struct Nvrtc {
  Program program;
  std::string log, image;
  std::map<std::string, std::string> lowered_names;
  bool compiled = false;
};

void put(std::string* out, const std::string& field) { *out += std::to_string(field.size()) + ":" + field; }
std::string get(const char** at) {
  char* end = nullptr;
  size_t n = std::strtoull(*at, &end, 10);
  *at = end + 1 + n;
  return {end + 1, n};
}

host_kernels::Options options_of(const Program& p) {
  host_kernels::Options o;
  o.compiler_options = p.options;
  o.names = p.names;
  return o;
}

bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether the driver would know a kernel by its plain name: only when it is extern "C", by itself or in a
// block that begins before it.
bool has_plain_name(const Program& p, const std::string& name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), in_identifier)) return false;
  const std::string& s = p.source;
  for (size_t at = s.find(name); at != std::string::npos; at = s.find(name, at + 1)) {
    size_t after = s.find_first_not_of(" \t\n", at + name.size());
    if (after == std::string::npos || s[after] != '(' || (at > 0 && in_identifier(s[at - 1]))) continue;
    size_t begin = s.find_last_of(";{}", at);
    size_t linkage = s.rfind("extern \"C\"", at);
    if (linkage == std::string::npos) continue;
    size_t brace = s.find_first_not_of(" \t\n", linkage + std::strlen("extern \"C\""));
    if (begin == std::string::npos || linkage > begin || s[brace] == '{') return true;
  }
  return false;
}

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

}  // namespace

std::string pack(const Program& p) {
  std::string out = magic;
  out += '\n';
  put(&out, p.source);
  put(&out, std::to_string(p.options.size()));
  for (const std::string& o : p.options) put(&out, o);
  put(&out, std::to_string(p.names.size()));
  for (const std::string& n : p.names) put(&out, n);
  return out;
}

bool unpack(const char* image, Program* p) {
  if (std::strncmp(image, magic, sizeof magic - 1) != 0) return false;
  const char* at = image + sizeof magic;
  p->source = get(&at);
  for (size_t n = std::stoull(get(&at)); n > 0; --n) p->options.push_back(get(&at));
  for (size_t n = std::stoull(get(&at)); n > 0; --n) p->names.push_back(get(&at));
  return true;
}

std::string lowered(const std::string& expression) { return "_Zfake" + expression; }

}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  ARR_FAKE_ENTER(cuModuleLoadData);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto m = std::make_unique<Module>();
  if (!unpack(static_cast<const char*>(image), &m->program)) return CUDA_ERROR_INVALID_IMAGE;
  try {
    m->image = arr::host_kernels::compile(m->program.source, options_of(m->program));
  } catch (const std::exception&) {
    return CUDA_ERROR_INVALID_IMAGE;
  }
  m->context = current();
  ++live().modules;
  *module = reinterpret_cast<CUmodule>(m.release());
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  ARR_FAKE_ENTER(cuModuleUnload);
  delete reinterpret_cast<Module*>(module);
  --live().modules;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  ARR_FAKE_ENTER(cuModuleGetFunction);
  auto& m = *reinterpret_cast<Module*>(module);
  std::string wanted = name;
  auto& f = m.functions[wanted];
  if (!f) {
    std::string expression;
    for (const std::string& n : m.program.names) {
      if (lowered(n) == wanted) expression = n;
    }
    if (expression.empty() && has_plain_name(m.program, wanted)) expression = wanted;
    if (expression.empty()) return CUDA_ERROR_NOT_FOUND;
    try {
      f = std::make_unique<Function>();
      f->kernel = arr::host_kernels::kernel(m.image, expression);
      f->context = m.context;
    } catch (const std::exception&) {
      f.reset();
      return CUDA_ERROR_NOT_FOUND;
    }
  }
  *function = reinterpret_cast<CUfunction>(f.get());
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  ARR_FAKE_ENTER(cuFuncGetAttribute);
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  ARR_FAKE_ENTER(cuFuncSetAttribute);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > 232448) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  reinterpret_cast<Function*>(function)->kernel.max_shared_bytes = static_cast<uint64_t>(value);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  ARR_FAKE_ENTER(cuFuncGetParamInfo);
  const auto& sizes = reinterpret_cast<Function*>(function)->kernel.arg_bytes;
  if (index >= sizes.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  for (size_t i = 0; i < index; ++i) *offset += (sizes[i] + 7) / 8 * 8;
  *bytes = sizes[index];
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void** params, void**) {
  ARR_FAKE_ENTER(cuLaunchKernel);
  if (setting("run") == 0) return CUDA_SUCCESS;
  Stream* s = stream_of(stream);
  const auto& f = *reinterpret_cast<Function*>(function);
  if (s == nullptr || f.context != current()) return CUDA_ERROR_INVALID_HANDLE;
  const std::array<uint32_t, 3> grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535 || block_x == 0 ||
      block_y == 0 || block_z == 0 || uint64_t{block_x} * block_y * block_z > 1024 ||
      shared_bytes > f.kernel.max_shared_bytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // The arguments' values are read now, as the driver does; the kernel may run later.
  std::vector<std::vector<char>> values;
  for (size_t i = 0; i < f.kernel.arg_bytes.size(); ++i) {
    const char* from = static_cast<const char*>(params[i]);
    values.emplace_back(from, from + f.kernel.arg_bytes[i]);
  }
  enqueue(*s, [kernel = f.kernel, grid, block, shared_bytes, values = std::move(values)]() mutable {
    std::vector<void*> args;
    for (auto& v : values) args.push_back(v.data());
    try {
      arr::host_kernels::launch(kernel, grid.data(), block.data(), shared_bytes, args.data(),
                                static_cast<int>(args.size()));
      return CUDA_SUCCESS;
    } catch (const std::exception&) {
      return CUDA_ERROR_LAUNCH_FAILED;
    }
  });
  return CUDA_SUCCESS;
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  ARR_FAKE_ENTER(nvrtcVersion);
  *major = 13;
  *minor = 0;
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
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char*, int,
                               const char* const*, const char* const*) {
  ARR_FAKE_ENTER(nvrtcCreateProgram);
  auto* n = new Nvrtc;
  n->program.source = source;
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
  try {
    auto image = arr::host_kernels::compile(n.program.source, options_of(n.program));
    for (const std::string& name : n.program.names) {
      arr::host_kernels::kernel(image, name);
      n.lowered_names[name] = lowered(name);
    }
    n.log = arr::host_kernels::log(*image);
  } catch (const arr::host_kernels::CompileError& e) {
    n.log = e.text() + "\n" + e.log;
    return NVRTC_ERROR_COMPILATION;
  } catch (const std::exception& e) {
    n.log = std::string("error: ") + e.what() + "\n";
    return NVRTC_ERROR_COMPILATION;
  }
  n.image = pack(n.program);
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
  *bytes = of(program).image.size() + 1;
  return of(program).compiled ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  ARR_FAKE_ENTER(nvrtcGetCUBIN);
  return copy_out(of(program).image, cubin);
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  ARR_FAKE_ENTER(nvrtcGetPTXSize);
  *bytes = of(program).image.size() + 1;
  return of(program).compiled ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  ARR_FAKE_ENTER(nvrtcGetPTX);
  return copy_out(of(program).image, ptx);
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  ARR_FAKE_ENTER(nvrtcGetLoweredName);
  auto& names = of(program).lowered_names;
  auto at = names.find(expression);
  if (at == names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = at->second.c_str();
  return NVRTC_SUCCESS;
}

#pragma GCC visibility pop
}

// Every function of the tables is here, with its types.
namespace arr::fake {
#define ARR_CUDA_FN(symbol, need, params) \
  static_assert(std::is_same_v<decltype(&::symbol), CUresult(*) params>);
#define ARR_NVRTC_FN(symbol, need, result, params) \
  static_assert(std::is_same_v<decltype(&::symbol), result(*) params>);
#include "cuda/nvrtc_api.def"
#undef ARR_CUDA_FN
#undef ARR_NVRTC_FN
}  // namespace arr::fake
