/* SPDX-License-Identifier: MIT */
/* interchange.hpp - memory of the program and of other libraries: wrapped, by DLPack, by address, in .npz
 * files. */
#ifndef ARR_CPP_INTERCHANGE_HPP
#define ARR_CPP_INTERCHANGE_HPP
#include <arr/dlpack.h>
#include <arr/cpp/functions_generated.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace arr {

/** Returns an array of the program's memory, without a copy: row-major, or with strides in elements.
 * `keep`, which may be a vector or a shared pointer, is destroyed after the last use of the memory, by any
 * thread. */
template <class T, class Keep>
array wrap(T* data, const extents& shape, Keep keep, const std::vector<int64_t>& strides = {},
           const device& on = {}) {
  if (!strides.empty() && strides.size() != shape.size()) {
    throw error(ARR_E_ARGUMENT, "wrap: argument strides: " + std::to_string(strides.size()) +
                                    " entries, expected " + std::to_string(shape.size()));
  }
  auto owner_of = std::make_unique<Keep>(std::move(keep));
  array made;
  check(arr_wrap(
      data, dtype_of<T>::value, static_cast<int32_t>(shape.size()), shape.data(),
      strides.empty() ? nullptr : strides.data(), &on, [](void* kept) { delete static_cast<Keep*>(kept); },
      owner_of.get(), made.put()));
  static_cast<void>(owner_of.release());  // the library has it now
  return made;
}
/** Returns an array of memory that the program owns and keeps until the array's last use, without a copy. */
template <class T>
array borrow(T* data, const extents& shape, const std::vector<int64_t>& strides = {}, const device& on = {}) {
  return wrap(data, shape, nullptr, strides, on);
}
/** Returns an array of a vector's memory; the vector must outlive the array, and keep its size. */
template <class T>
array borrow(std::vector<T>& elements) {
  return borrow(elements.data(), extents(elements.size()));
}
/** Returns an array of a vector's memory, without a copy. */
template <class T>
array wrap(std::vector<T> elements, const extents& shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements in memory");
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  if (count != static_cast<int64_t>(elements.size())) {
    throw error(ARR_E_SHAPE, "wrap: argument shape: " + std::to_string(count) + " elements, expected the " +
                                 std::to_string(elements.size()) + " of elements");
  }
  T* data = elements.data();  // which a moved vector keeps
  return wrap(data, shape, std::move(elements));
}

/** Copies elements, in row-major order, to an array. Their type must be T. */
template <class T>
void set(array& a, const std::vector<T>& elements, const stream& in = {}) {
  if (a.dtype() != dtype_of<T>::value)
    throw error(ARR_E_DTYPE, "set: the array has elements of another type");
  check(arr_set(a.get(), ARR_ORDER_C, elements.data(), static_cast<int64_t>(elements.size() * sizeof(T)),
                in.get()));
}
/** Returns the strides, in elements. */
inline std::vector<int64_t> strides(const array& a) {
  std::vector<int64_t> list(static_cast<size_t>(a.ndim()));
  check(arr_strides(a.get(), static_cast<int32_t>(list.size()), list.data(), nullptr));
  return list;
}

/** Returns a DLPack tensor of the array's memory, for another library, which calls its deleter. */
inline DLManagedTensorVersioned* to_dlpack(const array& a, int64_t consumer_stream = -1, int32_t flags = 0) {
  DLManagedTensorVersioned* made = nullptr;
  check(arr_to_dlpack(a.get(), consumer_stream, flags, &made));
  return made;
}
/** Returns an array of a tensor's memory. The array owns the tensor, unless this throws. */
inline array from_dlpack(DLManagedTensorVersioned* tensor, int64_t ready_stream = -1) {
  array made;
  check(arr_from_dlpack(tensor, ready_stream, made.put()));
  return made;
}

/** Writes arrays by their names into an .npz file. */
inline void savez(const std::string& path, const std::map<std::string, array>& arrays,
                  flag compressed = false, const stream& in = {}) {
  std::vector<arr_array> list;
  std::vector<const char*> names;
  for (const auto& entry : arrays) {
    names.push_back(entry.first.c_str());
    list.push_back(entry.second.get());
  }
  check(arr_savez(path.data(), static_cast<int64_t>(path.size()), static_cast<int32_t>(list.size()),
                  list.data(), names.data(), bool(compressed), in.get()));
}
/** Returns the names of the arrays in an .npz file. */
inline std::vector<std::string> npz_names(const std::string& path) {
  const int64_t length = static_cast<int64_t>(path.size());
  int64_t bytes = 0, count = 0;
  check(arr_npz_names(path.data(), length, 0, nullptr, &bytes, &count));
  std::string all(static_cast<size_t>(bytes) + 1, '\0');
  check(arr_npz_names(path.data(), length, bytes + 1, all.data(), &bytes, &count));
  all.resize(static_cast<size_t>(bytes));
  std::vector<std::string> names;
  for (size_t at = 0; static_cast<int64_t>(names.size()) < count;) {  // one per line
    const size_t end = std::min(all.find('\n', at), all.size());
    names.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/** Copies bytes by their addresses, of a kind ARR_COPY_..., in a stream of the device. */
inline void memory_copy(const device& on, void* to, const void* from, int64_t bytes, int32_t kind,
                        const stream& in = {}) {
  check(arr_memory_copy(&on, to, from, bytes, kind, in.get()));
}
/** Sets bytes by their address. */
inline void memory_set(const device& on, void* to, int32_t value, int64_t bytes, const stream& in = {}) {
  check(arr_memory_set(&on, to, value, bytes, in.get()));
}

/** Returns the vendor's handle of a stream, a cudaStream_t. The stream must be a named object. */
void* stream_native(const stream&& s) = delete;
inline void* stream_native(const stream& s) {
  void* native = nullptr;
  check(arr_stream_native(s.get(), &native));
  return native;
}
/** Wraps a stream of another library, which still owns it. */
inline stream stream_wrap(const device& on, void* native) {
  stream made;
  check(arr_stream_wrap(&on, native, made.put()));
  return made;
}
/** Returns the vendor's handle of an event, a cudaEvent_t. The event must be a named object. */
void* event_native(const event&& e) = delete;
inline void* event_native(const event& e) {
  void* native = nullptr;
  check(arr_event_native(e.get(), &native));
  return native;
}
/** Returns the handle of a vendor's library, ARR_LIBRARY_..., for work in a stream. */
inline void* library_handle(const device& on, int32_t library, const stream& in = {}) {
  void* handle = nullptr;
  check(arr_library_handle(&on, library, in.get(), &handle));
  return handle;
}
/** Returns a function of a vendor's library by its name. */
inline void* library_function(const device& on, int32_t library, const std::string& name) {
  void* function = nullptr;
  check(arr_library_function(&on, library, name.data(), static_cast<int64_t>(name.size()), &function));
  return function;
}

}  // namespace arr
#endif
