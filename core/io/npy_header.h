// SPDX-License-Identifier: MIT
// The header of a .npy file: a Python dict with three entries, read by a closed grammar and written like
// NumPy's.
#pragma once

#include <string>
#include <string_view>

#include "array/layout.h"

namespace arr::io {

inline constexpr int64_t npy_magic_bytes = 8;           // magic and version
inline constexpr int64_t npy_header_limit = 64 * 1024;  // max bytes of the dict's text

struct NpyHeader {
  DType dtype = DType::none;
  bool swapped = false;  // elements are big-endian
  Order order = Order::C;
  int32_t ndim = 0;
  int64_t shape[max_ndim] = {};
  [[nodiscard]] std::span<const int64_t> dims() const { return {shape, static_cast<size_t>(ndim)}; }
};

// Parses the dict's text. Throws ARR_E_FORMAT with the fault, ARR_E_DTYPE for unsupported elements,
// ARR_E_SHAPE for too many dimensions.
NpyHeader parse_npy_header(std::string_view text);

// Everything before the first element: magic, version 1.0, length, dict, padding to 64 bytes.
std::string npy_preamble(const NpyHeader& header);

}  // namespace arr::io
