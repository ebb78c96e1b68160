// SPDX-License-Identifier: MIT
// The identifiers and headers of a kernel source that the token pass knows.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace arr::host_kernels {

// Headers whose content the shim provides.
inline constexpr std::string_view provided_headers[] = {"cuda.h",
                                                        "cuda_runtime.h",
                                                        "cuda_runtime_api.h",
                                                        "cuda_device_runtime_api.h",
                                                        "device_launch_parameters.h",
                                                        "device_types.h",
                                                        "driver_types.h",
                                                        "builtin_types.h",
                                                        "common_functions.h",
                                                        "device_double_functions.h",
                                                        "host_defines.h",
                                                        "host_config.h",
                                                        "channel_descriptor.h",
                                                        "vector_types.h",
                                                        "vector_functions.h",
                                                        "device_functions.h",
                                                        "math_functions.h",
                                                        "device_atomic_functions.h",
                                                        "assert.h",
                                                        "cassert",
                                                        "crt/",
                                                        "sm_",
                                                        "surface_indirect_functions.h",
                                                        "surface_types.h",
                                                        "texture_indirect_functions.h",
                                                        "texture_types.h",
                                                        "nvrtc"};

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

template <size_t N>
bool starts_with_any(std::string_view text, const std::string_view (&prefixes)[N]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view p) { return starts_with(text, p); });
}

inline bool is_bfloat(std::string_view header) { return starts_with(header, "cuda_bf16"); }
inline bool is_half(std::string_view header) { return starts_with(header, "cuda_fp16") || is_bfloat(header); }
inline bool is_groups(std::string_view header) {
  return header == "cooperative_groups.h" || starts_with(header, "cooperative_groups/");
}
inline bool is_complex(std::string_view header) { return header == "cuComplex.h"; }
inline bool is_provided(std::string_view header) { return starts_with_any(header, provided_headers); }

inline bool is_sync(std::string_view word) {
  constexpr std::string_view prefixes[] = {"__sync", "__shfl",   "__ballot",  "__any",
                                           "__all",  "__active", "__reduce_", "__match_"};
  return starts_with_any(word, prefixes);
}

inline bool is_texture(std::string_view word) {
  constexpr std::string_view prefixes[] = {"tex1D",  "tex2D",  "tex3D",    "texCube",     "surf1D",
                                           "surf2D", "surf3D", "surfCube", "cudaTexture", "cudaSurface"};
  return starts_with_any(word, prefixes);
}

// cuRAND's states whose functions invert distributions.
inline bool is_quasi_state(std::string_view word) {
  constexpr std::string_view prefixes[] = {"curandStateSobol", "curandStateScrambled", "curandStateMtgp"};
  return starts_with_any(word, prefixes);
}

inline bool is_special(std::string_view word) {
  constexpr std::string_view prefixes[] = {"erfinv", "erfcinv", "normcdfinv", "cyl_bessel_i"};
  return starts_with_any(word, prefixes);
}

inline bool is_extreme(std::string_view word) {
  constexpr std::string_view prefixes[] = {"__viaddm", "__vibm", "__vimax", "__vimin"};
  return starts_with_any(word, prefixes);
}

}  // namespace arr::host_kernels
