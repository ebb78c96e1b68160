// SPDX-License-Identifier: MIT
// arr_places.c: the places of Fortran's array variables: a sorted list per thread for its stack, a table for
// the rest.
#define _GNU_SOURCE
#include "arr_places.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef struct entry {
  place at;
  name held;
} entry;

// ------------------------------------------------------------------------------- stacks

enum { SITES = 256 };
typedef struct site_searches {
  uintptr_t site;
  uint32_t in_vain;
} site_searches;

typedef struct stack_list {
  place low, high;  // of the whole stack
  entry* entries;   // the highest address first, so that the frames of the last calls are at the end
  int64_t count, room;
  int64_t last;  // the index that was found last
  flight flights[ARR_FLIGHTS];
  uint32_t departed;
  place moved_from, moved_to;
  bool moved_last;
  site_searches sites[SITES];
} stack_list;

static __thread stack_list* own;
static pthread_key_t ended;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void* list) {
  free(((stack_list*)list)->entries);
  free(list);
  own = NULL;
}

static void make_locks(void);
static void lock_all(void);
static void unlock_all(void);

static void prepare(void) {
  make_locks();
  pthread_key_create(&ended, forget);
  pthread_atfork(lock_all, unlock_all, unlock_all);
}

static stack_list* list_of_thread(void) {
  if (own != NULL) return own;
  pthread_once(&once, prepare);
  stack_list* list = calloc(1, sizeof *list);
  if (list == NULL) return NULL;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* start = NULL;
    size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
      list->low = (place)start;
      list->high = (place)start + bytes;
    }
    pthread_attr_destroy(&attributes);
  }
  pthread_setspecific(ended, list);
  return own = list;
}

live_stack arr_places_stack(place frame) {
  const stack_list* list = list_of_thread();
  live_stack none = {0, 0, 0};
  if (list == NULL || frame < list->low || frame >= list->high) return none;
  return (live_stack){list->low, frame, list->high};
}

static bool on_stack(live_stack stack, place at) { return at >= stack.low && at < stack.high; }

// The index of the first entry that is not above `at`.
static int64_t position(stack_list* list, place at) {
  if (list->last < list->count && list->entries[list->last].at == at) return list->last;
  int64_t first = 0, last = list->count;
  while (first < last) {
    const int64_t middle = (first + last) / 2;
    if (list->entries[middle].at > at) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  list->last = first;
  return first;
}

static bool stack_put(place at, name held) {
  stack_list* list = own;
  const int64_t i = position(list, at);
  if (i < list->count && list->entries[i].at == at) {
    list->entries[i].held = held;
    return true;
  }
  if (list->count == list->room) {
    const int64_t room = list->room == 0 ? 64 : 2 * list->room;
    entry* more = realloc(list->entries, (size_t)room * sizeof *more);
    if (more == NULL) return false;
    list->entries = more;
    list->room = room;
  }
  memmove(list->entries + i + 1, list->entries + i, (size_t)(list->count - i) * sizeof(entry));
  list->entries[i] = (entry){at, held};
  ++list->count;
  return true;
}

static void stack_remove(place at) {
  stack_list* list = own;
  const int64_t i = position(list, at);
  if (i == list->count || list->entries[i].at != at) return;
  --list->count;
  memmove(list->entries + i, list->entries + i + 1, (size_t)(list->count - i) * sizeof(entry));
}

bool arr_places_take_dead(live_stack stack, place* at, name* held) {
  stack_list* list = own;
  if (list == NULL || stack.high == 0 || list->count == 0) return false;
  const entry last = list->entries[list->count - 1];
  if (last.at >= stack.low) return false;
  --list->count;
  *at = last.at;
  *held = last.held;
  return true;
}

void arr_places_depart(place from, name held) {
  if (own != NULL) own->flights[own->departed++ % ARR_FLIGHTS] = (flight){from, held};
}

static bool near(place a, place b) { return a - b + 4096 <= 8192; }

void arr_places_moved(place from, place to) {
  if (own == NULL) return;
  own->moved_from = from;
  own->moved_to = to;
  own->moved_last = true;
}

place arr_places_landing(place from, bool* certain) {
  if (own == NULL || own->moved_from == 0 || !near(from, own->moved_from)) return 0;
  *certain = own->moved_last;
  return own->moved_to + (from - own->moved_from);
}

void arr_places_received(place at) {
  if (own != NULL && near(at, own->moved_from)) own->moved_last = false;
}

const flight* arr_places_flights(void) { return own == NULL || own->departed == 0 ? NULL : own->flights; }

uint32_t* arr_places_searches(uintptr_t site) {
  if (own == NULL) return NULL;
  site_searches* at = &own->sites[(site * 0x9E3779B97F4A7C15U) >> 56];
  if (at->site != site) *at = (site_searches){site, 0};
  return &at->in_vain;
}

// ------------------------------------------------------------------------------- the rest of the memory

enum { SHARDS = 64 };
typedef struct shard {
  pthread_mutex_t lock;
  entry* entries;  // open addressing; at == 0 is an empty one
  uint64_t room, count;
} shard;

static shard shards[SHARDS];  // prepare() makes their locks; every call asks for its stack first

static void make_locks(void) {
  for (int i = 0; i < SHARDS; ++i) pthread_mutex_init(&shards[i].lock, NULL);
}

static void lock_all(void) {
  for (int i = 0; i < SHARDS; ++i) pthread_mutex_lock(&shards[i].lock);
}

static void unlock_all(void) {
  for (int i = SHARDS - 1; i >= 0; --i) pthread_mutex_unlock(&shards[i].lock);
}

static uint64_t hash(place at) { return (uint64_t)(at >> 3) * 0x9E3779B97F4A7C15U; }
static shard* shard_of(place at) { return &shards[hash(at) >> 58]; }

// The entry of the place, or the one that it would get. The table has an empty entry.
static uint64_t find(const shard* s, place at) {
  uint64_t i = hash(at) & (s->room - 1);
  while (s->entries[i].at != 0 && s->entries[i].at != at) i = (i + 1) & (s->room - 1);
  return i;
}

static bool grow(shard* s) {
  const uint64_t room = s->room == 0 ? 64 : 2 * s->room;
  entry* more = calloc(room, sizeof *more);
  if (more == NULL) return false;
  const shard before = *s;
  s->entries = more;
  s->room = room;
  for (uint64_t i = 0; i < before.room; ++i) {
    if (before.entries[i].at != 0) more[find(s, before.entries[i].at)] = before.entries[i];
  }
  free(before.entries);
  return true;
}

static bool table_put(place at, name held) {
  shard* s = shard_of(at);
  pthread_mutex_lock(&s->lock);
  const bool room = 4 * (s->count + 1) <= 3 * s->room || grow(s);
  if (room) {
    entry* e = &s->entries[find(s, at)];
    s->count += e->at == 0;
    *e = (entry){at, held};
  }
  pthread_mutex_unlock(&s->lock);
  return room;
}

static name table_get(place at) {
  shard* s = shard_of(at);
  pthread_mutex_lock(&s->lock);
  const name held = s->room == 0 ? 0 : s->entries[find(s, at)].held;
  pthread_mutex_unlock(&s->lock);
  return held;
}

// The entries after a removed one move up where a search for them would end at the gap.
static void close_gap(shard* s, uint64_t gap) {
  for (uint64_t i = (gap + 1) & (s->room - 1); s->entries[i].at != 0; i = (i + 1) & (s->room - 1)) {
    const uint64_t wanted = hash(s->entries[i].at) & (s->room - 1);
    if (((i - wanted) & (s->room - 1)) < ((i - gap) & (s->room - 1))) continue;
    s->entries[gap] = s->entries[i];
    gap = i;
  }
  s->entries[gap] = (entry){0, 0};
}

static void table_remove(place at) {
  shard* s = shard_of(at);
  pthread_mutex_lock(&s->lock);
  if (s->room != 0) {
    const uint64_t i = find(s, at);
    if (s->entries[i].at == at) {
      --s->count;
      close_gap(s, i);
    }
  }
  pthread_mutex_unlock(&s->lock);
}

// ------------------------------------------------------------------------------- both

name arr_places_get(live_stack stack, place at) {
  if (!on_stack(stack, at)) return table_get(at);
  stack_list* list = own;
  const int64_t i = position(list, at);
  return i < list->count && list->entries[i].at == at ? list->entries[i].held : 0;
}

bool arr_places_put(live_stack stack, place at, name held) {
  return on_stack(stack, at) ? stack_put(at, held) : table_put(at, held);
}

void arr_places_remove(live_stack stack, place at) {
  if (on_stack(stack, at)) {
    stack_remove(at);
  } else {
    table_remove(at);
  }
}

// The same by a pipe, where a container forbids process_vm_readv: write() from an address without memory
// fails.
static bool read_by_pipe(place at, uint64_t* word) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const bool written = write(ends[1], (const void*)at, sizeof *word) == (ssize_t)sizeof *word;
  const bool got = written && read(ends[0], word, sizeof *word) == (ssize_t)sizeof *word;
  close(ends[0]);
  close(ends[1]);
  return got;
}

#if defined(__GNUC__)
__attribute__((no_sanitize_address))
#endif
bool arr_places_read(live_stack stack, place at, uint64_t* word) {
  if (on_stack(stack, at)) {
    *word = *(const volatile uint64_t*)at;
    return true;
  }
  const struct iovec to = {word, sizeof *word}, from = {(void*)at, sizeof *word};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof *word) return true;
  return errno != EFAULT && read_by_pipe(at, word);
}

extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

bool arr_places_static(place at) {
  return (place)__data_start != 0 && (place)_end != 0 && at >= (place)__data_start && at < (place)_end;
}
