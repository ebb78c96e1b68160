// SPDX-License-Identifier: MIT
// Sparse matrices in .npz files as scipy.sparse.save_npz writes them: the arrays of the parts, "shape", the
// text "format", and "_is_array", which makes SciPy return a sparse array.
#include "io/sparse_npz.h"

#include <algorithm>
#include <array>

#include "io/npy.h"
#include "io/npy_header.h"
#include "io/zip.h"
#include "ops/elementwise/create.h"

namespace arr::io {

namespace {

// The names of the parts other than the data.
struct Names {
  std::string_view outer, inner;
};
Names names_of(SparseFormat format) {
  if (format == SparseFormat::coo) return {"row", "col"};
  return {"indptr", "indices"};
}

// The .npy file of a text of three bytes; an array of bytes has the same header except its type.
std::string format_npy(SparseFormat format) {
  NpyHeader h;
  h.dtype = DType::uint8_;
  std::string out = npy_preamble(h);
  constexpr std::string_view byte = "|u1";
  out.replace(out.find(byte), byte.size(), "|S3");
  return out + name(format);
}

std::unique_ptr<Source> open(ZipReader* archive, std::string_view array) {
  const auto& all = archive->members();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ZipMember& m) { return m.name == text(array, ".npy"); });
  if (found != all.end()) return archive->open(*found);
  fail(ARR_E_FORMAT, archive->shown_path(), ": has no array ", shown(array), ", so it is no sparse matrix");
}

// The text of "format": three bytes, or three characters of 32 bits that old versions of SciPy wrote.
std::string read_format(ZipReader* archive) {
  const std::unique_ptr<Source> member = open(archive, "format");
  constexpr int64_t limit = 4096;
  if (member->size() > limit) fail(ARR_E_FORMAT, member->shown_path(), ": is no text of three characters");
  std::string npy(static_cast<size_t>(member->size()), '\0');
  member->read(npy.data(), member->size());
  member->check_unchanged();
  const bool wide = npy.find("'<U3'") != std::string::npos;
  const size_t bytes = wide ? 12 : 3, front = static_cast<size_t>(npy_magic_bytes) + 2;
  const auto byte = [&](size_t k) { return static_cast<size_t>(static_cast<unsigned char>(npy[k])); };
  if (!npy.starts_with("\x93NUMPY\x01") || npy.size() < front ||
      front + (byte(8) | byte(9) << 8U) + bytes != npy.size() ||
      (!wide && npy.find("'|S3'") == std::string::npos)) {
    fail(ARR_E_FORMAT, member->shown_path(), ": is no text of three characters");
  }
  std::string out;
  for (size_t k = npy.size() - bytes; k < npy.size(); k += bytes / 3) out += npy[k];
  return out;
}

SparseFormat format_of(const std::string& text, const std::string& path) {
  for (const SparseFormat f : {SparseFormat::coo, SparseFormat::csr, SparseFormat::csc}) {
    if (text == name(f)) return f;
  }
  fail(ARR_E_UNSUPPORTED, path, ": format ", shown(text), ", expected 'coo', 'csr' or 'csc'");
}

Extents read_shape(ZipReader* archive) {
  const Ref<Array> a = load_npy(*open(archive, "shape"), Device{}, nullptr);
  if (a->layout.ndim != 1 || a->layout.shape[0] != 2 || !is_integer(a->dtype)) {
    fail(ARR_E_FORMAT, archive->shown_path(), ": array 'shape' is ", a->layout.text(), " of ", name(a->dtype),
         ", expected two integers");
  }
  const auto at = [&](int64_t k) {
    return static_cast<int64_t>(convert(item(*a, {&k, 1}), DType::int64_).lo);
  };
  return {at(0), at(1)};
}

}  // namespace

void save_sparse_npz(const Sparse& a, std::string_view path, bool compressed, Stream* stream) {
  const Names names = names_of(a.format);
  std::array<int64_t, 2> shape{a.extents.rows, a.extents.columns};
  const NpyText data = npy_text(*a.data, stream), outer = npy_text(*a.outer, stream),
                inner = npy_text(*a.inner, stream);
  NpyHeader shape_header, flag_header;
  shape_header.dtype = DType::int64_;
  shape_header.ndim = 1;
  shape_header.shape[0] = 2;
  flag_header.dtype = DType::bool_;
  const char is_array = 1;
  ZipWriter archive(path);
  const auto add = [&](std::string_view name, const NpyText& npy) {
    archive.add(text(name, ".npy"), npy.preamble, npy.elements->data, npy.bytes(), compressed);
  };
  add(names.inner, inner);
  add(names.outer, outer);
  archive.add("format.npy", format_npy(a.format), nullptr, 0, compressed);
  archive.add("shape.npy", npy_preamble(shape_header), reinterpret_cast<const char*>(shape.data()),
              sizeof(shape), compressed);
  add("data", data);
  archive.add("_is_array.npy", npy_preamble(flag_header), &is_array, 1, compressed);
  archive.commit();
}

Ref<Sparse> load_sparse_npz(std::string_view path, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  ZipReader archive(path);
  const SparseFormat format = format_of(read_format(&archive), archive.shown_path());
  const Names names = names_of(format);
  const Extents e = read_shape(&archive);
  const auto part = [&](std::string_view name) { return load_npy(*open(&archive, name), device, stream); };
  const Ref<Array> data = part("data"), outer = part(names.outer), inner = part(names.inner);
  if (format == SparseFormat::coo) return sparse_coo(e, *data, *outer, *inner, stream);
  return sparse_compressed(format, e, *data, *inner, *outer, stream);
}

}  // namespace arr::io
