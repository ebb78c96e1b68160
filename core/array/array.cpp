// SPDX-License-Identifier: MIT
// A fast test by address ranges whether two arrays may share memory. overlap.cpp has the exact test.
#include "array/array.h"

#include <algorithm>

namespace arr {

bool same_window(const Array& a, const Array& b) noexcept {
  return a.data == b.data && a.item() == b.item() && a.layout.same_strides(b.layout);
}

bool may_share_memory(const Array& a, const Array& b) noexcept {
  // Most arrays own their memory: their buffers are different and do not overlap.
  const Buffer &x = *a.buffer, &y = *b.buffer;
  if (x.data() + x.bytes() <= y.data() || y.data() + y.bytes() <= x.data()) return false;
  int64_t alow = 0, ahigh = 0, blow = 0, bhigh = 0;
  a.layout.reach(a.item(), &alow, &ahigh);
  b.layout.reach(b.item(), &blow, &bhigh);
  if (alow == ahigh || blow == bhigh || !(a.device() == b.device())) return false;
  return a.data + alow < b.data + bhigh && b.data + blow < a.data + ahigh;
}

}  // namespace arr
