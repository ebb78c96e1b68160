// SPDX-License-Identifier: MIT
// The host's textures: texels are memory of the pool, an object is the address of what describes it.
#include "host/kernels/texture_entries.h"

#include <cstring>
#include <memory>

#include "host/device/pool.h"
#include "host/device/streams.h"
#include "host/kernels/loader.h"

namespace arr::host {

namespace {

struct Texels {
  TexelsFormat format;
  int64_t bytes = 0;
  char* data = nullptr;
  explicit Texels(const TexelsFormat& f) : format(f), bytes(f.row_bytes() * f.extent[1] * f.extent[2]) {
    data = static_cast<char*>(pool().allocate(bytes));
  }
  Texels(const Texels&) = delete;
  Texels& operator=(const Texels&) = delete;
  ~Texels() { pool().release(data, bytes); }
};

// Deletes something once the stream's work so far is done.
template <class T>
int32_t release_behind(T* object, void* stream, BackendError* e) {
  if (!asynchronous()) {
    delete object;
    return ARR_OK;
  }
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    try {
      s.enqueue({"release", [object] { delete object; }});
    } catch (const std::bad_alloc&) {
      s.drain();
      delete object;
    }
  });
}

}  // namespace

int32_t texels_create(int32_t, const TexelsFormat* format, void** texels, BackendError* e) {
  return translate_exceptions(e, [&] { *texels = new Texels(*format); });
}

int32_t texels_copy(int32_t, void* texels, void* dense, int32_t to_texels, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Texels& t = *static_cast<Texels*>(texels);
    void* to = to_texels != 0 ? t.data : dense;
    const void* from = to_texels != 0 ? dense : t.data;
    const auto bytes = static_cast<size_t>(t.bytes);
    Stream& s = stream_of(stream);
    if (s.immediate()) {
      std::memcpy(to, from, bytes);
      return;
    }
    s.add({"copy of texels", [=] { std::memcpy(to, from, bytes); }});
  });
}

int32_t texels_release(int32_t, void* texels, void* stream, BackendError* e) {
  return release_behind(static_cast<Texels*>(texels), stream, e);
}

int32_t texture_create(int32_t, const TextureCall* call, void** texture, uint64_t* object, BackendError* e) {
  return translate_exceptions(e, [&] {
    const TexelsFormat& f = call->format;
    const arr_texture_options& o = call->options;
    if (o.max_anisotropy > 1) {
      fail(ARR_E_UNSUPPORTED, "argument options: max_anisotropy is ", o.max_anisotropy,
           ", the host has no anisotropic filter; 0 or 1, or run on a GPU");
    }
    auto t = std::make_unique<host_kernels::Texture>();
    t->data =
        call->texels != nullptr ? static_cast<Texels*>(call->texels)->data : static_cast<char*>(call->data);
    t->dtype = f.dtype;
    t->channels = f.channels;
    t->dims = f.dims();
    t->layered = f.layered;
    t->cube = f.cube;
    t->gather = f.gather;
    t->layers = f.layers();
    std::copy_n(f.extent, 3, t->extent);
    t->row_bytes = call->texels != nullptr ? f.row_bytes() : call->row_bytes;
    t->slice_bytes = t->row_bytes * f.extent[1];
    t->by_index = call->texels == nullptr && f.ndim == 1;
    t->surface = call->surface;
    t->filter = o.filter == ARR_FILTER_LINEAR;
    t->normalized = o.normalized != 0;
    t->normalized_read = o.read == ARR_READ_NORMALIZED;
    t->srgb = o.srgb != 0;
    const int32_t address[] = {o.address_x, o.address_y, o.address_z};
    const double border[] = {o.border_r, o.border_g, o.border_b, o.border_a};
    std::copy_n(address, 3, t->address);
    for (int i = 0; i < 4; ++i) t->border[i] = static_cast<float>(border[i]);
    call_kernel_module(kernel_module().prepare_texture, t.get());
    *object = reinterpret_cast<uintptr_t>(t.get());
    *texture = t.release();
  });
}

int32_t texture_release(int32_t, void* texture, void* stream, BackendError* e) {
  return release_behind(static_cast<host_kernels::Texture*>(texture), stream, e);
}

}  // namespace arr::host
