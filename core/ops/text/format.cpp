// SPDX-License-Identifier: MIT
// Layout of the text: brackets, lines of 75 columns, summaries. format_items has the text of the numbers.
#include "ops/text/format.h"

#include <algorithm>
#include <array>

#include "ops/elementwise/create.h"
#include "ops/text/format_items.h"

namespace arr {

namespace {

constexpr int64_t threshold = 1000;  // arrays with more elements are summarised
constexpr size_t line_width = 75;

// The elements to show, contiguous on the host.
Ref<Array> shown_elements(const Array& a, int64_t edge) {
  if (edge == 0) return contiguous(*to_device(a, {}, nullptr), Order::C, nullptr);
  std::array<int64_t, max_ndim> shape{};
  Layout out_layout;
  std::array<int32_t, max_ndim> cut{};  // axes of which only the ends are shown
  uint32_t cuts = 0;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    auto at = static_cast<size_t>(i);
    shape[at] = std::min(a.layout.shape[i], 2 * edge);
    if (shape[at] < a.layout.shape[i]) cut[cuts++] = i;
  }
  Ref<Array> out = empty(a.dtype, {shape.data(), static_cast<size_t>(a.layout.ndim)}, Order::C, {}, nullptr);
  // Copies each corner: along a summarised axis the first or last `edge` elements.
  for (uint64_t corner = 0; corner < uint64_t{1} << cuts; ++corner) {
    Layout from = a.layout, to = out->layout;
    int64_t from_offset = 0, to_offset = 0;
    for (uint32_t k = 0; k < cuts; ++k) {
      int32_t axis = cut[k];
      from.shape[axis] = to.shape[axis] = edge;
      if ((corner >> k & 1) == 0) continue;
      from_offset += (a.layout.shape[axis] - edge) * a.layout.strides[axis];
      to_offset += edge * out->layout.strides[axis];
    }
    assign(*out->view(to, to_offset), *a.view(from, from_offset), nullptr);
  }
  return out;
}

class Printer {
 public:
  Printer(const Array& whole, int64_t edge, const Array& shown, const ItemFormat& items)
      : whole_(whole), shown_(shown), edge_(edge), items_(items) {}

  std::string print() {
    axis(0, shown_.data);
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool has_gap(int32_t axis) const {
    return edge_ != 0 && shown_.layout.shape[axis] < whole_.layout.shape[axis];
  }

  void axis(int32_t depth, const char* data) {
    out_ += '[';
    if (depth + 1 == shown_.layout.ndim) {
      row(depth, data);
    } else {
      auto below = static_cast<size_t>(shown_.layout.ndim - depth - 1);
      std::string gap = std::string(below, '\n') + std::string(static_cast<size_t>(depth) + 1, ' ');
      for (int64_t i = 0; i < shown_.layout.shape[depth]; ++i) {
        if (i > 0) out_ += gap;
        if (i == edge_ && has_gap(depth)) out_ += "..." + gap;
        axis(depth + 1, data + i * shown_.layout.strides[depth]);
      }
    }
    out_ += ']';
  }

  void row(int32_t depth, const char* data) {
    size_t indent = static_cast<size_t>(depth) + 1, width = line_width - indent;
    line_.assign(indent, ' ');
    size_t start = out_.size();
    int64_t extent = shown_.layout.shape[depth];
    for (int64_t i = 0; i < extent; ++i) {
      if (i == edge_ && has_gap(depth)) {
        word("...", indent, width);
        line_ += ' ';
      }
      word(items_.text(data + i * shown_.item()), indent, width);
      if (i + 1 < extent) line_ += ' ';
    }
    out_ += line_;
    out_.erase(start, indent);  // the first line follows its bracket
  }

  void word(const std::string& text, size_t indent, size_t width) {
    if (line_.size() + text.size() > width && line_.size() > indent) {
      line_.erase(line_.find_last_not_of(' ') + 1);
      out_ += line_ + '\n';
      line_.assign(indent, ' ');
    }
    line_ += text;
  }

  const Array& whole_;
  const Array& shown_;
  int64_t edge_;  // 0: all elements are shown
  const ItemFormat& items_;
  std::string out_, line_;
};

}  // namespace

std::string format(const Array& a, int32_t edge) {
  if (edge < 0) fail(ARR_E_ARGUMENT, "argument edge: ", edge, " is negative");
  int64_t size = a.layout.size();
  if (size == 0) return "[]";
  int64_t shown_edge = size <= threshold ? 0 : edge == 0 ? 3 : edge;
  Ref<Array> shown = shown_elements(a, shown_edge);
  read_here(*shown->buffer);
  if (a.layout.ndim == 0) return single_item_text(a.dtype, shown->data);
  ItemFormat items(a.dtype, shown->data, shown->layout.size());
  return Printer(a, shown_edge, *shown, items).print();
}

}  // namespace arr
