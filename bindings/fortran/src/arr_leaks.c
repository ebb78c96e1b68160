// SPDX-License-Identifier: MIT
// arr_leaks.c: ARR_DEBUG=leaks: at the program's end the arrays, matrices and operators that are still alive,
// with the lines that assigned them.
#define _GNU_SOURCE
#include "arr_leaks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else  // musl has none: the report is without lines
static int backtrace(void** frames, int count) {
  (void)frames, (void)count;
  return 0;
}
#endif

extern int32_t arr_shape(void* handle, int32_t capacity, int64_t* extents, int32_t* ndim);
extern int32_t arr_array_dtype(void* handle, int32_t* dtype);
extern int32_t arr_sparse_info(void* handle, void* properties);
extern int32_t arr_linop_info(void* handle, void* properties);
extern int32_t arr_dtype_info(int32_t dtype, const char** text, int32_t* bytes);

enum { FRAMES = 10, NDIM = 64 };

typedef struct trace {
  name held;
  int32_t frames;
  void* frame[FRAMES];
} trace;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trace* traces;  // one per slot of the handle table: an older handle of the slot is gone
static uint64_t room;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool wanted;
static _Atomic bool unwanted;  // known before the once, which costs more

static void report(void);

static void ask(void) {
  const char* given = secure_getenv("ARR_DEBUG");
  wanted = given != NULL && strstr(given, "leaks") != NULL;
  if (wanted) atexit(report);
  atomic_store_explicit(&unwanted, !wanted, memory_order_relaxed);
}

void arr_leaks_note(name held) {
  if (atomic_load_explicit(&unwanted, memory_order_relaxed)) return;
  pthread_once(&once, ask);
  if (!wanted || held == 0) return;
  trace now = {held, 0, {NULL}};
  now.frames = backtrace(now.frame, FRAMES);
  const uint64_t slot = (uint32_t)held;
  pthread_mutex_lock(&lock);
  if (slot >= room) {
    const uint64_t more = 2 * slot + 256;
    trace* longer = realloc(traces, more * sizeof *longer);
    if (longer != NULL) {
      memset(longer + room, 0, (more - room) * sizeof *longer);
      traces = longer;
      room = more;
    }
  }
  if (slot < room) traces[slot] = now;
  pthread_mutex_unlock(&lock);
}

// The library's own frames: module procedures of arr_* and the C part.
static bool of_library(const char* symbol) {
  return strncmp(symbol, "arr_", 4) == 0 || strncmp(symbol, "__arr_", 6) == 0 ||
         strstr(symbol, " at arr_") != NULL;
}

// The first line that addr2line prints of an address in a file; false where there is none.
static bool ask_addr2line(const char* file, uintptr_t address, char* line, size_t capacity) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  char text[32];
  snprintf(text, sizeof text, "0x%" PRIxPTR, address);
  char* const arguments[] = {"addr2line", "-f", "-p", "-s", "-e", (char*)(uintptr_t)file, text, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  size_t used = 0;
  ssize_t got = started ? 1 : 0;
  while (got > 0 && used + 1 < capacity) {
    got = read(ends[0], line + used, capacity - 1 - used);
    used += got > 0 ? (size_t)got : 0;
  }
  close(ends[0]);
  if (started) waitpid(child, NULL, 0);
  line[used] = 0;
  line[strcspn(line, "\n")] = 0;
  return used > 0 && strncmp(line, "??", 2) != 0;
}

// Asks addr2line for the line of an address, "function at file:line"; without an answer, the file and
// offset.
static void line_of(void* address, char* text, size_t capacity) {
  Dl_info info;
  snprintf(text, capacity, "%p", address);
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return;
  const uintptr_t offset = (uintptr_t)address - (uintptr_t)info.dli_fbase - 1;
  // A program that is not position-independent knows the address itself.
  if (ask_addr2line(info.dli_fname, offset, text, capacity)) return;
  if (ask_addr2line(info.dli_fname, (uintptr_t)address - 1, text, capacity)) return;
  snprintf(text, capacity, "%s+0x%" PRIxPTR, info.dli_fname, offset);
}

// Reads the shape and the element type of what a handle stands for, and its kind, "" for an array; false if
// it is nothing of that.
static bool properties_of(void* handle, int64_t* extents, int32_t* ndim, int32_t* dtype, const char** kind) {
  // arr_sparse_properties: struct_size, format, rows, columns, nnz, dtype, index_dtype
  // arr_linop_properties: struct_size, rows, columns, dtype, adjoint, device_type, device_index
  int64_t p[7] = {sizeof p};
  *kind = "";
  if (arr_array_dtype(handle, dtype) == 0) return arr_shape(handle, NDIM, extents, ndim) == 0;
  const bool sparse = arr_sparse_info(handle, p) == 0;
  if (!sparse && arr_linop_info(handle, p) != 0) return false;
  *kind = sparse ? "sparse " : "operator ";
  extents[0] = p[sparse ? 2 : 1];
  extents[1] = p[sparse ? 3 : 2];
  *ndim = 2;
  *dtype = (int32_t)p[sparse ? 5 : 3];
  return true;
}

static void describe(void* handle, char* text, size_t capacity) {
  int64_t extents[NDIM];
  int32_t ndim = 0, dtype = 0, bytes = 0;
  const char *type = "", *kind = "";
  if (!properties_of(handle, extents, &ndim, &dtype, &kind)) return;
  arr_dtype_info(dtype, &type, &bytes);
  int used = snprintf(text, capacity, "%s%s (", kind, type);
  for (int32_t i = 0; i < ndim && i < NDIM && (size_t)used < capacity; ++i) {
    used += snprintf(text + used, capacity - (size_t)used, i == 0 ? "%" PRId64 : ",%" PRId64, extents[i]);
  }
  if ((size_t)used < capacity) snprintf(text + used, capacity - (size_t)used, ")");
}

static bool alive(const trace* t) {
  int64_t extents[NDIM];
  int32_t ndim = 0, dtype = 0;
  const char* kind = "";
  return t->held != 0 && properties_of((void*)(uintptr_t)t->held, extents, &ndim, &dtype, &kind);
}

static void print(const trace* t, int64_t count) {
  char text[600] = "";
  describe((void*)(uintptr_t)t->held, text, sizeof text);
  fprintf(stderr, "libarr: %" PRId64 " alive, such as %s, assigned\n", count, text);
  int printed = 0;
  for (int32_t i = 0; i < t->frames && printed < 3; ++i) {
    line_of(t->frame[i], text, sizeof text);
    if (of_library(text)) continue;
    fprintf(stderr, "libarr:   %s %s\n", printed == 0 ? "in" : "called by", text);
    ++printed;
    if (strncmp(text, "MAIN__", 6) == 0) break;
  }
}

// One entry for all handles that the same calls have assigned.
static void report(void) {
  int64_t total = 0;
  for (uint64_t i = 0; i < room; ++i) total += alive(&traces[i]);
  fprintf(stderr,
          "libarr: ARR_DEBUG=leaks: %" PRId64
          " assigned arrays, matrices and operators are alive at the end\n",
          total);
  for (uint64_t i = 0; i < room; ++i) {
    if (!alive(&traces[i])) continue;
    int64_t count = 1;
    for (uint64_t j = i + 1; j < room; ++j) {
      if (traces[j].frames != traces[i].frames || !alive(&traces[j])) continue;
      if (memcmp(traces[j].frame, traces[i].frame, sizeof traces[i].frame) != 0) continue;
      ++count;
      traces[j].held = 0;
    }
    print(&traces[i], count);
  }
}
