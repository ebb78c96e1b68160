// SPDX-License-Identifier: MIT
// A caller's store of compiled kernels, used besides the directory: two functions.
#pragma once

#include "base/disk_cache.h"

namespace arr {

struct StoreFunctions {
  // The bytes of the entry, of which as many as fit were written; below 0: it is not there.
  int64_t (*get)(void* ctx, const char* name, void* bytes, int64_t capacity);
  void (*put)(void* ctx, const char* name, const void* bytes, int64_t count);
};

// Installs the store; an empty get and put remove it. The drop of the former store is called once no call is
// in it. On failure nothing changes, and drop is not called.
void set_cache_store(const StoreFunctions& functions, void (*drop)(void*), void* ctx);

// For a module that has just been opened.
const CacheStore& core_cache_store();

}  // namespace arr
