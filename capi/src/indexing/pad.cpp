// SPDX-License-Identifier: MIT
// manipulation.h: arrays within borders.
#include "arr/manipulation.h"

#include "ops/indexing/pad.h"

#include "capi/src/arguments.h"

using namespace arr::capi;
using arr::Array;
using arr::PadOptions;
using arr::PadWidths;
using arr::Scalar;
using arr::Stream;

namespace {

// A list of 1, 2 or 2 * ndim entries as two for every axis; none stays none.
template <class T>
std::vector<T> for_each_end(std::vector<T> given, int32_t ndim, const char* argument) {
  const auto all = static_cast<size_t>(ndim) * 2;
  if (given.empty() || given.size() == all) return given;
  if (given.size() > 2)
    arr::fail(ARR_E_SHAPE, "argument ", argument, ": ", given.size(), " entries, expected 1, 2 or ", all);
  std::vector<T> out;
  for (size_t i = 0; i < all; ++i) out.push_back(given[i % given.size()]);
  return out;
}

template <class T>
std::vector<T> numbers(int32_t n, const T* list, const char* argument) {
  if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": ", n, " entries, expected 0 or more");
  if (n > 0) check_pointer(list, argument);
  return {list, list + n};
}

std::vector<Scalar> scalars(const arr_pad_options& o, const Array& a, bool cast) {
  std::vector<Scalar> out;
  for (const arr_value& v : numbers(o.nvalues, o.values, "options"))
    out.push_back(cast ? scalar_as(&v, "options", a.dtype) : scalar_argument(&v, "options"));
  return for_each_end(std::move(out), a.layout.ndim, "options");
}

std::vector<PadWidths> widths_argument(int32_t n, const int64_t* widths, int32_t ndim) {
  const std::vector<int64_t> all = for_each_end(numbers(n, widths, "widths"), ndim, "widths");
  if (all.size() != static_cast<size_t>(ndim) * 2)
    arr::fail(ARR_E_SHAPE, "argument widths: 0 entries, expected 1, 2 or ", ndim * 2);
  std::vector<PadWidths> out;
  for (size_t i = 0; i < all.size(); i += 2) out.push_back({all[i], all[i + 1]});
  return out;
}

PadOptions options_argument(const arr_pad_options* given, const Array& a, arr::PadMode mode) {
  PadOptions out;
  if (given == nullptr) return out;
  check_size(*given, "options");
  out.odd = given->odd != 0;
  out.stat_lengths =
      for_each_end(numbers(given->nlengths, given->stat_lengths, "options"), a.layout.ndim, "options");
  if (mode == arr::PadMode::constant) out.values = scalars(*given, a, true);
  if (mode == arr::PadMode::linear_ramp) out.ends = scalars(*given, a, false);
  return out;
}

}  // namespace

arr_status arr_pad(arr_array a, int32_t n, const int64_t* widths, int32_t mode,
                   const arr_pad_options* options, arr_stream stream, arr_array* out) {
  return unary_call("arr_pad", a, "a", stream, out, [&](const Array& x, Stream* s) {
    if (mode < ARR_PAD_CONSTANT || mode > ARR_PAD_MEDIAN)
      arr::fail(ARR_E_ARGUMENT, "argument mode: ", mode, ", expected one of ARR_PAD_...");
    const auto m = static_cast<arr::PadMode>(mode);
    return arr::pad(x, widths_argument(n, widths, x.layout.ndim), m, options_argument(options, x, m), s);
  });
}
