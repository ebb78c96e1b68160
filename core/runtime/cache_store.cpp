// SPDX-License-Identifier: MIT
#include "runtime/cache_store.h"

#include "runtime/caller_functions.h"

namespace arr {

namespace {

// Never destroyed: kernels may still be compiled at exit.
CallerFunctionsSlot<StoreFunctions>& slot() {
  static auto* s = new CallerFunctionsSlot<StoreFunctions>;
  return *s;
}

// Asks for the size first. If the entry has grown in between, it is not used this time.
bool get(const std::string& name, std::string* entry) {
  const auto now = slot().now();
  if (!now || now->functions.get == nullptr) return false;
  const int64_t size = now->functions.get(now->ctx, name.c_str(), nullptr, 0);
  if (size < 0 || size > max_entry_bytes) return false;
  entry->resize(static_cast<size_t>(size));
  return now->functions.get(now->ctx, name.c_str(), entry->data(), size) == size;
}

void put(const std::string& name, std::string_view entry) {
  const auto now = slot().now();
  if (!now || now->functions.put == nullptr) return;
  now->functions.put(now->ctx, name.c_str(), entry.data(), static_cast<int64_t>(entry.size()));
}

constexpr CacheStore store{get, put};

}  // namespace

const CacheStore& core_cache_store() { return store; }

void set_cache_store(const StoreFunctions& functions, void (*drop)(void*), void* ctx) {
  Ref<CallerFunctions<StoreFunctions>> fresh;
  if (functions.get != nullptr || functions.put != nullptr)
    fresh = make<CallerFunctions<StoreFunctions>>(functions, drop, ctx);
  slot().set(std::move(fresh), [] { cache_store.store(&store, std::memory_order_release); });
}

}  // namespace arr
