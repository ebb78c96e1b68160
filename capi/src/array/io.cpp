// SPDX-License-Identifier: MIT
// io.h: files of arrays.
#include "arr/io.h"

#include <algorithm>
#include <limits>

#include "capi/src/arguments.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/text.h"

using namespace arr::capi;
namespace io = arr::io;
using arr::DType;

namespace {

std::string_view text_or(const char* given, std::string_view otherwise) {
  return given == nullptr ? otherwise : std::string_view(given);
}

// A new array from the file of that name.
template <class Body>
arr_status of_file(const char* function, const char* path, int64_t length, const arr_device* device,
                   arr_stream stream_handle, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    const std::string_view name = string_argument(path, length, "path");
    auto s = stream(stream_handle);
    return body(name, arr::device_from(device), s.get());
  });
}

// A file of that name from an array.
template <class Body>
arr_status to_file(const char* function, arr_array a, const char* path, int64_t length,
                   arr_stream stream_handle, Body&& body) noexcept {
  return guard(function, [&] {
    auto x = array(a, "a");
    const std::string_view name = string_argument(path, length, "path");
    auto s = stream(stream_handle);
    body(*x, name, s.get());
  });
}

int64_t not_negative(int64_t n, const char* field) {
  if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument options: ", field, " is ", n, ", expected 0 or more");
  return n;
}

// The substitute for a missing number of that type.
arr::Scalar default_filling(DType d) {
  if (arr::is_integer(d)) return arr::convert(arr::scalar_of(int64_t{-1}), d);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return arr::convert(d == DType::bool_ ? arr::scalar_of(int64_t{0}) : arr::scalar_of(nan), d);
}

io::TableOptions table_options(const arr_text_options* given, bool fill) {
  io::TableOptions out;
  out.fill_missing = fill;
  if (given == nullptr) {
    out.filling = default_filling(out.dtype);
    return out;
  }
  check_size(*given, "options");
  const arr_text_options& o = *given;
  if (o.dtype != 0) out.dtype = arr::dtype_from(o.dtype, "options");
  out.delimiter = text_or(o.delimiter, {});
  out.comments = text_or(o.comments, "#");
  not_negative(o.ncolumns, "ncolumns");
  if (o.columns != nullptr) out.columns.assign(o.columns, o.columns + o.ncolumns);
  if (o.columns != nullptr && o.ncolumns == 0)
    arr::fail(ARR_E_ARGUMENT, "argument options: ncolumns is 0, but columns is not NULL");
  if (o.columns == nullptr && o.ncolumns > 0) arr::fail(ARR_E_ARGUMENT, "argument options: columns is NULL");
  out.skip_rows = not_negative(o.skip_rows, "skip_rows");
  out.skip_footer = not_negative(o.skip_footer, "skip_footer");
  out.max_rows = not_negative(o.max_rows, "max_rows");
  out.min_dims = o.min_dims;
  if (o.min_dims < 0 || o.min_dims > 2)
    arr::fail(ARR_E_ARGUMENT, "argument options: min_dims is ", o.min_dims, ", expected 0, 1 or 2");
  for (std::string_view rest = text_or(o.missing, {}); !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    out.missing.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.filling =
      o.filling != nullptr ? scalar_as(o.filling, "options", out.dtype) : default_filling(out.dtype);
  return out;
}

arr_status load_table(const char* function, const char* path, int64_t length, const arr_text_options* options,
                      bool fill, const arr_device* device, arr_stream stream, arr_array* out) noexcept {
  return of_file(function, path, length, device, stream, out,
                 [&](std::string_view name, arr::Device where, arr::Stream* s) {
                   return io::load_table(name, table_options(options, fill), where, s);
                 });
}

}  // namespace

arr_status arr_load_npy(const char* path, int64_t length, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return of_file(
      "arr_load_npy", path, length, device, stream, out,
      [&](std::string_view name, arr::Device where, arr::Stream* s) { return io::load_npy(name, where, s); });
}

arr_status arr_save_npy(arr_array a, const char* path, int64_t length, arr_stream stream) {
  return to_file(
      "arr_save_npy", a, path, length, stream,
      [&](const arr::Array& x, std::string_view name, arr::Stream* s) { io::save_npy(x, name, s); });
}

arr_status arr_savez(const char* path, int64_t length, int32_t n, const arr_array* arrays,
                     const char* const* names, bool compressed, arr_stream stream_handle) {
  return guard("arr_savez", [&] {
    const std::string_view name = string_argument(path, length, "path");
    const Arrays all(n, arrays, "arrays");
    std::vector<std::string_view> given;
    for (int32_t i = 0; names != nullptr && i < n; ++i) given.push_back(text_or(names[i], {}));
    auto s = stream(stream_handle);
    io::save_npz(name, all.all(), given, compressed, s.get());
  });
}

arr_status arr_load_npz(const char* path, int64_t length, const char* name, const arr_device* device,
                        arr_stream stream, arr_array* out) {
  return of_file("arr_load_npz", path, length, device, stream, out,
                 [&](std::string_view file, arr::Device where, arr::Stream* s) {
                   return io::load_npz(file, string_argument(name, -1, "name"), where, s);
                 });
}

arr_status arr_npz_names(const char* path, int64_t length, int64_t capacity, char* names,
                         int64_t* names_length, int64_t* count) {
  return guard("arr_npz_names", [&] {
    check_pointer(names_length, "names_length");
    const std::vector<std::string> all = io::npz_names(string_argument(path, length, "path"));
    std::string lines;
    for (const std::string& name : all) lines += (lines.empty() ? "" : "\n") + name;
    put_text(lines, capacity, names, names_length);
    if (count != nullptr) *count = static_cast<int64_t>(all.size());
  });
}

arr_status arr_loadtxt(const char* path, int64_t length, const arr_text_options* options,
                       const arr_device* device, arr_stream stream, arr_array* out) {
  return load_table("arr_loadtxt", path, length, options, false, device, stream, out);
}

arr_status arr_genfromtxt(const char* path, int64_t length, const arr_text_options* options,
                          const arr_device* device, arr_stream stream, arr_array* out) {
  return load_table("arr_genfromtxt", path, length, options, true, device, stream, out);
}

arr_status arr_savetxt(arr_array a, const char* path, int64_t length, const arr_savetxt_options* options,
                       arr_stream stream) {
  return to_file("arr_savetxt", a, path, length, stream,
                 [&](const arr::Array& x, std::string_view name, arr::Stream* s) {
                   io::TableFormat f;
                   if (options != nullptr) {
                     check_size(*options, "options");
                     f.format = text_or(options->format, f.format);
                     f.delimiter = text_or(options->delimiter, f.delimiter);
                     f.newline = text_or(options->newline, f.newline);
                     f.comments = text_or(options->comments, f.comments);
                     f.header = text_or(options->header, f.header);
                     f.footer = text_or(options->footer, f.footer);
                   }
                   io::save_table(x, name, f, s);
                 });
}

arr_status arr_tofile(arr_array a, const char* path, int64_t length, const char* separator,
                      arr_stream stream) {
  return to_file("arr_tofile", a, path, length, stream,
                 [&](const arr::Array& x, std::string_view name, arr::Stream* s) {
                   io::save_elements(x, name, text_or(separator, {}), s);
                 });
}

arr_status arr_fromfile(const char* path, int64_t length, arr_dtype dtype, int64_t count, int64_t skip,
                        const char* separator, const arr_device* device, arr_stream stream, arr_array* out) {
  return of_file("arr_fromfile", path, length, device, stream, out,
                 [&](std::string_view name, arr::Device where, arr::Stream* s) {
                   return io::load_elements(name, arr::dtype_from(dtype), count, skip, text_or(separator, {}),
                                            where, s);
                 });
}

arr_status arr_fromstring(const char* text, int64_t nbytes, arr_dtype dtype, int64_t count,
                          const char* separator, const arr_device* device, arr_stream stream_handle,
                          arr_array* out) {
  return make_array("arr_fromstring", out, [&] {
    const std::string_view all = nbytes == 0 ? std::string_view() : string_argument(text, nbytes, "text");
    check_pointer(separator, "separator");
    const std::string_view by = separator;
    if (by.empty())
      arr::fail(ARR_E_ARGUMENT, "argument separator: empty, expected what is between two elements");
    auto s = stream(stream_handle);
    return io::parse_elements(all, "argument text", arr::dtype_from(dtype), count, by,
                              arr::device_from(device), s.get());
  });
}
