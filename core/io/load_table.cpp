// SPDX-License-Identifier: MIT
// Reads tables of numbers by the rules of numpy.loadtxt and numpy.genfromtxt.
#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "io/file.h"
#include "io/lines.h"
#include "io/number_text.h"
#include "io/text.h"
#include "io/transfer.h"
#include "ops/elementwise/create.h"

namespace arr::io {

namespace {

void split(std::string_view line, std::string_view delimiter, std::vector<std::string_view>* fields) {
  fields->clear();
  if (!delimiter.empty()) {
    for (;;) {
      const size_t at = line.find(delimiter);
      fields->push_back(line.substr(0, at));
      if (at == std::string_view::npos) return;
      line.remove_prefix(at + delimiter.size());
    }
  }
  for (size_t at = 0;;) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) return;
    const size_t first = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    fields->push_back(line.substr(first, at - first));
  }
}

class Table {
 public:
  Table(const std::string& name, const TableOptions& options)
      : name_(name), options_(options), item_(item_size(options.dtype)) {}

  void read(std::string_view text) {
    Lines lines(text);
    std::string_view line;
    for (int64_t k = 0; k < options_.skip_rows; ++k) {
      if (!lines.next(&line)) return;
    }
    while ((options_.max_rows == 0 || rows_ < options_.max_rows) && lines.next(&line)) {
      if (!options_.comments.empty()) line = line.substr(0, line.find(options_.comments));
      if (trimmed(line).empty()) continue;
      // Lines that may belong to the footer are not parsed, because they may contain anything.
      waiting_.emplace_back(line, lines.number());
      if (static_cast<int64_t>(waiting_.size()) <= options_.skip_footer) continue;
      const auto [text_of_row, number] = waiting_.front();
      waiting_.pop_front();
      split(text_of_row, options_.delimiter, &fields_);
      row(number);
    }
  }

  [[nodiscard]] int64_t rows() const { return rows_; }
  [[nodiscard]] int64_t columns() const { return columns_; }
  [[nodiscard]] const char* data() const { return data_.data(); }

 private:
  const std::string& name_;
  const TableOptions& options_;
  const int64_t item_;
  int64_t rows_ = 0, columns_ = 0;
  std::deque<std::pair<std::string_view, int64_t>> waiting_;  // lines with their numbers
  std::vector<std::string_view> fields_;
  std::vector<char> data_;

  void row(int64_t line) {
    const auto found = static_cast<int64_t>(fields_.size());
    const bool chosen = !options_.columns.empty();
    if (rows_ == 0) columns_ = chosen ? static_cast<int64_t>(options_.columns.size()) : found;
    if (!chosen && found != columns_) {
      fail(ARR_E_FORMAT, name_, ": line ", line, " has ", found, " columns, the lines before it ", columns_);
    }
    const size_t at = data_.size();
    data_.resize(at + static_cast<size_t>(columns_ * item_));
    for (int64_t k = 0; k < columns_; ++k) {
      const int64_t asked = chosen ? options_.columns[static_cast<size_t>(k)] : k;
      if (asked < -found || asked >= found) {
        fail(ARR_E_FORMAT, name_, ": line ", line, " has ", found, " columns, but column ", asked,
             " is requested");
      }
      field(fields_[static_cast<size_t>(asked < 0 ? asked + found : asked)], line, k,
            data_.data() + at + k * item_);
    }
    ++rows_;
  }

  void field(std::string_view text, int64_t line, int64_t column, char* element) {
    const bool number = read_number(text, options_.dtype, element);
    if (number && !options_.fill_missing) return;
    const std::string_view all = trimmed(text);
    if (options_.fill_missing) {
      const bool missing = !number || std::find(options_.missing.begin(), options_.missing.end(), all) !=
                                          options_.missing.end();
      if (missing)
        std::memcpy(element, &options_.filling.lo, static_cast<size_t>(std::min<int64_t>(item_, 8)));
      if (missing && item_ == 16) std::memcpy(element + 8, &options_.filling.hi, 8);
      return;
    }
    fail(ARR_E_FORMAT, name_, ": line ", line, ", column ", column, ": ", shown(all), " is not of type ",
         arr::name(options_.dtype));
  }
};

// Applies NumPy's ndmin: axes of extent 1 are removed, and added again if fewer than min_dims are left.
std::vector<int64_t> table_shape(int64_t rows, int64_t columns, int32_t min_dims) {
  if (rows == 0 && columns == 0) {
    if (min_dims == 2) return {0, 1};
    return {0};
  }
  std::vector<int64_t> shape;
  for (const int64_t extent : {rows, columns}) {
    if (min_dims == 2 || extent != 1) shape.push_back(extent);
  }
  if (min_dims == 1 && shape.empty()) shape.push_back(1);
  return shape;
}

}  // namespace

Ref<Array> parse_table(std::string_view text, const std::string& name, const TableOptions& options,
                       Device device, Stream* stream) {
  queue_for(device, stream);
  Table table(name, options);
  table.read(text);
  const std::vector<int64_t> shape = table_shape(table.rows(), table.columns(), options.min_dims);
  Ref<Array> a = new_elements(options.dtype, shape, Order::C, device, stream);
  const int64_t bytes = a->layout.size() * a->item();
  if (bytes != 0) std::memcpy(a->data, table.data(), static_cast<size_t>(bytes));
  return placed(std::move(a), device, stream);
}

Ref<Array> load_table(std::string_view path, const TableOptions& options, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  Reader file(path);
  const std::string text = file.read_rest();
  return parse_table(text, file.shown_path(), options, device, stream);
}

}  // namespace arr::io
