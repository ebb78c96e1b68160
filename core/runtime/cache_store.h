// SPDX-License-Identifier: MIT
// A caller's store of compiled kernels, in addition to the directory: two functions.
#pragma once

#include "base/disk_cache.h"

namespace arr {

struct StoreFunctions {
  // Returns the size of the entry, of which at most the capacity was written; negative: there is no such
  // entry.
  int64_t (*get)(void* ctx, const char* name, void* bytes, int64_t capacity);
  void (*put)(void* ctx, const char* name, const void* bytes, int64_t count);
};

// Installs the store; empty get and put remove it. drop of the former store is called when no call to it is
// running. On failure nothing changes, and drop is not called.
void set_cache_store(const StoreFunctions& functions, void (*drop)(void*), void* ctx);

// Gives the store to a module that has just been opened.
const CacheStore& core_cache_store();

}  // namespace arr
