// SPDX-License-Identifier: MIT
// fft.h: Fourier transforms and the cache of their plans; cosine.h and hankel.h.
#include "arr/fft.h"

#include <algorithm>
#include <vector>

#include "arr/cosine.h"
#include "arr/fft_plan.h"
#include "arr/hankel.h"
#include "backend/fft.h"
#include "capi/src/fft/arguments.h"
#include "ops/fft/fft.h"
#include "runtime/devices.h"

using namespace arr::capi;
using arr::Array;
using arr::FftAxes;
using arr::FftNorm;

namespace {

int32_t kind_of(arr::FftKind kind) {
  return kind == arr::FftKind::r2c ? ARR_FFT_R2C : kind == arr::FftKind::c2r ? ARR_FFT_C2R : ARR_FFT_C2C;
}

// A transform along one axis, along several: body(array, axes, norm, stream).
template <class Body>
arr_status along_one(const char* function, arr_array a, int64_t n, int32_t axis, int32_t norm,
                     arr_stream stream_handle, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return body(*x, arr::fft_axis(*x, n, axis), norm_argument(norm), s.get());
  });
}
template <class Body>
arr_status along_several(const char* function, arr_array a, int32_t naxes, const int64_t* extents,
                         const int32_t* axes, int32_t norm, arr_stream stream_handle, arr_array* out,
                         Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return body(*x, arr::fft_axes(x->layout.ndim, naxes, axes, extents), norm_argument(norm), s.get());
  });
}

auto forward(const Array& a, const FftAxes& axes, FftNorm norm, arr::Stream* s) {
  return arr::fft(a, axes, false, norm, s);
}
auto inverse(const Array& a, const FftAxes& axes, FftNorm norm, arr::Stream* s) {
  return arr::fft(a, axes, true, norm, s);
}

constexpr int32_t ends = ARR_COSINE_ORTHOGONAL | ARR_COSINE_PLAIN;
// The norm without the flags for the end elements.
int32_t without_ends(int32_t norm) { return norm < 0 ? norm : norm & ~ends; }
auto cosine_body(arr::CosineKind kind, int32_t given) {
  return [kind, given](const Array& a, const FftAxes& axes, FftNorm norm, arr::Stream* s) {
    if ((given & ends) == ends)
      arr::fail(ARR_E_ARGUMENT, "argument norm: ", given,
                " has both ARR_COSINE_ORTHOGONAL and ARR_COSINE_PLAIN");
    arr::CosineKind settled = kind;
    settled.orthogonal = (given & ends) == 0 ? norm == FftNorm::ortho : (given & ARR_COSINE_ORTHOGONAL) != 0;
    return arr::cosine(a, axes, settled, norm, s);
  };
}

}  // namespace

#define ARR_TRANSFORM(name, body)                                                                           \
  arr_status arr_##name(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,              \
                        arr_array* out) {                                                                   \
    return along_one("arr_" #name, a, n, axis, norm, stream, out, body);                                    \
  }                                                                                                         \
  arr_status arr_##name##n(arr_array a, int32_t naxes, const int64_t* s, const int32_t* axes, int32_t norm, \
                           arr_stream stream, arr_array* out) {                                             \
    return along_several("arr_" #name "n", a, naxes, s, axes, norm, stream, out, body);                     \
  }
ARR_TRANSFORM(fft, forward)
ARR_TRANSFORM(ifft, inverse)
ARR_TRANSFORM(rfft, arr::rfft)
ARR_TRANSFORM(irfft, arr::irfft)
ARR_TRANSFORM(hfft, arr::hfft)
ARR_TRANSFORM(ihfft, arr::ihfft)
#undef ARR_TRANSFORM

#define ARR_COSINE(name, sine, inverse)                                                                      \
  arr_status arr_##name(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm, arr_stream stream, \
                        arr_array* out) {                                                                    \
    return along_one("arr_" #name, a, n, axis, without_ends(norm), stream, out,                              \
                     cosine_body({type, sine, inverse, false}, norm));                                       \
  }                                                                                                          \
  arr_status arr_##name##n(arr_array a, int32_t type, int32_t naxes, const int64_t* s, const int32_t* axes,  \
                           int32_t norm, arr_stream stream, arr_array* out) {                                \
    return along_several("arr_" #name "n", a, naxes, s, axes, without_ends(norm), stream, out,               \
                         cosine_body({type, sine, inverse, false}, norm));                                   \
  }
ARR_COSINE(dct, false, false)
ARR_COSINE(idct, false, true)
ARR_COSINE(dst, true, false)
ARR_COSINE(idst, true, true)
#undef ARR_COSINE

arr_status arr_fht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                   arr_stream stream_handle, arr_array* out) {
  return make_array("arr_fht", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::hankel(*x, {dln, mu, offset, bias}, axis, false, s.get());
  });
}

arr_status arr_ifht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                    arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ifht", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::hankel(*x, {dln, mu, offset, bias}, axis, true, s.get());
  });
}

arr_status arr_fhtoffset(double dln, double mu, double initial, double bias, double* offset) {
  return guard("arr_fhtoffset", [&] {
    check_pointer(offset, "offset");
    *offset = arr::hankel_offset({dln, mu, initial, bias});
  });
}

namespace {

arr_status frequencies(const char* function, int64_t n, double d, bool half, arr_dtype dtype,
                       const arr_device* device, arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto s = stream(stream_handle);
    const arr::DType type = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::fftfreq(n, d, half, type, arr::device_from(device), s.get());
  });
}

arr_status shifted(const char* function, arr_array a, int32_t naxes, const int32_t* axes, bool back,
                   arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::fftshift(*x, arr::axis_mask(x->layout.ndim, naxes, axes), back, s.get());
  });
}

}  // namespace

arr_status arr_fftfreq(int64_t n, double d, arr_dtype dtype, const arr_device* device, arr_stream stream,
                       arr_array* out) {
  return frequencies("arr_fftfreq", n, d, false, dtype, device, stream, out);
}

arr_status arr_rfftfreq(int64_t n, double d, arr_dtype dtype, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return frequencies("arr_rfftfreq", n, d, true, dtype, device, stream, out);
}

arr_status arr_fftshift(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream, arr_array* out) {
  return shifted("arr_fftshift", a, naxes, axes, false, stream, out);
}

arr_status arr_ifftshift(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream, arr_array* out) {
  return shifted("arr_ifftshift", a, naxes, axes, true, stream, out);
}

arr_status arr_next_fast_len(int64_t n, bool real, int64_t* length) {
  return guard("arr_next_fast_len", [&] {
    check_pointer(length, "length");
    *length = arr::next_fast_len(n, real);
  });
}

arr_status arr_fft_cache_info(const arr_device* device, arr_fft_cache_stats* stats) {
  return guard("arr_fft_cache_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    const arr::Device d = arr::device_from(device);
    arr::FftCacheStats s;
    arr::call(arr::api<arr::FftApi>(d).cache_stats, d.index, &s);
    *stats = {stats->struct_size, s.hits, s.misses, s.plans, s.bytes, s.max_plans, s.max_bytes};
  });
}

arr_status arr_fft_cache_plans(const arr_device* device, int32_t capacity, int64_t* ids, int32_t* kinds,
                               int32_t* reals, int64_t* lengths, int64_t* transforms, int64_t* bytes,
                               int32_t* count) {
  return guard("arr_fft_cache_plans", [&] {
    check_pointer(count, "count");
    if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
    const arr::Device d = arr::device_from(device);
    std::vector<arr::FftCachePlan> all;
    arr::call(arr::api<arr::FftApi>(d).cache_plans, d.index, &all);
    const size_t shown = std::min(static_cast<size_t>(capacity), all.size());
    for (size_t i = 0; i < shown; ++i) {
      const arr::FftCachePlan& p = all[i];
      if (ids != nullptr) ids[i] = p.id;
      if (kinds != nullptr) kinds[i] = p.table ? -1 : kind_of(p.kind);
      if (reals != nullptr) reals[i] = static_cast<int32_t>(p.real);
      if (lengths != nullptr) std::copy(p.n.begin(), p.n.end(), lengths + 3 * i);
      if (transforms != nullptr) transforms[i] = p.transforms;
      if (bytes != nullptr) bytes[i] = p.bytes;
    }
    *count = static_cast<int32_t>(all.size());
  });
}

arr_status arr_fft_cache_drop(const arr_device* device, int64_t id) {
  return guard("arr_fft_cache_drop", [&] {
    const arr::Device d = arr::device_from(device);
    int32_t dropped = 0;
    arr::call(arr::api<arr::FftApi>(d).cache_drop, d.index, id, &dropped);
    if (dropped == 0) arr::fail(ARR_E_ARGUMENT, "argument id: ", id, " is not the id of a cached plan");
  });
}

arr_status arr_fft_cache_limit(const arr_device* device, int64_t max_plans, int64_t max_bytes) {
  return guard("arr_fft_cache_limit", [&] {
    const arr::Device d = arr::device_from(device);
    arr::call(arr::api<arr::FftApi>(d).cache_limit, d.index, max_plans, max_bytes);
  });
}

arr_status arr_fft_plan_effort(const arr_device* device, int32_t effort, int32_t* previous) {
  return guard("arr_fft_plan_effort", [&] {
    if (effort < ARR_FFT_ESTIMATE || effort > ARR_FFT_PATIENT) {
      arr::fail(ARR_E_ARGUMENT, "argument effort: ", effort,
                ", expected ARR_FFT_ESTIMATE, ARR_FFT_MEASURE or ARR_FFT_PATIENT");
    }
    const arr::Device d = arr::device_from(device);
    arr::FftEffort was{};
    arr::call(arr::api<arr::FftApi>(d).plan_effort, d.index, static_cast<arr::FftEffort>(effort), &was);
    if (previous != nullptr) *previous = static_cast<int32_t>(was);
  });
}

arr_status arr_fft_wisdom(const arr_device* device, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_fft_wisdom", [&] {
    const arr::Device d = arr::device_from(device);
    std::string wisdom;
    arr::call(arr::api<arr::FftApi>(d).wisdom, d.index, &wisdom);
    put_text(wisdom, capacity, text, length);
  });
}

arr_status arr_fft_wisdom_import(const arr_device* device, const char* text) {
  return guard("arr_fft_wisdom_import", [&] {
    check_pointer(text, "text");
    const arr::Device d = arr::device_from(device);
    arr::call(arr::api<arr::FftApi>(d).wisdom_import, d.index, text);
  });
}

arr_status arr_fft_wisdom_forget(const arr_device* device) {
  return guard("arr_fft_wisdom_forget", [&] {
    const arr::Device d = arr::device_from(device);
    arr::call(arr::api<arr::FftApi>(d).wisdom_import, d.index, static_cast<const char*>(nullptr));
  });
}

arr_status arr_fft_cache_clear(const arr_device* device) {
  return guard("arr_fft_cache_clear", [&] {
    const arr::Device d = arr::device_from(device);
    arr::call(arr::api<arr::FftApi>(d).cache_clear, d.index);
  });
}
