// SPDX-License-Identifier: MIT
// Reads and writes .npy files.
#pragma once

#include <string>
#include <string_view>

#include "array/array.h"
#include "io/file.h"
#include "io/npy_header.h"
#include "runtime/streams.h"

namespace arr::io {

// Writes the contents of a .npy file: header, and elements in host memory.
struct NpyText {
  std::string preamble;
  Ref<Array> elements;
  [[nodiscard]] int64_t bytes() const { return elements->layout.size() * elements->item(); }
};
NpyText npy_text(const Array& a, Stream* stream);

// The bytes of a file before its elements.
struct NpyFront {
  NpyHeader header;
  int64_t bytes = 0;
};
// Reads it, and compares the size that it gives with that of the file.
NpyFront read_npy_front(Source& file);
// The same of a file to be written, in row-major order.
std::string npy_front(DType d, std::span<const int64_t> shape);
// Reverses the bytes of elements that were read in the other byte order.
void make_native(const Array& a);

Ref<Array> load_npy(Source& file, Device device, Stream* stream);
Ref<Array> load_npy(std::string_view path, Device device, Stream* stream);
void save_npy(const Array& a, std::string_view path, Stream* stream);

}  // namespace arr::io
