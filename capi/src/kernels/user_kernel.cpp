// SPDX-License-Identifier: MIT
// user_kernel.h: kernels from snippets of C++.
#include "arr/user_kernel.h"

#include <vector>

#include "capi/src/kernels/handles.h"
#include "ops/kernels/kernel.h"

using namespace arr::capi;
using arr::ElementwiseKernel;
using arr::ReductionKernel;
using arr::UserKernel;

template <>
struct arr::capi::KindOf<UserKernel> {
  static constexpr Kind kind = Kind::user_kernel;
};

namespace {

std::string optional(const char* text, const char* otherwise = "") {
  return text == nullptr ? otherwise : text;
}

UserKernel::Pieces pieces(const char* name, const char* preamble, int32_t flags, int32_t noptions,
                          const char* const* options) {
  UserKernel::Pieces p;
  p.name = optional(name, "kernel");
  p.preamble = optional(preamble);
  check_flags(flags, ARR_KERNEL_KEEP_DIMS);
  p.keep_dims = (flags & ARR_KERNEL_KEEP_DIMS) != 0;
  if (noptions < 0) arr::fail(ARR_E_ARGUMENT, "argument noptions: ", noptions, " is negative");
  if (noptions > 0) check_pointer(options, "options");
  for (int32_t i = 0; i < noptions; ++i) {
    check_pointer(options[i], "options");
    p.options.emplace_back(options[i]);
  }
  return p;
}

std::vector<arr::UserParam> params(const char* text, const char* argument) {
  check_pointer(text, argument);
  return arr::parse_params(text, argument);
}

// The arguments of a call, pinned.
class CallArguments {
 public:
  CallArguments(int32_t nargs, const arr_value* args) {
    if (nargs < 0) arr::fail(ARR_E_ARGUMENT, "argument nargs: ", nargs, " is negative");
    if (nargs > 0) check_pointer(args, "args");
    list_.reserve(static_cast<size_t>(nargs));
    pinned_.reserve(static_cast<size_t>(nargs));
    for (int32_t i = 0; i < nargs; ++i) {
      arr::Input in;
      if (args[i].kind == ARR_VALUE_ARRAY) {
        pinned_.push_back(
            lookup<arr::Array>(reinterpret_cast<arr_array>(static_cast<uintptr_t>(args[i].lo)), "args"));
        in.array = pinned_.back().get();
      } else if (args[i].kind == ARR_VALUE_TEXTURE) {
        textures_.push_back(
            {i, lookup<arr::Texture>(reinterpret_cast<arr_texture>(static_cast<uintptr_t>(args[i].lo)),
                                     "args")});
        in.scalar = {arr::DType::uint64_, textures_.back().texture->object, 0};
      } else {
        in.scalar = scalar_argument(&args[i], "args");
        in.weak = is_weak(args[i]);
      }
      list_.push_back(in);
    }
  }
  [[nodiscard]] std::span<const arr::Input> list() const { return list_; }
  // Call it before the launch; `device` is the device of the launch if there are no arrays.
  void use_textures(arr::Device device, arr::Stream* s) const {
    if (!pinned_.empty()) device = pinned_.front()->device();
    for (const auto& [index, texture] : textures_) {
      if (!(texture->device() == device)) {
        arr::fail(ARR_E_ARGUMENT, "argument args[", index, "]: a texture on ",
                  arr::device_text(texture->device()), ", the kernel is on ", arr::device_text(device));
      }
      arr::use(*texture, arr::queue_for(device, s));
    }
  }

 private:
  struct Given {
    int32_t index;
    arr::Pinned<arr::Texture> texture;
  };
  std::vector<arr::Input> list_;
  std::vector<arr::Pinned<arr::Array>> pinned_;
  std::vector<Given> textures_;
};

// The kernel of a handle, as one of the two classes.
template <class Sort>
Sort& sort_of(UserKernel& k, const char* expected) {
  auto* found = dynamic_cast<Sort*>(&k);
  if (found == nullptr) arr::fail(ARR_E_ARGUMENT, "argument k: not a kernel of arr_", expected, "_kernel");
  return *found;
}

void check_outputs(const UserKernel& k, int32_t nargs, int32_t nout, const arr_array* out) {
  bool given = static_cast<size_t>(nargs) == k.nin() + k.nout();
  size_t wanted = given ? 0 : k.nout();
  if (nout < 0 || static_cast<size_t>(nout) != wanted) {
    arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", wanted,
              given ? " because args has the outputs" : "");
  }
  if (nout > 0) check_pointer(out, "out");
}

}  // namespace

arr_status arr_elementwise_kernel(const char* in_params, const char* out_params, const char* operation,
                                  const char* name, const char* preamble, const char* loop_prep,
                                  const char* after_loop, int32_t flags, int32_t noptions,
                                  const char* const* options, arr_user_kernel* out) {
  return guard("arr_elementwise_kernel", [&] {
    check_pointer(out, "out");
    auto in = params(in_params, "in_params"), result = params(out_params, "out_params");
    check_pointer(operation, "operation");
    publish<UserKernel>(
        arr::make<ElementwiseKernel>(
            std::move(in), std::move(result), pieces(name, preamble, flags, noptions, options),
            ElementwiseKernel::Code{operation, optional(loop_prep), optional(after_loop)}),
        out);
  });
}

arr_status arr_elementwise_kernel_run(arr_user_kernel k, int32_t nargs, const arr_value* args, int64_t size,
                                      int32_t block_size, const arr_device* device, arr_stream stream_handle,
                                      int32_t nout, arr_array* out) {
  return guard("arr_elementwise_kernel_run", [&] {
    auto kernel = lookup<UserKernel>(k, "k");
    auto& code = sort_of<ElementwiseKernel>(*kernel, "elementwise");
    const CallArguments arguments(nargs, args);
    check_outputs(code, nargs, nout, out);
    if (size < -1) arr::fail(ARR_E_ARGUMENT, "argument size: ", size, ", expected -1 or more");
    if (block_size < 0 || block_size > 1024) {
      arr::fail(ARR_E_ARGUMENT, "argument block_size: ", block_size, ", expected 1 to 1024, or 0");
    }
    auto s = stream(stream_handle);
    failed_log().clear();
    arguments.use_textures(arr::device_from(device), s.get());
    publish_all(code.run(arguments.list(), size, block_size == 0 ? 128 : block_size, arr::device_from(device),
                         s.get(), &failed_log()),
                out);
  });
}

arr_status arr_reduction_kernel(const char* in_params, const char* out_params, const char* map_expr,
                                const char* reduce_expr, const char* post_map_expr, const char* identity,
                                const char* name, const char* reduce_type, const char* preamble,
                                int32_t noptions, const char* const* options, arr_user_kernel* out) {
  return guard("arr_reduction_kernel", [&] {
    check_pointer(out, "out");
    auto in = params(in_params, "in_params"), result = params(out_params, "out_params");
    check_pointer(map_expr, "map_expr");
    check_pointer(reduce_expr, "reduce_expr");
    check_pointer(identity, "identity");
    publish<UserKernel>(arr::make<ReductionKernel>(
                            std::move(in), std::move(result), pieces(name, preamble, 0, noptions, options),
                            ReductionKernel::Code{map_expr, reduce_expr, optional(post_map_expr), identity,
                                                  optional(reduce_type)}),
                        out);
  });
}

arr_status arr_reduction_kernel_run(arr_user_kernel k, int32_t nargs, const arr_value* args, int32_t naxes,
                                    const int32_t* axes, bool keepdims, arr_stream stream_handle,
                                    int32_t nout, arr_array* out) {
  return guard("arr_reduction_kernel_run", [&] {
    auto kernel = lookup<UserKernel>(k, "k");
    auto& code = sort_of<ReductionKernel>(*kernel, "reduction");
    const CallArguments arguments(nargs, args);
    check_outputs(code, nargs, nout, out);
    auto s = stream(stream_handle);
    failed_log().clear();
    arguments.use_textures({}, s.get());
    publish_all(code.run(arguments.list(), naxes, axes, keepdims, {}, s.get(), &failed_log()), out);
  });
}

arr_status arr_user_kernel_source(arr_user_kernel k, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_user_kernel_source",
               [&] { put_text(lookup<UserKernel>(k, "k")->source(), capacity, text, length); });
}

arr_status arr_user_kernel_release(arr_user_kernel k) { return release(k, arr::Kind::user_kernel); }
