// SPDX-License-Identifier: MIT
// module.h: modules from text, images and files; linking; variables of modules.
#include "arr/module.h"

#include <vector>

#include "capi/src/kernels/handles.h"
#include "io/file.h"
#include "runtime/module_image.h"

using namespace arr::capi;

namespace {

// A list of texts in the options struct.
std::vector<std::string> texts(int32_t n, const char* const* list, const char* what) {
  if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument options: n", what, " is ", n, ", expected 0 or more");
  std::vector<std::string> out;
  for (int32_t i = 0; i < n; ++i) {
    if (list == nullptr || list[i] == nullptr) {
      arr::fail(ARR_E_ARGUMENT, "argument options: ", what, " is NULL, n", what, " is ", n);
    }
    out.emplace_back(list[i]);
  }
  return out;
}

bool flag(int32_t value, const char* what) {
  if (value != 0 && value != 1)
    arr::fail(ARR_E_ARGUMENT, "argument options: ", what, " is ", value, ", expected 0 or 1");
  return value == 1;
}

arr::ImageKind kind_from(int32_t kind, const char* argument) {
  if (kind < ARR_IMAGE_AUTO || kind > ARR_IMAGE_LIBRARY) {
    arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": kind ", kind, ", expected one of ARR_IMAGE_...");
  }
  return static_cast<arr::ImageKind>(kind);
}

arr::ModuleCall call_from(const arr_module_options* given) {
  arr::ModuleCall c;
  if (given == nullptr) return c;
  const arr_module_options& o = *given;
  check_size(o, "options");
  c.include_paths = texts(o.ninclude_paths, o.include_paths, "include_paths");
  c.defines = texts(o.ndefines, o.defines, "defines");
  c.names = texts(o.nnames, o.names, "names");
  c.options = texts(o.noptions, o.options, "options");
  if (o.standard != 0 && o.standard != 11 && o.standard != 14 && o.standard != 17 && o.standard != 20) {
    arr::fail(ARR_E_ARGUMENT, "argument options: standard is ", o.standard, ", expected 11, 14, 17, 20 or 0");
  }
  if (o.max_registers < 0)
    arr::fail(ARR_E_ARGUMENT, "argument options: max_registers is ", o.max_registers, ", expected 0 or more");
  c.standard = o.standard;
  c.max_registers = o.max_registers;
  c.debug = flag(o.debug, "debug");
  c.lineinfo = flag(o.lineinfo, "lineinfo");
  c.fast_math = flag(o.fast_math, "fast_math");
  c.device_runtime = flag(o.device_runtime, "device_runtime");
  if (o.reserved != 0)
    arr::fail(ARR_E_ARGUMENT, "argument options: reserved is ", o.reserved, ", expected 0");
  return c;
}

std::string read_file(const std::string& path) {
  arr::io::Reader reader(path);
  std::string bytes(static_cast<size_t>(reader.size()), '\0');
  reader.read(bytes.data(), reader.size());
  reader.check_unchanged();
  return bytes;
}

std::string_view bytes_argument(const void* data, int64_t length, const char* argument) {
  check_pointer(data, argument);
  return string_argument(static_cast<const char*>(data), length, argument);
}

// Adds the unit that an options struct describes.
void add_unit(arr::ModuleCall* c, const arr_module_options* o, std::string_view bytes, const char* name) {
  const bool named = o != nullptr && o->name != nullptr;
  c->units.push_back({kind_from(o == nullptr ? 0 : o->kind, "options"), bytes, named ? o->name : name});
}

void load(arr::ModuleCall c, const arr_device* device, arr_module* out) {
  failed_log().clear();
  std::string log;
  try {
    publish<arr::Module>(arr::load(std::move(c), arr::device_from(device), &log), out);
  } catch (...) {
    failed_log() = std::move(log);
    throw;
  }
}

}  // namespace

arr_status arr_module_load(const void* image, int64_t length, const arr_device* device,
                           const arr_module_options* options, arr_module* out) {
  return guard("arr_module_load", [&] {
    check_pointer(out, "out");
    arr::ModuleCall c = call_from(options);
    add_unit(&c, options, bytes_argument(image, length, "image"), "kernel.cu");
    load(std::move(c), device, out);
  });
}

arr_status arr_module_load_file(const char* path, const arr_device* device, const arr_module_options* options,
                                arr_module* out) {
  return guard("arr_module_load_file", [&] {
    check_pointer(out, "out");
    check_pointer(path, "path");
    arr::ModuleCall c = call_from(options);
    const std::string bytes = read_file(path);
    add_unit(&c, options, bytes, path);
    // NVRTC searches this folder for included files; the host's compiler finds them by the file's name.
    const std::string p = path;
    const size_t slash = p.rfind('/');
    if (arr::image_kind(bytes, c.units[0].kind, p) == arr::ImageKind::source) {
      c.include_paths.insert(c.include_paths.begin(),
                             slash == std::string::npos ? "." : p.substr(0, slash + 1));
    }
    load(std::move(c), device, out);
  });
}

arr_status arr_module_link(int32_t ninputs, const arr_module_input* inputs, const arr_device* device,
                           const arr_module_options* options, arr_module* out) {
  return guard("arr_module_link", [&] {
    check_pointer(out, "out");
    if (ninputs < 1) arr::fail(ARR_E_ARGUMENT, "argument ninputs: ", ninputs, ", expected at least 1");
    check_pointer(inputs, "inputs");
    arr::ModuleCall c = call_from(options);
    c.link = true;
    std::vector<std::string> files;
    files.reserve(static_cast<size_t>(ninputs));
    for (int32_t i = 0; i < ninputs; ++i) {
      const arr_module_input& in = inputs[i];
      std::string name = in.name != nullptr ? in.name : arr::text("input ", i);
      if (in.data == nullptr && in.name == nullptr) {
        arr::fail(ARR_E_ARGUMENT, "argument inputs[", i,
                  "]: data and name are NULL, expected bytes or a path");
      }
      if (in.data == nullptr) files.push_back(read_file(name));
      const std::string_view bytes =
          in.data == nullptr ? std::string_view(files.back()) : bytes_argument(in.data, in.length, "inputs");
      c.units.push_back({kind_from(in.kind, "inputs"), bytes, std::move(name)});
    }
    load(std::move(c), device, out);
  });
}

arr_status arr_module_image(const char* source, int64_t length, int32_t kind, const arr_device* device,
                            const arr_module_options* options, int64_t capacity, void* image, int64_t* size) {
  return guard("arr_module_image", [&] {
    check_pointer(size, "size");
    if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
    const arr::ImageKind wanted = kind_from(kind, "kind");
    if (wanted != arr::ImageKind::ptx && wanted != arr::ImageKind::cubin && wanted != arr::ImageKind::ltoir) {
      arr::fail(ARR_E_ARGUMENT, "argument kind: ", kind,
                ", expected ARR_IMAGE_PTX, ARR_IMAGE_CUBIN or ARR_IMAGE_LTOIR");
    }
    arr::ModuleCall c = call_from(options);
    add_unit(&c, options, string_argument(source, length, "source"), "kernel.cu");
    c.units[0].kind = arr::ImageKind::source;
    if (c.device_runtime) {
      arr::fail(ARR_E_ARGUMENT, "argument options: device_runtime is 1, but arr_module_image does not link");
    }
    arr::Device where;
    if (device != nullptr) where = {device->type, device->index};
    failed_log().clear();
    std::string log, bytes;
    try {
      bytes = arr::compile_image(std::move(c), wanted, where, &log);
    } catch (...) {
      failed_log() = std::move(log);
      throw;
    }
    if (image != nullptr && capacity >= static_cast<int64_t>(bytes.size())) {
      std::memcpy(image, bytes.data(), bytes.size());
    }
    *size = static_cast<int64_t>(bytes.size());
  });
}

arr_status arr_module_global(arr_module m, const char* name, void** address, int64_t* bytes) {
  return guard("arr_module_global", [&] {
    auto module = lookup<arr::Module>(m, "m");
    check_pointer(name, "name");
    const arr::Ref<arr::Buffer> found = arr::find_global(module.share(), name);
    if (address != nullptr) *address = found->data();
    if (bytes != nullptr) *bytes = found->bytes();
  });
}

arr_status arr_module_global_array(arr_module m, const char* name, arr_dtype dtype, int32_t ndim,
                                   const int64_t* shape, arr_array* out) {
  return make_array("arr_module_global_array", out, [&] {
    auto module = lookup<arr::Module>(m, "m");
    check_pointer(name, "name");
    const arr::DType d = arr::dtype_from(dtype, "dtype");
    const arr::Shape s = shape_argument(ndim, shape);
    arr::Ref<arr::Buffer> found = arr::find_global(module.share(), name);
    const arr::Layout window = arr::Layout::contiguous(s, arr::item_size(d), arr::Order::C);
    const int64_t needed = window.size() * arr::item_size(d);  // checked by contiguous()
    if (needed > found->bytes()) {
      arr::fail(ARR_E_SHAPE, "argument shape: ", needed, " bytes, the variable ", name, " has ",
                found->bytes());
    }
    char* data = found->data();
    return arr::make<arr::Array>(std::move(found), data, d, window);
  });
}
