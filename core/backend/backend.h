// SPDX-License-Identifier: MIT
// The interface between the core and a backend: identity, and a table of functions per family. Each family's
// header in this folder has its table and the structs of its calls. A backend includes these headers, expr/,
// math/, array/ and base/, never the ops or another backend. Both sides are built together; the version and
// the size are checked all the same before the first call.
//
// Every function returns a status. On failure it has put one line of text, without the name of a public
// function, into the call's `*error` (see translate_exceptions()), and has enqueued and allocated nothing. No
// function lets an exception out.
//
// A backend that does not offer a family leaves its table null; one that does not offer a function leaves the
// entry null; one that does not offer a particular call returns ARR_E_UNSUPPORTED. call() turns all three
// into one error, try_call() into false (runtime/devices.h); there is no silent fallback. The tables
// `device`, `stream`, `memory` and `services` are required.
#pragma once

#include <cstdint>
#include <string>

#include "backend/tables.h"

namespace arr {

inline constexpr int32_t backend_abi_version = 10;

struct Backend {
  int64_t struct_size;
  int32_t abi_version;
  int32_t device_type;   // ARR_HOST, ARR_CUDA
  int64_t tables_bytes;  // backend_tables_bytes of interface.h
  const char* name;
  // Calls have run when they return, in the caller's order: streams and events need no tracking.
  bool synchronous;

#define ARR_BACKEND_TABLE(type, member) const type* member;
#include "backend/tables.def"
#undef ARR_BACKEND_TABLE
};

// The host's backend, linked in.
const Backend& host_backend();

// The function that a backend module exports as arr_backend_open: returns its struct, or nullptr with a
// reason.
using BackendOpen = const Backend* (*)(int32_t abi_version, int64_t struct_size, std::string* reason);

}  // namespace arr
