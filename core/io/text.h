// SPDX-License-Identifier: MIT
// Arrays from and to text: tables of numbers, and lists with a separator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "array/array.h"
#include "expr/program.h"
#include "runtime/streams.h"

namespace arr::io {

inline constexpr size_t text_piece = size_t{1} << 20;  // size of a block that is written at once

struct TableOptions {
  DType dtype = DType::float64_;
  std::string_view delimiter;       // empty: white space
  std::string_view comments = "#";  // empty: none
  std::vector<int64_t> columns;     // empty: all
  int64_t skip_rows = 0, skip_footer = 0;
  int64_t max_rows = 0;  // 0: all
  int32_t min_dims = 0;
  // Fields without a number, and fields equal to one of these texts, are missing and become `filling`. If
  // there is no filling they are errors.
  bool fill_missing = false;
  std::vector<std::string_view> missing;
  Scalar filling;  // in the dtype
};
Ref<Array> load_table(std::string_view path, const TableOptions& options, Device device, Stream* stream);
// Reads text in memory; errors show `name` instead of a path.
Ref<Array> parse_table(std::string_view text, const std::string& name, const TableOptions& options,
                       Device device, Stream* stream);

struct TableFormat {
  std::string_view format = "%.18e", delimiter = " ", newline = "\n", comments = "# ";
  std::string_view header, footer;  // empty: none
};
void save_table(const Array& a, std::string_view path, const TableFormat& format, Stream* stream);

// Writes elements in row-major order with a separator; if it is empty, their bytes. count -1: all elements.
// Spaces in the separator match any white space.
Ref<Array> load_elements(std::string_view path, DType dtype, int64_t count, int64_t skip,
                         std::string_view separator, Device device, Stream* stream);
Ref<Array> parse_elements(std::string_view text, const std::string& name, DType dtype, int64_t count,
                          std::string_view separator, Device device, Stream* stream);
void save_elements(const Array& a, std::string_view path, std::string_view separator, Stream* stream);

}  // namespace arr::io
