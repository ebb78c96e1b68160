/* SPDX-License-Identifier: MIT */
/* foreign.c - see foreign.h. Offsets are those of DLPack on 64-bit systems. */
#include "foreign.h"

#include <stdlib.h>
#include <string.h>

enum {
  LEGACY_TENSOR = 0,
  LEGACY_CONTEXT = 48,
  LEGACY_DELETER = 56,
  LEGACY_SIZE = 64,
  NEW_MAJOR = 0,
  NEW_MINOR = 4,
  NEW_CONTEXT = 8,
  NEW_DELETER = 16,
  NEW_FLAGS = 24,
  NEW_TENSOR = 32,
  NEW_SIZE = 80
};

typedef void deleter_function(void* tensor);

static size_t size_of(int versioned) { return versioned ? NEW_SIZE : LEGACY_SIZE; }

static void get(void* to, const void* from, size_t offset, size_t size) {
  memcpy(to, (const char*)from + offset, size);
}
static void put(void* to, size_t offset, const void* from, size_t size) {
  memcpy((char*)to + offset, from, size);
}

static void deleted(void* tensor, int versioned) {
  foreign_owner* owner;
  get(&owner, tensor, versioned ? NEW_CONTEXT : LEGACY_CONTEXT, sizeof owner);
  owner->deletions++;
  memset(tensor, 0xA5, size_of(versioned));
  free(tensor);
  if (owner->hook != NULL) owner->hook(owner->extra);
}
static void delete_legacy(void* tensor) { deleted(tensor, 0); }
static void delete_versioned(void* tensor) { deleted(tensor, 1); }
/* Only the front of this tensor exists. */
static void delete_front(void* tensor) {
  foreign_owner* owner;
  get(&owner, tensor, NEW_CONTEXT, sizeof owner);
  owner->deletions++;
}

void* foreign_make(const foreign_fields* f, foreign_owner* owner) {
  deleter_function* deleter = owner->no_deleter ? NULL : f->versioned ? delete_versioned : delete_legacy;
  char* m = malloc(size_of(f->versioned));
  char* t = m + (f->versioned ? NEW_TENSOR : LEGACY_TENSOR);
  memset(m, 0xEE, size_of(f->versioned));
  if (f->versioned) {
    put(m, NEW_MAJOR, &f->major, 4);
    put(m, NEW_MINOR, &f->minor, 4);
    put(m, NEW_FLAGS, &f->flags, 8);
  }
  put(m, f->versioned ? NEW_CONTEXT : LEGACY_CONTEXT, &owner, sizeof owner);
  put(m, f->versioned ? NEW_DELETER : LEGACY_DELETER, &deleter, sizeof deleter);
  put(t, 0, &f->data, 8);
  put(t, 8, &f->device_type, 4);
  put(t, 12, &f->device_id, 4);
  put(t, 16, &f->ndim, 4);
  put(t, 20, &f->code, 1);
  put(t, 21, &f->bits, 1);
  put(t, 22, &f->lanes, 2);
  put(t, 24, &f->shape, 8);
  put(t, 32, &f->strides, 8);
  put(t, 40, &f->byte_offset, 8);
  return m;
}

void foreign_free(void* tensor, int versioned) {
  memset(tensor, 0xA5, size_of(versioned));
  free(tensor);
}

void foreign_read(const void* m, int versioned, foreign_fields* f) {
  const char* t = (const char*)m + (versioned ? NEW_TENSOR : LEGACY_TENSOR);
  memset(f, 0, sizeof *f);
  f->versioned = versioned;
  if (versioned) {
    get(&f->major, m, NEW_MAJOR, 4);
    get(&f->minor, m, NEW_MINOR, 4);
    get(&f->flags, m, NEW_FLAGS, 8);
  }
  get(&f->data, t, 0, 8);
  get(&f->device_type, t, 8, 4);
  get(&f->device_id, t, 12, 4);
  get(&f->ndim, t, 16, 4);
  get(&f->code, t, 20, 1);
  get(&f->bits, t, 21, 1);
  get(&f->lanes, t, 22, 2);
  get(&f->shape, t, 24, 8);
  get(&f->strides, t, 32, 8);
  get(&f->byte_offset, t, 40, 8);
}

int foreign_delete(void* m, int versioned) {
  deleter_function* deleter;
  get(&deleter, m, versioned ? NEW_DELETER : LEGACY_DELETER, sizeof deleter);
  if (deleter == NULL) return 0;
  deleter(m);
  return 1;
}

void foreign_spoil(void* m, int versioned) {
  foreign_fields f;
  int32_t i;
  void* garbage = &f;
  foreign_read(m, versioned, &f);
  for (i = 0; i < f.ndim; ++i) f.shape[i] = f.strides[i] = -77;
  put(m, versioned ? NEW_CONTEXT : LEGACY_CONTEXT, &garbage, sizeof garbage);
}

void foreign_put_front(void* at, uint32_t major, foreign_owner* owner) {
  deleter_function* deleter = owner->no_deleter ? NULL : delete_front;
  uint32_t minor = 0;
  put(at, NEW_MAJOR, &major, 4);
  put(at, NEW_MINOR, &minor, 4);
  put(at, NEW_CONTEXT, &owner, sizeof owner);
  put(at, NEW_DELETER, &deleter, sizeof deleter);
}
