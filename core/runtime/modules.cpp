// SPDX-License-Identifier: MIT
// Compiling, finding and launching user-written kernels through a backend.
#include "runtime/modules.h"

namespace arr {

Module::~Module() {
  BackendError ignored;
  backend(device.type).module_destroy(device.index, handle, &ignored);
}

Kernel::Kernel(Ref<Module> owner, void* entry, std::string title)
    : module(std::move(owner)), handle(entry), name(std::move(title)) {
  constexpr int32_t most = 256;
  int64_t bytes[most];
  int32_t count = -1;
  call(backend(module->device.type).kernel_params, module->device.index, handle, most, bytes, &count);
  known = count >= 0;
  if (known) sizes.assign(bytes, bytes + std::min(count, most));
}

Ref<Module> compile(std::string_view source, std::span<const char* const> options, Device device,
                    std::string* log) {
  void* handle = nullptr;
  const Backend& b = backend(device.type);
  call(b.module_create, device.index, source.data(), static_cast<int64_t>(source.size()),
       static_cast<int32_t>(options.size()), options.data(), &handle, log);
  try {
    return make<Module>(device, handle, *log);
  } catch (...) {
    BackendError ignored;
    b.module_destroy(device.index, handle, &ignored);
    throw;
  }
}

Ref<Kernel> find_kernel(const Ref<Module>& module, const std::string& name) {
  void* handle = nullptr;
  call(backend(module->device.type).module_kernel, module->device.index, module->handle, name.c_str(),
       &handle);
  return make<Kernel>(module, handle, name);
}

namespace {

void check_arguments(const Kernel& k, std::span<const KernelArgument> args) {
  if (!k.known) return;
  if (args.size() != k.sizes.size()) {
    fail(ARR_E_ARGUMENT, "argument nargs: kernel ", k.name, " takes ", k.sizes.size(), " arguments, got ",
         args.size());
  }
  for (size_t i = 0; i < args.size(); ++i) {
    int64_t given = args[i].array != nullptr ? static_cast<int64_t>(sizeof(void*)) : args[i].nbytes;
    if (given != k.sizes[i]) {
      fail(ARR_E_ARGUMENT, "argument args[", i, "]: ", args[i].array != nullptr ? "an array, " : "", given,
           " bytes, but kernel ", k.name, " takes ", k.sizes[i], " bytes there");
    }
  }
}

void check_geometry(const int64_t grid[3], const int32_t block[3], int64_t shared_bytes) {
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 1)
      fail(ARR_E_ARGUMENT, "argument grid: ", shape_text(3, grid), ", expected at least 1 each");
    if (block[i] < 1)
      fail(ARR_E_ARGUMENT, "argument block: entry ", i, " is ", block[i], ", expected at least 1");
  }
  if (shared_bytes < 0) fail(ARR_E_ARGUMENT, "argument shared_bytes: ", shared_bytes, " is negative");
}

}  // namespace

void launch(const Kernel& k, const int64_t grid[3], const int32_t block[3], int64_t shared_bytes,
            std::span<const KernelArgument> args, Stream* stream) {
  check_geometry(grid, block, shared_bytes);
  check_arguments(k, args);
  Queue q = queue_for(k.module->device, stream);
  std::vector<void*> pointers(args.size());
  std::vector<void*> slots(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    const Array* a = args[i].array;
    if (a == nullptr) {
      slots[i] = const_cast<void*>(args[i].bytes);  // NOLINT: the backend only reads it
      continue;
    }
    if (!(a->device() == q.device)) {
      fail(ARR_E_ARGUMENT, "argument args[", i, "]: an array on ", device_text(a->device()),
           ", the kernel is on ", device_text(q.device));
    }
    pointers[i] = a->data;
    slots[i] = &pointers[i];
    // Memory given back later is reused in stream order, so the kernel needs no reference of its own.
    use(*a->buffer, q);
  }
  call(q.backend->kernel_launch, q.index(), k.handle, grid, block, shared_bytes,
       static_cast<int32_t>(args.size()), slots.data(), q.handle());
}

}  // namespace arr
