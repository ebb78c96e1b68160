// SPDX-License-Identifier: MIT
// kernel.h: modules, kernels, launches.
#include "arr/kernel.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "base/checked.h"
#include "base/per_thread.h"
#include "base/utf8.h"
#include "capi/src/kernels/handles.h"

using namespace arr::capi;

std::string& arr::capi::failed_log() {
  struct Log {
    std::string text;
  };
  return arr::per_thread<Log>().text;
}

void arr_value_mdspan(arr_value* v, arr_array a, int32_t index_bytes) {
  if (v != nullptr) *v = {ARR_VALUE_MDSPAN, 0, static_cast<int64_t>(bits(a)), index_bytes};
}

arr_status arr_module_create(const char* source, int64_t length, const arr_device* device, int32_t noptions,
                             const char* const* options, arr_module* out) {
  return guard("arr_module_create", [&] {
    check_pointer(out, "out");
    std::string_view text = string_argument(source, length, "source");
    if (noptions < 0) arr::fail(ARR_E_ARGUMENT, "argument noptions: ", noptions, " is negative");
    if (noptions > 0) check_pointer(options, "options");
    for (int32_t i = 0; i < noptions; ++i) check_pointer(options[i], "options");
    failed_log().clear();
    publish<arr::Module>(
        arr::compile(text, {options, static_cast<size_t>(noptions)}, arr::device_from(device), &failed_log()),
        out);
  });
}

arr_status arr_module_log(arr_module m, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_module_log", [&] {
    // Compilers repeat lines of the source, which may have any bytes.
    if (m == nullptr) return put_text(arr::as_utf8(failed_log()), capacity, text, length);
    auto module = lookup<arr::Module>(m, "m");
    put_text(arr::as_utf8(module->log), capacity, text, length);
  });
}

arr_status arr_module_kernel(arr_module m, const char* name, arr_kernel* out) {
  return guard("arr_module_kernel", [&] {
    check_pointer(out, "out");
    check_pointer(name, "name");
    auto module = lookup<arr::Module>(m, "m");
    publish<arr::Kernel>(arr::find_kernel(module.share(), name), out);
  });
}

arr_status arr_module_release(arr_module m) { return release(m, arr::Kind::module); }
arr_status arr_kernel_release(arr_kernel k) { return release(k, arr::Kind::kernel); }

namespace {

// An array as { T* data; I extents[ndim]; I strides[ndim]; }.
template <class I>
std::vector<char> mdspan_of(const arr::Array& a, int32_t index) {
  const size_t bytes = sizeof(void*) + 2 * sizeof(I) * static_cast<size_t>(a.layout.ndim);
  std::vector<char> out((bytes + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*));
  const void* data = a.data;
  std::memcpy(out.data(), &data, sizeof data);
  char* at = out.data() + sizeof data;
  const auto put = [&](int64_t n) {
    if (n < std::numeric_limits<I>::min() || n > std::numeric_limits<I>::max())
      arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: an extent or a stride of ", n,
                " does not fit in ", sizeof(I), " bytes");
    const auto value = static_cast<I>(n);
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  };
  for (int32_t i = 0; i < a.layout.ndim; ++i) put(a.layout.shape[i]);
  for (int32_t i = 0; i < a.layout.ndim; ++i) put(a.layout.strides[i] / a.item());
  return out;
}

// Arguments of a launch. Keeps their arrays and textures alive.
class LaunchArguments {
 public:
  LaunchArguments() = default;
  LaunchArguments(const LaunchArguments&) = delete;
  LaunchArguments& operator=(const LaunchArguments&) = delete;
  ~LaunchArguments() {
    for (uint64_t name : pinned_) arr::handles().unpin(name);
  }
  void add(const arr_value& v, int32_t index) {
    arr::KernelArgument a;
    switch (v.kind & ~ARR_VALUE_WEAK) {
      case ARR_VALUE_ARRAY:
        a.array = pin<arr::Array>(v);
        break;
      case ARR_VALUE_MDSPAN:
        a.array = pin<arr::Array>(v);
        if (v.hi != 4 && v.hi != 8)
          arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: an index of ", v.hi,
                    " bytes, expected 4 or 8");
        structs_.push_back(v.hi == 4 ? mdspan_of<int32_t>(*a.array, index)
                                     : mdspan_of<int64_t>(*a.array, index));
        a.bytes = structs_.back().data();
        a.nbytes = static_cast<int64_t>(structs_.back().size());
        break;
      case ARR_VALUE_TEXTURE:
        a.texture = pin<arr::Texture>(v);
        a.bytes = &a.texture->object;
        a.nbytes = sizeof a.texture->object;
        break;
      case ARR_VALUE_SCALAR:
        a.bytes = &v.lo;
        a.dtype = arr::dtype_from(v.dtype, "args");
        a.nbytes = arr::item_size(a.dtype);
        a.weak = is_weak(v);
        break;
      case ARR_VALUE_POINTER:
        a.bytes = &v.lo;
        a.nbytes = sizeof(void*);
        a.pointer = true;
        break;
      case ARR_VALUE_BYTES:
        a.bytes = reinterpret_cast<const void*>(static_cast<uintptr_t>(v.lo));
        a.nbytes = v.hi;
        check_pointer(a.bytes, "args");
        if (v.hi < 1)
          arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: ", v.hi, " bytes, expected at least 1");
        break;
      default:
        arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: a value of unknown kind ", v.kind);
    }
    list_.push_back(a);
  }
  [[nodiscard]] const std::vector<arr::KernelArgument>& list() const { return list_; }

 private:
  template <class T>
  T* pin(const arr_value& v) {
    const auto name = static_cast<uint64_t>(v.lo);
    pinned_.reserve(pinned_.size() + 1);
    arr::Object* o = arr::handles().pin(name, KindOf<T>::kind);
    if (o == nullptr) bad_handle("args", KindOf<T>::kind, name);
    pinned_.push_back(name);
    return static_cast<T*>(o);
  }
  std::vector<arr::KernelArgument> list_;
  std::vector<uint64_t> pinned_;
  std::deque<std::vector<char>> structs_;
};

}  // namespace

namespace {

void launch(arr_kernel k, const int64_t* grid, const int32_t* block, arr::LaunchConfig config, int32_t nargs,
            const arr_value* args, arr_stream stream_handle) {
  auto kernel = lookup<arr::Kernel>(k, "k");
  auto s = stream(stream_handle);
  check_pointer(grid, "grid");
  check_pointer(block, "block");
  if (nargs < 0) arr::fail(ARR_E_ARGUMENT, "argument nargs: ", nargs, " is negative");
  if (nargs > 0) check_pointer(args, "args");
  std::copy(grid, grid + 3, config.grid);
  std::copy(block, block + 3, config.block);
  LaunchArguments arguments;
  for (int32_t i = 0; i < nargs; ++i) arguments.add(args[i], i);
  arr::launch(*kernel, config, arguments.list(), s.get());
}

arr::LaunchConfig config_of(const arr_launch_options* given) {
  arr::LaunchConfig config;
  if (given == nullptr) return config;
  check_size(*given, "options");
  config.shared_bytes = given->shared_bytes;
  if (given->cooperative != 0 && given->cooperative != 1) {
    arr::fail(ARR_E_ARGUMENT, "argument options: cooperative is ", given->cooperative, ", expected 0 or 1");
  }
  config.cooperative = given->cooperative == 1;
  const int32_t cluster[] = {given->cluster_x, given->cluster_y, given->cluster_z};
  for (int32_t n : cluster) {
    if (n < 0 || (n > 0 && cluster[0] == 0)) {
      arr::fail(ARR_E_ARGUMENT, "argument options: cluster (", cluster[0], ",", cluster[1], ",", cluster[2],
                "), expected blocks in x, y, z, or none");
    }
  }
  for (int i = 0; i < 3 && cluster[0] > 0; ++i) config.cluster[i] = std::max(cluster[i], 1);
  return config;
}

}  // namespace

arr_status arr_launch_raw(arr_kernel k, const int64_t* grid, const int32_t* block, int64_t shared_bytes,
                          int32_t nargs, const arr_value* args, arr_stream stream_handle) {
  return guard("arr_launch_raw", [&] {
    arr::LaunchConfig config;
    config.shared_bytes = shared_bytes;
    launch(k, grid, block, config, nargs, args, stream_handle);
  });
}

arr_status arr_launch_raw_options(arr_kernel k, const int64_t* grid, const int32_t* block,
                                  const arr_launch_options* options, int32_t nargs, const arr_value* args,
                                  arr_stream stream_handle) {
  return guard("arr_launch_raw_options",
               [&] { launch(k, grid, block, config_of(options), nargs, args, stream_handle); });
}

arr_status arr_launch_linear(arr_kernel k, int64_t n, int32_t block, int64_t shared_bytes, int32_t nargs,
                             const arr_value* args, arr_stream stream_handle) {
  return guard("arr_launch_linear", [&] {
    constexpr int32_t usual = 128;  // CuPy's
    if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (block < 0) arr::fail(ARR_E_ARGUMENT, "argument block: ", block, " is negative");
    const int64_t threads = std::clamp<int64_t>(n, 1, block == 0 ? usual : block);
    const int64_t grid[] = {(n - 1) / threads + 1, 1, 1};
    const int32_t threads_of_a_block[] = {static_cast<int32_t>(threads), 1, 1};
    arr::LaunchConfig config;
    config.shared_bytes = shared_bytes;
    if (n > 0) return launch(k, grid, threads_of_a_block, config, nargs, args, stream_handle);
    (void)lookup<arr::Kernel>(k, "k");
    (void)stream(stream_handle);
  });
}

arr_status arr_kernel_params(arr_kernel k, int32_t capacity, int64_t* bytes, arr_dtype* dtypes,
                             int32_t* nparams) {
  return guard("arr_kernel_params", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    check_pointer(nparams, "nparams");
    if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
    const auto& params = kernel->params;
    for (size_t i = 0; i < std::min(params.size(), static_cast<size_t>(capacity)); ++i) {
      if (bytes != nullptr) bytes[i] = params[i].bytes;
      if (dtypes != nullptr) dtypes[i] = static_cast<arr_dtype>(params[i].dtype);
    }
    *nparams = kernel->known ? static_cast<int32_t>(params.size()) : -1;
  });
}

namespace {

// Calls a function of the kernel's backend with the kernel.
template <class F, class... Args>
void ask(const arr::Kernel& k, F arr::KernelApi::*function, Args... args) {
  const arr::Device d = k.module->device;
  arr::call(arr::api<arr::KernelApi>(d).*function, d.index, k.handle, args...);
}

}  // namespace

arr_status arr_struct_layout(int32_t nfields, const arr_dtype* dtypes, const int64_t* counts,
                             int64_t* offsets, int64_t* bytes, int64_t* alignment) {
  return guard("arr_struct_layout", [&] {
    if (nfields < 1) arr::fail(ARR_E_ARGUMENT, "argument nfields: ", nfields, ", expected at least 1");
    check_pointer(dtypes, "dtypes");
    constexpr int64_t largest = 16;  // bytes of an element, and so of padding
    std::vector<int64_t> at(static_cast<size_t>(nfields));
    int64_t end = 0, max_alignment = 1;
    for (size_t i = 0; i < at.size(); ++i) {
      const int64_t item = arr::item_size(arr::dtype_from(dtypes[i], "dtypes"));
      const int64_t n = counts == nullptr ? 1 : counts[i];
      if (n < 1) arr::fail(ARR_E_ARGUMENT, "argument counts: entry ", i, " is ", n, ", expected at least 1");
      arr::checked::add(end, largest, "the struct's size");
      at[i] = arr::checked::round_up(end, item);
      end = arr::checked::add(at[i], arr::checked::mul(n, item, "the struct's size"), "the struct's size");
      max_alignment = std::max(max_alignment, item);
    }
    arr::checked::add(end, largest, "the struct's size");
    if (offsets != nullptr) std::copy(at.begin(), at.end(), offsets);
    if (bytes != nullptr) *bytes = arr::checked::round_up(end, max_alignment);
    if (alignment != nullptr) *alignment = max_alignment;
  });
}

arr_status arr_kernel_attribute(arr_kernel k, int32_t attribute, int64_t* value) {
  return guard("arr_kernel_attribute", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    check_pointer(value, "value");
    int64_t found = 0;
    ask(*kernel, &arr::KernelApi::attribute, attribute, &found);
    *value = found;
  });
}

arr_status arr_kernel_set_attribute(arr_kernel k, int32_t attribute, int64_t value) {
  return guard("arr_kernel_set_attribute", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    ask(*kernel, &arr::KernelApi::set_attribute, attribute, value);
  });
}

arr_status arr_kernel_occupancy(arr_kernel k, int32_t threads, int64_t shared_bytes, int32_t* blocks) {
  return guard("arr_kernel_occupancy", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    check_pointer(blocks, "blocks");
    int32_t found = 0;
    ask(*kernel, &arr::KernelApi::occupancy, threads, shared_bytes, &found);
    *blocks = found;
  });
}

arr_status arr_kernel_block_size(arr_kernel k, int64_t shared_bytes, int32_t max_threads, int32_t* threads,
                                 int32_t* blocks) {
  return guard("arr_kernel_block_size", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    check_pointer(threads, "threads");
    if (max_threads < 0) arr::fail(ARR_E_ARGUMENT, "argument max_threads: ", max_threads, " is negative");
    int32_t found[2] = {};
    ask(*kernel, &arr::KernelApi::block_size, shared_bytes, max_threads, &found[0], &found[1]);
    *threads = found[0];
    if (blocks != nullptr) *blocks = found[1];
  });
}
