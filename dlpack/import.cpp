// SPDX-License-Identifier: MIT
// Import: foreign structs are read by memcpy only, so that no other declaration of them is aliased.
#include <cstring>

#include "backend/stream.h"
#include "dlpack/dlpack.h"
#include "dlpack/validate.h"

namespace arr::dlpack {

namespace {

// One field of a struct that may be shorter than ours.
template <class T>
T field(const void* from, size_t offset) noexcept {
  T value;
  std::memcpy(&value, static_cast<const char*>(from) + offset, sizeof value);
  return value;
}

template <class Base>
void drop(void* tensor) {
  auto deleter = field<void (*)(Base*)>(tensor, offsetof(Base, deleter));
  if (deleter != nullptr) deleter(static_cast<Base*>(tensor));
}

void check_tensor(const void* t) {
  if (t == nullptr) fail(ARR_E_ARGUMENT, "argument t: NULL");
}

// Orders what comes after the work in the producer's stream. The stream is used here and never again: it may
// be gone when the array goes.
void wait_ready(const Checked& c, const Tensor& t, int64_t token, Buffer& memory) {
  if (c.device_type == device_cpu) return check_stream_token({}, token, "ready_stream");
  Device cuda{ARR_CUDA, t.device.id};
  check_stream_token(cuda, token, "ready_stream");
  if (token == -1) return;
  if (c.device.type == ARR_HOST) {
    // Memory that the host shares with a GPU: host work has no stream, so the host waits.
    arr_device named{cuda.type, cuda.index};
    Ref<Stream> producer = foreign_stream(device_from(&named, "t"), token);
    call(api<StreamApi>(backend(ARR_CUDA)).sync, cuda.index, producer->handle());
    return;
  }
  follow_producer(memory, token);
}

Import import_tensor(const Tensor& t, int64_t token, bool readonly, bool strides_required, Drop drop) {
  Checked c = check(t, strides_required);
  int64_t low = 0, high = 0;
  c.layout.reach(item_size(c.dtype), &low, &high);
  Ref<Buffer> memory = wrap(c.first == nullptr ? nullptr : c.first + low, high - low, c.device);
  wait_ready(c, t, token, *memory);
  return {make<Array>(std::move(memory), c.first, c.dtype, c.layout, readonly), drop};
}

}  // namespace

void follow_producer(Buffer& memory, int64_t token) {
  const Device device = memory.device();
  Ref<Stream> producer = foreign_stream(device, token);
  Queue q = queue_for(device, nullptr);
  call(api<StreamApi>(q).wait_stream, q.index(), q.handle(), producer->handle());
  use(memory, q);
}

Import from_versioned(ManagedVersioned* t, int64_t stream) {
  check_tensor(t);
  auto version = field<Version>(t, offsetof(ManagedVersioned, version));
  if (version.major != version_major) {
    drop<ManagedVersioned>(t);
    fail(ARR_E_FORMAT, "argument t: DLPack version ", version.major, ".", version.minor, ", expected ",
         version_major, ".x; the tensor was deleted");
  }
  auto flags = field<uint64_t>(t, offsetof(ManagedVersioned, flags));
  auto tensor = field<Tensor>(t, offsetof(ManagedVersioned, tensor));
  return import_tensor(tensor, stream, (flags & flag_read_only) != 0, version.minor >= strides_minor,
                       &drop<ManagedVersioned>);
}

Import from_legacy(Managed* t, int64_t stream, bool readonly) {
  check_tensor(t);
  return import_tensor(field<Tensor>(t, offsetof(Managed, tensor)), stream, readonly, false, &drop<Managed>);
}

}  // namespace arr::dlpack
