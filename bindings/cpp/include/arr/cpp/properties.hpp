/* SPDX-License-Identifier: MIT */
/* properties.hpp - properties of types, devices, memory, caches and the library, as structs of the C API. */
#ifndef ARR_CPP_PROPERTIES_HPP
#define ARR_CPP_PROPERTIES_HPP
#include <arr/cpp/array.hpp>

namespace arr {
namespace detail {

/** The struct that a call fills in. */
template <class Properties, class Call>
Properties filled(Call call) {
  Properties properties{};
  properties.struct_size = static_cast<int64_t>(sizeof properties);
  check(call(&properties));
  return properties;
}

}  // namespace detail

/** Returns the limits of a float type, or of the parts of a complex one. */
inline arr_float_limits finfo(arr::dtype dtype) {
  return detail::filled<arr_float_limits>([&](arr_float_limits* f) { return arr_finfo(dtype, f); });
}
/** Returns the bits, the min and the max of an integer type. */
struct int_limits {
  int32_t bits;
  arr_value min, max;
};
inline int_limits iinfo(arr::dtype dtype) {
  int_limits limits{};
  check(arr_iinfo(dtype, &limits.bits, &limits.min, &limits.max));
  return limits;
}

/** Returns the devices that match a filter, at most `capacity`; waits up to `seconds` for one. */
inline std::vector<device> device_list(const arr_device_filter* filter = nullptr, double seconds = 0,
                                       int32_t capacity = 64) {
  std::vector<arr_device> list(capacity > 0 ? static_cast<size_t>(capacity) : 0);
  int32_t n = 0;
  check(arr_device_list(filter, seconds, capacity, list.data(), &n));
  list.resize(static_cast<size_t>(n < capacity ? n : capacity));
  return std::vector<device>(list.begin(), list.end());
}
inline arr_device_properties device_info(const device& on) {
  return detail::filled<arr_device_properties>(
      [&](arr_device_properties* p) { return arr_device_info(&on, p); });
}
/** Returns the state of a backend, ARR_BACKEND_..., and a report of everything that was tried. */
inline std::pair<int32_t, std::string> backend_probe(int32_t device_type) {
  int32_t state = 0;
  int64_t length = 0;
  check(arr_backend_probe(device_type, &state, 0, nullptr, &length));
  std::string report(static_cast<size_t>(length) + 1, '\0');
  check(arr_backend_probe(device_type, &state, length + 1, report.data(), &length));
  report.resize(static_cast<size_t>(length));
  return {state, report};
}

inline arr_memory_stats memory_info(const device& on = {}) {
  return detail::filled<arr_memory_stats>([&](arr_memory_stats* s) { return arr_memory_info(&on, s); });
}
inline arr_memory_pool_stats memory_pool_info(const device& on = {}) {
  return detail::filled<arr_memory_pool_stats>(
      [&](arr_memory_pool_stats* s) { return arr_memory_pool_info(&on, s); });
}
/** Returns the statistics of the pool of page-locked memory. */
inline arr_memory_pool_stats pinned_info() {
  return detail::filled<arr_memory_pool_stats>([](arr_memory_pool_stats* s) { return arr_pinned_info(s); });
}

/** Returns the statistics of the cache of compiled kernels. */
inline arr_cache_stats cache_info() {
  return detail::filled<arr_cache_stats>([](arr_cache_stats* s) { return arr_cache_info(s); });
}
/** Returns the statistics of the programs of expressions. */
inline arr_expr_stats expr_info() {
  return detail::filled<arr_expr_stats>([](arr_expr_stats* s) { return arr_expr_info(s); });
}
/** Returns the statistics of calls that were fused. */
inline arr_fuse_stats fuse_info() {
  return detail::filled<arr_fuse_stats>([](arr_fuse_stats* s) { return arr_fuse_info(s); });
}
/** Returns the statistics of the cache of planned Fourier transforms. */
inline arr_fft_cache_stats fft_cache_info(const device& on = {}) {
  return detail::filled<arr_fft_cache_stats>(
      [&](arr_fft_cache_stats* s) { return arr_fft_cache_info(&on, s); });
}
inline arr_fft_plan_properties fft_plan_info(const fft_plan& plan) {
  return detail::filled<arr_fft_plan_properties>(
      [&](arr_fft_plan_properties* f) { return arr_fft_plan_info(plan.get(), f); });
}

/** Returns the library's version, 1000000 * major + 1000 * minor + patch. */
inline int32_t version() noexcept { return arr_version(); }
/** Returns the number of live handles of the process, for leak checks. */
inline int64_t live_handles() noexcept { return arr_live_handles(); }

}  // namespace arr
#endif
