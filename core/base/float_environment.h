// SPDX-License-Identifier: MIT
// The floating-point environment in which the library computes, independent of the caller's: round to
// nearest, subnormal numbers kept, no traps.
#pragma once

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace arr {

// True if the calling thread has this environment.
inline bool default_floats() noexcept {
#if defined(__x86_64__)
  constexpr uint32_t flags = 0x3f, usual = 0x1f80;  // MXCSR with all exceptions masked
  uint16_t control = 0;
  asm volatile("fnstcw %0" : "=m"(control));
  return (_mm_getcsr() & ~flags) == usual && control == 0x37f;
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control == 0;
#else
  return false;
#endif
}

// A scope that computes in this environment and then restores the caller's, with its flags. If the caller's
// environment is the default one, flags raised in the scope stay set, because clearing them takes as long as
// a call.
class DefaultFloats {
 public:
  DefaultFloats() noexcept {
    if (!default_floats()) [[unlikely]]
      enter();
  }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;
  ~DefaultFloats() {
    if (entered_) [[unlikely]]
      std::fesetenv(&before_);
  }

 private:
  void enter() noexcept { entered_ = std::fegetenv(&before_) == 0 && std::fesetenv(FE_DFL_ENV) == 0; }

  bool entered_ = false;
  std::fenv_t before_;  // NOLINT: set by enter()
};

}  // namespace arr
