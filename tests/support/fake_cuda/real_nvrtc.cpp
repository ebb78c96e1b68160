// SPDX-License-Identifier: MIT
#include "real_nvrtc.h"

#include <cstdlib>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include "base/error.h"

namespace arr::fake {
namespace {

// The functions that are called; the names are those of the table of libarr.
struct Library {
#define ARR_NVRTC_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/nvrtc_api.def"
#undef ARR_NVRTC_FN
};

void* open_toolkit() {
  for (const char* name :
       {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"})
    if (void* found = dlopen(name, RTLD_NOW | RTLD_LOCAL); found != nullptr) return found;
  return nullptr;
}

const Library* library() {
  static const Library* loaded = []() -> const Library* {
    void* handle = open_toolkit();
    if (handle == nullptr) return nullptr;
    auto* l = new Library;
#define ARR_NVRTC_FN(symbol, need, result, params) \
  l->symbol = reinterpret_cast<result(*) params>(dlsym(handle, #symbol));
#include "cuda/driver/nvrtc_api.def"
#undef ARR_NVRTC_FN
    return l;
  }();
  return loaded;
}

// sm_90 as compute_90, for which no machine code is made.
std::vector<std::string> virtual_architecture(std::vector<std::string> options) {
  for (std::string& o : options) {
    const size_t at = o.find("arch=sm_");
    if (at != std::string::npos) o.replace(at + 5, 3, "compute_");
  }
  return options;
}

class Compilation {
 public:
  Compilation(const Library& l, const Unit& unit, const std::vector<std::string>& names) : l_(l) {
    l.nvrtcCreateProgram(&program_, unit.source.c_str(), unit.name.c_str(), 0, nullptr, nullptr);
    for (const std::string& n : names) l.nvrtcAddNameExpression(program_, n.c_str());
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation() { l_.nvrtcDestroyProgram(&program_); }

  nvrtcResult run(const std::vector<std::string>& options) {
    std::vector<const char*> all;
    for (const std::string& o : options) all.push_back(o.c_str());
    return l_.nvrtcCompileProgram(program_, static_cast<int>(all.size()), all.data());
  }
  [[nodiscard]] std::string log() const { return text(l_.nvrtcGetProgramLogSize, l_.nvrtcGetProgramLog); }
  [[nodiscard]] std::string ptx() const { return text(l_.nvrtcGetPTXSize, l_.nvrtcGetPTX); }
  [[nodiscard]] std::string lowered(const std::string& name) const {
    const char* found = nullptr;
    return l_.nvrtcGetLoweredName(program_, name.c_str(), &found) == NVRTC_SUCCESS ? found : "";
  }

 private:
  template <class Size, class Get>
  std::string text(Size size, Get get) const {
    size_t bytes = 0;
    size(program_, &bytes);
    std::string out(bytes, '\0');
    get(program_, out.data());
    return out.substr(0, out.find('\0'));
  }

  const Library& l_;
  nvrtcProgram program_ = nullptr;
};

}  // namespace

bool uses_real_nvrtc() {
  const char* set = std::getenv("ARR_FAKE_NVRTC");
  return set != nullptr && std::string_view(set) == "real";
}

nvrtcResult compile_to_ptx(Program* program, std::string* log,
                           std::map<std::string, std::string>* lowered_names) {
  const Library* l = library();
  if (l == nullptr) {
    *log = "ARR_FAKE_NVRTC=real: the toolkit's libnvrtc.so was not found\n";
    return NVRTC_ERROR_COMPILATION;
  }
  Unit& unit = program->units.front();
  Compilation c(*l, unit, program->names);
  const nvrtcResult result = c.run(virtual_architecture(program->options));
  *log = c.log();
  if (result != NVRTC_SUCCESS) return result;
  for (const std::string& name : program->names) (*lowered_names)[name] = c.lowered(name);
  unit.source = c.ptx();
  unit.ptx = true;
  return NVRTC_SUCCESS;
}

}  // namespace arr::fake
