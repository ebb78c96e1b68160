// SPDX-License-Identifier: MIT
// MatrixMarket files: a line that says what follows, comments, a line of sizes, then a line for each element.
// R. F. Boisvert, R. Pozo and K. Remington: The Matrix Market exchange formats, NISTIR 5935, 1996.
#include "io/matrix_market.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/checked.h"
#include "io/file.h"
#include "io/lines.h"
#include "io/text.h"
#include "io/transfer.h"
#include "math/scalar.h"
#include "ops/elementwise/array_ops.h"
#include "ops/sparse/shape.h"

namespace arr::io {

namespace {

constexpr std::array<std::string_view, 4> symmetries = {"general", "symmetric", "skew-symmetric",
                                                        "hermitian"};

std::string_view field_of(DType d) {
  switch (kind(d)) {
    case DKind::FLOAT:
      return "real";
    case DKind::COMPLEX:
      return "complex";
    default:
      return d == DType::uint64_ ? "unsigned-integer" : "integer";
  }
}

void append_comment(std::string_view comment, std::string* out) {
  Lines lines(comment);
  std::string_view line;
  while (lines.next(&line)) {
    *out += '%';
    *out += line;
    *out += '\n';
  }
}

// The first line of a file, and the sizes.
struct Header {
  bool coordinates = true, pattern = false;
  DType dtype = DType::float64_;
  MtxSymmetry symmetry = MtxSymmetry::general;
  Extents extents;
  int64_t entries = 0;  // lines after the sizes
};

// Reads a file whose text is in memory.
class Parser {
 public:
  Parser(std::string_view text, const std::string& path)
      : path_(path), bytes_(std::ssize(text)), lines_(text) {}

  Ref<Sparse> read(Device device, Stream* stream) {
    read_banner();
    read_sizes();
    const int64_t most = header_.symmetry == MtxSymmetry::general ? header_.entries : 2 * header_.entries;
    data_ = new_elements(header_.dtype, {&most, 1}, Order::C, device, stream);
    row_ = new_elements(DType::int64_, {&most, 1}, Order::C, device, stream);
    col_ = new_elements(DType::int64_, {&most, 1}, Order::C, device, stream);
    if (header_.coordinates) {
      read_coordinates();
    } else {
      read_elements();
    }
    if (next()) fail_here("there is more text after the last element");
    const auto part = [&](const Ref<Array>& a) {
      return placed(slice_axis(*a, 0, 0, count_), device, stream);
    };
    return sparse_coo(header_.extents, *part(data_), *part(row_), *part(col_), stream);
  }

 private:
  const std::string& path_;
  int64_t bytes_;
  Lines lines_;
  std::string_view line_;
  Header header_;
  Ref<Array> data_, row_, col_;
  int64_t count_ = 0;

  template <class... Text>
  [[noreturn]] void fail_here(const Text&... what) const {
    fail(ARR_E_FORMAT, path_, ": line ", lines_.number(), ": ", what...);
  }

  // The next line that is neither empty nor a comment.
  bool next() {
    while (lines_.next(&line_)) {
      line_ = trimmed(line_);
      if (!line_.empty() && line_[0] != '%') return true;
    }
    return false;
  }

  std::string take_word() {
    std::string word(take_field(&line_));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
    return word;
  }

  void read_banner() {
    if (!lines_.next(&line_)) fail(ARR_E_FORMAT, path_, ": is empty, expected a MatrixMarket file");
    const std::string banner = take_word(), object = take_word(), layout = take_word(), field = take_word(),
                      symmetry = take_word();
    if (banner != "%%matrixmarket") fail_here("starts with ", shown(banner), ", expected '%%MatrixMarket'");
    if (object != "matrix") fail_here("object ", shown(object), ", expected 'matrix'");
    if (layout != "coordinate" && layout != "array") {
      fail_here("format ", shown(layout), ", expected 'coordinate' or 'array'");
    }
    header_.coordinates = layout == "coordinate";
    header_.pattern = field == "pattern" && header_.coordinates;
    if (field == "complex") {
      header_.dtype = DType::complex128_;
    } else if (field == "integer") {
      header_.dtype = DType::int64_;
    } else if (field == "unsigned-integer") {
      header_.dtype = DType::uint64_;
    } else if (field != "real" && field != "double" && !header_.pattern) {
      fail_here("field ", shown(field), ", expected 'real', 'complex', 'integer', 'unsigned-integer'",
                header_.coordinates ? " or 'pattern'" : "");
    }
    const auto* found = std::find(symmetries.begin(), symmetries.end(), symmetry);
    if (found == symmetries.end()) {
      fail_here("symmetry ", shown(symmetry),
                ", expected 'general', 'symmetric', 'skew-symmetric' or 'hermitian'");
    }
    header_.symmetry = static_cast<MtxSymmetry>(found - symmetries.begin());
  }

  // An integer of the line.
  int64_t take_integer(const char* what) {
    const std::string_view field = take_field(&line_);
    int64_t value = 0;
    if (!read_number(field, DType::int64_, reinterpret_cast<char*>(&value))) {
      fail_here(what, " is ", shown(field), ", expected an integer");
    }
    return value;
  }

  void read_sizes() {
    if (!next()) fail(ARR_E_FORMAT, path_, ": has no line of sizes");
    Extents& e = header_.extents;
    e.rows = take_integer("the number of rows");
    e.columns = take_integer("the number of columns");
    if (e.rows < 0 || e.columns < 0) fail_here("a size is negative");
    check_extents(e);
    const bool general = header_.symmetry == MtxSymmetry::general;
    if (!general && e.rows != e.columns) {
      fail_here(e.rows, " rows and ", e.columns, " columns, expected a square matrix, because it is ",
                symmetries[static_cast<size_t>(header_.symmetry)]);
    }
    if (header_.coordinates) {
      header_.entries = take_integer("the number of elements");
    } else if (general) {
      header_.entries = e.rows * e.columns;
    } else {  // the triangle, without the diagonal if that is 0; n (n + 1) may be above the range, half of it
              // not
      const int64_t n = header_.symmetry == MtxSymmetry::skew_symmetric ? e.rows - 1 : e.rows;
      header_.entries = n <= 0 ? 0 : n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
    }
    if (!take_field(&line_).empty()) fail_here("there is more than the sizes");
    // Each element has at least a digit and the end of a line, so a number that the file cannot hold takes no
    // memory.
    if (header_.entries < 0 || header_.entries > bytes_ / 2 + 1) {
      fail_here(header_.entries, " elements, more than a file of ", bytes_, " bytes can have");
    }
  }

  void next_entry(int64_t k) {
    if (!next()) {
      fail(ARR_E_FORMAT, path_, ": ends after ", k, " elements, expected ", header_.entries);
    }
  }

  // Reads the value of an element from the rest of the line.
  void take_value(char* to) {
    const DType d = header_.dtype, real = real_type(d);
    if (header_.pattern) {
      __builtin_memcpy(to, &one, sizeof one);
    } else {
      for (char* part = to; part != to + item_size(d); part += item_size(real)) {
        const std::string_view field = take_field(&line_);
        if (!read_number(field, real, part)) {
          fail_here("the value is ", shown(field), ", expected ",
                    is_complex(d)             ? "two numbers"
                    : kind(d) == DKind::FLOAT ? "a number"
                                              : "an integer that fits");
        }
      }
    }
    if (!take_field(&line_).empty()) fail_here("there is more than an element");
  }

  void read_coordinates() {
    for (int64_t k = 0; k < header_.entries; ++k) {
      next_entry(k);
      const int64_t i = take_integer("the row"), j = take_integer("the column");
      if (i < 1 || i > header_.extents.rows) {
        fail_here("row ", i, " is out of range, expected 1 to ", header_.extents.rows);
      }
      if (j < 1 || j > header_.extents.columns) {
        fail_here("column ", j, " is out of range, expected 1 to ", header_.extents.columns);
      }
      std::array<char, 16> value{};
      take_value(value.data());
      add(i - 1, j - 1, value.data());
    }
  }

  // All elements by columns, of symmetric matrices those of the lower triangle.
  void read_elements() {
    const bool general = header_.symmetry == MtxSymmetry::general,
               strict = header_.symmetry == MtxSymmetry::skew_symmetric;
    int64_t k = 0;
    for (int64_t j = 0; j < header_.extents.columns; ++j) {
      for (int64_t i = general ? 0 : j + (strict ? 1 : 0); i < header_.extents.rows; ++i) {
        next_entry(k++);
        std::array<char, 16> value{};
        take_value(value.data());
        if (!is_zero(value.data())) add(i, j, value.data());
      }
    }
  }

  [[nodiscard]] bool is_zero(const char* value) const {
    for (const int32_t part : {0, 1}) {
      const RealNumber x = real_number(header_.dtype, value, part);
      if (x.whole ? x.size != 0 : x.value != 0) return false;
      if (!is_complex(header_.dtype)) break;
    }
    return true;
  }

  // Adds an element and, in a symmetric matrix, the one that it implies.
  void add(int64_t i, int64_t j, const char* value) {
    put(i, j, value);
    if (header_.symmetry == MtxSymmetry::general || i == j) return;
    std::array<char, 16> mirrored{};
    __builtin_memcpy(mirrored.data(), value, mirrored.size());
    if (header_.symmetry != MtxSymmetry::symmetric) change_sign(mirrored.data());
    put(j, i, mirrored.data());
  }

  // Negates a value, or conjugates that of a Hermitian matrix.
  void change_sign(char* value) const {
    const bool hermitian = header_.symmetry == MtxSymmetry::hermitian;
    if (is_integer(header_.dtype)) {
      if (hermitian) return;
      uint64_t x = 0;
      __builtin_memcpy(&x, value, sizeof x);
      x = 0 - x;
      __builtin_memcpy(value, &x, sizeof x);
      return;
    }
    std::array<double, 2> x{};
    __builtin_memcpy(x.data(), value, sizeof x);
    if (!hermitian) x[0] = -x[0];
    x[1] = -x[1];
    __builtin_memcpy(value, x.data(), sizeof x);
  }

  void put(int64_t i, int64_t j, const char* value) {
    const auto item = static_cast<size_t>(data_->item());
    __builtin_memcpy(data_->data + count_ * data_->item(), value, item);
    reinterpret_cast<int64_t*>(row_->data)[count_] = i;
    reinterpret_cast<int64_t*>(col_->data)[count_] = j;
    ++count_;
  }

  static constexpr double one = 1;
};

}  // namespace

void save_mtx(const Sparse& given, std::string_view path, MtxSymmetry symmetry, std::string_view comment,
              Stream* stream) {
  const bool general = symmetry == MtxSymmetry::general;
  if (!general && given.extents.rows != given.extents.columns) {
    fail(ARR_E_SHAPE, "argument a: shape (", given.extents.rows, ", ", given.extents.columns,
         "), expected a square matrix for argument symmetry");
  }
  const bool strict = symmetry == MtxSymmetry::skew_symmetric;
  const Ref<Sparse> lower = general ? given.share() : sparse_triangle(given, strict ? -1 : 0, true, stream);
  const Ref<Array> row =
      host_elements(*as_type(*rows_of(*lower, stream), DType::int64_, stream), Order::C, stream);
  const Ref<Array> col =
      host_elements(*as_type(*columns_of(*lower, stream), DType::int64_, stream), Order::C, stream);
  const Ref<Array> numbers =
      lower->dtype() == DType::bool_ ? as_type(*lower->data, DType::uint8_, stream) : lower->data->share();
  const Ref<Array> data = host_elements(*numbers, Order::C, stream);
  const DType d = data->dtype, real = real_type(d);
  std::string text = arr::text("%%MatrixMarket matrix coordinate ", field_of(d), " ",
                               symmetries[static_cast<size_t>(symmetry)], "\n");
  append_comment(comment, &text);
  text += arr::text(given.extents.rows, " ", given.extents.columns, " ", lower->nnz(), "\n");
  Writer file(path);
  for (int64_t k = 0; k < lower->nnz(); ++k) {
    for (const Ref<Array>* index : {&row, &col}) {
      text += std::to_string(reinterpret_cast<const int64_t*>((*index)->data)[k] + 1);
      text += ' ';
    }
    const char* element = data->data + k * data->item();
    append_number(real, element, &text);
    if (is_complex(d)) {
      text += ' ';
      append_number(real, element + item_size(real), &text);
    }
    text += '\n';
    if (text.size() < text_piece) continue;
    file.write(text.data(), std::ssize(text));
    text.clear();
  }
  file.write(text.data(), std::ssize(text));
  file.commit();
}

Ref<Sparse> load_mtx(std::string_view path, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  Reader file(path);
  const std::string text = file.read_rest();
  return Parser(text, file.shown_path()).read(device, stream);
}

}  // namespace arr::io
