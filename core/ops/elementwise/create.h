// SPDX-License-Identifier: MIT
// Creates arrays: uninitialised, constant, evenly spaced, from host memory; copies, casts, transfers.
#pragma once

#include <span>

#include "ops/elementwise/elementwise.h"

namespace arr {

using Shape = std::span<const int64_t>;

Ref<Array> create(DType dtype, const Layout& layout, Device device, Stream* stream);
Ref<Array> empty(DType dtype, Shape shape, Order order, Device device, Stream* stream);
Ref<Array> full(DType dtype, Shape shape, Order order, const Scalar& value, Device device, Stream* stream);
Ref<Array> empty_like(const Array& a, DType dtype, Order order, Stream* stream);
// A row-major array whose rows begin at aligned addresses; see arr_create_pitched.
Ref<Array> empty_pitched(DType dtype, Shape shape, Device device, Stream* stream);
// An array in page-locked host memory, or in ordinary memory if there is no GPU to lock it.
Ref<Array> empty_pinned(DType dtype, Shape shape, Order order, int32_t flags);
void fill(const Array& a, const Scalar& value, Stream* stream);
// dtype none: int64 if all three are integers, otherwise float64.
Ref<Array> arange(const Scalar& start, const Scalar& stop, const Scalar& step, DType dtype, Device device,
                  Stream* stream);
Ref<Array> linspace(double start, double stop, int64_t count, bool endpoint, DType dtype, Device device,
                    Stream* stream);
// Between elements of arrays that broadcast, along a new axis of the result.
struct Spacing {
  int64_t count = 50;
  bool endpoint = true;
};
Ref<Array> linspace(const Array& start, const Array& stop, const Spacing& by, int32_t axis, DType dtype,
                    Stream* stream);
// base to the power of the numbers of linspace.
Ref<Array> logspace(double start, double stop, int64_t count, bool endpoint, double base, DType dtype,
                    Device device, Stream* stream);
Ref<Array> eye(int64_t rows, int64_t columns, int64_t k, DType dtype, Order order, Device device,
               Stream* stream);
// A view of memory that the caller owns. strides: in elements, or empty for row-major.
Ref<Array> wrap_array(void* data, DType dtype, Shape shape, std::span<const int64_t> strides,
                      bool has_strides, Device device, Drop drop, void* ctx, bool readonly);

Ref<Array> copy(const Array& a, Order order, Stream* stream);
Ref<Array> astype(const Array& a, DType dtype, Casting casting, Order order, Stream* stream);
// A view of a if it is contiguous already.
Ref<Array> contiguous(const Array& a, Order order, Stream* stream);
// All elements in an order as a vector: a view if possible, or always a copy.
Ref<Array> ravel(const Array& a, Order order, Stream* stream);
Ref<Array> flatten(const Array& a, Order order, Stream* stream);
Ref<Array> reshape(const Array& a, Shape shape, Order order, Stream* stream);
void assign(const Array& dst, const Array& src, Stream* stream);
// The view of a source for an assignment to that shape, without leading axes of extent 1 that the shape does
// not have; NumPy ignores these. Returns the array itself if it does not broadcast to the shape.
Ref<Array> as_written(const Array& src, const Layout& shape);
// Reverses the bytes of numbers; the parts of complex numbers separately.
Ref<Array> byteswap(const Array& a, Stream* stream);
void byteswap_into(const Array& dst, const Array& a, Stream* stream);
Ref<Array> to_device(const Array& a, Device device, Stream* stream);

// Copies between the elements and contiguous host memory in `order`, of nbytes bytes.
void get(const Array& a, Order order, void* host, int64_t nbytes, Stream* stream);
void set(const Array& a, Order order, const void* host, int64_t nbytes, Stream* stream);
Scalar item(const Array& a, std::span<const int64_t> index);

}  // namespace arr
