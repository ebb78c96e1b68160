// SPDX-License-Identifier: MIT
// Shape and strides of an array, and every view that only changes them. Strides are in bytes and may be
// zero or negative; the offset of element (0,..,0) is kept by the array as its data pointer.
#pragma once

#include <cstdint>
#include <span>

#include "array/dtype.h"
#include "base/checked.h"

namespace arr {

inline constexpr int32_t max_ndim = ARR_MAX_NDIM;
enum class Order : int32_t { C = ARR_ORDER_C, F = ARR_ORDER_F, K = ARR_ORDER_K };
Order order_from(int32_t number, const char* argument = "order");
enum class Overlap { none, some, unknown };

struct Layout {
  int32_t ndim = 0;
  int64_t shape[max_ndim];    // extents in elements
  int64_t strides[max_ndim];  // bytes from an element to the next along the axis

  Layout() noexcept {}
  Layout(const Layout& o) noexcept { *this = o; }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): copying numbers onto themselves is harmless
  Layout& operator=(const Layout& o) noexcept {
    ndim = o.ndim;
    for (int32_t i = 0; i < o.ndim; ++i) shape[i] = o.shape[i];
    for (int32_t i = 0; i < o.ndim; ++i) strides[i] = o.strides[i];
    return *this;
  }

  // A contiguous layout. Throws for negative extents, too many dimensions, and sizes over 2^63 bytes.
  static Layout contiguous(std::span<const int64_t> shape, int64_t item, Order order);
  // A layout with explicit byte strides, checked in the same way. Views also compute with strides that no
  // element uses, so those are normalised: an empty array gets the strides of a contiguous one, and an axis
  // of extent 1 gets `item` if its stride is beyond 2^62.
  static Layout strided(std::span<const int64_t> shape, std::span<const int64_t> byte_strides, int64_t item);

  // The stride along the diagonal of axes with strides a and b, for n elements. The sum may overflow only if
  // no second element uses it.
  static int64_t diagonal_stride(int64_t n, int64_t a, int64_t b) noexcept { return n > 1 ? a + b : a; }

  [[nodiscard]] std::span<const int64_t> dims() const noexcept { return {shape, static_cast<size_t>(ndim)}; }
  [[nodiscard]] int64_t size() const noexcept {
    int64_t n = 1;
    for (int32_t i = 0; i < ndim; ++i) n *= shape[i];
    return n;
  }
  [[nodiscard]] bool same_shape(const Layout& o) const noexcept {
    if (ndim != o.ndim) return false;
    for (int32_t i = 0; i < ndim; ++i) {
      if (shape[i] != o.shape[i]) return false;
    }
    return true;
  }
  [[nodiscard]] bool same_strides(const Layout& o) const noexcept {  // and shape
    if (!same_shape(o)) return false;
    for (int32_t i = 0; i < ndim; ++i) {
      if (strides[i] != o.strides[i]) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_contiguous(int64_t item, Order order) const noexcept;  // order C or F
  // Tests whether elements of different indices overlap: exact, unless that takes more work than a write
  // should.
  [[nodiscard]] Overlap self_overlap(int64_t item) const noexcept;
  [[nodiscard]] bool may_self_overlap(int64_t item) const noexcept {
    return self_overlap(item) != Overlap::none;
  }
  // Lowest and one past the highest byte, relative to element (0,..,0); both 0 if empty.
  void reach(int64_t item, int64_t* low, int64_t* high) const noexcept;
  // The order of axes from slowest to fastest, for results that keep their input's memory order ('K').
  void axis_order(int32_t* axes) const noexcept;
  [[nodiscard]] std::string text() const { return shape_text(ndim, shape); }
};

// Contiguous with the axes in the memory order of `like`, for elements of `item` bytes.
Layout layout_like(const Layout& like, int64_t item, Order order);
// Contiguous with `order[0]` the slowest axis.
Layout layout_permuted(std::span<const int64_t> shape, const int32_t* order, int64_t item);

// NumPy's broadcasting of two shapes into `out` (shape only). Throws with both shapes in the text.
void broadcast_shapes(const Layout& a, const Layout& b, const char* argument, Layout* out);

// True if an array of the first shape broadcasts to the second.
bool broadcasts_to(const Layout& in, const Layout& shape) noexcept;

// Views. Each checks its arguments and throws ARR_E_SHAPE or ARR_E_ARGUMENT.
Layout broadcast_to(const Layout& in, std::span<const int64_t> shape);
Layout transpose(const Layout& in, std::span<const int32_t> axes);  // empty: reverse
Layout expand_dims(const Layout& in, std::span<const int32_t> axes, int64_t item);
Layout squeeze(const Layout& in, std::span<const int32_t> axes, bool all);
Layout flip(const Layout& in, std::span<const int32_t> axes, bool all, int64_t* byte_offset);
// a[start:stop:step] of the first axes, by Python's rules for negative and out-of-range ends. INT64_MIN and
// INT64_MAX as start or stop leave that end open.
Layout slice(const Layout& in, std::span<const int64_t> start, std::span<const int64_t> stop,
             std::span<const int64_t> step, int64_t* byte_offset);
// Selects one index along an axis and removes that axis.
Layout index_axis(const Layout& in, int32_t axis, int64_t index, int64_t* byte_offset);
// Replaces one extent of -1, and checks the size.
Layout reshape_shape(const Layout& in, std::span<const int64_t> shape);
// The same elements in `order` with another shape, without a copy; returns false if that needs one.
bool reshape_view(const Layout& in, std::span<const int64_t> shape, Order order, Layout* out);

// Converts axes, which may be negative, to a bit mask of distinct axes 0..ndim-1; axes == nullptr: all.
uint32_t axis_mask(int32_t ndim, int32_t naxes, const int32_t* axes);
int32_t normalize_axis(int32_t ndim, int32_t axis, const char* argument = "axis");

// The iteration space of several operands over one shape, for a backend: dimensions of extent 1 are dropped,
// the others sorted so that operand 0 has its smallest stride last, and merged where every operand allows it.
struct Iteration {
  static constexpr int32_t max_operands = 24;
  int32_t ndim = 0, operands = 0;
  int64_t shape[max_ndim];
  int64_t strides[max_operands][max_ndim];  // bytes
};
// strides[k] has `ndim` entries. The last `nlast` axes (the reduced axes of a reduction) stay after the
// others; *split_out is the number of result dimensions before them.
void collapse(int32_t ndim, const int64_t* shape, int32_t operands, const int64_t* const* strides,
              int32_t nlast, Iteration* out, int32_t* split_out);

}  // namespace arr
