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

// Type arr_content of module arr_types.
typedef struct variable {
  void* handle;
  uintptr_t
      owner;  // the address of the variable that received the handle; 0: none has, a procedure of arr made it
  int32_t temporary;  // a function's result, which its next use releases
} variable;

// The argument that gfortran and flang pass for a class(arr_array).
typedef struct class_variable {
  variable* data;
} class_variable;

extern int32_t arr_release(void* handle);
extern int32_t arr_retain(void* handle, void** out);
extern int64_t arr_live_handles(void);
// Module arr_types has these.
extern void arr_fortran_failed_assignment(int32_t status);
extern const int32_t arr_fortran_finalizes_left_sides;

// ------------------------------------------------------------------------------- lists of a thread

typedef struct handle_list {
  size_t count, room;
  void** handles;
} handle_list;

typedef struct thread_lists {
  handle_list former;  // released at the thread's next call
  // Handles that variables have received within the open scopes, and where each scope begins.
  handle_list received, begins;
} thread_lists;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool append(handle_list* list, void* handle) {
  if (list->count == list->room) {
    const size_t room = list->room == 0 ? 16 : 2 * list->room;
    void** longer = realloc(list->handles, room * sizeof(void*));
    if (longer == NULL) return false;
    list->handles = longer;
    list->room = room;
  }
  list->handles[list->count++] = handle;
  return true;
}

static void release_from(handle_list* list, size_t first) {
  while (list->count > first) arr_release(list->handles[--list->count]);
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
static void release_former(void* handle, bool later) {
  if (handle == NULL) return;
  thread_lists* t = later ? of_thread(true) : NULL;
  if (t == NULL || !append(&t->former, handle)) arr_release(handle);
}

// ------------------------------------------------------------------------------- what Fortran calls

static bool owns(const variable* v) { return v->owner == (uintptr_t)v || v->owner == 0; }

static void receive(variable* v, void* taken, bool later) {
  if (owns(v)) release_former(v->handle, later);
  *v = (variable){taken, (uintptr_t)v, 0};
  if (taken == NULL) return;
  thread_lists* t = of_thread(false);
  if (t != NULL && t->begins.count > 0) (void)append(&t->received, taken);
  arr_leaks_note((name)(uintptr_t)taken);
}

LOCAL void arr_fortran_assigned(variable* v, void* taken) { receive(v, taken, false); }

// Another handle of an array, for the left side. The right side's own is released if it is a temporary
// result, which some compilers finalize again: the library refuses a handle that is released already.
static void* taken_from(const variable* rhs) {
  void* taken = NULL;
  if (rhs->handle == NULL) return NULL;
  const int32_t status = arr_retain(rhs->handle, &taken);
  if (status != 0) arr_fortran_failed_assignment(status);
  if (rhs->temporary != 0) arr_release(rhs->handle);
  return taken;
}

// gfortran 12 copies the bits of the right side over the left before it assigns the components. A left side
// that owns the very handle it is given was copied itself, and other elements of the statement may be its
// copies: list = [list(1), list(1)].
static void assign(variable* lhs, const variable* rhs) {
  void* taken = taken_from(rhs);
  receive(lhs, taken, lhs != rhs && lhs->handle == rhs->handle);
}

// lhs = rhs, the procedure arr_fortran_share of module arr_types.
LOCAL void arr_fortran_share_(const class_variable* lhs, const variable* rhs) {
  if (rhs == NULL) return;
  if (lhs->data == NULL) {  // a component that is not allocated: gfortran 12 has a call for it all the same
    arr_release(taken_from(rhs));
  } else {
    assign(lhs->data, rhs);
  }
}

// The same of elements, the procedure arr_fortran_share_each of module arr_list_assignment.
LOCAL void arr_fortran_share_each_(variable* lhs, const variable* rhs) { assign(lhs, rhs); }

// A compiler that finalizes the left side of an assignment of types does so before it copies the right side,
// which may contain the same handle (f = f; f = field(f%u + 1, f%v)).
LOCAL void arr_fortran_finalized(variable* v) {
  if (owns(v)) release_former(v->handle, arr_fortran_finalizes_left_sides != 0);
  *v = (variable){NULL, 0, 0};
}

// A call of the library is over.
LOCAL void arr_fortran_called(void) {
  thread_lists* t = of_thread(false);
  if (t != NULL) release_from(&t->former, 0);
}

LOCAL void arr_fortran_released(variable* v) {
  if (v->handle != NULL) arr_release(v->handle);
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
  return t != NULL && append(&t->begins, (void*)(uintptr_t)t->received.count);
}

// False if no scope is open.
LOCAL bool arr_fortran_scope_end(void) {
  thread_lists* t = of_thread(false);
  if (t == NULL || t->begins.count == 0) return false;
  release_from(&t->former, 0);
  release_from(&t->received, (size_t)(uintptr_t)t->begins.handles[--t->begins.count]);
  return true;
}

// The innermost scope does not release the variable's handle; the one around it does. A copy of another
// variable receives its own handle.
LOCAL void arr_fortran_kept(variable* v) {
  if (v->handle == NULL) return;
  if (!owns(v)) {
    void* taken = taken_from(v);
    if (taken != NULL) receive(v, taken, false);
  }
  thread_lists* t = of_thread(false);
  if (t == NULL || t->begins.count == 0) return;
  const size_t first = (size_t)(uintptr_t)t->begins.handles[t->begins.count - 1];
  for (size_t i = t->received.count; i > first; --i) {
    if (t->received.handles[i - 1] != v->handle) continue;
    // The first of the scope takes its index; the scope begins one later.
    t->received.handles[i - 1] = t->received.handles[first];
    t->received.handles[first] = v->handle;
    t->begins.handles[t->begins.count - 1] = (void*)(uintptr_t)(first + 1);
    return;
  }
}
