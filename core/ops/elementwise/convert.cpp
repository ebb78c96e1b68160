// SPDX-License-Identifier: MIT
// Copies, casts, reshapes, and transfer between devices and host memory.
#include <algorithm>
#include <cstring>

#include "array/index_check.h"
#include "backend/memory.h"
#include "ops/elementwise/create.h"
#include "runtime/captures.h"

namespace arr {

namespace {

Device host_device() { return {}; }

Ref<Array> cast(const Array& a, DType dtype, Order order, Stream* stream) {
  Input in{&a, {}, false};
  return run(single_cast(a.dtype, dtype), {&in, 1}, order, stream);
}

void cast_into(const Array& dst, const Array& src, Stream* stream) {
  Input in{&src, {}, false};
  run_into(dst, single_cast(src.dtype, dst.dtype), {&in, 1}, stream);
}

// An array that views the caller's contiguous memory.
Ref<Array> host_window(void* host, const Array& like, Order order) {
  Layout l = Layout::contiguous(like.layout.dims(), like.item(), order);
  Ref<Buffer> buffer = wrap(host, like.layout.size() * like.item(), host_device());
  return make<Array>(std::move(buffer), static_cast<char*>(host), like.dtype, l);
}

void check_host(const Array& a, Order order, const void* host, int64_t nbytes) {
  if (order == Order::K) fail(ARR_E_ARGUMENT, "argument order: host memory is ARR_ORDER_C or ARR_ORDER_F");
  const int64_t want = checked::mul(a.layout.size(), a.item(), "argument a: its size in bytes");
  if (nbytes != want) {
    fail(ARR_E_SHAPE, "argument nbytes: ", nbytes, ", but ", name(a.dtype), " ", a.layout.text(), " takes ",
         want);
  }
  if (host == nullptr && want != 0) fail(ARR_E_ARGUMENT, "argument host: NULL");
}

// True if work on the array can use the caller's memory directly: the memory is on the array's device, and
// the work does not run later, in a graph.
bool reaches_host(const Array& a, const Stream* stream) {
  return a.device() == host_device() && (stream == nullptr || !stream->capturing());
}

Stream* stream_on(Stream* stream, Device device) {
  return stream != nullptr && stream->device() == device ? stream : nullptr;
}

// Copies between two devices of one type. The copy waits for work on the source, and later work in the
// source's stream waits for the copy.
void copy_between(const Array& to, const Queue& there, const Array& from, const Queue& here, int64_t bytes) {
  if (there.stream->capturing() || here.stream->capturing()) {
    fail(ARR_E_UNSUPPORTED, "argument stream: its work is being captured, and a graph is of one device");
  }
  follow(*to.buffer, there);
  use_to_read(*from.buffer, here);
  wait_stream(*there.stream, *here.stream);
  call(api<MemoryApi>(there).copy_from_peer, there.index(), static_cast<void*>(to.data), here.index(),
       static_cast<const void*>(from.data), bytes, there.handle());
  try {
    wait_stream(*here.stream, *there.stream);
  } catch (...) {
    finish_uses(*to.buffer);  // the buffer no longer records that the source is being read
    throw;
  }
}

}  // namespace

Ref<Array> copy(const Array& a, Order order, Stream* stream) { return cast(a, a.dtype, order, stream); }

Ref<Array> astype(const Array& a, DType dtype, Casting casting, Order order, Stream* stream) {
  if (!can_cast(a.dtype, dtype, casting)) {
    fail(ARR_E_DTYPE, "argument dtype: ", name(a.dtype), " does not cast to ", name(dtype),
         " within the casting rule");
  }
  return cast(a, dtype, order, stream);
}

Ref<Array> contiguous(const Array& a, Order order, Stream* stream) {
  if (order == Order::K) fail(ARR_E_ARGUMENT, "argument order: only ARR_ORDER_C and ARR_ORDER_F");
  if (a.layout.is_contiguous(a.item(), order)) return a.share();
  return copy(a, order, stream);
}

Ref<Array> reshape(const Array& a, Shape shape, Order order, Stream* stream) {
  if (order == Order::K) fail(ARR_E_ARGUMENT, "argument order: only ARR_ORDER_C and ARR_ORDER_F");
  Layout wanted = reshape_shape(a.layout, shape);
  if (a.layout.size() == 0) return a.view(Layout::contiguous(wanted.dims(), a.item(), order));
  Layout view;
  if (reshape_view(a.layout, wanted.dims(), order, &view)) return a.view(view);
  Ref<Array> dense = copy(a, order, stream);
  return dense->view(Layout::contiguous(wanted.dims(), a.item(), order));
}

Ref<Array> ravel(const Array& a, Order order, Stream* stream) {
  const int64_t all = a.layout.size();
  if (order != Order::K) return reshape(a, {&all, 1}, order, stream);
  int32_t axes[max_ndim];
  a.layout.axis_order(axes);
  const Layout in_memory = transpose(a.layout, {axes, static_cast<size_t>(a.layout.ndim)});
  return reshape(*a.view(in_memory), {&all, 1}, Order::C, stream);
}

Ref<Array> flatten(const Array& a, Order order, Stream* stream) {
  Ref<Array> out = ravel(a, order, stream);
  return out->buffer.get() == a.buffer.get() ? copy(*out, Order::C, stream) : out;
}

void assign(const Array& dst, const Array& src, Stream* stream) {
  if (!can_cast(src.dtype, dst.dtype, Casting::same_kind)) {
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", to which ", name(src.dtype),
         " does not cast with the same_kind rule");
  }
  if (src.device() == dst.device()) return cast_into(dst, src, stream);
  check_writable(dst);
  Ref<Array> here = to_device(src, dst.device(), stream);
  cast_into(dst, *here, stream_on(stream, dst.device()));
}

Ref<Array> as_written(const Array& src, const Layout& shape) {
  int32_t lead = 0;
  while (src.layout.ndim - lead > shape.ndim && src.layout.shape[lead] == 1) ++lead;
  if (lead == 0) return src.share();
  Layout l = src.layout;
  l.ndim -= lead;
  std::copy_n(src.layout.shape + lead, l.ndim, l.shape);
  std::copy_n(src.layout.strides + lead, l.ndim, l.strides);
  return src.view(broadcasts_to(l, shape) ? l : src.layout);
}

Ref<Array> to_device(const Array& a, Device device, Stream* stream) {
  if (device == a.device()) return copy(a, Order::K, stream);
  Layout dense = layout_like(a.layout, a.item(), Order::K);
  // Copies raw bytes, so the source must be contiguous.
  bool gaps = !std::equal(dense.strides, dense.strides + dense.ndim, a.layout.strides);
  Ref<Array> packed = gaps ? copy(a, Order::K, stream_on(stream, a.device())) : a.share();
  int64_t bytes = a.layout.size() * a.item();
  if (a.device().type != device.type && a.device() != host_device() && device != host_device()) {
    Ref<Array> staged = to_device(*packed, host_device(), stream);
    return to_device(*staged, device, stream);
  }
  Ref<Array> out = create(a.dtype, packed->layout, device, stream_on(stream, device));
  if (bytes == 0) return out;
  if (a.device().type == device.type) {
    copy_between(*out, queue_for(device, stream_on(stream, device)), *packed,
                 queue_for(a.device(), stream_on(stream, a.device())), bytes);
    return out;
  }
  bool up = a.device() == host_device();
  Queue q = up ? queue_for(device, stream_on(stream, device))
               : queue_for(a.device(), stream_on(stream, a.device()));
  materialize(*packed->buffer);
  check_launched(*packed->buffer, q.stream);
  if (up) finish_uses(*packed->buffer);
  follow(up ? *out->buffer : *packed->buffer, q);
  if (up) {
    call(api<MemoryApi>(q).copy_from_host, q.index(), static_cast<void*>(out->data),
         static_cast<const void*>(packed->data), bytes, q.handle());
  } else {
    call(api<MemoryApi>(q).copy_to_host, q.index(), static_cast<void*>(out->data),
         static_cast<const void*>(packed->data), bytes, q.handle());
  }
  return out;
}

void get(const Array& a, Order order, void* host, int64_t nbytes, Stream* stream) {
  check_host(a, order, host, nbytes);
  if (nbytes == 0) return;
  if (reaches_host(a, stream)) {
    Ref<Array> window = host_window(host, a, order);
    cast_into(*window, a, stream);
    return finish_uses(*window->buffer);  // the end waits as well, but cannot report an error
  }
  Ref<Array> dense = contiguous(a, order, stream);
  Queue q = queue_for(a.device(), stream);
  use_to_read(*dense->buffer, q);
  call(api<MemoryApi>(q).copy_to_host, q.index(), host, static_cast<const void*>(dense->data), nbytes,
       q.handle());
}

void set(const Array& a, Order order, const void* host, int64_t nbytes, Stream* stream) {
  check_host(a, order, host, nbytes);
  check_writable(a);
  if (nbytes == 0) return;
  // The view is only read; arrays have no const data.
  Ref<Array> window = host_window(const_cast<void*>(host), a, order);  // NOLINT
  if (reaches_host(a, stream)) {
    cast_into(a, *window, stream);
    return finish_uses(*window->buffer);
  }
  Queue q = queue_for(a.device(), stream);
  bool direct = a.layout.is_contiguous(a.item(), order);
  Ref<Array> staging = direct ? a.share() : create(a.dtype, window->layout, a.device(), stream);
  use(*staging->buffer, q);
  call(api<MemoryApi>(q).copy_from_host, q.index(), static_cast<void*>(staging->data), host, nbytes,
       q.handle());
  if (!direct) cast_into(a, *staging, stream);
}

Scalar item(const Array& a, std::span<const int64_t> index) {
  if (index.empty() && a.layout.size() != 1) {
    fail(ARR_E_SHAPE, "argument n: 0 indices, but the array of shape ", a.layout.text(),
         " has not one element");
  }
  if (!index.empty() && index.size() != static_cast<size_t>(a.layout.ndim)) {
    fail(ARR_E_SHAPE, "argument n: ", index.size(), " indices for ", a.layout.ndim, " dimensions");
  }
  int64_t offset = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(index.size()); ++i) {
    offset += index_in(index[static_cast<size_t>(i)], a.layout.shape[i], i, "index") * a.layout.strides[i];
  }
  Queue q = queue_for(a.device(), nullptr);
  use_to_read(*a.buffer, q);
  char bytes[16] = {};
  call(api<MemoryApi>(q).copy_to_host, q.index(), static_cast<void*>(bytes),
       static_cast<const void*>(a.data + offset), a.item(), q.handle());
  Scalar s;
  s.dtype = a.dtype;
  std::memcpy(&s.lo, bytes, 8);
  std::memcpy(&s.hi, bytes + 8, 8);
  if (s.dtype == DType::bool_)
    s.lo = s.lo != 0 ? 1 : 0;  // bools from other libraries may have other nonzero bytes
  return s;
}

}  // namespace arr
