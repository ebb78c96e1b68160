// SPDX-License-Identifier: MIT
// arr_ownership.c: which Fortran variable owns a handle and releases it. docs/decisions/0035 has the rules
// and the reasons; the compiler copies variables bit by bit and forgets to finalize some, and nothing tells
// of either.
#define _GNU_SOURCE
#include "arr_finalized.h"
#include "arr_leaks.h"
#include "arr_moves.h"
#include "arr_places.h"

extern int32_t arr_retain(void* handle, void** out);
extern int64_t arr_live_handles(void);
extern void arr_fortran_failed_assignment(int32_t status);  // of module arr_types

// The argument that gfortran and flang pass for a class(arr_array).
typedef struct class_variable {
  variable* data;
} class_variable;

// The variable at `at` ceases to hold a handle that is not its own.
static void discard_copy(live_stack stack, place at, name held) {
  record* r = find(held);
  if (r == NULL) {
    arr_release((void*)(uintptr_t)held);
    return;
  }
  if (heir_of(r) == at) {
    atomic_store_explicit(&r->heir, 0, memory_order_relaxed);
  }
  const place owner = owner_of(r) & ~(place)KEEPER;
  if (owner == 0 || lacks(stack, owner, held)) release(r, held);
}

// ------------------------------------------------------------------------------- what Fortran calls

#define STACK arr_places_stack((place)__builtin_frame_address(0))

static bool result_of_library(record* r, bool temporary) {
  return temporary && (r == NULL || (owner_of(r) & KEEPER) == 0);
}

// Results of expressions are on the stack: this one was stored, by a constructor or by source=.
static void keep_stored(live_stack stack, name held, place at) {
  record* r = slot_of(held, true);
  if (r == NULL) return;
  atomic_store_explicit(&r->held, held, memory_order_relaxed);
  keep(stack, r, held, at);
}

// A variable that may not own its handle is read. An operand is worth an heir: it may be read again.
static void use(live_stack stack, record* r, name held, place at, bool operand) {
  sweep(stack);
  if (find(held) == NULL) return;
  const place owner = owner_of(r) & ~(place)KEEPER;
  bool certain = false;
  if (owner == at) return;
  if (owner == 0) {
    const place from = departed_from(held);
    keep(stack, r, held, at);
    arr_places_moved(from, at);
    keep_neighbours(stack, from, at);
  } else if (lacks(stack, owner, held) || arr_places_landing(owner, &certain) == at) {
    // Overwritten, freed, or in what is a frame of this library by now.
    arr_places_moved(owner, at);
    keep(stack, r, held, at);
  } else if (operand || (own_stack(stack, owner) && owner < at)) {
    atomic_store_explicit(&r->heir, operand ? at : at | PASSING, memory_order_relaxed);
  }
}

static bool owns(record* r, place at) { return r == NULL || (owner_of(r) & ~(place)KEEPER) == at; }

// The variable was an operand. Releases it where it is a function's result.
LOCAL void arr_fortran_used(void* const* v, bool temporary) {
  __builtin_unwind_init();
  const name held = (name)(uintptr_t)*v;
  if (arr_fortran_finalizes) {
    arr_finalized_used(*v, temporary);
    return;
  }
  if (held == 0) return;
  record* r = find(held);
  if (!result_of_library(r, temporary)) {
    if (!owns(r, (place)v)) use(STACK, r, held, (place)v, true);
    return;
  }
  const live_stack stack = STACK;
  if (own_stack(stack, (place)v) || stack.high == 0) {
    release(r, held);
  } else {
    keep_stored(stack, held, (place)v);
  }
}

// The same of an element of a list: constructors put results of expressions into the heap too.
LOCAL void arr_fortran_ended(void* const* v, bool temporary) {
  __builtin_unwind_init();
  const name held = (name)(uintptr_t)*v;
  if (arr_fortran_finalizes) {
    arr_finalized_used(*v, temporary);
    return;
  }
  if (held == 0) return;
  record* r = find(held);
  if (result_of_library(r, temporary)) {
    release(r, held);
  } else if (!owns(r, (place)v)) {
    use(STACK, r, held, (place)v, false);
  }
}

// The variable receives a new handle. `source` is what the compiler may have copied to it before, or NULL.
static void assign(live_stack stack, void** v, const void* source, void* taken, uintptr_t site) {
  const name now = (name)(uintptr_t)*v, held = (name)(uintptr_t)taken;
  const place at = (place)v;
  sweep(stack);
  const name before = arr_places_get(stack, at);
  record* old = find(before);
  const bool owned = old != NULL && (owner_of(old) & ~(place)KEEPER) == at;
  if (owned && now == before) {
    if (*v == source) {  // the same array: other copies of the handle stay alive
      arr_release(taken);
      return;
    }
    closed(stack, old, before, at);
  } else {
    // An empty variable is not a new one if nothing is assigned.
    if (owned) displaced(stack, old, before, at, (cause){now == 0 && held != 0, site});
    if (now != 0 && *v != source) discard_copy(stack, at, now);
  }
  arr_places_received(at);
  *v = taken;
  arr_leaks_note(held);
  record* r = held == 0 ? NULL : slot_of(held, true);
  if (r != NULL && arr_places_put(stack, at, held)) {
    set(r, at, 0);
    atomic_store_explicit(&r->held, held, memory_order_relaxed);
  } else if (before != 0) {
    arr_places_remove(stack, at);
  }
}

LOCAL void arr_fortran_assigned(void** v, void* taken) {
  __builtin_unwind_init();  // saves the registers that calls preserve: see scanned()
  if (arr_fortran_finalizes) {
    arr_leaks_note((name)(uintptr_t)taken);
    arr_finalized_assigned(v, taken);
    arr_finalized_release_all();
    return;
  }
  assign(STACK, v, NULL, taken, 0);
}

static void* another(void* source) {
  void* taken = NULL;
  const int32_t status = source == NULL ? 0 : arr_retain(source, &taken);
  if (status != 0) arr_fortran_failed_assignment(status);
  return taken;
}

// lhs = rhs where the compiler finalizes results: what lhs held is alive until the statement is over.
static void share_finalized(variable* lhs, const variable* rhs) {
  void *source = rhs->handle, *taken = another(source);
  arr_leaks_note((name)(uintptr_t)taken);
  if (rhs->temporary != 0 && source != NULL) arr_release(source);
  arr_finalized_assigned(&lhs->handle, taken);
  lhs->temporary = 0;
}

// lhs = rhs, the procedure arr_fortran_share of module arr_types. In assignments of derived types the
// compiler has copied rhs to lhs already.
LOCAL void arr_fortran_share_(const class_variable* lhs, const variable* rhs) {
  __builtin_unwind_init();
  if (rhs == NULL) return;
  if (arr_fortran_finalizes) {
    if (lhs->data != NULL) share_finalized(lhs->data, rhs);
    return;
  }
  void *source = rhs->handle, *taken = another(source);
  if (rhs->temporary != 0) {
    arr_fortran_used(&rhs->handle, true);
  } else {
    arr_fortran_ended(&rhs->handle, false);
  }
  if (lhs->data == NULL) {  // a component that is not allocated: gfortran 12 has a call for it all the same
    arr_release(taken);
    return;
  }
  assign(STACK, &lhs->data->handle, source, taken, (uintptr_t)__builtin_return_address(0));
  lhs->data->temporary = 0;
}

// An element in the heap, of a constructor as a rule, whose handle has no owner any more: the left side can
// have it.
static bool left_behind(live_stack stack, const variable* rhs) {
  const name held = (name)(uintptr_t)rhs->handle;
  record* r = find(held);
  if (rhs->temporary != 0 || owns(r, (place)rhs) || own_stack(stack, (place)rhs)) return false;
  const place owner = owner_of(r) & ~(place)KEEPER;
  bool certain = false;
  const bool moved =
      owner != 0 && (lacks(stack, owner, held) || arr_places_landing(owner, &certain) == (place)rhs);
  if (moved) arr_places_moved(owner, (place)rhs);
  return moved || owner == 0;
}

// The same of elements, the procedure arr_fortran_share_each of module arr_list_assignment.
LOCAL void arr_fortran_share_each_(variable* lhs, const variable* rhs) {
  __builtin_unwind_init();
  if (arr_fortran_finalizes) {
    share_finalized(lhs, rhs);
    return;
  }
  const live_stack stack = STACK;
  void* taken = rhs->handle;
  sweep(stack);
  if (!left_behind(stack, rhs)) {
    taken = another(rhs->handle);
    arr_fortran_ended(&rhs->handle, rhs->temporary != 0);
  }
  assign(stack, &lhs->handle, rhs->handle, taken, 0);
  lhs->temporary = 0;
}

// The variable goes.
LOCAL void arr_fortran_finalized(void** v) {
  __builtin_unwind_init();
  if (arr_fortran_finalizes) {
    arr_finalized_gone(v);
    return;
  }
  const live_stack stack = STACK;
  const name now = (name)(uintptr_t)*v;
  const place at = (place)v;
  sweep(stack);
  const name before = arr_places_get(stack, at);
  record* old = find(before);
  const bool owned = old != NULL && (owner_of(old) & ~(place)KEEPER) == at;
  if (before != 0) arr_places_remove(stack, at);
  *v = NULL;
  if (owned && now == before) {
    closed(stack, old, before, at);
  } else {
    if (owned) displaced(stack, old, before, at, (cause){now == 0, 0});
    if (now != 0) discard_copy(stack, at, now);
  }
}

// A call of the library is over.
LOCAL void arr_fortran_called(void) {
  if (arr_fortran_finalizes) arr_finalized_release_all();
}

// The program releases the variable's array.
LOCAL void arr_fortran_released(void** v) {
  arr_fortran_finalized(v);
  arr_fortran_called();
}

// The result of a function of the program: it is nobody's until the caller's statement ends it.
LOCAL void arr_fortran_given(void** v) {
  if (arr_fortran_finalizes) return;
  const name held = (name)(uintptr_t)*v;
  record* r = find(held);
  if (r == NULL) return;
  const place owner = owner_of(r) & ~(place)KEEPER;
  void* another = NULL;
  if (owner != 0 && owner != (place)v) {  // a copy of what another variable owns
    if (arr_retain(*v, &another) == 0) *v = another;
    return;
  }
  if (owner != 0) arr_places_remove(STACK, owner);
  set(r, 0, 0);
  atomic_store_explicit(&r->held, 0, memory_order_relaxed);
}

// The number of live handles, after those of variables that are gone have been released.
LOCAL int64_t arr_fortran_live_handles(void) {
  if (arr_fortran_finalizes) {
    arr_finalized_release_all();
  } else {
    sweep(STACK);
  }
  return arr_live_handles();
}

const char* arr_leaks_owner(name held) {
  if (arr_fortran_finalizes) return "of a variable";
  record* r = find(held);
  if (r == NULL) return "of a result that was given and not used";
  const place owner = owner_of(r);
  if (owner == 0) return "of a function's result that nobody used or that moved";
  if ((owner & KEEPER) != 0) return "of a function's result without arr_give";
  return arr_places_static(owner) ? "of a variable of the main program or with SAVE" : "of a variable";
}
