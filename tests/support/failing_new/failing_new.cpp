// SPDX-License-Identifier: MIT
// Replaces the global operator new; see failing_new.h.
#include "failing_new.h"

#include <cstdlib>
#include <new>

namespace arr_test {
namespace {

thread_local int64_t allocations_left = -1;
thread_local bool failed = false;
int32_t (*exempted)() = nullptr;

}  // namespace

void exempt(int32_t (*inside)()) noexcept { exempted = inside; }

void fail_allocation(int64_t n) noexcept {
  allocations_left = n;
  failed = false;
}

bool stop_failing() noexcept {
  allocations_left = -1;
  return failed;
}

}  // namespace arr_test

void* operator new(std::size_t size) {
  using namespace arr_test;
  if (allocations_left >= 0 && (exempted == nullptr || exempted() == 0)) {
    failed = failed || allocations_left == 0;
    if (allocations_left == 0) throw std::bad_alloc();
    --allocations_left;
  }
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
