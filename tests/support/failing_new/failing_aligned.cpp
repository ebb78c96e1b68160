// SPDX-License-Identifier: MIT
// The library's memory with an alignment: the data of arrays, scratch memory of loops, arguments of kernels.
// Only the library's own calls fail: what it calls, such as FFTW, ends the process where this fails.
#include <dlfcn.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "failing_new.h"

namespace {

// Returns whether an address is in code of libarr.so or of a module of it.
bool of_library(const void* caller) {
  Dl_info where;
  if (dladdr(caller, &where) == 0 || where.dli_fname == nullptr) return false;
  const char* slash = std::strrchr(where.dli_fname, '/');
  const char* name = slash == nullptr ? where.dli_fname : slash + 1;
  return std::strncmp(name, "libarr.so", 9) == 0 || std::strncmp(name, "libarr_cuda", 11) == 0 ||
         std::strncmp(name, "libarr_hostcuda", 15) == 0;
}

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int posix_memalign(void** p, size_t alignment, size_t size) {
  static auto* real = next<int(void**, size_t, size_t)>("posix_memalign");
  if (of_library(__builtin_return_address(0)) && arr_test::fails_now()) return ENOMEM;
  return real(p, alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  static auto* real = next<void*(size_t, size_t)>("aligned_alloc");
  if (of_library(__builtin_return_address(0)) && arr_test::fails_now()) return nullptr;
  return real(alignment, size);
}
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  if (arr_test::fails_now()) throw std::bad_alloc();
  static auto* real = next<int(void**, size_t, size_t)>("posix_memalign");
  void* p = nullptr;
  if (real(&p, static_cast<size_t>(alignment), size == 0 ? 1 : size) != 0) throw std::bad_alloc();
  return p;
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
