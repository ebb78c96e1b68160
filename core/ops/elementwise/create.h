// SPDX-License-Identifier: MIT
// New arrays: uninitialised, constant, evenly spaced, from host memory; copies, casts, transfer.
#pragma once

#include <span>

#include "ops/elementwise/elementwise.h"

namespace arr {

using Shape = std::span<const int64_t>;

Ref<Array> create(DType dtype, const Layout& layout, Device device, Stream* stream);
Ref<Array> empty(DType dtype, Shape shape, Order order, Device device, Stream* stream);
Ref<Array> full(DType dtype, Shape shape, Order order, const Scalar& value, Device device, Stream* stream);
Ref<Array> empty_like(const Array& a, DType dtype, Order order, Stream* stream);
// Row-major, each row at an aligned address: see arr_create_pitched.
Ref<Array> empty_pitched(DType dtype, Shape shape, Device device, Stream* stream);
// In page-locked memory of the host where there is a GPU to lock it, else in the host's ordinary memory.
Ref<Array> empty_pinned(DType dtype, Shape shape, Order order, int32_t flags);
void fill(const Array& a, const Scalar& value, Stream* stream);
// dtype none: int64 where all three are integers, else float64.
Ref<Array> arange(const Scalar& start, const Scalar& stop, const Scalar& step, DType dtype, Device device,
                  Stream* stream);
Ref<Array> linspace(double start, double stop, int64_t count, bool endpoint, DType dtype, Device device,
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
// A view of a itself where it is contiguous already.
Ref<Array> contiguous(const Array& a, Order order, Stream* stream);
// All elements in an order as a vector: a view where that can be, and always a copy.
Ref<Array> ravel(const Array& a, Order order, Stream* stream);
Ref<Array> flatten(const Array& a, Order order, Stream* stream);
Ref<Array> reshape(const Array& a, Shape shape, Order order, Stream* stream);
void assign(const Array& dst, const Array& src, Stream* stream);
// The view of what is written into elements of that shape, without leading axes of extent 1 that these do not
// have: as in NumPy they do not count. The array itself where it does not broadcast to the shape.
Ref<Array> as_written(const Array& src, const Layout& shape);
// Numbers with their bytes reversed; the parts of complex numbers one by one.
Ref<Array> byteswap(const Array& a, Stream* stream);
void byteswap_into(const Array& dst, const Array& a, Stream* stream);
Ref<Array> to_device(const Array& a, Device device, Stream* stream);

// Contiguous host memory in `order`, nbytes of it, to and from the elements.
void get(const Array& a, Order order, void* host, int64_t nbytes, Stream* stream);
void set(const Array& a, Order order, const void* host, int64_t nbytes, Stream* stream);
Scalar item(const Array& a, std::span<const int64_t> index);

}  // namespace arr
