// SPDX-License-Identifier: MIT
// Compiles, finds and launches users' kernels through a backend.
#include "runtime/modules.h"

#include <algorithm>
#include <cstring>

#include "backend/kernels.h"
#include "base/environment.h"
#include "expr/program.h"
#include "runtime/module_image.h"
#include "runtime/trace.h"

namespace arr {

namespace {

// A variable of a module.
class GlobalBuffer final : public Buffer {
 public:
  GlobalBuffer(void* data, int64_t bytes, Ref<Module> module) noexcept
      : Buffer(data, bytes, module->device), module_(std::move(module)) {
    exposed.store(true, std::memory_order_relaxed);  // kernels may write it at any time
  }
  [[nodiscard]] bool foreign() const noexcept override { return true; }

 protected:
  ~GlobalBuffer() override {
    // The module releases the memory when it is unloaded, so no work may still use it.
    try {
      finish_uses(*this);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a lost device runs no more work
    }
  }

 private:
  Ref<Module> module_;
};

// Runs a compilation; adds the source line to an error about a source.
template <class Run>
void with_line(const ModuleCall& call, Run&& run) {
  try {
    run();
  } catch (const Error& e) {
    if (e.status() != ARR_E_COMPILE && e.status() != ARR_E_UNSUPPORTED) throw;
    const std::string line = line_of(call.units, e.text());
    if (line.empty()) throw;
    throw Error(e.status(), text(e.text(), " [", line, "]"));
  }
}

std::string describe_grid(const LaunchConfig& c) {
  const int64_t block[] = {c.block[0], c.block[1], c.block[2]};
  return text("grid ", shape_text(3, c.grid), ", block ", shape_text(3, block));
}

// Parameters that the backend does not know come from the source's declaration, if both agree otherwise.
void complete_params(Kernel* k) {
  const bool typed = std::any_of(k->params.begin(), k->params.end(),
                                 [](const KernelParam& p) { return p.dtype != DType::none || p.pointer; });
  if (k->known && typed) return;
  auto declared = parameters_of(k->module->declared, k->name);
  if (!declared) return;
  if (!k->known) {
    k->params = std::move(*declared);
    k->known = true;
    return;
  }
  if (declared->size() != k->params.size()) return;
  for (size_t i = 0; i < declared->size(); ++i) {
    const KernelParam& p = (*declared)[i];
    if (p.bytes == k->params[i].bytes) k->params[i] = p;
  }
}

}  // namespace

Module::~Module() {
  BackendError ignored;
  api<KernelApi>(device).module_destroy(device.index, handle, &ignored);
}

Kernel::Kernel(Ref<Module> owner, void* entry, std::string title)
    : module(std::move(owner)), handle(entry), name(std::move(title)) {
  int32_t said = 0;
  call(api<KernelApi>(module->device).params, module->device.index, handle, &params, &said);
  known = said != 0;
  complete_params(this);
}

namespace {

Ref<Module> create(ModuleCall c, Device device, std::string* log) {
  Declarations declared;
  for (const ModuleUnit& u : c.units) {
    if (u.kind != ImageKind::source) continue;
    Declarations one = declarations_of(u.bytes);
    declared.variables = declared.variables || one.variables;
    for (DeclaredKernel& k : one.kernels) declared.kernels.push_back(std::move(k));
  }
  c.variables = declared.variables;
  for (const DeclaredKernel& k : declared.kernels) {
    const bool listed = std::find(c.kernels.begin(), c.kernels.end(), k.name) != c.kernels.end();
    if (k.templates.empty() && !listed) c.kernels.push_back(k.name);
  }
  void* handle = nullptr;
  const auto& kernels = api<KernelApi>(device);
  with_line(c, [&] { call(kernels.module_create, device.index, &c, &handle, log); });
  try {
    return make<Module>(device, handle, *log, std::move(declared));
  } catch (...) {
    BackendError ignored;
    kernels.module_destroy(device.index, handle, &ignored);
    throw;
  }
}

}  // namespace

Ref<Module> load(ModuleCall c, Device device, std::string* log) {
  for (ModuleUnit& u : c.units) {
    u.kind = image_kind(u.bytes, u.kind, u.name);
    if (u.kind == ImageKind::ptx && u.name == "kernel.cu") u.name = "kernel.ptx";
  }
  return create(std::move(c), device, log);
}

Ref<Module> compile(std::string_view source, std::span<const char* const> options, Device device,
                    std::string* log) {
  ModuleCall c;
  const bool ptx = is_ptx(source);
  c.units.push_back({ptx ? ImageKind::ptx : ImageKind::source, source, ptx ? "kernel.ptx" : "kernel.cu"});
  c.options.assign(options.begin(), options.end());
  return create(std::move(c), device, log);
}

std::string compile_image(ModuleCall c, ImageKind kind, Device device, std::string* log) {
  std::string image;
  with_line(c, [&] {
    call(api<KernelApi>(backend_module(device.type)).module_image, device.index, &c, kind, &image, log);
  });
  return image;
}

Ref<Buffer> find_global(const Ref<Module>& module, const std::string& name) {
  void* address = nullptr;
  int64_t bytes = 0;
  call(api<KernelApi>(module->device).module_global, module->device.index, module->handle, name.c_str(),
       &address, &bytes);
  return make<GlobalBuffer>(address, bytes, module);
}

Ref<Kernel> find_kernel(const Ref<Module>& module, const std::string& name) {
  void* handle = nullptr;
  call(api<KernelApi>(module->device).module_kernel, module->device.index, module->handle, name.c_str(),
       &handle);
  return make<Kernel>(module, handle, name);
}

namespace {

// "float64*", "const float32*", "int32", "8 bytes".
std::string param_text(const KernelParam& p) {
  if (p.dtype == DType::none) return text(p.bytes, " bytes");
  return text(p.readonly ? "const " : "", name(p.dtype), p.pointer ? "*" : "");
}

// "a float64", "an int32".
std::string one(DType d) {
  const std::string_view n = name(d);
  return text(n[0] == 'i' ? "an " : "a ", n);
}

// Integers of one size may have either sign, and 16-bit floats may be read as integers; a complex array is an
// array of its parts.
bool same_bits(DType given, DType taken) {
  if (is_complex(given) && real_type(given) == taken) return true;
  if (item_size(given) != item_size(taken)) return false;
  return is_integer_or_bool(given) == is_integer_or_bool(taken) || item_size(given) == 2;
}

// In checked mode dtypes must be equal; otherwise only the representations must agree. A pointer to bytes
// accepts any array, as raw memory.
void check_array(const Kernel& k, size_t i, const Array& a, const KernelParam& p) {
  const bool raw = p.pointer && item_size(p.dtype) == 1;
  const bool fits = checked_mode() ? a.dtype == p.dtype : same_bits(a.dtype, p.dtype);
  if (!p.pointer || !(fits || raw)) {
    fail(ARR_E_DTYPE, "argument args[", i, "]: ", one(a.dtype), " array, but kernel ", k.name, " takes ",
         param_text(p), " there");
  }
  if (checked_mode() && a.is_readonly() && !p.readonly) {
    fail(ARR_E_READONLY, "argument args[", i, "]: a read-only array, but kernel ", k.name, " takes ",
         param_text(p), " there, which it may write");
  }
}

void check_number(const Kernel& k, size_t i, const KernelArgument& a, const KernelParam& p) {
  const bool address = p.pointer && item_size(a.dtype) == sizeof(void*) && is_integer(a.dtype);
  const bool fits = checked_mode() ? !p.pointer && a.dtype == p.dtype
                                   : address || (!p.pointer && same_bits(a.dtype, p.dtype));
  if (fits) return;
  fail(ARR_E_DTYPE, "argument args[", i, "]: ", one(a.dtype), " number, but kernel ", k.name, " takes ",
       param_text(p), " there");
}

void check_type(const Kernel& k, size_t i, const KernelArgument& a, const KernelParam& p) {
  if (p.dtype == DType::none) return;
  if (a.array != nullptr && a.bytes != nullptr) {
    fail(ARR_E_DTYPE, "argument args[", i, "]: an array as a struct, but kernel ", k.name, " takes ",
         param_text(p), " there");
  }
  if (a.array != nullptr) check_array(k, i, *a.array, p);
  if (a.dtype != DType::none) check_number(k, i, a, p);
  if (!checked_mode()) return;
  if (a.texture != nullptr && (p.pointer || p.dtype != DType::uint64_)) {
    fail(ARR_E_DTYPE, "argument args[", i, "]: a ", a.texture->surface ? "surface" : "texture",
         ", but kernel ", k.name, " takes ", param_text(p), " there");
  }
  if (a.pointer && !p.pointer) {
    fail(ARR_E_DTYPE, "argument args[", i, "]: a pointer, but kernel ", k.name, " takes ", param_text(p),
         " there");
  }
}

// Converts weak scalars to the dtypes of their parameters, if these are known.
class PlainNumbers {
 public:
  PlainNumbers(const Kernel& k, std::span<const KernelArgument> args) : list_(args) {
    for (size_t i = 0; k.known && i < args.size() && i < k.params.size(); ++i) {
      const KernelParam& p = k.params[i];
      if (args[i].weak && !p.pointer && p.dtype != DType::none && args[i].dtype != p.dtype) convert(k, i, p);
    }
  }
  [[nodiscard]] std::span<const KernelArgument> list() const { return list_; }

 private:
  void convert(const Kernel& k, size_t i, const KernelParam& p) {
    if (changed_.empty()) {
      changed_.assign(list_.begin(), list_.end());
      numbers_.resize(changed_.size());
      list_ = changed_;
    }
    KernelArgument& a = changed_[i];
    Scalar given{a.dtype};
    std::memcpy(&given.lo, a.bytes, static_cast<size_t>(std::min<int64_t>(a.nbytes, 8)));
    if (a.nbytes > 8) std::memcpy(&given.hi, static_cast<const char*>(a.bytes) + 8, 8);
    // fit_plain checks an integer's sign and size.
    if (!(is_integer(a.dtype) && is_integer(p.dtype)) && !can_cast(a.dtype, p.dtype, Casting::same_kind)) {
      fail(ARR_E_DTYPE, "argument args[", i, "]: a plain ", name(a.dtype), " number, but kernel ", k.name,
           " takes ", param_text(p), " there");
    }
    numbers_[i] = fit_plain(given, p.dtype);
    a.bytes = &numbers_[i].lo;
    a.nbytes = item_size(p.dtype);
    a.dtype = p.dtype;
  }

  std::span<const KernelArgument> list_;
  std::vector<KernelArgument> changed_;
  std::vector<Scalar> numbers_;
};

int64_t size_of(const KernelArgument& a) {
  const bool address = a.array != nullptr && a.bytes == nullptr;
  return address ? static_cast<int64_t>(sizeof(void*)) : a.nbytes;
}

void check_arguments(const Kernel& k, std::span<const KernelArgument> args) {
  constexpr int64_t max_bytes = 32764;  // bytes of parameters, since CUDA 12.1
  int64_t sum = 0;
  for (const KernelArgument& a : args) sum += size_of(a);
  if (sum > max_bytes)
    fail(ARR_E_ARGUMENT, "argument args: ", sum, " bytes, a kernel takes at most ", max_bytes);
  if (!k.known) return;
  if (args.size() != k.params.size()) {
    fail(ARR_E_ARGUMENT, "argument nargs: kernel ", k.name, " takes ", k.params.size(), " arguments, got ",
         args.size());
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const KernelParam& p = k.params[i];
    const int64_t given = size_of(args[i]);
    if (p.bytes != 0 && given != p.bytes) {
      const bool number = args[i].dtype != DType::none;
      const std::string what = args[i].array != nullptr ? "an array, "
                               : number                 ? one(args[i].dtype) + " number, "
                                                        : "";
      fail(ARR_E_ARGUMENT, "argument args[", i, "]: ", what, given, " bytes, but kernel ", k.name, " takes ",
           p.dtype != DType::none ? param_text(p) + ", " : "", p.bytes, " bytes there");
    }
    check_type(k, i, args[i], p);
  }
}

void check_geometry(const LaunchConfig& c) {
  for (int i = 0; i < 3; ++i) {
    if (c.grid[i] < 1)
      fail(ARR_E_ARGUMENT, "argument grid: ", shape_text(3, c.grid), ", expected at least 1 each");
    if (c.block[i] < 1)
      fail(ARR_E_ARGUMENT, "argument block: entry ", i, " is ", c.block[i], ", expected at least 1");
  }
  if (c.shared_bytes < 0) fail(ARR_E_ARGUMENT, "argument shared_bytes: ", c.shared_bytes, " is negative");
}

}  // namespace

namespace {

void use_texture(const Texture& t, size_t i, const Queue& q) {
  if (!(t.device() == q.device)) {
    fail(ARR_E_ARGUMENT, "argument args[", i, "]: a texture on ", device_text(t.device()),
         ", the kernel is on ", device_text(q.device));
  }
  use(t, q);
}

}  // namespace

ArgumentMemory memory_of(const Array& a) {
  int64_t low = 0, high = 0;
  a.layout.reach(item_size(a.dtype), &low, &high);
  const bool may_be_pointers = a.dtype == DType::int64_ || a.dtype == DType::uint64_;
  return {a.data + low, high - low, !may_be_pointers, nullptr};
}

void launch(const Kernel& k, const LaunchConfig& config, std::span<const KernelArgument> given,
            Stream* stream) {
  check_geometry(config);
  const PlainNumbers fitted(k, given);
  const std::span<const KernelArgument> args = fitted.list();
  check_arguments(k, args);
  Queue q = queue_for(k.module->device, stream);
  std::vector<void*> pointers(args.size());
  std::vector<void*> slots(args.size());
  std::vector<ArgumentMemory> memory(checked_mode() ? args.size() : 0);
  for (size_t i = 0; i < args.size(); ++i) {
    const Array* a = args[i].array;
    if (args[i].texture != nullptr) use_texture(*args[i].texture, i, q);
    if (a == nullptr) {
      slots[i] = const_cast<void*>(args[i].bytes);  // NOLINT: the backend only reads it
      if (!memory.empty()) memory[i] = args[i].memory;
      continue;
    }
    if (!(a->device() == q.device)) {
      fail(ARR_E_ARGUMENT, "argument args[", i, "]: an array on ", device_text(a->device()),
           ", the kernel is on ", device_text(q.device));
    }
    // Memory that is released later is reused in stream order, so the kernel needs no reference.
    use(*a->buffer, q);
    if (args[i].bytes != nullptr) {
      slots[i] = const_cast<void*>(args[i].bytes);  // NOLINT: the backend only reads it
      continue;
    }
    pointers[i] = a->data;
    slots[i] = &pointers[i];
    if (!memory.empty()) {
      memory[i] = memory_of(*a);
      memory[i].name = args[i].memory.name;
    }
  }
  LaunchConfig c = config;
  c.memory = memory.empty() ? nullptr : memory.data();
  auto start = [&] {
    call(api<KernelApi>(q).launch, q.index(), k.handle, &c, static_cast<int32_t>(args.size()), slots.data(),
         q.handle());
  };
  if (!tracing()) return start();
  const TraceSpan span(q, {k.name, describe_grid(config), 0});
  start();
}

void launch(const Kernel& k, const int64_t grid[3], const int32_t block[3], int64_t shared_bytes,
            std::span<const KernelArgument> args, Stream* stream) {
  const LaunchConfig config{.grid = {grid[0], grid[1], grid[2]},
                            .block = {block[0], block[1], block[2]},
                            .shared_bytes = shared_bytes};
  launch(k, config, args, stream);
}

}  // namespace arr
