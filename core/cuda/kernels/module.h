// SPDX-License-Identifier: MIT
// The types that the files of user-written kernels share: modules and kernels in the backend, and the
// compilation of a module's units to images.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "backend/kernels.h"
#include "cuda/codegen/compile.h"

namespace arr::cuda {

struct RawKernel {
  CUfunction function = nullptr;
  std::string name;
  int32_t threads = 0;         // most per block, by its use of registers
  int32_t static_shared = 0;   // bytes
  std::mutex mutex;            // guards dynamic_shared
  int64_t dynamic_shared = 0;  // bytes allowed so far; 0: what every kernel may have
  bool known = false;          // whether the driver reports the parameters
  std::vector<KernelParam> params;
};

struct RawModule {
  // The only source, for names that are requested later; empty if there is none.
  std::string source, file;
  std::vector<std::string> options;
  bool variables = false;  // whether it has variables, which a second compilation would duplicate
  std::map<std::string, std::string, std::less<>>
      lowered;       // mangled names of the name expressions given with the source
  std::mutex mutex;  // guards the following members
  // The module itself, then one for each kernel that needed a name expression.
  std::vector<CUmodule> modules;
  std::map<std::string, std::unique_ptr<RawKernel>, std::less<>> kernels;
};

// A call's options for NVRTC; `arch` is 10 * major + minor of the device, unless an option chooses another.
std::vector<std::string> compiler_options(const ModuleCall& call, const Nvrtc& n, int arch);
// Returns whether nvJitLink makes the image.
bool is_linked(const ModuleCall& call);
// Returns whether an option chooses the architecture.
bool chooses_arch(const std::string& option);

// An image with the names that its name expressions have in it.
struct Made {
  ImageKind kind = ImageKind::cubin;
  std::string bytes;
  std::map<std::string, std::string, std::less<>> lowered;
};
// Compiles and links a call's units for an architecture; nothing is loaded.
Made make_image(const ModuleCall& call, int arch, std::string* log);

// Links images to a cubin.
struct LinkInput {
  ImageKind kind;
  std::string_view bytes;
  std::string name;
};
std::string link_images(const NvJitLink& l, std::span<const LinkInput> inputs,
                        std::span<const std::string> options, std::string* log);

// The kernel of a plain name or name expression; compiles the source again if needed.
RawKernel* raw_kernel(Device& d, RawModule& m, const char* name);

}  // namespace arr::cuda
