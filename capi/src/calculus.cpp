// SPDX-License-Identifier: MIT
// calculus.h and signal.h: differences, gradients, integrals, convolution.
#include "arr/calculus.h"

#include <numbers>
#include <vector>

#include "arguments.h"
#include "ops/calculus.h"
#include "seam.h"

using namespace arr::capi;
using arr::Array;

namespace {

std::vector<int32_t> gradient_axes(const Array& f, int32_t naxes, const int32_t* axes) {
  const int32_t ndim = f.layout.ndim;
  if (naxes < 1 || naxes > ndim || (axes == nullptr && naxes != ndim)) {
    arr::fail(ARR_E_ARGUMENT, "argument naxes: ", naxes, " of an array with ", ndim, " dimensions");
  }
  if (axes == nullptr) {
    std::vector<int32_t> all(static_cast<size_t>(naxes));
    for (int32_t i = 0; i < naxes; ++i) all[static_cast<size_t>(i)] = i;
    return all;
  }
  arr::axis_mask(ndim, naxes, axes);
  return {axes, axes + naxes};
}

}  // namespace

arr_status arr_diff(arr_array a, int32_t n, int32_t axis, arr_array prepend, arr_array append,
                    arr_stream stream_handle, arr_array* out) {
  return make_array("arr_diff", out, [&] {
    auto x = array(a, "a");
    auto front = optional_array(prepend, "prepend"), back = optional_array(append, "append");
    auto s = stream(stream_handle);
    return arr::diff(*x, n, axis, front.get(), back.get(), s.get());
  });
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
    const std::vector<int32_t> which = gradient_axes(*x, naxes, axes);
    if (nout != naxes) arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", naxes);
    check_pointer(out, "out");
    std::vector<arr::Ref<Array>> results;
    results.reserve(which.size());
    for (size_t i = 0; i < which.size(); ++i) {
      Operands given;
      arr::Input one;
      one.scalar = arr::scalar_of(1.0);
      one.weak = true;
      if (spacing != nullptr) {
        given.add(spacing + i, "spacing");
        one = given.inputs()[0];
      }
      results.push_back(arr::gradient(*x, which[i], one, edge_order, s.get()));
    }
    std::vector<arr_array> made(results.size());
    size_t count = 0;
    try {
      for (; count < results.size(); ++count) publish<Array>(std::move(results[count]), &made[count]);
    } catch (...) {
      while (count > 0) arr_release(made[--count]);
      throw;
    }
    std::copy(made.begin(), made.end(), out);
  });
}

arr_status arr_trapezoid(arr_array y, arr_array x, double dx, int32_t axis, arr_stream stream_handle,
                         arr_array* out) {
  return make_array("arr_trapezoid", out, [&] {
    auto values = array(y, "y");
    auto at = optional_array(x, "x");
    auto s = stream(stream_handle);
    return arr::trapezoid(*values, at.get(), dx, axis, s.get());
  });
}

arr_status arr_cumulative_trapezoid(arr_array y, arr_array x, double dx, int32_t axis,
                                    int32_t include_initial, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_cumulative_trapezoid", out, [&] {
    auto values = array(y, "y");
    auto at = optional_array(x, "x");
    auto s = stream(stream_handle);
    return arr::cumulative_trapezoid(*values, at.get(), dx, axis, include_initial != 0, s.get());
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

arr_status arr_convolve(arr_array a, arr_array v, int32_t mode, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_convolve", out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::convolve(*x, *y, convolve_mode(mode), s.get());
  });
}

arr_status arr_correlate(arr_array a, arr_array v, int32_t mode, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_correlate", out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::correlate(*x, *y, convolve_mode(mode), s.get());
  });
}

namespace {

arr_status convolved(const char* function, arr_array a, arr_array v, int32_t mode, int32_t naxes,
                     const int32_t* axes, bool blocks, arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto y = array(v, "v");
    auto s = stream(stream_handle);
    return arr::fftconvolve(*x, *y, convolve_mode(mode), arr::axis_mask(x->layout.ndim, naxes, axes), blocks,
                            s.get());
  });
}

}  // namespace

arr_status arr_fftconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t* axes,
                           arr_stream stream, arr_array* out) {
  return convolved("arr_fftconvolve", a, v, mode, naxes, axes, false, stream, out);
}

arr_status arr_oaconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t* axes,
                          arr_stream stream, arr_array* out) {
  return convolved("arr_oaconvolve", a, v, mode, naxes, axes, true, stream, out);
}
