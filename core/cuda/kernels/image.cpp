// SPDX-License-Identifier: MIT
// From a module's units to one image: options for NVRTC, and linking by nvJitLink.
#include <algorithm>
#include <cctype>

#include "cuda/device/toolkit.h"
#include "cuda/kernels/module.h"

namespace arr::cuda {

namespace {

nvJitLinkInputType input_type(ImageKind k) {
  switch (k) {
    case ImageKind::ptx:
      return NVJITLINK_INPUT_PTX;
    case ImageKind::fatbin:
      return NVJITLINK_INPUT_FATBIN;
    case ImageKind::ltoir:
      return NVJITLINK_INPUT_LTOIR;
    case ImageKind::library:
      return NVJITLINK_INPUT_LIBRARY;
    default:
      return NVJITLINK_INPUT_CUBIN;
  }
}

// A link of nvJitLink, destroyed with this object.
class Link {
 public:
  Link(const NvJitLink& l, std::span<const std::string> options) : l_(l) {
    std::vector<const char*> list;
    for (const std::string& o : options) list.push_back(o.c_str());
    nvJitLinkResult r = l.nvJitLinkCreate(&handle_, static_cast<uint32_t>(list.size()), list.data());
    if (r == NVJITLINK_SUCCESS) return;
    if (r > NVJITLINK_ERROR_INVALID_INPUT) fail(ARR_E_DEVICE, "nvJitLinkCreate: nvJitLink error ", r);
    std::string given;
    for (const std::string& o : options) given += text(" ", o);
    fail(ARR_E_ARGUMENT, "nvJitLink ", l.major, ".", l.minor, " does not take the options", given, " (error ",
         r, ")");
  }
  ~Link() { l_.nvJitLinkDestroy(&handle_); }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  operator nvJitLinkHandle() const { return handle_; }

  [[nodiscard]] std::string messages() const {
    return text_of(l_.nvJitLinkGetErrorLogSize, l_.nvJitLinkGetErrorLog) +
           text_of(l_.nvJitLinkGetInfoLogSize, l_.nvJitLinkGetInfoLog);
  }
  // Throws an error with the linker's first line.
  void check(nvJitLinkResult r, const std::string& what) const {
    if (r == NVJITLINK_SUCCESS) return;
    const std::string said = messages();
    fail(ARR_E_COMPILE, what, ": ", said.empty() ? text("nvJitLink error ", r) : first_error(said));
  }

 private:
  template <class Size, class Get>
  [[nodiscard]] std::string text_of(Size size, Get get) const {
    size_t bytes = 0;
    if (size(handle_, &bytes) != NVJITLINK_SUCCESS || bytes <= 1) return {};
    std::string out(bytes, '\0');
    if (get(handle_, out.data()) != NVJITLINK_SUCCESS) return {};
    out.resize(std::min(out.find('\0'), out.size()));
    return out;
  }

  const NvJitLink& l_;
  nvJitLinkHandle handle_ = nullptr;
};

// "sm_90" of the compiler's options, or the device's architecture where PTX is linked for a device that NVRTC
// does not know.
std::string linker_arch(const std::vector<std::string>& options, int arch) {
  for (const std::string& o : options) {
    const size_t at = o.find("sm_");
    if (chooses_arch(o) && at != std::string::npos) return text("-arch=", o.substr(at));
  }
  return text("-arch=sm_", arch);
}

std::vector<std::string> linker_options(const ModuleCall& call, int arch, bool lto) {
  std::vector<std::string> options = {linker_arch(call.options, arch)};
  if (lto) options.emplace_back("-lto");
  if (call.debug) options.emplace_back("-g");
  if (call.lineinfo) options.emplace_back("-lineinfo");
  if (call.max_registers > 0) options.push_back(text("-maxrregcount=", call.max_registers));
  return options;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns true if the text contains the last name of an expression, "scale" of "&ns::scale<float>".
bool mentions(std::string_view source, const std::string& expression) {
  std::string name = expression.substr(0, expression.find('<'));
  size_t begin = name.size();
  while (begin > 0 && in_word(name[begin - 1])) --begin;
  name = name.substr(begin);
  for (size_t at = source.find(name); !name.empty() && at != std::string::npos;
       at = source.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !in_word(source[at - 1])) && (end == source.size() || !in_word(source[end]))) return true;
  }
  return false;
}

// Name expressions for the first unit that contains them.
std::vector<std::string> names_of(const ModuleCall& call, size_t unit) {
  std::vector<std::string> out;
  for (const std::string& name : call.names) {
    for (size_t i = 0; i < call.units.size(); ++i) {
      if (call.units[i].kind != ImageKind::source || !mentions(call.units[i].bytes, name)) continue;
      if (i == unit) out.push_back(name);
      break;
    }
  }
  return out;
}

void keep_names(const std::vector<std::string>& names, const Compiled& c, Made* made) {
  for (size_t i = 0; i < names.size(); ++i) made->lowered[names[i]] = c.lowered[i];
}

Made link_units(const ModuleCall& call, int arch, std::string* log) {
  const NvJitLink& l = nvjitlink();
  Made made;
  std::vector<Compiled> compiled(call.units.size());
  std::vector<LinkInput> inputs;
  bool lto = false;
  for (size_t i = 0; i < call.units.size(); ++i) {
    const ModuleUnit& u = call.units[i];
    lto = lto || u.kind == ImageKind::source || u.kind == ImageKind::ltoir;
    if (u.kind != ImageKind::source) {
      inputs.push_back({u.kind, u.bytes, u.name});
      continue;
    }
    std::vector<std::string> options = compiler_options(call, nvrtc(), arch);
    options.emplace_back("-dlto");
    const std::vector<std::string> names = names_of(call, i);
    std::string said;
    try {
      compiled[i] =
          compile(nvrtc(), std::string(u.bytes), u.name.c_str(), options, names, &said, ImageKind::ltoir);
    } catch (...) {
      if (log != nullptr) *log += said;
      throw;
    }
    if (log != nullptr) *log += said;
    keep_names(names, compiled[i], &made);
    inputs.push_back({ImageKind::ltoir, {compiled[i].image.data(), compiled[i].image.size()}, u.name});
  }
  Archive runtime;
  if (call.device_runtime) {
    runtime = device_runtime();
    inputs.push_back({ImageKind::library, runtime.bytes, runtime.path});
  }
  made.bytes = link_images(l, inputs, linker_options(call, arch, lto), log);
  return made;
}

// The names given, and the kernels that can be requested by their plain names.
std::vector<std::string> named(const ModuleCall& call) {
  std::vector<std::string> out = call.names;
  for (const std::string& k : call.kernels) {
    if (std::find(out.begin(), out.end(), k) == out.end()) out.push_back(k);
  }
  return out;
}

Made compile_named(const ModuleCall& call, const Nvrtc& n, int arch, const std::vector<std::string>& names,
                   std::string* log) {
  const ModuleUnit& u = call.units.front();
  Made made;
  const Compiled c =
      compile(n, std::string(u.bytes), u.name.c_str(), compiler_options(call, n, arch), names, log);
  keep_names(names, c, &made);
  made.kind = c.kind;
  made.bytes.assign(c.image.data(), c.image.size());
  return made;
}

}  // namespace

bool is_linked(const ModuleCall& call) {
  return call.link || call.device_runtime || call.units.front().kind == ImageKind::ltoir;
}

bool chooses_arch(const std::string& option) {
  return option.starts_with("-arch") || option.starts_with("--gpu-architecture");
}

std::vector<std::string> compiler_options(const ModuleCall& call, const Nvrtc& n, int arch) {
  std::vector<std::string> out;
  for (const std::string& folder : call.include_paths) out.push_back(text("--include-path=", folder));
  for (const std::string& d : call.defines) out.push_back(text("-D", d));
  if (call.standard != 0) out.push_back(text("-std=c++", call.standard));
  if (call.debug) out.emplace_back("-G");
  if (call.lineinfo) out.emplace_back("-lineinfo");
  if (call.max_registers > 0) out.push_back(text("--maxrregcount=", call.max_registers));
  if (call.fast_math) out.emplace_back("--use_fast_math");
  out.insert(out.end(), call.options.begin(), call.options.end());
  if (!std::any_of(out.begin(), out.end(), chooses_arch)) out.push_back(arch_option(n, arch));
  return out;
}

std::string link_images(const NvJitLink& l, std::span<const LinkInput> inputs,
                        std::span<const std::string> options, std::string* log) {
  const Link link(l, options);
  const auto step = [&](nvJitLinkResult r, const std::string& what) {
    if (r != NVJITLINK_SUCCESS && log != nullptr) {
      *log += text("nvJitLink ", l.major, ".", l.minor, ":");
      for (const std::string& o : options) *log += text(" ", o);
      *log += text("\n", link.messages());
    }
    link.check(r, what);
  };
  for (const LinkInput& in : inputs) {
    step(l.nvJitLinkAddData(link, input_type(in.kind), in.bytes.data(), in.bytes.size(), in.name.c_str()),
         in.name);
  }
  step(l.nvJitLinkComplete(link), "link");
  size_t bytes = 0;
  step(l.nvJitLinkGetLinkedCubinSize(link, &bytes), "nvJitLinkGetLinkedCubinSize");
  std::string cubin(bytes, '\0');
  step(l.nvJitLinkGetLinkedCubin(link, cubin.data()), "nvJitLinkGetLinkedCubin");
  if (log != nullptr) *log += link.messages();
  return cubin;
}

Made make_image(const ModuleCall& call, int arch, std::string* log) {
  const ModuleUnit& u = call.units.front();
  if (is_linked(call)) return link_units(call, arch, log);
  Made made;
  made.kind = u.kind;
  if (u.kind != ImageKind::source) {
    made.bytes = u.bytes;
    return made;
  }
  const Nvrtc& n = nvrtc();
  const std::vector<std::string> all = named(call);
  if (call.variables && all.size() > call.names.size()) {
    try {
      return compile_named(call, n, arch, all, log);
    } catch (const Error& e) {
      // A kernel that the preprocessor removes, or an overloaded one, is not an error: compiles again without
      // these names.
      if (e.status() != ARR_E_COMPILE) throw;
    }
  }
  return compile_named(call, n, arch, call.names, log);
}

}  // namespace arr::cuda
