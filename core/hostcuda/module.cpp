// SPDX-License-Identifier: MIT
// The one export of libarr_hostcuda.so: its table of functions.
#include "hostcuda/module.h"

#include "base/fork_modules.h"
#include "hostcuda/fatbin.h"
#include "hostcuda/run/threads.h"

namespace arr::host_kernels {

namespace {

void attach(const Services* services) noexcept {
  log_sink.store(services->log, std::memory_order_release);
  cache_store.store(services->cache, std::memory_order_release);
  thread_source.store(services->usable_threads, std::memory_order_release);
}

int32_t module_compile(std::span<const SourceUnit> units, const Options* options,
                       std::shared_ptr<Image>* image, std::string* messages, BackendError* e) {
  return translate_exceptions(e, [&] {
    try {
      *image = compile(units, *options);
    } catch (const CompileError& error) {
      *messages = error.log;
      throw;
    }
    *messages = log(**image);
  });
}

int32_t module_ptx_of_fatbin(std::string_view image, const std::string* name, std::string* ptx,
                             BackendError* e) {
  return translate_exceptions(e, [&] { *ptx = ptx_of_fatbin(image, *name); });
}

int32_t module_kernel(const std::shared_ptr<Image>* image, std::string_view name, Kernel* found,
                      BackendError* e) {
  return translate_exceptions(e, [&] { *found = kernel(*image, name); });
}

int32_t module_global(const Image* image, std::string_view name, Global* found, BackendError* e) {
  return translate_exceptions(e, [&] { *found = global(*image, name); });
}

int32_t module_check_launch(const LaunchCall* c, BackendError* e) {
  return translate_exceptions(
      e, [&] { check_launch(*c->kernel, c->grid, c->block, c->shared_bytes, c->args, c->nargs); });
}

int32_t module_launch(const LaunchCall* c, BackendError* e) {
  return translate_exceptions(e, [&] {
    launch(*c->kernel, c->grid, c->block, c->shared_bytes, c->args, c->nargs, c->extents, c->cooperative);
  });
}

int32_t prepare_texture(Texture* texture, BackendError* e) {
  return translate_exceptions(e, [&] { prepare(*texture); });
}

constexpr Module module = {
    .struct_size = sizeof(Module),
    .abi_version = module_abi_version,
    .types_bytes = module_types_bytes,
    .attach = attach,
    .try_lock_for_fork = try_lock_all_for_fork,
    .unlock_after_fork = unlock_all_after_fork,
    .cache_counts = arr::cache_counts,
    .compile = module_compile,
    .ptx_of_fatbin = module_ptx_of_fatbin,
    .kernel = module_kernel,
    .global = module_global,
    .check_launch = module_check_launch,
    .launch = module_launch,
    .resident_blocks = [](int64_t threads) noexcept { return resident_blocks(threads); },
    .prepare_texture = prepare_texture,
};

}  // namespace

}  // namespace arr::host_kernels

extern "C" __attribute__((visibility("default"))) const arr::host_kernels::Module* arr_host_kernels_open(
    int32_t abi_version, int64_t struct_size, std::string* reason) {
  const arr::host_kernels::Module& m = arr::host_kernels::module;
  if (abi_version != m.abi_version || struct_size != m.struct_size) {
    *reason = arr::text("the module's interface is version ", m.abi_version, " of ", m.struct_size,
                        " bytes, the library's ", abi_version, " of ", struct_size, " bytes");
    return nullptr;
  }
  return &m;
}
