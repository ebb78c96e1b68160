// SPDX-License-Identifier: MIT
// Copies between texels and arrays: a backend copies contiguous memory of one device; other cases use
// temporaries.
#include "ops/kernels/texels.h"

#include <algorithm>

#include "backend/texture.h"

namespace arr {

namespace {

// The shape of an array with the same elements. Returns the number of dimensions.
int32_t shape_of(const TexelsFormat& f, int64_t* shape) {
  std::reverse_copy(f.extent, f.extent + f.ndim, shape);
  if (f.channels > 1) shape[f.ndim] = f.channels;
  return f.channels > 1 ? f.ndim + 1 : f.ndim;
}

void check_array(const Texels& t, const Array& a) {
  int64_t shape[4] = {};
  const int32_t ndim = shape_of(t.format, shape);
  if (a.dtype != t.format.dtype) {
    fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", the texels have ", name(t.format.dtype));
  }
  if (a.layout.ndim != ndim || !std::equal(shape, shape + ndim, a.layout.shape)) {
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected ", shape_text(ndim, shape));
  }
}

void move(const Texels& t, const Array& dense, bool to_texels, const Queue& q) {
  if (to_texels) {
    use_to_read(*dense.buffer, q);
    use(*t.memory, q);
  } else {
    use(*dense.buffer, q);
    use_to_read(*t.memory, q);
  }
  call(api<TextureApi>(q.device).texels_copy, q.index(), static_cast<void*>(t.memory->data()),
       static_cast<void*>(dense.data), to_texels ? 1 : 0, q.handle());
}

}  // namespace

void copy_texels_from(const Texels& t, const Array& a, Stream* stream) {
  check_array(t, a);
  const Queue q = queue_for(t.device(), stream);
  if (a.device() == t.device()) return move(t, *contiguous(a, Order::C, stream), true, q);
  const Ref<Array> here = to_device(a, t.device(), stream);
  move(t, *contiguous(*here, Order::C, stream), true, q);
}

void copy_texels_to(const Texels& t, const Array& a, Stream* stream) {
  check_array(t, a);
  check_writable(a);
  const Queue q = queue_for(t.device(), stream);
  if (a.device() == t.device() && a.contiguous) return move(t, a, false, q);
  const Ref<Array> dense = empty(a.dtype, a.layout.dims(), Order::C, t.device(), stream);
  move(t, *dense, false, q);
  assign(a, *dense, stream);
}

}  // namespace arr
