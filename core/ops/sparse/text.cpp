// SPDX-License-Identifier: MIT
// Sparse matrices as text: format, dtype and shape, then the indices and the value of each element.
#include "ops/sparse/text.h"

#include <algorithm>

#include "ops/elementwise/array_ops.h"
#include "ops/sparse/nd.h"
#include "ops/text/format_items.h"

namespace arr {

namespace {

const char* long_name(SparseFormat format) {
  switch (format) {
    case SparseFormat::csr:
      return "Compressed Sparse Row";
    case SparseFormat::csc:
      return "Compressed Sparse Column";
    default:
      return "COOrdinate";
  }
}

Ref<Array> on_host(const Array& a) {
  Ref<Array> out = contiguous(*to_device(a, {}, nullptr), Order::C, nullptr);
  read_here(*out->buffer);
  return out;
}

std::vector<int64_t> integers(const Array& a) { return download<int64_t>(a, DType::int64_, nullptr); }

// As Python writes a tuple.
std::string tuple(Shape numbers) {
  std::string out = "(";
  for (size_t i = 0; i < numbers.size(); ++i) out += text(i == 0 ? "" : ", ", numbers[i]);
  return out + (numbers.size() == 1 ? ",)" : ")");
}
std::string tuple(std::initializer_list<int64_t> numbers) {
  return tuple(Shape(numbers.begin(), numbers.size()));
}

// The index along each axis of the element with that index in row-major order.
std::vector<int64_t> coordinates(const Layout& shape, int64_t key) {
  std::vector<int64_t> out;
  for (int32_t i = 0; i < shape.ndim; ++i) {
    out.push_back(key / shape.strides[i]);
    key %= shape.strides[i];
  }
  return out;
}

// The lines of elements `from` to `to` - 1. pointers: of a compressed format, where its lines begin.
void append_elements(const Sparse& a, const std::vector<int64_t>& pointers, int64_t from, int64_t to,
                     std::string* out) {
  if (from == to) return;
  const std::vector<int64_t> inner = integers(*slice_axis(*a.inner, 0, from, to));
  const std::vector<int64_t> outer =
      a.compressed() ? std::vector<int64_t>{} : integers(*slice_axis(*a.outer, 0, from, to));
  const Ref<Array> data = on_host(*slice_axis(*a.data, 0, from, to));
  int64_t line = 0;
  for (int64_t k = from; k < to; ++k) {
    const auto at = static_cast<size_t>(k - from);
    if (a.compressed()) {
      line = std::upper_bound(pointers.begin() + line, pointers.end(), k) - pointers.begin() - 1;
    } else {
      line = outer[at];
    }
    const bool turned = a.format == SparseFormat::csc;
    const std::string at_index = a.nd != nullptr ? tuple(coordinates(*a.nd, inner[at]))
                                 : turned        ? tuple({inner[at], line})
                                                 : tuple({line, inner[at]});
    *out += text("\n  ", at_index, "\t", single_item_text(a.dtype(), data->data + (k - from) * data->item()));
  }
}

}  // namespace

std::string format(const Sparse& a, int64_t max_elements) {
  if (max_elements < 0) fail(ARR_E_ARGUMENT, "argument max_elements: ", max_elements, " is negative");
  const int64_t most = max_elements == 0 ? 50 : max_elements, n = a.nnz();
  const SparseFormat form = a.nd != nullptr ? SparseFormat::coo : a.format;
  std::string out = text("<", long_name(form), " sparse array of dtype '", name(a.dtype()), "'\n\twith ", n,
                         " stored elements and shape ", tuple(shape_of(a).dims()), ">");
  if (n == 0) return out;
  out += "\n  Coords\tValues";
  const std::vector<int64_t> pointers = a.compressed() ? integers(*a.outer) : std::vector<int64_t>{};
  if (n <= most) {
    append_elements(a, pointers, 0, n, &out);
    return out;
  }
  append_elements(a, pointers, 0, most / 2, &out);
  out += "\n  :\t:";
  append_elements(a, pointers, n - (most - most / 2), n, &out);
  return out;
}

}  // namespace arr
