// SPDX-License-Identifier: MIT
// Elements without a header: as bytes, or as text with a separator.
#include <algorithm>
#include <cstring>

#include "io/file.h"
#include "io/number_text.h"
#include "io/text.h"
#include "io/transfer.h"
#include "ops/elementwise/create.h"

namespace arr::io {

namespace {

void check_count(int64_t count) {
  if (count < -1) fail(ARR_E_ARGUMENT, "argument count: ", count, ", expected 0 or more, or -1 for all");
}

// Returns the number of elements in `bytes` bytes.
int64_t count_of(int64_t bytes, DType dtype, int64_t count, const std::string& name) {
  const int64_t item = item_size(dtype);
  if (count == -1 && bytes % item != 0)
    fail(ARR_E_FORMAT, name, ": ", bytes, " bytes are not a number of ", arr::name(dtype), " elements");
  if (count > bytes / item)
    fail(ARR_E_FORMAT, name, ": ", bytes, " bytes, but ", count, " elements of ", arr::name(dtype),
         " are requested");
  return count == -1 ? bytes / item : count;
}

// A separator at the start of a text: a text without spaces, with white space around it.
class Separator {
 public:
  explicit Separator(std::string_view s) : mark_(trimmed(s)) {}
  // Removes the separator; returns false if it is not there.
  bool take(std::string_view* text) const {
    const size_t before = text->size();
    skip_space(text);
    if (mark_.empty()) return text->size() != before;
    if (!text->starts_with(mark_)) return false;
    text->remove_prefix(mark_.size());
    skip_space(text);
    return true;
  }
  static void skip_space(std::string_view* text) {
    while (!text->empty() && is_space(text->front())) text->remove_prefix(1);
  }

 private:
  std::string_view mark_;
};

std::vector<char> parsed(std::string_view text, const std::string& name, DType dtype, int64_t count,
                         std::string_view separator) {
  const Separator by(separator);
  const auto item = static_cast<size_t>(item_size(dtype));
  std::vector<char> out;
  const std::string_view all = text;
  int64_t n = 0;
  Separator::skip_space(&text);
  while (n != count && !text.empty()) {
    char element[16];
    const size_t length = read_number_at(text, dtype, element);
    const auto wrong = [&](const char* what, const char* more) {
      fail(ARR_E_FORMAT, name, ": at byte ", all.size() - text.size(), ": ", shown(text.substr(0, 40)), what,
           more);
    };
    if (length == 0) wrong(" is not of type ", arr::name(dtype));
    out.insert(out.end(), element, element + item);
    text.remove_prefix(length);
    ++n;
    if (text.empty()) break;
    if (!by.take(&text)) {
      Separator::skip_space(&text);
      if (text.empty()) break;
      wrong(" does not begin with the separator", "");
    }
  }
  if (n < count) fail(ARR_E_FORMAT, name, ": has ", n, " elements, but ", count, " are requested");
  return out;
}

}  // namespace

Ref<Array> parse_elements(std::string_view text, const std::string& name, DType dtype, int64_t count,
                          std::string_view separator, Device device, Stream* stream) {
  check_count(count);
  queue_for(device, stream);
  std::vector<char> numbers;
  const char* from = text.data();
  int64_t n = 0;
  if (separator.empty()) {
    n = count_of(static_cast<int64_t>(text.size()), dtype, count, name);
  } else {
    numbers = parsed(text, name, dtype, count, separator);
    n = static_cast<int64_t>(numbers.size()) / item_size(dtype);
    from = numbers.data();
  }
  Ref<Array> a = new_elements(dtype, {&n, 1}, Order::C, device, stream);
  if (n != 0) std::memcpy(a->data, from, static_cast<size_t>(n * a->item()));
  return placed(std::move(a), device, stream);
}

Ref<Array> load_elements(std::string_view path, DType dtype, int64_t count, int64_t skip,
                         std::string_view separator, Device device, Stream* stream) {
  check_count(count);
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  Reader file(path);
  if (skip < 0 || skip > file.size())
    fail(ARR_E_ARGUMENT, "argument skip: ", skip, ", but ", file.shown_path(), " has ", file.size(),
         " bytes");
  file.seek(skip);
  if (!separator.empty())
    return parse_elements(file.read_rest(), file.shown_path(), dtype, count, separator, device, stream);
  const int64_t n = count_of(file.size() - skip, dtype, count, file.shown_path());
  Ref<Array> a = new_elements(dtype, {&n, 1}, Order::C, device, stream);
  file.read(a->data, n * a->item());
  file.check_unchanged();
  return placed(std::move(a), device, stream);
}

void save_elements(const Array& a, std::string_view path, std::string_view separator, Stream* stream) {
  queue_for(a.device(), stream);
  const Ref<Array> elements = host_elements(a, Order::C, stream);
  const int64_t n = a.layout.size();
  Writer file(path);
  if (separator.empty()) {
    file.write(elements->data, n * a.item());
    return file.commit();
  }
  std::string text;
  for (int64_t i = 0; i < n; ++i) {
    if (i > 0) text += separator;
    append_number(a.dtype, elements->data + i * a.item(), &text);
    if (text.size() < text_piece) continue;
    file.write(text.data(), static_cast<int64_t>(text.size()));
    text.clear();
  }
  file.write(text.data(), static_cast<int64_t>(text.size()));
  file.commit();
}

}  // namespace arr::io
