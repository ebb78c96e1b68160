// SPDX-License-Identifier: MIT
// Creates modules from a call's units, and finds their variables and kernels.
#include "cuda/kernels/entries.h"

#include <algorithm>
#include <cstring>

#include "backend/module_options.h"
#include "cuda/kernels/module.h"

namespace arr::cuda {

namespace {

// The driver's compiler for PTX; its messages go to *log.
CUmodule load_ptx(Device& d, const char* image, const ModuleCall& call, std::string* log) {
  constexpr size_t max_log = 16384;
  std::string info(max_log, '\0'), errors(max_log, '\0');
  std::vector<CUjit_option> options = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                                       CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  const auto number = [](int64_t n) { return reinterpret_cast<void*>(static_cast<intptr_t>(n)); };
  std::vector<void*> values = {info.data(), number(max_log), errors.data(), number(max_log)};
  const auto add = [&](CUjit_option option, int64_t value) {
    options.push_back(option);
    values.push_back(number(value));
  };
  if (call.max_registers > 0) add(CU_JIT_MAX_REGISTERS, call.max_registers);
  if (call.debug) add(CU_JIT_GENERATE_DEBUG_INFO, 1);
  if (call.lineinfo) add(CU_JIT_GENERATE_LINE_INFO, 1);
  CUmodule module = nullptr;
  const CUresult r = driver().cuModuleLoadDataEx(&module, image, static_cast<unsigned>(options.size()),
                                                 options.data(), values.data());
  const std::string said = info.substr(0, info.find('\0')) + errors.substr(0, errors.find('\0'));
  if (log != nullptr) *log += said;
  if (r == CUDA_ERROR_INVALID_PTX || r == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    fail(ARR_E_COMPILE, said.empty() ? "" : first_error(said) + ": ", error_text(r));
  }
  d.check(r, "cuModuleLoadDataEx");
  return module;
}

CUmodule load(Device& d, ImageKind kind, const char* image, const ModuleCall& call, std::string* log) {
  if (kind == ImageKind::ptx || kind == ImageKind::fatbin) return load_ptx(d, image, call, log);
  CUmodule module = nullptr;
  const CUresult r = driver().cuModuleLoadData(&module, image);
  if (r == CUDA_ERROR_NO_BINARY_FOR_GPU || r == CUDA_ERROR_INVALID_IMAGE) {
    fail(ARR_E_ARGUMENT, "argument image: ", arr::name(kind), " that ", d.name, " (sm_", d.limits.arch,
         ") does not take: ", error_text(r));
  }
  d.check(r, "cuModuleLoadData");
  return module;
}

// Refuses options that have no effect on units that are compiled already.
void check_options(const ModuleCall& call) {
  const bool source = std::any_of(call.units.begin(), call.units.end(),
                                  [](const ModuleUnit& u) { return u.kind == ImageKind::source; });
  if (source) return;
  const char* what = option_for_source(call);
  const ImageKind kind = call.units.front().kind;
  const bool linked = is_linked(call);
  if (!linked && kind == ImageKind::library) {
    fail(ARR_E_ARGUMENT, "argument image: ", call.units.front().name,
         " is an archive, which arr_module_link takes beside what uses it");
  }
  if (what == nullptr && !linked && !call.options.empty()) what = "options";
  if (what == nullptr && !linked && kind == ImageKind::cubin) {
    what = call.max_registers != 0 ? "max_registers"
           : call.debug            ? "debug"
           : call.lineinfo         ? "lineinfo"
                                   : nullptr;
  }
  if (what != nullptr) {
    fail(ARR_E_ARGUMENT, "argument options: ", what, " is for source, the image is ", arr::name(kind));
  }
}

// "_ZN4phys5tableE": the mangled name of the variable phys::table.
std::string mangled(const std::string& name) {
  std::string out = "_ZN";
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find("::", at), name.size());
    out += text(end - at, name.substr(at, end - at));
    at = end + 2;
  }
  return out + "E";
}

// The function with exactly that name in the module (extern "C"); nullptr if there is none.
CUfunction find_plain(Device& d, const RawModule& m, const char* name) {
  CUfunction f = nullptr;
  CUresult r = driver().cuModuleGetFunction(&f, m.modules.front(), name);
  if (r == CUDA_ERROR_NOT_FOUND) return nullptr;
  d.check(r, "cuModuleGetFunction");
  return f;
}

// Compiles the source again with the name as a name expression, which instantiates templates, and returns the
// mangled name.
CUfunction find_expression(Device& d, RawModule& m, const char* name) {
  if (m.source.empty()) {
    fail(ARR_E_ARGUMENT, "argument name: the module has no kernel ", name,
         "; of images and linked units, names of C++ are given as they are in the image or in options.names");
  }
  if (m.variables) {
    fail(ARR_E_ARGUMENT, "argument name: the module has no kernel ", name,
         "; in a source with __device__ or __constant__ variables every template's instance is given in "
         "options.names");
  }
  const std::string names[] = {name};
  Compiled c;
  std::string log;
  try {
    c = compile(nvrtc(), m.source, m.file.c_str(), m.options, names, &log);
  } catch (const Error& e) {
    if (e.status() != ARR_E_COMPILE) throw;
    fail(ARR_E_ARGUMENT, "argument name: the module has no kernel ", name, ": ", e.text());
  }
  CUmodule module = load(d, c.kind, c.image.data(), {}, nullptr);
  CUfunction f = nullptr;
  CUresult r = driver().cuModuleGetFunction(&f, module, c.lowered.front().c_str());
  if (r != CUDA_SUCCESS) {
    d.note(driver().cuModuleUnload(module), "cuModuleUnload");
    if (r == CUDA_ERROR_NOT_FOUND) fail(ARR_E_ARGUMENT, "argument name: ", name, " is not a kernel");
    d.check(r, "cuModuleGetFunction");
  }
  m.modules.push_back(module);
  return f;
}

int32_t attribute(Device& d, CUfunction f, CUfunction_attribute which) {
  int value = 0;
  d.check(driver().cuFuncGetAttribute(&value, which, f), "cuFuncGetAttribute");
  return value;
}

void learn_params(RawKernel* k) {
  if (driver().cuFuncGetParamInfo == nullptr) return;
  for (size_t i = 0;; ++i) {
    size_t offset = 0, bytes = 0;
    CUresult r = driver().cuFuncGetParamInfo(k->function, i, &offset, &bytes);
    if (r == CUDA_ERROR_INVALID_VALUE) break;  // past the last
    if (r != CUDA_SUCCESS) return;
    k->params.push_back({.bytes = static_cast<int64_t>(bytes)});
  }
  k->known = true;
}

}  // namespace

RawKernel* raw_kernel(Device& d, RawModule& m, const char* name) {
  const std::lock_guard lock(m.mutex);
  auto at = m.kernels.find(name);
  if (at != m.kernels.end()) return at->second.get();
  auto k = std::make_unique<RawKernel>();
  k->name = name;
  const auto given = m.lowered.find(name);
  k->function = find_plain(d, m, given != m.lowered.end() ? given->second.c_str() : name);
  if (k->function == nullptr) k->function = find_expression(d, m, name);
  k->threads = attribute(d, k->function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  k->static_shared = attribute(d, k->function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  learn_params(k.get());
  return m.kernels.emplace(name, std::move(k)).first->second.get();
}

int32_t module_create(int32_t device, const ModuleCall* c, void** module, std::string* log,
                      BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    check_options(*c);
    call.device.collect_deferred_modules();
    auto m = std::make_unique<RawModule>();
    Made made = make_image(*c, call.device.limits.arch, log);
    if (!is_linked(*c) && c->units.front().kind == ImageKind::source) {
      m->source = c->units.front().bytes;
      m->file = c->units.front().name;
      m->variables = c->variables;
      m->options = compiler_options(*c, nvrtc(), call.device.limits.arch);
    }
    m->lowered = std::move(made.lowered);
    m->modules.push_back(load(call.device, made.kind, made.bytes.c_str(), *c, log));
    *module = m.release();
  });
}

int32_t module_image(int32_t device, const ModuleCall* c, ImageKind kind, std::string* image,
                     std::string* log, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Nvrtc& n = nvrtc();
    const bool given = std::any_of(c->options.begin(), c->options.end(), chooses_arch);
    const int arch = given ? 0 : Device::get(device).limits.arch;
    std::vector<std::string> options = compiler_options(*c, n, arch);
    if (kind == ImageKind::ltoir) options.emplace_back("-dlto");
    const ModuleUnit& u = c->units.front();
    const Compiled made = compile(n, std::string(u.bytes), u.name.c_str(), options, c->names, log, kind);
    image->assign(made.image.data(), made.image.size());
    while (kind == ImageKind::ptx && !image->empty() && image->back() == '\0') image->pop_back();
  });
}

int32_t module_destroy(int32_t device, void* module, BackendError* error) {
  return translate_exceptions(error, [&] {
    const std::unique_ptr<RawModule> m(static_cast<RawModule*>(module));
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;  // gone with its context
    for (CUmodule loaded : m->modules) d->defer_release(loaded);
  });
}

int32_t module_global(int32_t device, void* module, const char* name, void** address, int64_t* bytes,
                      BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    auto& m = *static_cast<RawModule*>(module);
    const std::lock_guard lock(m.mutex);
    const std::string given = name, nested = mangled(given);
    const bool scoped = given.find("::") != std::string::npos;
    CUdeviceptr at = 0;
    size_t size = 0;
    CUresult r = driver().cuModuleGetGlobal_v2(&at, &size, m.modules.front(), scoped ? nested.c_str() : name);
    if (r == CUDA_ERROR_NOT_FOUND) {
      fail(ARR_E_ARGUMENT, "argument name: the module has no __device__ or __constant__ variable ", name);
    }
    call.device.check(r, "cuModuleGetGlobal");
    *address = reinterpret_cast<void*>(at);
    *bytes = static_cast<int64_t>(size);
  });
}

int32_t module_kernel(int32_t device, void* module, const char* name, void** kernel, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    *kernel = raw_kernel(call.device, *static_cast<RawModule*>(module), name);
  });
}

}  // namespace arr::cuda
