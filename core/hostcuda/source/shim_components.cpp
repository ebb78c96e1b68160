// SPDX-License-Identifier: MIT
#include "hostcuda/source/shim_components.h"

#include <algorithm>
#include <iterator>

#include "barriers_text.h"
#include "carray_text.h"
#include "complex_class_text.h"
#include "copies_text.h"
#include "cupy_complex_text.h"
#include "curand_quasi_text.h"
#include "curand_states_text.h"
#include "curand_text.h"
#include "driver_types_text.h"
#include "fp8_text.h"
#include "hostcuda/source/keywords.h"
#include "ptx_barriers_text.h"
#include "ptx_float_text.h"
#include "ptx_half_text.h"
#include "ptx_matrices_text.h"
#include "ptx_memory_text.h"
#include "ptx_module_text.h"
#include "ptx_text.h"
#include "ptx_textures_text.h"
#include "ptx_video_text.h"
#include "standard_text.h"
#include "wmma_text.h"

namespace arr::host_kernels {
namespace {

constexpr ComponentHeader component_headers[] = {
    {"cuda/std/atomic", ShimComponent::barriers, false, true},
    {"cuda/std/barrier", ShimComponent::barriers, false, true},
    {"cuda/std/", ShimComponent::standard, false, false},
    {"cuda/barrier", ShimComponent::barriers, false, true},
    {"cuda/pipeline", ShimComponent::barriers, false, true},
    {"cuda/atomic", ShimComponent::barriers, false, true},
    {"cuda_awbarrier", ShimComponent::barriers, false, true},
    {"cuda_pipeline", ShimComponent::barriers, false, true},
    {"curand", ShimComponent::curand, false, false},
    {"mma.h", ShimComponent::wmma, true, true},
    {"cuda_fp8", ShimComponent::fp8, true, false},
    {"thrust/complex.h", ShimComponent::complex_class, false, false},
    {"cupy/complex.cuh", ShimComponent::cupy_complex, false, false},
    {"cupy/carray.cuh", ShimComponent::carray, false, false},
    {"cuda_runtime", ShimComponent::driver_types, false, false},
    {"driver_functions.h", ShimComponent::driver_types, false, false},
    {"driver_types.h", ShimComponent::driver_types, false, false},
    {"builtin_types.h", ShimComponent::driver_types, false, false},
    {"cuda.h", ShimComponent::driver_types, false, false}};

}  // namespace

const ComponentHeader* component_of(std::string_view header) {
  for (const ComponentHeader& row : component_headers)
    if (starts_with(header, row.prefix)) return &row;
  return nullptr;
}

// g++ takes an #include of what __has_include did not find for done, without an error: so this asks by
// another name.
std::string if_there(const std::string& header) { return "#if __has_include(<./" + header + ">)\n"; }

std::string standard_includes(const std::vector<std::string>& headers) {
  constexpr std::string_view folder = "cuda/std/";
  constexpr std::string_view newer[] = {"bit",    "concepts", "expected", "inplace_vector",  "linalg",
                                        "mdspan", "numbers",  "ranges",   "source_location", "span"};
  const auto name = [&](const std::string& header) { return std::string_view(header).substr(folder.size()); };
  const bool own = std::any_of(headers.begin(), headers.end(), [&](const std::string& header) {
    return std::find(std::begin(newer), std::end(newer), name(header)) != std::end(newer);
  });
  // libcu++ asks the toolkit's headers for types that the shim has; so it sees none.
  constexpr const char* alone =
      "#if __has_include(<cuda/std/__cccl/cuda_toolkit.h>)\n#define __CCCL_CUDA_TOOLKIT_H\n"
      "#define _CCCL_HAS_CTK() 0\n#define _CCCL_CTK_BELOW(...) 0\n#define _CCCL_CTK_AT_LEAST(...) "
      "0\n#endif\n";
  std::string out = own ? alone : "";
  for (const std::string& header : headers) {
    const std::string standard(name(header));
    if (own) out += "#if __has_include(<" + header + ">)\n#include <" + header + ">\n#else\n";
    out += if_there(standard) + "#include <" + standard + ">\n#endif\n";
    if (own) out += "#endif\n";
  }
  return out;
}

std::string text_of(ShimComponent component) {
  switch (component) {
    case ShimComponent::driver_types:
      return driver_types_text;
    case ShimComponent::ptx:
      return std::string(ptx_text) + ptx_memory_text + ptx_float_text;
    case ShimComponent::ptx_half:
      return ptx_half_text;
    case ShimComponent::ptx_module:
      return ptx_module_text;
    case ShimComponent::ptx_matrices:
      return ptx_matrices_text;
    case ShimComponent::ptx_textures:
      return ptx_textures_text;
    case ShimComponent::ptx_video:
      return ptx_video_text;
    case ShimComponent::ptx_barriers:
      return ptx_barriers_text;
    case ShimComponent::curand:
      return std::string(curand_states_text) + curand_text;
    case ShimComponent::curand_quasi:
      return curand_quasi_text;
    case ShimComponent::standard:
      return standard_text;
    case ShimComponent::barriers:
      return std::string(barriers_text) + copies_text;
    case ShimComponent::wmma:
      return wmma_text;
    case ShimComponent::fp8:
      return fp8_text;
    case ShimComponent::complex_class:
      return complex_class_text;
    case ShimComponent::cupy_complex:
      return std::string(complex_class_text) + cupy_complex_text;
    case ShimComponent::carray:
      return carray_text;
  }
  return {};
}

}  // namespace arr::host_kernels
