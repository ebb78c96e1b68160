// SPDX-License-Identifier: MIT
// arr_places.h: which handle the Fortran variable at an address holds, for arr_ownership.c.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LOCAL __attribute__((visibility("hidden")))

typedef uintptr_t place;  // the address of a variable of type arr_array
typedef uint64_t name;    // a handle of the library, as a number; 0 is none

// The calling thread's stack: [bottom, high), in use from low. Empty where it is not known.
typedef struct live_stack {
  place bottom, low, high;
} live_stack;

// `frame` is an address below every variable of the program that is alive on this thread's stack.
LOCAL live_stack arr_places_stack(place frame);

// The handle that was put down for this place, or 0; false where there is no memory to write it down.
LOCAL name arr_places_get(live_stack stack, place at);
LOCAL bool arr_places_put(live_stack stack, place at, name held);
LOCAL void arr_places_remove(live_stack stack, place at);

// Takes one place below the stack in use out of the list, with its handle; false where there is none.
LOCAL bool arr_places_take_dead(live_stack stack, place* at, name* held);

// The word at an address that may not be mapped; false where it cannot be read.
LOCAL bool arr_places_read(live_stack stack, place at, uint64_t* word);

// True if an address is in the static data of the program.
LOCAL bool arr_places_static(place at);

// Function results whose frame is gone and whom nobody has used yet: the last of this thread's.
enum { ARR_FLIGHTS = 32 };
typedef struct flight {
  place from;
  name held;
} flight;
LOCAL void arr_places_depart(place from, name held);
LOCAL const flight* arr_places_flights(void);  // ARR_FLIGHTS of them; NULL where there are none

// The place that a variable at `from` has moved to, if one near it on this thread's stack was the last that
// moved; 0 if unknown. `certain`: no variable near it has received a handle since.
LOCAL void arr_places_moved(place from, place to);
LOCAL place arr_places_landing(place from, bool* certain);
LOCAL void arr_places_received(place at);

// The number of searches that have found nothing at a place in the program, as far as this thread remembers.
LOCAL uint32_t* arr_places_searches(uintptr_t site);
