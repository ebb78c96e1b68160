// SPDX-License-Identifier: MIT
// The interface between libarr and the module libarr_hostcuda.so: the functions of host_kernels.h as one
// table with a version. libarr opens the module at the first raw kernel (loader.h); both come from one build,
// which the version and the sizes confirm. Every function returns a status, and on failure has put one line
// of text into the call's error (translate_exceptions() of backend/error.h). No function lets an exception
// out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/error.h"
#include "base/disk_cache.h"
#include "base/log.h"
#include "hostcuda/host_kernels.h"
#include "hostcuda/run/textures.h"

namespace arr::host_kernels {

inline constexpr int32_t module_abi_version = 1;

// Services of libarr that the module uses. They live as long as the process.
struct Services {
  const LogSink* log = nullptr;
  const CacheStore* cache = nullptr;
  // The number of threads that a launch may use, the calling thread included.
  int (*usable_threads)() noexcept = nullptr;
};

// The arguments of launch() and check_launch().
struct LaunchCall {
  const Kernel* kernel = nullptr;
  const uint32_t *grid = nullptr, *block = nullptr;  // 3 extents each
  uint64_t shared_bytes = 0;
  void* const* args = nullptr;
  int32_t nargs = 0;
  const Extent* extents = nullptr;
  bool cooperative = false;
};

struct Module {
  int64_t struct_size;
  int32_t abi_version;
  int64_t types_bytes;  // module_types_bytes

  // Called once, before every other function.
  void (*attach)(const Services* services) noexcept;
  // The module's locks, for fork() (base/fork_modules.h).
  bool (*try_lock_for_fork)(bool late) noexcept;
  void (*unlock_after_fork)() noexcept;
  CacheCounts (*cache_counts)() noexcept;

  // log receives the compiler's messages, also on success.
  int32_t (*compile)(std::span<const SourceUnit> units, const Options* options, std::shared_ptr<Image>* image,
                     std::string* log, BackendError*);
  int32_t (*ptx_of_fatbin)(std::string_view image, const std::string* name, std::string* ptx, BackendError*);
  int32_t (*kernel)(const std::shared_ptr<Image>* image, std::string_view name, Kernel* kernel,
                    BackendError*);
  int32_t (*global)(const Image* image, std::string_view name, Global* global, BackendError*);
  int32_t (*check_launch)(const LaunchCall*, BackendError*);
  int32_t (*launch)(const LaunchCall*, BackendError*);
  int64_t (*resident_blocks)(int64_t threads) noexcept;
  int32_t (*prepare_texture)(Texture* texture, BackendError*);
};

// A module of another build is refused by the sizes of the types that it shares with libarr.
inline constexpr int64_t module_types_bytes =
    static_cast<int64_t>(sizeof(Services) + sizeof(LaunchCall) + sizeof(Options) + sizeof(SourceUnit) +
                         sizeof(Kernel) + sizeof(Extent) + sizeof(Global) + sizeof(Texture));

// The function that the module exports as arr_host_kernels_open: its table, or nullptr with a reason.
using ModuleOpen = const Module* (*)(int32_t abi_version, int64_t struct_size, std::string* reason);

}  // namespace arr::host_kernels
