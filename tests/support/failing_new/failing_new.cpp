// SPDX-License-Identifier: MIT
// Replaces the global operator new; see failing_new.h.
#include "failing_new.h"

#include <cstdlib>
#include <new>

namespace arr_test {
namespace {

thread_local int64_t left = -1;
thread_local bool once = false, failed = false;
int32_t (*exempted)() = nullptr;

void begin(int64_t n, bool only_one) noexcept {
  left = n;
  once = only_one;
  failed = false;
}

}  // namespace

void exempt(int32_t (*inside)()) noexcept { exempted = inside; }
void fail_allocation(int64_t n) noexcept { begin(n, false); }
void fail_one_allocation(int64_t n) noexcept { begin(n, true); }

bool fails_now() noexcept {
  if (left < 0 || (exempted != nullptr && exempted() != 0)) return false;
  if (left > 0) {
    --left;
    return false;
  }
  failed = true;
  if (once) left = -1;
  return true;
}

int64_t allocations_left() noexcept { return left; }

bool stop_failing() noexcept {
  left = -1;
  return failed;
}

}  // namespace arr_test

void* operator new(std::size_t size) {
  if (arr_test::fails_now()) throw std::bad_alloc();
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
// The standard library's temporary buffers come by this one, and go by the delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return arr_test::fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
