// SPDX-License-Identifier: MIT
// Parts of the shim that a source gets only with the header that has their names in CUDA, and which these
// are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arr::host_kernels {

// In the order in which a source gets them.
enum class Part {
  driver_types,
  ptx,
  curand,
  standard,
  barriers,
  wmma,
  fp8,
  complex_class,
  cupy_complex,
  carray
};

struct PartHeader {
  std::string_view prefix;  // headers whose names begin so
  Part part;
  bool halves;  // it needs the 16-bit types
  bool syncs;   // its functions synchronise
};

// Null for a header that is none of a part.
const PartHeader* part_of(std::string_view header);

// Directives that include headers of cuda/std: their namesakes of the C++ library, or libcu++'s own on the
// include paths where one of them is newer than C++17.
std::string standard_includes(const std::vector<std::string>& headers);

std::string text_of(Part part);

}  // namespace arr::host_kernels
