/* SPDX-License-Identifier: MIT */
/* handle.hpp - errors as exceptions, and owners of handles. */
#ifndef ARR_CPP_HANDLE_HPP
#define ARR_CPP_HANDLE_HPP
#include <arr/cpp/choices_generated.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace arr {

/** The failure of a call: its status, and as what() the text of arr_last_error(). */
class error : public std::runtime_error {
 public:
  error(arr_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  /** ARR_E_... */
  arr_status status() const noexcept { return status_; }

 private:
  arr_status status_;
};

/** Throws if a call of the C API has failed. */
inline void check(arr_status status) {
  if (status != ARR_OK) throw error(status, arr_last_error());
}

/** The only owner of a handle, which Release ends. It moves, and does not copy. */
template <class Handle, arr_status (*Release)(Handle)>
class owner {
 public:
  owner() = default;
  /** Takes ownership of a handle. */
  explicit owner(Handle handle) noexcept : handle_(handle) {}
  /** Rejects 0, which is a null pointer, and other numbers as handles. */
  template <class T, std::enable_if_t<std::is_integral_v<T> || std::is_null_pointer_v<T>, int> = 0>
  explicit owner(T) = delete;
  owner(owner&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  owner& operator=(owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;
  ~owner() {
    if (handle_) Release(handle_);
  }

  /** Returns the handle, for functions of the C API; NULL if there is no handle. */
  Handle get() const noexcept { return handle_; }
  /** Hands the handle over to the caller, who releases it. */
  Handle release() noexcept { return std::exchange(handle_, Handle{}); }
  /** Returns the address for a new handle, as the last argument of a function of the C API. */
  Handle* put() noexcept { return &handle_; }
  explicit operator bool() const noexcept { return handle_ != Handle{}; }

 private:
  Handle handle_{};
};

using event = owner<arr_event, arr_event_release>;
using expr = owner<arr_expr, arr_expr_release>;
using fft_plan = owner<arr_fft_plan, arr_fft_plan_release>;
using graph = owner<arr_graph, arr_graph_release>;
using texels = owner<arr_texels, arr_texels_release>;
using texture = owner<arr_texture, arr_texture_release>;
using user_kernel = owner<arr_user_kernel, arr_user_kernel_release>;

/** A device; without arguments the host. */
struct device : arr_device {
  device() : arr_device{ARR_HOST, 0} {}
  device(arr_device d) : arr_device(d) {}
  /** Explicit, so that a second list of numbers is no device. */
  explicit device(int32_t device_type, int32_t ordinal) : arr_device{device_type, ordinal} {}
  static device host() { return {}; }
  static device cuda(int32_t ordinal = 0) { return device(ARR_CUDA, ordinal); }
};

/** A stream. One that is default-constructed stands for the default stream of the device that a call works
 * on. */
class stream : public owner<arr_stream, arr_stream_release> {
 public:
  using owner::owner;
  stream() = default;
  /** Makes a stream of a device. */
  explicit stream(const device& on, stream_flags flags = {}) { check(arr_stream_create(&on, flags, put())); }
  /** Waits for all work of the stream. */
  void sync() const { check(arr_stream_sync(get())); }
};

}  // namespace arr
#endif
