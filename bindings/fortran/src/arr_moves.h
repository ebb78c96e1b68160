// SPDX-License-Identifier: MIT
// arr_moves.h: from one owner of a handle to the next, where the compiler has moved bits; part of
// arr_ownership.c.
#pragma once

#include "arr_records.h"

// Type arr_array of module arr_types.
typedef struct variable {
  void* handle;
  int32_t temporary;
} variable;

// Bytes of the stack that are searched, and of saved registers; searches in vain before a place in the
// program is trusted to assign to no result of an inlined function.
enum { SCANNED = 262144, SAVED = 40, IN_VAIN = 8 };

// The way in which an owner lost its contents. `fresh`: they are those of a new variable. `site`: the
// assignment, or 0.
typedef struct cause {
  bool fresh;
  uintptr_t site;
} cause;

static bool own_stack(live_stack stack, place at) { return at >= stack.low && at < stack.high; }

static bool gone(live_stack stack, place at) { return at >= stack.bottom && at < stack.low; }

static bool holds(live_stack stack, place at, name held) {
  uint64_t word = 0;
  return arr_places_read(stack, at, &word) && word == held;
}

static bool lacks(live_stack stack, place at, name held) {
  uint64_t word = 0;
  return arr_places_read(stack, at, &word) && word != held;
}

// ------------------------------------------------------------------------------- from one owner to the next

static void lost(live_stack stack, record* r, name held, place at, cause why);
static void leave(live_stack stack, record* r, name held, place at);

// Makes a variable that holds a moved or copied handle its keeper.
static void keep(live_stack stack, record* r, name held, place at) {
  const name before = arr_places_get(stack, at);
  if (!arr_places_put(stack, at, held)) return;
  set(r, at | KEEPER, 0);
  record* old = before == held ? NULL : find(before);
  if (old == NULL) return;
  const place owner = owner_of(old);
  if (owner == (at | KEEPER)) leave(stack, old, before, at);
  if (owner == at) lost(stack, old, before, at, (cause){false, 0});
}

// A copy that was used and still is there takes the handle over.
static bool inherit(live_stack stack, record* r, name held, place at) {
  const place heir = heir_of(r);
  if (heir == 0 || heir == at || gone(stack, heir) || !holds(stack, heir, held)) return false;
  keep(stack, r, held, heir);
  return true;
}

// The owner at `at` does not hold the handle any more.
static void leave(live_stack stack, record* r, name held, place at) {
  if (!inherit(stack, r, held, at)) release(r, held);
}

// The same of a variable of the program, not a function's result: the copies of it for single statements are
// gone.
static void closed(live_stack stack, record* r, name held, place at) {
  if ((atomic_load_explicit(&r->heir, memory_order_relaxed) & PASSING) != 0) {
    release(r, held);
  } else {
    leave(stack, r, held, at);
  }
}

// The place of another variable on the stack in use that holds the handle, or 0. A result may be in a
// register as yet: those that calls preserve are saved below the frame of the procedure that Fortran has
// called (SAVED, x86-64) or in it.
#if defined(__GNUC__)
__attribute__((no_sanitize_address))
#endif
static place
scanned(live_stack stack, place except, place other, name held) {
  const place first = (stack.low & ~(place)7) - SAVED;
  place end = stack.high - sizeof(variable);
  if (end - first > SCANNED) end = first + SCANNED;
  for (place at = first; at + 64 <= end; at += 64) {
    const uint64_t* words = (const uint64_t*)at;
    bool found = false;
    for (int i = 0; i < 8; ++i) found |= words[i] == held;
    for (int i = 0; found && i < 8; ++i) {
      const place here = at + 8 * (place)i;
      if (here != except && here != other && words[i] == held) return here;
    }
  }
  return 0;
}

// The owner was a variable in a frame that is gone: a function's result, somewhere on its way. If it was used
// in a frame that is gone too, it has arrived; only a copy that is still on the stack could be on its way.
static void depart(live_stack stack, record* r, name held, place from) {
  bool arrived = true;
  place heir = heir_of(r);
  if (heir == 0) {  // the other components of a type have moved with the one that was used
    heir = arr_places_landing(from, &arrived);
    atomic_store_explicit(&r->heir, heir, memory_order_relaxed);
  } else {
    arr_places_moved(from, heir);
  }
  if (inherit(stack, r, held, from)) return;
  // It was used there, and that place is gone or has other contents.
  const place found = arrived && heir != 0 ? scanned(stack, from, heir, held) : stack.bottom;
  if (found == 0) {
    release(r, held);
    return;
  }
  if (found >= stack.low) {
    keep(stack, r, held, found);
    return;
  }
  set(r, 0, 0);
  arr_places_depart(from, held);
}

// The owner's place got other contents and nothing said why: it was overwritten, or it is a new variable at
// the place of a function's result that is on its way. The latter assigns where a function was inlined, which
// is the same each time that the place in the program is reached: the search for the result can be left out
// where it has found nothing.
static void lost(live_stack stack, record* r, name held, place at, cause why) {
  if (!own_stack(stack, at)) {
    if (why.fresh && !arr_places_static(at)) {
      depart(stack, r, held, at);
    } else {
      leave(stack, r, held, at);
    }
    return;
  }
  if (why.fresh) {  // the result of the last call, which may be in a register as yet
    depart(stack, r, held, at);
    return;
  }
  if (inherit(stack, r, held, at)) return;
  uint32_t* in_vain = why.site == 0 ? NULL : arr_places_searches(why.site);
  const place found = in_vain != NULL && *in_vain >= IN_VAIN ? 0 : scanned(stack, at, 0, held);
  if (in_vain != NULL) *in_vain = found == 0 ? *in_vain + (*in_vain < IN_VAIN) : 0;
  if (found == 0) {
    release(r, held);
  } else if (found < stack.low) {
    depart(stack, r, held, at);
  } else {
    keep(stack, r, held, found);
  }
}

// The same of whatever owns the handle at `at`. A keeper's contents have not moved on.
static void displaced(live_stack stack, record* r, name held, place at, cause why) {
  if ((owner_of(r) & KEEPER) != 0) {
    leave(stack, r, held, at);
  } else {
    lost(stack, r, held, at, why);
  }
}

// Variables below the frames of the program are gone. Those that received a handle may have been results.
static void sweep(live_stack stack) {
  place at = 0;
  name held = 0;
  while (arr_places_take_dead(stack, &at, &held)) {
    record* r = find(held);
    if (r == NULL) continue;
    const place owner = owner_of(r);
    if (owner == (at | KEEPER)) leave(stack, r, held, at);
    if (owner == at) depart(stack, r, held, at);
  }
}

// The other components of a derived type have moved with a handle that was beside them.
static void keep_neighbours(live_stack stack, place from, place to) {
  const flight* flights = arr_places_flights();
  for (int i = 0; from != 0 && i < ARR_FLIGHTS; ++i) {
    const place at = to + (flights[i].from - from);
    const int64_t distance = (int64_t)(flights[i].from - from);
    if (flights[i].held == 0 || distance == 0 || distance > 4096 || distance < -4096) continue;
    record* r = find(flights[i].held);
    if (r != NULL && owner_of(r) == 0 && holds(stack, at, flights[i].held))
      keep(stack, r, flights[i].held, at);
  }
}

static place departed_from(name held) {
  const flight* flights = arr_places_flights();
  for (int i = 0; flights != NULL && i < ARR_FLIGHTS; ++i) {
    if (flights[i].held == held) return flights[i].from;
  }
  return 0;
}
