// SPDX-License-Identifier: MIT
// calculus.h: differences, gradients, integrals.
#include "arr/calculus.h"

#include <numbers>
#include <vector>

#include "capi/src/arguments.h"
#include "capi/src/output.h"
#include "ops/calculus/calculus.h"

using namespace arr::capi;
using arr::Array;

namespace {

std::vector<int32_t> gradient_axes(const Array& f, int32_t naxes, const int32_t* axes) {
  const int32_t ndim = f.layout.ndim;
  if (naxes < 1 || naxes > ndim || (axes == nullptr && naxes != ndim)) {
    arr::fail(ARR_E_ARGUMENT, "argument naxes: ", naxes, " axes of an array with ", ndim, " dimensions");
  }
  if (axes == nullptr) {
    std::vector<int32_t> all(static_cast<size_t>(naxes));
    for (int32_t i = 0; i < naxes; ++i) all[static_cast<size_t>(i)] = i;
    return all;
  }
  arr::axis_mask(ndim, naxes, axes);
  return {axes, axes + naxes};
}

arr_status diff(const char* function, const Output& to, arr_array a, int32_t n, int32_t axis,
                arr_array prepend, arr_array append, arr_stream stream) noexcept {
  return write_or_create(function, to, stream, [&](arr::Stream* s) {
    auto x = array(a, "a");
    auto front = optional_array(prepend, "prepend"), back = optional_array(append, "append");
    return arr::diff(*x, n, axis, front.get(), back.get(), s);
  });
}

std::vector<arr::Ref<Array>> gradients(const Array& f, int32_t naxes, const int32_t* axes,
                                       const arr_value* spacing, int32_t edge_order, arr::Stream* s) {
  std::vector<arr::Ref<Array>> results;
  const std::vector<int32_t> which = gradient_axes(f, naxes, axes);
  for (size_t i = 0; i < which.size(); ++i) {
    Operands given;
    arr::Input one;
    one.scalar = arr::scalar_of(1.0);
    one.weak = true;
    if (spacing != nullptr) {
      given.add(spacing + i, "spacing");
      one = given.inputs()[0];
    }
    results.push_back(arr::gradient(f, which[i], one, edge_order, s));
  }
  return results;
}

arr_status trapezoid(const char* function, const Output& to, arr_array y, arr_array x, double dx,
                     int32_t axis, arr_stream stream) noexcept {
  return write_or_create(function, to, stream, [&](arr::Stream* s) {
    auto values = array(y, "y");
    auto at = optional_array(x, "x");
    return arr::trapezoid(*values, at.get(), dx, axis, s);
  });
}

}  // namespace

arr_status arr_diff(arr_array a, int32_t n, int32_t axis, arr_array prepend, arr_array append,
                    arr_stream stream, arr_array* out) {
  return diff("arr_diff", new_output(out), a, n, axis, prepend, append, stream);
}

arr_status arr_diff_into(arr_array dst, arr_array a, int32_t n, int32_t axis, arr_array prepend,
                         arr_array append, arr_stream stream) {
  return diff("arr_diff_into", existing_output(dst), a, n, axis, prepend, append, stream);
}

arr_status arr_ediff1d(arr_array a, arr_array to_end, arr_array to_begin, arr_stream stream_handle,
                       arr_array* out) {
  return make_array("arr_ediff1d", out, [&] {
    auto x = array(a, "a");
    auto back = optional_array(to_end, "to_end"), front = optional_array(to_begin, "to_begin");
    auto s = stream(stream_handle);
    return arr::ediff1d(*x, front.get(), back.get(), s.get());
  });
}

arr_status arr_gradient(arr_array f, int32_t naxes, const int32_t* axes, const arr_value* spacing,
                        int32_t edge_order, arr_stream stream_handle, int32_t nout, arr_array* out) {
  return guard("arr_gradient", [&] {
    auto x = array(f, "f");
    auto s = stream(stream_handle);
    if (nout != naxes) arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", naxes);
    check_pointer(out, "out");
    publish_all(gradients(*x, naxes, axes, spacing, edge_order, s.get()), out);
  });
}

arr_status arr_gradient_into(int32_t ndst, const arr_array* dsts, arr_array f, int32_t naxes,
                             const int32_t* axes, const arr_value* spacing, int32_t edge_order,
                             arr_stream stream_handle) {
  return guard("arr_gradient_into", [&] {
    auto x = array(f, "f");
    auto s = stream(stream_handle);
    if (ndst != naxes) arr::fail(ARR_E_ARGUMENT, "argument ndst: ", ndst, ", expected ", naxes);
    if (ndst > 0) check_pointer(dsts, "dsts");
    std::vector<arr::Pinned<Array>> to;
    for (int32_t i = 0; i < ndst && i < arr::max_ndim; ++i) {
      to.push_back(array(dsts[i], "dsts"));
      arr::check_destination(*to.back(), x->layout, "dsts");
    }
    const auto results = gradients(*x, naxes, axes, spacing, edge_order, s.get());
    for (size_t i = 0; i < results.size(); ++i) arr::assign(*to[i], *results[i], s.get());
  });
}

arr_status arr_trapezoid(arr_array y, arr_array x, double dx, int32_t axis, arr_stream stream,
                         arr_array* out) {
  return trapezoid("arr_trapezoid", new_output(out), y, x, dx, axis, stream);
}

arr_status arr_trapezoid_into(arr_array dst, arr_array y, arr_array x, double dx, int32_t axis,
                              arr_stream stream) {
  return trapezoid("arr_trapezoid_into", existing_output(dst), y, x, dx, axis, stream);
}

arr_status arr_cumulative_trapezoid(arr_array y, arr_array x, double dx, int32_t axis, bool include_initial,
                                    arr_stream stream_handle, arr_array* out) {
  return make_array("arr_cumulative_trapezoid", out, [&] {
    auto values = array(y, "y");
    auto at = optional_array(x, "x");
    auto s = stream(stream_handle);
    return arr::cumulative_trapezoid(*values, at.get(), dx, axis, include_initial, s.get());
  });
}

arr_status arr_unwrap(arr_array p, double discont, int32_t axis, const arr_value* period,
                      arr_stream stream_handle, arr_array* out) {
  return make_array("arr_unwrap", out, [&] {
    auto x = array(p, "p");
    auto s = stream(stream_handle);
    const bool weak = period == nullptr || is_weak(*period);
    const arr::Scalar full =
        period == nullptr ? arr::scalar_of(2 * std::numbers::pi) : scalar_argument(period, "period");
    return arr::unwrap(*x, discont, axis, full, weak, s.get());
  });
}
