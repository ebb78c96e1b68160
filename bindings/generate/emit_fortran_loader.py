# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_loader_generated.c: the C API's names, forwarded to the library that dlopen finds.

A program starts without libarr; the first call loads it. Where it is absent every call returns ARR_E_UNAVAILABLE and
arr_last_error names what was tried. Programs that link libarr leave the file out.
"""

import text

HEAD = """
#include <dlfcn.h>
#include <pthread.h>
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
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const char *text) {
  const size_t used = strlen(reason);
  snprintf(reason + used, sizeof reason - used, "%s", text);
}

// 1 when the library at path serves these declarations.
static int open_library(const char *path) {
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *const message = dlerror();
    add(message ? message : path);
    return 0;
  }
  for (size_t i = 0; i < sizeof function_slots / sizeof *function_slots; ++i) {
    void *const address = dlsym(library, function_slots[i].name);
    memcpy(function_slots[i].slot, &address, sizeof address);
  }
  if (!table.arr_check_abi || !table.arr_last_error) {
    add(path);
    add(": no function arr_check_abi");
  } else if (table.arr_check_abi(VERSION) == 0) {
    return 1;
  } else {
    add(path);
    add(": ");
    add(table.arr_last_error());
  }
  memset(&table, 0, sizeof table);
  dlclose(library);
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

// 1 when the library is there.
static int ready(void) {
  pthread_once(&once, load);
  return !reason[0];
}

static _Thread_local const char *missing = "";  // a function that the library is too old for

static int32_t unavailable(const char *name) {
  if (!reason[0]) missing = name;
  return UNAVAILABLE;
}

static const char *last_error(void) {
  static _Thread_local char text[200];
  if (reason[0]) return reason;
  if (!*missing) return table.arr_last_error();
  snprintf(text, sizeof text, "%s: the library that was loaded has no such function", missing);
  missing = "";
  return text;
}
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
    head = f"HIDDEN {returns}{'' if returns.endswith('*') else ' '}{name}({parameters(f)}) {{\n"
    call = f"table.{name}({arguments})"
    usable = f"ready() && table.{name}"
    if name == "arr_last_error":
        return head + "  ready();\n  return last_error();\n}\n\n"
    if returns == "void":
        return head + f"  if ({usable}) {call};\n}}\n\n"
    if returns == "const char *":
        return head + f'  return {usable} ? {call} : "";\n}}\n\n'
    absent = f'unavailable("{name}")' if f["returns"]["type"].get("typedef") == "arr_status" else "0"
    return head + f"  return {usable} ? {call} : {absent};\n}}\n\n"


def emit(api):
    value = {c["name"]: c["value"] for c in api["constants"]}
    functions = sorted(api["functions"], key=lambda f: f["name"])
    out = text.banner("//", "arr_loader_generated.c: loads libarr at the first call and forwards to it.") + HEAD
    out += "".join(f"typedef struct {h}_s *{h};\n" for h in api["handles"])
    out += "".join(f"typedef struct {s['name']} {s['name']};\n" for s in api["structs"])
    out += "".join(f"struct {name};\n" for name in api["opaque"])
    out += "#endif\n\n"
    out += f"#define VERSION {value['ARR_VERSION']}\n#define UNAVAILABLE ({value['ARR_E_UNAVAILABLE']})\n\n"
    out += "static struct {\n"
    for f in functions:
        returns = f["returns"]["type"]["c"]
        out += f"  {returns}{'' if returns.endswith('*') else ' '}(*{f['name']})({parameters(f)});\n"
    out += "} table;\n\nstatic const struct {\n  const char *name;\n  void *slot;\n} function_slots[] = {\n"
    out += "".join(f'    {{"{f["name"]}", &table.{f["name"]}}},\n' for f in functions) + "};\n" + BODY + "\n"
    out += "".join(forward(f) for f in functions)
    return {"bindings/fortran/src/arr_loader_generated.c": out.rstrip("\n") + "\n"}
