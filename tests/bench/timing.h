/* SPDX-License-Identifier: MIT */
/* The clock of the loops that call libarr. Include it first: it asks the system for clock_gettime(). */
#ifndef ARR_BENCH_TIMING_H
#define ARR_BENCH_TIMING_H

#define _POSIX_C_SOURCE 200809L
#include <arr/arr.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Times `call` repeated; a failing one ends it. */
#define TIMED(call)                           \
  do {                                        \
    double start = now();                     \
    for (int64_t i = 0; i < repeats; ++i) {   \
      if ((call) != ARR_OK) return -1;        \
    }                                         \
    return (now() - start) / (double)repeats; \
  } while (0)

#endif
