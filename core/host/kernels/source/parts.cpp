// SPDX-License-Identifier: MIT
#include "host/kernels/source/parts.h"

#include <algorithm>
#include <iterator>

#include "barriers_text.h"
#include "carray_text.h"
#include "complex_class_text.h"
#include "copies_text.h"
#include "cupy_complex_text.h"
#include "curand_states_text.h"
#include "curand_text.h"
#include "driver_types_text.h"
#include "fp8_text.h"
#include "host/kernels/source/keywords.h"
#include "ptx_text.h"
#include "standard_text.h"
#include "wmma_text.h"

namespace arr::host_kernels {
namespace {

constexpr PartHeader headers[] = {{"cuda/std/atomic", Part::barriers, false, true},
                                  {"cuda/std/barrier", Part::barriers, false, true},
                                  {"cuda/std/", Part::standard, false, false},
                                  {"cuda/barrier", Part::barriers, false, true},
                                  {"cuda/pipeline", Part::barriers, false, true},
                                  {"cuda/atomic", Part::barriers, false, true},
                                  {"cuda_awbarrier", Part::barriers, false, true},
                                  {"cuda_pipeline", Part::barriers, false, true},
                                  {"curand", Part::curand, false, false},
                                  {"mma.h", Part::wmma, true, true},
                                  {"cuda_fp8", Part::fp8, true, false},
                                  {"thrust/complex.h", Part::complex_class, false, false},
                                  {"cupy/complex.cuh", Part::cupy_complex, false, false},
                                  {"cupy/carray.cuh", Part::carray, false, false},
                                  {"cuda_runtime", Part::driver_types, false, false},
                                  {"driver_types.h", Part::driver_types, false, false},
                                  {"builtin_types.h", Part::driver_types, false, false},
                                  {"cuda.h", Part::driver_types, false, false}};

}  // namespace

const PartHeader* part_of(std::string_view header) {
  for (const PartHeader& row : headers)
    if (starts_with(header, row.prefix)) return &row;
  return nullptr;
}

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
    out += "#if __has_include(<" + standard + ">)\n#include <" + standard + ">\n#endif\n";
    if (own) out += "#endif\n";
  }
  return out;
}

std::string text_of(Part part) {
  switch (part) {
    case Part::driver_types:
      return driver_types_text;
    case Part::ptx:
      return ptx_text;
    case Part::curand:
      return std::string(curand_states_text) + curand_text;
    case Part::standard:
      return standard_text;
    case Part::barriers:
      return std::string(barriers_text) + copies_text;
    case Part::wmma:
      return wmma_text;
    case Part::fp8:
      return fp8_text;
    case Part::complex_class:
      return complex_class_text;
    case Part::cupy_complex:
      return std::string(complex_class_text) + cupy_complex_text;
    case Part::carray:
      return carray_text;
  }
  return {};
}

}  // namespace arr::host_kernels
