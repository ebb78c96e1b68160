/* SPDX-License-Identifier: MIT */
/* kernel.hpp - CUDA C++ kernels, which also run on the host: compile(source)["name"].launch(grid, block, a,
 * n). */
#ifndef ARR_CPP_KERNEL_HPP
#define ARR_CPP_KERNEL_HPP
#include <arr/cpp/index.hpp>

#include <string_view>
#include <utility>

namespace arr {

/** Blocks of a grid, or threads of a block. */
struct dim3 {
  int64_t x = 1, y = 1, z = 1;
  dim3(int64_t x_, int64_t y_ = 1, int64_t z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace detail {

/** Passes an argument unchanged; converts a part of an array to an array. */
template <class T>
const T& settled(const T& x) {
  return x;
}
inline array settled(const const_selection& part) { return part; }

/** The argument of a kernel: arrays and pointers as addresses, numbers with the bits of their type, structs
 * as bytes. */
template <class T>
arr_value kernel_argument(const T& x) {
  arr_value v{};
  if constexpr (std::is_base_of_v<array, T>) {
    arr_value_array(&v, x.get());
  } else if constexpr (std::is_pointer_v<T>) {
    arr_value_pointer(&v, const_cast<void*>(static_cast<const void*>(x)));
  } else if constexpr (std::is_same_v<T, long long>) {
    const int64_t same = x;
    check(arr_value_bits(&v, ARR_INT64, &same));
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    const uint64_t same = x;
    check(arr_value_bits(&v, ARR_UINT64, &same));
  } else if constexpr (std::is_arithmetic_v<T>) {
    check(arr_value_bits(&v, dtype_of<T>::value, &x));
  } else {
    static_assert(std::is_trivially_copyable_v<T>,
                  "an argument of a kernel is an array, a number, a pointer or a struct");
    arr_value_bytes(&v, &x, sizeof x);
  }
  return v;
}

}  // namespace detail

/** A kernel of a module. */
class kernel : public owner<arr_kernel, arr_kernel_release> {
 public:
  using owner::owner;
  kernel() = default;
  /** Launches the kernel in the default stream of its device. The call does not wait. */
  template <class... Argument>
  void launch(const dim3& grid, const dim3& block, const Argument&... arguments) const {
    launch_in(stream(), grid, block, 0, arguments...);
  }
  /** Launches the kernel in a stream, with bytes of shared memory for each block. */
  template <class... Argument>
  void launch_in(const stream& in, const dim3& grid, const dim3& block, int64_t shared_bytes,
                 const Argument&... arguments) const {
    const int64_t blocks[3] = {grid.x, grid.y, grid.z};
    const int32_t threads[3] = {extent(block.x), extent(block.y), extent(block.z)};
    // One expression: the arrays that parts of arrays are live until its end.
    launch_with(
        [&](int32_t n, const arr_value* values) {
          return arr_launch_raw(get(), blocks, threads, shared_bytes, n, values, in.get());
        },
        {detail::kernel_argument(detail::settled(arguments))...});
  }
  /** Returns a property of the compiled kernel, ARR_KERNEL_... */
  int64_t attribute(int32_t which) const {
    int64_t value = 0;
    check(arr_kernel_attribute(get(), which, &value));
    return value;
  }
  void set_attribute(int32_t which, int64_t value) const {
    check(arr_kernel_set_attribute(get(), which, value));
  }
  /** Returns the number of threads per block, at most `max_threads` (0: no limit), with the highest
   * occupancy, and the number of blocks that fill the device. */
  std::pair<int32_t, int32_t> block_size(int64_t shared_bytes = 0, int32_t max_threads = 0) const {
    std::pair<int32_t, int32_t> found{};
    check(arr_kernel_block_size(get(), shared_bytes, max_threads, &found.first, &found.second));
    return found;
  }
  /** Returns the number of blocks that a multiprocessor runs at once. */
  int32_t occupancy(int32_t threads, int64_t shared_bytes = 0) const {
    int32_t blocks = 0;
    check(arr_kernel_occupancy(get(), threads, shared_bytes, &blocks));
    return blocks;
  }
  /** Launches at least n threads in one dimension. */
  template <class... Argument>
  void launch_linear(int64_t n, const Argument&... arguments) const {
    launch_with(
        [&](int32_t count, const arr_value* values) {
          return arr_launch_linear(get(), n, 0, 0, count, values, nullptr);
        },
        {detail::kernel_argument(detail::settled(arguments))...});
  }

 private:
  template <class Launch>
  static void launch_with(Launch launch, std::initializer_list<arr_value> values) {
    check(launch(static_cast<int32_t>(values.size()), values.begin()));
  }
  /** Too large an extent stays too large, and the library reports it. */
  static int32_t extent(int64_t n) {
    return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : static_cast<int32_t>(n);
  }
};

/** A compiled source of CUDA C++. */
class kernel_module : public owner<arr_module, arr_module_release> {
 public:
  using owner::owner;
  kernel_module() = default;
  /** Returns a kernel by its name; an instance of a template by its name expression. */
  kernel operator[](const std::string& name) const {
    kernel found;
    check(arr_module_kernel(get(), name.c_str(), found.put()));
    return found;
  }
  /** Returns the address of a __device__ or __constant__ variable, valid while the module lives, and its size
   * in bytes. */
  std::pair<void*, int64_t> global(const std::string& name) const&& = delete;
  std::pair<void*, int64_t> global(const std::string& name) const& {
    std::pair<void*, int64_t> found{};
    check(arr_module_global(get(), name.c_str(), &found.first, &found.second));
    return found;
  }
  /** Returns a __device__ or __constant__ variable as an array, which keeps the module alive. */
  template <class T>
  array global_array(const std::string& name, const extents& shape) const {
    array made;
    check(arr_module_global_array(get(), name.c_str(), dtype_of<T>::value, static_cast<int32_t>(shape.size()),
                                  shape.data(), made.put()));
    return made;
  }
  /** Returns the messages of the compiler. */
  std::string log() const {
    int64_t length = 0;
    check(arr_module_log(get(), 0, nullptr, &length));
    std::string text(static_cast<size_t>(length) + 1, '\0');
    check(arr_module_log(get(), length + 1, text.data(), &length));
    text.resize(static_cast<size_t>(length));
    return text;
  }
};

/** Loads PTX, a cubin or a fatbin. */
inline kernel_module load_module(std::string_view image, const device& on = {}) {
  kernel_module made;
  check(arr_module_load(image.data(), static_cast<int64_t>(image.size()), &on, nullptr, made.put()));
  return made;
}
inline kernel_module load_module_file(const std::string& path, const device& on = {}) {
  kernel_module made;
  check(arr_module_load_file(path.c_str(), &on, nullptr, made.put()));
  return made;
}

/** Compiles a source for a device, with options of the compiler. */
inline kernel_module compile(std::string_view source, const device& on = {},
                             const std::vector<std::string>& options = {}) {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  kernel_module made;
  check(arr_module_create(source.data(), static_cast<int64_t>(source.size()), &on,
                          static_cast<int32_t>(texts.size()), texts.data(), made.put()));
  return made;
}

}  // namespace arr
#endif
