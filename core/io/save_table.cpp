// SPDX-License-Identifier: MIT
// Writes tables of numbers as text, as numpy.savetxt does.
#include "io/file.h"
#include "io/number_format.h"
#include "io/text.h"
#include "io/transfer.h"

namespace arr::io {

namespace {

// The conversions of one row, with the text between them.
NumberFormat row_format(const TableFormat& f, int64_t columns, bool complex) {
  NumberFormat one = parse_number_format(f.format);
  const auto given = static_cast<int64_t>(one.conversions.size());
  const int64_t wanted = checked::mul(columns, complex ? 2 : 1, "the number of columns");
  if (given == wanted && given > 1) return one;
  if (given != 1)
    fail(ARR_E_ARGUMENT, "argument options: a format of ", given, " conversions for ", wanted,
         " numbers per row");
  NumberFormat row;
  const Conversion& c = one.conversions.front();
  std::string between;
  for (int64_t k = 0; k < columns; ++k) {
    if (k > 0) between += f.delimiter;
    for (int32_t part = 0; part < (complex ? 2 : 1); ++part) {
      Conversion next = c;
      // A complex number is " (%s+%sj)"; append_row writes the sign of the imaginary part.
      next.before = between;
      if (complex && part == 0) next.before += " (";
      next.before += c.before;
      row.conversions.push_back(std::move(next));
      between = one.after;
    }
    if (complex) between += "j)";
  }
  row.after = between;
  return row;
}

void append_row(const NumberFormat& f, DType dtype, const char* first, int64_t columns, bool sign_between,
                std::string* out) {
  const int32_t parts = is_complex(dtype) ? 2 : 1;
  size_t at = 0;
  for (int64_t k = 0; k < columns; ++k) {
    for (int32_t part = 0; part < parts; ++part, ++at) {
      const Conversion& c = f.conversions[at];
      const RealNumber x = real_number(dtype, first + k * item_size(dtype), part);
      *out += c.before;
      const size_t start = out->size();
      append_formatted(c, dtype, x, out);
      // NumPy writes "+" and replaces "+-" by "-".
      if (part == 1 && sign_between && (*out)[start] != '-') out->insert(start, 1, '+');
    }
  }
  *out += f.after;
}

void append_lines(std::string_view text, const TableFormat& f, std::string* out) {
  *out += f.comments;
  for (char c : text) {
    *out += c;
    if (c == '\n') *out += f.comments;
  }
  *out += f.newline;
}

}  // namespace

void save_table(const Array& a, std::string_view path, const TableFormat& f, Stream* stream) {
  const Layout& l = a.layout;
  if (l.ndim != 1 && l.ndim != 2)
    fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected a vector or a matrix");
  queue_for(a.device(), stream);
  const int64_t columns = l.ndim == 2 ? l.shape[1] : 1;
  const bool complex = is_complex(a.dtype);
  const NumberFormat row = columns == 0 ? NumberFormat{} : row_format(f, columns, complex);
  const bool sign_between = complex && parse_number_format(f.format).conversions.size() == 1;
  const Ref<Array> elements = host_elements(a, Order::C, stream);
  Writer file(path);
  std::string text;
  if (!f.header.empty()) append_lines(f.header, f, &text);
  for (int64_t i = 0; i < l.shape[0]; ++i) {
    append_row(row, a.dtype, elements->data + i * columns * a.item(), columns, sign_between, &text);
    text += f.newline;
    if (text.size() < text_piece) continue;
    file.write(text.data(), static_cast<int64_t>(text.size()));
    text.clear();
  }
  if (!f.footer.empty()) append_lines(f.footer, f, &text);
  file.write(text.data(), static_cast<int64_t>(text.size()));
  file.commit();
}

}  // namespace arr::io
