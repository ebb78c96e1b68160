// SPDX-License-Identifier: MIT
// Reads and writes .npy files. A file is untrusted: the size of its header is limited, and the size of the
// file is compared with the header before memory is allocated.
#include "io/npy.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/file.h"
#include "io/npy_header.h"
#include "io/transfer.h"

namespace arr::io {

namespace {

// Reads magic, version and length field. Returns the length of the dict's text; *front: number of bytes read.
int64_t header_length(Source& file, int64_t* front) {
  std::array<unsigned char, npy_magic_bytes + 4> b{};
  const std::string& path = file.shown_path();
  if (file.size() < npy_magic_bytes + 2) {
    fail(ARR_E_FORMAT, path, ": ", file.size(), " bytes are too few for a .npy file");
  }
  file.read(b.data(), npy_magic_bytes);
  if (std::string_view(reinterpret_cast<char*>(b.data()), 6) != "\x93NUMPY") {
    fail(ARR_E_FORMAT, path, ": does not begin with the magic bytes of a .npy file");
  }
  int major = b[6], minor = b[7];
  if (major < 1 || major > 3 || minor != 0) {
    fail(ARR_E_FORMAT, path, ": .npy version ", major, ".", minor, ", expected 1.0, 2.0 or 3.0");
  }
  int64_t field = major == 1 ? 2 : 4;
  *front = npy_magic_bytes + field;
  if (file.size() < *front) fail(ARR_E_FORMAT, path, ": ends inside the header's length");
  file.read(b.data(), field);
  int64_t length = 0;
  for (int64_t i = field; i-- > 0;) length = length << 8 | b[static_cast<size_t>(i)];
  if (length > npy_header_limit) {
    fail(ARR_E_FORMAT, path, ": a header of ", length, " bytes, at most ", npy_header_limit, " are accepted");
  }
  if (length > file.size() - *front) {
    fail(ARR_E_FORMAT, path, ": ends inside its header of ", length, " bytes");
  }
  return length;
}

NpyHeader read_header(Source& file, int64_t* front) {
  int64_t length = header_length(file, front);
  std::string text(static_cast<size_t>(length), '\0');
  file.read(text.data(), length);
  *front += length;
  try {
    return parse_npy_header(text);
  } catch (const Error& e) {
    throw Error(e.status(), file.shown_path() + ": " + e.text());
  }
}

// Compares the size given by shape and dtype with that of the file.
void check_size(const Source& file, const NpyHeader& h, int64_t front) {
  int64_t bytes = item_size(h.dtype);
  bool fits = true;
  for (int64_t extent : h.dims()) fits = fits && checked::mul(bytes, std::max<int64_t>(extent, 1), &bytes);
  if (std::find(h.dims().begin(), h.dims().end(), 0) != h.dims().end()) bytes = 0;
  int64_t there = file.size() - front;
  if (fits && bytes == there) return;
  std::string wants = fits ? text(bytes, " bytes") : "more than 2^63 bytes";
  fail(ARR_E_FORMAT, file.shown_path(), ": shape ", shape_text(h.ndim, h.shape), " of ", name(h.dtype),
       " takes ", wants, ", the file has ", there, " after its header");
}

// Reverses the bytes of n numbers of `width` bytes.
void swap_bytes(char* data, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) std::reverse(data + i * width, data + (i + 1) * width);
}

void check_named(DType d) {
  if (*info(d).npy != '\0') return;
  fail(ARR_E_DTYPE, "argument a: .npy has no name for ", name(d), "; convert it to float32 first");
}

}  // namespace

void make_native(const Array& a) {
  const int64_t parts = is_complex(a.dtype) ? 2 : 1;  // of complex numbers separately
  swap_bytes(a.data, a.layout.size() * parts, a.item() / parts);
}

NpyFront read_npy_front(Source& file) {
  NpyFront f;
  f.header = read_header(file, &f.bytes);
  check_size(file, f.header, f.bytes);
  return f;
}

std::string npy_front(DType d, std::span<const int64_t> shape) {
  check_named(d);
  NpyHeader h;
  h.dtype = d;
  h.ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), h.shape);
  return npy_preamble(h);
}

Ref<Array> load_npy(Source& file, Device device, Stream* stream) {
  const NpyHeader h = read_npy_front(file).header;
  Ref<Array> a = new_elements(h.dtype, h.dims(), h.order, device, stream);
  file.read(a->data, a->layout.size() * a->item());
  file.check_unchanged();
  if (h.swapped) make_native(*a);
  return placed(std::move(a), device, stream);
}

Ref<Array> load_npy(std::string_view path, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  Reader file(path);
  return load_npy(file, device, stream);
}

NpyText npy_text(const Array& a, Stream* stream) {
  check_named(a.dtype);
  queue_for(a.device(), stream);
  NpyHeader h;
  h.dtype = a.dtype;
  bool column_major = a.layout.is_contiguous(a.item(), Order::F) && !a.contiguous;
  h.order = column_major ? Order::F : Order::C;
  h.ndim = a.layout.ndim;
  std::copy(a.layout.dims().begin(), a.layout.dims().end(), h.shape);
  return {npy_preamble(h), host_elements(a, h.order, stream)};
}

void save_npy(const Array& a, std::string_view path, Stream* stream) {
  const NpyText npy = npy_text(a, stream);
  Writer file(path);
  file.write(npy.preamble.data(), static_cast<int64_t>(npy.preamble.size()));
  file.write(npy.elements->data, npy.bytes());
  file.commit();
}

}  // namespace arr::io
