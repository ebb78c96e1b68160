// SPDX-License-Identifier: MIT
// Where a caller keeps compiled kernels besides the directory: two functions.
#pragma once

#include "base/disk_cache.h"

namespace arr {

struct StoreFunctions {
  // The bytes of the entry, of which as many as fit were written; below 0: it is not there.
  int64_t (*get)(void* ctx, const char* name, void* bytes, int64_t capacity);
  void (*put)(void* ctx, const char* name, const void* bytes, int64_t count);
};

// Entries are looked for there and kept there from now on; an empty get and put: nowhere. What was set
// before ends: its drop is called once nobody is in it any more. On failure all is as it was, and drop is not
// called.
void set_cache_store(const StoreFunctions& functions, void (*drop)(void*), void* ctx);

// For a module that has just been opened.
const CacheStore& core_cache_store();

}  // namespace arr
