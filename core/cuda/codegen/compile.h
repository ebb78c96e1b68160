// SPDX-License-Identifier: MIT
// Compiles CUDA C++ text to loaded modules, by NVRTC.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/kernels.h"
#include "cuda/device/device.h"

namespace arr::cuda {

struct Compiled {
  ImageKind kind = ImageKind::automatic;
  std::vector<char> image;           // automatic: cubin, or PTX if NVRTC does not know the device
  std::vector<std::string> lowered;  // mangled name of each name expression
  std::string log;
};

// Throws ARR_E_COMPILE with the first error line. *log receives the compiler's messages in any case, and
// after a failure also the compiler and its command line. `want`: PTX, cubin, LTO-IR; automatic: by the
// options.
Compiled compile(const Nvrtc& n, const std::string& source, const char* file,
                 std::span<const std::string> options, std::span<const std::string> names, std::string* log,
                 ImageKind want = ImageKind::automatic);

// "-arch=sm_90" for the device, or the nearest that NVRTC knows as PTX.
std::string arch_option(const Nvrtc& n, int arch);

// Options of the kernels that the library generates. They keep results equal to NumPy's: no contraction, no
// flushing of subnormals.
std::vector<std::string> generated_options(const Nvrtc& n, int arch);

// Generated kernels after the functions they use, in a namespace of this name, because a compiler instead
// of NVRTC may declare other names.
std::string translation_unit(const std::string& kernels, const std::string& name = "arr_generated");

// Compiles and loads a generated kernel, "arr_kernel".
struct Loaded {
  CUmodule module = nullptr;  // never unloaded
  CUfunction function = nullptr;
};
Loaded load_generated(Device& d, const std::string& source, const char* name);

// The first line of a compiler's log that reports an error.
std::string first_error(const std::string& log);

}  // namespace arr::cuda
