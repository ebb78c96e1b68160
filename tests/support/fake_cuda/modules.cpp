// SPDX-License-Identifier: MIT
// The fake driver's modules and launches, by the host kernel back end.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cxxabi.h>

#include "base/error.h"
#include "hostcuda/host_kernels.h"
#include "state.h"

namespace arr::fake {
namespace {

struct Function {
  host_kernels::Kernel kernel;
  Context* context = nullptr;
  std::map<int, int> attributes;  // that were set

  // Blocks of a multiprocessor at once: 2048 threads and 228 KiB of shared memory, of which each takes one
  // more.
  [[nodiscard]] int active(int threads, size_t shared_bytes) const {
    const size_t each = kernel.static_shared_bytes + shared_bytes + 1024;
    const int by_threads = 2048 / ((threads + 31) / 32 * 32), by_memory = static_cast<int>(233472 / each);
    return std::min({by_threads, by_memory, 32});
  }
};
struct Module {
  Program program;
  std::shared_ptr<host_kernels::Image> image;
  std::map<std::string, std::unique_ptr<Function>> functions;
  std::vector<uintptr_t> globals;  // of the context's that are its
  Context* context = nullptr;
};
bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns whether the driver would know a kernel by its plain name: only when it is extern "C", by itself or
// in a block that begins before it.
bool has_plain_name(const std::string& s, const std::string& name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), in_identifier)) return false;
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

CUresult load(CUmodule* module, const void* image) {
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto m = std::make_unique<Module>();
  if (!unpack(static_cast<const char*>(image), &m->program)) return CUDA_ERROR_INVALID_IMAGE;
  // As the driver: LTO-IR has to be linked first.
  if (m->program.form == Form::ltoir) return CUDA_ERROR_INVALID_IMAGE;
  try {
    m->image = build(m->program);
  } catch (const std::exception&) {
    return CUDA_ERROR_INVALID_IMAGE;
  }
  m->context = current();
  ++live().modules;
  *module = reinterpret_cast<CUmodule>(m.release());
  return CUDA_SUCCESS;
}

CUresult launch(const CUlaunchConfig& c, Function& f, void** params, bool cooperative) {
  if (setting("run") == 0) return CUDA_SUCCESS;
  Stream* s = stream_of(c.hStream);
  if (s == nullptr || f.context != current()) return CUDA_ERROR_INVALID_HANDLE;
  const std::array<uint32_t, 3> grid = {c.gridDimX, c.gridDimY, c.gridDimZ},
                                block = {c.blockDimX, c.blockDimY, c.blockDimZ};
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0 || grid[1] > 65535 || grid[2] > 65535 || block[0] == 0 ||
      block[1] == 0 || block[2] == 0 || uint64_t{block[0]} * block[1] * block[2] > 1024 ||
      c.sharedMemBytes > f.kernel.max_shared_bytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // The arguments' values are read now, as the driver does; the kernel may run later.
  std::vector<std::vector<char>> values;
  for (size_t i = 0; i < f.kernel.arg_bytes.size(); ++i) {
    const char* from = static_cast<const char*>(params[i]);
    values.emplace_back(from, from + f.kernel.arg_bytes[i]);
  }
  enqueue(*s, [kernel = f.kernel, grid, block, shared = c.sharedMemBytes, cooperative,
               values = std::move(values)]() mutable {
    std::vector<void*> args;
    for (auto& v : values) args.push_back(v.data());
    try {
      host_kernels::launch(kernel, grid.data(), block.data(), shared, args.data(),
                           static_cast<int>(args.size()), nullptr, cooperative);
      return CUDA_SUCCESS;
    } catch (const std::exception& e) {
      // The driver has one status for all reasons.
      std::fprintf(stderr, "fake CUDA: %s\n", e.what());
      return CUDA_ERROR_LAUNCH_FAILED;
    }
  });
  return CUDA_SUCCESS;
}

// "phys::table" of "_ZN4phys5tableE"; other names as they are.
std::string plain_name(const char* name) {
  int status = 0;
  char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string out = status == 0 && std::strncmp(name, "_Z", 2) == 0 ? plain : name;
  std::free(plain);  // NOLINT: __cxa_demangle allocates
  return out;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  ARR_FAKE_ENTER(cuModuleLoadData);
  return load(module, image);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int noptions, CUjit_option* options,
                            void** values) {
  ARR_FAKE_ENTER(cuModuleLoadDataEx);
  const CUresult r = load(module, image);
  const bool ptx = std::strstr(static_cast<const char*>(image), ".version") != nullptr;
  if (r != CUDA_ERROR_INVALID_IMAGE || !ptx) return r;
  for (unsigned i = 0; i < noptions; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
      constexpr char words[] = "ptxas application ptx input, line 1; fatal : not of the fake";
      std::memcpy(values[i], words, sizeof words);
    }
  }
  return CUDA_ERROR_INVALID_PTX;
}
CUresult cuModuleUnload(CUmodule module) {
  ARR_FAKE_ENTER(cuModuleUnload);
  auto* m = reinterpret_cast<Module*>(module);
  for (uintptr_t at : m->globals) m->context->globals.erase(at);
  delete m;
  --live().modules;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  ARR_FAKE_ENTER(cuModuleGetGlobal_v2);
  auto& m = *reinterpret_cast<Module*>(module);
  try {
    const auto found =
        arr::host_kernels::global(*m.image, m.program.units.front().ptx ? name : plain_name(name));
    const auto at = reinterpret_cast<uintptr_t>(found.address);
    if (m.context->globals.emplace(at, found.bytes).second) m.globals.push_back(at);
    *pointer = at;
    *bytes = found.bytes;
  } catch (const std::exception&) {
    return CUDA_ERROR_NOT_FOUND;
  }
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
    for (const Unit& u : m.program.units) {
      if (u.ptx) expression = wanted;
      if (expression.empty() && has_plain_name(u.source, wanted)) expression = wanted;
    }
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
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  ARR_FAKE_ENTER(cuFuncGetAttribute);
  const auto& f = *reinterpret_cast<Function*>(function);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = f.kernel.static_shared_known ? static_cast<int>(f.kernel.static_shared_bytes) : 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = 32;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = static_cast<int>(setting("arch"));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = static_cast<int>(f.kernel.max_shared_bytes);
      return CUDA_SUCCESS;
    default:
      if (attribute < 0 || attribute > CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED + 1) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      const auto set = f.attributes.find(attribute);
      *value = set != f.attributes.end()                                         ? set->second
               : attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? -1
                                                                                 : 0;
      return CUDA_SUCCESS;
  }
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  ARR_FAKE_ENTER(cuFuncSetAttribute);
  auto& f = *reinterpret_cast<Function*>(function);
  int min = 0, max = -1;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) max = 232448;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) max = 1;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) min = -1, max = 100;
  if (value < min || value > max) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    f.kernel.max_shared_bytes = static_cast<uint64_t>(value);
  }
  f.attributes[attribute] = value;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared_bytes) {
  ARR_FAKE_ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  *blocks = reinterpret_cast<Function*>(function)->active(threads, shared_bytes);
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialBlockSize(int* blocks, int* threads, CUfunction function, CUoccupancyB2DSize,
                                          size_t shared_bytes, int limit) {
  ARR_FAKE_ENTER(cuOccupancyMaxPotentialBlockSize);
  *threads = limit > 0 && limit < 1024 ? limit : 1024;
  *blocks = multiprocessors * reinterpret_cast<Function*>(function)->active(*threads, shared_bytes);
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
  return launch({grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, nullptr, 0},
                *reinterpret_cast<Function*>(function), params, false);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void**) {
  ARR_FAKE_ENTER(cuLaunchKernelEx);
  auto& f = *reinterpret_cast<Function*>(function);
  const CUlaunchConfig& c = *config;
  bool cooperative = false;
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    const CUlaunchAttribute& a = c.attrs[i];
    const int threads = static_cast<int>(c.blockDimX * c.blockDimY * c.blockDimZ);
    const uint64_t blocks = uint64_t{c.gridDimX} * c.gridDimY * c.gridDimZ;
    cooperative = cooperative || (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a.value.cooperative != 0);
    if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE &&
        blocks > static_cast<uint64_t>(multiprocessors * f.active(threads, c.sharedMemBytes))) {
      return 720;  // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
    }
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const unsigned* n = a.value.cluster;
      const bool divides = c.gridDimX % n[0] == 0 && c.gridDimY % n[1] == 0 && c.gridDimZ % n[2] == 0;
      const auto wide = f.attributes.find(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
      const unsigned max_blocks = wide != f.attributes.end() && wide->second == 1 ? 16 : 8;
      if (!divides || n[0] * n[1] * n[2] > max_blocks) return 912;  // CUDA_ERROR_INVALID_CLUSTER_SIZE
    }
  }
  return launch(c, f, params, cooperative);
}

#pragma GCC visibility pop
}
