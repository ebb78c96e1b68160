// SPDX-License-Identifier: MIT
// The host's C++ compiler: finding it, its flags, running it, reading its messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hostcuda/host_kernels.h"

namespace arr::host_kernels {

struct Compiler {
  std::string path;
  bool is_clang;
  std::string identity;   // changes with the program at the path, or the plugin
  std::string fission;    // path of our loop-fission plugin, where this compiler can load it; else empty
  std::string note = {};  // a line for logs where ARR_HOST_FISSION cannot be followed
};

// ARR_HOST_CXX, else clang++-19 when our plugin for it is there, else g++ >= 9, else clang++ >= 10. The
// plugin is libarr_host_fission.so beside this library, or what ARR_HOST_FISSION names; 0 there means none.
// Kernels whose accesses are checked take clang++ >= 15 and no plugin, those not optimised no plugin.
// Throws Error(ARR_E_UNAVAILABLE).
Compiler host_compiler(const Options& how);

// NVRTC's options as this compiler's; those that only concern the GPU are dropped. Throws
// Error(ARR_E_UNSUPPORTED) for what it does not know.
struct HostOptions {
  std::vector<std::string> flags;
  std::string definitions;  // of macros, as lines of text: on the command line they would reach our shim
};
HostOptions host_options(const Compiler&, const Options& how);

struct Compiled {
  bool ok;
  std::string image;  // the shared object
  std::string log;    // what the compiler printed
};
Compiled compile_image(const Compiler& compiler, const std::vector<std::string>& flags,
                       std::string_view source);

// The first error of a log: its file and line, and its text. Line 0 when there is none.
struct Diagnostic {
  std::string file;
  int line = 0;
  std::string text;
};
Diagnostic first_error(std::string_view log);

}  // namespace arr::host_kernels
