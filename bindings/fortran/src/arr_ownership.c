// SPDX-License-Identifier: MIT
// arr_ownership.c: which Fortran variable releases a handle. docs/decisions/0035 has the rule and the limits
// of compilers.
//
// Assignment gives a variable its own handle and writes the variable's address beside it. A copy that a
// compiler makes bit by bit lies at another address, so it does not own the handle and never releases it.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "arr_leaks.h"

// Type arr_content of module arr_types, and the types of module arr_handle_types.
typedef struct variable {
  void* handle;
  uintptr_t
      owner;  // the address of the variable that received the handle; 0: none has, a procedure of arr made it
  int32_t temporary;  // a function's result, which its next use releases
} variable;

// The argument that gfortran and flang pass for a class(arr_array), class(arr_sparse) ...
typedef struct class_variable {
  variable* data;
} class_variable;

extern int64_t arr_live_handles(void);
// Module arr_types has these.
extern void arr_fortran_failed_assignment(int32_t status);
extern const int32_t arr_fortran_finalizes_left_sides;

// The functions of a kind of handle.
typedef struct kind {
  int32_t (*release)(void* handle);
  int32_t (*retain)(void* handle, void** out);
} kind;

// ------------------------------------------------------------------------------- lists of a thread

typedef struct held {
  void* handle;
  const kind* of;
} held;

typedef struct handle_list {
  size_t count, room;
  held* handles;
} handle_list;

typedef struct thread_lists {
  handle_list former;  // released at the thread's next call
  // Handles that variables have received within the open scopes, and where each scope begins.
  handle_list received, begins;
} thread_lists;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool append(handle_list* list, void* handle, const kind* of) {
  if (list->count == list->room) {
    const size_t room = list->room == 0 ? 16 : 2 * list->room;
    held* longer = realloc(list->handles, room * sizeof *longer);
    if (longer == NULL) return false;
    list->handles = longer;
    list->room = room;
  }
  list->handles[list->count++] = (held){handle, of};
  return true;
}

static void release_from(handle_list* list, size_t first) {
  while (list->count > first) {
    const held last = list->handles[--list->count];
    last.of->release(last.handle);
  }
}

static void end_thread(void* lists) {
  thread_lists* t = lists;
  release_from(&t->former, 0);
  free(t->former.handles);
  free(t->received.handles);
  free(t->begins.handles);
  free(t);
}

static void make_key(void) { (void)pthread_key_create(&key, end_thread); }

// NULL where `make` is false and the thread has none, or without memory.
static thread_lists* of_thread(bool make) {
  (void)pthread_once(&once, make_key);
  thread_lists* t = pthread_getspecific(key);
  if (t == NULL && make) {
    t = calloc(1, sizeof *t);
    if (t != NULL && pthread_setspecific(key, t) != 0) {
      free(t);
      t = NULL;
    }
  }
  return t;
}

// Releases what a variable held: at once, or at the thread's next call where the statement may still read it.
static void release_former(const kind* of, void* handle, bool later) {
  if (handle == NULL) return;
  thread_lists* t = later ? of_thread(true) : NULL;
  if (t == NULL || !append(&t->former, handle, of)) of->release(handle);
}

// ------------------------------------------------------------------------------- what Fortran calls

static bool owns(const variable* v) { return v->owner == (uintptr_t)v || v->owner == 0; }

static void receive(const kind* of, variable* v, void* taken, bool later) {
  if (owns(v)) release_former(of, v->handle, later);
  *v = (variable){taken, (uintptr_t)v, 0};
  if (taken == NULL) return;
  thread_lists* t = of_thread(false);
  if (t != NULL && t->begins.count > 0) (void)append(&t->received, taken, of);
  arr_leaks_note((name)(uintptr_t)taken);
}

// Another handle of an array or a matrix, for the left side. The right side's own is released if it is a
// temporary result, which some compilers finalize again: the library refuses a handle that is released
// already.
static void* taken_from(const kind* of, const variable* rhs) {
  void* taken = NULL;
  if (rhs->handle == NULL) return NULL;
  const int32_t status = of->retain(rhs->handle, &taken);
  if (status != 0) arr_fortran_failed_assignment(status);
  if (rhs->temporary != 0) of->release(rhs->handle);
  return taken;
}

// gfortran 12 copies the bits of the right side over the left before it assigns the components. A left side
// that owns the very handle it is given was copied itself, and other elements of the statement may be its
// copies: list = [list(1), list(1)].
static void assign(const kind* of, variable* lhs, const variable* rhs) {
  void* taken = taken_from(of, rhs);
  receive(of, lhs, taken, lhs != rhs && lhs->handle == rhs->handle);
}

static void share(const kind* of, const class_variable* lhs, const variable* rhs) {
  if (rhs == NULL) return;
  if (lhs->data == NULL) {  // a component that is not allocated: gfortran 12 has a call for it all the same
    of->release(taken_from(of, rhs));
  } else {
    assign(of, lhs->data, rhs);
  }
}

// A compiler that finalizes the left side of an assignment of types does so before it copies the right side,
// which may contain the same handle (f = f; f = field(f%u + 1, f%v)).
static void finalized(const kind* of, variable* v) {
  if (owns(v)) release_former(of, v->handle, arr_fortran_finalizes_left_sides != 0);
  *v = (variable){NULL, 0, 0};
}

// A call of the library is over.
LOCAL void arr_fortran_called(void) {
  thread_lists* t = of_thread(false);
  if (t != NULL) release_from(&t->former, 0);
}

static void released(const kind* of, variable* v) {
  if (v->handle != NULL) of->release(v->handle);
  *v = (variable){NULL, 0, 0};
  arr_fortran_called();
}

// The number of live handles, without those of variables that are gone.
LOCAL int64_t arr_fortran_live_handles(void) {
  arr_fortran_called();
  return arr_live_handles();
}

// False without memory.
LOCAL bool arr_fortran_scope_begin(void) {
  thread_lists* t = of_thread(true);
  return t != NULL && append(&t->begins, (void*)(uintptr_t)t->received.count, NULL);
}

// False if no scope is open.
LOCAL bool arr_fortran_scope_end(void) {
  thread_lists* t = of_thread(false);
  if (t == NULL || t->begins.count == 0) return false;
  release_from(&t->former, 0);
  release_from(&t->received, (size_t)(uintptr_t)t->begins.handles[--t->begins.count].handle);
  return true;
}

// The innermost scope does not release the variable's handle; the one around it does. A copy of another
// variable receives its own handle.
static void kept(const kind* of, variable* v) {
  if (v->handle == NULL) return;
  if (!owns(v)) {
    void* taken = taken_from(of, v);
    if (taken != NULL) receive(of, v, taken, false);
  }
  thread_lists* t = of_thread(false);
  if (t == NULL || t->begins.count == 0) return;
  const size_t first = (size_t)(uintptr_t)t->begins.handles[t->begins.count - 1].handle;
  for (size_t i = t->received.count; i > first; --i) {
    if (t->received.handles[i - 1].handle != v->handle) continue;
    // The first of the scope takes its index; the scope begins one later.
    t->received.handles[i - 1] = t->received.handles[first];
    t->received.handles[first] = (held){v->handle, of};
    t->begins.handles[t->begins.count - 1].handle = (void*)(uintptr_t)(first + 1);
    return;
  }
}

// The calls of Fortran for a type: lhs = rhs, of a variable (arr_types, arr_handle_types) and of elements
// (arr_list_assignment); a result that is an argument; the end of a variable; arr_release; arr_keep.
#define OWNED(type, function)                                                                             \
  extern int32_t function##_release(void* handle);                                                        \
  extern int32_t function##_retain(void* handle, void** out);                                             \
  static const kind type = {function##_release, function##_retain};                                       \
  LOCAL void arr_fortran_share_##type##_(const class_variable* lhs, const variable* rhs) {                \
    share(&type, lhs, rhs);                                                                               \
  }                                                                                                       \
  LOCAL void arr_fortran_share_each_##type##_(variable* lhs, const variable* rhs) {                       \
    assign(&type, lhs, rhs);                                                                              \
  }                                                                                                       \
  LOCAL void arr_fortran_##type##_assigned(variable* v, void* taken) { receive(&type, v, taken, false); } \
  LOCAL void arr_fortran_##type##_finalized(variable* v) { finalized(&type, v); }                         \
  LOCAL void arr_fortran_##type##_released(variable* v) { released(&type, v); }                           \
  LOCAL void arr_fortran_##type##_kept(variable* v) { kept(&type, v); }

OWNED(array, arr)
OWNED(sparse, arr_sparse)
OWNED(linop, arr_linop)
