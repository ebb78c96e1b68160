// SPDX-License-Identifier: MIT
// PTX's texture and surface instructions as calls of the runtime. Embedded after ptx.h where a source has
// one.

namespace arr_ptx {

// The four channels' bits at a point. `shape`: arr_host::Shape; there are no mipmaps.
ARR_INLINE void sample(unsigned long long texture, int shape, unsigned layer, float x, float y, float z,
                       unsigned* four, ARR_LINE) {
  const char* wrong = arr_runtime->texture(texture, shape, int(layer), x, y, z, four);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
}
ARR_INLINE void texel(unsigned long long texture, int x, unsigned* four, ARR_LINE) {
  const char* wrong = arr_runtime->texel(texture, x, four);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
}
ARR_INLINE void surface(unsigned long long surface, int shape, unsigned layer, int x, int y, int z, int bytes,
                        int boundary, int work, void* value, int by_texel = 0, ARR_LINE) {
  const arr_host::SurfaceAccess access = {shape, x, y, z, int(layer), bytes, boundary, work, value, by_texel};
  const char* wrong = arr_runtime->surface(surface, &access);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
}
ARR_INLINE unsigned query(unsigned long long object, int is_surface, int what, ARR_LINE) {
  unsigned answer = 0;
  const char* wrong = arr_runtime->query(object, is_surface, what, &answer);
  if (__builtin_expect(wrong != nullptr, 0)) arr_fail(wrong, line);
  return answer;
}

}  // namespace arr_ptx
