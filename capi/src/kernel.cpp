// SPDX-License-Identifier: MIT
// kernel.h: modules, kernels, launches.
#include "arr/kernel.h"

#include <vector>

#include "runtime/modules.h"
#include "seam.h"

using namespace arr::capi;

template <>
struct arr::capi::KindOf<arr::Module> {
  static constexpr Kind kind = Kind::module;
};
template <>
struct arr::capi::KindOf<arr::Kernel> {
  static constexpr Kind kind = Kind::kernel;
};

std::string& arr::capi::failed_log() {
  static thread_local std::string log;
  return log;
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
    if (m == nullptr) return put_text(failed_log(), capacity, text, length);
    auto module = lookup<arr::Module>(m, "m");
    put_text(module->log, capacity, text, length);
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

// Arguments of a launch, with their arrays pinned.
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    for (uint64_t name : pinned_) arr::handles().unpin(name);
  }
  void add(const arr_value& v, int32_t index) {
    arr::KernelArgument a;
    switch (v.kind & ~ARR_VALUE_WEAK) {
      case ARR_VALUE_ARRAY: {
        auto name = static_cast<uint64_t>(v.lo);
        pinned_.reserve(pinned_.size() + 1);
        arr::Object* o = arr::handles().pin(name, arr::Kind::array);
        if (o == nullptr) bad_handle("args", arr::Kind::array, name);
        pinned_.push_back(name);
        a.array = static_cast<arr::Array*>(o);
        break;
      }
      case ARR_VALUE_SCALAR:
        a.bytes = &v.lo;
        a.nbytes = arr::item_size(arr::dtype_from(v.dtype, "args"));
        break;
      case ARR_VALUE_POINTER:
        a.bytes = &v.lo;
        a.nbytes = sizeof(void*);
        break;
      case ARR_VALUE_BYTES:
        a.bytes = reinterpret_cast<const void*>(static_cast<uintptr_t>(v.lo));
        a.nbytes = v.hi;
        check_pointer(a.bytes, "args");
        break;
      default:
        arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: a value of unknown kind ", v.kind);
    }
    list_.push_back(a);
  }
  [[nodiscard]] const std::vector<arr::KernelArgument>& list() const { return list_; }

 private:
  std::vector<arr::KernelArgument> list_;
  std::vector<uint64_t> pinned_;
};

}  // namespace

arr_status arr_launch_raw(arr_kernel k, const int64_t* grid, const int32_t* block, int64_t shared_bytes,
                          int32_t nargs, const arr_value* args, arr_stream stream_handle) {
  return guard("arr_launch_raw", [&] {
    auto kernel = lookup<arr::Kernel>(k, "k");
    auto s = stream(stream_handle);
    check_pointer(grid, "grid");
    check_pointer(block, "block");
    if (nargs < 0) arr::fail(ARR_E_ARGUMENT, "argument nargs: ", nargs, " is negative");
    if (nargs > 0) check_pointer(args, "args");
    Arguments arguments;
    for (int32_t i = 0; i < nargs; ++i) arguments.add(args[i], i);
    arr::launch(*kernel, grid, block, shared_bytes, arguments.list(), s.get());
  });
}
