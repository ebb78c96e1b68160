// SPDX-License-Identifier: MIT
// Export: a struct that holds a reference to the array and its own copies of shape and strides.
#include <array>
#include <memory>

#include "backend/device.h"
#include "backend/stream.h"
#include "dlpack/dlpack.h"
#include "ops/elementwise/create.h"

namespace arr::dlpack {

namespace {

constexpr int64_t no_stream = -1, legacy_default_stream = 1;

// `Base` is Managed or ManagedVersioned; the consumer sees only that.
template <class Base>
struct Export final : Base, Deferred {
  Ref<Array> array;
  Ref<Stream> consumer;  // works in it until the deleter is called; null: in an unknown stream
  std::array<int64_t, max_ndim> shape{}, strides{};
};

// The consumer may have enqueued work that still reads or writes the memory.
template <class Base>
void give_back(Deferred* deferred) noexcept {
  auto* e = static_cast<Export<Base>*>(deferred);
  Buffer& memory = *e->array->buffer;
  try {
    const Device device = memory.device();
    if (e->consumer) {
      use(memory, queue_for(device, e->consumer.get()));
    } else {
      call(api<DeviceApi>(device).sync, device.index);
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): a lost device runs nothing any more
  }
  delete e;
}

template <class Base>
void deleter(Base* tensor) noexcept {
  if (tensor == nullptr) return;
  auto* e = static_cast<Export<Base>*>(tensor);
  if (e->array->device() == Device{}) {
    delete e;
    return;
  }
  // Perhaps called where the driver may not be: a later call of ours does the rest.
  e->finish = &give_back<Base>;
  defer(*e);
}

void fill_header(ManagedVersioned& m, bool readonly, bool copied) {
  m.version = {version_major, version_minor};
  m.flags = (readonly ? flag_read_only : 0) | (copied ? flag_is_copied : 0);
}

void fill_header(Managed&, bool readonly, bool) {
  if (readonly) {
    fail(ARR_E_READONLY,
         "argument a: is read-only, which this struct cannot say; export a copy (ARR_DLPACK_COPY) or a "
         "versioned "
         "tensor");
  }
}

template <class Base>
void fill_tensor(Export<Base>& e) {
  const Array& a = *e.array;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    auto at = static_cast<size_t>(i);
    int64_t bytes = a.layout.strides[i];
    if (bytes % a.item() != 0 && a.layout.shape[i] > 1) {
      fail(ARR_E_ARGUMENT, "argument a: the stride of axis ", i, ", ", bytes, " bytes, is not a number of ",
           name(a.dtype), " elements; export a copy (ARR_DLPACK_COPY)");
    }
    e.shape[at] = a.layout.shape[i];
    e.strides[at] = bytes / a.item();
  }
  Tensor& t = e.tensor;
  // The first element without an offset: some consumers ignore offsets.
  t.data = a.layout.size() == 0 ? nullptr : a.data;
  t.byte_offset = 0;
  t.device = {a.device().type, a.device().index};
  t.ndim = a.layout.ndim;
  t.dtype = {info(a.dtype).dlpack, static_cast<uint8_t>(a.item() * 8), 1};
  t.shape = e.shape.data();
  t.strides = e.strides.data();
}

// Keeps the consumer's stream for give_back only where it cannot have been destroyed by then.
template <class Base>
void order(Export<Base>& e, int64_t token) {
  Buffer& memory = *e.array->buffer;
  Device device = e.array->device();
  if (device == Device{}) return finish_uses(memory);  // its readers have no streams
  if (token == no_stream) return;
  Ref<Stream> consumer = follow_uses(memory, token);
  if (token == legacy_default_stream) e.consumer = consumer;
}

template <class Base>
Base* export_array(const Array& a, int64_t stream, bool copied) {
  check_stream_token(a.device(), stream, "consumer_stream");
  auto e = std::make_unique<Export<Base>>();
  e->array = copied ? copy(a, Order::K, nullptr) : a.view(a.layout);
  expose_address(*e->array->buffer);
  fill_header(*e, write_obstacle(*e->array) != nullptr, copied);
  fill_tensor(*e);
  e->context = e.get();
  e->deleter = &deleter<Base>;
  order(*e, stream);
  return e.release();
}

}  // namespace

void check_stream_token(Device device, int64_t token, const char* argument) {
  if (device == Device{}) {
    if (token == no_stream) return;
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", token, ", but the host has no streams; expected -1");
  }
  if (token < no_stream || token == 0) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", token,
         ", expected -1 (no synchronisation), 1 or 2 (default streams) or a CUstream");
  }
}

Ref<Stream> foreign_stream(Device device, int64_t token) {
  void* handle = nullptr;
  // The tokens 1 and 2 are the driver's own values for the two default streams.
  call(api<StreamApi>(device).wrap, device.index, reinterpret_cast<void*>(static_cast<uintptr_t>(token)),
       &handle);
  return make<Stream>(device, handle, true);
}

Ref<Stream> follow_uses(Buffer& memory, int64_t token) {
  const Device device = memory.device();
  Ref<Stream> consumer = foreign_stream(device, token);
  Ref<Object> last;
  {
    const std::lock_guard lock(memory.use_mutex);
    last = memory.last_use;
  }
  if (last) {
    call(api<StreamApi>(device).wait_stream, device.index, consumer->handle(),
         static_cast<Stream*>(last.get())->handle());
  }
  return consumer;
}

ManagedVersioned* to_versioned(const Array& a, int64_t stream, bool copied) {
  return export_array<ManagedVersioned>(a, stream, copied);
}

Managed* to_legacy(const Array& a, int64_t stream, bool copied) {
  return export_array<Managed>(a, stream, copied);
}

}  // namespace arr::dlpack
