// SPDX-License-Identifier: MIT
// arr_records.h: the owner of each handle, by the handle's slot; part of arr_ownership.c.
#pragma once

#include <stdatomic.h>
#include <stdlib.h>

#include "arr_places.h"

extern int32_t arr_release(void* handle);

// The owner of a handle. An owner that has only been seen to use it, not to receive it, is marked as a
// keeper. An heir on the right side of an assignment or in a list for a call is passing: the statement ends
// it.
typedef struct record {
  _Atomic(name) held;
  _Atomic(place) owner;  // 0: in flight, a function's result that nobody has used yet; lowest bit: keeper
  _Atomic(place) heir;   // the last other place that used the handle, a copy bit by bit; lowest bit: passing
} record;

enum { KEEPER = 1, PASSING = 1, CHUNK = 4096, CHUNKS = 8192 };

static _Atomic(record*) chunks[CHUNKS];

// ------------------------------------------------------------------------------- records

static record* slot_of(name held, bool make) {
  const uint32_t index = (uint32_t)held;  // decision 0003: the slot of a handle
  if (index / CHUNK >= CHUNKS) return NULL;
  _Atomic(record*)* chunk = &chunks[index / CHUNK];
  record* at = atomic_load_explicit(chunk, memory_order_acquire);
  if (at == NULL && make) {
    record* made = calloc(CHUNK, sizeof *made);
    if (made == NULL) return NULL;
    if (atomic_compare_exchange_strong(chunk, &at, made)) {
      at = made;
    } else {
      free(made);
    }
  }
  return at == NULL ? NULL : at + index % CHUNK;
}

static record* find(name held) {
  record* r = held == 0 ? NULL : slot_of(held, false);
  return r != NULL && atomic_load_explicit(&r->held, memory_order_relaxed) == held ? r : NULL;
}

static place owner_of(record* r) { return atomic_load_explicit(&r->owner, memory_order_relaxed); }

static place heir_of(record* r) {
  return atomic_load_explicit(&r->heir, memory_order_relaxed) & ~(place)PASSING;
}

static void set(record* r, place owner, place heir) {
  atomic_store_explicit(&r->owner, owner, memory_order_relaxed);
  atomic_store_explicit(&r->heir, heir, memory_order_relaxed);
}

static void release(record* r, name held) {
  if (r != NULL) {
    set(r, 0, 0);
    atomic_store_explicit(&r->held, 0, memory_order_relaxed);
  }
  arr_release((void*)(uintptr_t)held);
}
