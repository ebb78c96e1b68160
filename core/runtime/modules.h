// SPDX-License-Identifier: MIT
// User-written kernels: compiled modules, kernels, launches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/streams.h"

namespace arr {

class Module : public Object {
 public:
  Module(Device where, void* compiled, std::string messages)
      : device(where), handle(compiled), log(std::move(messages)) {}
  const Device device;
  void* const handle;
  const std::string log;

 protected:
  ~Module() override;
};

class Kernel : public Object {
 public:
  Kernel(Ref<Module> owner, void* entry, std::string title);
  const Ref<Module> module;
  void* const handle;
  const std::string name;
  // Sizes of the parameters in bytes; known tells whether the backend could say.
  bool known = false;
  std::vector<int64_t> sizes;
};

// *log gets the compiler's messages, also when this throws.
Ref<Module> compile(std::string_view source, std::span<const char* const> options, Device device,
                    std::string* log);
Ref<Kernel> find_kernel(const Ref<Module>& module, const std::string& name);

// One argument of a launch: an array, or bytes.
struct KernelArgument {
  const Array* array = nullptr;
  const void* bytes = nullptr;
  int64_t nbytes = 0;
};
void launch(const Kernel& kernel, const int64_t grid[3], const int32_t block[3], int64_t shared_bytes,
            std::span<const KernelArgument> args, Stream* stream);

}  // namespace arr
