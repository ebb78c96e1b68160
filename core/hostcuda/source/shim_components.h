// SPDX-License-Identifier: MIT
// Optional components of the shim. A source gets a component when it includes a header of CUDA that declares
// its names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arr::host_kernels {

// In the order in which a source gets them.
enum class ShimComponent {
  driver_types,
  ptx,
  ptx_half,
  ptx_matrices,
  ptx_textures,
  ptx_video,
  ptx_barriers,
  ptx_module,
  curand,
  curand_quasi,
  standard,
  barriers,
  wmma,
  fp8,
  complex_class,
  cupy_complex,
  carray
};

struct ComponentHeader {
  std::string_view prefix;  // headers whose names begin so
  ShimComponent component;
  bool halves;  // it needs the 16-bit types
  bool syncs;   // its functions synchronise
};

// Returns null for a header of no component.
const ComponentHeader* component_of(std::string_view header);

// Returns directives that include headers of cuda/std: their namesakes of the C++ library, or libcu++'s own
// on the include paths where one of them is newer than C++17.
std::string standard_includes(const std::vector<std::string>& headers);

// Returns the #if for an #include of a header that the source may leave out by a separate #if.
std::string if_there(const std::string& header);

std::string text_of(ShimComponent component);

}  // namespace arr::host_kernels
