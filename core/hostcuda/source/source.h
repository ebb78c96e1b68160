// SPDX-License-Identifier: MIT
// The token pass: the contents of a kernel source, and its text made fit for a host compiler.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/source/shim_components.h"

namespace arr::host_kernels {

struct SourceKernel {
  std::string name;  // qualified by its namespaces
  bool is_template;
  bool syncs;  // its body names a barrier or warp function
};

struct Source {
  std::string text;                   // rewritten; line numbers are the user's
  std::vector<std::string> includes;  // <...> headers, to be included before CUDA's keywords are macros
  std::vector<std::string> absent;    // sentences of unsupported.def about headers that were left out
  std::vector<SourceKernel> kernels;
  std::vector<std::string> variables;  // namespace-scope __device__, __constant__ and __managed__
  bool syncs = false;                  // a barrier or warp function is named anywhere
  bool namespace_dynamic_shared = false;
  bool allocates = false;              // uses new or delete
  bool heap = false;                   // allocates memory, by new or malloc
  bool half = false;                   // includes cuda_fp16.h or cuda_bf16.h
  bool bfloat = false;                 // includes cuda_bf16.h
  bool groups = false;                 // includes cooperative_groups.h
  bool textures = false;               // names a texture or surface function, or an object's type
  bool special = false;                // names a special function; see shim/special.h
  bool extremes = false;               // names a function of shim/extremes.h
  bool complex = false;                // includes cuComplex.h
  bool long_functions = false;         // of PTX: see ptx/module.h
  std::set<ShimComponent> components;  // optional text of the shim
  std::string warnings;                // lines for the compile log
  std::string prefix;                  // in the text, of the names of kernels and variables
  std::string folder;                  // of a copy for debuggers, "/" at its end; see debug.h
};

// Throws Error(ARR_E_COMPILE) for a declaration that cannot be rewritten. Features without a host form become
// preprocessor errors in the text, so that code an #if leaves out does not count.
Source read_source(std::string_view text);

// True if the token pass handles a header of that name, even if there is a file of it: the shim provides its
// content, or it has no host form.
bool is_header_of_ours(std::string_view header);

constexpr const char* source_file = "kernel.cu";            // the name used in messages
constexpr const char* unsupported_mark = "no host form: ";  // in front of the sentence, in compiler output

}  // namespace arr::host_kernels
