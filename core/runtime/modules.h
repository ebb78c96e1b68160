// SPDX-License-Identifier: MIT
// User-written kernels: compiled modules, kernels, launches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/declarations.h"
#include "runtime/streams.h"
#include "runtime/textures.h"

namespace arr {

class Module : public Object {
 public:
  Module(Device where, void* compiled, std::string messages, Declarations in_source)
      : device(where), handle(compiled), log(std::move(messages)), declared(std::move(in_source)) {}
  const Device device;
  void* const handle;
  const std::string log;
  const Declarations declared;  // declarations in its sources

 protected:
  ~Module() override;
};

class Kernel : public Object {
 public:
  Kernel(Ref<Module> owner, void* entry, std::string title);
  const Ref<Module> module;
  void* const handle;
  const std::string name;
  // known: the backend or the source declares the parameters.
  bool known = false;
  std::vector<KernelParam> params;
};

// Compiles, links and loads a call's units; their kinds may be automatic. *log receives the compiler's
// messages, even if this throws.
Ref<Module> load(ModuleCall call, Device device, std::string* log);
// Compiles one source with options as the compiler accepts them.
Ref<Module> compile(std::string_view source, std::span<const char* const> options, Device device,
                    std::string* log);
// The image of a given kind to which the call's single source compiles.
std::string compile_image(ModuleCall call, ImageKind kind, Device device, std::string* log);

// A variable of a module; the buffer keeps the module alive.
Ref<Buffer> find_global(const Ref<Module>& module, const std::string& name);

Ref<Kernel> find_kernel(const Ref<Module>& module, const std::string& name);

// One argument of a launch: an array, a texture, or bytes. dtype: of a number; none for other bytes.
struct KernelArgument {
  const Array* array = nullptr;  // its address is passed, unless bytes is not empty
  const void* bytes = nullptr;
  int64_t nbytes = 0;
  DType dtype = DType::none;
  bool pointer = false;
  ArgumentMemory memory = {};        // the array to which bytes point; used only in checked_mode()
  const Texture* texture = nullptr;  // the texture whose handle the bytes are
  bool weak = false;                 // a weak scalar, which takes the parameter's dtype
};
ArgumentMemory memory_of(const Array& a);
void launch(const Kernel& k, const LaunchConfig& config, std::span<const KernelArgument> given,
            Stream* stream);
void launch(const Kernel& kernel, const int64_t grid[3], const int32_t block[3], int64_t shared_bytes,
            std::span<const KernelArgument> args, Stream* stream);

}  // namespace arr
