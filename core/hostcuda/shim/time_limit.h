// SPDX-License-Identifier: MIT
// With ARR_KERNEL_TIMEOUT: the function that the compiler calls in each basic block (-fsanitize-coverage). It
// asks for the time now and then. Embedded before every kernel source.
#ifdef ARR_TIMED
#ifdef __clang__
#define ARR_UNTIMED no_sanitize("coverage"), no_sanitize("thread")
#else
#define ARR_UNTIMED no_sanitize_coverage, no_sanitize("thread")
#endif
static thread_local unsigned arr_passed;
extern "C" __attribute__((visibility("hidden"), ARR_KEEP, noinline, ARR_UNTIMED)) void
__sanitizer_cov_trace_pc() {
  if (++arr_passed % 256 == 0 && arr_runtime) arr_runtime->passed(__builtin_return_address(0));
}
#endif
