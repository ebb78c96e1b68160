// SPDX-License-Identifier: MIT
// arr_finalized.c: the handles of variables that are gone, until their thread's next call releases them.
//
// flang finalizes the left side of an assignment of types before it copies the components of the right side.
// These may contain the same handle (f = f; f = field(f%u + 1, f%v)), which the assignment of the component
// needs alive.
#include "arr_finalized.h"

#include <pthread.h>
#include <stdlib.h>

extern int32_t arr_release(void* handle);

typedef struct waiting {
  size_t count, room;
  void* handles[];
} waiting;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release_waiting(waiting* list) {
  // A name that the library does not know any more is a copy of one that it has released.
  while (list != NULL && list->count > 0) arr_release(list->handles[--list->count]);
}

static void thread_ends(void* list) {
  release_waiting(list);
  free(list);
}

static void make_key(void) { (void)pthread_key_create(&key, thread_ends); }

static waiting* of_thread(void) {
  (void)pthread_once(&once, make_key);
  return pthread_getspecific(key);
}

void arr_finalized_release_all(void) { release_waiting(of_thread()); }

void arr_finalized_gone(void** v) {
  void* handle = *v;
  *v = NULL;
  if (handle == NULL) return;
  waiting* list = of_thread();
  if (list == NULL || list->count == list->room) {
    const size_t room = list == NULL ? 16 : 2 * list->room;
    waiting* longer = realloc(list, sizeof *longer + room * sizeof(void*));
    if (longer == NULL) {
      arr_release(handle);
      return;
    }
    if (list == NULL) longer->count = 0;
    longer->room = room;
    list = longer;
    (void)pthread_setspecific(key, list);
  }
  list->handles[list->count++] = handle;
}

void arr_finalized_used(void* handle, bool temporary) {
  if (temporary && handle != NULL) arr_release(handle);
  arr_finalized_release_all();
}

void arr_finalized_assigned(void** v, void* taken) {
  void* old = *v;
  *v = taken;
  arr_finalized_gone(&old);
}
