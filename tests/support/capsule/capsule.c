/* SPDX-License-Identifier: MIT */
/* capsule.c - Python capsules for DLPack tensors, so that tests need no header of Python's: its functions are
 * found in the running interpreter. Load it by ctypes.PyDLL, which keeps the interpreter's lock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct _object PyObject;
typedef void destructor_function(PyObject*);

static const char* const unused_names[2] = {"dltensor", "dltensor_versioned"};
static const char* const used_names[2] = {"used_dltensor", "used_dltensor_versioned"};
static const size_t deleter_offsets[2] = {56, 16};
static long dropped;

EXPORT PyObject* capsule_new(void* tensor, int versioned);
EXPORT int capsule_is(PyObject* capsule, int versioned);
EXPORT void* capsule_tensor(PyObject* capsule, int versioned);
EXPORT int capsule_mark_used(PyObject* capsule, int versioned);
EXPORT void capsule_delete(void* tensor, int versioned);
EXPORT long capsule_dropped(void);

/* A function of the interpreter, stored through a pointer because C has no cast for it. */
static void find(const char* name, void* function) {
  void* address = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &address, sizeof address);
}

/** Calls a tensor's deleter. */
void capsule_delete(void* tensor, int versioned) {
  void (*deleter)(void*);
  memcpy(&deleter, (char*)tensor + deleter_offsets[versioned], sizeof deleter);
  if (deleter != NULL) deleter(tensor);
}

/** True if the capsule holds an unused tensor of this kind. */
int capsule_is(PyObject* capsule, int versioned) {
  int (*is_valid)(PyObject*, const char*);
  find("PyCapsule_IsValid", &is_valid);
  return is_valid(capsule, unused_names[versioned]);
}

/** The tensor of an unused capsule. */
void* capsule_tensor(PyObject* capsule, int versioned) {
  void* (*get)(PyObject*, const char*);
  find("PyCapsule_GetPointer", &get);
  return get(capsule, unused_names[versioned]);
}

/* A capsule that nobody consumed gives its tensor up. */
static void destroy(PyObject* capsule) {
  int versioned;
  for (versioned = 0; versioned < 2; ++versioned) {
    if (!capsule_is(capsule, versioned)) continue;
    capsule_delete(capsule_tensor(capsule, versioned), versioned);
    ++dropped;
  }
}

/** A capsule that owns the tensor until a consumer renames it. */
PyObject* capsule_new(void* tensor, int versioned) {
  PyObject* (*make)(void*, const char*, destructor_function*);
  find("PyCapsule_New", &make);
  return make(tensor, unused_names[versioned], destroy);
}

/** Marks the capsule as used, as a consumer does when it owns the tensor. */
int capsule_mark_used(PyObject* capsule, int versioned) {
  int (*set_name)(PyObject*, const char*);
  find("PyCapsule_SetName", &set_name);
  return set_name(capsule, used_names[versioned]);
}

/** Counts the capsules that went unconsumed. */
long capsule_dropped(void) { return dropped; }
