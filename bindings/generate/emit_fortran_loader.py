# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_loader_generated.c: the C API's names, forwarded to the library that dlopen finds.

A program starts without libarr; the first call loads it. Where it is absent every call returns ARR_E_UNAVAILABLE and
arr_last_error names what was tried. Programs that link libarr leave the file out.
"""

import text

HEAD = """
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Hidden: they must not replace the library's own names.
#define HIDDEN __attribute__((visibility("hidden")))

#if defined(ARR_LOADER_CHECK)  // with the headers at hand the compiler compares the prototypes
#define ARR_API HIDDEN
#include "arr/arr.h"
#else
typedef int32_t arr_status;
typedef int32_t arr_dtype;
"""

BODY = r"""
static char reason[1200] = "";  // why the library cannot be used; "" when it can
static void *opened;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const char *text) {
  const size_t used = strlen(reason);
  snprintf(reason + used, sizeof reason - used, "%s", text);
}

// Fits a pointer to a function, for which dlsym has that of an object.
typedef union any_function {
  void *address;
  int32_t (*check_abi)(int32_t version);
  const char *(*last_error)(void);
} any_function;

// Opens the library at path; 1 if it serves these declarations.
static int open_library(const char *path) {
  opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!opened) {
    const char *const message = dlerror();
    add(message ? message : path);
    return 0;
  }
  const any_function check = {dlsym(opened, "arr_check_abi")}, error = {dlsym(opened, "arr_last_error")};
  if (!check.address || !error.address) {
    add(path);
    add(": no function arr_check_abi");
  } else if (check.check_abi(VERSION) == 0) {
    return 1;
  } else {
    add(path);
    add(": ");
    add(error.last_error());
  }
  dlclose(opened);
  opened = NULL;
  return 0;
}

static void load(void) {
  const char *const chosen = getenv("ARR_LIBRARY");
  add("libarr is not available (set ARR_LIBRARY to its path); tried: ");
  int found;
  if (chosen && *chosen) {
    found = open_library(chosen);
  } else {
    found = open_library("libarr.so.0");
    if (!found) {
      add("; ");
      found = open_library("libarr.so");
    }
  }
  if (found) reason[0] = 0;
}

// The address of a function, or NULL without the library or in one that is too old for it.
static void *find(const char *name, _Atomic(void *) *known) {
  void *address = atomic_load_explicit(known, memory_order_acquire);
  if (address) return address;
  pthread_once(&once, load);
  address = opened ? dlsym(opened, name) : NULL;
  atomic_store_explicit(known, address, memory_order_release);
  return address;
}

static _Thread_local const char *missing = "";  // a function that the library is too old for

static int32_t unavailable(const char *name) {
  if (opened) missing = name;
  return UNAVAILABLE;
}

HIDDEN const char *arr_last_error(void) {
  static _Atomic(void *) known;
  static _Thread_local char text[200];
  const any_function f = {find("arr_last_error", &known)};
  if (!f.address) return reason;
  if (!*missing) return f.last_error();
  snprintf(text, sizeof text, "%s: the library that was loaded has no such function", missing);
  missing = "";
  return text;
}

// Defines a function that calls the library's, or without it has this result.
#define FORWARD(returns, name, parameters, arguments, absent)                            \
  HIDDEN returns name parameters {                                                       \
    static _Atomic(void *) known_;                                                        \
    const union {                                                                        \
      void *address;                                                                     \
      returns(*call) parameters;                                                         \
    } function_ = {find(#name, &known_)};                                                         \
    return function_.address ? function_.call arguments : absent;                                        \
  }
#define FORWARD_VOID(name, parameters, arguments)      \
  HIDDEN void name parameters {                        \
    static _Atomic(void *) known_;                      \
    const union {                                      \
      void *address;                                   \
      void(*call) parameters;                          \
    } function_ = {find(#name, &known_)};                       \
    if (function_.address) function_.call arguments;                   \
  }
#define FORWARD_STATUS(name, parameters, arguments) \
  FORWARD(arr_status, name, parameters, arguments, unavailable(#name))
"""


def parameters(f):
    if not f["parameters"]:
        return "void"
    out = []
    for p in f["parameters"]:
        c = p["type"]["c"]
        out.append(
            c.replace("(*)", f"(*{p['name']})") if "(*)" in c else f"{c}{'' if c.endswith('*') else ' '}{p['name']}"
        )
    return ", ".join(out)


def forward(f):
    """One function of the API."""
    name, returns = f["name"], f["returns"]["type"]["c"]
    arguments = ", ".join(p["name"] for p in f["parameters"])
    if f["returns"]["type"].get("typedef") == "arr_status":
        return f"FORWARD_STATUS({name}, ({parameters(f)}), ({arguments}))\n"
    if returns == "void":
        return f"FORWARD_VOID({name}, ({parameters(f)}), ({arguments}))\n"
    absent = '""' if returns == "const char *" else "0"
    return f"FORWARD({returns}, {name}, ({parameters(f)}), ({arguments}), {absent})\n"


def emit(api):
    value = {c["name"]: c["value"] for c in api["constants"]}
    functions = sorted(api["functions"], key=lambda f: f["name"])
    out = text.banner("//", "arr_loader_generated.c: loads libarr at the first call and forwards to it.") + HEAD
    out += "".join(f"typedef struct {h}_s *{h};\n" for h in api["handles"])
    out += "".join(f"typedef struct {s['name']} {s['name']};\n" for s in api["structs"])
    out += "".join(f"struct {name};\n" for name in api["opaque"])
    out += "#endif\n\n"
    out += f"#define VERSION {value['ARR_VERSION']}\n#define UNAVAILABLE ({value['ARR_E_UNAVAILABLE']})\n{BODY}\n"
    out += "".join(forward(f) for f in functions if f["name"] != "arr_last_error")
    return {"bindings/fortran/src/arr_loader_generated.c": out}
